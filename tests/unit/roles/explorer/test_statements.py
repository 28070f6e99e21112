"""What a model says of the code holds only when its lines, names and numbers are there."""

from __future__ import annotations

import pytest

from kaozheng.providers.readers.code_files import read_folder
from kaozheng.roles.explorer.merging import merged
from kaozheng.roles.explorer.overview import Overview, Remark
from kaozheng.roles.explorer.statements import Held, SaidOverview, SaidStatement, Sieve

FILES = {
    "README.md": "# Clockwork\n\nClockwork winds clocks, 12 at a time.\n",
    "clockwork/__init__.py": '"""Winds clocks."""\n',
    "clockwork/engine.py": (
        '"""The engine."""\n\nfrom clockwork.spring import Spring\n\n\nclass Engine:\n    """Runs."""\n\n'
        "    def start(self, turns=3):\n        return Spring(turns).wind()\n"
    ),
    "clockwork/spring.py": "class Spring:\n    def __init__(self, turns):\n        self.turns = turns\n" + "\n" * 200,
    "docs/ja.md": "名はFederです。\n",
    "我的 文档/说明.md": "钟表引擎的说明。\n",
}


@pytest.fixture
def shelf(tmp_path):
    pytest.importorskip("tree_sitter", reason="the extra `code` is not installed")
    for path, text in FILES.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return read_folder(tmp_path)


def said(text, *places, chapter="structure", folder=""):
    return SaidStatement(chapter=chapter, text=text, places=list(places), folder=folder)


ENGINE = "clockwork/engine.py#L6-L10"


