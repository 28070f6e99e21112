"""The loop as a part of a graph: a review and a repair for each module of the rule book."""

from __future__ import annotations

from typing import Any

from langgraph.graph import END, StateGraph

from kaozheng.rules.rule import RuleBook
from kaozheng.workflows.review.repairing import revise_step
from kaozheng.workflows.review.reviewing import passes, review_step
from kaozheng.workflows.step import Host, step


def attach(
    graph: StateGraph[Any, Any, Any, Any], after: str, book: RuleBook, state: type, host: Host | None = None
) -> None:
    """after -> review_<first>; review_<m> -pass-> next review, or END; review_<m> -fail-> revise_<m> -> review_<m>."""
    keys = [module.key for module in book.modules]
    for index, key in enumerate(keys):
        graph.add_node(f"review_{key}", step(review_step(book, index), state, host))
        graph.add_node(f"revise_{key}", step(revise_step(book, index), state, host))
    graph.add_edge(after, f"review_{keys[0]}")
    for index, key in enumerate(keys):
        following = f"review_{keys[index + 1]}" if index + 1 < len(keys) else END
        graph.add_conditional_edges(f"review_{key}", passes, {"pass": following, "fail": f"revise_{key}"})
        graph.add_edge(f"revise_{key}", f"review_{key}")
