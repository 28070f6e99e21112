"""The A2UI messages of an answer fit the schema that is shipped, and hold no more than it allows."""

from __future__ import annotations

import json
from importlib import resources

import pytest
from pydantic import ValidationError

from kaozheng.workflows.ask.a2ui import A2uiMessage, messages_of, schema
from kaozheng.workflows.ask.result import AskResult

ENTRY = {"label": "E1", "document": "手册.md", "title": "手册", "path": ["参数"], "lines": [3, 5], "place": "第 2 页"}
RESULT = AskResult("answered", "保修 24 个月。[E1]", citations=[ENTRY], follow_ups=["“安装”的具体内容是什么？"])


def components(messages):
    return {one["id"]: one["component"] for one in messages[0]["surfaceUpdate"]["components"]}


def test_the_shipped_schema_is_that_of_the_models():
    file = resources.files("kaozheng.workflows.ask").joinpath("a2ui.schema.json")
    assert json.loads(file.read_text(encoding="utf-8")) == schema()


def test_every_message_fits_and_every_id_leads_somewhere():
    messages = messages_of(RESULT, "zh")
    for message in messages:
        A2uiMessage.model_validate_json(json.dumps(message, ensure_ascii=False))
    known = components(messages)
    assert messages[-1] == {"beginRendering": {"surfaceId": "answer", "root": "answer_card"}}
    children = known["answer_column"]["Column"]["children"]["explicitList"]
    named = [*children, known["answer_card"]["Card"]["child"]]
    named += [one["Button"]["child"] for one in known.values() if "Button" in one]
    assert set(named) <= known.keys()
    assert len(known) == len(messages[0]["surfaceUpdate"]["components"])


def test_a_source_opens_and_a_question_asks():
    known = components(messages_of(RESULT, "zh"))
    opens = known["source_0"]["Button"]["action"]
    assert (opens["name"], opens["context"][0]["value"]["literalString"]) == ("open_source", "E1")
    asks = known["more_0"]["Button"]["action"]
    assert (asks["name"], asks["context"][0]["value"]["literalString"]) == ("ask", RESULT.follow_ups[0])
    assert "第 2 页" in known["source_0_text"]["Text"]["text"]["literalString"]


def test_a_refusal_is_a_card_with_its_text_alone():
    known = components(messages_of(AskResult("refused", "很抱歉。"), "zh"))
    assert set(known) == {"answer_card", "answer_column", "answer_text"}


@pytest.mark.parametrize(
    "message",
    [
        {"surfaceUpdate": {"surfaceId": "other", "components": []}},
        {"surfaceUpdate": {"surfaceId": "answer", "components": [{"id": "x", "component": {"Script": {}}}]}},
        {"beginRendering": {"surfaceId": "answer"}},
    ],
)
def test_what_is_not_in_the_catalogue_does_not_fit(message):
    with pytest.raises(ValidationError):
        A2uiMessage.model_validate(message)