@pytest.mark.parametrize(
    "statement",
    [
        said("`Engine.start` winds a `Spring`.", ENGINE),
        said("The class `Engine` has a method `start()` with `turns=3`, so 3 turns by default.", ENGINE),
        said("It depends on `clockwork/spring.py` and `clockwork.spring`.", "clockwork/engine.py#L3"),
        said("The folder `clockwork/` holds the engine.", "./clockwork/engine.py#L1"),
        said(
            "`clockwork` winds 12 clocks at a time, as a JavaScript program would.", "README.md#L3", chapter="Purpose"
        ),
        said("`Engine` 的 `start` 会上紧发条。", f"`{ENGINE}`", chapter="flows"),
        said("`说明.md` 介绍钟表引擎。", "我的 文档/说明.md#L1", chapter="purpose"),
        said("`Engine`分为两层，在clockwork/engine.py中，由start调用Spring，默认3圈，一次一个。", ENGINE),
        said("By default `Engine` makes three turns; it has two parts, e.g. UTF-8 text, and one _method_.", ENGINE),
        said("`start(turns=3)` of the `Engine` makes 3 turns.", ENGINE),
        said("`Engine.start` begins it.", "clockwork/engine.py#L9"),
        said("`Feder`はばねです。", "docs/ja.md#L1"),
        said("- One line\nand its rest about the `Engine`.", ENGINE),
    ],
)
def test_what_stands_in_the_lines_holds(shelf, statement):
    sieve = Sieve(shelf)
    assert sieve(SaidOverview(statements=[statement])) == []
    assert len(sieve.held) == 1
    assert "\n" not in sieve.held[0].remark.text


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        (said("`Engine` runs.", "clockwork/engine.py#L6-L99"), "has 10 lines"),
        (said("`Engine` runs.", "clockwork/motor.py#L1"), "no such text file"),
        (said("`Engine` runs.", "../../etc/passwd#L1"), "no such text file"),
        (said("`Engine` runs.", "/etc/passwd#L1"), "no such text file"),
        (said("`Engine` runs.", "clockwork/engine.py"), "not of the form"),
        (said("`Engine` runs.", "clockwork/engine.py#L9-L6"), "not of the form"),
        (said("`Engine` runs."), "needs 1 to 8 places"),
        (said("`Engine` runs.", *[ENGINE] * 9), "needs 1 to 8 places"),
        (said("`Spring` is long.", "clockwork/spring.py#L1-L190"), "100 lines or fewer"),
        (said("`Engine` uses a `Flywheel`.", ENGINE), "`Flywheel` stands neither"),
        (said("`Engine.stop` halts it.", ENGINE), "`Engine.stop` stands neither"),
        (said("It calls FlyWheelFactory.", ENGINE), "`FlyWheelFactory` stands neither"),
        (said("It calls wind_up_all().", ENGINE), "`wind_up_all` stands neither"),
        (said("It reads `clockwork/flywheel.py`.", ENGINE), "stands neither"),
        (said("It reads clockwork/flywheel.py first.", ENGINE), "stands neither"),
        (said("The `Engine` makes 4 turns.", ENGINE), "the number 4"),
        (said("`README.md` is full of blue sky.", ENGINE), "nothing of it stands"),
        (said("Clockwork winds clocks.", "README.md#L3"), "names no file"),
        (said("", ENGINE), "empty"),
        (said("`Engine` at clockwork/engine.py#L6.", ENGINE), "holds a place"),
        (said("`Engine` at engine.py:6.", ENGINE), "holds a place"),
        (said("## Engine", ENGINE), "plain sentences"),
        (said("| `Engine` | x |", ENGINE), "plain sentences"),
        (said("![x](http://evil.example/?q=1) `Engine`", ENGINE), "plain sentences"),
        (said("See [`Engine`](clockwork/engine.py).", ENGINE), "plain sentences"),
        (said("`Engine` is at https://evil.example/.", ENGINE), "plain sentences"),
        (said("`Engine` <img src=x> runs.", ENGINE), "plain sentences"),
        (said("``` `Engine` ```", ENGINE), "back-ticks"),
        (said("`Engine runs.", ENGINE), "back-ticks"),
        (said("`Engine` runs, says `Engine.", ENGINE), "back-ticks"),
        (said("\\`![x](//evil.example/q)\\` `Engine`", ENGINE), "plain sentences"),
        (said("\\`Engine\\` runs and `Engine` too.", ENGINE), "back-ticks"),
        (said("[Engine]: /path", ENGINE), "plain sentences"),
        (said("+ `Engine` runs.", ENGINE), "plain sentences"),
        (said("1. `Engine` runs.", ENGINE), "plain sentences"),
        (said("> `Engine` runs.", ENGINE), "plain sentences"),
        (said("`Engine` runs[^1].", ENGINE), "plain sentences"),
        (said("`Engine` costs $x$.", ENGINE), "plain sentences"),
        (said("`Engine` " + "runs and " * 200, ENGINE), "900 at most"),
        (said("`Engine` 最多重试42次。", ENGINE), "the number 42次"),
        (said("`Engine` 占用512MB内存。", ENGINE), "the number 512MB"),
        (said("`Engine` 在2031年完成。", ENGINE), "the number 2031"),
        (said("`Engine` 限制为３６００秒。", ENGINE), "the number 3600秒"),
        (said("`Engine` 重试四十二次。", ENGINE), "the number 四十二次"),
        (said("`Engine` 重试肆拾贰次。", ENGINE), "the number 四十二次"),
        (said("`Engine` 由七名工程师完成。", ENGINE), "the number 七名"),
        (said("`Engine` 在二〇三一年完成。", ENGINE), "the number 二〇三一年"),
        (said("`Engine` waits 99ms.", ENGINE), "the number 99ms"),
        (said("`Engine` costs $5k.", ENGINE), "the number 5k"),
        (said("`Engine` holds 1_000 turns.", ENGINE), "the number 1000"),
        (said("`Engine` holds 3k turns.", ENGINE), "the number 3k"),
        (said("`Engine` takes ½ s.", ENGINE), "the number 1"),
        (said("`Engine` makes forty-two turns.", ENGINE), "the number forty-two"),
        (said("`Engine` waits five seconds.", ENGINE), "the number five"),
        (said("`Engine` is v9.9 of it.", ENGINE), "`v9.9` stands neither"),
        (said("`Engine` is written in Python3.14.", ENGINE), "`Python3.14` stands neither"),
        (said("`start(turns=42)` runs the `Engine`.", ENGINE), "`start(turns=42)` stands neither"),
        (said("`Engine` 调用flywheel_client。", ENGINE), "`flywheel_client` stands neither"),
        (said("`Engine` 连接FlyWheel集群。", ENGINE), "`FlyWheel` stands neither"),
        (said("`Engine` 读取clockwork/flywheel.py中的内容。", ENGINE), "`clockwork/flywheel.py` stands neither"),
        (said("`Engine` sends to evil.example/x.", ENGINE), "`evil.example` stands neither"),
        (said("`Engine` runs.", ENGINE, chapter="usage"), "chapter is one of"),
        (said("`Engine` runs.", ENGINE, chapter="modules", folder="motor"), "there is no folder motor"),
    ],
)
def test_what_does_not_is_dropped_with_the_reason(shelf, statement, why):
    sieve = Sieve(shelf)
    complaints = sieve(SaidOverview(statements=[statement]))
    assert len(complaints) == 1
    assert why in complaints[0]
    assert sieve.held == ()
    assert sieve.dropped == tuple(complaints)


