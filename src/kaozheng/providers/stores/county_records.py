"""Regions, indicators, records and tickets in and out of their tables: a column is a field."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any, TypeVar

import sqlalchemy as sa

from kaozheng.county.policy import Clause, Policy
from kaozheng.county.store import Record
from kaozheng.providers.stores.county_tables import RECORDS, clauses

T = TypeVar("T")
R = TypeVar("R", bound=Record)


def fields_in(thing: object, table: sa.Table) -> dict[str, Any]:
    """The fields of a dataclass that are columns of the table."""
    return {name: getattr(thing, name) for name in _columns(type(thing), table)}


def replace_rows(connection: sa.Connection, table: sa.Table, rows: Sequence[dict[str, Any]]) -> None:
    """Put the rows in the place of those with their keys; of two with one key the last is kept."""
    keys = [column.name for column in table.primary_key]
    last = {tuple(row[key] for key in keys): row for row in rows}
    if last:
        same = (table.c[key] == sa.bindparam(f"old_{key}") for key in keys)
        gone = [{f"old_{key}": row[key] for key in keys} for row in last.values()]
        connection.execute(sa.delete(table).where(*same), gone)
        connection.execute(sa.insert(table), [*last.values()])


def read_all(connection: sa.Connection, kind: type[T], table: sa.Table, *where: sa.ColumnElement[bool]) -> list[T]:
    """The rows of a table by its key, as this dataclass."""
    chosen = sa.select(*(table.c[name] for name in _columns(kind, table)))
    found = connection.execute(chosen.where(*where).order_by(*table.primary_key))
    return [kind(**row) for row in found.mappings()]


def put_records(connection: sa.Connection, records: Iterable[Record], origin: str) -> None:
    """Keep these in the place of those of their kind and id."""
    by_kind: dict[type[Record], dict[str, Record]] = defaultdict(dict)
    for record in records:
        by_kind[type(record)][record.id] = record
    for kind, of_kind in by_kind.items():
        table = RECORDS[kind]
        replace_rows(connection, table, [fields_in(one, table) | {"origin": origin} for one in of_kind.values()])
    _put_clauses(connection, [one for one in by_kind[Policy].values() if isinstance(one, Policy)])


def records_of(connection: sa.Connection, kind: type[R], region: str) -> list[R]:
    """The records of a kind by id."""
    table = RECORDS[kind]
    if kind is Policy:
        return [] if region else _policies(connection)  # type: ignore[return-value]
    return read_all(connection, kind, table, *((table.c.region == region,) if region else ()))


def remove_records(connection: sa.Connection, origin: str) -> int:
    """Take out what came with a source; how many."""
    policies = RECORDS[Policy]
    own = sa.select(policies.c.id).where(policies.c.origin == origin)
    connection.execute(sa.delete(clauses).where(clauses.c.policy.in_(own)))
    gone = [connection.execute(sa.delete(table).where(table.c.origin == origin)) for table in RECORDS.values()]
    return sum(one.rowcount for one in gone)


def _put_clauses(connection: sa.Connection, policies: Sequence[Policy]) -> None:
    if not policies:
        return
    connection.execute(
        sa.delete(clauses).where(clauses.c.policy == sa.bindparam("gone")), [{"gone": one.id} for one in policies]
    )
    rows = [{**fields_in(one, clauses), "place": place} for of in policies for place, one in enumerate(of.clauses)]
    if rows:
        connection.execute(sa.insert(clauses), rows)


def _policies(connection: sa.Connection) -> list[Policy]:
    of_policy: dict[str, list[Clause]] = defaultdict(list)
    for clause in read_all(connection, Clause, clauses):
        of_policy[clause.policy].append(clause)
    table = RECORDS[Policy]
    found = connection.execute(sa.select(*(table.c[name] for name in _columns(Policy, table))).order_by(table.c.id))
    return [Policy(**row, clauses=tuple(of_policy[row["id"]])) for row in found.mappings()]


def _columns(kind: type, table: sa.Table) -> list[str]:
    return [field.name for field in fields(kind) if field.name in table.c]
