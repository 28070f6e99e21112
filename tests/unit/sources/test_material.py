"""Material: units under headings, passages with exact places."""

import re
import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kaozheng.sources import Material, Reading, Skipped, Source, build_material


def material(text, path="a.md"):
    return build_material(Reading([Source.of(text, path)], []))


def outline(text, path="a.md"):
    return [(unit.path, [(p.kind, p.text) for p in unit.passages]) for unit in material(text, path).units]


MARKDOWN = """---
title: 不是正文
---
开头的话。

# 手册

## 安装

第一段。

- 一
- 二

| a | b |
|---|---|
| 1 | 2 |

#### 细节

```sh
pip install x
```

> 引用

## 空的一节

## 配置

$$
x^2
$$

![](a.png)

---

<!-- 注释 -->
<div align="center"></div>
"""


def test_units_stand_under_headings_of_level_one_to_three():
    assert outline(MARKDOWN) == [
        (("手册",), [("paragraph", "开头的话。")]),
        (
            ("手册", "安装"),
            [
                ("paragraph", "第一段。"),
                ("list", "- 一\n- 二"),
                ("table", "| a | b |\n|---|---|\n| 1 | 2 |"),
                ("code", "```sh\npip install x\n```"),
                ("quote", "> 引用"),
            ],
        ),
        (("手册", "配置"), [("math", "$$\nx^2\n$$"), ("paragraph", "![](a.png)")]),
    ]


def test_a_passage_knows_all_headings_above_it_and_its_lines():
    found = material(MARKDOWN)
    code = next(p for p in found.passages if p.kind == "code")
    assert code.path == ("手册", "安装", "细节")
    assert (code.lines.start, code.lines.end) == (21, 23)
    assert found.passage(code.id) is code
    assert found.unit("S1#1").passages[0].id == "S1:1"
    assert found.source("S1").path == "a.md"


def test_long_lists_give_a_passage_an_item():
    short = "\n".join(f"- 第 {n} 项" for n in range(12))
    assert [p.kind for p in material(short).passages] == ["list"]
    assert [p.kind for p in material(short + "\n- 第 13 项").passages] == ["item"] * 13
    assert [p.kind for p in material("- 短\n- " + "长" * 81).passages] == ["item", "item"]


PLAIN = """关于推进县域经济的意见

一、总体要求

坚持稳中求进。

（一）指导思想

以质量为先。

（二）基本原则
政府引导，市场主导。

二、保障措施

1. 加强领导
2. 加大投入

【附件】

名单如下。
"""


def test_chinese_numbering_makes_headings_of_a_plain_text():
    assert outline(PLAIN, "a.txt") == [
        (("关于推进县域经济的意见",), [("paragraph", "关于推进县域经济的意见")]),
        (("一、总体要求",), [("paragraph", "坚持稳中求进。")]),
        (("一、总体要求", "（一）指导思想"), [("paragraph", "以质量为先。")]),
        (("一、总体要求", "（二）基本原则"), [("paragraph", "政府引导，市场主导。")]),
        (("二、保障措施",), [("list", "1. 加强领导\n2. 加大投入")]),
        (("二、保障措施", "【附件】".strip("【】")), [("paragraph", "名单如下。")]),
    ]


def test_chapters_sections_and_decimal_numbers_nest():
    text = "第一章 总则\n\n前言。\n\n1 范围\n\n本标准适用。\n\n1.1 术语\n\n术语如下。\n\n第二章 附则\n\n完。"
    assert [path for path, _ in outline(text, "a.txt")] == [
        ("第一章 总则",),
        ("第一章 总则", "1 范围"),
        ("第一章 总则", "1 范围", "1.1 术语"),
        ("第二章 附则",),
    ]


def test_short_numbered_lines_below_each_other_are_no_headings():
    text = "采购清单\n\n1. 苹果\n\n2. 香蕉\n\n3. 梨子\n\n以上。"
    assert [path for path, _ in outline(text, "a.txt")] == [("采购清单",)]


@pytest.mark.parametrize("line", ["1. 这是一个以句号结尾的句子。", "2023 年总结", "1. " + "长" * 40])
def test_sentences_and_numbers_are_no_headings(line):
    assert len(outline(f"前文在此。\n\n{line}\n\n后文在此。", "a.txt")) == 1


def test_markdown_without_headings_may_have_numbered_ones():
    text = "一、概述\n\n本项目用于演示。\n\n**安装**\n\n按步骤进行。\n"
    assert [path[-1] for path, _ in outline(text)] == ["一、概述", "安装"]


def test_text_without_blank_lines_is_cut_by_lines():
    assert [p.text for p in material("第一行没有句号\n第二行也没有\n第三行", "a.txt").passages] == [
        "第一行没有句号",
        "第二行也没有",
        "第三行",
    ]


