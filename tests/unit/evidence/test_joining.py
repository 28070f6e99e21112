from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kaozheng.documents.span import LineRange, Span
from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.evidence.joining import joined


def bundle(*texts: str, failures: tuple[str, ...] = (), target: str = "") -> EvidenceBundle:
    items = tuple(
        EvidenceItem(
            f"E{place}", "b", "d", "", (), LineRange(1, 1), Span(0, len(text)), text,
            score=place / 10, chunk=text, targets=(target,) if target else (),
        )
        for place, text in enumerate(dict.fromkeys(texts), start=1)
    )  # fmt: skip
    return EvidenceBundle(items, "ok" if items else "empty", failures)


def test_new_items_get_the_next_labels_and_known_ones_keep_theirs() -> None:
    both = joined(bundle("甲", "乙"), bundle("乙", "丙"))
    assert [(item.label, item.text) for item in both.items] == [("E1", "甲"), ("E2", "乙"), ("E3", "丙")]


def test_an_item_found_again_gains_target_and_score() -> None:
    both = joined(bundle("甲", target="A"), bundle("乙", "甲", target="B"))
    assert (both.items[0].targets, both.items[0].score) == (("A", "B"), 0.2)


def test_the_state_tells_of_failures_and_finds() -> None:
    assert joined(bundle(), bundle()).state == "empty"
    assert joined(bundle(), bundle(failures=("x",))).state == "error"
    assert joined(bundle("甲"), bundle(failures=("x",))).state == "partial"


@given(st.lists(st.lists(st.sampled_from("甲乙丙丁戊己庚"), max_size=4), max_size=5))
def test_a_label_once_given_leads_to_the_same_text_for_ever(rounds: list[list[str]]) -> None:
    known: dict[str, str] = {}
    whole = bundle()
    for texts in rounds:
        whole = joined(whole, bundle(*texts))
        now = {item.label: item.text for item in whole.items}
        assert known.items() <= now.items()
        assert len(set(now.values())) == len(now)
        known = now
