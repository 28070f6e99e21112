"""The graph of `write`: it reads as its picture."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from langgraph.graph import START, StateGraph

from kaozheng.ports import Ports
from kaozheng.rules.rule import RuleBook
from kaozheng.workflows.review.graph import attach
from kaozheng.workflows.step import Host, Step, step
from kaozheng.workflows.write.assembling import assemble_step
from kaozheng.workflows.write.drafting import fan_out, plan, section
from kaozheng.workflows.write.entries import process_notes, process_text, scan_code
from kaozheng.workflows.write.state import DocState

ENTRY_BY_MODE: dict[Hashable, str] = {"text": "process_text", "notes": "process_notes", "code": "scan_code"}
_ENTRIES: dict[str, Step] = {"process_text": process_text, "process_notes": process_notes, "scan_code": scan_code}
_DRAFT = {"stage": "generate_draft"}


def build(book: RuleBook, host: Host | None = None) -> StateGraph[Any, Any, Any, Any]:
    """text | notes | code -> plan -> section* -> assemble -> (review <-> revise) for each module of `book` -> END.

    `host` serves one that passes no context of its own (it may pass an empty one: then no schema must ask for it).
    """
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(DocState, context_schema=None if host else Ports)
    for name, function in _ENTRIES.items():
        graph.add_node(name, step(function, DocState, host))
        graph.add_edge(name, "plan")
    graph.add_conditional_edges(START, entry, ENTRY_BY_MODE)
    graph.add_node("plan", step(plan, DocState, host), metadata=_DRAFT)
    graph.add_node("write_section", step(section, DocState, host), metadata=_DRAFT)
    graph.add_node("assemble", step(assemble_step(book), DocState, host), metadata=_DRAFT)
    graph.add_conditional_edges("plan", fan_out, ["write_section", "assemble"])
    graph.add_edge("write_section", "assemble")
    attach(graph, "assemble", book, DocState, host)
    return graph


def entry(state: DocState) -> str:
    """The input mode is the way in."""
    return state.get("input_mode", "text")
