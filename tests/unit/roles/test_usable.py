"""What cannot be a section is told apart from what is only short, tabular or code."""

from __future__ import annotations

import pytest

from kaozheng.roles.section_writer.usable import MOST_CHARS, unusable

TABLE = "| 项 | 值 |\n|---|---|\n" + "\n".join(f"| 第 {n} 项 | 是 |" for n in range(300))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[" * 100_000, "characters"),
        ("[" * 9_000, "no words"),
        ("[E1] [E2]\n\n[E3][^2]", "no words"),
        ("，。！" * 3_000, "no words"),
        ("好 " * 15_000, "repeats itself"),
        ("backup " * 5_000, "repeats itself"),
        ("系统每天备份一次。[E1]" * 1_000, "repeats itself"),
        ("| 甲 | 乙 |\n" * 3_000, "repeats itself"),
        ("x" * 5_000, "a word of more than"),
        ("> " * 9_000 + "甲", "quotes"),
        ("第一句。" * MOST_CHARS, "characters"),
    ],
)
def test_what_is_no_section_is_refused_with_the_reason(text, why):
    assert why in unusable(text)


@pytest.mark.parametrize(
    "text",
    [
        "见附件。",
        "OK.[E1]",
        TABLE,
        "```python\nprint(1)\n```",
        "```\n" + "AAAA" * 3_000 + "\n```",
        "```\n" + "x = 0\n" * 40 + "```",
        "系统每天备份一次。[E1]" * 20,
        "> > > 甲",
        "https://example.org/" + "a" * 900,
    ],
)
def test_short_sections_tables_and_code_pass(text):
    assert unusable(text) == ""
