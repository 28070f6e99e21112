"""A document about code held against the code once more."""

from __future__ import annotations

from pathlib import Path

import pytest

from kaozheng.providers.readers.code_files import CodeFolderReader
from kaozheng.workflows.write.rereading import reread

TABLE = "| 名称 | 位置 |\n| --- | --- |\n| `{}` | `app/run.py#L{}` |\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "run.py").write_text("import os\n\n\ndef start():\n    return os.name\n", encoding="utf-8")
    return tmp_path


async def doubts(text: str, root: Path) -> list[str]:
    found = await reread(text, root, CodeFolderReader())
    return [one["claim"] for one in found["doubts"]]


async def test_what_stands_there_is_not_doubted(root: Path) -> None:
    said = "入口 `start()` 在 `app/run.py` 中，用到 `os`。[^1]"
    text = f"{said}\n\n{TABLE.format('start', '4-L5')}\n[^1]: `app/run.py#L4-L5`\n"
    assert await doubts(text, root) == []


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("见 [^1]。\n\n[^1]: `app/run.py#L4-L9`\n", "app/run.py#L4-L9"),
        ("见 [^1]。\n\n[^1]: `app/gone.py#L1`\n", "app/gone.py#L1"),
        ("入口是 `begin()`。\n", "begin"),
        ("见 `app/other.py`。\n", "app/other.py"),
        (TABLE.format("start", "1"), "app/run.py#L1"),
    ],
)
async def test_a_place_or_name_that_is_not_there_is_doubted(text: str, claim: str, root: Path) -> None:
    assert await doubts(text, root) == [claim]


async def test_code_blocks_and_commands_are_no_names(root: Path) -> None:
    assert await doubts("运行 `make all`：\n\n```python\n`nowhere`\n```\n", root) == []


async def test_of_a_package_the_last_part_must_stand_in_the_line(root: Path) -> None:
    (root / "app" / "A.java").write_text("import com.google.errorprone.annotations.Keep;\n", encoding="utf-8")
    row = "| 包 | 位置 |\n| --- | --- |\n| `com.google.{}` | `app/A.java#L1` |\n"
    assert await doubts(row.format("errorprone"), root) == []
    assert await doubts(row.format("caliper"), root) == ["app/A.java#L1", "com.google.caliper"]


async def test_a_code_base_that_is_gone_proves_nothing(tmp_path: Path) -> None:
    found = await reread("见 `a`。\n", tmp_path / "gone", CodeFolderReader())
    assert found["places"] == 0
    assert [one["claim"] for one in found["doubts"]] == ["gone"]
