"""BM25 over packed terms is that of SQLite's FTS5."""

import sqlite3
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.providers.indexes.counting import Candidates, counted, scores

WORDS = [f"w{number}" for number in range(12)]
CHUNKS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=40), min_size=1, max_size=12)


def packed(chunks):
    parts = [counted(chunk) for chunk in chunks]
    return Candidates(
        np.arange(1, len(chunks) + 1),
        np.array([len(chunk) for chunk in chunks]),
        np.array([len(part) // 8 for part in parts]),
        np.frombuffer(b"".join(parts), dtype="<u8"),
    )


def by_sqlite(chunks, asked):
    file = sqlite3.connect(":memory:")
    try:
        file.execute("CREATE VIRTUAL TABLE words USING fts5(terms)")
        file.executemany("INSERT INTO words VALUES (?)", [(" ".join(chunk),) for chunk in chunks])
        match = " OR ".join(asked)
        return dict(file.execute("SELECT rowid, -bm25(words) FROM words WHERE words MATCH ?", (match,)))
    finally:
        file.close()


@settings(max_examples=60, deadline=None)
@given(CHUNKS, st.sets(st.sampled_from(WORDS), min_size=1, max_size=6))
def test_scores_are_those_of_fts5(chunks, asked):
    counts = Counter(term for chunk in chunks for term in set(chunk))
    known = {term: counts[term] for term in sorted(asked) if counts[term]}
    if not known:
        return
    mean = sum(map(len, chunks)) / len(chunks)
    found = scores(packed(chunks), known, len(chunks), mean)
    theirs = by_sqlite(chunks, asked)
    assert found.tolist() == pytest.approx([theirs.get(row, 0.0) for row in range(1, len(chunks) + 1)], rel=1e-9)


def test_term_that_stands_there_a_thousand_times_counts_as_255():
    assert np.frombuffer(counted(["a"] * 1000), dtype="<u8")[0] & np.uint64(255) == 255


def test_no_candidates_have_no_scores():
    nothing = Candidates(np.empty(0), np.empty(0), np.empty(0, dtype=int), np.empty(0, dtype=np.uint64))
    assert scores(nothing, {"a": 1}, 10, 5.0).tolist() == []
