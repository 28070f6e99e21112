"""Two bundles of one answer as one, so that a label once given stays."""

from __future__ import annotations

from dataclasses import replace

from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem, State


def joined(first: EvidenceBundle, more: EvidenceBundle) -> EvidenceBundle:
    """The items of `first` under their labels, then what only `more` has under the next ones: each chunk once and each
    text once. An item found again gains the target and the better score."""
    kept = {item.label: item for item in first.items}
    known = {key: item.label for item in first.items for key in _keys(item)}
    following = 1 + max((int(label[1:]) for label in kept), default=0)
    for item in more.items:
        label = next((known[key] for key in _keys(item) if key in known), None)
        if label is None:
            label, following = f"E{following}", following + 1
            kept[label] = replace(item, label=label)
        else:
            old = kept[label]
            targets = tuple(dict.fromkeys((*old.targets, *item.targets)))
            kept[label] = replace(old, score=max(old.score, item.score), targets=targets)
        known.update((key, label) for key in _keys(item))
    failures = tuple(dict.fromkeys((*first.failures, *more.failures)))
    return EvidenceBundle(tuple(kept.values()), state_of(bool(kept), bool(failures)), failures)


def state_of(found: bool, failed: bool) -> State:
    """The state of a bundle in which something was found, and something failed, or not."""
    return ("partial" if failed else "ok") if found else ("error" if failed else "empty")


def _keys(item: EvidenceItem) -> tuple[str, str]:
    return f"chunk {item.chunk or item.label}", f"text {' '.join(item.text.split())}"
