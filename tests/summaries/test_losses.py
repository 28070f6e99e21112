"""What a lossy summariser drops comes back: on the documents that the weights were chosen on."""

from __future__ import annotations

import pytest
from bench.key_facts import annotated
from bench.losses import BOUND, PLACES, lossy

DOCUMENTS = annotated("own")


@pytest.mark.parametrize("place", ["sections", "blocks and sections"])
def test_most_of_what_was_dropped_comes_back_at_a_bounded_length(place: str) -> None:
    counts = [lossy(one, 1 / 2, *PLACES[place]) for one in DOCUMENTS]
    assert len(counts) == 10
    dropped, back = sum(one.dropped for one in counts), sum(one.back for one in counts)
    assert dropped > 40, "the summariser does lose"
    assert back >= BOUND * dropped
    assert all(one.after <= 0.31 * one.text for one in counts)
