"""The command line: one file per command. A command parses, calls the API and prints; it decides nothing."""

from __future__ import annotations


def main() -> None:
    """Entry point of `kaozheng`."""
    from kaozheng.cli.app import app

    app()
