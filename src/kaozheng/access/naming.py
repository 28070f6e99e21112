"""Whose a knowledge base is: bases of a key are kept under its name and two dots, those of the command line under none.

The prefix is made here from who was let in. No request and no model can name another owner's base: a name with two
dots is refused before anything is looked up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from kaozheng.errors import KnowledgeBaseError

SEAM: Final = ".."
_BASE: Final = re.compile(r"[^\W_][\w.-]{0,63}")


def kept_name(owner: str, base: str) -> str:
    """The name under which the index keeps this owner's base; "" owns those of the command line. Raises
    KnowledgeBaseError for what is no name."""
    name = f"{owner}{SEAM}{base}" if owner else base
    if not _BASE.fullmatch(base) or not _BASE.fullmatch(name):
        most = 64 - len(name) + len(base)
        raise KnowledgeBaseError(f"{base!r} is no name for a base: up to {most} letters, digits, - . and _")
    if SEAM in base:
        raise KnowledgeBaseError(f"{base!r} is no name for a base: two dots in a row stand between owner and name")
    return name


def shown_name(owner: str, kept: str) -> str:
    """The name as its owner knows it; the name as it is kept when it is not this owner's."""
    return kept.removeprefix(f"{owner}{SEAM}") if owner else kept


def owned(owner: str, kept: Iterable[str]) -> list[str]:
    """Those of the kept names that are this owner's."""
    return [name for name in kept if (name.startswith(f"{owner}{SEAM}") if owner else SEAM not in name)]


def owner_of(kept: str) -> str:
    """Whose the base of this kept name is; "" for the command line."""
    owner, seam, _ = kept.partition(SEAM)
    return owner if seam else ""
