"""Texts and questions of the benches of knowledge bases, from `../shared/bench`."""

from __future__ import annotations

import json
import random
import re
from functools import cache
from pathlib import Path

from kaozheng.documents.span import LineRange, Span
from kaozheng.sources.chunk import Chunk, chunk_id

SHARED = Path(__file__).resolve().parents[2] / "shared" / "bench"
DIMENSIONS = 384
_SENTENCE = re.compile(r"[^。！？!?\n]+(?:[。！？!?]+|\n|(?<=[a-z])\.\s|$)")
_LENGTH = 450


def lines(name: str) -> list[dict[str, str]]:
    """The rows of a file."""
    return [json.loads(line) for line in (SHARED / name).read_text(encoding="utf-8").splitlines()]


def varied(count: int) -> list[str]:
    """So many different chunks of real sentences: as many of one passage as stand together, then some of another, with
    the figures changed. Words are as frequent as in the passages."""
    chance = random.Random(7)
    passages = [_SENTENCE.findall(line["text"]) for line in lines("zh_passages.jsonl")]
    found: dict[str, None] = {}
    while len(found) < count:
        said = ""
        while len(said) < _LENGTH:
            sentences = chance.choice(passages)
            start = chance.randrange(len(sentences))
            said += "".join(sentences[start : start + 3])
        said = re.sub(r"\d", lambda _: str(chance.randrange(10)), said)
        found[said[: _LENGTH + 50]] = None
    return list(found)


def chunk(document: str, number: int, text: str) -> Chunk:
    """A chunk of this text; its place in the document is of no account."""
    span, lines = Span(0, len(text)), LineRange(number, number)
    return Chunk(chunk_id(document, (), number, text), document, (), number, span, lines, text)


def telling_word(question: str) -> str:
    """The longest word, the latest of equals."""
    return max(_words(question), key=len, default=question)


def _words(question: str) -> list[str]:
    return [word for word in _cutter()(question) if word.isalnum()]


@cache
def _cutter():  # noqa: ANN202
    from rjieba import Jieba

    jieba = Jieba()
    return lambda text: jieba.cut(text, False)
