"""Policies: documents with a number, and their clauses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from kaozheng.errors import InputError


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause (第三条) of a policy; `id` is what a draft cites ("P05.8")."""

    id: str
    policy: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy document. `number` is its one written form (川府发〔2022〕21号), `level` is one of 国家级, 省级, 市州级,
    县级. `clause_count` is how many clauses it has (0: as many as are kept): more than `clauses` when only some are."""

    id: str
    number: str
    issuer: str
    date: date
    title: str
    level: str = ""
    clauses: tuple[Clause, ...] = ()
    clause_count: int = 0


def require_own_clauses(records: Iterable[object]) -> None:
    """Raises InputError for a policy with a clause that names another policy as its own."""
    for policy in (record for record in records if isinstance(record, Policy)):
        for clause in policy.clauses:
            if clause.policy != policy.id:
                raise InputError(f"policy {policy.id}: its clause {clause.id} says that it is of {clause.policy!r}")
