"""Texts that every database can keep: PostgreSQL takes no NUL, none takes half a surrogate pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from kaozheng.errors import InputError


def require_whole_texts(texts: Iterable[str], where: str) -> None:
    """Raises InputError for what cannot be kept; `where` says whose texts these are."""
    joined = "".join(texts)
    if "\0" not in joined:
        if joined.isascii():
            return
        try:
            joined.encode()
        except UnicodeEncodeError:
            pass
        else:
            return
    raise InputError(f"{where}: it holds a NUL or half a character, which no database keeps: take it out")


def require_keepable(things: Iterable[Any]) -> None:
    """`require_whole_texts` for all texts of these dataclasses."""
    for thing in things:
        require_whole_texts(_texts(thing), type(thing).__name__)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _texts(getattr(value, field.name))
