from __future__ import annotations

from typing import Literal

import pytest
from pydantic import BaseModel, Field

from kaozheng.errors import (
    BudgetReachedError,
    CredentialsError,
    CutAnswerError,
    ModelUnavailableError,
    ShapeError,
    UnknownModelError,
)
from kaozheng.models import Call, Completion, Finish, Message, Usage
from kaozheng.models.answer import Answer, object_or, text_or
from kaozheng.models.sketch import sketch
from kaozheng.models.structured import TOO_LONG, ask_object, ask_text
from kaozheng.testing.scripted_model import ScriptedModel


class Part(BaseModel):
    heading: str
    weight: int = Field(ge=1, le=5, description="how much of the text")


class Outline(BaseModel):
    title: str
    parts: list[Part] = Field(min_length=1, max_length=20)
    kind: Literal["a", "b"] = "a"


GOOD = '{"title": "考证", "parts": [{"heading": "背景", "weight": 2}]}'
CALL = Call("outliner", "plan", (Message("system", "Be brief."), Message("user", "Plan it.")))
CUT_OFF = Completion(GOOD[:30], Finish.LENGTH, Usage(1, 1, calls=1), "scripted")


def completion(text: str, finish: Finish) -> Completion:
    return Completion(text, finish, Usage(1, 1, calls=1), "scripted")


@pytest.mark.parametrize(
    "reply",
    [
        GOOD,
        f"Sure, here it is:\n{GOOD}\nAnything else?",
        f"```json\n{GOOD}\n```",
        f"~~~\n{GOOD}\n~~~",
        f'<think>{{"title": "no"}} hm</think>{GOOD}',
        f"thinking aloud\n</think>\n{GOOD}",
        f'An example is {{"x": 1}}. The answer: {GOOD}',
        "\ufeff" + GOOD,
    ],
)
async def test_the_object_is_found_whatever_stands_around_it(reply):
    model = ScriptedModel([reply])
    outline = await ask_object(model, CALL, Outline)
    assert outline.title == "考证"
    assert len(model.calls) == 1


@pytest.mark.parametrize(
    ("reply", "complaint"),
    [
        ('{"title": "x", "parts": [{"heading": "h", "weight": 2},]}', "broken"),
        ('{"title": "x", "parts": "none"}', "parts: Input should be a valid list"),
        ('{"title": "x", "parts": [{"heading": "h", "weight": 9}]}', "parts.0.weight"),
        ('{"title": "x", "parts": []}', "parts: List should have at least 1 item"),
        ('{"name": "x"}', "none of the keys"),
        ("I cannot do that.", "no JSON object"),
        ("", "no JSON object"),
        (f"[{GOOD}]", "array"),
        (GOOD[:-4], "ends before"),
        ("x" * 3_000_000, "characters"),
        (CUT_OFF, TOO_LONG),
    ],
)
async def test_a_bad_reply_and_its_complaint_are_fed_back(reply, complaint):
    model = ScriptedModel([reply, GOOD])
    assert (await ask_object(model, CALL, Outline)).title == "考证"
    first, second = model.calls
    assert (first.purpose, second.purpose) == ("plan", "plan/try2")
    shown, said = second.messages[-2:]
    assert (shown.role, said.role) == ("assistant", "user")
    assert complaint in said.content
    assert shown.content
    assert len(shown.content) < 9_000
    assert second.schema == first.schema == Outline.model_json_schema()


async def test_complaints_of_the_check_are_fed_back_too():
    model = ScriptedModel([GOOD, GOOD.replace("背景", "方法")])
    outline = await ask_object(
        model, CALL, Outline, lambda o: ["背景 is taken"] if o.parts[0].heading == "背景" else []
    )
    assert outline.parts[0].heading == "方法"
    assert "背景 is taken" in model.calls[1].messages[-1].content


async def test_after_three_bad_replies_the_last_complaint_is_the_error():
    model = ScriptedModel(["one", "two", '{"title": 3}'])
    with pytest.raises(ShapeError, match=r"plan: .* in 3 tries: .*title: Input should be a valid string"):
        await ask_object(model, CALL, Outline)
    assert [call.purpose for call in model.calls] == ["plan", "plan/try2", "plan/try3"]
    assert len(model.calls[2].messages) == len(CALL.messages) + 2


async def test_thinking_is_not_fed_back():
    model = ScriptedModel(["<think>" + "long " * 1000 + "</think>no", GOOD])
    await ask_object(model, CALL, Outline)
    assert model.calls[1].messages[-2].content == "no"


