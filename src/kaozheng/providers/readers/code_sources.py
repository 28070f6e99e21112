"""A file of code as a source of knowledge: its text with secrets masked, and what it defines."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from kaozheng.documents.span import Span
from kaozheng.errors import EncodingError
from kaozheng.providers.readers.code_grammars import outline
from kaozheng.providers.readers.conversion import is_converted
from kaozheng.sources.code.code_file import kind_by_text, kind_of, language_of
from kaozheng.sources.code.secrets import mask_secrets
from kaozheng.sources.code.symbol import Symbol
from kaozheng.sources.decoding import decode, looks_binary
from kaozheng.sources.files import Loaded
from kaozheng.sources.source import Definition, Skipped, Source, normal_lines

HUGE_BYTES: Final = 2_000_000
_NOT_BY_HAND: Final = frozenset({"vendored", "generated"})
_LEADS = re.compile(r"[ \t]*(?:#|//|/\*|\*|@|--|;)")  # a line of comment or decoration above a definition
_NOT_BY_HAND_WHY: Final = "code that nobody wrote by hand"


def is_code(name: str) -> bool:
    """Whether the file of this name is code, and not read as a document (HTML is)."""
    return bool(language_of(name)) and not is_converted(PurePosixPath(name).suffix.lower())


def why_no_knowledge(path: str) -> str:
    """Why this file of code is left out, by its path in the folder that was given; "" when it is read."""
    return _NOT_BY_HAND_WHY if kind_of(path) in _NOT_BY_HAND else ""


def read_code(loaded: Loaded, name: str, id: str) -> Source | Skipped:
    """The file as a source, or why it is none. Without a grammar for its language (extra `code`) nothing is known of
    what it defines."""
    if len(loaded.data) > HUGE_BYTES:
        return Skipped(name, f"code of more than {HUGE_BYTES // 1_000_000} MB")
    if looks_binary(loaded.data):
        return Skipped(name, "binary")
    try:
        text, encoding = decode(loaded.data)
    except EncodingError:
        text, encoding = loaded.data.decode("utf-8", "replace"), "utf-8 (damaged)"
    text = mask_secrets(normal_lines(text), name)
    if not text.strip():
        return Skipped(name, "empty")
    if kind_by_text("source", text) == "generated":
        return Skipped(name, _NOT_BY_HAND_WHY)
    found = outline(name, language_of(name), text)
    known = definitions_of(text, found.symbols) if found.by == "grammar" else ()
    return Source(id, name, text, encoding, loaded.sha256, len(loaded.data), loaded.modified, definitions=known)


def definitions_of(text: str, symbols: tuple[Symbol, ...]) -> tuple[Definition, ...]:
    """The symbols that have a body, each with the comment and the decorators right above it."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    found = []
    for symbol in symbols:
        if symbol.kind == "constant" or symbol.lines.end > len(lines):
            continue
        first = symbol.lines.start - 1
        while first > 0 and _LEADS.match(lines[first - 1]):
            first -= 1
        span = Span(starts[first], starts[symbol.lines.end] - 1)
        found.append(Definition(symbol.name, span, symbol.owner))
    return tuple(found)
