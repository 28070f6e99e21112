"""Pictures of the workflows."""

from __future__ import annotations

from typing import Any

from kaozheng.api.choosing import book_of, with_choices
from kaozheng.errors import InputError


def graph_mermaid(workflow: str, rules: str | None = None) -> str:
    """The workflow's graph as Mermaid text."""
    from kaozheng.workflows.picture import mermaid

    return mermaid(_graph(workflow, rules))


def graph_svg(workflow: str, rules: str | None = None) -> str:
    """The workflow's graph as an SVG picture, drawn offline."""
    from kaozheng.workflows.picture import svg

    return svg(_graph(workflow, rules))


def _graph(workflow: str, rules: str | None) -> Any:
    from kaozheng.workflows.write.graph import build

    if workflow != "write":
        raise InputError(f"no workflow {workflow!r}; there is: write")
    return build(book_of(with_choices(None, rules=rules))).compile()
