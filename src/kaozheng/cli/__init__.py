"""The command line: one file per command. A command parses, calls the API and prints; it decides nothing."""

from __future__ import annotations


def main() -> None:
    """Entry point of `kaozheng`."""
    import os
    import signal
    import sys
    from contextlib import suppress

    from kaozheng.aside import is_computing
    from kaozheng.cli.app import app

    # A service manager's polite "stop" is treated as Ctrl-C: the run is written down as stopped and can be resumed.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        app()
    except SystemExit as end:
        if is_computing():  # a stopped run left it behind; the interpreter's own end would wait, or break it roughly
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError):  # its reader is gone, or it is closed for that reason
                    stream.flush()
            os._exit(end.code if isinstance(end.code, int) else 1)
        raise
