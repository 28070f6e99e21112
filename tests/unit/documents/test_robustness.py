"""Hostile and huge texts: nothing crashes and time grows with the length."""

from __future__ import annotations

import time

import pytest

from kaozheng.documents.document import Document
from kaozheng.documents.guard import losses, structure
from kaozheng.documents.headings import table_of_contents
from kaozheng.documents.sentences import sentences, split
from kaozheng.documents.tokens import truncate_tokens

N = 20_000
HOSTILE = {
    "one line of 1 MB": "中" * 1_000_000,
    "unclosed quotes": '"' * N + "“" * N,
    "unclosed brackets": "[" * N + "（" * N,
    "nested brackets": "[" * N + "a" + "](b)" * N,
    "unclosed emphasis": "*a _b ~~c " * N,
    "unclosed code": "`a" * N,
    "unclosed math": "$a" * N,
    "unclosed tags": "<a <!-- " * N,
    "deep quotes": ">" * N + "a" + "\n" * N,
    "deep lists": "- " * N + "a" + "\n" * N + "b",
    "footnotes": "[^a] [^b" * N,
    "addresses": "https://a.b/" * N + ")" * N,
    "path of 1 MB": "a.b/" * 250_000,
    "templates": "{{ a {% b " * N,
    "colons": ".:a:" * N,
    "front matter": "---\n" + "[" * N + "\n---\nx",
    "unclosed front matter": "---\n" + "a: b\n" * N,
    "byte order marks": "\ufeff" * N,
    "NUL": "\0a" * N,
    "lone surrogates": "a\ud800。" * N,
    "many stops": "a. " * N + "a。" * N,
    "stops in brackets": "（。" * N + "。）" * N,
    "table": "| a " * 100 + "|\n" + "|-" * 100 + "|\n" + ("| `b` " * 100 + "|\n") * 100,
    "headings": "# a\n" * (N // 4),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read_in_time(name: str) -> None:
    started = time.process_time()
    document = Document.of(HOSTILE[name])
    for prose in document.prose:
        assert len(prose.masked) == len(prose.source)
        sentences(prose)
    structure(document)
    table_of_contents(document)
    truncate_tokens(document.text, 1000)
    assert time.process_time() - started < 25  # 20 times what the slowest takes; quadratic work takes minutes


@pytest.mark.parametrize(
    "text", ["", "\n", "\0", "\ud800", "\ufeff", "```", "---", "|", "[^", "\u2028", "\x85a", "---\n---"]
)
def test_smallest_texts_are_documents(text: str) -> None:
    document = Document.of(text)
    assert isinstance(document.prose, tuple)
    assert document.numbered().startswith("0001: ")
    assert losses(text, text) == []


def test_a_megabyte_without_a_stop_is_cut_in_linear_time() -> None:
    started = time.process_time()
    assert len(split("中文abc" * 200_000)) == 1
    assert time.process_time() - started < 2  # 20 times what is usual
