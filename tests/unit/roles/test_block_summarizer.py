from __future__ import annotations

import pytest

from kaozheng.documents.sentences import split
from kaozheng.errors import BudgetReachedError, ModelUnavailableError, ShapeError, UnknownModelError
from kaozheng.evidence.sentence import Sentence
from kaozheng.models.messages import Call
from kaozheng.roles.block_summarizer import Condensed, Condensing, summarize_block
from kaozheng.roles.block_summarizer.facts import located, parted
from kaozheng.roles.block_summarizer.offline import extract
from kaozheng.roles.brevity import tokens_of, told_limit
from kaozheng.testing.scripted_model import Line, ScriptedModel

from .misbehaving import EVIDENCE, UNUSABLE, cut

TASK = Condensing("block/0/12", EVIDENCE, ("项目", "验收"), 60, "zh")
GOOD = "方案预算为 1.2 亿元。[E2]评审组未通过验收，要求 4 月底前重报。[E3][E1]"


async def test_without_a_model_it_is_sentences_of_the_block() -> None:
    answer = await summarize_block(None, TASK)
    assert answer.by == "offline"
    assert answer.value.sentences
    assert tokens_of(answer.value.sentences) <= 60
    whole = {item.text[span.start : span.end] for item in EVIDENCE for span in split(item.text)}
    assert {one.text for one in answer.value.sentences} <= whole
    assert (answer.value.facts, answer.value.compressed, answer.value.cut) == ((), False, False)


async def test_the_twin_repeats_no_order_to_whoever_summarises() -> None:
    answer = await summarize_block(None, Condensing("block/0/1", EVIDENCE, (), 500, "zh"))
    assert answer.value.sentences
    assert not any("劫持" in one.text for one in answer.value.sentences)


async def test_an_order_takes_no_room_in_the_twin_s_summary() -> None:
    answer = await summarize_block(None, Condensing("block/0/1", EVIDENCE, (), 20, "zh"))
    assert len(answer.value.sentences) == 1


async def test_the_model_s_sentences_come_back_with_the_passages_of_their_labels() -> None:
    model = ScriptedModel([GOOD])
    answer = await summarize_block(model, TASK)
    assert (answer.by, answer.model, len(model.calls)) == ("model", "scripted", 1)
    assert answer.value.sentences == (
        Sentence("方案预算为 1.2 亿元。", ("S1:2",)),
        Sentence("评审组未通过验收，要求 4 月底前重报。", ("S1:3", "S1:1")),
    )


async def test_the_call_says_what_is_wanted() -> None:
    model = ScriptedModel([GOOD])
    await summarize_block(model, Condensing("block/0/12", EVIDENCE, ("项目", "验收"), 60, "zh", focus="预算"))
    call = model.calls[0]
    assert (call.role, call.purpose, call.temperature, call.weight) == ("block_summarizer", "block/0/12", 0.0, "light")
    for told in ("不超过 70 字", "项目 > 验收", "读者最关心：预算", "[E2] 方案预算为 1.2 亿元", "关键事实："):
        assert told in call.prompt()


async def test_memories_of_a_level_below_are_condensed_without_facts() -> None:
    model = ScriptedModel([GOOD])
    await summarize_block(model, Condensing("block/1/0", EVIDENCE, (), 60, "zh", level=1))
    assert "关键事实" not in model.calls[0].prompt()


async def test_english_is_told_in_words() -> None:
    text = "The board met on 5 March and rejected the plan of 1.2 million pounds, which is due again in April."
    task = Condensing("block/0/1", (Sentence(text, ("S1:1",)),), (), 24, "en")
    model = ScriptedModel(
        ["The board rejected the plan of 1.2 million pounds.[E1]\n\nKEY FACTS:\n- due again in April"]
    )
    answer = await summarize_block(model, task)
    assert "at most 20 words" in model.calls[0].prompt()
    assert answer.value == Condensed(
        (Sentence("The board rejected the plan of 1.2 million pounds.", ("S1:1",)),), ("due again in April",)
    )


@pytest.mark.parametrize("fault", UNUSABLE)
async def test_a_reply_that_is_no_summary_is_sent_back_and_then_written_by_the_twin(fault: str) -> None:
    model = ScriptedModel([UNUSABLE[fault]] * 3)
    answer = await summarize_block(model, TASK)
    assert (answer.by, len(model.calls)) == ("fallback", 3)
    assert answer.value == (await summarize_block(None, TASK)).value
    assert answer.reason


