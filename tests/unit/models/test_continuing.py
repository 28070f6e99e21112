from __future__ import annotations

import random
from pathlib import Path

import pytest

from kaozheng.errors import BudgetReachedError
from kaozheng.models import Call, Completion, Delta, Finish, Message, Usage
from kaozheng.models.budget import Budget, Budgeted
from kaozheng.models.continuing import Continuing
from kaozheng.models.joint import MOST_OVERLAP, joined, open_fence
from kaozheng.models.ledger import Ledgered
from kaozheng.testing.memory import MemoryLedger
from kaozheng.testing.scripted_model import ScriptedModel

TEXTS = Path(__file__).parent / "joint_texts"
CALL = Call("writer", "section/1", (Message("user", "write"),))


def part(text: str, finish: Finish = Finish.LENGTH, reasoning: str = "") -> Completion:
    return Completion(text, finish, Usage(10, 5, calls=1), "scripted", reasoning)


def texts(kind: str) -> list[str]:
    """Texts of examples/, docs/ and, for code, this package, as they once were: the same cuts in every test run."""
    return (TEXTS / f"{kind}.txt").read_text(encoding="utf-8").split("\f\n")


def cases(kind: str, count: int):
    draw = random.Random(f"joint {kind}")
    pool = texts(kind)
    for _ in range(count):
        text = draw.choice(pool)
        start = draw.randrange(max(1, len(text) - 2000))
        text = text if kind == "tables" else text[start : start + 2000]
        yield text, draw.randrange(20, len(text)), draw.randint(0, 50)


@pytest.mark.parametrize("kind", ["zh", "en", "code", "tables"])
async def test_fifty_texts_cut_anywhere_and_continued_with_any_overlap_are_exact(kind):
    wrong = []
    for text, cut, overlap in cases(kind, 50):
        model = ScriptedModel([part(text[:cut]), part(text[max(0, cut - overlap) :], Finish.STOP)])
        answer = await Continuing(model).complete(CALL)
        if answer.text != text:
            wrong.append((overlap, text[cut - 30 : cut], text[cut : cut + 30], answer.text[cut : cut + 30]))
    assert wrong == []


async def test_more_than_one_part_is_joined_usage_summed_and_the_last_finish_counts():
    model = ScriptedModel([part("第一句话说完了。第二"), part("第二句话也说"), part("完了。", Finish.FILTER)])
    answer = await Continuing(model).complete(CALL)
    assert answer.text == "第一句话说完了。第二句话也说完了。"
    assert answer.finish is Finish.FILTER
    assert answer.usage == Usage(30, 15, calls=3)
    assert [one.purpose for one in model.calls] == ["section/1", "section/1/more2", "section/1/more3"]


async def test_the_model_sees_what_came_and_is_asked_in_its_language():
    model = ScriptedModel([part("系统每天"), part("备份。", Finish.STOP)])
    await Continuing(model).complete(CALL)
    assert model.calls[1].messages[:2] == (Message("user", "write"), Message("assistant", "系统每天"))
    assert "接着写" in model.calls[1].messages[2].content
    model = ScriptedModel([part("Every day the "), part("copy is made.", Finish.STOP)])
    await Continuing(model).complete(CALL)
    assert "Go on exactly" in model.calls[1].messages[2].content


async def test_it_is_asked_on_five_times_at_most():
    model = ScriptedModel([part(f"This is line {number} of it.\n") for number in range(9)])
    answer = await Continuing(model).complete(CALL)
    assert (len(model.calls), answer.finish) == (6, Finish.LENGTH)


@pytest.mark.parametrize("more", ["", "sentence ends here"])
async def test_a_part_that_adds_nothing_ends_it(more):
    model = ScriptedModel([part("This sentence ends here"), part(more)])
    answer = await Continuing(model).complete(CALL)
    assert (answer.text, answer.finish, len(model.calls)) == ("This sentence ends here", Finish.LENGTH, 2)


@pytest.mark.parametrize("text", ["", "<think>I wonder whether", "<think>all of it</think>\n\n"])
async def test_where_only_reasoning_came_there_is_nothing_to_go_on_with(text):
    model = ScriptedModel([part(text, reasoning="hm")])
    assert (await Continuing(model).complete(CALL)).finish is Finish.LENGTH


