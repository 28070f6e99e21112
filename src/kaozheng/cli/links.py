"""Places of the disk and the web on a terminal: short to read, and one click away."""

from __future__ import annotations

import sys
from pathlib import Path, PurePath
from urllib.parse import quote

from kaozheng.documents.characters import without_controls

_SHOWS_LINES = frozenset({".md", ".markdown", ".mdx", ".txt", ".text", ".rst", ".adoc", ".org", ".log", ""})


def short(name: str) -> str:
    """The name of a document as one would type it: below the working folder without that, else in full."""
    try:
        said = str(PurePath(name).relative_to(Path.cwd()))
    except (ValueError, OSError):
        said = name
    return without_controls(said)  # a name may come from whoever handed the file over


def place(name: str, lines: tuple[int, int] | None = None) -> str:
    """`notes/a.md:5-7`, on a terminal with a link (OSC 8) to the file or page. Of a file whose own lines nobody sees
    (Word, PDF …) the lines are those of its text, and the link leads to the file."""
    said = short(name)
    if lines:
        said += f":{lines[0]}" if lines[0] == lines[1] else f":{lines[0]}-{lines[1]}"
    target = _target(name, lines)
    return f"\x1b]8;;{target}\x1b\\{said}\x1b]8;;\x1b\\" if target and sys.stdout.isatty() else said


def _target(name: str, lines: tuple[int, int] | None) -> str:
    if name.startswith(("http://", "https://")):
        return quote(name, safe="/:?&=#%+,;@!~*'()[]")
    path = PurePath(name)
    if not path.is_absolute():
        return ""
    return path.as_uri() + (f"#L{lines[0]}" if lines and path.suffix.lower() in _SHOWS_LINES else "")