@pytest.mark.parametrize("fault", UNUSABLE)
async def test_a_model_that_betters_itself_is_heard(fault: str) -> None:
    model = ScriptedModel([UNUSABLE[fault], GOOD])
    answer = await summarize_block(model, TASK)
    assert (answer.by, answer.value.sentences[0].text) == ("model", "方案预算为 1.2 亿元。")
    assert model.calls[1].purpose == "block/0/12/try2"


async def test_our_own_message_said_again_is_no_summary() -> None:
    model = ScriptedModel(lambda call: call.messages[0].content)
    assert (await summarize_block(model, TASK)).by == "fallback"


async def test_evidence_said_again_is_held_to_the_limit() -> None:
    def echo(call: Call) -> Line:
        return call.messages[1].content.split("<evidence>\n")[1].split("\n</evidence>")[0]

    answer = await summarize_block(ScriptedModel(echo), TASK)
    assert (answer.by, answer.value.cut) == ("model", True)
    assert 0 < tokens_of(answer.value.sentences) <= 60
    assert all(one.passages and "劫持" not in one.text for one in answer.value.sentences)


@pytest.mark.parametrize("line", [cut("方案预算为"), ModelUnavailableError("time-out"), BudgetReachedError("used")])
async def test_an_answer_that_does_not_come_is_the_twin_s(line: Line) -> None:
    answer = await summarize_block(ScriptedModel([line]), TASK)
    assert (answer.by, answer.out_of_budget) == ("fallback", isinstance(line, BudgetReachedError))
    assert answer.value.sentences


async def test_a_refused_key_is_raised() -> None:
    with pytest.raises(UnknownModelError):
        await summarize_block(ScriptedModel([UnknownModelError("gpt-x")]), TASK)


TIGHT = Condensing("block/0/12", EVIDENCE, ("项目", "验收"), 40, "zh")
LONG = (
    "方案预算为 1.2 亿元，设备采购占 60%。[E2]评审会由王敏主持并回顾去年工作。[E1]"
    "评审组认为方案不成熟，未通过验收。[E3]要求项目组 4 月底前重报。[E3]"
)


async def test_what_is_too_long_is_sent_back_alone_and_keeps_its_passages() -> None:
    model = ScriptedModel([f"{LONG}\n关键事实：\n未通过验收", "预算 1.2 亿元，方案未通过验收。[E1][E3]"])
    answer = await summarize_block(model, TIGHT)
    again = model.calls[1]
    assert again.purpose == "block/0/12/again"
    assert "其余用于安装和培训" not in again.prompt()
    assert "[E3] 评审组认为方案不成熟，未通过验收。" in again.prompt()
    assert answer.value == Condensed(
        (Sentence("预算 1.2 亿元，方案未通过验收。", ("S1:2", "S1:3")),), ("未通过验收",), compressed=True
    )


@pytest.mark.parametrize(
    "second",
    ["", "抱歉，我无法继续。", LONG, f"{LONG}另外还谈了别的事情若干。", cut("预算"), ModelUnavailableError("x")],
)
async def test_what_still_is_too_long_loses_whole_sentences(second: Line) -> None:
    answer = await summarize_block(ScriptedModel([LONG, second]), TIGHT)
    assert (answer.by, answer.value.compressed, answer.value.cut) == ("model", False, True)
    assert 0 < tokens_of(answer.value.sentences) <= 40
    assert all(one.text in LONG and one.text.endswith("。") for one in answer.value.sentences)


async def test_a_summary_is_no_longer_than_its_source() -> None:
    evidence = (Sentence("预算 9 万元。", ("S1:1",)), Sentence("未通过。", ("S1:2",)))
    reply = "预算一共为 9 万元整，并没有通过评审。[E1]方案因此需要在以后重新进行提交。[E2]"
    answer = await summarize_block(ScriptedModel([reply] * 2), Condensing("block/0/1", evidence, (), 400, "zh"))
    assert answer.value.cut
    assert len(answer.value.sentences) == 1


async def test_one_sentence_above_the_limit_stays_whole() -> None:
    reply = "评审组认为方案不成熟，未通过验收，要求项目组 4 月底前重报，预算为 1.2 亿元。[E3]"
    answer = await summarize_block(ScriptedModel([reply, reply]), Condensing("block/0/1", EVIDENCE, (), 20, "zh"))
    assert [one.text for one in answer.value.sentences] == [reply[:-4]]
    assert not answer.value.cut


