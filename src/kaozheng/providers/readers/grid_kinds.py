"""Which reader a table is for, by its first bytes: much of what is named .xls is something else."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final

from kaozheng.errors import EncodingError, SourceError
from kaozheng.providers.readers.zip_parts import OLE, is_locked
from kaozheng.sources.decoding import decode

TEXTS: Final = frozenset({".csv", ".tsv"})
BOOKS: Final = frozenset({".xlsx", ".xls"})
_OTHERS: Final = {
    ".xlsm": "a workbook with macros", ".xlsb": "a binary workbook", ".ods": "an OpenDocument table",
    ".et": "a table of WPS", ".numbers": "a table of Numbers", ".xlt": "a template", ".xltx": "a template",
}  # fmt: skip
_STREAMS: Final = (b"\x09\x00\x04\x00", b"\x09\x02\x06\x00", b"\x09\x04\x06\x00", b"\x09\x08\x08\x00")
"""How an XLS of before 1994 begins, which has no container."""
_PAGE: Final = re.compile(
    rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*(?:<(?:!doctype|html|head|meta|table|\?xml|style|body|div)\b|MIME-Version:)",
    re.IGNORECASE,
)
_HEAD: Final = 2_000


def check_name(name: str) -> None:
    """Raises SourceError where the file's ending is of no kind that is read as a table."""
    suffix = PurePath(name).suffix.lower()
    if suffix in _OTHERS:
        raise SourceError(f"{_OTHERS[suffix]} ({suffix}): save it as .xlsx")
    if suffix not in TEXTS | BOOKS:
        raise SourceError("not a table: XLSX, XLS, CSV and TSV are read")


def is_old(data: bytes) -> bool:
    """Whether it is an XLS by its first bytes."""
    return data.startswith((OLE, *_STREAMS)) and not is_locked(data)


def module_for(suffix: str, data: bytes) -> str:
    """The module here that reads it. Raises SourceError for a page, a text under the name of a workbook, a password."""
    if is_locked(data):
        raise SourceError("protected by a password: save a copy without one")
    if is_old(data):
        return "old_sheets"
    if data.startswith(b"PK"):
        return "sheets"
    if _PAGE.match(data[:_HEAD].replace(b"\x00", b"")):
        raise SourceError(
            f"a web page or XML under the name of a table ({suffix}): open it in Excel or WPS, save it as .xlsx"
        )
    if suffix in TEXTS:
        return "comma_tables"
    try:
        decode(data)
    except EncodingError as error:
        raise SourceError(f"damaged or no {suffix} file") from error
    raise SourceError(f"a text under the name of a workbook ({suffix}): name it .csv or .tsv")
