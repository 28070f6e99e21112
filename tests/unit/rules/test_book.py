from __future__ import annotations

from pathlib import Path

import pytest

from kaozheng.errors import RuleBookError
from kaozheng.rules.book import BUNDLED, load_book, parse_book
from kaozheng.rules.examples import run_examples

DEFAULT_KEYS = [
    "metadata_and_structure",
    "typography_and_symbols",
    "code_and_diagrams",
    "specific_sections",
    "naming_and_tags",
    "content_style",
]


def book(text: str):
    return parse_book(text, "mine")


@pytest.mark.parametrize(
    "line",
    [
        "1.2 text",
        "- 1.2 text",
        "* 1.2 text",
        "**1.2** text",
        "- **1.2** text",
        "1.2. text",
        "1.2、text",
        "#### 1.2 text",
        "【1.2】text",
        "1.2：text",
        "**1.2 text**",
    ],
)
def test_rule_numbers_are_read_in_every_notation(line: str) -> None:
    rules = book(f"# B\n\n## M\n\n{line}\n").rules
    assert [(rule.number, rule.text.rstrip("*")) for rule in rules] == [("1.2", "text")]


def test_text_goes_on_until_the_next_number_heading_or_fence() -> None:
    rules = book(
        "## M\n\n- 1.1 one\n  more\n\n  and more\n- 1.2 two\n```text\nx\n```\nafter\n\n### S\nintro\n- 1.3 three\n"
    ).rules
    assert [rule.text for rule in rules] == ["one\nmore\nand more", "two", "three"]
    assert [rule.section for rule in rules] == ["", "", "S"]
    assert [rule.line for rule in rules] == [3, 7, 15]


def test_default_titles_in_both_languages_have_fixed_keys() -> None:
    titles = [
        "元数据与结构",
        "Typography and symbols",
        "三、代码与图表",
        "Specific Sections",
        "命名白名单",
        "6. Content style",
    ]
    text = "".join(f"## {title}\n\n- {number}.1 text\n\n" for number, title in enumerate(titles, 1))
    assert [module.key for module in book(text).modules] == DEFAULT_KEYS


def test_other_titles_become_keys_and_braces_win() -> None:
    text = "## 前言\n\nno rule here\n\n## Error messages\n- 1.1 a\n## 接口约定\n- 2.1 b\n## 排版 {#layout}\n- 3.1 c\n"
    assert [(module.key, module.title) for module in book(text).modules] == [
        ("error_messages", "Error messages"),
        ("module_3", "接口约定"),
        ("layout", "排版"),
    ]


def test_a_long_title_gives_a_key_that_fits_into_a_file_name() -> None:
    (module,) = book(f"## {'long ' * 22}\n- 1.1 a\n").modules
    assert module.key.startswith("long_long")
    assert len(module.key) <= 60


def test_check_fence_binds_settings_policy_and_examples() -> None:
    text = (
        '## M\n- 1.1 短句\n```check\nname = "sentence-length"\nmax_zh = 50\nfix = "never"\n```\n'
        "```bad\n长\n```\n```good\n短\n```\n"
    )
    rule = book(text).rule("1.1")
    assert (rule.check, dict(rule.settings), rule.fix) == ("sentence-length", {"max_zh": 50}, "never")
    assert [(example.text, example.good) for example in rule.examples] == [("长", False), ("短", True)]


def test_numbered_section_is_a_rule_only_when_it_says_something() -> None:
    rules = book("## M\n\n### 1.1 Blanks\n\n- 1.1.1 one\n\n### 1.2 Marks\n\nUse full-width marks.\n").rules
    assert [(rule.number, rule.section) for rule in rules] == [("1.1.1", "Blanks"), ("1.2", "Marks")]


