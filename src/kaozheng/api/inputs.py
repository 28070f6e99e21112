"""What was given: which kind of input it is, its language, what a run is called."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from pathlib import Path

from kaozheng.errors import InputError, SourceError
from kaozheng.models.messages import Sensitivity
from kaozheng.wiring import reader


def source_of(text: str | Path | None, notes: str | Path | None, code: str | Path | None) -> tuple[str, str | Path]:
    """The mode, and a text or a path."""
    given = [(mode, value) for mode, value in (("text", text), ("notes", notes), ("code", code)) if value is not None]
    if len(given) != 1:
        raise InputError("give exactly one of text, notes and code")
    mode, value = given[0]
    if isinstance(value, str) and not value.strip():  # Path("") would be the working folder
        raise SourceError("the text is empty" if mode == "text" else f"{mode}: the path is empty")
    if mode == "code" and not any(one.is_file() for one in Path(value).rglob("*")):
        raise SourceError(f"{value}: no such folder, or no file in it; code is the folder of a code base")
    if isinstance(value, str) and mode == "text":
        return mode, value
    return mode, Path(value)


def text_or_path(source: str | Path) -> str | Path:
    """A text (a str), or a path. Raises SourceError for an empty text, InputError for one that is no text, or that can
    only be meant as a path."""
    if isinstance(source, Path):
        return source
    if not source.strip():
        raise SourceError("the text is empty")
    _ensure_text(source, "text")
    with suppress(OSError, ValueError):  # too long, or no name at all
        if "\n" not in source and Path(source).exists():
            raise InputError(f"{source}: there is a file or folder of this name; give it as a Path")
    return source


async def language_of(mode: str, source: str | Path) -> str:
    """The language of most of the text, of a code base that of its README; "zh" when that does not tell."""
    if isinstance(source, str):
        return language_of_text(source)
    if mode == "code":
        readmes = await asyncio.to_thread(lambda: sorted(source.glob("[Rr][Ee][Aa][Dd][Mm][Ee]*")))
        files = [one for one in readmes if one.is_file() and not one.is_symlink()]
        return await language_of("text", files[0]) if files else "zh"
    reading = await reader().read(source)
    return language_of_text("\n".join(one.text[:20_000] for one in reading.sources))


def language_of_text(text: str) -> str:
    """ "zh" or "en"; "zh" when the text does not tell."""
    from kaozheng.documents import document

    return document.language_of(text) or "zh"


def plain_line(text: str, name: str, most: int | None = None) -> str:
    """The text on one line, without what steers a terminal; `name` is what it is. Raises InputError when it is no text,
    or longer than `most` characters."""
    from kaozheng.documents.characters import without_controls

    _ensure_text(text, name)
    line = " ".join(without_controls(text).split())
    if most is not None and len(line) > most:
        raise InputError(f"the {name} has {len(line)} characters, {most} at most")
    return line


def _ensure_text(text: str, name: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(f"the {name} is not text: it holds half of a surrogate pair") from None


def one_line(topic: str) -> str:
    """The topic as a heading can hold it. Raises InputError."""
    from kaozheng.roles.structure import own_title
    from kaozheng.roles.titles import clean_title

    line = plain_line(topic, "topic")
    title = clean_title(line)
    if line and (not title or own_title(title, "zh") != title):  # those names belong to parts of every document
        raise InputError(f"{line!r} cannot be the topic: name what the document is about")
    return re.sub(r"^#{1,6}\s+", "", line)


def topic_of(source: str | Path, sensitivity: Sensitivity) -> str:
    """What names the run's folder when no topic was given. Words of a secret text must not stand in a name."""
    if isinstance(source, Path):
        return source.resolve().stem
    if sensitivity == "secret":
        return "secret"
    return next(line.strip(" #") for line in source.split("\n") if line.strip())
