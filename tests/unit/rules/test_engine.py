from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.documents.document import Document
from kaozheng.documents.guard import differences
from kaozheng.rules.book import load_book
from kaozheng.rules.engine import fix, inspect
from kaozheng.rules.registry import CHECKS
from kaozheng.rules.rule import Rule

RULES = load_book("zh-tech").rules
LARGE_BYTES = 300_000
LIMIT_S = 20.0  # a coarse guard, 20 times what the slowest takes: only a run-away check gets there


def rule(slug: str, **settings: object) -> Rule:
    return Rule("9.1", "", CHECKS[slug].family, check=slug, settings=settings)


def fixed(text: str, *rules: Rule, unsafe: bool = False) -> str:
    return fix(Document.of(text), rules, unsafe=unsafe).text


PIECES = st.sampled_from(
    [
        "使用",
        "登录",
        "服务",
        "GitHub",
        "github",
        "code",
        "3.14",
        "１２",
        "5%",
        " ",
        "  ",
        "\n",
        "\n\n",
        ",",
        "，",
        ".",
        "。",
        "!",
        "！",
        "?",
        ":",
        "：",
        ";",
        "...",
        "……",
        "。。。",
        "**",
        "*",
        "_",
        "~~",
        "`",
        "``",
        "`a,b`",
        "$",
        "$x,y$",
        "[",
        "]",
        "(",
        ")",
        "（",
        "）",
        "](https://a.b/中,文)",
        "![",
        "<b>",
        "</b>",
        "<br>",
        "\\",
        "&amp;",
        "# ",
        "## ",
        "#### ",
        " ##",
        "- ",
        "1. ",
        "> ",
        "| ",
        " | ",
        "\n| --- | --- |\n",
        "```\n",
        "```python\n",
        "~~~\n",
        "    ",
        "[^1]",
        "[^1]: ",
        "“",
        "”",
        "登陆",
        "嗯，",
        "然后呢，",
        "basically, ",
        "Kind of",
        "---\n",
        "title: 使用GitHub\n",
        "===\n",
        "{#id}",
        ":smile:",
        "https://a.b/c",
        "[使用GitHub](#使用github)",
        "a.md",
        "{{ 使用a }}",
        "\u3000",
        "é",
        "々",
        "😀",
        "\t",
    ]
)
TEXTS = st.lists(PIECES, max_size=25).map("".join)


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.booleans())
def test_fixing_twice_changes_nothing_more(text: str, unsafe: bool) -> None:
    once = fix(Document.of(text), RULES, unsafe=unsafe).text
    assert fix(Document(once), RULES, unsafe=unsafe).text == once


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_fixes_change_nothing_but_prose(text: str) -> None:
    before = Document.of(text)
    after = Document(fix(before, [one for one in RULES if one.check != "heading-increment"]).text)
    changed = differences(before, after)
    assert [line for line in changed if "target #" not in line] == []


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_quote_of_a_violation_is_the_text_at_its_span(text: str) -> None:
    document = Document.of(text)
    for violation in inspect(document, RULES):
        assert violation.quote == document.text[violation.span.start : violation.span.end]
        assert violation.lines == document.lines_of(violation.span)
        for edit in violation.fix.edits if violation.fix else ():
            assert edit.span.end <= len(text)


def test_violations_come_by_place_with_the_rules_number_and_the_checks_slug() -> None:
    document = Document.of("# 使用GitHub\n\n先安装,再启动\n")
    found = inspect(document, RULES)
    assert [violation.span.start for violation in found] == sorted(violation.span.start for violation in found)
    assert {(violation.rule, violation.check) for violation in found} >= {
        ("2.1", "han-latin-space"),
        ("2.2", "full-width-punctuation"),
    }


def test_rules_without_a_check_are_left_to_others() -> None:
    assert inspect(Document.of("使用GitHub"), [Rule("1.1", "text", "m")]) == []


def test_rule_that_forbids_its_fix_still_reports() -> None:
    document = Document.of("使用GitHub")
    forbidding = replace(rule("han-latin-space"), fix="never")
    assert [violation.fix for violation in inspect(document, [forbidding])] == [None]
    assert fix(document, [forbidding]).applied == ()


def test_unsafe_fixes_wait_to_be_asked_for() -> None:
    assert fixed("嗯，好", rule("filler-words")) == "嗯，好"
    assert fixed("嗯，好", rule("filler-words"), unsafe=True) == "好"


def test_width_goes_before_spacing_and_spacing_before_names() -> None:
    rules = [rule("name-case"), rule("han-latin-space"), rule("full-width-digits")]
    assert fixed("共１０００个，用ｇｉｔｈｕｂ提交", *rules) == "共 1000 个，用 GitHub 提交"


