"""The graph of `ask`: it reads as its picture."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from langgraph.graph import END, START, StateGraph

from kaozheng.ports import Ports
from kaozheng.workflows.ask.delivering import deliver
from kaozheng.workflows.ask.generating import generate
from kaozheng.workflows.ask.grounding import ground
from kaozheng.workflows.ask.preparing import after_preparing, after_weighing, prepare, weigh
from kaozheng.workflows.ask.state import AskState
from kaozheng.workflows.ask.understanding import intake, plan
from kaozheng.workflows.retrieve.graph import STEPS, build_retrieval_graph
from kaozheng.workflows.step import step

STEPS_AT_MOST: Final = STEPS + 10
"""Supersteps of one question: the loop ends itself long before."""


def build() -> StateGraph[Any, Any, Any, Any]:
    """intake -> plan -> prepare -> (search: the self-correcting loop) -> weigh -> generate -> ground -> deliver; what
    code answers itself goes from weigh to deliver."""
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(AskState, context_schema=Ports)
    for function in (intake, plan, prepare, weigh, generate, ground, deliver):
        graph.add_node(function.__name__, step(function, AskState))
    graph.add_node("search", build_retrieval_graph(answering=False).compile(name="search"))
    graph.add_edge(START, "intake")
    graph.add_edge("intake", "plan")
    graph.add_edge("plan", "prepare")
    graph.add_conditional_edges("prepare", after_preparing, {"search": "search", "weigh": "weigh"})
    graph.add_edge("search", "weigh")
    graph.add_conditional_edges("weigh", after_weighing, {"generate": "generate", "deliver": "deliver"})
    graph.add_edge("generate", "ground")
    graph.add_edge("ground", "deliver")
    graph.add_edge("deliver", END)
    return graph


@cache
def compiled() -> Any:
    """The graph, ready to run: made once, it keeps nothing between questions."""
    return build().compile(name="ask")
