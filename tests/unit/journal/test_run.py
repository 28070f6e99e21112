"""How runs are named, and what importing the journal costs."""

import re
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.journal import run_id

NOON = datetime(2026, 11, 30, 12, 5, 9, tzinfo=UTC)


def free(name):
    return False


def test_id_is_the_time_and_the_topic():
    assert run_id(NOON, "支付系统", free) == "20261130_120509_支付系统"


@pytest.mark.parametrize("topic", ["", "   ", "///", "..", "\x00"])
def test_run_without_a_usable_topic_is_untitled(topic):
    assert run_id(NOON, topic, free) == "20261130_120509_Untitled"


def test_topic_is_cut_at_twenty_characters():
    assert run_id(NOON, "a" * 30, free) == "20261130_120509_" + "a" * 20


def test_unsafe_characters_become_one_underscore():
    assert run_id(NOON, "a/b: c?", free) == "20261130_120509_a_b_c"


def test_taken_ids_are_counted_on():
    taken = {"20261130_120509_x", "20261130_120509_x_2"}
    assert run_id(NOON, "x", taken.__contains__) == "20261130_120509_x_3"


@given(st.text())
def test_id_is_always_one_safe_folder_name(topic):
    name = run_id(NOON, topic, free)
    assert re.fullmatch(r"\d{8}_\d{6}_[\w\-]{1,20}", name)


@given(st.text(), st.integers(0, 5))
def test_ids_of_one_second_never_collide(topic, runs):
    seen = set()
    for _ in range(runs):
        name = run_id(NOON, topic, seen.__contains__)
        assert name not in seen
        seen.add(name)


@pytest.mark.parametrize(
    "room", ["kaozheng.journal", "kaozheng.artifacts", "kaozheng.runs.record", "kaozheng.runs.runner"]
)
def test_room_loads_no_heavy_package(room):
    heavy = {"langgraph", "langchain_core", "sqlalchemy", "alembic", "aiosqlite", "numpy", "openai", "pydantic"}
    code = f"import sys, {room}; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
