"""Footnote marks behind a stop belong to the sentence before them, also when blanks stand between."""

from __future__ import annotations

import pytest

from kaozheng.documents.sentences import split


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Done.[^1] [^2] Next one.", ["Done.[^1] [^2]", "Next one."]),
        ("做完了。[^1] [^2]下一句。", ["做完了。[^1] [^2]", "下一句。"]),
        ("Done. [^1] Next one.", ["Done. [^1]", "Next one."]),
        ("Done.\n\n[^1]: a note.", ["Done.", "[^1]: a note."]),
    ],
)
def test_marks_stay_with_their_sentence(text: str, sentences: list[str]) -> None:
    assert [text[span.start : span.end] for span in split(text)] == sentences
