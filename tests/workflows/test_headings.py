"""What stands under which heading in documents written offline, from notes as people keep them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kaozheng import api
from kaozheng.documents.document import Document
from kaozheng.settings import Settings
from kaozheng.workflows.write.assembling import own_parts, with_contents

API_NOTE = "{top}## 下单接口\n\n下单用 POST。\n\n## 错误码\n\n错误码有三个。\n\n## 下单接口\n\n下单要带签名。\n"
OTHER = "# 部署\n\n部署在两台机器上。\n\n## 步骤\n\n先停再起。\n"


def written(folder: Path, texts: dict[str, str]) -> Path:
    for path, text in texts.items():
        target = folder / "notes" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return folder / "notes" / next(iter(texts)) if len(texts) == 1 else folder / "notes"


async def shape_of(settings: Settings, folder: Path, texts: dict[str, str], topic: str = "") -> list[str]:
    """The document's lines without front matter, contents, references and footnotes."""
    result = await api.awrite(notes=written(folder, texts), topic=topic, settings=settings)
    assert all(one["status"] == "written" for one in result.report["sections"])
    document = Document(result.document)
    own = {"目录", "Contents", "参考资料", "References"}
    kept: list[str] = []
    for place, heading in enumerate(document.headings):
        ends = document.headings[place + 1].span.start if place + 1 < len(document.headings) else len(result.document)
        if heading.level == 2 and heading.text in own:
            continue
        kept.extend(line for line in result.document[heading.span.start : ends].split("\n") if line.strip())
    return kept


@pytest.mark.parametrize("top", ["", "# 订单\n\n"])
async def test_one_file_keeps_its_order_and_marks_a_repeated_title(
    settings: Settings, tmp_path: Path, top: str
) -> None:
    lines = await shape_of(settings, tmp_path, {"a.md": API_NOTE.format(top=top)})
    assert lines[1:] == [
        "## 下单接口", "下单用 POST。[^1]", "## 错误码", "错误码有三个。[^2]",
        "## 下单接口（续）", "下单要带签名。[^3]",
    ]  # fmt: skip


async def test_in_a_folder_a_repeated_heading_is_told_again(settings: Settings, tmp_path: Path) -> None:
    lines = await shape_of(settings, tmp_path, {"a.md": API_NOTE.format(top=""), "b.md": OTHER})
    assert lines[1:7] == [
        "## 下单接口", "下单用 POST。[^1]", "### 错误码", "错误码有三个。[^2]",
        "### 下单接口（续）", "下单要带签名。[^3]",
    ]  # fmt: skip


async def test_in_a_folder_the_title_of_a_note_is_its_section_s_and_its_headings_stand_below(
    settings: Settings, tmp_path: Path
) -> None:
    lines = await shape_of(settings, tmp_path, {"a.md": API_NOTE.format(top="# 订单\n\n"), "b.md": OTHER})
    assert [line for line in lines if line.startswith("#")][1:] == [
        "## 订单", "### 下单接口", "### 错误码", "### 下单接口（续）", "## 部署", "### 步骤",
    ]  # fmt: skip


async def test_english_repeats_are_continued(settings: Settings, tmp_path: Path) -> None:
    text = "# Orders\n\n## Calls\n\nOne call.\n\n## Errors\n\nThree errors.\n\n## Calls\n\nTwo calls.\n"
    lines = await shape_of(settings, tmp_path, {"a.md": text})
    assert [line for line in lines if line.startswith("#")] == [
        "# Orders", "## Calls", "## Errors", "## Calls (continued)",
    ]  # fmt: skip


async def test_a_table_of_contents_of_the_notes_is_left_out(settings: Settings, tmp_path: Path) -> None:
    contents = "## 目录\n\n- [安装](#安装)\n  - [升级](#升级)\n- [使用](#使用)\n\n"
    text = f"# 手册\n\n[TOC]\n\n{contents}## 安装\n\n解开即可。\n\n## 使用\n\n作者：林晓\n[toc]\n运行 run。\n"
    lines = await shape_of(settings, tmp_path, {"a.md": text})
    assert lines == ["# 手册", "## 安装", "解开即可。[^1]", "## 使用", "作者：林晓", "运行 run。[^2]"]


