"""The first half of a round: what to look for, and looking for it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from kaozheng.access.naming import owned
from kaozheng.artifacts import ArtifactStore
from kaozheng.evidence.bundle import EvidenceBundle
from kaozheng.evidence.joining import joined
from kaozheng.evidence.pictures import without_pictures
from kaozheng.models.answer import Answer
from kaozheng.models.messages import Message
from kaozheng.models.model import Model
from kaozheng.models.tool_call import ToolCall
from kaozheng.ports import Emit
from kaozheng.roles.searcher import CALLS, SearchTask, Sought, search_or_respond
from kaozheng.sources.analyser import Analyser
from kaozheng.sources.index import Index
from kaozheng.sources.reranking import Reranker
from kaozheng.sources.sufficiency import sufficiency
from kaozheng.sources.telling import telling
from kaozheng.sources.vectors import Embedder
from kaozheng.tools.gateway import Gateway
from kaozheng.tools.result import ToolResult
from kaozheng.tools.search_knowledge import NAME, SearchArguments, Searches, search_knowledge, search_offer
from kaozheng.tools.turn import named_apart, run_calls, told
from kaozheng.workflows.retrieve.opening import opening
from kaozheng.workflows.retrieve.state import (
    RetrieveState,
    as_turn,
    from_turn,
    history_of,
    purpose_of,
    within_of,
)
from kaozheng.workflows.step import Changes, Step

BUNDLE = "evidence.json"
_ANALYSER = Analyser()  # knows no text, only how to read one
_AT_ONCE = 4
_SHOWN_REASONING = 2_000
_SHOWN_RESULT = 600
_NO_INDEX = "no knowledge base is open here"
_NO_BASE = "no knowledge base is given to search in"


async def generate_query_or_respond(state: RetrieveState, model: Model | None, emit: Emit) -> Changes:
    """Look for the question, or for what it was rewritten to; or reply at once to what needs no looking."""
    opened = opening(state)
    state = {**state, **opened}  # type: ignore[typeddict-item]
    number = state["retry_count"] + 1
    task = SearchTask(
        state["question"],
        state["language"],
        (search_offer(state["language"]),),
        state["query"],
        history_of(state),
        tuple(map(from_turn, state["turns"])),
        tuple(state.get("targets", ())),
        state.get("memory", ""),
        state.get("searching", False),
        number,
        purpose_of(state, f"search{number}"),
    )
    answer = await search_or_respond(model, task)
    calls = len(answer.value.calls)
    emit("note", {"node": "generate_query_or_respond", "round": number, "calls": calls, "by": answer.by})
    if not calls:
        reply = without_pictures(answer.value.reply)
        said = {"by": answer.by, "reason": answer.reason, "model": answer.model, "kind": "direct"}
        turn = [{"role": "assistant", "content": reply}]
        return {**opened, "answer": reply, "answered": said, "messages": turn}
    return {**opened, **_asked(answer, state, number)}


def route_on_tool_calls(state: RetrieveState) -> str:
    """Calls are made; without one the direct reply is the end."""
    return "tools" if state.get("calls") else "end"


def retrieve_step(everywhere: bool) -> Step:
    """The step of a graph where a state that names no base searches all of them, or none (whose they are, nobody can
    say then)."""

    async def retrieve(
        state: RetrieveState,
        index: Index | None,
        embedder: Embedder | None,
        reranker: Reranker | None,
        artifacts: ArtifactStore,
        emit: Emit,
    ) -> Changes:
        """Make the searches, all of them; each has its result in the order of the calls, whatever became of it."""
        within = within_of(state)
        if index is not None and everywhere and not within.bases:
            within = replace(within, bases=tuple(owned("", [base.name for base in await index.bases()])))
        before = await bundle_in(state, artifacts)
        if index is None or not within.bases:
            made = _not_made(state, before, _NO_INDEX if index is None else _NO_BASE)
        else:
            searches = Searches(index, within, embedder, tuple(state.get("targets", ())), before, reranker=reranker)
            made = await _made(state, searches, emit)
        calls, found = len(state["calls"]), len(made.changes["fresh"])
        emit("note", {"node": "retrieve", "calls": calls, "found": found, "evidence": made.bundle.state})
        kept = await artifacts.put(BUNDLE, json.dumps(made.bundle.as_dict(), ensure_ascii=False))
        return {**made.changes, "bundle": kept, "calls": []}

    return retrieve


@dataclass(frozen=True, slots=True)
class _Made:
    """What came of the searches of a round."""

    bundle: EvidenceBundle
    changes: Changes


async def _made(state: RetrieveState, searches: Searches, emit: Emit) -> _Made:
    calls = [ToolCall(call["id"], call["name"], call["arguments"]) for call in state["calls"]]
    gateway = Gateway([search_knowledge(searches)], {NAME}, state["language"], emit=emit)
    tried = {f"{NAME} {SearchArguments(query=query).model_dump_json()}" for query in state["queries"]}
    results = await run_calls(gateway, calls, _AT_ONCE, tried.__contains__)
    turns = [as_turn(_shortened(result, searches)) for result in results]
    fresh = list(dict.fromkeys(label for labels in searches.labels.values() for label in labels))
    changes = {**_learned(state, searches), "fresh": fresh, "turns": [*state["turns"], *turns]}
    return _Made(searches.bundle, changes)


def _not_made(state: RetrieveState, before: EvidenceBundle, why: str) -> _Made:
    turns = [as_turn(Message("tool", f"error: {why}", answers=call["id"])) for call in state["calls"]]
    bundle = joined(before, EvidenceBundle((), "error", (why,)))
    return _Made(bundle, {"fresh": [], "turns": [*state["turns"], *turns]})


async def bundle_in(state: RetrieveState, artifacts: ArtifactStore) -> EvidenceBundle:
    """All that was found for the question so far."""
    if not state.get("bundle"):
        return EvidenceBundle((), "empty")
    return EvidenceBundle.from_dict(json.loads(await artifacts.get(state["bundle"])))


def _asked(answer: Answer[Sought], state: RetrieveState, number: int) -> Changes:
    """The calls under ids of their own, and the turn that asks for them: a model's, or one that code makes."""
    taken = {call[0] for turn in state["turns"] for call in turn.get("calls", ())}
    calls = named_apart(answer.value.calls[:CALLS], taken, number)
    completion = answer.value.completion
    if completion is None:
        turn = Message("assistant", "", tuple(calls))
    else:
        turn = told(completion, calls)
        turn = Message(turn.role, turn.content, turn.tool_calls, reasoning=turn.reasoning[:_SHOWN_REASONING])
    kept = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in calls]
    return {"calls": kept, "turns": [*state["turns"], as_turn(turn)]}


