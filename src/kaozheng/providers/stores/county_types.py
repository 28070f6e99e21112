"""How the nouns of a county stand in columns: decimals with their digits, names of an enumeration, tuples as JSON."""

from __future__ import annotations

import json
from decimal import Decimal
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, Dialect, String, Text
from sqlalchemy.types import TypeDecorator, TypeEngine


def text() -> TypeEngine[str]:
    """Text that both databases sort by its characters and not by the habits of a country."""
    return Text().with_variant(Text(collation="C"), "postgresql")


def json_text(value: Any) -> str:
    """JSON that a person who looks into the tables can read."""
    return json.dumps(value, ensure_ascii=False)


class Digits(TypeDecorator[Decimal]):
    """A decimal as it was written: 340.0 stays 340.0, which a column of numbers would make 340."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> str | None:
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Decimal | None:
        return None if value is None else Decimal(value)


class Worded(TypeDecorator[StrEnum]):
    """A member of this enumeration by its value."""

    impl = String(16)
    cache_ok = True

    def __init__(self, kind: type[StrEnum]) -> None:
        super().__init__()
        self.kind = kind

    def process_bind_param(self, value: StrEnum | None, dialect: Dialect) -> str | None:
        return None if value is None else value.value

    def process_result_value(self, value: str | None, dialect: Dialect) -> StrEnum | None:
        return None if value is None else self.kind(value)


class Tuples(TypeDecorator[tuple[Any, ...]]):
    """Tuples, also in tuples."""

    impl = JSON
    cache_ok = True

    def process_result_value(self, value: list[Any] | None, dialect: Dialect) -> tuple[Any, ...]:
        return _tupled(value or [])


def _tupled(value: list[Any]) -> tuple[Any, ...]:
    return tuple(_tupled(part) if isinstance(part, list) else part for part in value)
