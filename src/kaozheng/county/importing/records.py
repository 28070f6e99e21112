"""Records of policies, enterprises, projects and the like from sheets and YAML, by the names of their columns."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any, Generic, TypeVar

from kaozheng.county.importing.finding import Code, ImportFinding
from kaozheng.county.importing.plan import Findings
from kaozheng.county.importing.record_columns import COLUMNS, Column
from kaozheng.county.importing.record_fields import FieldFault, FieldReader
from kaozheng.county.importing.record_rows import RecordRow, plain_head
from kaozheng.county.policy import Clause, Policy
from kaozheng.county.regions.gazetteer import Gazetteer
from kaozheng.county.store import Record
from kaozheng.errors import InputError
from kaozheng.indicators.reason import Reason

R = TypeVar("R", bound=Record)
_HIDDEN = Reason("该行被隐藏", "the row is hidden")


@dataclass(frozen=True, slots=True)
class RecordPlan(Generic[R]):
    """Records that would be kept, and what is told of single cells."""

    records: tuple[R, ...]
    findings: tuple[ImportFinding, ...]


def records_of(kind: type[R], rows: Iterable[RecordRow], gazetteer: Gazetteer, year: int) -> RecordPlan[R]:
    """The records of a kind; regions are named as in `year`. A record without an id gets one of what it says, so that
    the same record comes to the same id. Raises InputError where no column is known at all."""
    rows = tuple(rows)
    findings = Findings()
    heads = {plain_head(head): column for column in reversed(COLUMNS[kind]) for head in column.heads}
    there = dict.fromkeys(head for row in rows for head in row.cells)
    if rows and not any(head in heads for head in there):
        known = ", ".join(" / ".join(column.heads[:2]) for column in COLUMNS[kind])
        raise InputError(f"{rows[0].at}: no column of {kind.__name__} is known; there are: {known}")
    for head in there:
        if head not in heads:
            cell = next(row.cells[head] for row in rows if head in row.cells)
            said = Reason(f"没有“{head}”这一列，未导入", f"no column is called {head}: not imported")
            findings.note(Code.UNKNOWN_COLUMN, cell.at, cell.text, said)
    reader = FieldReader(gazetteer, year, findings)
    found: dict[str, list[tuple[RecordRow, R]]] = {}
    for row in rows:
        if row.is_hidden:
            findings.refuse(Code.HIDDEN, row.at, _text(row), _HIDDEN)
        elif (record := _record(kind, row, heads, reader, findings)) is not None:
            found.setdefault(record.id, []).append((row, record))
    records = [one for group in found.values() if (one := _agreed(group, findings)) is not None]
    return RecordPlan(tuple(records), findings.all())


def kind_of(rows: Iterable[RecordRow]) -> type[Record]:
    """The kind that most heads of a table are of, all that it must have among them. Raises InputError when there is
    none, or when two kinds fit as well."""
    rows = tuple(rows)
    there = {head for row in rows for head in row.cells}
    counts = {kind: _known_heads(columns, there) for kind, columns in COLUMNS.items()}
    best = max(counts.values(), default=0)
    fitting = [kind for kind, count in counts.items() if count == best > 0]
    if len(fitting) == 1:
        return fitting[0]
    where = rows[0].at if rows else "the table"
    kinds = ", ".join(kind.__name__.lower() for kind in fitting or COLUMNS)
    raise InputError(f"{where}: the heads do not say of what kind the records are; say which: {kinds}")


def _known_heads(columns: Sequence[Column], there: Collection[str]) -> int:
    """How many columns have a head in a table, 0 without one that the records must have."""
    named = [column for column in columns if any(plain_head(head) in there for head in column.heads)]
    return len(named) if all(column in named for column in columns if column.is_required) else 0


def _record(
    kind: type[R], row: RecordRow, heads: Mapping[str, Column], reader: FieldReader, findings: Findings
) -> R | None:
    values = _values(row, heads, reader, findings)
    if values is None:
        return None
    for column in COLUMNS[kind]:
        if column.is_required and column.field not in values:
            said = Reason(f"缺少“{column.heads[1]}”", f"{column.field} is missing")
            findings.refuse(Code.INCOMPLETE, row.at, _text(row), said)
            return None
    values["id"] = values.get("id") or _id_of(kind, values)
    if clauses := values.get("clauses"):
        policy = values["id"]
        values["clauses"] = tuple(Clause(f"{policy}.{number}", policy, number, text) for number, text in clauses)
    without = {field.name: None for field in fields(kind) if field.default is MISSING}
    return kind(**(without | values))


def _values(
    row: RecordRow, heads: Mapping[str, Column], reader: FieldReader, findings: Findings
) -> dict[str, Any] | None:
    """The fields that a row fills, None when one of them cannot be read or two columns of one field differ."""
    values: dict[str, Any] = {}
    is_whole = True
    for head, cell in row.cells.items():
        column = heads.get(head)
        if column is None or not (cell.text or cell.inner):
            continue
        read = reader.read(column, cell)
        if not isinstance(read, FieldFault) and values.setdefault(column.field, read) != read:
            said = Reason(f"“{head}”与另一列不一致", f"{head} differs from another column of {column.field}")
            read = FieldFault(Code.CONTRADICTED, said)
        if isinstance(read, FieldFault):
            findings.refuse(read.code, cell.at, cell.text, read.reason)
            is_whole = False
    return values if is_whole else None


def _text(row: RecordRow) -> str:
    return " ".join(cell.text for cell in row.cells.values())


def _id_of(kind: type[Any], values: Mapping[str, Any]) -> str:
    """The number of a policy; of others twelve digits of the hash of what the record must say."""
    if kind is Policy:
        return str(values["number"])
    required = [str(values[column.field]) for column in COLUMNS[kind] if column.is_required]
    return hashlib.sha256("\n".join(required).encode()).hexdigest()[:12]


def _agreed(group: Sequence[tuple[RecordRow, R]], findings: Findings) -> R | None:
    """The one record of an id: rows that say the same are one, a policy has the clauses of all its rows."""
    first = group[0][1]
    if len(group) == 1:
        return first
    clauses = tuple(dict.fromkeys(clause for _, one in group if isinstance(one, Policy) for clause in one.clauses))
    bare = [replace(one, clauses=()) if isinstance(one, Policy) else one for _, one in group]
    numbers = {clause.number for clause in clauses}
    if any(one != bare[0] for one in bare) or len(numbers) < len(clauses):
        for row, one in group:
            said = Reason(f"编号 {one.id} 有不同的内容", f"the id {one.id} stands for different records")
            findings.refuse(Code.CONTRADICTED, row.at, _text(row), said)
        return None
    if isinstance(first, Policy) and clauses:
        return replace(first, clauses=clauses)
    for row, _ in group[1:]:
        said = Reason(f"与 {group[0][0].at} 重复", f"the same as in {group[0][0].at}")
        findings.note(Code.REPEATED, row.at, _text(row), said)
    return first
