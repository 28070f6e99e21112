"""Sizes of a summary's run: known from token counts alone, few enough to be read, and told before the first call."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.sources.text_blocks import TextBlock
from kaozheng.workflows.summarize.sizes import (
    FACTS_TOKENS,
    LEAST_LIMIT,
    PLANNER_ENTRIES,
    PLANNER_TOKENS,
    SizePlan,
    size_plan,
    target_tokens,
)
from kaozheng.workflows.summarize.stages import Stage, reached

ROLES = {"block_summarizer": 300, "summary_planner": 500, "summary_writer": 400, "restorer": 350}


def blocks(*tokens, paths=None, sources=None):
    return [
        TextBlock(
            f"B{at + 1}",
            sources[at] if sources else "S1",
            paths[at] if paths else (),
            (f"S1:{2 * at + 1}", f"S1:{2 * at + 2}"),
            count,
        )
        for at, count in enumerate(tokens)
    ]


def book(count=425, chapters=40):
    return blocks(*[2000] * count, paths=[(f"第 {at * chapters // count + 1} 章",) for at in range(count)])


SIZES = st.lists(st.integers(1, 11_000), min_size=1, max_size=120)


@settings(max_examples=80, deadline=None)
@given(SIZES, st.integers(1, 6), st.integers(1, 9), st.none() | st.floats(0.01, 1.0))
def test_levels_end_where_the_planner_can_read_all_memories_and_each_reads_the_whole_one_below(
    tokens, sources, chapters, ratio
):
    count = len(tokens)
    given_blocks = blocks(
        *tokens,
        paths=[(f"{at * chapters // count}",) for at in range(count)],
        sources=[f"S{at * sources // count}" for at in range(count)],
    )
    plan = size_plan(given_blocks, "zh", ratio, None, ROLES)
    top = plan.levels[-1].limits
    assert len(top) == 1 or (len(top) <= PLANNER_ENTRIES and sum(top) <= PLANNER_TOKENS)
    assert len(plan.levels) <= 10
    for below, level in zip(plan.levels, plan.levels[1:], strict=False):
        assert [at for group in level.groups for at in group] == list(range(below.blocks))
        assert all(group for group in level.groups)
        assert [place.tokens for place in level.places] == [
            sum(below.limits[at] for at in group) for group in level.groups
        ]
        assert level.blocks < below.blocks or sum(level.limits) < sum(below.limits)
        for limit, place in zip(level.limits, level.places, strict=True):
            assert limit <= max(0.3 * place.tokens, min(LEAST_LIMIT, place.tokens))
    for level in plan.levels:
        assert (level.calls, level.calls_at_most) == (level.blocks, 2 * level.blocks)
        facts = 0 if level.level else sum(min(FACTS_TOKENS, place.tokens // 2) for place in level.places)
        assert level.output_tokens == sum(level.limits) + facts
        assert level.input_tokens > sum(place.tokens for place in level.places)
    assert SizePlan.from_dict(json.loads(json.dumps(plan.as_dict()))) == plan
    assert size_plan(given_blocks, "zh", ratio, None, ROLES) == plan


def test_a_book_is_told_level_by_level():
    assert size_plan(book(), "en", overheads=ROLES).told("en") == [
        "the text: about 850,000 tokens",
        "level 0: 425 blocks, 425 calls (at most 850), 979,200 tokens in, at most 357,000 out",
        "level 1: 160 groups of summaries, 160 calls (at most 320), 315,750 tokens in, at most 76,500 out",
        "level 2: 40 groups of summaries, 40 calls (at most 80), 92,220 tokens in, at most 22,950 out",
        "level 3: 14 groups of summaries, 14 calls (at most 28), 28,240 tokens in, at most 6,880 out",
        "plan: 1 call (at most 3), 7,464 tokens in, at most 836 out",
        "writing: 12 sections, 12 calls, 103,192 tokens in, at most 12,000 out",
        "restoring what was lost: 0 calls (at most 24)",
        "in all: 652 calls (at most 1,317), 1,526,066 tokens in, at most 476,166 out",
        "the summary: about 12,000 tokens, 12 sections",
    ]


def test_a_short_text_has_one_level_and_is_told_in_chinese_with_what_the_budget_is_enough_for():
    plan = size_plan(blocks(300, 500), "zh", overheads=ROLES)
    assert plan.told("zh", calls=4) == [
        "原文约 800 个 token",
        "第 0 层：2 块，调用 2 次（至多 4 次），输入 1,408 个 token，输出至多 630 个 token，预算足够",
        "规划：调用 1 次（至多 3 次），输入 752 个 token，输出至多 248 个 token，预算足够",
        "撰写：3 节，调用 3 次，输入 1,452 个 token，输出至多 160 个 token，预算只够 1 次",
        "补回遗漏：调用 0 次（至多 6 次），预算到不了这里",
        "合计：调用 6 次（至多 16 次），输入 3,612 个 token，输出至多 1,038 个 token",
        "摘要约 160 个 token，3 节",
    ]


def test_one_of_a_kind_is_told_in_the_singular():
    told = size_plan(blocks(900), "en", sections=1).told("en")
    assert told[1].startswith("level 0: 1 block, 1 call (at most 2), ")
    assert told[3].startswith("writing: 1 section, 1 call, ")
    assert told[-1].endswith("1 section")


def test_memories_of_a_chapter_go_together_before_those_of_two_chapters():
    paths = [("甲",)] * 3 + [("乙",)] * 3 + [("丙",)] * 60
    plan = size_plan(blocks(*[2000] * 66, paths=paths), "zh")
    assert plan.levels[1].groups[:2] == ((0, 1, 2), (3, 4, 5))
    assert plan.levels[1].places[0].path == ("甲",)


def test_a_memory_of_several_sources_has_no_source_and_no_path():
    names = [f"S{at}" for at in range(100)]
    plan = size_plan(blocks(*[600] * 100, sources=names, paths=[("概述",)] * 100), "zh")
    assert {(place.source, place.path) for place in plan.levels[1].places} == {("", ())}


@pytest.mark.parametrize(
    ("text", "target"), [(1, 1), (100, 50), (1_000, 200), (20_000, 4_000), (850_000, 12_000), (9_000_000, 12_000)]
)
def test_the_target_is_a_fifth_of_a_short_text_and_grows_slowly_from_there(text, target):
    assert target_tokens(text) == target


@given(st.integers(1, 2_000_000), st.integers(1, 100_000))
def test_a_longer_text_never_has_a_shorter_summary_nor_one_longer_than_itself(text, more):
    assert target_tokens(text) <= target_tokens(text + more)
    assert target_tokens(text) <= text


@pytest.mark.parametrize(("tokens", "sections"), [(1_000, 3), (20_000, 4), (125_000, 7), (850_000, 12)])
def test_a_short_text_has_three_or_four_sections_and_a_book_twelve(tokens, sections):
    plan = size_plan(blocks(*[min(tokens, 2000)] * max(1, tokens // 2000)), "en")
    assert plan.sections == sections


@pytest.mark.parametrize(
    ("tokens", "ratio", "sections"), [(1_400, 0.05, 1), (1_400, 0.1, 2), (1_400, 0.2, 3), (2, None, 1), (300, None, 3)]
)
def test_a_summary_too_short_for_three_sections_has_fewer(tokens, ratio, sections):
    assert size_plan(blocks(tokens), "en", ratio).sections == sections


def test_a_ratio_is_kept_without_a_cap_and_the_memories_hold_more_than_that():
    plan = size_plan(book(), "zh", ratio=0.4)
    assert plan.target_tokens == 340_000
    assert plan.sections == 40
    assert sum(plan.levels[0].limits) >= plan.target_tokens
    assert plan.evidence_tokens * plan.sections >= plan.target_tokens
    assert sum(size_plan(book(), "zh", ratio=0.1).levels[0].limits) == 255_000


@pytest.mark.parametrize("sections", [1, 7, 40])
def test_as_many_sections_as_were_asked_for(sections):
    assert size_plan(book(), "zh", sections=sections).writing.calls == sections


@given(st.lists(st.integers(0, 9_000), min_size=1, max_size=40))
def test_sections_share_the_target_by_their_weight_and_none_is_starved(weights):
    plan = size_plan(book(), "zh")
    limits = plan.section_limits(weights)
    assert sum(limits) <= plan.target_tokens
    assert min(limits) >= plan.target_tokens // (2 * len(weights))
    assert [one for _, one in sorted(zip(weights, limits, strict=True))] == sorted(limits)


@given(SIZES, st.integers(0, 400), st.integers(0, 400_000))
def test_what_a_budget_reaches_costs_no_more_than_the_budget(tokens, calls, budget):
    plan = size_plan(blocks(*tokens), "en", overheads=ROLES)
    found = plan.reach(calls, budget)
    assert sum(one.calls for one in found) <= calls
    costs = [(stage.input_tokens + stage.output_tokens) / max(1, stage.calls) for stage in plan.stages]
    assert sum(one.calls * cost for one, cost in zip(found, costs, strict=True)) <= budget + 1
    reached_whole = [one.whole for one in found]
    assert reached_whole == sorted(reached_whole, reverse=True)
    assert all(one.calls == one.planned for one in plan.reach() if one.whole)
    assert all(one.whole for one in plan.reach())


def test_a_budget_ends_in_the_stage_that_it_is_not_enough_for():
    stages = [Stage("level 0", 4, 4, 8, 400, 100), Stage("planner", 1, 1, 3, 50, 50), Stage("restoring", 1, 0, 2, 0, 0)]
    assert [(one.calls, one.whole) for one in reached(stages, 3, None)] == [(3, False), (0, False), (0, False)]
    assert [(one.calls, one.whole) for one in reached(stages, None, 260)] == [(2, False), (0, False), (0, False)]
    assert [(one.calls, one.whole) for one in reached(stages, 5, 600)] == [(4, True), (1, True), (0, False)]
    assert [(one.calls, one.whole) for one in reached(stages, 6, 601)] == [(4, True), (1, True), (0, True)]


@pytest.mark.parametrize("wrong", [{"ratio": 0}, {"ratio": 1.1}, {"sections": 0}, {"sections": 41}])
def test_sizes_out_of_range_are_refused(wrong):
    with pytest.raises(ValueError, match="must be"):
        size_plan(blocks(100), "zh", **wrong)


def test_nothing_cannot_be_planned_for():
    with pytest.raises(ValueError, match="no block"):
        size_plan([], "zh")
