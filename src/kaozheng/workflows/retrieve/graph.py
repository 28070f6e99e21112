"""The graph of the loop: it reads as its picture."""

from __future__ import annotations

from typing import Any, Final

from langgraph.graph import END, START, StateGraph

from kaozheng.ports import Ports
from kaozheng.workflows.retrieve.answering import generate_answer
from kaozheng.workflows.retrieve.judging import after_grading, after_rewriting, grade_documents, rewrite_question
from kaozheng.workflows.retrieve.seeking import generate_query_or_respond, retrieve_step, route_on_tool_calls
from kaozheng.workflows.retrieve.state import MOST_REWRITES, RetrieveState
from kaozheng.workflows.step import Host, step

STEPS: Final = 4 * (MOST_REWRITES + 1) + 2
"""No question takes more: the limit of recursion that goes with the graph."""


def build_retrieval_graph(
    host: Host | None = None, *, answering: bool = True, everywhere: bool = False
) -> StateGraph[Any, Any, Any, Any]:
    """generate_query_or_respond -> retrieve -> grade_documents -> generate_answer, or at most three times
    -> rewrite_question -> generate_query_or_respond; a reply without a search is the end.

    Without `answering` it ends where the answer would begin: for a host that generates itself. Compile it and pass
    `context=Ports(…)`; `host` serves one that passes no context. `everywhere`: a state that names no base searches all
    of them; else none, because whose they are nobody could say.
    """
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(RetrieveState, context_schema=None if host else Ports)
    for function in (generate_query_or_respond, retrieve_step(everywhere), grade_documents, rewrite_question):
        graph.add_node(function.__name__, step(function, RetrieveState, host))
    last = END
    if answering:
        last = generate_answer.__name__
        graph.add_node(last, step(generate_answer, RetrieveState, host))
        graph.add_edge(last, END)
    graph.add_edge(START, "generate_query_or_respond")
    graph.add_conditional_edges("generate_query_or_respond", route_on_tool_calls, {"tools": "retrieve", "end": END})
    graph.add_edge("retrieve", "grade_documents")
    graph.add_conditional_edges("grade_documents", after_grading, {"answer": last, "rewrite": "rewrite_question"})
    graph.add_conditional_edges(
        "rewrite_question", after_rewriting, {"again": "generate_query_or_respond", "stop": last}
    )
    return graph
