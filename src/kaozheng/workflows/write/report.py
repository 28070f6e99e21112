"""The report for people: what was used, what was checked, what is left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kaozheng.documents.code_span import code_span
from kaozheng.workflows.telling import Teller
from kaozheng.workflows.write.words import WORDS

_BY_CHECK = "proposed by the check"
_MOST_LEFT_OUT = 6
_STOPS = "。.！!：:；;，, "


def as_markdown(report: Mapping[str, Any], language: str) -> str:
    """`report` (see `delivering.deliver`) as Markdown in `language`; a Chinese one obeys the rules of zh-tech."""
    tell = Teller(language, WORDS)
    parts = [
        f"# {tell.word('title')}{tell.said(report['title'].strip(_STOPS), 200)}",
        *_inputs(report["inputs"], tell),
        *_links((report.get("explored") or {}).get("links", ()), tell),
        f"## {tell.word('contradictions')}",
        tell.listed(_contradiction(one, tell) for one in report["contradictions"]),
        f"## {tell.word('sections')}",
        tell.listed(_section(one, tell) for one in report["sections"]),
        f"## {tell.word('review')}",
        _review(report["review"], tell),
        *_circuits(report["review"], tell),
        *_without_model(report, tell),
        f"## {tell.word('left')}",
        tell.listed(_left(one, tell) for one in report["violations_left"]),
        f"## {tell.word('repairs')}",
        tell.listed(_repairs(report["repairs"], tell)),
        f"## {tell.word('unsupported')}",
        tell.listed(_unsupported(one, tell) for one in report["unsupported"]),
        *(_code(report["code"], tell) if report["code"] else []),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _code(code: Mapping[str, Any], tell: Teller) -> list[str]:
    """What was held against the code base once more, and what of it does not stand there."""
    doubts = (f"{code_span(one['claim'])}{tell.word('colon')}{tell.reason(one['why'])}" for one in code["doubts"])
    return [f"## {tell.word('code')}", tell.word("reread", **code), f"### {tell.word('doubts')}", tell.listed(doubts)]


def _inputs(inputs: Mapping[str, Any], tell: Teller) -> list[str]:
    colon = tell.word("colon")
    used = (f"{code_span(one['path'])}{colon}{_share(one, tell)}" for one in inputs["used"])
    unused, skipped = (
        (f"{code_span(one['path'])}{colon}{tell.reason(one['why'])}" for one in inputs[kind])
        for kind in ("unused", "skipped")
    )
    return [
        f"## {tell.word('inputs')}",
        f"### {tell.word('used')}",
        tell.listed(used),
        f"### {tell.word('unused')}",
        tell.listed(unused),
        f"### {tell.word('skipped')}",
        tell.listed(skipped),
    ]


def _share(one: Mapping[str, Any], tell: Teller) -> str:
    """How much of an input was taken up, and where the rest of it stands."""
    if "places" in one:
        return tell.word("at", places=one["places"])
    share = tell.word("share", cited=one["cited"], passages=one["passages"])
    lines = [tell.lines(*part) for part in one.get("left", ())[:_MOST_LEFT_OUT]]
    more = [tell.word("more")] if len(one.get("left", ())) > _MOST_LEFT_OUT else []
    return share + (tell.word("left_out", tell.word("comma").join([*lines, *more])) if lines else "")


def _links(links: Iterable[Mapping[str, str]], tell: Teller) -> list[str]:
    """Links of the request from which no page came, and why; nothing when all were read."""
    told = [
        f"{code_span(one['url'])}{tell.word('colon')}{tell.reason(one['failure'])}" for one in links if one["failure"]
    ]
    return [f"## {tell.word('links')}", tell.listed(told)] if told else []


def _contradiction(one: Mapping[str, Any], tell: Teller) -> str:
    places = (
        tell.said(place["value"])
        + tell.word("place", path=code_span(place["path"]), line=place.get("where") or tell.lines(place["line"]))
        for place in one["places"]
    )
    return f"{tell.said(one['subject'])}{tell.word('colon')}{tell.word('semicolon').join(places)}"


def _section(one: Mapping[str, Any], tell: Teller) -> str:
    state = tell.word(one["by"]) if one["status"] == "written" else tell.word("gap")
    why = tell.word("why", tell.reason(one["reason"])) if one["reason"] else ""
    return f"{tell.said(one['title'])}{tell.word('colon')}{state}{why}"


def _review(reviews: Mapping[str, Any], tell: Teller) -> str:
    columns = [tell.word(word) for word in ("module", "found", "tries", "remain")]
    rows = [[_cell(tell.said(one["title"])), one["found"], one["tries"], one["left"]] for one in reviews.values()]
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in (columns, ["---"] * len(columns), *rows))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _circuits(reviews: Mapping[str, Any], tell: Teller) -> list[str]:
    return [
        tell.word(
            "circuit",
            title=tell.said(one["title"]),
            key=key,
            tries=one["tries"],
            left=one["left"],
            why=tell.reason(one["circuit"]),
        )
        for key, one in reviews.items()
        if one["circuit"]
    ]


def _without_model(report: Mapping[str, Any], tell: Teller) -> list[str]:
    """Where a model was asked in vain and why, and what the budget left to the twins; nothing when there is neither."""
    told = [
        tell.word(f"vain_{made}", why=tell.reason(report[made]["reason"]))
        for made in ("explored", "planned")
        if (report.get(made) or {}).get("by") == "fallback"
    ]
    told += [
        tell.word("vain_section", place, why=tell.reason(one["reason"]))
        for place, one in enumerate(report["sections"], start=1)
        if one["by"] == "fallback"
    ]
    told += [
        tell.word("vain_review", title=tell.said(one["title"]), key=key, why=tell.reason(why))
        for key, one in report["review"].items()
        for why in one.get("unjudged", ())
    ]
    told += [
        tell.word("vain_repair", key=repair["module"], rule=one["rule"], why=tell.reason(one["reason"]))
        for repair in report["repairs"]
        for one in repair.get("fallbacks", ())
    ]
    parts = [f"## {tell.word('vain')}", tell.listed(told)] if told else []
    if report["budget"]:
        kinds = (part.partition(" ") for part in report["budget"])
        spared = tell.word("and").join(tell.word(f"part_{kind}", name) for kind, _, name in kinds)
        parts += [f"## {tell.word('budget')}", tell.word("spared", spared)]
    return parts


def _left(one: Mapping[str, Any], tell: Teller) -> str:
    place = f"{tell.word('rule', one['rule'])}{tell.word('comma')}{tell.lines(one['start_line'])}"
    quote = f"{tell.word('colon')}{code_span(one['quote'])}" if one["quote"].strip() else ""
    return f"{place}{tell.word('colon')}{tell.said(one['message'].rstrip('.'))}{quote}"


def _repairs(repairs: Iterable[Mapping[str, Any]], tell: Teller) -> Iterator[str]:
    for repair in repairs:
        for one in repair["fixed"]:
            place = _place(one, tell, tell.word("fixed"))
            yield f"{place}{tell.word('colon')}{tell.change(one['before'], one['after'])}"
        for one in repair["replacements"]:
            yield _replacement(one, tell)


def _replacement(one: Mapping[str, Any], tell: Teller) -> str:
    verdict = tell.word("landed") if one["accepted"] else tell.word("refused")
    place = _place(one, tell, tell.word(one["by"]), verdict)
    told = f"{place}{tell.word('colon')}{tell.change(one.get('before'), one['content'])}"
    if not one["accepted"]:
        told += tell.word("why", tell.reason(one["why"]))
    said = "" if one["reason"] == _BY_CHECK else tell.reason(one["reason"].strip().rstrip(_STOPS))
    return f"{told}{tell.word('stop')}{said}".strip() if said else told


def _place(one: Mapping[str, Any], tell: Teller, *more: str) -> str:
    return tell.word("comma").join([tell.word("rule", one["rule"]), tell.lines(*one["lines"]), *more])


def _unsupported(one: Mapping[str, Any], tell: Teller) -> str:
    return f"{tell.lines(*one['lines'])}{tell.word('colon')}{code_span(' '.join(one['text'].split()))}"
