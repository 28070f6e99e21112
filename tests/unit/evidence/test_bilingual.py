"""Where a line in two languages is divided, and that a long line without a stop takes no longer than it must."""

from __future__ import annotations

import re
import time

from hypothesis import given
from hypothesis import strategies as st

from kaozheng.documents.document import Document
from kaozheng.evidence.bilingual import _border, twins
from kaozheng.evidence.folding import HAN
from kaozheng.sources.source import Source

_ONE_EXPRESSION = re.compile(rf".*[{HAN}][^A-Za-z0-9]*[\s/|(（](?=[^\s])", re.DOTALL)


@given(st.text(alphabet="泵站ab1 /|(（，。\t", max_size=40))
def test_a_line_is_divided_at_the_last_gap_after_its_chinese(line: str) -> None:
    whole = _ONE_EXPRESSION.match(line)
    assert _border(line) == (whole.end() if whole else None)


def test_a_long_line_of_chinese_without_a_stop_is_read_in_a_moment() -> None:
    for line in ("泵站检修" * 25_000, "泵站 检修/" * 20_000, "泵 a" * 33_000):
        source = Source.of(line, "line.md")
        begun = time.perf_counter()
        assert list(twins(source, Document(source.text))) == []
        assert time.perf_counter() - begun < 5
