"""Proposals that are tried together end as they would one by one."""

from __future__ import annotations

from kaozheng.documents.document import Document
from kaozheng.documents.edits import LineReplacement
from kaozheng.documents.span import LineRange
from kaozheng.rules.book import load_book
from kaozheng.rules.engine import inspect
from kaozheng.workflows.review.accept import Accepted, Proposal, accept

BOOK = load_book("zh-tech")
RULE = next(rule for rule in BOOK.rules if rule.check == "han-latin-space")
FAULTY = {4: "改成使用 Git 的第4项", 11: "完全不同，第 99 项", 17: "0035: 使用 Git 的第 17 项。"}


def draft(items: int) -> str:
    return "\n\n".join(f"使用Git 的第 {number} 项。" for number in range(items)) + "\n"


def proposals(text: str, items: int) -> list[Proposal]:
    """A good replacement an item, but for those in FAULTY: a new fault, a lost number, a line number."""
    found = [one for one in inspect(Document(text), [RULE], "zh")]
    made = []
    for number in range(items):
        line = 2 * number + 1
        content = FAULTY.get(number, f"使用 Git 的第 {number} 项。")
        own = tuple(one for one in found if one.lines.start == line)
        replacement = LineReplacement(line, line, content, "", RULE.number)
        made.append(Proposal(replacement, own, (LineRange(line, line),), "model"))
    return made


def verdicts(accepted: Accepted) -> dict[int, tuple[bool, str]]:
    return {one.replacement.start: (one.accepted, one.why) for one in accepted.verdicts}


def test_good_ones_land_and_bad_ones_are_refused_for_their_own_reason() -> None:
    text = draft(24)
    given = proposals(text, 24)
    together = accept(text, given, BOOK.rules, "zh")
    alone, told = text, {}
    for proposal in reversed(given):  # the order in which they are tried: from the bottom up
        one = accept(alone, [proposal], BOOK.rules, "zh")
        alone, told = one.text, told | verdicts(one)
    assert together.text == alone
    assert verdicts(together) == told
    assert sum(landed for landed, _ in told.values()) >= 21
    assert not told[2 * 11 + 1][0]
    assert not told[2 * 17 + 1][0]


def test_of_two_that_overlap_the_lower_one_lands() -> None:
    text = draft(6)
    given = proposals(text, 6)
    second = Proposal(
        LineReplacement(1, 3, "使用 Git 的第 0 项。\n\n使用 Git 的第 1 项。", "", RULE.number),
        given[0].violations + given[1].violations,
        (LineRange(1, 3),),
        "model",
    )
    done = accept(text, [second, *given[1:]], BOOK.rules, "zh")
    assert {one.replacement.start: one.accepted for one in done.verdicts} == {1: False, 3: True, 5: True, 7: True} | {
        9: True,
        11: True,
    }
    assert next(one.why for one in done.verdicts if not one.accepted).startswith(
        "overlaps the replacement of lines 3-3"
    )
