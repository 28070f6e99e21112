"""The report for people: what was used, what was checked, what is left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

_WORDS = {  # word: (zh, en)
    "title": ("检查报告", "Report"),
    "inputs": ("输入", "Inputs"),
    "used": ("已使用", "Used"),
    "unused": ("未使用", "Unused"),
    "skipped": ("未读取", "Not read"),
    "contradictions": ("相互矛盾", "Contradictions"),
    "sections": ("章节", "Sections"),
    "review": ("审查", "Review"),
    "left": ("遗留问题", "Violations left"),
    "unsupported": ("没有依据的句子", "Sentences without evidence"),
    "repairs": ("替换记录", "Replacements"),
    "landed": ("采纳", "landed"),
    "refused": ("拒绝", "refused"),
    "none": ("无", "none"),
    "line": ("行", "line"),
    "found": ("发现", "found"),
    "tries": ("修改次数", "repairs"),
    "remain": ("遗留", "left"),
    "gap": ("未能生成", "could not be written"),
    "module": ("模块", "Module"),
    "circuit": ("【熔断放行】", "【熔断放行】"),
    "fixed": ("代码修正", "fixed by code"),
}


def as_markdown(report: Mapping[str, Any], language: str) -> str:
    """`report` (see `delivering.deliver`) as Markdown in `language`."""
    words = {word: zh if language == "zh" else en for word, (zh, en) in _WORDS.items()}
    parts = [
        f"# {words['title']}: {report['title']}",
        *_inputs(report["inputs"], words),
        f"## {words['contradictions']}",
        _listed(map(_contradiction, report["contradictions"]), words),
        f"## {words['sections']}",
        _listed((_section(one, words) for one in report["sections"]), words),
        f"## {words['review']}",
        _review(report["review"], words),
        *_circuits(report["review"], words),
        f"## {words['left']}",
        _listed(
            (
                f"{one['rule']} ({words['line']} {one['start_line']}): {one['message']}: {_code(one['quote'])}"
                for one in report["violations_left"]
            ),
            words,
        ),
        f"## {words['repairs']}",
        _repairs(report["repairs"], words),
        f"## {words['unsupported']}",
        _listed((f"{words['line']} {one['lines'][0]}: {one['text']}" for one in report["unsupported"]), words),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _inputs(inputs: Mapping[str, Any], words: Mapping[str, str]) -> list[str]:
    used = [f"{_code(one['path'])}: {one['cited']}/{one['passages']}" for one in inputs["used"]]
    return [
        f"## {words['inputs']}",
        f"### {words['used']}",
        _listed(used, words),
        f"### {words['unused']}",
        _listed((f"{_code(one['path'])}: {one['why']}" for one in inputs["unused"]), words),
        f"### {words['skipped']}",
        _listed((f"{_code(one['path'])}: {one['why']}" for one in inputs["skipped"]), words),
    ]


def _contradiction(one: Mapping[str, Any]) -> str:
    places = "; ".join(f"{place['value']} ({_code(place['path'])}:{place['line']})" for place in one["places"])
    return f"{one['subject']}: {places}"


def _section(one: Mapping[str, Any], words: Mapping[str, str]) -> str:
    state = one["by"] if one["status"] == "written" else words["gap"]
    return f"{one['title']}: {state}" + (f" ({one['reason']})" if one["reason"] else "")


def _review(reviews: Mapping[str, Any], words: Mapping[str, str]) -> str:
    head = f"| {words['module']} | {words['found']} | {words['tries']} | {words['remain']} |\n|---|---|---|---|"
    rows = [f"| {one['title']} | {one['found']} | {one['tries']} | {one['left']} |" for one in reviews.values()]
    return "\n".join([head, *rows])


def _circuits(reviews: Mapping[str, Any], words: Mapping[str, str]) -> list[str]:
    return [
        f"{words['circuit']} {one['title']} ({key}): {one['left']} {words['remain']}, {one['circuit']}"
        for key, one in reviews.items()
        if one["circuit"]
    ]


def _repairs(repairs: Iterable[Mapping[str, Any]], words: Mapping[str, str]) -> str:
    lines: list[str] = []
    for repair in repairs:
        lines.extend(f"{one['rule']} ({words['line']} {one['lines'][0]}): {words['fixed']}" for one in repair["fixed"])
        for one in repair["replacements"]:
            verdict = words["landed"] if one["accepted"] else f"{words['refused']}: {one['why']}"
            place = f"{words['line']} {one['lines'][0]}–{one['lines'][1]}"
            lines.append(f"{one['rule']} ({place}, {one['by']}): {verdict}. {one['reason']}")
    return _listed(lines, words)


def _listed(lines: Iterable[str], words: Mapping[str, str]) -> str:
    return "\n".join(f"- {' '.join(line.split())}" for line in lines) or words["none"]


def _code(text: str) -> str:
    return "`{}`".format(" ".join(text.replace("`", "'").split()))
