"""Policies, enterprises, projects and other records into the data of counties, by the names of their columns."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kaozheng.api.county import county_lists, open_data
from kaozheng.api.running import run_sync
from kaozheng.aside import aside
from kaozheng.county.importing.finding import Kind
from kaozheng.county.importing.record_rows import RecordRow, rows_of_grid, rows_of_yaml
from kaozheng.county.importing.records import RecordPlan, kind_of, records_of
from kaozheng.county.policy import Policy
from kaozheng.county.records import (
    BusinessTerms,
    ChainLink,
    Enterprise,
    ExpertRule,
    FactorConstraint,
    Mechanism,
    Project,
)
from kaozheng.errors import InputError
from kaozheng.settings import Settings
from kaozheng.wiring.desk import utc_now
from kaozheng.wiring.files import grid_reader, text_of

if TYPE_CHECKING:
    from kaozheng.county.store import Record

KINDS: Final[Mapping[str, type[Record]]] = {
    "policies": Policy,
    "enterprises": Enterprise,
    "projects": Project,
    "constraints": FactorConstraint,
    "chain-links": ChainLink,
    "expert-rules": ExpertRule,
    "mechanisms": Mechanism,
    "terms": BusinessTerms,
}
YAML: Final = frozenset({".yml", ".yaml"})


@dataclass(frozen=True, slots=True)
class RecordImport:
    """What a file of records brought (`kept` False: a preview), and what is told of its cells."""

    path: Path
    kind: str
    plan: RecordPlan[Any]
    kept: bool

    @property
    def exit_code(self) -> int:
        """1 when a record was left out."""
        return int(any(one.kind is Kind.REFUSED for one in self.plan.findings) or not self.plan.records)

    def as_dict(self) -> dict[str, Any]:
        """Plain values; every finding with its cell."""
        return {
            "path": str(self.path),
            "records": self.kind,
            "count": len(self.plan.records),
            "kept": self.kept,
            "findings": [asdict(one) for one in self.plan.findings],
        }


def import_records(
    path: Path, kind: str = "", source: str = "", preview: bool = False, settings: Settings | None = None
) -> RecordImport:
    """Keep the records of a table (XLSX, XLS, CSV) or a YAML list, in the place of those with their ids. Without a
    `kind` their heads say it. `source` is the id of an imported source that they go with. Raises InputError for a kind
    or source that is none, and a table none of whose columns is known; SourceError, StorageError."""
    if kind and kind not in KINDS:
        near = difflib.get_close_matches(kind, KINDS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(KINDS)}"
        raise InputError(f"there are no records {kind!r} ({hint})")
    return run_sync(_import(path, kind, source, preview, settings))


async def _import(path: Path, kind: str, source: str, preview: bool, settings: Settings | None) -> RecordImport:
    lists = await county_lists(settings)
    rows = await _rows(path)
    kind = kind or _said_by_heads(path, rows)
    plan = await aside(records_of, KINDS[kind], rows, lists.regions, utc_now().year)
    if preview or not plan.records:
        return RecordImport(path, kind, plan, kept=False)
    async with open_data(settings, making=True) as data:
        known = [one.id for one in await data.store.sources()]
        if source and source not in known:
            raise InputError(f"there is no source {source!r}; there are: {', '.join(known) or 'none'}")
        await data.store.put_records(plan.records, source)
    return RecordImport(path, kind, plan, kept=True)


def listed_kind(path: Path) -> str:
    """What a table lists, by its heads; "" for one that lists nothing that is known."""

    async def said() -> str:
        try:
            return _name_of(kind_of(await _rows(path)))
        except InputError:
            return ""

    return run_sync(said())


def _said_by_heads(path: Path, rows: Sequence[RecordRow]) -> str:
    try:
        return _name_of(kind_of(rows))
    except InputError:
        raise InputError(f"{path}: its heads do not say what it lists: --records {', '.join(KINDS)}") from None


def _name_of(kind: type[Record]) -> str:
    return next(name for name, known in KINDS.items() if known is kind)


async def _rows(path: Path) -> tuple[RecordRow, ...]:
    if path.suffix.lower() in YAML:
        return rows_of_yaml(text_of(path), path.name)
    book = await grid_reader().workbook(path)
    visible = [grid for grid in book.grids if not grid.hidden and grid.cells]
    return tuple(row for grid in visible for row in rows_of_grid(grid))
