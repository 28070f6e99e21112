"""Level by level: a summary of each block, kept as a memory; then a summary of each group of summaries."""

from __future__ import annotations

import json
from typing import Any

from langgraph.types import Send

from kaozheng.artifacts import ArtifactStore
from kaozheng.aside import aside
from kaozheng.errors import ModelError, ModelRefusedError, ShapeError
from kaozheng.models.limits import Lanes
from kaozheng.models.model import Model
from kaozheng.ports import Emit
from kaozheng.roles.block_summarizer import Condensing, summarize_block
from kaozheng.sources.material import Material
from kaozheng.workflows.step import Changes, purpose_of
from kaozheng.workflows.summarize.memory import MemoryEntry, from_json, to_json
from kaozheng.workflows.summarize.parsed import parsed
from kaozheng.workflows.summarize.saying import for_extracting, for_reading
from kaozheng.workflows.summarize.splitting import blocks_of, sizes_of
from kaozheng.workflows.summarize.state import BlockTask, SummaryState

_AT_ONCE = 64
"""Blocks under way; how many calls of them, the model's own limit says."""
_COMPUTING_AT_ONCE = 2
_SHORT_TEXT = 200
"""Tokens: of a shorter text each block says something, be it a greeting; of a longer one some may be empty."""


def fan_out(state: SummaryState) -> list[Send] | str:
    """A branch for each block of the level at work that is not summarised; the planner when all levels are done."""
    level = state["level"]
    if level >= state["levels"]:
        return "plan"
    done = state.get("summaries", {})
    return [Send("summarize_block", _task(state, level, index)) for index in range(state["block_count"])
            if str(index) not in done] or "memorize"  # fmt: skip


def _task(state: SummaryState, level: int, index: int) -> BlockTask:
    return BlockTask(
        index=index,
        level=level,
        language=state["language"],
        focus=state.get("focus", ""),
        context=state["context"],
        chunks=state["chunks"],
        sizes=state["sizes"],
        below=state["memories"][level - 1] if level else "",
        purpose=purpose_of(state, f"block/{level}/{index}"),
    )


async def block(state: BlockTask, artifacts: ArtifactStore, model: Model | None, lanes: Lanes, emit: Emit) -> Changes:
    """Summarise one block and keep the summary as a memory.

    The role falls back to its twin; only when that has nothing to say either is there a gap. Raising would cancel the
    siblings. Where no model is asked, a block without a sentence (a table, a list of words) is no gap but empty: no
    later try would find more in it.
    """
    index, level = state["index"], state["level"]
    async with lanes.of("blocks", _AT_ONCE if model else _COMPUTING_AT_ONCE):
        async with lanes.of("preparing", 1):  # the first one parses the text, the others find it parsed
            task = await _condensing(state, artifacts, extracted=model is None)
        try:
            answer = await summarize_block(model, task)
        except ModelError as error:
            if isinstance(error, ModelRefusedError):
                raise
            status = "empty" if model is None and isinstance(error, ShapeError) else "gap"
            told = {"by": "offline", "reason": str(error)} if status == "empty" else {"gap": str(error)}
            emit("note", {"block": index + 1, "level": level, **told})
            return {"summaries": {str(index): {"status": status, "reason": str(error), "by": "", "ref": ""}}}
        said = answer.value
        entry = MemoryEntry(f"M{level}.{index}", level, index, task.path, said.sentences, answer.by, answer.reason)
        kept = {"entry": entry.as_dict(), "facts": said.facts, "compressed": said.compressed, "cut": said.cut}
        name = f"summary_{level}_{index + 1:04d}.json"
        ref = await artifacts.put(name, json.dumps(kept, ensure_ascii=False))
    emit("note", {"block": index + 1, "level": level, "by": answer.by, "reason": answer.reason})
    done = {"status": "written", "ref": ref, "by": answer.by, "reason": answer.reason}
    return {"summaries": {str(index): done | {"out_of_budget": answer.out_of_budget}}}


