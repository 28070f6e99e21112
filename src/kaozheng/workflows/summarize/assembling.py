"""From sections to the summary (title, what is missing, sections, disputes, footnotes) and to its trace."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from kaozheng.artifacts import ArtifactStore
from kaozheng.aside import aside
from kaozheng.documents.code_span import code_span
from kaozheng.documents.headings import heading_text
from kaozheng.documents.html import without_html
from kaozheng.evidence.disputes import conflicts, disputed
from kaozheng.evidence.file_places import place_told
from kaozheng.ports import Emit
from kaozheng.roles.labels import own_words
from kaozheng.sources.material import Material
from kaozheng.sources.text_blocks import TextBlock
from kaozheng.workflows.step import Changes
from kaozheng.workflows.summarize.cited import Cited, SectionText, joined
from kaozheng.workflows.summarize.leaves import Leaf, leaves_of
from kaozheng.workflows.summarize.missing import missing, notices, unmentioned
from kaozheng.workflows.summarize.parsed import parsed
from kaozheng.workflows.summarize.planning import tree_of
from kaozheng.workflows.summarize.splitting import blocks_of
from kaozheng.workflows.summarize.state import SummaryState
from kaozheng.workflows.summarize.writing import earlier_sections

TRACE, CONFLICTS = "trace.json", "conflicts.json"
_DISPUTES: Final = {"zh": "说法不一", "en": "Where the text disagrees with itself"}
_BLOCK_SIGN: Final = re.compile(r"\A(\d*)([.)#>|+*-])(?=[#\s|-])")
_SAYS_SUMMARY: Final = re.compile(r"摘要|概要|总结|\bsummar", re.IGNORECASE)
_GAP: Final = {"zh": "> 【本节未能生成】 {}", "en": "> [This section could not be written] {}"}


async def finish(state: SummaryState, artifacts: ArtifactStore, emit: Emit) -> Changes:
    """The summary as one text, and the trace."""
    material = await parsed(artifacts, state["context"], Material.from_json)
    blocks = await parsed(artifacts, state["chunks"], blocks_of)
    leaves = leaves_of(await parsed(artifacts, state["planning_tree"], tree_of))
    sections = await earlier_sections(state, artifacts)
    remarks = [json.loads(await artifacts.get(ref)) for ref in state["not_by_model"]]
    found = await aside(conflicts, material)
    told = [*unmentioned(state.get("focus", ""), material), *notices(missing(state, remarks), blocks, material)]
    whole = _Summary(material, blocks, state.get("citations", "footnote") == "footnote")
    text = await aside(whole.text, state, leaves, sections, found, told)
    emit("note", {"assembled": len(sections), "footnotes": len(whole.labels)})
    trace = json.dumps(whole.statements, ensure_ascii=False, indent=1)
    return {
        "final_output": text,
        "trace": await artifacts.put(TRACE, trace),
        "conflicts": await artifacts.put(CONFLICTS, json.dumps(found, ensure_ascii=False)),
    }


def as_prose(paragraph: str) -> str:
    """The paragraph so that Markdown takes its beginning for words: a sentence may begin as a list item would."""
    return _BLOCK_SIGN.sub(lambda found: f"{found[1]}\\{found[2]}", paragraph)


@dataclass(slots=True)
class _Summary:
    """Grows line by line, so that each sentence knows the line that it stands in."""

    material: Material
    blocks: Sequence[TextBlock]
    footnotes: bool
    lines: list[str] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    """Passage -> label."""
    statements: list[dict[str, Any]] = field(default_factory=list)
    block_of: dict[str, str] = field(default_factory=dict)

    def text(
        self,
        state: SummaryState,
        leaves: Sequence[Leaf],
        sections: Mapping[int, SectionText],
        found: list[dict[str, Any]],
        told: Sequence[str],
    ) -> str:
        """The whole summary in Markdown."""
        self.block_of = {id: block.id for block in self.blocks for id in block.passages}
        self.add(self.heading("#", self.named(state["topic"])))
        for line in told:
            self.add(f"> {self.plain(line)}")
        above = ""
        for index, leaf in enumerate(leaves):
            if leaf.above and leaf.above != above:
                self.add(self.heading("##", leaf.above))
            above = leaf.above or leaf.title
            mark = "###" if leaf.above else "##"
            self.add(self.heading(mark, leaf.title))
            if section := sections.get(index):
                self.paragraphs(section)
            else:
                reason = state["sections"].get(str(index), {}).get("reason", "")
                self.add(_GAP[self.language].format(self.plain(reason)).rstrip())
        if found:
            self.add(f"## {_DISPUTES[self.language]}")
            self.add("\n".join(f"- {self.dispute(one)}" for one in found))
        if self.footnotes and self.labels:
            table = {label: id for id, label in self.labels.items()}
            notes = [f"[^{label}]: {self.place(id)}" for label, id in table.items()]
            self.add("\n".join(disputed(notes, self.told_apart(table, found), self.material, found)))
        return "\n".join(self.lines).rstrip("\n") + "\n"

    def heading(self, mark: str, title: str) -> str:
        return f"{mark} {heading_text(self.plain(title))}"

    def named(self, title: str) -> str:
        """The title so that the summary cannot be taken for its text."""
        if _SAYS_SUMMARY.search(title):
            return title
        return f"{title}（摘要）" if self.language == "zh" else f"{title} (summary)"

    def plain(self, text: str) -> str:
        """Words of others without HTML that a page would run and without marks that would be taken for ours."""
        return without_html(own_words(text))

    def told_apart(self, table: Mapping[str, str], found: Sequence[Mapping[str, Any]]) -> dict[str, str]:
        """The footnotes of sentences that have one of the values in dispute: a passage says other things too."""
        values = {" ".join(at["value"].split()) for one in found for at in one["places"]}
        said: dict[str, str] = {}
        for one in self.statements:
            for evidence in one["evidence"]:
                said[evidence["passage"]] = said.get(evidence["passage"], "") + one["text"]
        return {label: id for label, id in table.items() if any(value in said.get(id, "") for value in values)}

    @property
    def language(self) -> str:
        return "zh" if self.material.language == "zh" else "en"

    def add(self, block: str) -> None:
        self.lines.extend([*block.split("\n"), ""])

    def paragraphs(self, section: SectionText) -> None:
        """Each paragraph is one line."""
        for paragraph in section.paragraphs:
            line = len(self.lines) + 1
            self.add(as_prose(joined((self.plain(one.text), self.marks(one)) for one in paragraph)))
            self.statements.extend(self.traced(one, line, section.title) for one in paragraph)

    def marks(self, sentence: Cited) -> str:
        """Its footnotes."""
        if not self.footnotes:
            return ""
        marks = dict.fromkeys(self.labels.setdefault(at.passage, str(len(self.labels) + 1)) for at in sentence.places)
        return "".join(f"[^{label}]" for label in marks)

    def traced(self, sentence: Cited, line: int, section: str) -> dict[str, Any]:
        """The sentence, where it stands, and its evidence with the blocks that this stands in."""
        evidence = [
            {"block": self.block_of[at.passage]}
            | at.evidence(self.material).labelled(self.labels.get(at.passage, "")).as_dict()
            for at in sentence.places
        ]
        return {
            "text": sentence.text,
            "section": section,
            "lines": [line, line],
            "status": "supported",
            "restored": sentence.restored,
            "evidence": evidence,
        }

    def place(self, passage: str) -> str:
        one = self.material.passage(passage)
        return place_told(self.material.source(one.source), one, self.language)

    def dispute(self, one: Mapping[str, Any]) -> str:
        """One subject with its values and where each stands."""
        zh = self.language == "zh"
        places = []
        for at in one["places"]:
            where = at.get("where") or (f"第 {at['line']} 行" if zh else f"line {at['line']}")
            value = " ".join(at["value"].split())
            path = code_span(at["path"])
            places.append(f"{value}（{path}，{where}）" if zh else f"{value} ({path}, {where})")
        subject = without_html(" ".join(one["subject"].split()))
        return f"{subject}：{'；'.join(places)}" if zh else f"{subject}: {'; '.join(places)}"
