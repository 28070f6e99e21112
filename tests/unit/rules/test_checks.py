from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from kaozheng.documents.document import Document
from kaozheng.errors import SettingsError
from kaozheng.rules import checks
from kaozheng.rules.book import load_book, parse_book
from kaozheng.rules.check import FAMILIES, Check
from kaozheng.rules.engine import inspect
from kaozheng.rules.registry import CHECKS

HEADINGS = ["What", "Why", "Bad", "Good", "Fix", "Settings", "Source"]

ASSEMBLED = {
    "zh-tech": """---
title: 缓存设计
date: 2025-03-01
---

# 缓存设计

本文写给维护者，说明缓存的取舍。

## 目录

- [背景](#背景)
- [参考资料](#参考资料)

## 背景

命中率为 95%[^e1]。读请求由 Redis 处理，共 3 个节点。

## 参考资料

- 压测报告

[^e1]: 压测报告，第 3 页。
""",
    "en-tech": """---
title: Cache design
date: 2025-03-01
---

# Cache design

For maintainers: what the cache does and why.

## Contents

- [Background](#background)
- [References](#references)

## Background

The hit rate is 95%[^e1].

## References

- Load test report

[^e1]: Load test report, page 3.
""",
}


@pytest.mark.parametrize("check", CHECKS.values(), ids=list(CHECKS))
def test_check_stands_in_the_file_that_its_slug_names(check: Check) -> None:
    assert check.family in FAMILIES
    assert check.run.__module__ == f"{checks.__name__}.{check.family}.{check.slug.replace('-', '_')}"


@pytest.mark.parametrize("slug", CHECKS)
def test_page_of_a_check_has_all_headings_and_tells_its_fix_and_settings(slug: str) -> None:
    check = CHECKS[slug]
    page = sys.modules[check.run.__module__].__doc__ or ""
    found = re.findall(r"^([A-Z][a-z]+):", page, re.MULTILINE)
    assert found == HEADINGS
    fix = re.search(r"^Fix: +(\w+)", page, re.MULTILINE)
    assert fix is not None
    assert fix[1] == (check.fix or "none")
    settings = page[page.index("Settings:") : page.index("Source:")]
    for name in check.settings:
        assert f"{name} =" in settings


def test_every_file_of_a_check_is_registered() -> None:
    folder = Path(checks.__file__).parent
    slugs = {path.stem.replace("_", "-") for path in folder.glob("*/*.py") if path.stem != "__init__"}
    assert slugs == set(CHECKS)


@pytest.mark.parametrize("slug", CHECKS)
def test_defaults_of_a_check_pass_its_own_validation(slug: str) -> None:
    check = CHECKS[slug]
    assert check.complete(check.settings) == dict(check.settings)


@pytest.mark.parametrize(
    ("slug", "given", "words"),
    [
        ("han-latin-space", {"digits": 1}, "true or false"),
        ("sentence-length", {"max_zh": True}, "whole number"),
        ("sentence-length", {"max_zh": -1}, "whole number"),
        ("banned-words", {"words": "最好"}, "list of texts"),
        ("banned-words", {"words": [""]}, "list of texts"),
        ("term-variants", {"terms": {"a": "b"}}, "table of lists"),
        ("full-width-punctuation", {"brackets": "half"}, "keep, full"),
        ("image-alt", {"alt": "x"}, "has no setting 'alt' (it has: none)"),
    ],
)
def test_setting_of_the_wrong_kind_is_refused(slug: str, given: dict[str, object], words: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(words)):
        CHECKS[slug].complete(given)


@pytest.mark.parametrize("name", ASSEMBLED)
def test_document_in_the_form_that_write_assembles_is_clean(name: str) -> None:
    found = inspect(Document.of(ASSEMBLED[name]), load_book(name).rules)
    assert [(violation.rule, violation.message) for violation in found] == []


def test_messages_are_in_the_language_of_the_review() -> None:
    rules = load_book("zh-tech").rules
    assert "缺少一级标题" in [one.message for one in inspect(Document.of("正文"), rules, "zh")]
    assert "There is no level-1 heading." in [one.message for one in inspect(Document.of("正文"), rules, "en")]


def test_a_word_of_the_team_s_own_is_not_called_advertising() -> None:
    book = '## 甲\n- 1.1 a\n```check\nname = "banned-words"\nwords = ["我们", "we", "最佳"]\n```\n'
    rules = parse_book(book, "mine").rules
    document = Document.of("我们的最佳方案。\n\nWe do it.\n")
    assert [one.message for one in inspect(document, rules, "zh")] == [
        "不使用“我们”",
        "不使用绝对化或广告式的词“最佳”",
        "不使用“We”",
    ]
    assert inspect(document, rules, "en")[0].message == "'我们' is not used here."
