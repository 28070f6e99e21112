"""A seeded document with 60 violations of 15 rules, healed by a model that also proposes all kinds of rubbish."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from langgraph.graph import START, StateGraph

from kaozheng.documents.document import Document
from kaozheng.documents.guard import losses
from kaozheng.models.messages import Call
from kaozheng.ports import Ports
from kaozheng.rules.book import load_book
from kaozheng.rules.engine import inspect
from kaozheng.testing.memory import MemoryArtifacts
from kaozheng.testing.memory_ports import memory_ports
from kaozheng.testing.scripted_model import ScriptedModel
from kaozheng.workflows.review.graph import attach
from kaozheng.workflows.review.reviewing import MOST_REPAIRS
from kaozheng.workflows.review.state import ReviewState

DATA = Path(__file__).parent / "healing"
BOOK = load_book(DATA / "book.md")
DRAFT = (DATA / "draft.md").read_text(encoding="utf-8")
BAD = ("overlap", "out of range", "prefix", "drops numbers", "no-op", "adds a fault", "invents")
_LINE = re.compile(r"^(\d{4,}): (.*)$", re.MULTILINE)
_TOLD = re.compile(r"^- (?:【[^】]*】)?([\d.]+) \(line (\d+)\)", re.MULTILINE)
_NAMES = {"python": "Python", "github": "GitHub", "mysql": "MySQL", "sqlite": "SQLite", "nginx": "Nginx"}
_TERMS = {"登陆": "登录", "帐号": "账号", "借阅人": "读者", "分店": "分馆", "自助机器": "自助借还机"}
_WORDS = (
    *(
        "最好",
        "最佳",
        "唯一",
        "完美",
        "绝对",
        "赋能",
        "抓手",
        "闭环",
        "打造",
        "众所周知，",
        "众所周知",
        "据悉，",
        "据悉",
    ),
    *("有关部门", "相关规定", "其实吧", "基本上来说", "的话呢", "就是说", "那个啥", "然后呢"),
)


def mended(rule: str, line: str) -> str:
    """The line as a careful reviser would leave it; code spans and addresses stay untouched."""
    if rule in {"2.2", "2.3"}:
        return _mended(rule, line)
    parts = re.split(r"(`[^`]*`|\]\([^)]*\)|!\[[^\]]*\])", line)
    return "".join(part if place % 2 else _mended(rule, part) for place, part in enumerate(parts))


def _mended(rule: str, text: str) -> str:  # noqa: C901 - one branch a rule
    if rule == "1.1":
        text = re.sub(r"([\u4e00-\u9fff])([A-Za-z0-9])", r"\1 \2", text)
        return re.sub(r"([A-Za-z0-9])([\u4e00-\u9fff])", r"\1 \2", text)
    if rule == "1.2":
        return re.sub(
            r"(?<=[\u4e00-\u9fff”）])([,;:!?])\s*(?=[\u4e00-\u9fff“]|\s|$)",
            lambda m: dict(zip(",;:!?", "，；：！？", strict=True))[m[1]],
            text,
        )
    if rule == "1.3":
        return re.sub(r"([！？。，；：、])\1+", r"\1", text)
    if rule == "1.4":
        return re.sub(r"\.{3,}|。{3,}|(?<!…)…(?!…)", "……", text)
    if rule == "2.1":
        return text.rstrip("。．.，,；;：:！!、")
    if rule == "2.2":
        return text + "text" if text.startswith("```") and text == "```" else text
    if rule == "2.3":
        return text.replace("![](", "![示意图](")
    if rule == "4.5":
        middle = len(text) // 2
        commas = [m.start() for m in re.finditer("[，；]", text)]
        at = min(commas, key=lambda place: abs(place - middle), default=-1)
        return text[:at] + "。" + text[at + 1 :] if at >= 0 else text
    for bad, good in {**_NAMES, **_TERMS}.items() if rule.startswith("3") else ():
        text = re.sub(rf"(?<![A-Za-z]){bad}(?![A-Za-z])", good, text)
    for word in _WORDS if rule in {"4.1", "4.2", "4.3", "4.4"} else ():
        text = text.replace(word, "")
    return text


@dataclass
class Reviser:
    """Answers with good and bad replacements in turn; each says in its reason what kind it is."""

    turn: int = 0
    sent: Counter[str] = field(default_factory=Counter)

    def __call__(self, call: Call) -> str:
        if call.role == "reviewer":
            return '{"violations": []}'
        prompt = call.messages[-1].content
        rule = call.purpose.split("/")[2]
        lines = {int(number): text for number, text in _LINE.findall(prompt)}
        proposals = []
        for number in sorted({int(line) for _, line in _TOLD.findall(prompt)}):
            self.turn += 1
            rubbish = self.turn % (len(BAD) + 1) and not call.purpose.endswith("round3")
            kind = BAD[self.turn % len(BAD)] if rubbish else "good"
            good = mended(rule, lines[number])
            proposals += self._proposed(kind, number, lines[number], good)
        return json.dumps({"replacements": proposals}, ensure_ascii=False)

    def _proposed(self, kind: str, line: int, old: str, good: str) -> list[dict[str, object]]:
        self.sent[kind] += 1
        content, at = good, line
        match kind:
            case "overlap":
                return [self._one("good", line, good), self._one("overlap", line, good + "（又改）")]
            case "out of range":
                at = line + 500
            case "prefix":
                content = f"{line:04d}: {good}"
            case "drops numbers":
                content = re.sub(r"\d|\[\^\w+\]|`[^`]*`", "", good)
                if content == good:
                    kind = "good"
            case "no-op":
                content = old
            case "adds a fault":
                content = good + "，绝对完美的GitHub方案"
            case "invents":
                content = good + "，共 98,765 件"
        return [self._one(kind, at, content)]

    def _one(self, kind: str, line: int, content: str) -> dict[str, object]:
        return {"start_line": line, "end_line": line, "new_content": content, "reason": kind}


class Recorded(MemoryArtifacts):
    """Artifacts that remember every draft."""

    def __init__(self) -> None:
        super().__init__()
        self.drafts: list[str] = []

    async def put(self, name: str, text: str) -> str:
        if name == "draft_wip.md":
            self.drafts.append(text)
        return await super().put(name, text)


async def heal(model: ScriptedModel | None) -> tuple[ReviewState, Recorded, str]:
    """The loop alone, over the seeded draft."""
    artifacts = Recorded()

    async def opened(state: ReviewState) -> dict[str, object]:
        return {"current_draft": await artifacts.put("draft.md", DRAFT), "language": "zh"}

    graph = StateGraph(ReviewState, context_schema=Ports)
    graph.add_node("open", opened)
    graph.add_edge(START, "open")
    attach(graph, "open", BOOK, ReviewState)
    ports = memory_ports(artifacts=artifacts, model=model)
    state = await graph.compile().ainvoke({}, context=ports, config={"recursion_limit": 100})
    return state, artifacts, await artifacts.get(state["current_draft"])


def violations(text: str) -> Counter[str]:
    return Counter(one.rule for one in inspect(Document(text), BOOK.rules, "zh"))


async def logs(state: ReviewState, artifacts: MemoryArtifacts) -> list[dict]:
    return [json.loads(await artifacts.get(ref)) for ref in state["revision_log"]]


def test_the_seed_holds_what_its_author_says() -> None:
    expected = yaml.safe_load((DATA / "expected.yml").read_text(encoding="utf-8"))
    found = Counter((one.rule, one.lines.start) for one in inspect(Document(DRAFT), BOOK.rules, "zh"))
    assert found == Counter((one["rule"], one["line"]) for one in expected)
    assert (found.total(), len({one["rule"] for one in expected})) == (60, 15)


async def test_only_good_replacements_land_and_the_draft_heals() -> None:
    reviser = Reviser()
    state, artifacts, healed = await heal(ScriptedModel(reviser))
    assert set(BAD) <= set(reviser.sent), "every kind of rubbish must have been proposed"
    verdicts = [one for log in await logs(state, artifacts) for one in log["replacements"]]
    landed = Counter(one["reason"] for one in verdicts if one["accepted"])
    assert set(landed) == {"good"}, landed
    assert violations(healed).total() <= 15
    assert losses(DRAFT, healed) == []


async def test_violations_never_rise_and_tries_are_bounded() -> None:
    state, artifacts, healed = await heal(ScriptedModel(Reviser()))
    drafts = [DRAFT, *artifacts.drafts, healed]
    counts = [violations(draft) for draft in drafts]
    for before, after in pairwise(counts):
        assert after <= before, (before, after)
    assert max(state["iteration_counts"].values()) <= MOST_REPAIRS
    left = {key: one["left"] for key, one in state["reviews"].items()}
    assert sum(left.values()) == violations(healed).total()
    for key, one in state["reviews"].items():
        assert bool(one["circuit"]) == bool(left[key])


async def test_a_good_reviser_heals_everything() -> None:
    def good(call: Call) -> str:
        if call.role == "reviewer":
            return '{"violations": []}'
        reviser = Reviser(turn=-1)
        reviser._proposed = lambda kind, number, old, good: [reviser._one("good", number, good)]  # type: ignore[method-assign]
        return reviser(call)

    state, _, healed = await heal(ScriptedModel(good))
    assert violations(healed).total() == 0
    assert all(one["circuit"] == "" for one in state["reviews"].values())


async def test_a_reviser_that_does_nothing_is_let_through_after_three_tries() -> None:
    state, _, healed = await heal(
        ScriptedModel(lambda call: '{"replacements": []}' if call.role == "reviser" else '{"violations": []}')
    )
    assert healed == DRAFT
    assert set(state["iteration_counts"].values()) == {MOST_REPAIRS}
    assert any("【熔断放行】" in line for line in state["review_comments"])


async def test_without_a_model_the_loop_stops_when_code_has_nothing_more_to_offer() -> None:
    state, _, healed = await heal(None)
    assert healed == DRAFT, 'every rule of the book says fix = "never"'
    assert set(state["iteration_counts"].values()) == {1}


@pytest.mark.parametrize(
    "junk", ["", "not json", '{"replacements": [{"start_line": "x"}]}', "[]", '{"replacements": null}']
)
async def test_a_misbehaving_model_loses_nothing(junk: str) -> None:
    state, _, healed = await heal(ScriptedModel(lambda call: junk))
    assert healed == DRAFT
    assert sum(one["left"] for one in state["reviews"].values()) == 60
