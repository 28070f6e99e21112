"""The checkpoint file: what its serializer refuses to build, forgetting, damage."""

import asyncio
import operator
import sqlite3
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import ormsgpack
import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from kaozheng.errors import StorageError
from kaozheng.providers.stores.checkpoints import ListedTypes, open_checkpoints

SINGLE, POSITIONAL, KEYWORDS, METHOD, PYDANTIC_V1, PYDANTIC = range(6)
CALLED = []


def trap(*args, **kwargs):
    """What a forged checkpoint would call."""
    CALLED.append(args or kwargs)
    return "called"


class Trap:
    """A class whose building and methods are noticed."""

    def __init__(self, *args, **kwargs):
        CALLED.append(args or kwargs)

    @classmethod
    def model_construct(cls, **kwargs):
        CALLED.append(kwargs)

    construct = of = model_construct


@dataclass
class Listed:
    name: str


@dataclass
class Unlisted:
    name: str


def forged(code, *payload):
    return ormsgpack.packb({"channel_values": {"x": ormsgpack.Ext(code, ormsgpack.packb(payload))}})


@pytest.fixture(autouse=True)
def _nothing_called():
    CALLED.clear()
    yield
    assert CALLED == []


@pytest.mark.parametrize(
    ("code", "payload"),
    [
        (SINGLE, ("os", "getenv", "HOME")),
        (SINGLE, (__name__, "trap", "x")),
        (SINGLE, (__name__, "Trap", "x")),
        (POSITIONAL, (__name__, "Trap", ["x", "y"])),
        (KEYWORDS, (__name__, "Trap", {"x": 1})),
        (METHOD, (__name__, "Trap", {"x": 1}, "of")),
        (PYDANTIC_V1, (__name__, "Trap", {"x": 1})),
        (PYDANTIC, (__name__, "Trap", {"x": 1}, "model_validate_json")),
        (POSITIONAL, ("subprocess", "check_output", ["id"])),
        (SINGLE, ("builtins", "eval", "1+1")),
    ],
)
@pytest.mark.parametrize("listed", [(), (Listed,)])
def test_forged_callable_is_not_called(code, payload, listed):
    value = ListedTypes(listed).loads_typed(("msgpack", forged(code, *payload)))
    assert value == {"channel_values": {"x": payload[2]}}


def test_nested_forgery_is_not_called():
    inner = ormsgpack.Ext(SINGLE, ormsgpack.packb((__name__, "trap", "x")))
    outer = forged(KEYWORDS, __name__, "Listed", {"name": inner})
    value = ListedTypes([Listed]).loads_typed(("msgpack", outer))
    assert value["channel_values"]["x"] == Listed("x")