def test_wrapped_lines_of_a_paragraph_stay_together():
    text = "This paragraph was wrapped\nby an editor at a margin\nas usual.\n\nNext one."
    assert [p.text.count("\n") for p in material(text, "a.txt").passages] == [2, 0]


def test_comment_in_code_of_a_plain_text_is_no_heading():
    text = "1. 设计\n\n说明文字。\n\n# 1. 动态路由\ndef route(state):\n    return state\n\n结束。"
    assert [path for path, _ in outline(text, "a.txt")] == [("1. 设计",)]


def test_restructured_text_asciidoc_and_org_have_their_headings():
    rst = "Guide\n=====\n\nIntro text.\n\nSetup\n-----\n\nDo it.\n"
    assert [path for path, _ in outline(rst, "a.rst")] == [("Guide",), ("Guide", "Setup")]
    assert [path for path, _ in outline("= M\n\nIntro.\n\n== S\n\nDo it.", "a.adoc")] == [("M",), ("M", "S")]
    assert [path for path, _ in outline("* A\ntext\n** B\nmore", "a.org")] == [("A",), ("A", "B")]


def test_a_text_of_headings_alone_is_not_lost():
    assert outline("# 待办\n\n## 明天\n") == [(("待办",), [("paragraph", "# 待办\n\n## 明天")])]


def test_heading_that_lost_its_line_ends_is_a_paragraph():
    found = material("# 标题 " + "正文一句。" * 100)
    assert found.passages[0].kind == "paragraph"


@pytest.mark.parametrize("path", ["a.md", "a.txt"])
def test_a_single_line_of_two_megabytes_is_cut_at_sentences(path):
    text = "一段没有换行的长文本，包含很多句子。第二句也在这里！" * 25_000
    start = time.process_time()
    passages = material(text, path).passages
    assert time.process_time() - start < 12  # 20 times what is usual
    assert all(len(p.text) <= 1000 and p.text[-1] in "。！" for p in passages)
    assert "".join(p.text for p in passages) == text


def test_log_lines_are_grouped():
    passages = material("2024-01-01 started service\n" * 500, "a.log").passages
    assert 5 < len(passages) < 20


def test_language_is_that_of_most_of_the_text():
    texts = ["中文说明，内容很多，足够判断。" * 5, "Short English note."]
    sources = [Source.of(text, f"{n}.md", f"S{n}") for n, text in enumerate(texts, 1)]
    assert build_material(Reading(sources, [])).language == "zh"
    assert build_material(Reading(sources, []), "en").language == "en"
    assert build_material(Reading([Source.of("123")], [])).language == "en"


def test_json_brings_the_same_material_back():
    sources = [Source.of(MARKDOWN, "a.md", "S1"), Source.of(PLAIN, "b.txt", "S2")]
    before = build_material(Reading(sources, [Skipped("x.png", "binary")]))
    assert Material.from_json(before.to_json()) == before


@pytest.mark.parametrize("text", ["{}", "[]", '{"format": 99}'])
def test_json_of_something_else_is_refused(text):
    with pytest.raises(ValueError, match="not a material"):
        Material.from_json(text)


LINES = st.sampled_from(
    ["# 一级", "## 二级", "正文一句。", "a line", "- 项", "  - 内项", "1. 数", "", "", "    indented", "```", "| a |",
     "|---|", "> 引", "一、标题", "$$", "<b>", "[^1]: 注", "---", "\t", "　全角", "***"]
)  # fmt: skip


@given(st.lists(LINES, max_size=25).map("\n".join), st.sampled_from(["a.md", "a.txt", "a.rst", "a.org", "a"]))
def test_passages_are_exact_ordered_and_apart_for_any_text(text, path):
    found = material(text, path)
    last_end = 0
    for number, passage in enumerate(found.passages, 1):
        span = passage.span
        assert passage.id == f"S1:{number}"
        assert passage.text == text[span.start : span.end]
        assert passage.text.strip()
        assert span.start >= last_end
        assert passage.lines.start == text.count("\n", 0, span.start) + 1
        assert passage.lines.end == text.count("\n", 0, span.end - 1) + 1
        last_end = span.end
    assert Material.from_json(found.to_json()) == found


def test_a_heading_above_a_line_of_signs_is_not_lost():
    found = material("正文一句。\n\n一、标题\n---", "a.rtf")
    assert [passage.text for passage in found.passages] == ["正文一句。", "一、标题"]


@given(st.lists(LINES, max_size=20).map("\n".join))
def test_no_word_of_a_plain_text_is_lost(text):
    found = material(text, "a.rtf")
    assume(not found.sources[0].is_markdown)
    paths = "".join(title for passage in found.passages for title in passage.path)
    assert set(re.findall(r"\w", text)) <= set("".join(passage.text for passage in found.passages) + paths)
