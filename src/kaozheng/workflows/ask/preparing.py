"""Give the task its evidence: from the open article, by queries of code, or (with a model) by the self-correcting loop;
and decide whether it is enough to generate from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from kaozheng.artifacts import ArtifactStore
from kaozheng.aside import aside
from kaozheng.errors import KnowledgeBaseError, StorageError
from kaozheng.evidence.bundle import EvidenceBundle, Gathered, bundle_of
from kaozheng.evidence.joining import joined
from kaozheng.models.model import Model
from kaozheng.ports import Emit
from kaozheng.roles.planner import TaskRequest
from kaozheng.sessions import Memory
from kaozheng.sources.analyser import Analyser
from kaozheng.sources.chunk import Chunk
from kaozheng.sources.comparing import without_comparing
from kaozheng.sources.index import Entry, Hit, Index, Within
from kaozheng.sources.reranking import Reranker
from kaozheng.sources.source import Source
from kaozheng.sources.sufficiency import Sufficiency, sufficiency
from kaozheng.sources.twins import originals_of
from kaozheng.sources.vectors import Embedder
from kaozheng.tools.search_knowledge import Searches
from kaozheng.workflows.ask import overview
from kaozheng.workflows.ask.article import NAMELESS, spread
from kaozheng.workflows.ask.handlers import HANDLERS, Judged, Preparation, speaks_of
from kaozheng.workflows.ask.numbered import bearer, hits_about, lacks_its_numbers, numbers_in, sided
from kaozheng.workflows.ask.state import AskState, Direct
from kaozheng.workflows.ask.table_parts import tabled
from kaozheng.workflows.ask.understanding import history_of, memory_text
from kaozheng.workflows.retrieve.answering import is_answerable, relevant
from kaozheng.workflows.retrieve.seeking import bundle_in
from kaozheng.workflows.retrieve.state import within_as_dict
from kaozheng.workflows.step import Changes

ANALYSER: Final = Analyser()
"""Knows no text, only how to read one; its dictionary is loaded when it is first used."""
_EMPTY = EvidenceBundle((), "empty")
_OF_ITS_OWN: Final = 3
_NO_INDEX = "no knowledge base is open here"


async def prepare(
    state: AskState,
    index: Index | None,
    embedder: Embedder | None,
    reranker: Reranker | None,
    model: Model | None,
    emit: Emit,
) -> Changes:
    """A question back is the answer at once; else the evidence that needs no model, and what the loop shall search."""
    task = state["task"]
    begun: Changes = {"evidence": _EMPTY, "searched": [], "enough": True, "doubt": "", "direct": None}
    if task.clarification:
        return {**begun, "direct": Direct("clarify", "", task.clarification)}
    needed = await aside(HANDLERS[task.kind].prepare, task, _article(state))  # an article may be a book
    if needed.items:
        return {**begun, "evidence": EvidenceBundle(needed.items, "ok")}
    if not needed.queries:
        return begun
    if index is None:
        return {**begun, "evidence": EvidenceBundle((), "error", (_NO_INDEX,)), "enough": False}
    at_hand, needed = await _at_hand(state, needed, index)
    if at_hand.items and not needed.queries:
        listing = overview.is_of_nothing_else(state["question"])
        # The list of the documents has no words of a question about them: it is said, not searched.
        return {**begun, "evidence": at_hand, "task": replace(task, kind="summary") if listing else task}
    if not state["bases"] or model is None:
        searches = _searches(state, index, embedder, reranker, at_hand)
        await _search(state, needed, searches)
        emit("note", {"node": "prepare", "queries": len(searches.found), "found": len(searches.bundle.items)})
        return {**begun, **_of_searches(state, searches, at_hand)}
    return {**begun, "evidence": at_hand, **_for_the_loop(state)}


def after_preparing(state: AskState) -> str:
    """Search by the loop when it was given something to search; judge what there is otherwise."""
    return "search" if state.get("searching") else "weigh"


async def weigh(
    state: AskState,
    index: Index | None,
    embedder: Embedder | None,
    reranker: Reranker | None,
    artifacts: ArtifactStore,
) -> Changes:
    """Decide whether to generate, before a word is generated: without evidence, never."""
    if state.get("direct"):
        return {}
    changes: Changes = {}
    if state.get("searching") and index is not None:
        found = joined(state["evidence"], relevant(state, await bundle_in(state, artifacts)))
        changes = await _of_the_loop(state, _searches(state, index, embedder, reranker, found))
    now: AskState = {**state, **changes}  # type: ignore[typeddict-item]
    if index is not None and now["task"].kind == "qa":
        changes |= await _of_tables(now, index)
        now = {**now, **changes}  # type: ignore[typeddict-item]
    if now["task"].kind == "compare":
        changes["evidence"] = sided(now["evidence"], now["task"].targets)
        now = {**now, **changes}  # type: ignore[typeddict-item]
    # What is found about another number says nothing of the one that is asked for, however well it fits.
    lacks = now["task"].kind != "chat" and lacks_its_numbers(now["task"].goal, now["evidence"].items)
    enough = now["enough"] and not lacks
    judged = Judged(now["task"], now["evidence"], enough, now["language"], now["searched"], named_bases(now))
    return {**changes, "direct": HANDLERS[now["task"].kind].too_little(judged)}


def after_weighing(state: AskState) -> str:
    """Generate only where code has not answered already."""
    return "deliver" if state.get("direct") else "generate"


def within_of(state: AskState) -> Within:
    """Where this question may search: never more than the bases that were found to be the owner's."""
    return replace(state["request"].within, bases=tuple(state["bases"]))


