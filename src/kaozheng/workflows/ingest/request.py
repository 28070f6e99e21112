"""What is to go into a base: files, folders, pages, texts that were handed over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kaozheng.sources.files import Files, FoundFile, Listing, Loaded, Upload

__all__ = ["IngestRequest", "Item", "Upload", "gone", "listed"]


@dataclass(frozen=True, slots=True)
class IngestRequest:
    """`labels` are those that were said for all documents (names of `Labels`); what is not said comes from a document's
    front matter, or stays as it was. `prune` removes the documents of the folders whose files are gone. `force` reads
    unchanged documents again."""

    base: str
    paths: tuple[Path, ...] = ()
    urls: tuple[str, ...] = ()
    uploads: tuple[Upload, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    prune: bool = False
    force: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """One document to be looked at: a file, a page, or bytes. `why` says why it is left out."""

    name: str
    file: FoundFile | None = None
    url: str = ""
    loaded: Loaded | None = None
    why: str = ""


async def listed(request: IngestRequest, files: Files) -> tuple[list[Item], list[Listing]]:
    """The documents, each once, in the order of the request; and the folders among the paths. Raises SourceError when a
    path is not there or a folder has no file: before anything is done."""
    listings = [await files.found(path) for path in request.paths]
    items = [
        # Of a file that was named somebody wants to hear why it cannot be read; in a folder there is much beside.
        Item(file.name, file, why=file.why if one.folder else "")
        for one in listings
        for file in one.files
    ]
    items += [Item(url, url=url) for url in request.urls]
    items += [Item(one.name, loaded=Loaded.of(one.data)) for one in request.uploads]
    return list({item.name: item for item in reversed(items)}.values())[::-1], [one for one in listings if one.folder]


def gone(listings: Sequence[Listing], names: Sequence[str]) -> list[str]:
    """Those of the names that lie in a listed folder and are not there any more. Below what could not be looked into
    (a folder without permission, a link) nobody knows."""
    lost: list[str] = []
    for listing in listings:
        there = {file.name for file in listing.files}
        closed = tuple(f"{file.name}/" for file in listing.files if file.why)
        inside = f"{listing.folder.rstrip('/')}/"
        lost += [
            name for name in names if name.startswith(inside) and name not in there and not name.startswith(closed)
        ]
    return list(dict.fromkeys(lost))
