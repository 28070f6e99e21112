"""How large a summary and everything on the way to it will be: known before the first call, from token counts alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from kaozheng.sources.neighbours import Weighed, as_one, neighbours
from kaozheng.sources.text_blocks import BLOCK_TOKENS, TextBlock
from kaozheng.workflows.summarize.sizes_told import told
from kaozheng.workflows.summarize.stages import Reached, Stage, reached

SHARE: Final = 0.3
"""The most that the summary of a block may have of it."""
LEAST_LIMIT: Final = 50
"""Tokens: a sentence or two. A smaller limit would leave half a sentence."""
FACTS_TOKENS: Final = 240
"""What a model may list behind the summary of a block of the text: eight facts that must not be lost."""
PLANNER_TOKENS: Final = 8_000
PLANNER_ENTRIES: Final = 60
"""What the planner reads at most."""
EVIDENCE_TOKENS: Final = 8_000
"""What a section is written from at most, unless it is to be so long that it needs more; the nearest come on top."""
NEAREST: Final = 3
MOST_SECTIONS: Final = 40
RESTORING_ROUNDS: Final = 2

_TARGET_SHARE = 0.2
_PLAIN_TARGET, _MOST_TARGET, _GROWTH = 4_000, 12_000, 0.3
_SECTION_TOKENS = 1_000
_FEWEST_SECTIONS, _USUAL_SECTIONS = 3, 12
_LEAST_OF_SECTION, _SENTENCE_OF_SECTION = 60, 20  # tokens
_LABEL = 2  # tokens of "[E12] " before each piece of evidence
_SENTENCES = {"zh": 35, "en": 40}  # tokens of a sentence, about
_PLAN_TOKENS, _TITLE_TOKENS, _ID_TOKENS = 60, 60, 4  # of a plan: its frame, a section with its brief, a memory's id
_PLANNER_TRIES = 3
_MARGIN = 1.2  # by how much the memories must be more than a summary whose length is given


@dataclass(frozen=True, slots=True)
class Level:
    """One round of summaries. At level 0 the blocks of the text are read, above that groups of memories: `groups[i]`
    are the indexes, in the level below, of what block `i` reads (none at level 0). `limits`: tokens of each summary.
    `places`: of each block its source, its path and the tokens that it reads."""

    level: int
    stage: Stage
    limits: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    places: tuple[Weighed, ...]

    @property
    def blocks(self) -> int:
        """How many summaries it makes."""
        return self.stage.blocks

    @property
    def calls(self) -> int:
        """Planned ones: one a block."""
        return self.stage.calls

    @property
    def calls_at_most(self) -> int:
        """With those that are asked again: two a block."""
        return self.stage.calls_at_most

    @property
    def input_tokens(self) -> int:
        """What the planned calls read."""
        return self.stage.input_tokens

    @property
    def output_tokens(self) -> int:
        """The most that they say: all limits."""
        return self.stage.output_tokens


@dataclass(frozen=True, slots=True)
class SizePlan:
    """The sizes of a whole run. `target_tokens` is about the length of the summary, `sections` the number of its
    sections, `evidence_tokens` what one of them may be written from. The `planner` may still make other sections of it
    where nobody asked for a number; then `writing` and `restoring` change with them, nothing else does."""

    text_tokens: int
    target_tokens: int
    sections: int
    evidence_tokens: int
    levels: tuple[Level, ...]
    planner: Stage
    writing: Stage
    restoring: Stage

    @property
    def stages(self) -> tuple[Stage, ...]:
        """All stages in the order of the run."""
        return (*(level.stage for level in self.levels), self.planner, self.writing, self.restoring)

    @property
    def total(self) -> Stage:
        """All stages in one; its `blocks` are those of the text."""
        found = self.stages
        return Stage(
            "total",
            self.levels[0].blocks,
            sum(stage.calls for stage in found),
            sum(stage.calls_at_most for stage in found),
            sum(stage.input_tokens for stage in found),
            sum(stage.output_tokens for stage in found),
        )

    def section_limits(self, weights: Sequence[int]) -> list[int]:
        """The tokens of each section, together at most the target: half of it shared alike, half by `weights` (the
        tokens of each section's memories), so that a long chapter has more room and a short one is not starved."""
        total, room = sum(weights), self.target_tokens
        if not total:
            return [room // len(weights) for _ in weights]
        return [room // (2 * len(weights)) + room * weight // (2 * total) for weight in weights]

    def reach(self, calls: int | None = None, tokens: int | None = None) -> list[Reached]:
        """How far a budget leads, stage by stage; None is no limit."""
        return reached(self.stages, calls, tokens)

    def told(self, language: str, calls: int | None = None, tokens: int | None = None) -> list[str]:
        """Lines for the terminal: one a stage, the total, the summary; with a budget also what it is enough for."""
        about = (self.text_tokens, self.target_tokens, self.sections)
        limited = calls is not None or tokens is not None
        return told(language, self.stages, self.total, about, self.reach(calls, tokens) if limited else None)

    def as_dict(self) -> dict[str, Any]:
        """As plain JSON data, the total with it."""
        return {**asdict(self), "total": asdict(self.total)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Back from `as_dict`, also by way of JSON."""
        levels = tuple(
            Level(
                one["level"],
                Stage(**one["stage"]),
                tuple(one["limits"]),
                tuple(map(tuple, one["groups"])),
                tuple(Weighed(place["source"], tuple(place["path"]), place["tokens"]) for place in one["places"]),
            )
            for one in data["levels"]
        )
        return cls(
            data["text_tokens"],
            data["target_tokens"],
            data["sections"],
            data["evidence_tokens"],
            levels,
            Stage(**data["planner"]),
            Stage(**data["writing"]),
            Stage(**data["restoring"]),
        )


def size_plan(
    blocks: Sequence[TextBlock],
    language: str,
    ratio: float | None = None,
    sections: int | None = None,
    overheads: Mapping[str, int] | None = None,
) -> SizePlan:
    """The sizes of a run over these blocks.

    `ratio`: the summary's share of the text (above 0, at most 1); without it 20 % of a text of up to 20,000 tokens,
    growing slowly from there to 12,000 tokens. `sections`: exactly so many (1 to 40). `overheads`: the tokens of what
    stands in the call of each role besides its evidence (by the name of its folder; "block_merger" where summaries are
    condensed). A block that must be asked for again, or a plan that is not in shape, makes calls up to
    `calls_at_most`; their tokens are not planned.

    Raises ValueError when there is no block, or `ratio` or `sections` are out of range.
    """
    if not blocks:
        raise ValueError("there is no block to plan for")
    if ratio is not None and not 0 < ratio <= 1:
        raise ValueError(f"ratio must be above 0 and at most 1, not {ratio}")
    if sections is not None and not 1 <= sections <= MOST_SECTIONS:
        raise ValueError(f"sections must be 1 to {MOST_SECTIONS}, not {sections}")
    overheads = overheads or {}
    text_tokens = sum(block.tokens for block in blocks)
    target = target_tokens(text_tokens, ratio)
    count = sections or _sections_for(target, ratio is not None)
    sentence = _SENTENCES["zh" if language == "zh" else "en"]
    reading = overheads.get("block_summarizer", 0)
    merging = overheads.get("block_merger", reading)
    levels = _levels(blocks, ratio, sentence, (reading, merging))
    evidence = max(EVIDENCE_TOKENS, math.ceil(target / count / SHARE))
    read = _evidence_of(levels, count, evidence)
    read += read // sentence * _LABEL + count * overheads.get("summary_writer", 0)
    written = Stage("sections", count, count, count, read, target)
    # No call is planned: whether something is lost is known only when all is written.
    restored = Stage("restoring", count, 0, RESTORING_ROUNDS * count, 0, 0)
    planned = _planning(levels[-1], count, overheads.get("summary_planner", 0))
    return SizePlan(text_tokens, target, count, evidence, levels, planned, written, restored)


def target_tokens(text_tokens: int, ratio: float | None = None) -> int:
    """About how long the summary of a text is to be. With `ratio` it is that share, however long; else a short text
    has at least the room of a sentence."""
    if ratio is not None:
        return max(1, int(text_tokens * ratio))
    plain = text_tokens * _TARGET_SHARE
    if plain > _PLAIN_TARGET:
        plain = min(_MOST_TARGET, _PLAIN_TARGET * (plain / _PLAIN_TARGET) ** _GROWTH)
    return max(int(plain), min(text_tokens, LEAST_LIMIT))


def _sections_for(target: int, given: bool) -> int:
    """A section for each 1,000 tokens; three or four of a short text, fewer where a length that was asked for leaves
    each less than a sentence or two: then each would say one all the same, and the whole be too long."""
    fewest = min(_FEWEST_SECTIONS, max(1, target // (_LEAST_OF_SECTION if given else _SENTENCE_OF_SECTION)))
    return min(max(round(target / _SECTION_TOKENS), fewest), MOST_SECTIONS if given else _USUAL_SECTIONS)


def _levels(
    blocks: Sequence[TextBlock], ratio: float | None, sentence: int, overheads: tuple[int, int]
) -> tuple[Level, ...]:
    """Level upon level until the planner can read the memories of the last one. Each joins neighbours wherever two
    fit into one block, so that there are ever fewer, of ever fewer tokens: it ends for any text."""
    share = max(SHARE, min(1.0, (ratio or 0.0) * _MARGIN))
    places = [Weighed(block.source, block.path, block.tokens) for block in blocks]
    items = sum(len(block.passages) for block in blocks)
    levels = [_level(0, places, (), items, share, overheads[0])]
    while not _readable(levels[-1]):
        below = levels[-1]
        memories = [
            Weighed(place.source, place.path, limit) for place, limit in zip(below.places, below.limits, strict=True)
        ]
        groups = _joined(neighbours(memories, BLOCK_TOKENS, BLOCK_TOKENS // 2), memories)
        places = [as_one(memories[group.start : group.stop]) for group in groups]
        items = sum(max(1, limit // sentence) for limit in below.limits)
        levels.append(_level(below.level + 1, places, tuple(map(tuple, groups)), items, SHARE, overheads[1]))
    return tuple(levels)


def _level(
    number: int,
    places: Sequence[Weighed],
    groups: tuple[tuple[int, ...], ...],
    items: int,
    share: float,
    overhead: int,
) -> Level:
    limits = tuple(min(place.tokens, max(LEAST_LIMIT, int(place.tokens * share))) for place in places)
    count = len(places)
    read = sum(place.tokens for place in places) + items * _LABEL + count * overhead
    listed = 0 if number else sum(min(FACTS_TOKENS, place.tokens // 2) for place in places)
    stage = Stage(f"level {number}", count, count, 2 * count, read, sum(limits) + listed)
    return Level(number, stage, limits, groups, tuple(places))


def _readable(level: Level) -> bool:
    return len(level.limits) == 1 or (len(level.limits) <= PLANNER_ENTRIES and sum(level.limits) <= PLANNER_TOKENS)


def _joined(groups: Sequence[range], memories: Sequence[Weighed]) -> list[range]:
    """Neighbouring groups in one where they fit, whatever stands between them."""
    joined: list[range] = []
    weight = 0
    for group in groups:
        more = sum(memories[at].tokens for at in group)
        if joined and weight + more <= BLOCK_TOKENS:
            joined[-1] = range(joined[-1].start, group.stop)
            weight += more
        else:
            joined.append(group)
            weight = more
    return joined


def _planning(top: Level, sections: int, overhead: int) -> Stage:
    read = overhead + sum(top.limits) + len(top.limits) * (_LABEL + _ID_TOKENS)
    told = _PLAN_TOKENS + sections * _TITLE_TOKENS + len(top.limits) * _ID_TOKENS
    return Stage("planner", 1, 1, _PLANNER_TRIES, read, told)


def _evidence_of(levels: Sequence[Level], sections: int, most: int) -> int:
    """What all sections read: the memories of the deepest level that fits, and the nearest ones of others' there."""
    chosen = next((level for level in levels if sum(level.limits) <= most * sections), levels[-1])
    whole = sum(chosen.limits)
    near = NEAREST * whole // len(chosen.limits) if len(chosen.limits) > sections else 0
    return min(whole, most * sections) + near * sections
