"""Pictures of the workflows."""

from __future__ import annotations

from typing import Any, Final

from kaozheng.api.choosing import book_of, with_choices
from kaozheng.errors import InputError

WORKFLOWS: Final = ("write", "summarize", "ask", "retrieve")
"""Those that can be drawn."""


def graph_mermaid(workflow: str, rules: str | None = None) -> str:
    """The workflow's graph as Mermaid text."""
    from kaozheng.workflows.picture import mermaid

    return mermaid(_graph(workflow, rules))


def graph_svg(workflow: str, rules: str | None = None) -> str:
    """The workflow's graph as an SVG picture, drawn offline."""
    from kaozheng.workflows.picture import svg

    return svg(_graph(workflow, rules))


def _graph(workflow: str, rules: str | None) -> Any:
    if workflow not in WORKFLOWS:
        raise InputError(f"no workflow {workflow!r}; there are: {', '.join(WORKFLOWS)}")
    if workflow == "ask":
        from kaozheng.workflows.ask.graph import compiled

        return compiled()
    if workflow == "retrieve":
        from kaozheng.workflows.retrieve.graph import build_retrieval_graph

        return build_retrieval_graph().compile()
    if workflow == "summarize":
        from kaozheng.workflows.summarize.graph import build as build_summary

        return build_summary().compile()
    from kaozheng.workflows.write.graph import build

    return build(book_of(with_choices(None, rules=rules))).compile()
