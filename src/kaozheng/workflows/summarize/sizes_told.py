"""The size plan in words, in two languages."""

from __future__ import annotations

from collections.abc import Sequence

from kaozheng.workflows.summarize.stages import Reached, Stage

_WORDS = {  # word: (zh, en)
    "text": ("原文约 {0:,} 个 token", "the text: about {0:,} tokens"),
    "level 0": ("第 0 层：{0:,} 块", "level 0: {0:,} {blocks}"),
    "level": ("第 {1} 层：{0:,} 组摘要", "level {1}: {0:,} {groups} of summaries"),
    "planner": ("规划", "plan"),
    "sections": ("撰写：{0:,} 节", "writing: {0:,} {sections}"),
    "restoring": ("补回遗漏", "restoring what was lost"),
    "total": ("合计", "in all"),
    "calls": ("调用 {0:,} 次", "{0:,} {calls}"),
    "at most": ("（至多 {0:,} 次）", " (at most {0:,})"),
    "tokens": ("输入 {0:,} 个 token，输出至多 {1:,} 个 token", "{0:,} tokens in, at most {1:,} out"),
    "summary": ("摘要约 {0:,} 个 token，{1:,} 节", "the summary: about {0:,} tokens, {1:,} {sections}"),
    "whole": ("预算足够", "within the budget"),
    "part": ("预算只够 {0:,} 次", "the budget is enough for {0:,} of {1:,} calls"),
    "none": ("预算到不了这里", "not within the budget"),
}
_PLURALS = {"blocks": "block", "groups": "group", "sections": "section", "calls": "call"}


def told(
    language: str,
    stages: Sequence[Stage],
    total: Stage,
    about: tuple[int, int, int],
    reach: Sequence[Reached] | None = None,
) -> list[str]:
    """One line for the text, each stage, the total and the summary. `about`: the tokens of the text, those of the
    summary, its sections. With `reach` each stage also says whether the budget leads there."""
    say = _Saying(0 if language == "zh" else 1)
    text_tokens, target, sections = about
    lines = [say(_WORDS["text"], text_tokens)]
    for number, stage in enumerate(stages):
        lines.append(say.stage(stage, reach[number] if reach else None))
    lines.append(say.stage(total))
    lines.append(say(_WORDS["summary"], target, sections, counted=sections))
    return lines


class _Saying:
    def __init__(self, column: int) -> None:
        self._column = column

    def __call__(self, words: tuple[str, str], *values: object, counted: int = 2) -> str:
        named = {many: one if counted == 1 else many for many, one in _PLURALS.items()}
        return words[self._column].format(*values, **named)

    def stage(self, stage: Stage, reach: Reached | None = None) -> str:
        comma, colon = ("，", "：") if self._column == 0 else (", ", ": ")
        said = [self._head(stage), self._calls(stage)]
        if stage.calls:
            said.append(self(_WORDS["tokens"], stage.input_tokens, stage.output_tokens))
        if reach is not None:
            said.append(self._reached(reach))
        counted = stage.name == "sections" or stage.name.startswith("level")
        return said[0] + (comma if counted else colon) + comma.join(said[1:])

    def _head(self, stage: Stage) -> str:
        level = stage.name.removeprefix("level ")
        words = _WORDS.get(stage.name, _WORDS["level"])
        return self(words, stage.blocks, level, counted=stage.blocks)

    def _calls(self, stage: Stage) -> str:
        most = self(_WORDS["at most"], stage.calls_at_most) if stage.calls_at_most > stage.calls else ""
        return self(_WORDS["calls"], stage.calls, counted=stage.calls) + most

    def _reached(self, reach: Reached) -> str:
        if reach.whole:
            return self(_WORDS["whole"])
        return self(_WORDS["part" if reach.calls else "none"], reach.calls, reach.planned)
