"""What is remembered of a session by rule."""

import json

from kaozheng.sessions import Interaction, Memory, remembered


def test_the_latest_subject_comes_first_and_stands_once():
    memory = remembered(remembered(Memory(), "甲的产值是多少？", ["甲"]), "乙呢？", ["乙", " 甲 ", ""])
    assert memory.subjects == ("乙", "甲")
    assert memory.asked == ("甲的产值是多少？", "乙呢？")
    assert memory.turns == 2


def test_it_stays_short_however_long_the_session_is():
    memory = Memory(summary="用户在比较县域。")
    for number in range(100):
        memory = remembered(memory, f"第 {number} 问 " + "长" * 500, [f"对象{number}"])
    assert len(str(memory.as_dict())) < 2_000
    assert memory.summary == "用户在比较县域。"
    assert memory.asked[-1].startswith("第 99 问")
    assert memory.turns == 100


def test_it_comes_back_from_json():
    memory = Memory("总结", ("甲",), ("问",), 3)
    assert Memory.from_dict(json.loads(json.dumps(memory.as_dict()))) == memory
    assert not Memory.from_dict({})


def test_the_record_of_a_secret_question_has_no_words_of_it():
    said = Interaction(
        *("i_1", "", "2026-11-30T12:00:00.000+00:00", "answered", "s_1", "", "机密问题", "机密答案"),
        task={"kind": "qa", "goal": "机密目标"},
        evidence={"state": "ok", "items": [{"text": "机密原文"}]},
        citations=({"quote": "机密引文"},),
        grounding={"codes": ["citation_coverage"], "sentences": [{"text": "机密句"}]},
        error="ModelError: 机密错误",
        usage={"calls": 2},
    ).withheld()
    assert "机密" not in str(said)
    assert said.usage == {"calls": 2}
    assert said.evidence["state"] == "ok"
    assert said.grounding == {"codes": ["citation_coverage"]}
