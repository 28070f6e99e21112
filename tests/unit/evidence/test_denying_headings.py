"""What stands below a heading that denies it is never told without the heading."""

import pytest

from kaozheng.evidence.denying_headings import with_denial
from kaozheng.sources.material import build_material
from kaozheng.sources.source import Reading, Source


def passage(heading, text):
    source = Source.of(f"# 计划\n\n## {heading}\n\n{text}\n", path="a.md")
    return build_material(Reading([source], [])).passages[-1]


@pytest.mark.parametrize(
    ("heading", "text", "language", "told"),
    [
        ("不在范围内", "建成无人图书馆。", "zh", "不在范围内：建成无人图书馆。"),
        ("范围之外", "建成无人图书馆。", "zh", "范围之外：建成无人图书馆。"),
        ("尚未完成", "运行在 PostgreSQL 上。", "zh", "尚未完成：运行在 PostgreSQL 上。"),
        ("Non-goals", "A web page.", "en", "Non-goals: A web page."),
        ("Not there yet", "Runs on PostgreSQL.", "en", "Not there yet: Runs on PostgreSQL."),
        ("Out of scope", "We do not sell data.", "en", "We do not sell data."),
        ("不在范围内", "本期不建无人图书馆。", "zh", "本期不建无人图书馆。"),
        ("范围", "建成无人图书馆。", "zh", "建成无人图书馆。"),
        ("不断改进", "建成无人图书馆。", "zh", "建成无人图书馆。"),
        ("Notes", "A web page.", "en", "A web page."),
        ("Nodes", "A web page.", "en", "A web page."),
    ],
)
def test_a_denied_statement_keeps_what_denies_it(heading, text, language, told):
    assert with_denial(text, passage(heading, text), language) == told
