"""The command line: one file per command. A command parses, calls the API and prints; it decides nothing."""

from __future__ import annotations


def main() -> None:
    """Entry point of `kaozheng`."""
    import signal

    from kaozheng.cli.app import app

    # A service manager's polite "stop" is treated as Ctrl-C: the run is written down as stopped and can be resumed.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    app()
