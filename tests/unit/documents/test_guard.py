"""The structure guard."""

from __future__ import annotations

import pytest

from kaozheng.documents.document import Document
from kaozheng.documents.guard import differences, losses

BASE = """---
title: 题
---
# 头 {#top}

见 [这](http://a.b)、https://c.d/e、`码`、$x^2$、<b>粗</b>、![图](i.png)。[^1]

- [x] 甲
- 乙

| a | b |
|---|---|
| 1 | 2 |

```py
print("中文")
```

> 引

[^1]: 注
"""


def test_a_change_of_prose_alone_is_no_difference() -> None:
    changed = BASE.replace("见 ", "请看").replace("乙", "丙丁").replace("头", "新题").replace("注", "注解")
    assert changed != BASE
    assert differences(Document.of(BASE), Document.of(changed)) == []


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("http://a.b", "http://a.c", "link target http://a.b became link target http://a.c"),
        ("https://c.d/e", "https://c.d", "link target https://c.d/e became link target https://c.d"),
        ("`码`", "码", "code span `码` lost"),
        ("x^2", "x^3", "formula 'x^2' became formula 'x^3'"),
        ("<b>", "<i>", "HTML <b> became HTML <i>"),
        ("title: 题", "title: 新", "front matter title = '题' became front matter title = '新'"),
        ("{#top}", "{#up}", "heading of level 1 with id top became heading of level 1 with id up"),
        ("# 头", "## 头", "heading of level 1 with id top became heading of level 2 with id top"),
        ("。[^1]", "。", "footnote reference [^1] lost"),
        ("| 1 | 2 |", "| 1 |", "table row of 2 cells became table row of 1 cells"),
        ("- 乙\n", "", "list item at depth 1 lost"),
        ("[x]", "[ ]", "list item [x] at depth 1 became list item [ ] at depth 1"),
        ('"中文"', '"英文"', "code block"),
        ("```py", "```", "fence 'py' at depth 0 became fence '' at depth 0"),
        ("> 引", "引", "quote at depth 0 lost"),
    ],
)
def test_a_change_of_structure_is_named(old: str, new: str, sentence: str) -> None:
    assert old in BASE
    found = differences(Document.of(BASE), Document.of(BASE.replace(old, new, 1)))
    assert any(line.startswith(sentence) for line in found), found


def test_a_subject_can_be_let_change() -> None:
    before, after = Document.of("```\nx\n```"), Document.of("```text\nx\n```")
    assert differences(before, after) != []
    assert differences(before, after, ignore=("fences",)) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("共 1,000 元", "共 1000 元"),
        ("共１２３．５％", "共 123.5%"),
        ("0007: 共 5 个\n0008: 又 6 个", "又 6 个，共 5 个"),
        ("1. 甲\n2. 乙", "甲与乙"),
        ("见 [x](http://a)", "请看 [y](http://a)"),
    ],
)
def test_rewriting_without_loss(before: str, after: str) -> None:
    assert losses(before, after) == []


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        ("5 与 5", "5", ["number 5 lost"]),
        ("增长 5%", "增长 5", ["number 5% lost"]),
        ("版本 1.2.3", "版本 1.2", ["number 1.2.3 lost"]),
        ("[x](http://a)", "x", ["link target http://a lost"]),
        ("见 http://a/b。", "见。", ["link target http://a/b lost"]),
        ("[x][r]", "x", ["link reference [r] lost"]),
        ("甲[^1]乙[12]", "甲乙", ["footnote reference [^1] lost", "citation [12] lost"]),
        ("`x`", "x", ["code span `x` lost"]),
        ("共 {{m:a|元|1}}", "共", ["template {{m:a|元|1}} lost"]),
        ("```\nx\n```", "x", ["code block 'x\\n' lost"]),
        ("```py\nx\n```", "```\nx\n```", ["fence label 'py' lost"]),
        ("```\nx\n```", "```py\nx\n```", []),
    ],
)
def test_losses_are_named(before: str, after: str, lost: list[str]) -> None:
    assert losses(before, after) == lost