async def test_titles_of_the_notes_do_not_collide_with_ours(settings: Settings, tmp_path: Path) -> None:
    text = "# 手册\n\n## 目录\n\n本书分三篇，先讲安装。\n\n## 安装\n\n解开即可。\n\n## 参考文献\n\n- 《图书馆学》\n"
    lines = await shape_of(settings, tmp_path, {"a.md": text})
    assert [line for line in lines if line.startswith("#")] == ["# 手册", "## 内容说明", "## 安装", "## 延伸阅读"]
    assert "- 《图书馆学》[^3]" in lines
    lines = await shape_of(settings, tmp_path, {"a.md": text, "b.md": OTHER})
    assert "### 延伸阅读" in lines
    assert "### 内容说明" in lines


async def test_statements_under_a_note_s_own_references_are_traced(settings: Settings, tmp_path: Path) -> None:
    texts = {"a.md": "# Guide\n\n## Setup\n\nUnpack it.\n\n## References\n\nThe book of locks is old.\n"}
    result = await api.awrite(notes=written(tmp_path, texts), settings=settings)
    assert "## Further reading" in result.document
    statements = json.loads((result.folder / "trace.json").read_text(encoding="utf-8"))
    assert "The book of locks is old." in {one["text"] for one in statements}


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("# 缓存\n\n缓存命中率为 92%，比上周高。\n", ["# 缓存", "## 缓存"]),
        ("# 缓存\n\n## 命中率\n\n缓存命中率为 92%，比上周高。\n", ["# 缓存", "## 命中率"]),
        ("# 缓存\n\n先看概况。\n\n## 命中率\n\n命中率为 92%。\n", ["# 缓存", "## 缓存", "## 命中率"]),
        ("# 缓存\n\n概况。\n\n## 缓存\n\n命中率为 92%。\n\n## 后续\n\n再看。\n", ["# 缓存", "## 缓存", "## 后续"]),
        ("# 缓存\n\n## 统计\n\n### 日\n\n九成。\n\n### 周\n\n八成。\n", ["# 缓存", "## 统计", "### 日", "### 周"]),
        (
            "# 缓存\n\n## 统计\n\n### 日\n\n#### 早\n\n九成。\n\n#### 晚\n\n八成。\n\n## 后续\n\n再看。\n",
            ["# 缓存", "## 统计", "### 日", "#### 早", "#### 晚", "## 后续"],
        ),
        ("缓存命中率为 92%，比上周高。\n", ["# 缓存记录", "## 正文"]),
        ("写在前面。\n\n# 甲\n\n甲文。\n\n# 乙\n\n乙文。\n", ["# 甲", "## 引言", "## 甲", "## 乙"]),
    ],
)
async def test_no_heading_of_one_file_is_invented_or_lost(
    settings: Settings, tmp_path: Path, text: str, headings: list[str]
) -> None:
    lines = await shape_of(settings, tmp_path, {"缓存记录.md": text})
    assert [line for line in lines if line.startswith("#")] == headings


async def test_a_first_heading_that_repeats_the_note_s_title_stands_once(settings: Settings, tmp_path: Path) -> None:
    texts = {"a.md": "# 缓存\n\n## 缓存\n\n九成。\n\n## 后续\n\n再看。\n", "b.md": OTHER}
    lines = await shape_of(settings, tmp_path, texts)
    assert [line for line in lines if line.startswith("#")][1:] == ["## 缓存", "### 后续", "## 部署", "### 步骤"]


async def test_a_folder_s_section_shows_the_title_of_each_note(settings: Settings, tmp_path: Path) -> None:
    texts = {
        f"{folder}/{n}.md": f"# {folder} {n}\n\n## 其一\n\n{folder}{n}有一。\n\n## 其二\n\n{folder}{n}有二。\n"
        for folder in ("采购", "迁移", "培训", "网络")
        for n in range(5)
    }
    texts["读者/0.md"] = "# 读者服务\n\n## 借\n\n借三十天。\n\n## 还\n\n哪里都能还。\n"
    lines = await shape_of(settings, tmp_path, texts)
    headings = [line for line in lines if line.startswith("#")]
    assert headings[1:8] == ["## 培训", "### 培训 0", "#### 其一", "#### 其二", "### 培训 1", "#### 其一", "#### 其二"]
    place = headings.index("## 读者")
    assert headings[place : place + 4] == ["## 读者", "### 读者服务", "#### 借", "#### 还"]


