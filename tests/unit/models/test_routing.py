"""Who answers: by weight, by sensitivity, by who is still able to."""

from __future__ import annotations

import pytest

from kaozheng.errors import (
    BudgetReachedError,
    CredentialsError,
    ModelError,
    ModelUnavailableError,
    NotPrivateError,
)
from kaozheng.models import Call, Completion, Delta, Finish, Message, Usage
from kaozheng.models.answer import text_or
from kaozheng.models.routing import Classified, Fallback, FallbackChain, PrivateOnly, Routed
from kaozheng.testing.scripted_model import ScriptedModel


def call(**more) -> Call:
    return Call("writer", "section/1", (Message("user", "canary-text"),), **more)


def says(text: str, name: str) -> ScriptedModel:
    return ScriptedModel([text] * 5, name=name)


def fails(error: Exception, name: str = "first") -> ScriptedModel:
    return ScriptedModel([error] * 5, name=name)


async def test_each_weight_has_its_model():
    model = Routed({"deep": says("deep", "big"), "light": says("light", "small")})
    assert (await model.complete(call(weight="light"))).text == "light"
    assert (await model.complete(call(weight="deep"))).text == "deep"
    assert model.name == "big"


async def test_the_deep_model_answers_a_weight_without_one():
    assert (await Routed({"deep": says("deep", "big")}).complete(call(weight="light"))).text == "deep"
    with pytest.raises(ValueError):
        Routed({"light": says("light", "small")})


@pytest.mark.parametrize("sensitivity", ["open", "internal"])
async def test_what_is_not_secret_goes_anywhere(sensitivity):
    assert (await PrivateOnly(says("x", "m"), private=False).complete(call(sensitivity=sensitivity))).text == "x"


async def test_a_secret_reaches_private_models_only():
    public, private = says("x", "public"), says("y", "private")
    with pytest.raises(NotPrivateError) as refused:
        await PrivateOnly(public, private=False).complete(call(sensitivity="secret"))
    assert "canary-text" not in str(refused.value)
    assert public.calls == []
    assert (await PrivateOnly(private, private=True).complete(call(sensitivity="secret"))).text == "y"


async def test_a_secret_goes_down_the_chain_to_the_private_model():
    public, private = says("x", "public"), says("y", "private")
    chain = FallbackChain([PrivateOnly(public, private=False), PrivateOnly(private, private=True)])
    assert (await chain.complete(call(sensitivity="secret"))).text == "y"
    assert public.calls == []


async def test_without_a_private_model_the_twin_stands_in_for_a_secret():
    chain = FallbackChain([PrivateOnly(says("x", "public"), private=False)])
    answer = await text_or(chain, call(sensitivity="secret"), lambda: "twin")
    assert (answer.value, answer.by) == ("twin", "fallback")
    assert "not marked private" in answer.reason


@pytest.mark.parametrize(
    "error",
    [ModelUnavailableError("down"), CredentialsError("key"), ModelError("filtered"), NotPrivateError("secret")],
    ids=lambda error: type(error).__name__,
)
async def test_the_next_model_answers_and_the_step_is_told(error):
    steps: list[Fallback] = []
    chain = FallbackChain([fails(error), says("second", "spare")], steps.append)
    completion = await chain.complete(call())
    assert (completion.text, completion.model) == ("second", "spare")
    assert steps == [Fallback("writer", "section/1", "first", "spare", f"{type(error).__name__}: {error}")]


async def test_a_reached_budget_goes_down_no_chain():
    spare = says("second", "spare")
    with pytest.raises(BudgetReachedError):
        await FallbackChain([fails(BudgetReachedError("used up")), spare]).complete(call())
    assert spare.calls == []


@pytest.mark.parametrize(
    ("errors", "raised"),
    [
        ([ModelUnavailableError("a"), CredentialsError("b")], CredentialsError),
        ([CredentialsError("a"), ModelUnavailableError("b")], ModelUnavailableError),
        ([ModelUnavailableError("a"), NotPrivateError("b")], ModelUnavailableError),
        ([NotPrivateError("a"), ModelUnavailableError("b")], ModelUnavailableError),
        ([NotPrivateError("a"), NotPrivateError("b")], NotPrivateError),
    ],
)
async def test_when_all_fail_the_error_that_tells_most_is_raised(errors, raised):
    with pytest.raises(raised):
        await FallbackChain([fails(error) for error in errors]).complete(call())


async def test_the_listener_forgets_what_the_failed_model_had_said():
    class Breaks:
        name = "breaks"

        async def complete(self, call, on_delta=None):
            on_delta(Delta("half"))
            raise ModelUnavailableError("cut")

    heard: list[Delta] = []
    await FallbackChain([Breaks(), says("whole", "spare")]).complete(call(), heard.append)
    assert heard[:2] == [Delta("half"), Delta("", restart=True)]
    assert "".join(delta.text for delta in heard[2:]) == "whole"


async def test_a_model_that_answers_is_the_only_one_asked():
    spare = says("second", "spare")
    first = ScriptedModel([Completion("one", Finish.STOP, Usage(calls=1), "first")], name="first")
    chain = FallbackChain([first, spare])
    assert (await chain.complete(call())).text == "one"
    assert (chain.name, spare.calls) == ("first", [])
    with pytest.raises(ValueError):
        FallbackChain([])


@pytest.mark.parametrize(
    ("run", "role", "sent"),
    [
        ("open", "internal", "internal"),
        ("internal", "open", "internal"),
        ("secret", "internal", "secret"),
        ("internal", "secret", "secret"),
    ],
)
async def test_a_call_is_as_strict_as_its_run_or_stricter(run, role, sent):
    model = says("x", "m")
    await Classified(model, run).complete(call(sensitivity=role))
    assert [one.sensitivity for one in model.calls] == [sent]


async def test_an_error_of_a_secret_call_says_nothing_that_the_call_said():
    texts = (Message("user", "The treasure lies below the oak. 宝藏在橡树下面。"),)
    echo = ModelError("bad request: The treasure lies below the oak. / 橡树下面 (HTTP 400)")
    with pytest.raises(ModelError) as refused:
        await PrivateOnly(fails(echo), private=True).complete(Call("writer", "section/1", texts, sensitivity="secret"))
    assert str(refused.value) == "bad request: …/ … (HTTP 400)"