async def test_a_filtered_answer_is_not_asked_for_again():
    model = ScriptedModel([completion(GOOD, Finish.FILTER)])
    with pytest.raises(ShapeError, match="filter"):
        await ask_object(model, CALL, Outline)


async def test_half_an_answer_is_not_taken_for_a_small_one():
    class Verdict(BaseModel):
        violations: list[dict[str, str]] = []

    model = ScriptedModel(['{"violations": [{"violations": "1.1"}, {"rule": ', '{"violations": [{"rule": "1.1"}]}'])
    assert len((await ask_object(model, CALL, Verdict)).violations) == 1


async def test_the_prompt_says_the_shape_at_its_end_and_the_instructions_stay():
    model = ScriptedModel([GOOD])
    await ask_object(model, CALL, Outline)
    asked = model.calls[0].messages
    assert asked[0] == CALL.messages[0]
    assert asked[1].content.startswith("Plan it.\n\n")
    assert '"title": string' in asked[1].content


async def test_aliases_count_as_known_keys():
    class Named(BaseModel):
        given: str = Field(alias="givenName")

    assert (await ask_object(ScriptedModel(['{"givenName": "x"}']), CALL, Named)).given == "x"


def test_a_sketch_says_types_ranges_choices_and_notes():
    assert sketch(Outline.model_json_schema()) == (
        '{"title": string, "parts": [{"heading": string, '
        '"weight": integer (1 to 5) /* how much of the text */}] (1 to 20), "kind"?: "a" | "b"}'
    )


def test_a_recursive_schema_has_a_finite_sketch():
    class Node(BaseModel):
        children: list[Node] = []

    Node.model_rebuild(_types_namespace={"Node": Node})
    assert "…" in sketch(Node.model_json_schema())


async def test_text_comes_without_thinking_and_outer_space():
    assert await ask_text(ScriptedModel(["<think>hm</think>\n\n正文。\n"]), CALL) == "正文。"


@pytest.mark.parametrize("reply", ["", "  \n", "<think>only thoughts"])
async def test_an_empty_text_is_a_shape_error(reply):
    with pytest.raises(ShapeError, match="empty"):
        await ask_text(ScriptedModel([reply]), CALL)


@pytest.mark.parametrize("finish", [Finish.LENGTH, Finish.CUT])
async def test_a_text_that_stopped_early_carries_what_there_is(finish):
    with pytest.raises(CutAnswerError) as caught:
        await ask_text(ScriptedModel([completion("half a sen", finish)]), CALL)
    assert caught.value.text == "half a sen"


async def test_complaints_about_a_text_are_fed_back():
    model = ScriptedModel(["bad", "good"])
    assert await ask_text(model, CALL, lambda text: ["too bad"] if text == "bad" else []) == "good"
    assert "too bad" in model.calls[1].messages[-1].content


TWIN = Outline(title="twin", parts=[Part(heading="h", weight=1)])


async def test_without_a_model_the_twin_answers():
    assert await object_or(None, CALL, Outline, lambda: TWIN) == Answer(TWIN, "offline")
    assert await text_or(None, CALL, lambda: "twin") == Answer("twin", "offline")


async def test_the_models_answer_names_the_model():
    answer = await object_or(ScriptedModel([GOOD], name="m"), CALL, Outline, lambda: TWIN)
    assert (answer.value.title, answer.by, answer.model) == ("考证", "model", "m")
    assert await text_or(ScriptedModel(["t"], name="m"), CALL, lambda: "twin") == Answer("t", "model", model="m")


@pytest.mark.parametrize(
    "script",
    [
        ["no", "no", "no"],
        [ModelUnavailableError("busy")],
        [BudgetReachedError("used up")],
        [CutAnswerError("cut", "x")],
    ],
)
async def test_the_twin_stands_in_for_a_model_that_fails_and_says_why(script):
    answer = await object_or(ScriptedModel(script), CALL, Outline, lambda: TWIN)
    assert (answer.value, answer.by, answer.model) == (TWIN, "fallback", "scripted")
    assert answer.reason


@pytest.mark.parametrize("error", [CredentialsError("key"), UnknownModelError("name")])
async def test_a_refusal_for_good_reaches_the_user(error):
    with pytest.raises(type(error)):
        await text_or(ScriptedModel([error]), CALL, lambda: "twin")


async def test_a_mistake_in_our_code_is_not_a_fallback():
    with pytest.raises(ZeroDivisionError):
        await text_or(ScriptedModel(["x"]), CALL, lambda: "twin", lambda _: [str(1 / 0)])
