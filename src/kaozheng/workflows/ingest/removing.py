"""Documents out of a base, by whatever name somebody has for them."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import PurePath

from kaozheng.errors import InputError, KnowledgeBaseError
from kaozheng.sources.index import Index
from kaozheng.workflows.ingest.holdings import open_holdings
from kaozheng.workflows.ingest.report import Outcome


def require_named(asked: Sequence[str], *, everything: bool) -> None:
    """Raise InputError unless documents are named, or all of them are meant. An empty name is a variable that was not
    set; it, "." and "/" would mean all that was added from there, which nobody says by accident of a whole base."""
    if bool(asked) == everything:
        raise InputError("name the documents to remove, or say that all of the base goes")
    for one in asked:
        if not one.strip() or PurePath(one.strip()).name in ("", ".."):
            raise InputError(f"{one!r} names no document: give its name, or the name of a folder")


async def removed(index: Index, base: str, asked: Sequence[tuple[str, str]]) -> list[Outcome]:
    """Take out the documents that are meant (see `meant`), or the whole base when nothing is named; what became of
    each. Raises KnowledgeBaseError when a name or the base means nothing: nothing is removed then."""
    names = [entry.name for entry in await index.entries(base)]
    if not asked:
        await index.drop(base)
        return [Outcome(name, "removed") for name in names]
    wanted = dict.fromkeys(name for given, place in asked for name in meant(base, names, given, place))
    holdings = await open_holdings(index, base)
    return [await holdings.remove(name) for name in wanted]


def meant(base: str, names: Sequence[str], given: str, place: str) -> list[str]:
    """The documents that `given` means: the one of this name; the one at this place on the disk (`place` is what was
    given as a full path) or all below it; the only one whose name ends so.

    Raises KnowledgeBaseError when that is none, or one of several.
    """
    for name in (given, place):
        if name in names:
            return [name]
    if inside := [name for name in names if name.startswith(f"{place.rstrip('/')}/")]:
        return inside
    ends = [name for name in names if name.endswith(f"/{given}")]
    if len(ends) > 1:
        raise KnowledgeBaseError(f"{base} has {len(ends)} documents {given}: {', '.join(ends[:3])}; name one in full")
    if ends:
        return ends
    tails = {name.rpartition("/")[2]: name for name in names}
    near = [tails.get(one, one) for one in difflib.get_close_matches(given, [*names, *tails], n=1)]
    raise KnowledgeBaseError(f"{base} has no document {given}" + (f"; did you mean {near[0]}?" if near else ""))
