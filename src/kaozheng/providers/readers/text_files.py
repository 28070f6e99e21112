"""Reads files and folders of them from the local disk: texts as they are, other kinds converted in a child process."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path, PurePath

from kaozheng.aside import aside
from kaozheng.errors import EncodingError, SourceError
from kaozheng.providers.readers.conversion import KINDS, OLD_KINDS, PICTURES, is_converted, plugged_in
from kaozheng.providers.readers.converted import Caps
from kaozheng.providers.readers.reading_parent import ReadingChild
from kaozheng.providers.readers.recognition import INSTALL, can_recognise
from kaozheng.sources.decoding import decode, looks_binary
from kaozheng.sources.files import Loaded
from kaozheng.sources.source import Reading, Skipped, Source, normal_lines

TEXT_SUFFIXES = frozenset({".md", ".markdown", ".mdx", ".txt", ".text", ".rst", ".adoc", ".org", ".log", ""})
SIZE_LIMIT_BYTES = 50_000_000
OLD_SUFFIXES = frozenset(OLD_KINDS)
_BINARY = "binary"
_NOT_DECODED = "encoding not known"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_NUMBER = re.compile(r"(\d+)")
_ORDINAL = re.compile(r"(?<=第)[一二三四五六七八九十百零〇]+|^[一二三四五六七八九十]+(?=[、.．\s_-])")
_HAN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0}


class FolderReader:
    """A SourceReader over the local disk; `caps` is the most that one file may take.

    Hidden files and folders are passed over silently. Links that lead out of the folder are not followed, so that a
    folder from elsewhere cannot pull private files into a document.
    """

    def __init__(self, caps: Caps | None = None) -> None:
        self._caps = caps

    async def read(self, path: Path) -> Reading:
        """See SourceReader.read. The work is done aside, so the loop stays free."""
        return await aside(_read, path, self._caps)


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """Sorts 2 before 10 and 第二章 before 第十章."""
    name = _ORDINAL.sub(lambda found: str(_han_number(found[0])), name.casefold())
    return [(0, int(part), part) if part.isdecimal() else (1, 0, part) for part in _NUMBER.split(name) if part]


def shown(path: Path | str) -> str:
    """The path as text that can be printed and stored, also when its name is not valid UTF-8 or steers terminals."""
    text = os.fsencode(path).decode("utf-8", "backslashreplace")
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def _read(path: Path, caps: Caps | None) -> Reading:
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        raise SourceError(f"{shown(path)}: {_why(error)}") from error
    with ReadingChild(caps) as child:
        if stat.S_ISDIR(mode):
            return _read_folder(path, child)
        found = list(_read_file(path, shown(path.name), "S1", child))
    sources = [one for one in found if isinstance(one, Source)]
    skipped = [one for one in found if isinstance(one, Skipped)]
    if sources:
        return Reading(sources, skipped)
    why = skipped[0].why
    if why == _BINARY:
        raise EncodingError(f"{shown(path)}: binary data, not a text")
    raise (EncodingError if why.startswith(_NOT_DECODED) else SourceError)(f"{shown(path)}: {why}")


def _read_folder(root: Path, child: ReadingChild) -> Reading:
    sources: list[Source] = []
    skipped: list[Skipped] = []
    for path, why in files_below(root):
        name = shown(path.relative_to(root).as_posix())
        for found in [Skipped(name, why)] if why else _read_file(path, name, f"S{len(sources) + 1}", child):
            if isinstance(found, Source):
                sources.append(found)
            else:
                skipped.append(found)
    if not sources:
        raise SourceError(f"{shown(root)}: no readable file in this folder ({_summary(skipped)})")
    return Reading(sources, skipped)


def files_below(root: Path) -> Iterator[tuple[Path, str]]:
    """Every file that is not hidden, in natural order, with why it is left out ("" when it may be read)."""
    real_root = Path(os.path.realpath(root))
    entered = {real_root}
    pending = [root]
    while pending:
        path = pending.pop()
        why = _why_link_is_left(path, real_root) if path != root and path.is_symlink() else ""
        if why or not path.is_dir():
            yield path, why
            continue
        real = Path(os.path.realpath(path))
        if real in entered and path != root:
            yield path, "a link to a folder that is read already"
            continue
        entered.add(real)
        try:
            names = [name for name in os.listdir(path) if not name.startswith(".")]  # noqa: PTH208 - keeps odd names
        except OSError as error:
            yield path, _why(error)
            continue
        pending.extend(path / name for name in sorted(names, key=natural_key, reverse=True))


def _why_link_is_left(link: Path, real_root: Path) -> str:
    """ "" for a link that must be followed: its target lies in the folder, but is hidden there (mounted volumes)."""
    target = Path(os.path.realpath(link))
    if not target.is_relative_to(real_root):
        return "a link that leads out of the folder"
    if not target.exists():
        return "a link that leads nowhere"
    inner = target.relative_to(real_root)
    hidden = any(part.startswith(".") for part in inner.parts)
    if hidden:
        return ""
    return (
        f"a link to {shown(inner.as_posix())}, which is read by itself"
        if inner.parts
        else "a link to the folder itself"
    )


def load(path: Path) -> Loaded:
    """The bytes of a regular file of a size that is read. Raises SourceError with the reason alone."""
    try:
        info = path.stat()
        if not stat.S_ISREG(info.st_mode):
            raise SourceError("not a regular file")
        if info.st_size > SIZE_LIMIT_BYTES:
            raise SourceError(f"larger than {SIZE_LIMIT_BYTES // 1_000_000} MB")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise SourceError(_why(error)) from error
    return Loaded.of(data, datetime.fromtimestamp(info.st_mtime, UTC).isoformat(timespec="seconds"))


def read_data(loaded: Loaded, name: str, id: str, child: ReadingChild) -> Iterator[Source | Skipped]:
    """The bytes of the file of this name as a source, and what of them was left out; or why there is none."""
    suffix = PurePath(name).suffix.lower()
    if why := why_not_taken(suffix):
        yield Skipped(name, why)
    elif is_converted(suffix):
        yield from _converted(
            loaded.data, Source(id, name, "", "", "", 0, loaded.modified, made_from=suffix[1:]), child
        )
    else:
        yield _source(loaded.data, name, id, loaded.modified)


def _read_file(path: Path, name: str, id: str, child: ReadingChild) -> Iterator[Source | Skipped]:
    if why := why_not_taken(path.suffix.lower()):
        yield Skipped(name, why)
        return
    try:
        loaded = load(path)
    except SourceError as error:
        yield Skipped(name, str(error))
        return
    yield from read_data(loaded, name, id, child)


def why_not_taken(suffix: str) -> str:
    """Why files with this suffix (lower case, with its dot) are not read; "" when they are."""
    if suffix in plugged_in():
        return ""
    if suffix in OLD_KINDS:
        return f"an old format ({suffix}): save it as {OLD_KINDS[suffix]}"
    if suffix in PICTURES and not can_recognise():
        return f"not read without the extra for pictures: {INSTALL}"
    return "" if suffix in TEXT_SUFFIXES or suffix in KINDS else f"not a kind of file that is read ({shown(suffix)})"


def _converted(data: bytes, bare: Source, child: ReadingChild) -> Iterator[Source | Skipped]:
    if not data:
        yield Skipped(bare.path, "empty")
        return
    try:
        made = child.convert(f".{bare.made_from}", data)
    except SourceError as error:
        yield Skipped(bare.path, str(error))
        return
    digest = hashlib.sha256(data).hexdigest()
    yield replace(bare, text=made.text, sha256=digest, size_bytes=len(data), places=made.places)
    for part in made.left_out:
        yield Skipped(f"{bare.path}, {part.path}", part.why)


def _source(data: bytes, name: str, id: str, modified: str) -> Source | Skipped:
    if looks_binary(data):
        return Skipped(name, _BINARY)
    try:
        text, encoding = decode(data)
    except EncodingError as error:
        return Skipped(name, f"{_NOT_DECODED}: {error}")
    text = normal_lines(text)
    if not text.strip():
        return Skipped(name, "empty")
    return Source(id, name, text, encoding, hashlib.sha256(data).hexdigest(), len(data), modified)


def _why(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, PermissionError):
        return "no permission to read it"
    reason = error.strerror if isinstance(error, OSError) else None
    return f"cannot be read ({reason or error})"


def _summary(skipped: list[Skipped]) -> str:
    if not skipped:
        return "it is empty"
    counts = Counter(item.why.split(":")[0] for item in skipped)
    whys = ", ".join(f"{count} {why}" for why, count in counts.most_common(5))
    return f"{len(skipped)} file{'s' if len(skipped) > 1 else ''} skipped: {whys}"


def _han_number(text: str) -> int:
    value, digit = 0, 0
    for char in text:
        if char in "十百":
            value += (digit or 1) * (10 if char == "十" else 100)
            digit = 0
        else:
            digit = digit * 10 + _HAN_DIGITS[char]
    return value + digit