def named_bases(state: AskState) -> list[str] | None:
    """The bases as they may be named to who asked; None where a server keeps them under names of its own."""
    return None if state["request"].owner and state["bases"] else state["bases"]


def _article(state: AskState) -> Source | None:
    request = state["request"]
    if not request.article.strip():
        return None
    return Source.of(request.article, request.article_name or NAMELESS[state["language"]])


async def _at_hand(state: AskState, needed: Preparation, index: Index) -> tuple[EvidenceBundle, Preparation]:
    """What is evidence without a search, and what is still needed: the overview of the collection, a document that is
    asked for by its number or its title, and of a comparison the documents whose numbers are compared."""
    found = _EMPTY
    try:
        alone = overview.is_of_nothing_else(state["question"])
        if (alone or overview.ASKS_FOR_IT.search(state["question"])) and state["bases"]:
            item = await overview.overview(index, state["bases"], state["language"], named=not state["request"].owner)
            found = joined(found, EvidenceBundle((item,), "ok"))
            if alone:
                return found, replace(needed, queries=())
        if needed.document:
            hits, whole = await _document(state, needed.document, index)
            found = joined(found, bundle_of([Gathered(hits)]))
            needed = replace(needed, queries=()) if whole else needed
        elif state["task"].kind == "compare":
            sides, rest = await _sides(state, needed, index)
            found, needed = joined(found, bundle_of(sides)), replace(needed, queries=rest)
        elif borne := await _borne(state, index):
            # What the document itself lays down comes before what others say of it.
            found = joined(found, bundle_of([Gathered(borne)]))
    except StorageError as error:
        found = joined(found, EvidenceBundle((), "error", (str(error),)))
    return found, needed


async def _borne(state: AskState, index: Index) -> list[Hit]:
    """What the document whose number a question names has about it."""
    numbers = numbers_in(state["task"].goal)
    borne = await bearer(index, within_of(state), numbers[0]) if len(numbers) == 1 else None
    return hits_about(*borne, state["task"].goal, numbers[0], _OF_ITS_OWN) if borne else []


async def _sides(
    state: AskState, needed: Preparation, index: Index
) -> tuple[list[Gathered], tuple[tuple[str, str], ...]]:
    """Of the things compared those that are documents by number: each by what its own document says. Beside them the
    queries for the others."""
    sides, rest = [], []
    for target, query in needed.queries:
        numbers = numbers_in(target)
        borne = await bearer(index, within_of(state), numbers[0]) if len(numbers) == 1 else None
        if borne is None:
            rest.append((target, query))
        else:
            about = without_comparing(state["task"].goal, state["task"].targets)
            sides.append(Gathered(hits_about(*borne, about, numbers[0], HANDLERS["compare"].limit), target))
    return sides, tuple(rest)


