"""From sections to one draft: front matter, title, table of contents, sections, references, footnotes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import yaml

from kaozheng.artifacts import ArtifactStore
from kaozheng.aside import aside
from kaozheng.documents.code_span import code_span
from kaozheng.documents.document import Document
from kaozheng.documents.headings import heading_text, table_of_contents
from kaozheng.documents.html import without_html
from kaozheng.documents.span import Span
from kaozheng.evidence.disputes import conflicts, disputed
from kaozheng.ports import Emit
from kaozheng.rules.rule import RuleBook
from kaozheng.sources.material import Material
from kaozheng.workflows.review.repairing import WORK_IN_PROGRESS
from kaozheng.workflows.step import Changes, Step
from kaozheng.workflows.write.citing import Numbered, numbered
from kaozheng.workflows.write.code_places import counted_files
from kaozheng.workflows.write.state import DocState

CONTENTS = {"zh": "目录", "en": "Contents"}
_PART_LEVEL = 2
REFERENCES = {"zh": "参考资料", "en": "References"}


def assemble_step(book: RuleBook) -> Step:
    """The assembly, which also opens the review pipeline of `book`."""

    async def assemble(state: DocState, artifacts: ArtifactStore, emit: Emit) -> Changes:
        material = await aside(Material.from_json, await artifacts.get(state["context"]))
        language = "zh" if material.language == "zh" else "en"
        sections = [
            await _section(state["sections"].get(str(index)), index, language, artifacts)
            for index in range(state["section_count"])
        ]
        body = numbered("\n".join(sections), material)
        found = await aside(conflicts, material)
        body = replace(body, notes=disputed(body.notes, body.table, material, found))
        draft = await aside(
            _draft, body, _references(body, material, state), state["topic"], state.get("date", ""), language
        )
        emit("note", {"assembled": len(sections), "footnotes": len(body.table)})
        return {
            "current_draft": await artifacts.put(WORK_IN_PROGRESS, draft),
            "marks": await artifacts.put("marks.json", json.dumps(body.table)),
            "conflicts": await artifacts.put("conflicts.json", json.dumps(found, ensure_ascii=False)),
            "review_pipeline": [module.key for module in book.modules],
            "current_review_index": 0,
            "iteration_counts": {},
            "is_valid": False,
            "reviews": {},
            "revision_log": None,
        }

    return assemble


def _references(body: Numbered, material: Material, state: DocState) -> str:
    """The sources cited; of a code base how many of its files: footnotes and tables name them."""
    if not material.about_code:
        return "\n".join(f"- {code_span(path)}" for path in body.paths)
    files = len(counted_files([body.text, *body.notes]))
    name = code_span(Path(state.get("source_path", "")).name)
    if material.language == "zh":
        return f"- 代码库 {name}：引用其中 {files} 个文件的内容"
    return f"- The code base {name}: {files} of its files are cited"


def _draft(body: Numbered, references: str, title: str, date: str, language: str) -> str:
    none = "无" if language == "zh" else "None"
    parts = [
        _front_matter(title, date),
        f"{without_html(f'# {heading_text(title)}')}\n",
        f"## {CONTENTS[language]}\n",
        body.text,
        f"## {REFERENCES[language]}\n\n{references or none}\n",
        *(["\n".join(body.notes) + "\n"] if body.notes else []),
    ]
    return with_contents("\n".join(parts))


def with_contents(draft: str) -> str:
    """`draft` with the list under its table of contents' heading made anew from its other headings."""
    document = Document(draft)
    contents, _ = own_parts(document)
    if contents is None:
        return draft
    _, _, listing = table_of_contents(document).partition("\n")  # its own line is the first
    heading = draft[contents.start :].split("\n", 1)[0]
    return f"{draft[: contents.start]}{heading.rstrip()}\n\n{listing.strip()}\n\n{draft[contents.end :]}"


def own_parts(document: Document) -> tuple[Span | None, Span | None]:
    """The contents, from the first heading of level 2 to the next heading, and the references, from the last one to
    the end. By place and not by title alone: a section of the material may bear the same name."""
    tops = [place for place, one in enumerate(document.headings) if one.level == _PART_LEVEL and not one.nested]
    if not tops:
        return None, None
    first, last = document.headings[tops[0]], document.headings[tops[-1]]
    following = document.headings[tops[0] + 1 : tops[0] + 2]
    end = following[0].span.start if following else len(document.text)
    contents = Span(first.span.start, end) if first.text in CONTENTS.values() else None
    named = last.text in REFERENCES.values() and last is not first
    return contents, Span(last.span.start, len(document.text)) if named else None


async def _section(kept: dict[str, str] | None, index: int, language: str, artifacts: ArtifactStore) -> str:
    if kept and kept["status"] == "written":
        return await artifacts.get(kept["ref"])
    title = (kept or {}).get("title", str(index + 1))
    reason = (kept or {}).get("reason", "")
    told = f"【章节 {index + 1} 未能生成】" if language == "zh" else f"[Section {index + 1} could not be written]"
    return f"## {heading_text(title)}\n\n> {told} {reason}\n"


def _front_matter(title: str, date: str) -> str:
    return (
        f"---\n{yaml.safe_dump({'title': title, 'date': date}, allow_unicode=True, sort_keys=False, width=10_000)}---\n"
    )
