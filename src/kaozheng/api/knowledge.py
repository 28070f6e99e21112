"""Knowledge bases: documents in and out, and what they say to a question.

The functions that begin with `a` are for callers with an event loop. With `desk` they work on one that is open already
(`open_knowledge_desk`), as a server does; without, each opens the database for itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kaozheng.access.naming import owned, owner_of
from kaozheng.api.choosing import with_choices
from kaozheng.api.running import run_sync
from kaozheng.errors import InputError, KnowledgeBaseError
from kaozheng.models.budget import Budget
from kaozheng.settings import Settings
from kaozheng.sources.files import Upload
from kaozheng.sources.index import LABELS, Within
from kaozheng.wiring import check_embedder, check_reranker, open_knowledge
from kaozheng.wiring.knowledge import knowledge_file

if TYPE_CHECKING:
    from kaozheng.ports import Emit, Ports
    from kaozheng.runs.knowledge_desk import KnowledgeDesk
    from kaozheng.sources.index import Found
    from kaozheng.sources.twins import Document
    from kaozheng.workflows.ingest.report import IngestReport, OnProgress, Outcome

__all__ = [
    "DEFAULT_BASE",
    "BaseSummary",
    "KnowledgeStats",
    "Upload",
    "akb_add",
    "akb_list",
    "akb_remove",
    "akb_search",
    "akb_stats",
    "kb_add",
    "kb_list",
    "kb_remove",
    "kb_search",
    "kb_stats",
    "open_knowledge_desk",
]

DEFAULT_BASE: Final = "default"
What = str | Path | Sequence[str | Path]
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class BaseSummary:
    """A base: its documents, how many of them repeat another one's content, its chunks, by whom it is embedded ("" when
    it is searched by words alone), and of each label the values with the number of documents that have them. `owner`:
    the key of the HTTP API whose base it is, "" for those of the command line."""

    name: str
    documents: int
    duplicates: int
    chunks: int
    embedder: str
    labels: dict[str, dict[str, int]]
    owner: str = ""


@dataclass(frozen=True, slots=True)
class KnowledgeStats:
    """Where the knowledge bases are, and what they hold."""

    where: str
    bases: list[BaseSummary]


def open_knowledge_desk(settings: Settings | None = None) -> AbstractAsyncContextManager[KnowledgeDesk]:
    """The knowledge bases, opened once for many calls. Raises StorageError when their database cannot be used."""
    return open_knowledge(with_choices(settings))


def kb_add(
    what: What,
    base: str = DEFAULT_BASE,
    *,
    on_progress: OnProgress | None = None,
    settings: Settings | None = None,
    **options: Any,
) -> IngestReport:
    """Bring a base up to date with files, folders and web pages. What has not changed is not read again.

    Options: the labels `domain`, `data_type`, `data_period` and `level` ("" takes one away; what is not said comes from
    a document's front matter or stays), `prune` (documents of the folders whose files are gone go too), `force` (read
    unchanged documents again), `sensitivity` ("secret" texts go to private embedders only, and no page is fetched),
    `emit` (told what the embedder has to say: a kind, "note" or "retry", and its data).
    Raises SourceError when a path is not there, KnowledgeBaseError, ModelError when the embedder does not answer,
    StorageError; a document that cannot be read is a line of the report.
    """
    return run_sync(akb_add(what, base, on_progress=on_progress, settings=settings, **options))


async def akb_add(
    what: What,
    base: str = DEFAULT_BASE,
    *,
    desk: KnowledgeDesk | None = None,
    on_progress: OnProgress | None = None,
    settings: Settings | None = None,
    **options: Any,
) -> IngestReport:
    """The async twin of `kb_add`. `uploads`: files that were handed over, instead of lying on the disk."""
    from kaozheng.workflows.ingest.ingest import IngestPorts, ingest
    from kaozheng.workflows.ingest.request import IngestRequest

    settings = with_choices(settings, sensitivity=options.get("sensitivity"))
    check_embedder(settings)
    given = [what] if isinstance(what, str | Path) else list(what)
    request = IngestRequest(
        base,
        tuple(Path(one) for one in given if not _is_address(one)),
        tuple(str(one) for one in given if _is_address(one)),
        tuple(options.get("uploads", ())),
        {name: options[name] for name in LABELS if options.get(name) is not None},
        bool(options.get("prune")),
        bool(options.get("force")),
    )
    async with _opened(desk, settings) as opened, opened.files() as files:
        ports = _ports(opened, settings, options.get("emit"))
        means = IngestPorts(opened.index, files, ports.fetcher, ports.vectors, ports.embedder)
        return await ingest(request, means, on_progress)


def kb_list(base: str = DEFAULT_BASE, *, settings: Settings | None = None) -> list[Document]:
    """The documents of a base, by name; each with what it is a twin of. Raises KnowledgeBaseError when there is no
    such base."""
    return run_sync(akb_list(base, settings=settings))


async def akb_list(
    base: str = DEFAULT_BASE, *, desk: KnowledgeDesk | None = None, settings: Settings | None = None
) -> list[Document]:
    """The async twin of `kb_list`."""
    from kaozheng.sources.twins import documents_of

    async with _opened(desk, settings) as opened:
        return documents_of(await opened.index.entries(base))


def kb_remove(
    names: str | Sequence[str] = (),
    base: str = DEFAULT_BASE,
    *,
    everything: bool = False,
    settings: Settings | None = None,
) -> list[Outcome]:
    """Take documents out of a base, or all of it with `everything`. A name is one that `kb_list` gives, a path, a
    folder (all documents below it), or how the name of one document ends. A twin of what goes gets its text.

    Raises InputError for a name that is empty or names no folder (".", "..", "/"), and unless there are either names or
    `everything`; KnowledgeBaseError when a name means nothing or several documents. Nothing is removed then.
    """
    return run_sync(akb_remove(names, base, everything=everything, settings=settings))


async def akb_remove(
    names: str | Sequence[str] = (),
    base: str = DEFAULT_BASE,
    *,
    everything: bool = False,
    desk: KnowledgeDesk | None = None,
    settings: Settings | None = None,
) -> list[Outcome]:
    """The async twin of `kb_remove`."""
    from kaozheng.workflows.ingest.removing import removed, require_named

    asked = [names] if isinstance(names, str) else list(names)
    require_named(asked, everything=everything)
    places = [(one, _place(one)) for one in asked]
    async with _opened(desk, settings) as opened:
        return await removed(opened.index, base, places)


def kb_search(
    text: str, bases: str | Iterable[str] = (), *, limit: int = 5, settings: Settings | None = None, **within: Any
) -> Found:
    """The chunks that answer best, of these bases or of all but those of keys (`ann..minutes`). `within`
    narrows by labels: `level="县级"`, or several values in a list. A reranker, where one is chosen, orders what was
    found. Raises KnowledgeBaseError when there is no such base."""
    return run_sync(akb_search(text, bases, limit=limit, settings=settings, **within))


async def akb_search(
    text: str,
    bases: str | Iterable[str] = (),
    *,
    limit: int = 5,
    desk: KnowledgeDesk | None = None,
    settings: Settings | None = None,
    **within: Any,
) -> Found:
    """The async twin of `kb_search`."""
    from kaozheng.sources.asking import question_of, search_best

    settings = with_choices(settings, sensitivity=within.pop("sensitivity", None))
    check_embedder(settings)
    check_reranker(settings)
    async with _opened(desk, settings) as opened:
        named = (bases,) if isinstance(bases, str) else tuple(bases)
        searched = named or tuple(owned("", [base.name for base in await opened.index.bases()]))
        if not searched:
            raise KnowledgeBaseError("there is no knowledge base yet: kaozheng kb add FOLDER")
        ports = _ports(opened, settings)
        where = Within(searched, **_values(within))
        question = await question_of(text, where, ports.embedder, limit)
        return await search_best(opened.index, question, ports.reranker)


def kb_stats(*, settings: Settings | None = None) -> KnowledgeStats:
    """All bases with their documents, chunks, embedder and labels."""
    return run_sync(akb_stats(settings=settings))


async def akb_stats(*, desk: KnowledgeDesk | None = None, settings: Settings | None = None) -> KnowledgeStats:
    """The async twin of `kb_stats`."""
    from kaozheng.sources.twins import documents_of

    if desk is None and (file := knowledge_file(with_choices(settings, model=""))) and not file.exists():
        return KnowledgeStats(str(file), [])  # looking makes nothing
    async with _opened(desk, settings) as opened:
        summaries = []
        for base in await opened.index.bases():
            documents = documents_of(await opened.index.entries(base.name))
            twins = sum(bool(document.duplicate_of) for document in documents)
            labels = {name: _counted(documents, name) for name in LABELS}
            owner = owner_of(base.name)
            summaries.append(BaseSummary(base.name, base.documents, twins, base.chunks, base.embedder, labels, owner))
        return KnowledgeStats(opened.where, summaries)


@asynccontextmanager
async def _opened(desk: KnowledgeDesk | None, settings: Settings | None) -> AsyncIterator[KnowledgeDesk]:
    if desk is not None:
        yield desk
        return
    # No model takes part in any of this.
    async with open_knowledge(with_choices(settings, model="")) as opened:
        yield opened


def _ports(desk: KnowledgeDesk, settings: Settings, emit: Emit | None = None) -> Ports:
    return desk.ports_for(emit or (lambda _kind, _data: None), Budget(), settings.sensitivity)


def _is_address(one: str | Path) -> bool:
    if isinstance(one, str) and not one.strip():  # Path("") would be the working folder
        raise InputError("a path is empty: name a file, a folder or an address")
    return isinstance(one, str) and bool(_ADDRESS.match(one))


def _place(name: str) -> str:
    """Where a file of this name would lie, as a document of it is named."""
    path = Path(name)
    return (path.parent.resolve() / path.name if path.name else path.resolve()).as_posix()


def _values(within: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    if unknown := within.keys() - set(LABELS):
        raise InputError(f"no such label: {', '.join(sorted(unknown))}; there are {', '.join(LABELS)}")
    return {
        name: (value,) if isinstance(value, str) else tuple(value)
        for name, value in within.items()
        if value is not None
    }


def _counted(documents: Sequence[Document], label: str) -> dict[str, int]:
    return dict(Counter(value for one in documents if (value := getattr(one.entry.labels, label))).most_common())
