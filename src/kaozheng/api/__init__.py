"""The Python API: plain functions over the async core; the doors call these and nothing else.

Names starting with `a` are the async twins for callers that already have an event loop.
"""

from __future__ import annotations

from kaozheng.api.asking import aask, answer, ask
from kaozheng.api.choosing import Citations, book_of
from kaozheng.api.diagnosis import doctor
from kaozheng.api.history import checkpoints, list_runs, show_run
from kaozheng.api.knowledge import (
    DEFAULT_BASE,
    BaseSummary,
    KnowledgeStats,
    Upload,
    akb_add,
    akb_list,
    akb_remove,
    akb_search,
    akb_stats,
    kb_add,
    kb_list,
    kb_remove,
    kb_search,
    kb_stats,
    open_knowledge_desk,
)
from kaozheng.api.pictures import graph_mermaid, graph_svg
from kaozheng.api.results import RunResult, check_output, save, save_document, save_tables
from kaozheng.api.resuming import afork, aresume, fork, resume, workflow_of
from kaozheng.api.reviewing import Reviewed, review, save_fixed
from kaozheng.api.rules import build_rules
from kaozheng.api.running import OnEvent, run_sync
from kaozheng.api.summarizing import SummaryOptions, asummarize, plan_summary, planned_summary, summarize
from kaozheng.api.writing import awrite, write

__all__ = [
    "DEFAULT_BASE",
    "BaseSummary",
    "Citations",
    "KnowledgeStats",
    "OnEvent",
    "Reviewed",
    "RunResult",
    "SummaryOptions",
    "Upload",
    "aask",
    "afork",
    "akb_add",
    "akb_list",
    "akb_remove",
    "akb_search",
    "akb_stats",
    "answer",
    "aresume",
    "ask",
    "asummarize",
    "awrite",
    "book_of",
    "build_rules",
    "check_output",
    "checkpoints",
    "doctor",
    "fork",
    "graph_mermaid",
    "graph_svg",
    "kb_add",
    "kb_list",
    "kb_remove",
    "kb_search",
    "kb_stats",
    "list_runs",
    "open_knowledge_desk",
    "plan_summary",
    "planned_summary",
    "resume",
    "review",
    "run_sync",
    "save",
    "save_document",
    "save_fixed",
    "save_tables",
    "show_run",
    "summarize",
    "workflow_of",
    "write",
]
