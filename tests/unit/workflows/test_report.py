"""The report for people: it obeys the rules that it reports on, and says what was changed."""

from __future__ import annotations

from typing import Any

import pytest

from kaozheng.documents.document import Document
from kaozheng.rules.book import load_book
from kaozheng.rules.engine import inspect
from kaozheng.workflows.reasons import in_chinese
from kaozheng.workflows.write.report import as_markdown

CANNOT_APPLY = {"front-matter-keys", "required-sections"}


def replacement(**more: Any) -> dict[str, Any]:
    one = {"rule": "6.1", "lines": [228, 228], "content": "较好的方案", "reason": "", "by": "model"}
    return one | {"accepted": True, "why": ""} | more


def report(**more: Any) -> dict[str, Any]:
    return {
        "title": "县图书馆",
        "inputs": {"used": [], "unused": [], "skipped": []},
        "contradictions": [],
        "sections": [],
        "review": {},
        "violations_left": [],
        "repairs": [],
        "unsupported": [],
        "code": None,
        "budget": [],
    } | more


def repaired(*replacements: dict[str, Any], fixed: Any = ()) -> dict[str, Any]:
    return report(repairs=[{"fixed": list(fixed), "replacements": list(replacements)}])


def everything() -> dict[str, Any]:
    """All that may stand in a report, in the words of people who know no rule."""
    odd = "用github的API,根据相关规定...这是最好的`x|y`方案!!"
    places = [{"path": "01 甲.md", "line": 3, "value": "30天"}, {"path": "b|c.md", "line": 9, "value": "90 days"}]
    whys = ["does not clear its violation of rule 2.1", "number 3 lost", "takes apart a list item", "who knows"]
    skips = [
        "binary",
        "empty",
        "encoding not known: no",
        "not a kind of file that is read (.png)",
        "larger than 50 MB",
        "odd",
    ]
    left = [
        {"rule": rule, "start_line": 7, "message": message, "quote": quote}
        for rule, message, quote in (
            ("2.2", "中文句子中的“,”应为“，”", ","),
            ("2.5", "省略号“...”应为“……”", "..."),
            ("5.1", "“github”应写作“GitHub”", "github"),
            ("6.2", "“相关规定”没有说明是哪一个", "相关规定"),
            ("6.3", "口语填充词“嗯”", "嗯"),
            ("1.1", "缺少元数据（需要 title, date）", ""),
            ("6.9", f"模型说:{odd}" * 5, odd),
            ("6.8", "# 标题\n\n- [ ] 事项[^1]", "`"),
        )
    ]
    return {
        "title": f"{odd}：",
        "inputs": {
            "used": [{"path": "a b.md", "passages": 4, "cited": 3, "left": [[5, 5], [9, 12]]}],
            "unused": [{"path": "u.md", "why": "holds no text"}],
            "skipped": [{"path": f"{n}.x", "why": why} for n, why in enumerate(skips)],
        },
        "contradictions": [{"subject": "HDFS数据保留期", "places": places}],
        "sections": [
            {"title": odd, "status": "written", "by": "model", "reason": ""},
            {"title": "乙", "status": "written", "by": "fallback", "reason": "the connection to h:1 failed (X)"},
            {"title": "丙", "status": "gap", "by": "", "reason": "something that nobody foresaw " * 9},
        ],
        "review": {
            "ops": {"title": "AI|写作", "found": 4, "tries": 3, "left": 4, "circuit": "3 repairs made"},
            "naming": {"title": "命名", "found": 0, "tries": 0, "left": 0, "circuit": "", "unjudged": [odd]},
        },
        "violations_left": left,
        "repairs": [
            {
                "module": "content_style",
                "fallbacks": [{"rule": "6.1", "reason": "3 of 3 calls are used; x was not asked"}],
                "fixed": [{"rule": "2.1", "lines": [3, 3], "before": "行`git`用A", "after": "行 `git` 用 A"}],
                "replacements": [
                    *(replacement(accepted=False, why=why, by="fallback", reason=odd) for why in whys),
                    replacement(before=odd * 3, reason=odd * 9, lines=[3, 5]),
                    replacement(before="嗯", content="", reason="proposed by the check", by="offline"),
                ],
            }
        ],
        "unsupported": [{"lines": [4, 4], "text": odd * 4}],
        "code": {"places": 1, "names": 1, "doubts": [{"claim": odd, "why": "stands nowhere in the code base"}]},
        "explored": {
            "by": "fallback",
            "reason": "3 of 3 calls are used; explore/1 was not asked",
            "links": [
                {"url": "https://a.example/`x`|y", "failure": ""},
                {"url": "https://b.example/?a=1,2", "failure": f"403 for:{odd}"},
                {"url": "https://c.example/", "failure": "only the first 5 links are fetched"},
                {"url": "https://d.example/", "failure": "without a model no page is fetched"},
            ],
        },
        "planned": {"by": "fallback", "reason": "m repeats itself, broken off after 1541 characters (outline)"},
        "budget": ["scan_code", "outline", "section 2", "review naming_and_tags", "revise content_style"],
    }


@pytest.mark.parametrize(("language", "book"), [("zh", "zh-tech"), ("en", "en-tech")])
def test_a_report_obeys_the_rules_that_can_apply_to_it(language: str, book: str) -> None:
    text = as_markdown(everything(), language)
    found = [one for one in inspect(Document(text), load_book(book).rules) if one.check not in CANNOT_APPLY]
    assert [(one.check, one.message, text.split("\n")[one.lines.start - 1]) for one in found] == []


