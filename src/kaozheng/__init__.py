"""Kaozheng (考证): documents that lead back to their evidence. Models write, code decides what may leave.

The public names are loaded when they are first used; nothing inside the package imports from here.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kaozheng.api import (
        Reviewed,
        RunResult,
        aask,
        aresume,
        ask,
        asummarize,
        awrite,
        build_rules,
        checkpoints,
        doctor,
        fork,
        graph_mermaid,
        graph_svg,
        kb_add,
        kb_list,
        kb_remove,
        kb_search,
        kb_stats,
        list_runs,
        plan_summary,
        resume,
        review,
        show_run,
        summarize,
        write,
    )
    from kaozheng.errors import InputError, KaozhengError, ModelError, StoppedError
    from kaozheng.settings import Settings

_HOMES = {
    **dict.fromkeys(
        (
            "Reviewed",
            "RunResult",
            "aask",
            "aresume",
            "ask",
            "asummarize",
            "awrite",
            "build_rules",
            "checkpoints",
            "doctor",
            "fork",
            "graph_mermaid",
            "graph_svg",
            "resume",
            "review",
            "kb_add",
            "kb_list",
            "kb_remove",
            "kb_search",
            "kb_stats",
            "list_runs",
            "plan_summary",
            "show_run",
            "summarize",
            "write",
        ),
        "kaozheng.api",
    ),
    **dict.fromkeys(("InputError", "KaozhengError", "ModelError", "StoppedError"), "kaozheng.errors"),
    "Settings": "kaozheng.settings",
}

__all__ = [  # noqa: RUF022 - in the order in which a reader meets them
    "write",
    "awrite",
    "summarize",
    "asummarize",
    "plan_summary",
    "resume",
    "aresume",
    "RunResult",
    "ask",
    "aask",
    "review",
    "Reviewed",
    "kb_add",
    "kb_list",
    "kb_remove",
    "kb_search",
    "kb_stats",
    "list_runs",
    "show_run",
    "checkpoints",
    "fork",
    "build_rules",
    "graph_mermaid",
    "graph_svg",
    "doctor",
    "Settings",
    "KaozhengError",
    "InputError",
    "ModelError",
    "StoppedError",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'kaozheng' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