async def _document(state: AskState, title: str, index: Index) -> tuple[list[Hit], bool]:
    """The one document that bears this number, or whose title or name has these words, as chunks from all its parts;
    none when several have. Whether it is that document alone that is meant: by its number, or by its whole title."""
    for number in numbers_in(title)[:1]:
        if borne := await bearer(index, within_of(state), number):
            return _throughout(*borne), True
    wanted = _letters(title)
    named = [
        entry
        for base in state["bases"]
        for entry in await _entries(index, base)
        if len(wanted) > 1
        and wanted in _letters(f"{entry.title} {entry.name}")
        and state["request"].within.admits(entry.labels)
    ]
    if len(named) != 1:
        return [], False
    chunks = await index.chunks(named[0].base, named[0].name)
    return _throughout(named[0], chunks), wanted in (_letters(named[0].title), _letters(PurePath(named[0].name).stem))


def _throughout(entry: Entry, chunks: Sequence[Chunk]) -> list[Hit]:
    return [Hit(entry, chunk, chunk.id, 1.0, False, {}) for chunk in spread(chunks)]


def _letters(title: str) -> str:
    """A title as it is told from others: without blanks, and without the marks around it."""
    return "".join(title.casefold().split()).strip("《》“”\"'")


async def _entries(index: Index, base: str) -> Sequence[Entry]:
    try:
        return originals_of(await index.entries(base))
    except KnowledgeBaseError:  # dropped meanwhile
        return ()


def _searches(
    state: AskState, index: Index, embedder: Embedder | None, reranker: Reranker | None, at_hand: EvidenceBundle
) -> Searches:
    limit = HANDLERS[state["task"].kind].limit
    return Searches(index, within_of(state), embedder, (), at_hand, limit, reranker)


async def _search(state: AskState, needed: Preparation, searches: Searches) -> None:
    """The queries one after the other; one that fails is in the bundle's failures."""
    searches.targets = tuple(target for target, _ in needed.queries if target)
    for _, query in needed.queries if state["bases"] else ():
        try:
            await searches.search(query)
        except KnowledgeBaseError:
            continue


def _of_searches(state: AskState, searches: Searches, at_hand: EvidenceBundle) -> Changes:
    doubt = None if at_hand.items else doubted(state["task"], searches)
    return {
        "evidence": searches.bundle,
        "searched": list(dict.fromkeys(query for _, query in state["task"].queries)),
        "enough": doubt is None,
        "doubt": doubt.why if doubt else "",
        "notes": searches.notes,
    }


def doubted(task: TaskRequest, searches: Searches) -> Sufficiency | None:
    """Why what the searches found does not answer the question, None where it does. A summary is of whatever was found,
    and the things of a comparison are looked for one by one: neither is doubted here."""
    if task.kind != "qa":
        return None
    judged = [sufficiency(query, found, ANALYSER) for query, found in searches.found.items()]
    if not judged or any(one.enough for one in judged):
        return None
    return max(judged, key=lambda one: one.score)


def _for_the_loop(state: AskState) -> Changes:
    turns = history_of(state.get("earlier", ()))
    said = [{"role": turn.role, "content": turn.content} for turn in turns]
    return {
        "resolved": state["task"].goal,
        "messages": [*said, {"role": "user", "content": state["task"].goal}],
        "within": within_as_dict(within_of(state)),
        "targets": list(state["task"].targets) if state["task"].kind == "compare" else [],
        "memory": memory_text(state.get("known", Memory())),
        "searching": True,
    }


async def _of_the_loop(state: AskState, searches: Searches) -> Changes:
    """What the loop has found, behind what was at hand; what it did not look for though it is compared, code does."""
    at_hand = state["evidence"]
    searched = list(state.get("queries", ()))
    task, found = state["task"], searches.bundle.items
    if task.kind == "compare":
        lacking = [query for query in task.queries if not any(speaks_of(item, query[0]) for item in found)]
        await _search(state, Preparation(tuple(lacking)), searches)
        searched += [query for _, query in lacking]
    # A document may bear the number that is asked of and say nothing of what is asked.
    told = bool(at_hand.items) and not (task.kind == "qa" and numbers_in(task.goal))
    enough = told or is_answerable(state)
    return {"evidence": searches.bundle, "searched": list(dict.fromkeys(searched)), "enough": enough}


async def _of_tables(state: AskState, index: Index) -> Changes:
    """What a question over a whole table needs beside the rows that were found; computed, it is enough."""
    found = await tabled(state["task"].goal, state["evidence"], index, state["language"])
    if found.computed:
        return {"evidence": found.bundle, "enough": True, "doubt": ""}
    return {"table_parts": found.parts}