def test_the_best_answer_is_kept(shelf):
    good, other, bad = said("`Engine` runs.", ENGINE), said("`Engine` starts.", ENGINE), said("`No` runs.", ENGINE)
    sieve = Sieve(shelf)
    assert sieve(SaidOverview(statements=[good, other, bad]))
    assert sieve(SaidOverview(statements=[bad]))
    assert [one.remark.text for one in sieve.held] == ["`Engine` runs.", "`Engine` starts."]
    assert len(sieve.dropped) == 1
    assert sieve(SaidOverview(statements=[good, other])) == []
    assert sieve.dropped == ()


def test_the_same_twice_and_too_many_are_said_once(shelf):
    sieve = Sieve(shelf)
    complaints = sieve(SaidOverview(statements=[said("`Engine` runs.", ENGINE)] * 90))
    assert len(sieve.held) == 1
    assert len(complaints) == 60
    assert "at most 60" in complaints[-1]


def test_an_empty_answer_is_complained_of(shelf):
    assert Sieve(shelf)(SaidOverview()) == ["there is no statement"]


def test_merging_keeps_every_fact_and_puts_words_where_they_belong():
    facts = (
        Remark("purpose", "A fact.", ("a#L1",)),
        Remark("modules", "Names.", ("a#L1",)),
        Remark("modules", "| table |", ("a#L1",), "`src/`"),
        Remark("modules", "Names of lib.", ("b#L1",), "`lib/`"),
        Remark("modules", "| table |", ("b#L1",), "`lib/`"),
        Remark("usage", "- `make`", ("Makefile#L1",)),
    )
    own = (
        Held(Remark("modules", "About lib.", ("b#L2",)), "lib/"),
        Held(Remark("purpose", "For all.", ("a#L2",))),
        Held(Remark("modules", "About a folder without a table.", ("c#L2",)), "docs/"),
        Held(Remark("flows", "It flows.", ("a#L3",))),
    )
    whole = merged(Overview("T", "en", facts), own)
    assert [(one.chapter, one.heading, one.text) for one in whole.remarks] == [
        ("purpose", "", "For all."),
        ("purpose", "", "A fact."),
        ("flows", "", "It flows."),
        ("modules", "", "About a folder without a table."),
        ("modules", "", "Names."),
        ("modules", "`src/`", "| table |"),
        ("modules", "`lib/`", "About lib."),
        ("modules", "`lib/`", "Names of lib."),
        ("modules", "`lib/`", "| table |"),
        ("usage", "", "- `make`"),
    ]
