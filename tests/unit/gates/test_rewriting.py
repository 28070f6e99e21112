from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kaozheng.documents.edits import TextEdit, apply_edits
from kaozheng.documents.span import Span
from kaozheng.gates.rewriting import Rewriting


@st.composite
def rewritten(draw: st.DrawFn) -> tuple[str, list[TextEdit]]:
    text = draw(st.text(alphabet="abcdef", min_size=1, max_size=30))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return text, [TextEdit(Span(*pair), draw(st.text(alphabet="XYZ", max_size=4))) for pair in pairs]


@given(rewritten())
def test_a_character_that_stayed_leads_back_to_itself(made: tuple[str, list[TextEdit]]) -> None:
    text, edits = made
    new = apply_edits(text, edits)
    for at, character in enumerate(new):
        origin = Rewriting(edits).origin(Span(at, at + 1))
        if character.islower():
            assert text[origin.start : origin.end] == character
        else:
            assert any(origin == edit.span for edit in edits)


def test_new_words_lead_back_to_the_place_that_they_were_put_at() -> None:
    rewriting = Rewriting([TextEdit(Span(2, 4), "与"), TextEdit(Span(6, 6), "提示存在关联")])
    assert rewriting.origin(Span(2, 3)) == Span(2, 4)
    assert rewriting.origin(Span(5, 8)) == Span(6, 6)
