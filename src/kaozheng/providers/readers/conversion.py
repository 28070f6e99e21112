"""Files that are no plain text, as Markdown: one module a kind, imported when its first file comes.

Runs in a child process (`reading_child`), because what is read here comes from strangers.
"""

from __future__ import annotations

import importlib
import struct
import zipfile
import zlib
from typing import Final
from xml.etree import ElementTree

from kaozheng.errors import SourceError
from kaozheng.providers.readers.converted import Caps, Converted

KINDS: Final = {
    ".docx": "word", ".docm": "word", ".pptx": "slides", ".pptm": "slides", ".ppsx": "slides", ".xlsx": "sheets",
    ".xlsm": "sheets", ".csv": "comma_tables", ".tsv": "comma_tables", ".pdf": "pdf_pages", ".html": "html_pages",
    ".htm": "html_pages", ".xhtml": "html_pages",
    ".png": "pictures", ".jpg": "pictures", ".jpeg": "pictures", ".tif": "pictures", ".tiff": "pictures",
    ".bmp": "pictures", ".webp": "pictures",
}  # fmt: skip
"""From the suffix to the module here that reads it."""
PICTURES: Final = frozenset(suffix for suffix, module in KINDS.items() if module == "pictures")
RECOGNISED: Final = PICTURES | {".pdf"}
"""What may have to be recognised, which takes longer than reading."""
OLD_KINDS: Final = {".doc": ".docx", ".xls": ".xlsx", ".ppt": ".pptx", ".wps": ".docx", ".et": ".xlsx", ".dps": ".pptx"}
"""Formats of before 2007 (and WPS's own), and what to save them as."""
_BROKEN: Final = (
    zipfile.BadZipFile, zlib.error, struct.error, ElementTree.ParseError, EOFError, OSError, LookupError, ValueError,
    TypeError, AttributeError, ArithmeticError, StopIteration, RuntimeError,
)  # fmt: skip


def convert(suffix: str, data: bytes, caps: Caps | None = None) -> Converted:
    """The file as Markdown, by its lower-case suffix, one of KINDS.

    Raises SourceError with one line for the user: damaged, protected, over a cap, without text, extra not installed.
    """
    caps = caps or Caps()
    reader = importlib.import_module(f"kaozheng.providers.readers.{KINDS[suffix]}")
    try:
        made: Converted = reader.read(data, caps)
    except (SourceError, MemoryError):
        raise
    except RecursionError as error:
        raise SourceError("damaged: its parts are nested too deeply") from error
    except _BROKEN as error:
        # Other errors may quote the file, whose words are not for logs.
        said = f" ({error})" if isinstance(error, zipfile.BadZipFile | ElementTree.ParseError) else ""
        raise SourceError(f"damaged or no {suffix} file{said}") from error
    if not made.text.strip():
        raise SourceError("empty: it holds no text")
    if len(made.text) > caps.chars:
        raise SourceError(f"more than {caps.chars:,} characters")
    return made
