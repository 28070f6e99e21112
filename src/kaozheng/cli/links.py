"""Places of the disk and the web on a terminal: short to read, and one click away."""

from __future__ import annotations

import re
import sys
from pathlib import Path, PurePath
from urllib.parse import quote

from kaozheng.documents.characters import without_controls

_CONVERTED = frozenset({
    ".docx", ".docm", ".pptx", ".pptm", ".ppsx", ".xlsx", ".xlsm", ".csv", ".tsv", ".pdf", ".html", ".htm", ".xhtml",
    ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp",
})  # fmt: skip
"""Files whose text was made of them: its lines are not theirs."""
_PAGE = re.compile(r"(?:第 |pages? )(\d+)")


def short(name: str) -> str:
    """The name of a document as one would type it: below the working folder without that, else in full."""
    try:
        said = str(PurePath(name).relative_to(Path.cwd()))
    except (ValueError, OSError):
        said = name
    return without_controls(said)  # a name may come from whoever handed the file over


def place(name: str, lines: tuple[int, int] | None = None, within: str = "") -> str:
    """`notes/a.md:5-7`, on a terminal with a link (OSC 8) to the line of the file or to the page of the web.

    `within` is the page, slide or sheet of a converted file, which is told in place of lines that nobody sees; of a PDF
    the link leads to the page. Where it is not known, the lines are those of the text that was made of the file.
    """
    said = short(name)
    if within:
        said += f", {within}"
    elif lines:
        said += f":{lines[0]}" if lines[0] == lines[1] else f":{lines[0]}-{lines[1]}"
    target = _target(name, lines, within)
    return f"\x1b]8;;{target}\x1b\\{said}\x1b]8;;\x1b\\" if target and sys.stdout.isatty() else said


def _target(name: str, lines: tuple[int, int] | None, within: str) -> str:
    if name.startswith(("http://", "https://")):
        return quote(name, safe="/:?&=#%+,;@!~*'()[]")
    path = PurePath(name)
    if not path.is_absolute():
        return ""
    suffix, page = path.suffix.lower(), _PAGE.match(within)
    if suffix == ".pdf" and page:
        return f"{path.as_uri()}#page={page[1]}"
    return path.as_uri() + (f"#L{lines[0]}" if lines and suffix not in _CONVERTED else "")
