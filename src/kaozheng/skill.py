"""Kaozheng as LangChain tools, for agents that need a document written, a long text summarised, or documents kept."""

from __future__ import annotations

from pathlib import Path

from langchain_core.tools import ToolException, tool

from kaozheng import api
from kaozheng.errors import KaozhengError

_NOTES = {
    ".md", ".markdown", ".mdx", ".txt", ".rst", ".adoc", ".org", ".docx", ".pptx", ".xlsx", ".csv", ".pdf",
}  # fmt: skip


@tool
def generate_docs_skill(topic: str, source_path: str = ".") -> str:
    """Write a technical document on `topic` from what stands at `source_path`.

    It is checked against the house style and returned as Markdown.
    A note or a folder that holds only notes is written from its notes; everything else is a code base.
    """
    place = Path(source_path)
    if not place.exists():
        raise ToolException(f"{source_path}: no such file or folder")
    try:
        result = api.write(topic=topic, notes=place) if _holds_only_notes(place) else api.write(topic=topic, code=place)
    except KaozhengError as error:
        raise ToolException(str(error)) from error
    return result.document


@tool
def summarize_skill(source_path: str = "", text: str = "", focus: str = "") -> str:
    """Summarise something long: the file or folder at `source_path`, or the `text` itself (give one of the two).

    `focus` says what matters most. Returned as Markdown; the footnotes lead back to the lines of the text.
    """
    if bool(source_path.strip()) == bool(text.strip()):
        raise ToolException("give one of source_path and text")
    try:
        result = api.summarize(Path(source_path) if source_path.strip() else text, focus=focus)
    except KaozhengError as error:
        raise ToolException(str(error)) from error
    return result.document


@tool
def ingest_docs(source_path: str, kb: str = api.DEFAULT_BASE) -> str:
    """Put the documents at `source_path` (a file, a folder or a web page) into the knowledge base `kb`.

    They are cut into pieces of some 500 characters that share 50 with their neighbours, and can be searched then.
    What has not changed since the last time is left alone.
    """
    try:
        report = api.kb_add(source_path, kb)
    except KaozhengError as error:
        raise ToolException(str(error)) from error
    counts = ", ".join(f"{count} {status}" for status, count in report.counts.items())
    failed = [f"{one.name}: {one.reason}" for one in report.outcomes if one.status == "failed"]
    return "\n".join([f"{kb}: {counts}; {report.chunks} chunks written", *failed])


def _holds_only_notes(place: Path) -> bool:
    if place.is_file():
        return place.suffix.lower() in _NOTES
    files = (one for one in place.rglob("*") if one.is_file())
    suffixes = {one.suffix.lower() for one in files if not _is_hidden(one.relative_to(place))}
    return bool(suffixes) and suffixes <= _NOTES


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
