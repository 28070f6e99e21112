"""The report for people: how long, from what, what was lost and put back, what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from kaozheng.documents.code_span import code_span
from kaozheng.workflows.summarize.words import WORDS
from kaozheng.workflows.telling import Teller

_MOST_LISTED: Final = 40
_SAID: Final = 160
_STOPS: Final = "。.！!：:；;，, "


def as_markdown(report: Mapping[str, Any], language: str) -> str:
    """`report` (see `delivering.deliver`) as Markdown in `language`."""
    tell = Teller(language, WORDS)
    length = report["length"]
    share = length["summary"] / max(1, length["text"])
    focus = [tell.word("focus", tell.said(report["focus"], _SAID))] if report["focus"] else []
    parts = [
        f"# {tell.word('title')}{tell.said(report['title'].strip(_STOPS), 200)}",
        f"## {tell.word('length')}",
        tell.word("sizes", share=share, **length),
        *focus,
        *_inputs(report["inputs"], tell),
        f"## {tell.word('levels')}",
        tell.listed(line for one in report["levels"] for line in _level(one, tell)),
        f"## {tell.word('sections')}",
        *_fewer(report, tell),
        tell.listed(_section(one, tell) for one in report["sections"]),
        f"## {tell.word('contradictions')}",
        tell.listed(_contradiction(one, tell) for one in report["contradictions"]),
        *_loss(report["loss"], tell),
        f"## {tell.word('taken_out')}",
        tell.listed(_some([_removed(one, tell) for one in report["removed"]], tell)),
        f"## {tell.word('missing')}",
        tell.listed(_some([_part(one, tell) for one in report["missing"]], tell)),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _inputs(inputs: Mapping[str, Any], tell: Teller) -> list[str]:
    colon = tell.word("colon")
    told = [f"## {tell.word('inputs')}", f"### {tell.word('used')}"]
    told.append(tell.listed(_some([code_span(one["path"]) for one in inputs["used"]], tell)))
    for kind in ("unused", "skipped"):
        lines = [f"{code_span(one['path'])}{colon}{tell.reason(one['why'])}" for one in inputs[kind]]
        told += [f"### {tell.word(kind)}", tell.listed(lines)]
    return told


def _fewer(report: Mapping[str, Any], tell: Teller) -> Iterator[str]:
    """That there are fewer sections than were asked for."""
    wanted, made = report.get("sections_wanted"), report.get("sections_made", 0)
    if wanted and made < wanted:
        yield tell.word("fewer", wanted=wanted, made=made)


def _level(one: Mapping[str, Any], tell: Teller) -> Iterator[str]:
    counts = {"compressed": one["compressed"], "cut": len(one["cut"]), "facts": one["facts"]}
    yield tell.word("level", level=one["level"], without=len(one["without_model"]), **counts)
    yield from _some([tell.word("empty", place) for place in one["empty"]], tell)


def _section(one: Mapping[str, Any], tell: Teller) -> str:
    state = tell.word(one["by"]) if one["status"] == "written" else tell.word("gap")
    why = tell.word("why", tell.reason(one["reason"])) if one["reason"] else ""
    return f"{tell.said(one['title'])}{tell.word('colon')}{state}{why}"


def _contradiction(one: Mapping[str, Any], tell: Teller) -> str:
    places = (
        tell.said(place["value"])
        + tell.word("place", path=code_span(place["path"]), line=place.get("where") or tell.lines(place["line"]))
        for place in one["places"]
    )
    return f"{tell.said(one['subject'])}{tell.word('colon')}{tell.word('semicolon').join(places)}"


def _loss(loss: Mapping[str, Any], tell: Teller) -> list[str]:
    left = [tell.said(one["text"], _SAID) for one in loss["left_out"]]
    counts = {name: loss[name] for name in ("statements", "watched", "rounds", "restored")}
    return [
        f"## {tell.word('loss')}",
        tell.word("watched", **counts),
        f"### {tell.word('left_out')}",
        tell.listed(_some(left, tell)),
    ]


def _removed(one: Mapping[str, Any], tell: Teller) -> str:
    return f"{tell.word('section', one['section'])}{tell.word('colon')}{tell.said(one['text'], _SAID)}" + tell.word(
        "why", tell.word(one["why"])
    )


def _part(one: Mapping[str, Any], tell: Teller) -> str:
    what = tell.word(one["kind"], one["number"]) if one["number"] else tell.word(one["kind"])
    return f"{what}{tell.word('colon')}{tell.word(one['status'])}{tell.word('why', tell.reason(one['reason']))}"


def _some(lines: Sequence[str], tell: Teller) -> Iterator[str]:
    """The first lines, and how many more there are."""
    yield from lines[:_MOST_LISTED]
    if len(lines) > _MOST_LISTED:
        yield tell.word("more", len(lines) - _MOST_LISTED)
