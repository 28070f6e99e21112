"""What is read of FTS5's lists gives the figures of FTS5's own bm25, in every state of the database."""

from contextlib import contextmanager

import numpy as np
import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.providers.indexes import occurrences
from kaozheng.providers.indexes.counting import best
from kaozheng.providers.indexes.occurrences import AllKnown, make_views
from kaozheng.providers.indexes.scope import inside

WORDS = [f"w{number}" for number in range(12)]
CHUNK = st.lists(st.sampled_from(WORDS), min_size=1, max_size=40)
ASKED = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6, unique=True)


@contextmanager
def full_text():
    engine = sa.create_engine("sqlite://")
    try:
        with engine.connect() as connection:
            for reading in ("words", "pairs"):
                connection.exec_driver_sql(f"CREATE VIRTUAL TABLE {reading} USING fts5(terms, content='')")
                connection.exec_driver_sql(f"CREATE VIRTUAL TABLE {reading}_found USING fts5vocab({reading}, row)")
            make_views(connection.connection.cursor())
            yield connection
    finally:
        engine.dispose()


def add(connection, row, terms):
    connection.exec_driver_sql("INSERT INTO words(rowid, terms) VALUES (?, ?)", (row, " ".join(terms)))


def remove(connection, row, terms):
    given = (row, " ".join(terms))
    connection.exec_driver_sql("INSERT INTO words(words, rowid, terms) VALUES ('delete', ?, ?)", given)


def by_sqlite(connection, asked):
    match = {"asked": " OR ".join(asked)}
    found = connection.execute(
        sa.text("SELECT rowid, -bm25(words) FROM words WHERE words MATCH :asked ORDER BY 2 DESC, 1"), match
    )
    return [(str(row), score) for row, score in found]


def by_us(connection, known, asked):
    return best(known.lengths.rows, known.scores(connection, asked), 100)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(CHUNK, ASKED, st.booleans()), min_size=1, max_size=10))
def test_figures_are_those_of_fts5_whatever_came_and_went_between_two_questions(steps):
    every, kept = AllKnown(), []
    with full_text() as connection:
        for row, (chunk, asked, one_goes) in enumerate(steps, 1):
            add(connection, row, chunk)
            kept.append((row, chunk))
            if one_goes:
                remove(connection, *kept.pop(len(kept) // 2))
            for _ in range(2):  # the second time nothing is read
                found = by_us(connection, every.of(connection, "words", str(row)), asked)
                assert found == [(row, pytest.approx(score)) for row, score in by_sqlite(connection, asked)]


@pytest.mark.parametrize("length", [1, 127, 128, 16_383, 16_384, 20_000])
def test_lengths_of_any_size_are_read(length):
    with full_text() as connection:
        add(connection, 3, ["a"] * length)
        add(connection, 9, ["b"])
        lengths = AllKnown().of(connection, "words", "1").lengths
    assert (lengths.rows.tolist(), lengths.lengths.tolist(), lengths.total) == ([3, 9], [length, 1], length + 1)


def test_terms_made_anew_in_the_same_rows_have_their_new_lengths():
    every = AllKnown()
    with full_text() as connection:
        add(connection, 1, ["a", "b"])
        assert every.of(connection, "words", "1").lengths.lengths.tolist() == [2]
        remove(connection, 1, ["a", "b"])
        add(connection, 1, ["a"])
        assert every.of(connection, "words", "2").lengths.lengths.tolist() == [1]


def test_database_without_terms_finds_nothing():
    with full_text() as connection:
        known = AllKnown().of(connection, "words", "0")
        assert known.counts(connection, ["a"]) == {"a": 0}
        assert by_us(connection, known, ["a"]) == []


def test_lists_are_kept_up_to_their_bound_and_read_again_beyond(monkeypatch):
    monkeypatch.setattr(occurrences, "_KEPT", 5)
    read = []

    def noted(_connection, _cursor, statement, parameters, _context, _many):
        if "_at" in statement:
            read.append(parameters)

    with full_text() as connection:
        for row in range(1, 4):
            add(connection, row, ["a", "b", "c"][:row])
        known = AllKnown().of(connection, "words", "1")
        sa.event.listen(connection, "before_cursor_execute", noted)
        for asked in (["a"], ["b"], ["a", "c"], ["a"], ["b"]):  # in 3, 2 and 1 chunks
            assert by_us(connection, known, asked) == [
                (row, pytest.approx(score)) for row, score in by_sqlite(connection, asked)
            ]
    assert read == [("a",), ("b",), ("c",), ("b",)]


@given(st.sets(st.integers(1, 40)), st.lists(st.tuples(st.integers(1, 40), st.integers(1, 5))))
def test_row_is_inside_when_one_of_the_ranges_has_it(rows, ranges):
    admitted = {row for first, count in ranges for row in range(first, first + count)}
    found = inside(np.array(sorted(rows), dtype=np.int64), ranges)
    assert found.tolist() == [row in admitted for row in sorted(rows)]


def test_of_equals_the_first_rows_are_the_best():
    rows, worth = np.arange(1, 101), np.array([1.0, 0.0] * 40 + [2.0] + [1.0] * 19)
    assert best(rows, worth, 3) == [("81", 2.0), ("1", 1.0), ("3", 1.0)]
