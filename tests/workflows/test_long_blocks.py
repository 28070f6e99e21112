"""Tables and code that are longer than a passage: no row loses its head, no line its fence."""

from __future__ import annotations

from pathlib import Path

from kaozheng import api
from kaozheng.documents.document import Document
from kaozheng.settings import Settings

ROWS = [f"| 指标 {number} | {number * 7} | 这一行说明第 {number} 项指标的口径和来源 |" for number in range(600)]
LINES = [f"def function_{number}(value):\n    return value + {number}\n" for number in range(500)]


def blocks_of(document: Document, kind: str) -> list[str]:
    return [document.quote(block.span) for block in document.blocks if block.kind == kind]


async def test_every_row_of_a_long_table_stands_in_a_table(settings: Settings, tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text(
        "# 指标\n\n| 名称 | 数值 | 说明 |\n| --- | --- | --- |\n" + "\n".join(ROWS) + "\n", encoding="utf-8"
    )
    result = await api.awrite(notes=note, settings=settings)
    tables = blocks_of(Document(result.document), "table")
    rows = [row for table in tables for row in table.splitlines()[2:]]
    assert len(rows) > 200  # the section is shortened, by whole passages
    assert set(rows) <= set(ROWS)
    assert [line for line in result.document.splitlines() if line in ROWS] == rows
    assert all(table.startswith("| 名称 | 数值 | 说明 |\n| --- |") for table in tables)
    assert result.report["unsupported"] == []


async def test_every_line_of_long_code_stands_in_a_fence(settings: Settings, tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("# 函数\n\n下面是全部函数。\n\n```python\n" + "\n".join(LINES) + "```\n", encoding="utf-8")
    result = await api.awrite(notes=note, settings=settings)
    fenced = "\n".join(blocks_of(Document(result.document), "code")).splitlines()
    begun = [line for line in result.document.splitlines() if line.startswith("def ")]
    assert len(begun) > 200  # the section is shortened, by whole passages
    assert [line for line in fenced if line.startswith("def ")] == begun
    assert result.report["unsupported"] == []
