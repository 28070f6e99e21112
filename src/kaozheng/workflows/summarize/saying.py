"""What a passage says so that it can be said elsewhere: rows with their columns, denied statements with what denies."""

from __future__ import annotations

import re

from kaozheng.evidence.across_languages import carried_across, is_translated
from kaozheng.evidence.covering import Covering
from kaozheng.evidence.denying_headings import denying_heading
from kaozheng.evidence.evidence import Evidence
from kaozheng.evidence.row_told import rows_told
from kaozheng.evidence.sentence import Sentence
from kaozheng.sources.material import Material
from kaozheng.sources.passage import Passage


def for_extracting(passage: Passage, language: str) -> list[Sentence]:
    """The passage for code that takes sentences out of it: a table row by row."""
    rows = rows_told(passage, language)
    return [Sentence(row.text, (passage.id,)) for row in rows] or [Sentence(passage.text, (passage.id,))]


def for_reading(passage: Passage) -> Sentence:
    """The passage for a model, which sees no headings: behind the one that denies what stands there."""
    heading = denying_heading(passage)
    return Sentence(f"({heading}) {passage.text}" if heading else passage.text, (passage.id,))


def carried(sentence: Sentence, covering: Covering, material: Material) -> list[Evidence]:
    """The quotes that carry a sentence; none when nothing does."""
    named = [material.passage(id) for id in sentence.passages]
    for passage in named:
        for row in rows_told(passage, material.language):
            if _letters(row.text) == _letters(sentence.text):
                return [Evidence.cut(passage, span) for span in (row.row, row.head)]
    if named and is_translated(sentence.text, named):
        return carried_across(sentence.text, named)
    return covering.of(sentence.text, sentence.passages)


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)
