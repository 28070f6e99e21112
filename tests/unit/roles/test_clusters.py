"""Grouping by shared words: few texts are compared each with each, many by a sample of them."""

from __future__ import annotations

import pytest

from kaozheng.roles.outliner.clusters import clusters

TOPICS = (
    ["pump", "valve", "pressure", "water", "pipe"],
    ["invoice", "budget", "money", "tax", "audit"],
    ["teacher", "school", "pupil", "lesson", "exam"],
    ["truck", "road", "bridge", "driver", "fuel"],
)


def texts(number: int) -> list[list[str]]:
    """Four topics in turn; each text has four words of five of its topic and one of its own."""
    made = []
    for place in range(number):
        topic = TOPICS[place % 4]
        made.append([*(word for at, word in enumerate(topic) if at != place // 4 % 5), f"own{place}"])
    return made


@pytest.mark.parametrize("number", [40, 300, 301, 1500])
def test_what_shares_words_comes_together_and_nothing_is_lost(number: int) -> None:
    groups = clusters(texts(number), 4)
    assert sorted(place for places, _ in groups for place in places) == list(range(number))
    assert sorted(tuple({place % 4 for place in places}) for places, _ in groups) == [(0,), (1,), (2,), (3,)]
    for places, middle in groups:
        assert places == sorted(places)
        assert middle in places


def test_no_group_of_many_alike_texts_outgrows_twice_its_share() -> None:
    groups = clusters([["same", "words", f"own{place}"] for place in range(900)], 6)
    assert sum(len(places) for places, _ in groups) == 900
    assert max(len(places) for places, _ in groups) <= 2 * 150
