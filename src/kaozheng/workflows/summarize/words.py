"""What the report on a summary says, in Chinese and English."""

from __future__ import annotations

from typing import Final

WORDS: Final = {  # word: (zh, en)
    "title": ("摘要报告：", "Report: "),
    "length": ("篇幅", "Length"),
    "sizes": (
        "原文约 {text} 个 token，目标 {target}，摘要 {summary}（{share:.1%}）。",
        "The text has about {text} tokens; {target} were aimed at, the summary has {summary} ({share:.1%}).",
    ),
    "focus": ("关注：{0}", "Focus: {0}"),
    "inputs": ("输入", "Inputs"),
    "used": ("已使用", "Used"),
    "unused": ("未使用", "Unused"),
    "skipped": ("未读取", "Not read"),
    "nothing": ("没有任何内容被采用", "nothing of it was taken up"),
    "levels": ("各级概括", "Levels"),
    "level": (
        "第 {level} 级：二次压缩 {compressed} 块，按句截断 {cut} 块，模型列出的要点 {facts} 条，未经模型 {without} 块",
        "level {level}: {compressed} compressed again, {cut} cut at a sentence, {facts} facts listed by the model, "
        "{without} without the model",
    ),
    "empty": ("没有可摘录的句子：{0}", "no sentence to excerpt: {0}"),
    "sections": ("章节", "Sections"),
    "fewer": (
        "要求 {wanted} 节，原文只够分成 {made} 节。",
        "{wanted} sections were asked for; the text has room for {made}.",
    ),
    "contradictions": ("相互矛盾", "Contradictions"),
    "loss": ("信息遗失检查", "Loss check"),
    "watched": (
        "原文要点 {statements} 条，重点核对 {watched} 条，检查 {rounds} 轮，补回 {restored} 条。",
        "{statements} key statements in the text, {watched} of them watched over; {rounds} rounds, "
        "{restored} put back.",
    ),
    "left_out": ("未写入摘要的要点", "Watched statements that stay out"),
    "more": ("另有 {0} 条，见 `report.json`", "{0} more, see `report.json`"),
    "taken_out": ("被移除的句子", "Sentences taken out"),
    "unsupported": ("没有依据", "no evidence"),
    "repeated": ("与前文重复", "said before"),
    "missing": ("缺口与未经模型的部分", "Gaps, and parts without the model"),
    "block": ("第 {0} 块", "block {0}"),
    "merge": ("合并 {0}", "merge {0}"),
    "tree": ("大纲", "the outline"),
    "section": ("第 {0} 节", "section {0}"),
    "restore": ("第 {0} 节的补回", "what was put back into section {0}"),
    "gap": ("缺口", "gap"),
    "model": ("模型", "model"),
    "offline": ("离线规则", "offline"),
    "fallback": ("离线规则（模型未答）", "offline (no answer from the model)"),
}
