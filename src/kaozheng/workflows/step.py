"""From a plain function to a node: a step names its ports, and may change only keys that the state declares."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import fields
from typing import Any, Protocol

from langgraph.config import get_config
from langgraph.runtime import Runtime

from kaozheng.artifacts import made_by
from kaozheng.journal import within_task
from kaozheng.ports import Ports

Changes = dict[str, Any]
Step = Callable[..., Awaitable[Changes]]
"""`async def name(state, *, port, port, …) -> Changes`; what follows the state are names of `Ports`."""
Host = Callable[[], Ports]
"""Gives the ports of a host that passes no context (LangGraph Studio); asked at each step, within its configuration."""

_PORTS = frozenset(field.name for field in fields(Ports))


class Node(Protocol):
    """What LangGraph calls."""

    def __call__(self, state: Any, runtime: Runtime[Ports]) -> Awaitable[Changes]: ...


def step(function: Step, state: type, host: Host | None = None) -> Node:
    """`function` as a node of a graph over `state`.

    What the step puts into the artifact store carries the node's name: "plan", "write_section 3".
    `host` is asked when the graph runs without a context. Raises TypeError when the function asks for a port that does
    not exist (at build), or changes an undeclared key (LangGraph would drop it silently).
    """
    wanted = tuple(inspect.signature(function).parameters)[1:]
    if unknown := set(wanted) - _PORTS:
        raise TypeError(f"{function.__name__} asks for ports that do not exist: {', '.join(sorted(unknown))}")
    declared = _declared(state)

    async def node(state: Any, runtime: Runtime[Ports]) -> Changes:
        world = runtime.context or (host() if host else None)
        if world is None:
            raise TypeError(f"{function.__name__} was run without ports: pass context=Ports(…)")
        with made_by(_called(state)), within_task(_task()):
            changes = await function(state, **{name: getattr(world, name) for name in wanted})
        if undeclared := changes.keys() - declared:
            raise TypeError(f"{function.__name__} changed undeclared keys: {', '.join(sorted(undeclared))}")
        return changes

    node.__name__ = function.__name__
    node.__doc__ = function.__doc__
    return node


def purpose_of(state: Mapping[str, Any], purpose: str) -> str:
    """`purpose` as it is asked: one that failed gets a new name, because under the old one the ledger would give the
    same unusable answer back. `again` of the state says which failed, `attempt` how often the run was reopened."""
    return f"{purpose}/again{state.get('attempt', 0)}" if purpose in state.get("again", ()) else purpose


def _called(state: Any) -> str:
    """The node's name; of a branch that was sent an index also which one, counted from 1 as in `section_03.md`."""
    name = str(get_config()["metadata"]["langgraph_node"])
    return f"{name} {state['index'] + 1}" if "index" in state else name


def _task() -> str:
    """The id by which LangGraph tells this execution of the node, in its stream too."""
    return str(get_config()["metadata"].get("langgraph_checkpoint_ns", "")).rpartition(":")[2]


def _declared(state: type) -> frozenset[str]:
    return frozenset(name for base in state.__mro__ for name in inspect.get_annotations(base))
