"""The standard streams as a shell may hand them over: closed, full, or in an encoding that lacks our characters."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Final

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def prepare() -> None:
    """Make all three usable before anything is printed or opened.

    A closed one leads nowhere: its number would else go to the next file that is opened, and what is printed would end
    up in there. Characters that the encoding lacks are written as escapes instead of ending the command.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number: this one
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, io.TextIOWrapper(io.FileIO(os.devnull, "w"), encoding="utf-8"))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def is_refusal(error: OSError) -> bool:
    """Whether this is an open stream that takes nothing more. Files have names, and their refusals are translated where
    they are written."""
    return error.filename is None and error.errno in _FULL


def let_go() -> str:
    """Why the standard streams take nothing more, "" when they do. What they refused is dropped: the interpreter would
    try once more at its end and print a traceback."""
    why = ""
    for descriptor, stream in ((1, sys.stdout), (2, sys.stderr)):
        try:
            stream.flush()
        except OSError as error:
            why = why or error.strerror or str(error)
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
            stream.flush()
    return why


def takes_every_character() -> bool:
    """Whether standard output is in a Unicode encoding."""
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