def test_a_chinese_report_speaks_chinese() -> None:
    text = as_markdown(everything(), "zh")
    for line in (
        "- `a b.md`：采用 3 段，共 4 段，未采用：第 5 行，第 9～12 行",
        "- `u.md`：没有文字",
        "- `0.x`：二进制文件",
        "- `1.x`：空文件",
        "- `2.x`：无法识别编码",
        "- `3.x`：不读取这种文件（`.png`）",
        "- `4.x`：大于 50 MB",
        "- `5.x`：`odd`",
        "- `https://c.example/`：只取前 5 个链接",
        "- `https://d.example/`：没有模型，不取网页",
        "- HDFS 数据保留期：30 天（`01 甲.md`，第 3 行）；`90 days`（`b|c.md`，第 9 行）",
        "- 乙：离线规则（模型未答），原因：无法连接 `h:1`",
        "- 规则 5.1，第 7 行：`github` 应写作 `GitHub`：`github`",
        "- 规则 6.1，第 228 行，离线规则，采纳：删去 `嗯`",
    ):
        assert line in text.split("\n"), text


def test_only_links_that_failed_are_told() -> None:
    text = as_markdown(everything(), "en")
    assert "a.example" not in text
    assert "## Links that were not fetched\n\n- `https://b.example/?a=1,2`: " in text
    assert "Links" not in as_markdown(report(explored={"links": [{"url": "https://a.example/", "failure": ""}]}), "en")


def test_a_module_that_was_let_through_is_told_in_a_sentence() -> None:
    one = {"title": "特定章节", "found": 9, "tries": 3, "left": 4, "circuit": "the repairs go in a circle"}
    told = "【熔断放行】模块“特定章节”（specific_sections）修改 3 次后仍有 4 处遗留，原因：修改陷入循环。"
    assert told in as_markdown(report(review={"specific_sections": one}), "zh").split("\n")


def test_a_replacement_says_who_made_it_and_what_it_changed() -> None:
    text = as_markdown(repaired(replacement(before="最好的方案", reason="去掉夸张的说法。")), "zh")
    assert "- 规则 6.1，第 228 行，模型，采纳：`最好的方案` → `较好的方案`。去掉夸张的说法\n" in text
    text = as_markdown(repaired(replacement(lines=[3, 5], accepted=False, why="number 3 lost")), "zh")
    assert "- 规则 6.1，第 3～5 行，模型，拒绝：→ `较好的方案`，原因：丢失了原有的内容：`number 3`\n" in text
    text = as_markdown(repaired(replacement(before="a", content="b", lines=[3, 5])), "en")
    assert "- Rule 6.1, lines 3–5, model, landed: `a` → `b`\n" in text


def test_a_long_change_is_shown_where_it_is() -> None:
    before, after = "字" * 200 + "旧的" + "尾" * 90, "字" * 200 + "新的" + "尾" * 90
    text = as_markdown(repaired(replacement(before=before, content=after)), "zh")
    assert f"`…{'字' * 10}旧的{'尾' * 26}…` → `…{'字' * 10}新的{'尾' * 26}…`" in text


def test_what_the_model_did_not_do_is_told_with_the_reason() -> None:
    text = as_markdown(everything(), "zh")
    for line in (
        "- 大纲由离线规则拟定，原因：模型反复说同一段话，在第 1541 个字符处中断",
        "- 代码由离线规则读取，原因：预算用尽（3/3 次调用）",
        "- 第 2 章由离线规则写成，原因：无法连接 `h:1`",
        "- 模块 content_style 的规则 6.1 由离线规则修改，原因：预算用尽（3/3 次调用）",
        "预算已经用尽，以下部分没有模型参与：读取代码、大纲、第 2 章、审查 naming_and_tags、修改 content_style。",
    ):
        assert line in text.split("\n"), text
    assert "- 模块“命名”（naming）没有全部审查，原因：" in text
    assert "## 预算" not in as_markdown(report(), "zh")


def test_lines_that_are_the_same_stand_once() -> None:
    one = {"rule": "2.1", "lines": [3, 3], "before": "用A", "after": "用 A"}
    text = as_markdown(repaired(fixed=[one, one, one]), "zh")
    assert "- 规则 2.1，第 3 行，代码修正：`用A` → `用 A`（×3）\n" in text
    assert text.count("代码修正") == 1


@pytest.mark.parametrize(
    ("reason", "chinese"),
    [
        ("3 of 3 calls are used; section/2 was not asked", "预算用尽（3/3 次调用）"),
        ("about 9 of 8 tokens are used; section/2 was stopped in mid-answer", "预算用尽（9/8 个 token）"),
        ("nothing in the text is a sentence (the model is overloaded)", "没有可摘录的句子"),
        ("the evidence has no sentence", "没有可摘录的句子"),
        ("there is no evidence to write from", "没有可用的内容"),
        ("nothing could be summarised: no block holds a sentence", "没有可概括的内容：没有一句完整的话"),
        ("block/0/3: nothing in the text is a sentence", "没有可摘录的句子"),
        ("adds a violation of rule 2.2", "新增了对规则 2.2 的违反"),
        ("takes apart a list item", "破坏了列表项"),
        ("takes apart a table row of 3 cells", "破坏了表格行"),
        ("code span `{x}` lost", "丢失了原有的内容：`code span '{x}'`"),
        ("a model's own words", None),
    ],
)
def test_reasons_of_the_program_are_told_in_chinese(reason: str, chinese: str | None) -> None:
    assert in_chinese(reason) == chinese
