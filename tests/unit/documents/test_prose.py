"""Masked prose: same length, maps back, never shows what is not prose."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.documents.document import Document
from kaozheng.documents.placeholders import ALL, CODE, ESCAPE, HTML, MARK, MATH, NAME, NOTE, URL

SIGNS = {CODE: "C", MATH: "M", URL: "U", HTML: "H", MARK: ".", NOTE: "N", ESCAPE: "E", NAME: "F"}
PIECES = [
    *"中文a1。 😀\n\t|`*_~$\\<>[]()!#-+",
    *(
        "e\u0301",
        "**",
        "``",
        "```\n",
        "\n\n",
        "\n> ",
        "\n- ",
        "\n1. ",
        "\n    ",
        "# ",
        "](u)",
        "![",
        "[^1]",
        "\n[^1]: x",
    ),
    *("<b>", "</b>", "<code>", "</code>", "<!-- ", " -->", "&amp;", "$$", "|-|-|\n", "---\n", "https://a.b/c", "a.md"),
    *("{{x}}", "  \n", "[ ] ", "===\n", "\ud800", "\0", "\ufeff", "\ue000", ":ref:", "a@b.cn", "<http://x.y>", "{#i}"),
]
markdown = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def shape(text: str) -> list[str]:
    return [prose.masked.translate({ord(k): v for k, v in SIGNS.items()}) for prose in Document.of(text).prose]


@settings(max_examples=400)
@given(markdown)
def test_masked_text_maps_back_and_hides_every_node(text: str) -> None:
    document = Document.of(text)
    shown: set[int] = set()
    for prose in document.prose:
        assert prose.source == document.quote(prose.span)
        assert len(prose.masked) == len(prose.source)
        assert prose.block.span.contains(prose.span)
        for i, (written, seen) in enumerate(zip(prose.source, prose.masked, strict=True)):
            assert seen == written or seen in ALL
            if seen not in ALL:
                assert prose.offset(i) not in shown
                assert document.text[prose.offset(i)] == seen
                shown.add(prose.offset(i))
    nodes = [node.span for node in document.inlines if node.kind in ("code", "math", "html")]
    nodes += [block.span for block in document.blocks if block.kind in ("code", "math", "html", "front_matter")]
    for span in nodes:
        assert shown.isdisjoint(range(span.start, span.end))


@settings(max_examples=400)
@given(markdown)
def test_blocks_cover_all_but_blanks_and_definitions(text: str) -> None:
    document = Document.of(text)
    position = 0
    for block in document.blocks:
        assert block.span.contains(block.body)
        assert document.lines_of(block.span).start == block.lines.start
        if block.depth == 0:
            assert block.span.start >= position
            _assert_no_prose(document.text[position : block.span.start])
            position = block.span.end
    _assert_no_prose(document.text[position:])


def _assert_no_prose(gap: str) -> None:
    for line in gap.split("\n"):
        assert not line.strip(" \t>\ufeff") or "]:" in line


def test_markup_is_masked_and_words_stay() -> None:
    assert shape("**粗** `x` [链](http://a) ![图](b)[^1] \\* &lt; $y$ <b>z</b>") == [
        "..粗.. CCC .链..UUUUUUUU. ..图..U.NNNN EE EEEE MMM HHHzHHHH"
    ]
    assert shape("> 引\n> 文  \n> 完") == ["引\n..文..\n..完"]
    assert shape("- [x] 甲\n  乙\n- 丙") == ["甲\n..乙", "丙"]
    assert shape("## 题 ##  {#i}\n\n设\n--") == ["...题" + "." * 9, "设..."]


def test_code_in_tags_is_code() -> None:
    assert shape("按 <kbd>Ctrl</kbd> 键") == ["按 HHHHHCCCCHHHHHH 键"]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("看https://a.com/x?y=1查看，好", "看" + "U" * 19 + "查看，好"),
        ("https://zh.wiki.org/wiki/中文。", "U" * 27 + "。"),
        ("(https://a.com/b_(c)).", "(" + "U" * 19 + ")."),
        ("邮件a@b.cn。", "邮件UUUUUU。"),
        ("见 github.com/a", "见 " + "U" * 12),
        ("改src/main.py吧", "改" + "F" * 11 + "吧"),
        ("看 ./run 和 /etc/hosts 和 .env", "看 FFFFF 和 FFFFFFFFFF 和 FFFF"),
        ("看 src/e-mail/ 和 github/。", "看 FFFFFFFFFFF 和 FFFFFFF。"),
        ("用 GitHub/码云，共 24/ 组", "用 GitHub/码云，共 24/ 组"),
        ("用 Node.js、vue.js 与 ASP.NET", "用 Node.js、vue.js 与 ASP.NET"),
        ("v1.2.3 与 3.14、TCP/IP、1/2、e.g. U.S.", "v1.2.3 与 3.14、TCP/IP、1/2、e.g. U.S."),
        ("共 {{m:row|亿元|1}} 元", "共 " + "F" * 14 + " 元"),
        ("US$100和US$200", "US$100和US$200"),
        ("10:30:45 开始", "10:30:45 开始"),
        (":smile: 好", "FFFFFFF 好"),
        ("用 J.U.C 包", "用 J.U.C 包"),
        (":::tip 提示", "FFFFFF 提示"),
        ('!!! note "注意"', 'FFFFFFFF "注意"'),
        ('=== "Go"\n    ```go\n    a := 1', 'FFFF"Go"\n' + "C" * 20),
        ("缺注[^x]。", "缺注NNNN。"),
    ],
)
def test_addresses_names_and_amounts(text: str, masked: str) -> None:
    assert shape(text) == [masked]


def test_plain_drops_markup_and_readable_shows_code() -> None:
    prose = Document.of("**见** [这里](http://a.b) 的 `x`[^1]。\n\n[^1]: 注\n").prose[0]
    assert re.sub(f"[{ALL}]+", "?", prose.plain) == "见 这里? 的 ?。"
    assert prose.readable == "见 这里 的 `x`。"
    start = prose.masked.index("这里")
    assert Document.of("**见** [这里](http://a.b)").quote(prose.sub(start, start + 2)) == "这里"