def test_applied_fixes_say_rule_lines_and_text() -> None:
    done = fix(Document.of("标题\n\n使用GitHub\n"), [rule("han-latin-space")])
    assert [(one.rule, str(one.lines), one.before, one.after) for one in done.applied] == [("9.1", "3", "用G", "用 G")]
    assert (done.rounds, done.cycle, done.refused) == (1, False, ())


def test_fix_that_would_change_structure_is_taken_back_alone_and_with_its_reason() -> None:
    done = fix(Document.of("嗯，---\n\n嗯，好\n\n嗯，> 引\n"), [rule("filler-words")], unsafe=True)
    assert done.text == "嗯，---\n\n好\n\n嗯，> 引\n"
    assert [
        (violation.lines.start, why.startswith("It would change more than prose: ")) for violation, why in done.refused
    ] == [
        (1, True),
        (5, True),
    ]


def test_fixes_that_undo_each_other_are_seen_as_a_cycle() -> None:
    there = rule("term-variants", terms={"账号": ["帐号"]}, fix="safe")
    back = rule("name-case", names=["x"])
    again = Rule("9.2", "", "m", check="term-variants", settings={"terms": {"帐号": ["账号"]}, "fix": "safe"})
    done = fix(Document.of("账号"), [there, back, again])
    assert done.cycle
    assert done.text == fix(Document(done.text), [there, back, again]).text


def test_of_two_fixes_at_one_place_the_first_acts_and_the_text_settles() -> None:
    one = rule("term-variants", terms={"甲": ["丙丁"]}, fix="safe")
    other = Rule("9.2", "", "m", check="term-variants", settings={"terms": {"乙": ["丁戊"]}, "fix": "safe"})
    done = fix(Document.of("丙丁戊"), [one, other])
    assert done.text == "甲戊"
    assert [applied.rule for applied in done.applied] == ["9.1"]


def test_links_follow_a_heading_whose_text_was_fixed() -> None:
    text = "- [使用GitHub](#使用github)\n\n## 使用GitHub\n"
    assert fixed(text, rule("han-latin-space")) == "- [使用 GitHub](#使用-github)\n\n## 使用 GitHub\n"


def test_same_place_is_recognised_after_lines_have_moved() -> None:
    rules = [rule("ellipsis")]
    first = inspect(Document.of("等等...\n"), rules)
    later = inspect(Document.of("# 新标题\n\n等等...\n"), rules)
    assert [one.key for one in first] == [one.key for one in later]
    assert first[0].span != later[0].span


def test_violation_as_plain_data() -> None:
    found = inspect(Document.of("等等...\n"), [rule("ellipsis")], language="en")
    assert found[0].as_dict() == {
        "rule": "9.1",
        "check": "ellipsis",
        "message": "The ellipsis '...' should be '……'.",
        "start": 2,
        "end": 5,
        "start_line": 1,
        "end_line": 1,
        "quote": "...",
        "fix": {"safe": True, "edits": [{"start": 2, "end": 5, "replacement": "……"}]},
        "repeated": False,
    }


def large() -> str:
    paragraph = (
        "使用GitHub登录后,再执行 `git push` 即可...详见[说明](https://example.com/a)与**重点**内容[^1]。"
        "A sentence in English follows, it is kind of long. 共３个文件,版本为 3.14。\n\n"
    )
    section = (
        "## 第{n}节：概述\n\n" + paragraph * 4 + "| 名称 | 值 |\n| --- | --- |\n| 端口A | 8080 |\n\n```\nx = 1\n```\n\n"
    )
    text = "# 手册\n\n"
    number = 0
    while len(text.encode()) < LARGE_BYTES:
        number += 1
        text += section.replace("{n}", str(number))
    return text + "[^1]: 出处。\n"


def test_large_document_is_inspected_in_time() -> None:
    document = Document.of(large())
    start = time.process_time()
    found = inspect(document, RULES)
    assert time.process_time() - start < LIMIT_S
    assert len(found) > 1000


@pytest.mark.parametrize(
    "unit",
    [
        "*",
        "**使用",
        "使用a",
        "`",
        "[",
        "](a)",
        "...",
        "。",
        "!！",
        "：",
        "a,",
        "使用,",
        "嗯",
        "第一",
        "github",
        "(",
        " ",
        "使用\n",
        "> ",
        "$",
        "_",
        "# 使用\n",
        "| 用 ",
        "[^1]",
        "<b>",
        "https://a.b/",
        "\ue004",
        "\ue002",
        "使用*_",
    ],
)
def test_no_text_makes_a_check_run_away(unit: str) -> None:
    document = Document.of(unit * (40_000 // len(unit)))
    assert document.prose is not None
    start = time.process_time()
    inspect(document, RULES)
    assert time.process_time() - start < LIMIT_S
