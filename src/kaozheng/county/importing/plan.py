"""What an import would do: the rows, and what is told of single cells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kaozheng.county.importing.finding import Code, ImportFinding, Kind
from kaozheng.county.table_source import TableSource
from kaozheng.indicators.indicator import Indicator
from kaozheng.indicators.observation import Observation
from kaozheng.indicators.reason import Reason


@dataclass(frozen=True, slots=True)
class Plan:
    """Rows of one source. `indicators` are those that the rows are of, `refused` counts the cells that were left out
    (one finding may speak of many), `unread` names sheets that no table of the mapping reads, `notes` are the lines
    below the tables."""

    source: TableSource
    indicators: tuple[Indicator, ...]
    observations: tuple[Observation, ...]
    findings: tuple[ImportFinding, ...]
    refused: int = 0
    unread: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Findings:
    """Collects remarks: of one fault in one place there is one, with the number of cells that it concerns."""

    def __init__(self) -> None:
        self._found: dict[tuple[Kind, Code, str, str], tuple[str, Reason, set[str]]] = {}

    def refuse(self, code: Code, cell: str, raw: str, reason: Reason, value: str = "") -> None:
        """A cell was left out: `cell` is where the fault is, `value` the cell that is not imported because of it."""
        _, _, concerned = self._found.setdefault((Kind.REFUSED, code, cell, reason.zh), (raw, reason, set()))
        concerned.add(value or cell)

    def note(self, code: Code, cell: str, raw: str, reason: Reason) -> None:
        """A cell was imported with a remark; the first one of its kind counts."""
        self._found.setdefault((Kind.NOTED, code, cell, ""), (raw, reason, set()))

    def refused(self) -> frozenset[str]:
        """All cells that were left out."""
        return frozenset(cell for _, _, concerned in self._found.values() for cell in concerned)

    def all(self) -> tuple[ImportFinding, ...]:
        """In the order in which they were met."""
        return tuple(
            ImportFinding(kind, code, cell, raw, _counted(reason, concerned - {cell}))
            for (kind, code, cell, _), (raw, reason, concerned) in self._found.items()
        )


def _counted(reason: Reason, concerned: Iterable[str]) -> Reason:
    count = len(set(concerned))
    if not count:
        return reason
    said = f"{count} value{'s' if count > 1 else ''} left out"
    return Reason(f"{reason.zh}（{count} 个数值未导入）", f"{reason.en} ({said})")