def _learned(state: RetrieveState, searches: Searches) -> Changes:
    """What the searches tell besides the passages: which were made, how telling the question's terms are here."""
    known = {term: weight for found in searches.found.values() for term, weight in found.idf.items()}
    wanted = {term: round(known[term], 4) for term in telling(state["question"]) if term in known}
    judged = [sufficiency(state["question"], found, _ANALYSER).enough for found in searches.found.values()]
    return {
        "scored": any(judged) if judged else None,
        "idf": {**wanted, **state["idf"]},
        "notes": list(dict.fromkeys((*state["notes"], *searches.notes))),
        "queries": list(dict.fromkeys((*state["queries"], *searches.labels))),
    }


def _shortened(result: ToolResult, searches: Searches) -> Message:
    """A result as the next round sees it: where something was found. The passages themselves are read by who grades and
    who answers; a state that held them would cost their size at each step."""
    if result.status != "done":
        return Message("tool", result.text[:_SHOWN_RESULT], answers=result.call.id)
    query = json.loads(result.key.partition(" ")[2])["query"]
    items = [searches.bundle.item(label) for label in searches.labels.get(query, ())]
    places = [f"[{item.label}] {' > '.join((item.title or item.document, *item.path))}" for item in items if item]
    return Message("tool", "\n".join(places)[:_SHOWN_RESULT], answers=result.call.id)