async def _condensing(state: BlockTask, artifacts: ArtifactStore, *, extracted: bool) -> Condensing:
    level, index = state["level"], state["index"]
    sizes = await parsed(artifacts, state["sizes"], sizes_of)
    if level:
        below = await parsed(artifacts, state["below"], memories_of)
        group = [below[at] for at in sizes.levels[level].groups[index] if at in below]
        evidence = tuple(sentence for entry in group for sentence in entry.sentences)
    else:
        material = await parsed(artifacts, state["context"], Material.from_json)
        block_at = (await parsed(artifacts, state["chunks"], blocks_of))[index]
        passages = [material.passage(id) for id in block_at.passages]
        if extracted:
            evidence = tuple(one for passage in passages for one in for_extracting(passage, material.language))
        else:
            evidence = tuple(map(for_reading, passages))
    return Condensing(
        purpose=state.get("purpose") or f"block/{level}/{index}",
        evidence=evidence,
        path=sizes.levels[level].places[index].path,
        limit_tokens=sizes.levels[level].limits[index],
        language=state["language"],
        focus=state["focus"],
        level=level,
        whole=sizes.levels[0].blocks == 1 or sizes.text_tokens <= _SHORT_TEXT,
    )


async def memorize(state: SummaryState, artifacts: ArtifactStore, emit: Emit) -> Changes:
    """The level that is done becomes one memory, and the next one begins."""
    level, done = state["level"], state.get("summaries", {})
    order = sorted(done, key=int)
    kept = [json.loads(await artifacts.get(done[at]["ref"])) for at in order if done[at]["status"] == "written"]
    entries = await aside(lambda: [MemoryEntry.from_dict(one["entry"]) for one in kept])
    rest = [_without_model(level, int(at), done[at]) for at in order if _is_in_vain(done[at])]
    empty = [int(at) + 1 for at in order if done[at]["status"] == "empty"]
    facts = {one["entry"]["index"]: one["facts"] for one in kept if one["facts"]}
    shortened = {
        "compressed": sum(one["compressed"] for one in kept),
        "cut": [one["entry"]["index"] + 1 for one in kept if one["cut"]],
    }
    remarks = {"level": level, "rest": rest, "empty": empty, "facts": facts, **shortened}
    sizes = await parsed(artifacts, state["sizes"], sizes_of)
    if not entries:
        raise _nothing(rest)
    emit("note", {"summarised": len(entries), "of": state["block_count"], "level": level, "without_model": len(rest)})
    following = level + 1
    return {
        "memories": [*state["memories"], await artifacts.put(f"memories_{level}.json", to_json(entries))],
        "not_by_model": [
            *state["not_by_model"],
            await artifacts.put(f"remarks_{level}.json", json.dumps(remarks, ensure_ascii=False)),
        ],
        "failed_blocks": [*state["failed_blocks"], *(f"block/{level}/{one['block'] - 1}" for one in rest)],
        "level": following,
        # When all are done: that of the first, where a reopened run begins anew.
        "block_count": sizes.levels[following if following < len(sizes.levels) else 0].blocks,
        "summaries": None,
    }


def _is_in_vain(one: dict[str, Any]) -> bool:
    return "gap" in one["status"] or "fallback" in one["by"]


def _without_model(level: int, index: int, one: dict[str, Any]) -> dict[str, Any]:
    budget = bool(one.get("out_of_budget"))
    return {"level": level, "block": index + 1, "status": one["status"], "reason": one["reason"], "budget": budget}


def _nothing(rest: list[dict[str, Any]]) -> ModelError:
    why = rest[0]["reason"] if rest else "no block holds a sentence"
    return ShapeError(f"nothing could be summarised: {why}")


def memories_of(text: str) -> dict[int, MemoryEntry]:
    """The memories of a level by index, as they are kept; one that is missing was a gap."""
    return {entry.index: entry for entry in from_json(text)}
