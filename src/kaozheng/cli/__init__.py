"""The command line: one file per command. A command parses, calls the API and prints; it decides nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress

_REFUSED = 3
"""Exit code when a standard stream takes no more; that of StorageError."""
INTERRUPTED = 130
"""Exit code of a command that Ctrl-C ended before it had begun: what shells give it."""


def main() -> None:
    """Entry point of `kaozheng`."""
    code: str | int | None = INTERRUPTED
    try:
        code = _command()
    except KeyboardInterrupt:
        _say("stopped before anything was done")
    except RuntimeError as error:
        # While a class is made (at import), Python 3.11 wraps whatever comes up, a Ctrl-C too.
        if not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        _say("stopped before anything was done")
    sys.exit(code)


def _command() -> str | int | None:
    """Run the command that the arguments name; its exit code."""
    import os
    import signal

    from kaozheng.aside import is_computing
    from kaozheng.cli import streams

    streams.prepare()
    # A service manager's polite "stop" is treated as Ctrl-C: the run is written down as stopped and can be resumed.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        code = _ended(streams.is_refusal)
    finally:
        # From here on there is nothing to save: one more Ctrl-C ends the process, without a traceback.
        for one in (signal.SIGINT, signal.SIGTERM):
            signal.signal(one, signal.SIG_DFL)
    code = _REFUSED if streams.let_go() else code
    if is_computing():  # a stopped run left it behind; the interpreter's own end would wait, or break it roughly
        os._exit(code if isinstance(code, int) else int(code is not None))
    return code


def _ended(is_refusal: Callable[[OSError], bool]) -> str | int | None:
    """The exit code of the command, and a line for what typer does not know of."""
    from kaozheng.errors import KaozhengError

    try:
        from kaozheng.cli.app import app

        app()
    except SystemExit as leaving:
        if leaving.code == INTERRUPTED:  # typer says nothing then
            _say("stopped")
        return leaving.code
    except KaozhengError as error:  # of a parser of options: it runs outside of the command
        _say(str(error))
        return error.exit_code
    except OSError as error:
        if not is_refusal(error):
            raise
        _say(f"the output cannot be written ({error.strerror})")
        return _REFUSED
    return 0


def _say(what: str) -> None:
    with suppress(OSError):
        sys.stderr.write(f"kaozheng: {what}\n")
