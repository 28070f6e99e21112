from __future__ import annotations

import subprocess
import sys

import pytest

from kaozheng.documents.tokens import estimate_tokens
from kaozheng.models import Call, Finish, Message, Usage
from kaozheng.models.usage import estimated_usage

ASKED = Call("outliner", "plan", (Message("system", "你是编辑"), Message("user", "hi")), schema={"b": 1, "a": [2]})


@pytest.mark.parametrize(
    ("code", "finish"),
    [
        ("stop", Finish.STOP),
        ("end_turn", Finish.STOP),
        (1, Finish.STOP),
        ("max_tokens", Finish.LENGTH),
        ("LENGTH", Finish.LENGTH),
        ("token_limit", Finish.LENGTH),
        ("2", Finish.LENGTH),
        ("content_filter", Finish.FILTER),
        ("tool_calls", Finish.TOOL_CALLS),
        (None, Finish.CUT),
        ("", Finish.CUT),
        ("insufficient_system_resource", Finish.CUT),
        ("some_new_code", Finish.STOP),
    ],
)
def test_finish_codes_of_providers_are_read(code, finish):
    assert Finish.of(code) is finish


def test_fingerprint_is_the_same_in_another_process():
    program = (
        "from kaozheng.models import Call, Message\n"
        "print(Call('outliner', 'plan', (Message('system', '你是编辑'), Message('user', 'hi')),"
        " schema={'a': [2], 'b': 1}).fingerprint())"
    )
    other = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == ASKED.fingerprint()


@pytest.mark.parametrize(
    "change",
    [
        {"role": "writer"},
        {"purpose": "plan/try2"},
        {"messages": (Message("user", "你是编辑"), Message("user", "hi"))},
        {"schema": None},
        {"temperature": 0.3},
    ],
)
def test_fingerprint_changes_with_what_is_asked(change):
    from dataclasses import replace

    assert replace(ASKED, **change).fingerprint() != ASKED.fingerprint()


def test_fingerprint_takes_half_a_surrogate_pair():
    assert len(Call("r", "p", (Message("user", "\ud83d"),)).fingerprint()) == 64


def test_calls_are_hashable_although_a_schema_is_not():
    assert len({ASKED, ASKED}) == 1


def test_usage_adds_up_and_stays_marked_as_estimated():
    total = Usage(1, 2, 3, 1) + estimated_usage("中文中", "abcd")
    assert total == Usage(1 + estimate_tokens("中文中"), 2 + estimate_tokens("abcd"), 3, 2, estimated=True)
    assert total.tokens == total.input_tokens + total.output_tokens


def test_importing_the_room_loads_no_client_library():
    program = "import sys, kaozheng.models; print([m for m in ('openai', 'httpx2', 'pydantic') if m in sys.modules])"
    other = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == "[]"
