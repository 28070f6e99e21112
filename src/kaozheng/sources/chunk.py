"""Chunks: the parts of a document that are found, each with its place in the source."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from kaozheng.documents.span import LineRange, Span


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a document. `text` is exactly the source's text at `span` (of a transcript: without fillers and stamps)
    and stands on `lines` of it; `path` holds the headings above it from the outside in, of a converted file the page,
    slide or sheet last, `ordinal` counts from 1 among the chunks under that path. `prefix` (document, headings, topic)
    is searched and embedded with the text but is no part of it. `id` depends on document, path, ordinal and text, so a
    change elsewhere in the document leaves it as it is."""

    id: str
    document: str
    path: tuple[str, ...]
    ordinal: int
    span: Span
    lines: LineRange
    text: str
    prefix: str = ""

    @property
    def searched(self) -> str:
        """What is analysed and embedded."""
        return searched(self.prefix, self.text)


def searched(prefix: str, text: str) -> str:
    """What is analysed and embedded of a chunk with this prefix and text."""
    return f"{prefix}\n{text}" if prefix else text


def chunk_id(document: str, path: Iterable[str], ordinal: int, text: str) -> str:
    """24 hexadecimal digits, the same in every base and on every machine."""
    parts = (document, *path, str(ordinal), hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())
    # Each part with its length: no two lists of parts read alike.
    said = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:24]
