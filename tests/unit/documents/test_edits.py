"""Line replacements and text edits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.documents.edits import LineReplacement, TextEdit, apply_edits, apply_replacements
from kaozheng.documents.span import LineRange, Span

TEXT = "one\ntwo\nthree\nfour\n"
line = st.text(alphabet="ab中😀 :0123\u0301", max_size=6)


def replace(start: int, end: int, content: str = "new", rule: str = "") -> LineReplacement:
    return LineReplacement(start, end, content, "because", rule)


@st.composite
def splices(draw: st.DrawFn) -> tuple[list[str], list[LineReplacement], int]:
    """Lines, disjoint replacements that change something, and the number of line ends at the end."""
    lines = draw(st.lists(line, min_size=1, max_size=12))
    cuts = sorted(draw(st.sets(st.integers(1, len(lines) + 1), max_size=8)))
    found = []
    for start, after in zip(cuts[::2], cuts[1::2], strict=False):
        content = draw(st.lists(st.text(alphabet="xy界", min_size=1, max_size=4), max_size=4))
        found.append(replace(start, after - 1, "\n".join(content)))
    return lines, found, draw(st.integers(0, 3))


@given(splices(), st.randoms())
def test_disjoint_replacements_in_any_order_equal_a_line_splice(case, random) -> None:
    lines, replacements, ends = case
    text = "\n".join(lines).rstrip("\n") + "\n" * ends
    random.shuffle(replacements)
    if any(part.end > len(text.removesuffix("\n").split("\n")) for part in replacements):
        return
    expected = text.removesuffix("\n").split("\n")
    for part in sorted(replacements, key=lambda part: -part.start):
        expected[part.start - 1 : part.end] = part.content.split("\n") if part.content else []
    applied = apply_replacements(text, replacements)
    assert applied.refused == ()
    assert applied.accepted == tuple(replacements)
    assert applied.text.rstrip("\n") == "\n".join(expected).rstrip("\n")
    if replacements:
        assert len(applied.text) - len(applied.text.rstrip("\n")) == ends


@given(st.lists(line, max_size=8), st.lists(st.tuples(st.integers(-2, 12), st.integers(-2, 12), line), max_size=6))
def test_refused_replacements_change_nothing(lines, parts) -> None:
    text = "\n".join(lines)
    replacements = [LineReplacement(start, end, content, "why") for start, end, content in parts]
    first = apply_replacements(text, replacements)
    again = apply_replacements(text, first.accepted)
    assert again.text == first.text
    assert len(first.accepted) + len(first.refused) == len(replacements)
    if not first.accepted:
        assert first.text == text
    assert all(refusal.why.endswith(".") for refusal in first.refused)


@pytest.mark.parametrize(
    ("replacement", "why"),
    [
        (replace(0, 1), "before line 1"),
        (replace(3, 2), "before the start line 3"),
        (replace(2, 5), "beyond the last line 4"),
        (replace(2, 2, "two"), "as they are"),
        (replace(2, 2, "0002: zwei"), "line numbers"),
        (replace(2, 3, "2: zwei\n3: drei"), "line numbers"),
    ],
)
def test_a_bad_replacement_is_refused_with_its_reason(replacement: LineReplacement, why: str) -> None:
    applied = apply_replacements(TEXT, [replacement])
    assert applied.text == TEXT
    assert why in applied.refused[0].why


def test_lines_outside_the_allowed_ranges_are_refused() -> None:
    applied = apply_replacements(TEXT, [replace(1, 2), replace(3, 3)], allowed=[LineRange(2, 3)])
    assert applied.text == "one\ntwo\nnew\nfour\n"
    assert "2-3" in applied.refused[0].why


def test_of_two_that_overlap_the_first_given_wins() -> None:
    applied = apply_replacements(TEXT, [replace(2, 3, "x", "1.2"), replace(1, 2, "y"), replace(3, 4, "z")])
    assert applied.text == "one\nx\nfour\n"
    assert [("lines 2-3 for rule 1.2" in refusal.why) for refusal in applied.refused] == [True, True]


@pytest.mark.parametrize(
    ("text", "replacement"),
    [
        ("\n" * 2022 + "old", replace(2022, 2023, "第一年\n年报")),
        ("\n" * 2022 + "2023: 年", replace(2023, 2023, "2023: 年报")),
        ("a\nb", replace(2, 2, "2: two things")),
        ("a\nb", replace(2, 2, "2023: 年")),
        ("a\nb", replace(1, 2, "10:30 start\n11:00 end")),
    ],
)
def test_a_line_that_begins_with_a_year_or_time_is_no_line_number(text: str, replacement: LineReplacement) -> None:
    assert apply_replacements(text, [replacement]).accepted == (replacement,)


def test_empty_content_deletes_and_line_ends_at_the_end_stay() -> None:
    assert apply_replacements("a\nb\n\n\n", [replace(2, 2, "")]).text == "a\n\n\n"
    assert apply_replacements("a\nb", [replace(2, 2, "c\n")]).text == "a\nc"
    assert apply_replacements("a\nb\nc", [replace(2, 2, "x\n\n")]).text == "a\nx\n\nc"
    assert apply_replacements("a\nb\nc", [replace(2, 2, "x\r\ny")]).text == "a\nx\ny\nc"


@given(st.text(max_size=30), st.data())
def test_text_edits_in_any_order_equal_slices_from_the_end(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=8)))
    edits = [TextEdit(Span(a, b), data.draw(st.text(max_size=3))) for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    expected = text
    for edit in reversed(edits):
        expected = expected[: edit.span.start] + edit.replacement + expected[edit.span.end :]
    assert apply_edits(text, data.draw(st.permutations(edits))) == expected


def test_edits_that_overlap_or_leave_the_text_are_errors() -> None:
    with pytest.raises(ValueError, match="overlap"):
        apply_edits("abcd", [TextEdit(Span(0, 2), "x"), TextEdit(Span(1, 3), "y")])
    with pytest.raises(ValueError, match="beyond"):
        apply_edits("abcd", [TextEdit(Span(3, 5), "x")])
    with pytest.raises(ValueError, match="runs backwards"):
        Span(2, 1)
    assert apply_edits("ab", [TextEdit(Span(1, 1), "x"), TextEdit(Span(1, 1), "y")]) == "axyb"
