"""Questions over a whole table whose evidence is some of its rows: computed by code where that is sure, else told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from kaozheng.aside import aside
from kaozheng.documents.span import LineRange
from kaozheng.errors import StorageError
from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.evidence.table_rows import rows_asked_for
from kaozheng.evidence.table_totals import asks_for_all_rows, computed, has_total_row
from kaozheng.sources.chunk import Chunk
from kaozheng.sources.index import Index
from kaozheng.sources.tables import Table, alike, row_lines, tables_in

PARTIAL_ROWS: Final = "partial_rows"
_MOST_TOLD: Final = 3
_COMPUTED: Final = {"zh": "按整张表计算", "en": "computed over the whole table"}
_SAID: Final[Mapping[str, str]] = {
    "zh": "{document}：问题涉及整张表，检索到的只是其 {rows} 行中的 {seen} 行，据此统计的结果可能不完整",
    "en": "{document}: the question is about a whole table, and {seen} of its {rows} rows were found: "
    "what is counted from them may be incomplete",
}


@dataclass(frozen=True, slots=True)
class TablePart:
    """A table of which not all rows are evidence: how many it has, and the lines of those that each label gives."""

    document: str
    rows: int
    seen: dict[str, frozenset[int]]

    def told(self, language: Literal["zh", "en"]) -> str:
        """How many rows of how many were seen, in words for the asker."""
        seen = len(frozenset().union(*self.seen.values()))
        return _SAID[language].format(document=self.document, rows=self.rows, seen=seen)


@dataclass(frozen=True, slots=True)
class Tabled:
    """The bundle, and the tables that were seen in part. `computed`: it holds what code computed over a whole table,
    and nothing beside, because rows that happened to be found could only mislead."""

    bundle: EvidenceBundle
    parts: tuple[TablePart, ...] = ()
    computed: bool = False


async def tabled(question: str, bundle: EvidenceBundle, index: Index, language: Literal["zh", "en"]) -> Tabled:
    """What a question that counts, adds up or compares all rows needs of the tables in its evidence. Computed is the
    only table that the question can mean; a store that fails leaves the bundle as it is."""
    of_all = asks_for_all_rows(question)
    made: list[EvidenceItem] = []
    parts: list[TablePart] = []
    for items in _by_document(bundle):
        chunks = await _chunks(items[0], index)
        tables = await aside(tables_in, chunks)
        for table in tables:
            where = _place(table, chunks)
            names = (_short(items[0].document), items[0].title, *where.path)
            said = await aside(computed, question, table, names, language) if of_all else ""
            if said := said or await aside(rows_asked_for, question, table, names, language):
                made.append(_item(items[0], where, table, said, language))
        parts += filter(None, (_part(table, items) for table in alike(tables) if of_all))
    if len(made) == 1:
        return Tabled(replace(bundle, items=tuple(made)), computed=True)
    return Tabled(bundle, tuple(parts))


def told_of(parts: tuple[TablePart, ...], labels: list[str], language: Literal["zh", "en"]) -> list[tuple[str, str]]:
    """The warnings for an answer with these labels, of the tables that they lead to; of all when it has none."""
    used = [part for part in parts if not labels or part.seen.keys() & set(labels)]
    return [(PARTIAL_ROWS, part.told(language)) for part in used[:_MOST_TOLD]]


def _by_document(bundle: EvidenceBundle) -> list[list[EvidenceItem]]:
    """The items with rows that came from a base, those of one document together."""
    documents: dict[tuple[str, str], list[EvidenceItem]] = {}
    for item in bundle.items:
        if item.base and any(True for _ in row_lines(item.text, 0)):
            documents.setdefault((item.base, item.document), []).append(item)
    return list(documents.values())


async def _chunks(item: EvidenceItem, index: Index) -> Sequence[Chunk]:
    try:
        return await index.chunks(item.base, item.document)
    except StorageError:
        return ()


def _short(document: str) -> str:
    """The last part of a path or an address."""
    return document.rstrip("/").rpartition("/")[2] or document


def _place(table: Table, chunks: Sequence[Chunk]) -> Chunk:
    """The chunk with the table's first row."""
    return next(chunk for chunk in chunks if chunk.lines.start <= table.lines[0] <= chunk.lines.end)


def _lines(item: EvidenceItem, table: Table) -> frozenset[int]:
    return frozenset(number for number, _ in row_lines(item.text, item.lines.start) if number in table.rows)


def _part(table: Table, items: list[EvidenceItem]) -> TablePart | None:
    """None where no row or all rows are evidence, or a row that was seen is itself the total."""
    seen = {item.label: lines for item in items if (lines := _lines(item, table))}
    lines = frozenset[int]().union(*seen.values())
    if len(lines) in (0, len(table.rows)) or has_total_row({line: table.rows[line] for line in lines}):
        return None
    return TablePart(_short(items[0].document), len(table.rows), seen)


def _item(item: EvidenceItem, where: Chunk, table: Table, said: str, language: str) -> EvidenceItem:
    """The computed value as evidence at the table's place: of no chunk, and its path says that code made it."""
    first, last = table.lines
    return EvidenceItem(
        "E1",
        item.base,
        item.document,
        item.title,
        (*where.path, _COMPUTED["zh" if language == "zh" else "en"]),
        LineRange(first, last),
        where.span,
        said,
        score=item.score,
    )
