"""The graph of `summarize`: it reads as its picture."""

from __future__ import annotations

from typing import Any

from langgraph.graph import END, START, StateGraph

from kaozheng.ports import Ports
from kaozheng.workflows.step import Host, step
from kaozheng.workflows.summarize.assembling import finish
from kaozheng.workflows.summarize.checking import check_loss, restorers
from kaozheng.workflows.summarize.condensing import block, fan_out, memorize
from kaozheng.workflows.summarize.planning import plan
from kaozheng.workflows.summarize.restoring import restore_section
from kaozheng.workflows.summarize.splitting import split
from kaozheng.workflows.summarize.state import SummaryState
from kaozheng.workflows.summarize.writing import generate, more_sections

_MEMORIZE = {"stage": "summarize_and_memorize"}


def build(host: Host | None = None) -> StateGraph[Any, Any, Any, Any]:
    """split -> (summarize_block* -> memorize) for each level -> plan -> generate for each section -> (check_loss <->
    restore_section*) -> finish.

    `host` serves one that passes no context of its own (it may pass an empty one: then no schema must ask for it).
    """
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(SummaryState, context_schema=None if host else Ports)
    graph.add_node("split", step(split, SummaryState, host))
    graph.add_node("summarize_block", step(block, SummaryState, host), metadata=_MEMORIZE)
    graph.add_node("memorize", step(memorize, SummaryState, host), metadata=_MEMORIZE)
    graph.add_node("plan", step(plan, SummaryState, host))
    graph.add_node("generate", step(generate, SummaryState, host))
    graph.add_node("check_loss", step(check_loss, SummaryState, host))
    graph.add_node("restore_section", step(restore_section, SummaryState, host))
    graph.add_node("finish", step(finish, SummaryState, host))
    graph.add_edge(START, "split")
    graph.add_conditional_edges("split", fan_out, ["summarize_block"])
    graph.add_edge("summarize_block", "memorize")
    graph.add_conditional_edges("memorize", fan_out, ["summarize_block", "plan"])
    graph.add_edge("plan", "generate")
    graph.add_conditional_edges("generate", more_sections, ["generate", "check_loss"])
    graph.add_conditional_edges("check_loss", restorers, ["restore_section", "finish"])
    graph.add_edge("restore_section", "check_loss")
    graph.add_edge("finish", END)
    return graph
