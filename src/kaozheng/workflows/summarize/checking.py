"""The loss check: what the text says that matters, held against the summary; what is lost goes back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from langgraph.types import Send

from kaozheng.artifacts import ArtifactStore
from kaozheng.aside import aside
from kaozheng.documents.document import language_of
from kaozheng.documents.tokens import estimate_tokens
from kaozheng.evidence.across_languages import figures_lost
from kaozheng.evidence.key_statements import KeyStatement, key_statements
from kaozheng.evidence.losing import Loss, lost
from kaozheng.models.model import Model
from kaozheng.ports import Emit
from kaozheng.sources.material import Material
from kaozheng.workflows.step import Changes, purpose_of
from kaozheng.workflows.summarize.cited import SectionText, all_sentences
from kaozheng.workflows.summarize.condensing import memories_of
from kaozheng.workflows.summarize.parsed import parsed
from kaozheng.workflows.summarize.sizes import RESTORING_ROUNDS
from kaozheng.workflows.summarize.splitting import sizes_of
from kaozheng.workflows.summarize.state import RestoreTask, SummaryState
from kaozheng.workflows.summarize.watching import watched
from kaozheng.workflows.summarize.writing import earlier_sections

WATCHED, LOSSES = "watched.json", "losses.json"
_LONGEST: Final = 1.5
"""How long a summary may become by what goes back into it, as a multiple of the length that was aimed at."""
_LONGEST_OFFLINE: Final = 1.0
"""Without a model: the engine that chose the sentences says what is lost too, so only the room that it left is used."""


async def check_loss(state: SummaryState, artifacts: ArtifactStore, model: Model | None, emit: Emit) -> Changes:
    """Compare the key statements of all blocks with the summary; choose what goes back, and where to."""
    changes: Changes = {}
    if not state.get("watched"):
        count, ref = await _watching(state, artifacts)
        changes = {"statement_count": count, "watched": ref}
    statements = await parsed(artifacts, changes.get("watched") or state["watched"], statements_of)
    count = changes.get("statement_count", state.get("statement_count", 0))
    target = (await parsed(artifacts, state["sizes"], sizes_of)).target_tokens
    longest = int(target * (_LONGEST if model else _LONGEST_OFFLINE))
    left = await aside(_left, statements, await earlier_sections(state, artifacts), longest)
    rounds = state.get("rounds", 0)
    sent = {} if rounds >= RESTORING_ROUNDS else left.by_section
    emit("note", {"lost": len(left.losses), "watched": len(statements), "statements": count, "round": rounds})
    kept = {
        "watched": len(statements),
        "statements": count,
        "lost": [_told(one) for one in left.losses],
        "sent": {str(at): [_told(one) for one in losses] for at, losses in sent.items()},
    }
    return changes | {
        "losses": await artifacts.put(LOSSES, json.dumps(kept, ensure_ascii=False)),
        "to_restore": sorted(sent),
        "rounds": rounds + 1,
    }


def restorers(state: SummaryState) -> list[Send] | str:
    """A branch for each section that something goes back into; the end when nothing does, or the rounds are used up."""
    number = state["rounds"] - 1
    return [
        Send(
            "restore_section",
            RestoreTask(
                index=index,
                round=number,
                language=state["language"],
                context=state["context"],
                losses=state["losses"],
                section=state["sections"][str(index)],
                purpose=purpose_of(state, f"restore/{number}/{index}"),
            ),
        )
        for index in state["to_restore"]
    ] or "finish"


def statements_of(text: str) -> list[KeyStatement]:
    """The key statements, as they are kept."""
    return [KeyStatement.from_dict(one) for one in json.loads(text)]


async def _watching(state: SummaryState, artifacts: ArtifactStore) -> tuple[int, str]:
    """How many key statements the text has, and the reference of those that are watched over."""
    material = await parsed(artifacts, state["context"], Material.from_json)
    lowest = await parsed(artifacts, state["memories"][0], memories_of)
    target = (await parsed(artifacts, state["sizes"], sizes_of)).target_tokens
    listed = await _listed(state, artifacts)
    found = await aside(key_statements, material.passages, state["language"], listed)
    held = await aside(watched, found, lowest, material, target)
    return len(found), await artifacts.put(WATCHED, json.dumps([asdict(one) for one in held], ensure_ascii=False))


async def _listed(state: SummaryState, artifacts: ArtifactStore) -> list[str]:
    """The facts that a model named for the blocks of the text."""
    remarks = json.loads(await artifacts.get(state["not_by_model"][0]))
    return [fact for facts in remarks["facts"].values() for fact in facts]


@dataclass(frozen=True, slots=True)
class _Left:
    """What is lost, heaviest first, and which section each goes back into."""

    losses: Sequence[Loss]
    by_section: Mapping[int, Sequence[Loss]]


def _left(held: Sequence[KeyStatement], sections: Mapping[int, SectionText], longest: int) -> _Left:
    said = list(all_sentences(sections.values()))
    if _is_translated(held, said):  # what is lost is listed; in its own language it could not go back
        return _Left(sorted(figures_lost(held, said), key=lambda one: -one.statement.weight), {})
    losses = sorted(lost(held, said), key=lambda one: -one.statement.weight)
    home = {id: at for at, section in sections.items() for id in section.passages}
    room = longest - sum(map(estimate_tokens, said))
    by_section: dict[int, list[Loss]] = {}
    for one in losses:
        at, cost = home.get(one.statement.passage), estimate_tokens(one.statement.text)
        if at is not None and cost <= room:
            by_section.setdefault(at, []).append(one)
            room -= cost
    return _Left(losses, by_section)


def _is_translated(held: Sequence[KeyStatement], said: Sequence[str]) -> bool:
    given, told = language_of("\n".join(one.text for one in held)), language_of("\n".join(said))
    return given is not None and told is not None and given != told


def _told(loss: Loss) -> dict[str, Any]:
    one = loss.statement
    missing = [{"kind": fact.kind, "text": fact.text} for fact in loss.missing]
    place = {"passage": one.passage, "span": [one.span.start, one.span.end]}
    return {"text": one.text, **place, "weight": round(one.weight, 3), "missing": missing}
