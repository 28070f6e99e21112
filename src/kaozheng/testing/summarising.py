"""How the actor plays the roles of a summary: it copies sentences of the evidence up to the limit that it is told,
groups memories in their order, and puts back what was lost word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from kaozheng.documents.sentences import split
from kaozheng.documents.tokens import estimate_tokens

_LIMIT = re.compile(r"不超过 (\d+) 字|[Aa]t most (\d+) words")
_TOKENS_A_HAN, _TOKENS_A_WORD = 0.85, 1.5
_ITEM = re.compile(r"^\[E(\d+)\] (.*?)(?=\n\n\[E\d+\] |\n</evidence>)", re.MULTILINE | re.DOTALL)
_MEMORY = re.compile(r"^(M\d+\.\d+) \| ([^|]*) \| (.*)$", re.MULTILINE)
_NUMBER = re.compile(r"分为 (?:恰好 (\d+)|(\d+) 到 (\d+)) 章|sections is (?:exactly (\d+)|(\d+) to (\d+))")
_FIGURE = re.compile(r"\d")
_FIRST_WORDS = re.compile(r"[^，。；：、,.;:!?！？（(]{2,24}")
_MOST_FACTS = 4


def is_condensing(system: str) -> bool:
    """Whether the system message asks for a summary: of a block, of memories, or for a section of one."""
    return _LIMIT.search(system) is not None and ("摘要" in system or "summar" in system)


def condensed(system: str, prompt: str) -> str:
    """The first sentence of each piece of evidence, then the second ones, as many as fit, in their order; then, when
    they are asked for, facts: sentences with figures."""
    room = limit_tokens(system)
    items = evidence_of(prompt)
    chosen: dict[tuple[int, int], str] = {}
    for turn in zip_longest(*(list(enumerate(said)) for said in items.values())):
        for label, one in zip(items, turn, strict=True):
            if one is not None and (cost := estimate_tokens(one[1])) <= room:
                chosen[label, one[0]] = one[1]
                room -= cost
    if not chosen:
        label, text = min(
            ((label, text) for label, said in items.items() for text in said), key=lambda one: len(one[1])
        )
        chosen[label, 0] = text
    told = "".join(f"{chosen[place]}[E{place[0]}]\n" for place in sorted(chosen))
    return told + _facts(system, items)


def limit_tokens(system: str) -> int:
    """The limit that a message tells, in tokens."""
    found = _LIMIT.search(system)
    if found is None:
        return 0
    return int(int(found[1]) * _TOKENS_A_HAN) if found[1] else int(int(found[2]) * _TOKENS_A_WORD)


def evidence_of(prompt: str) -> dict[int, list[str]]:
    """The sentences of each piece of evidence in a message, by the number of its label."""
    return {int(label): list(_sentences(text)) for label, text in _ITEM.findall(prompt)}


def planned(prompt: str) -> dict[str, Any]:
    """As many sections as asked for, neighbouring memories together, each named by its heading or first words."""
    memories = _MEMORY.findall(prompt)
    asked = _NUMBER.search(prompt)
    numbers = [int(number) for number in asked.groups() if number] if asked else []
    count = max(1, min(len(memories), numbers[0] if numbers else 3))
    size = -(-len(memories) // count)
    parts = [memories[start : start + size] for start in range(0, len(memories), size)]
    sections = [
        {"title": _title(part[0]), "brief": "", "memories": [name for name, _, _ in part], "subsections": []}
        for part in parts
    ]
    return {"title": sections[0]["title"], "sections": sections}


def restored(prompt: str) -> dict[str, Any]:
    """Each lost sentence as it stands in the source, behind the last sentence of the draft."""
    last = len(re.findall(r"^\d+\. ", prompt.partition("</draft>")[0], re.MULTILINE))
    lost = {label: " ".join(said) for label, said in evidence_of(prompt).items()}
    return {
        "insertions": [
            {"after": last, "sentence": text, "restores": [f"E{label}"]} for label, text in lost.items() if text
        ]
    }


def _sentences(text: str) -> Iterator[str]:
    for span in split(text):
        said = " ".join(text[span.start : span.end].split()).lstrip("#>-*+ ")
        if said and not said.startswith(("|", "`", "~~~")):
            yield said


def _facts(system: str, items: dict[int, list[str]]) -> str:
    head = next((head for head in ("关键事实：", "KEY FACTS:") if head in system), "")
    facts = [one for said in items.values() for one in said if _FIGURE.search(one)][:_MOST_FACTS]
    return "\n".join((f"\n{head}", *facts)) if head and facts else ""


def _title(memory: tuple[str, str, str]) -> str:
    _, path, text = memory
    above = path.split(" > ")[-1].strip()
    first = _FIRST_WORDS.search(text)
    return above or (first[0].strip() if first else text[:12])