async def test_an_object_is_not_asked_on():
    model = ScriptedModel([part('{"a": ')])
    answer = await Continuing(model).complete(Call("r", "p", (), schema={"type": "object"}))
    assert (answer.text, len(model.calls)) == ('{"a": ', 1)


async def test_thinking_before_the_continuation_is_no_text():
    model = ScriptedModel([part("<think>a</think>\n\nThe first "), part("<think>b</think>\n\nhalf.", Finish.STOP)])
    assert (await Continuing(model).complete(CALL)).text == "<think>a</think>\n\nThe first half."


async def test_the_listener_hears_each_character_once():
    heard: list[Delta] = []
    model = ScriptedModel([part("The copy is made ev"), part("is made every day.", Finish.STOP)])
    answer = await Continuing(model).complete(CALL, heard.append)
    assert "".join(delta.text for delta in heard) == answer.text == "The copy is made every day."


async def test_a_resumed_run_takes_the_parts_from_the_ledger_and_a_budget_ends_the_asking_on():
    ledger = MemoryLedger()
    first = Continuing(Ledgered(Budgeted(ScriptedModel([part("One and ")]), Budget(calls=1)), ledger, "run"))
    with pytest.raises(BudgetReachedError):
        await first.complete(CALL)
    rest = ScriptedModel([part("two.", Finish.STOP)])
    assert (await Continuing(Ledgered(rest, ledger, "run")).complete(CALL)).text == "One and two."
    assert len(rest.calls) == 1


CODE = "Run it:\n\n```python\nfor name in names:\n    print(name)\n"


@pytest.mark.parametrize(
    ("before", "more", "whole"),
    [
        (CODE, "```python\n    close(name)\n```\n", CODE + "    close(name)\n```\n"),
        (CODE, "\n```python\n    close(name)\n```\n", CODE + "    close(name)\n```\n"),
        (CODE, "```python\n    print(name)\n    close(name)\n```\n", CODE + "    close(name)\n```\n"),
        (CODE + "    clo", "```python\n    close(name)\n```\n", CODE + "    close(name)\n```\n"),
        (CODE, "```\n    close(name)\n```\n", CODE + "    close(name)\n```\n"),
        (CODE, "```\n\nThen look.\n", CODE + "```\n\nThen look.\n"),
        (CODE, "```\n\n```python\nlook()\n```\n", CODE + "```\n\n```python\nlook()\n```\n"),
        ("Look:\n\n", "```sh\nls\n```\n", "Look:\n\n```sh\nls\n```\n"),
    ],
    ids=["reopened", "blank-first", "line-again", "half-line", "bare", "closed", "closed-then-new", "opened"],
)
def test_a_fence_that_is_opened_again_is_recognised(before, more, whole):
    assert joined(before, more) == whole


@pytest.mark.parametrize(
    ("before", "more", "whole"),
    [
        ("| a | b |\n|---|", "---|\n| 1 | 2 |\n", "| a | b |\n|---|---|\n| 1 | 2 |\n"),
        ("| a | b |\n|---|", "|---|\n| 1 | 2 |\n", "| a | b |\n|---|---|\n| 1 | 2 |\n"),
        ("a\n\n1. one\n2. two\n3. th", "1. one\n2. two\n3. three\n", "a\n\n1. one\n2. two\n3. three\n"),
        ("好的，好的，", "好的，我们开始。", "好的，好的，我们开始。"),
    ],
)
def test_tables_lists_and_words_that_repeat(before, more, whole):
    assert joined(before, more) == whole


def test_an_answer_that_starts_over_replaces_what_came():
    before = "# Title\n\nThe first paragraph is long enough to be known again.\n\nThe sec"
    assert joined(before, before + "ond one.") == before + "ond one."


def test_a_repetition_longer_than_any_overlap_is_text():
    verse = "".join(f"{number} green bottles hang on the wall. " for number in range(30))
    assert len(verse) > MOST_OVERLAP
    assert joined("Sing. " + verse, verse) == "Sing. " + verse * 2


def test_the_open_fence_is_found():
    assert open_fence("```\na\n```\n~~~~ py\n```\n~~~\n") == ("~~~~", "py")
    assert open_fence("```\na\n```\n") is None
