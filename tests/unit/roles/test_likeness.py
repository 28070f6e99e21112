"""How alike statements are to those around them."""

from __future__ import annotations

import pytest

from kaozheng.roles.block_summarizer.offline.likeness import Likeness


def test_what_goes_on_with_the_subject_is_like_the_one_before_in_its_paragraph_only() -> None:
    texts = ["The reservoir wall has three cracks.", "The cracks in the reservoir wall are sealed.", "Tea was served."]
    like, unlike = Likeness(texts).to_previous([0, 0, 0])[1:]
    assert 0 < like <= 1
    assert unlike == 0
    assert Likeness(texts).to_previous([0, 1, 1]).tolist() == pytest.approx([0, 0, 0])


def test_nothing_is_like_what_has_no_words() -> None:
    assert Likeness(["……", "！"]).to_previous([0, 0]).tolist() == [0, 0]
    assert Likeness([]).to_previous([]).tolist() == []