@pytest.mark.parametrize("evidence", [(), (Sentence("```python\nx = 1\n```", ("S1:1",)),)])
async def test_a_block_without_a_sentence_is_an_error(evidence: tuple[Sentence, ...]) -> None:
    with pytest.raises(ShapeError):
        await summarize_block(None, Condensing("block/0/3", evidence, (), 60, "zh"))
    with pytest.raises(
        ShapeError, match=r"^(?:there is nothing to condense|nothing in the text is a sentence \(no usable answer.*)$"
    ):
        await summarize_block(ScriptedModel([""] * 3), Condensing("block/0/3", evidence, (), 60, "zh"))


FACTS = {
    "plain": "关键事实：\n未通过验收\n预算为 1.2 亿元",
    "numbered and bulleted": "关键事实：\n1. 未通过验收\n- 预算为 1.2 亿元",
    "bold head": "**关键事实：**\n\n（1）未通过验收。\n• 预算为1.2亿元",
    "heading": "## 关键事实\n1、未通过验收[E3]\n2、【E2】预算为 1.2 亿元",
    "in one line": "关键事实：未通过验收；预算为 1.2 亿元",
    "bracketed": "【关键事实】：\n① 未通过验收\n② “预算为 1.2 亿元”",
    "english": "KEY FACTS:\n- 未通过验收\n- 预算为 1.2 亿元",
    "english bold": "**Key facts**\n* **未通过验收**\n* 预算为 1.2 亿元",
}


@pytest.mark.parametrize("form", FACTS)
def test_facts_are_found_in_any_form_of_list(form: str) -> None:
    summary, lines = parted(f"评审未通过。[E3]\n\n{FACTS[form]}\n")
    assert summary == "评审未通过。[E3]"
    assert [fact.strip("。“”") for fact in located(lines, EVIDENCE)] == ["未通过验收", "预算为 1.2 亿元"]


def test_facts_that_the_evidence_does_not_have_are_none() -> None:
    lines = ["通过了验收", "预算为 1.3 亿元", "无", "2", "预算为 1.2 亿元", "预算为 1.2 亿元"]
    assert located(lines, EVIDENCE) == ("预算为 1.2 亿元",)


def test_a_sentence_about_key_facts_is_no_head() -> None:
    assert parted("关键事实是预算超支。[E1]") == ("关键事实是预算超支。[E1]", ())


@pytest.mark.parametrize(
    ("tokens", "language", "units"), [(85, "zh", 100), (600, "zh", 700), (150, "en", 100), (1, "zh", 20)]
)
def test_limits_are_told_in_the_measure_of_the_language(tokens: int, language: str, units: int) -> None:
    assert told_limit(tokens, language) == units


def test_the_engine_is_where_the_twins_look_for_it() -> None:
    assert extract(EVIDENCE, 60, "zh")[0].passages


@pytest.mark.parametrize("text", ["Hello.", "No.", "一句话。", "床前明月光", "What now?"])
async def test_a_text_without_a_sentence_that_stands_by_itself_is_its_own_summary(text: str) -> None:
    task = Condensing("block/0/0", (Sentence(text, ("S1:1",)),), (), 50, "zh", whole=True)
    assert (await summarize_block(None, task)).value.sentences == (Sentence(text, ("S1:1",)),)


async def test_the_words_of_such_a_text_hold_the_limit() -> None:
    evidence = tuple(Sentence("Hello.", (f"S1:{at}",)) for at in range(1, 90))
    task = Condensing("block/0/0", evidence, (), 20, "en", whole=True)
    assert 1 <= len((await summarize_block(None, task)).value.sentences) <= 10


@pytest.mark.parametrize(
    ("text", "whole"), [("Hello.", False), ("```\nx = 1\n```", True), ("print(x)", True), ("1 2 3", True)]
)
async def test_code_alone_and_an_empty_part_have_no_sentence_and_say_so_without_keys(text: str, whole: bool) -> None:
    task = Condensing("block/0/3", (Sentence(text, ("S1:1",)),), (), 50, "en", whole=whole)
    with pytest.raises(ShapeError) as told:
        await summarize_block(None, task)
    assert "block/0/3" not in str(told.value)
