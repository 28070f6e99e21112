"""What is taken out of the words of a provider: the key and what its address holds, in the forms that libraries use."""

from __future__ import annotations

import logging

import pytest

from kaozheng.errors import ModelError
from kaozheng.models import Call, Completion, Finish, Message, Usage
from kaozheng.providers.models.discreet import Discreet, secrets_of
from kaozheng.testing.scripted_model import ScriptedModel

CALL = Call("writer", "section/1", (Message("user", "hello"),))


def test_key_password_and_query_go_in_every_form_and_nothing_else() -> None:
    secrets = secrets_of("k-1 2/3", "http://ann:p%40ssword@host:8/v1?token=to+ken&v=2", "http://t0ken-user@proxy:3128")
    said = "k-1 2/3 k-1%202%2F3 p@ssword p%40ssword YW5uOnBAc3N3b3Jk to ken to%20ken to+ken t0ken-user ann v=2 host"
    assert secrets.out_of(said) == " ".join(["***"] * 9) + " ann v=2 host"
    assert repr(secrets) == f"Secrets({len(secrets._forms)})"


def test_without_secrets_texts_stay_as_they_are() -> None:
    assert secrets_of("", "http://127.0.0.1:8000/v1").out_of("none at 127.0.0.1") == "none at 127.0.0.1"


async def test_answers_errors_and_logs_are_cleaned_while_the_call_lasts(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("httpcore2.test")
    lines = [
        Completion("th3-key-of-ours!", Finish.STOP, Usage(), "m/th3-key-of-ours", "th3-key-of-ours?"),
        ModelError("bad th3-key-of-ours"),
    ]

    def answer(call: Call) -> Completion | Exception:
        log.debug("sent %s", "th3-key-of-ours")
        return lines.pop(0)

    model = Discreet(ScriptedModel(answer), secrets_of("th3-key-of-ours"))
    with caplog.at_level(logging.DEBUG):
        said = await model.complete(CALL)
        with pytest.raises(ModelError, match=r"^bad \*\*\*$"):
            await model.complete(CALL)
        log.debug("sent %s", "th3-key-of-ours")
    assert (said.text, said.reasoning, said.model) == ("***!", "***?", "m/***")
    assert [record.getMessage() for record in caplog.records] == ["sent ***", "sent ***", "sent th3-key-of-ours"]


async def test_a_key_that_may_be_a_word_stays_in_answers() -> None:
    model = Discreet(ScriptedModel(["ollama runs models"]), secrets_of("ollama"))
    assert (await model.complete(CALL)).text == "ollama runs models"