async def test_two_large_notes_lose_nothing(settings: Settings, tmp_path: Path) -> None:
    def long(name: str) -> str:
        parts = (
            f"## {name}第{n}节\n\n" + "\n\n".join(f"{name}的第{n}节第{k}段说明一件事。" * 12 for k in range(12))
            for n in range(1, 6)
        )
        return f"# {name}\n\n" + "\n\n".join(parts) + "\n"

    texts = {"a.md": long("采购"), "b.md": long("迁移")}
    result = await api.awrite(notes=written(tmp_path, texts), settings=settings)
    assert {one["cited"] for one in result.report["inputs"]["used"]} == {60}
    assert "## 采购：采购第 1 节" in result.document
    assert "\n# 采购、迁移资料汇编\n" in result.document
    assert "### 采购" not in result.document


async def test_an_image_alone_gets_no_mark(settings: Settings, tmp_path: Path) -> None:
    text = "# 架构\n\n## 图\n\n![架构图](a.png)\n\n[![徽章](b.svg)](http://x.y)\n\n图中有三层。见 ![图](c.png)。\n"
    lines = await shape_of(settings, tmp_path, {"a.md": text})
    assert any(line.startswith("![架构图](") and line.endswith("a.png)") for line in lines)
    assert not any("](http://x.y)[^" in line for line in lines)
    assert [line for line in lines if "[^1]" in line] == [line for line in lines if line.startswith("图中有三层")]


@pytest.mark.parametrize("others", [{}, {"b.md": OTHER}])
async def test_a_text_s_title_line_is_its_title_and_no_paragraph(
    settings: Settings, tmp_path: Path, others: dict[str, str]
) -> None:
    text = "值班安排\n\n周一由林晓值班。\n\n周二由周鸣值班。\n"
    lines = await shape_of(settings, tmp_path, {"rota-2024.txt": text} | others)
    assert [line for line in lines[bool(others) :] if "值班安排" in line] == ["## 值班安排" if others else "# 值班安排"]
    assert any(line.startswith("周一由林晓值班。[^") for line in lines)


async def test_a_text_with_code_is_titled_by_its_first_line_too(settings: Settings, tmp_path: Path) -> None:
    text = "重启步骤\n\n先停服务：\n\n```bash\nstop\n```\n\n再启动。\n"
    lines = await shape_of(settings, tmp_path, {"ops.txt": text})
    assert lines[:3] == ["# 重启步骤", "## 正文", "先停服务：[^1]"]


async def test_a_first_line_that_is_no_title_stays(settings: Settings, tmp_path: Path) -> None:
    for first in ("值班由林晓负责。", "- 值班", "值班安排" * 8):
        lines = await shape_of(settings, tmp_path, {"值班.txt": f"{first}\n\n周一由林晓值班。\n\n周二由周鸣值班。\n"})
        assert any(line.startswith(first) and "[^1]" in line for line in lines), first


async def test_a_user_s_own_contents_and_references_keep_their_trace(settings: Settings, tmp_path: Path) -> None:
    note = tmp_path / "n.md"
    parts = ("# 说明", "库容为 300 万立方米[^1]。", "## 目录", "仓库目录共有 12 项[E3]。", "## References")
    text = "\n\n".join([*parts, "Zhang San 写的水泵设计。", "[^1]: 见规程。"])
    note.write_text(text, encoding="utf-8")
    result = await api.awrite(notes=note, settings=settings)
    traced = [one["text"] for one in json.loads((result.folder / "trace.json").read_text(encoding="utf-8"))]
    assert traced == [
        "库容为 300 万立方米。",
        "注：见规程。",
        "仓库目录共有 12 项\\[E3\\]。",
        "Zhang San 写的水泵设计。",
    ]
    assert result.report["unsupported"] == []
    assert "(E3)" not in result.document


def test_parts_of_the_document_are_known_by_their_place() -> None:
    text = "# T\n\n## 目录\n\n- x\n\n## 甲\n\n### 参考资料\n\n甲的书。\n\n## 目录\n\n乙。\n\n## 参考资料\n\n- `a`\n"
    contents, references = own_parts(Document(text))
    assert contents
    assert references
    assert text[contents.start : contents.end] == "## 目录\n\n- x\n\n"
    assert text[references.start : references.end] == "## 参考资料\n\n- `a`\n"
    again = with_contents(text)
    assert again == with_contents(again)
    assert again.count("- [目录](#目录-1)") == 1
    assert "- [目录](#目录)\n" not in again
