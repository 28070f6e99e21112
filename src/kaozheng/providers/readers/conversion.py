"""Files that are no plain text, as Markdown or as grids: one module a kind, imported when its first file comes.

Runs in a child process (`reading_child`), because what is read here comes from strangers.
"""

from __future__ import annotations

import importlib
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, TypeVar
from xml.etree import ElementTree

from kaozheng.errors import SourceError
from kaozheng.providers.readers.converted import Caps, Converted
from kaozheng.providers.readers.grid_kinds import module_for
from kaozheng.sources.grid import Grid

T = TypeVar("T")
KINDS: Final = {
    ".docx": "word", ".docm": "word", ".pptx": "slides", ".pptm": "slides", ".ppsx": "slides", ".xlsx": "sheets",
    ".xlsm": "sheets", ".csv": "comma_tables", ".tsv": "comma_tables", ".pdf": "pdf_pages", ".html": "html_pages",
    ".htm": "html_pages", ".xhtml": "html_pages",
    ".png": "pictures", ".jpg": "pictures", ".jpeg": "pictures", ".tif": "pictures", ".tiff": "pictures",
    ".bmp": "pictures", ".webp": "pictures",
}  # fmt: skip
"""From the suffix to the module here that reads it: one file a kind, with `read(data, caps) -> Converted`."""
PICTURES: Final = frozenset(suffix for suffix, module in KINDS.items() if module == "pictures")
RECOGNISED: Final = PICTURES | {".pdf"}
"""What may have to be recognised, which takes longer than reading."""
OLD_KINDS: Final = {".doc": ".docx", ".xls": ".xlsx", ".ppt": ".pptx", ".wps": ".docx", ".et": ".xlsx", ".dps": ".pptx"}
"""Formats of before 2007 (and WPS's own), and what to save them as."""
_BROKEN: Final = (
    zipfile.BadZipFile, zlib.error, struct.error, ElementTree.ParseError, EOFError, OSError, LookupError, ValueError,
    TypeError, AttributeError, ArithmeticError, StopIteration, RuntimeError,
)  # fmt: skip


_ROOM: Final = "kaozheng.providers.readers"
GROUP: Final = "kaozheng.readers"
"""The group of entry points by which an installed package brings a reader: the name is the suffix without its dot, the
value a module (or an object) with `read(data, caps) -> Converted`. It stands in front of our own."""


@cache
def plugged_in() -> dict[str, EntryPoint]:
    """The readers of other packages by lower-case suffix. Only their names are looked up; the child loads them."""
    return {f".{one.name.lower().lstrip('.')}": one for one in entry_points(group=GROUP)}


def is_converted(suffix: str) -> bool:
    """Whether there is a reader for files with this lower-case suffix."""
    return suffix in KINDS or suffix in plugged_in()


def _reader_of(suffix: str) -> Any:
    other = plugged_in().get(suffix)
    if other is None:
        return importlib.import_module(f"{_ROOM}.{KINDS[suffix]}")
    try:
        reader = other.load()
    except (ImportError, AttributeError) as error:
        raise SourceError(f"its reader {other.value} cannot be loaded ({type(error).__name__})") from error
    if not callable(getattr(reader, "read", None)):
        raise SourceError(f"its reader {other.value} has no read(data, caps)")
    return reader


def convert(suffix: str, data: bytes, caps: Caps | None = None) -> Converted:
    """The file as Markdown, by its lower-case suffix, for which there is a reader.

    Raises SourceError with one line for the user: damaged, protected, over a cap, without text, extra not installed.
    """
    caps = caps or Caps()
    reader = _reader_of(suffix)
    made: Converted = _guarded(reader.read, suffix, data, caps)
    if not made.text.strip():
        raise SourceError("empty: it holds no text")
    if len(made.text) > caps.chars:
        raise SourceError(f"more than {caps.chars:,} characters")
    return made


def grids(suffix: str, data: bytes, caps: Caps | None = None) -> list[Grid]:
    """The sheets of a table, by its first bytes and its lower-case suffix. Raises SourceError as `convert` does."""
    reader = importlib.import_module(f"{_ROOM}.{module_for(suffix, data)}")
    made: list[Grid] = _guarded(reader.grids, suffix, data, caps or Caps())
    if not any(grid.cells for grid in made):
        raise SourceError("empty: it holds no cell with anything in it")
    return made


def _guarded(read: Callable[[bytes, Caps], T], suffix: str, data: bytes, caps: Caps) -> T:
    """What `read` gives; whatever a damaged file makes it raise is one SourceError."""
    try:
        return read(data, caps)
    except (SourceError, MemoryError):
        raise
    except RecursionError as error:
        raise SourceError("damaged: its parts are nested too deeply") from error
    except _BROKEN as error:
        # Other errors may quote the file, whose words are not for logs.
        said = f" ({error})" if isinstance(error, zipfile.BadZipFile | ElementTree.ParseError) else ""
        raise SourceError(f"damaged or no {suffix} file{said}") from error