def test_numbers_in_comments_fences_and_front_matter_are_no_rules() -> None:
    text = "---\nversion: 1\n---\n## M\n<!--\n- 1.1 old\n-->\n```text\n1.2 x\n```\n- 1.3 new\n"
    assert [rule.number for rule in book(text).rules] == ["1.3"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("# only prose\n", "", "no numbered rule"),
        ("", "", "no numbered rule"),
        ("## M\n- 1.1 a\n- 1.1 b\n", "line 3", "already used on line 2"),
        ("## M\n- 1.1 a\n## N\n- 1.1 b\n", "line 4", "already used on line 2"),
        ("- 1.1 a\n", "line 1", "before the first module"),
        ('## M\n```check\nname = "ellipsis"\n```\n- 1.1 a\n', "line 2", "after the rule"),
        ('## M\n- 1.1 a\n## N\n```check\nname = "ellipsis"\n```\n- 2.1 b\n', "line 4", "after the rule"),
        ('## M\n- 1.1 a\n```check\nname = "elipsis"\n```\n', "line 3", "did you mean ellipsis"),
        ("## M\n- 1.1 a\n```check\nname = \n```\n", "line 3", "not valid TOML"),
        ("## M\n- 1.1 a\n```check\nmax_zh = 3\n```\n", "line 3", "name ="),
        ('## M\n- 1.1 a\n```check\nname = "sentence-length"\nmax = 3\n```\n', "line 3", "no setting 'max'"),
        ('## M\n- 1.1 a\n```check\nname = "sentence-length"\nmax_zh = "x"\n```\n', "line 3", "must be a whole number"),
        ('## M\n- 1.1 a\n```check\nname = "sentence-length"\nfix = "maybe"\n```\n', "line 3", "no setting 'fix'"),
        (
            '## M\n- 1.1 a\n```check\nname = "term-variants"\nfix = "maybe"\n```\n',
            "line 3",
            "must be one of safe, unsafe",
        ),
        ("## M\n- 1.1 a\n```check\n", "line 3", "never closed"),
        (
            '## M\n- 1.1 a\n```check\nname = "ellipsis"\n```\n```check\nname = "ellipsis"\n```\n',
            "line 6",
            "already has the check",
        ),
        ("## 排版与符号\n- 1.1 a\n## Typography and symbols\n- 2.1 b\n", "line 3", "already used on line 1"),
        ("## 运维手册 {#ops manual}\n- 1.1 a\n", "line 1", "'ops manual' cannot be the key of a module"),
        ("# 书\n## 运维 {#}\n- 1.1 a\n", "line 2", "an English letter, then English letters, digits, _ or -"),
        ("## 运维 {#运维}\n- 1.1 a\n", "line 1", "English letter"),
        ("## 运维 {#a/b}\n- 1.1 a\n", "line 1", "English letter"),
        (f"## 运维 {{#{'k' * 61}}}\n- 1.1 a\n", "line 1", "at most 60"),
    ],
)
def test_broken_book_is_one_clear_sentence_with_its_line(text: str, line: str, words: str) -> None:
    with pytest.raises(RuleBookError) as caught:
        book(text)
    message = str(caught.value)
    assert line in message
    assert words in message
    assert "mine" in message
    assert "\n" not in message
    assert caught.value.exit_code == 2


def test_file_that_is_missing_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuleBookError, match="zh-tech, en-tech"):
        load_book(tmp_path / "none.md")
    (tmp_path / "b.md").write_bytes("## 模块".encode("gb18030"))
    with pytest.raises(RuleBookError, match="not UTF-8"):
        load_book(tmp_path / "b.md")
    with pytest.raises(RuleBookError, match="cannot be read"):
        load_book(tmp_path)


def test_file_is_named_by_its_file_name_and_known_by_its_hash(tmp_path: Path) -> None:
    path = tmp_path / "team.md"
    path.write_text("## M\r\n- 1.1 a\r\n", "utf-8-sig")
    first = load_book(path)
    path.write_text("## M\n- 1.1 b\n", "utf-8")
    assert first.name == "team.md"
    assert first.sha256 != load_book(path).sha256


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_book_has_the_six_modules_and_about_forty_rules(name: str) -> None:
    loaded = load_book(name)
    assert loaded.language == name[:2]
    assert [module.key for module in loaded.modules] == DEFAULT_KEYS
    assert 40 <= len(loaded.rules) <= 50
    for module in loaded.modules:
        assert sum(rule.check is not None for rule in module.rules) >= 2
        assert any(rule.check is None for rule in module.rules)


@pytest.mark.parametrize("name", BUNDLED)
def test_every_example_of_a_bundled_book_agrees_with_its_check(name: str) -> None:
    results = run_examples(load_book(name))
    assert len(results) > 30
    assert [(result.rule.number, result.example.text, result.why) for result in results if not result.passed] == []


def test_example_that_its_check_contradicts_is_reported() -> None:
    text = '## M\n- 1.1 x\n```check\nname = "ellipsis"\n```\n```good\n等等...\n```\n```bad\n等等……\n```\n'
    assert [(result.passed, result.why) for result in run_examples(book(text))] == [
        (False, "line 1: The ellipsis '...' should be '……'."),
        (False, "nothing was reported"),
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# 书\n\n## " + "长" * 121 + "\n\n1.1 甲。\n", 3),
        ("## 甲 {#" + "k" * 61 + "}\n\n1.1 甲。\n", 1),
        ("## 甲\n\n1." + "1" * 40 + " 甲。\n", 3),
        ("## 甲\n\n1.1 甲。\n\n```check\nname = " + "[" * 5_000 + "\n```\n", 5),
    ],
)
def test_titles_keys_and_numbers_without_end_are_refused_with_their_line(text: str, line: int) -> None:
    with pytest.raises(RuleBookError, match=f"line {line}: ") as refused:
        book(text)
    assert len(str(refused.value)) < 300