def test_module_of_a_forgery_is_not_even_imported(tmp_path, monkeypatch):
    (tmp_path / "evil_module.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    ListedTypes([]).loads_typed(("msgpack", forged(SINGLE, "evil_module", "f", "x")))


@pytest.mark.parametrize("kind", ["json", "pickle", "yaml", ""])
def test_encodings_that_revive_objects_by_name_are_refused(kind):
    payload = b'{"lc":2,"type":"constructor","id":["os","getenv"],"args":["HOME"]}'
    with pytest.raises(StorageError, match="never writes"):
        ListedTypes([]).loads_typed((kind, payload))


def test_listed_type_comes_back_and_an_unlisted_one_as_plain_data():
    serde = ListedTypes([Listed])
    assert serde.loads_typed(serde.dumps_typed([Listed("a"), Unlisted("b")])) == [Listed("a"), {"name": "b"}]


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\xdf\xff"])
def test_damaged_bytes_are_a_storage_error(data):
    with pytest.raises(StorageError, match="damaged"):
        ListedTypes([]).loads_typed(("msgpack", data))


class State(TypedDict, total=False):
    log: Annotated[list, operator.add]
    thing: Any


def graph_of(*names, asks=()):
    graph = StateGraph(State)

    def step(name):
        async def run(state):
            if name in asks:
                interrupt(name)
            return {"log": [name], "thing": Listed(name)}

        return run

    for name in names:
        graph.add_node(name, step(name))
    for one, other in zip((START, *names), (*names, END), strict=True):
        graph.add_edge(one, other)
    return graph


async def test_forged_row_in_the_file_is_not_called_by_a_resume(tmp_path):
    path, config = tmp_path / "c.db", {"configurable": {"thread_id": "t"}}
    graph = graph_of("a", "b", asks=["b"])
    async with open_checkpoints(path, [Listed]) as saver:
        await graph.compile(checkpointer=saver).ainvoke({"log": []}, config)
    with sqlite3.connect(path) as file:
        forgery = ormsgpack.packb(ormsgpack.Ext(SINGLE, ormsgpack.packb((__name__, "trap", "x"))))
        changed = file.execute("UPDATE writes SET value = ? WHERE channel <> '__interrupt__'", (forgery,)).rowcount
        (row,) = file.execute("SELECT checkpoint FROM checkpoints ORDER BY checkpoint_id DESC LIMIT 1").fetchone()
        whole = ormsgpack.unpackb(row, ext_hook=lambda code, data: ormsgpack.Ext(code, data))
        whole["channel_values"]["thing"] = ormsgpack.Ext(SINGLE, ormsgpack.packb((__name__, "Trap", "x")))
        file.execute("UPDATE checkpoints SET checkpoint = ?", (ormsgpack.packb(whole),))
    file.close()
    assert changed
    async with open_checkpoints(path, [Listed]) as saver:
        snapshot = await graph.compile(checkpointer=saver).aget_state(config)
        assert snapshot.values["thing"] == "x"


async def test_forgetting_keeps_the_newest_of_the_thread_and_the_question(tmp_path):
    path = tmp_path / "c.db"
    config, other = ({"configurable": {"thread_id": name}} for name in ("t", "other"))
    async with open_checkpoints(path, [Listed]) as saver:
        graph = graph_of("a", "b", "c", "d", asks=["d"]).compile(checkpointer=saver)
        await graph.ainvoke({"log": []}, config)
        await graph.ainvoke({"log": []}, other)
        before = (await graph.aget_state(config)).values
        await saver.aprune(["t"])
        kept = [row async for row in saver.alist(config)]
        untouched = [row async for row in saver.alist(other)]
        snapshot = await graph.aget_state(config)
    assert (len(kept), len(untouched)) == (1, 5)
    assert snapshot.values == before
    assert snapshot.next == ("d",)
    assert [question.value for question in snapshot.interrupts] == ["d"]


async def _for_ever(state):
    await asyncio.Event().wait()


async def _fails(state):
    raise ZeroDivisionError


@pytest.mark.parametrize("router", [_for_ever, _fails])
async def test_step_that_was_cut_before_its_outgoing_edge_counts_as_not_done(tmp_path, router):
    """Its changes alone would count as its result, and the graph would end without the next step."""

    async def onwards(state):
        return "b"

    def graph(route):
        graph = StateGraph(State)
        graph.add_node("a", lambda state: {"log": ["a"]})
        graph.add_node("b", lambda state: {"log": ["b"]})
        graph.add_edge(START, "a")
        graph.add_conditional_edges("a", route, ["b"])
        graph.add_edge("b", END)
        return graph

    config = {"configurable": {"thread_id": "t"}}
    async with open_checkpoints(tmp_path / "c.db") as saver:
        cut = graph(router).compile(checkpointer=saver).ainvoke({"log": []}, config, durability="sync")
        with pytest.raises((TimeoutError, ZeroDivisionError)):
            await asyncio.wait_for(cut, 0.1)
    async with open_checkpoints(tmp_path / "c.db") as saver:
        end = await graph(onwards).compile(checkpointer=saver).ainvoke(None, config, durability="sync")
    assert end == {"log": ["a", "b"]}


async def test_file_that_is_no_database_is_a_storage_error(tmp_path):
    (tmp_path / "c.db").write_bytes(b"this is a text file, not a database" * 50)
    with pytest.raises(StorageError, match=r"c\.db: it is not a Kaozheng database"):
        async with open_checkpoints(tmp_path / "c.db"):
            pass


async def test_folder_that_cannot_be_made_is_a_storage_error(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match="file"):
        async with open_checkpoints(tmp_path / "file" / "c.db"):
            pass


async def test_locked_file_is_a_storage_error(tmp_path, monkeypatch):
    monkeypatch.setattr("kaozheng.providers.stores.checkpoints._BUSY_S", 0.05)
    config = {"configurable": {"thread_id": "t"}}
    async with open_checkpoints(tmp_path / "c.db") as saver:
        await saver.setup()
        other = sqlite3.connect(tmp_path / "c.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="another process is writing"):
            await graph_of("a").compile(checkpointer=saver).ainvoke({"log": []}, config)
        other.close()
