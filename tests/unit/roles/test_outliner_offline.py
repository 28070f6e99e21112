from __future__ import annotations

import asyncio
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.providers.readers.text_files import FolderReader
from kaozheng.roles.outliner import offline
from kaozheng.roles.outliner.plan import Outline, SectionPlan
from kaozheng.roles.titles import clean_title
from kaozheng.sources.material import Material, build_material
from kaozheng.sources.source import Reading, Source

EXAMPLES = Path(__file__).parents[3] / "examples"
END_MARKS = "。．.，,；;：:！!、…"

words = st.sampled_from(
    [
        "背景",
        "采购",
        "数据迁移",
        "计划",
        "附录",
        "问题。",
        "1. 安装",
        "第二章 总则",
        "API",
        "Overview:",
        "",
        "  ",
        "…",
        "##",
        "a" * 80,
        "数" * 50,
    ]
)
sentence = st.sampled_from(
    [
        "分馆有十二家。",
        "The hub stores lines.",
        "林晓说了采购的进度。",
        "迁移用时3小时。",
        "```\ncode\n```",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "- 一\n- 二",
    ]
)
section = st.tuples(st.integers(1, 4), words, st.lists(sentence, max_size=4)).map(
    lambda one: f"{'#' * one[0]} {one[1]}\n\n" + "\n\n".join(one[2])
)
text = st.one_of(
    st.lists(section, max_size=8).map("\n\n".join),
    st.lists(sentence, min_size=1, max_size=20).map("\n\n".join),
    st.text(max_size=200),
)
paths = st.sampled_from(
    ["a.md", "b.txt", "x/c.md", "x/d.md", "y/e.md", "y/z/f.txt", "README.md", "input.md", "02-agent.txt", "笔记/一.md"]
)
materials = st.dictionaries(paths, text, min_size=1, max_size=16).map(
    lambda texts: build_material(
        Reading([Source.of(body, path, f"S{n}") for n, (path, body) in enumerate(texts.items(), start=1)], [])
    )
).filter(lambda material: bool(material.passages))  # fmt: skip


def assert_good(plan: Outline, material: Material) -> None:
    items = offline.items_of(material)
    placed = [name for part in plan.sections for name in part.material]
    assert Counter(placed) == Counter(item.id for item in items)
    assert 1 <= len(plan.sections) <= offline.MOST_SECTIONS
    titles = [part.title for part in plan.sections]
    assert len({title.casefold() for title in titles}) == len(titles)
    for title in titles:
        assert title.strip()
        assert title[-1] not in END_MARKS
        assert "\n" not in title
    assert plan.title.strip()


@settings(max_examples=150, deadline=None)
@given(materials)
def test_every_item_is_in_exactly_one_titled_section(material: Material) -> None:
    assert_good(offline.outline(material), material)


@settings(max_examples=40, deadline=None)
@given(materials)
def test_the_same_material_gives_the_same_plan(material: Material) -> None:
    again = Material.from_json(material.to_json())
    assert offline.outline(material) == offline.outline(again)


@settings(max_examples=40, deadline=None)
@given(materials)
def test_material_keeps_its_order_within_a_section(material: Material) -> None:
    order = {item.id: place for place, item in enumerate(offline.items_of(material))}
    for part in offline.outline(material).sections:
        places = [order[name] for name in part.material]
        assert places == sorted(places)


@settings(max_examples=60, deadline=None)
@given(materials, st.lists(st.tuples(words, st.lists(st.integers(0, 30), max_size=6)), min_size=1, max_size=20))
def test_any_plan_of_a_model_is_made_whole(material: Material, planned: list[tuple[str, list[int]]]) -> None:
    items = offline.items_of(material)
    named = [items[place].id if place < len(items) else f"junk{place}" for _, places in planned for place in places]
    taken = iter(named)
    sections = [SectionPlan(title=title, material=[next(taken) for _ in places]) for title, places in planned]
    whole = offline.complete(Outline(title="x", sections=sections), items, material.language)
    placed = [name for part in whole.sections for name in part.material]
    assert Counter(placed) == Counter(item.id for item in items)
    assert all(part.title and part.title[-1] not in END_MARKS and part.material for part in whole.sections)


@given(st.text(max_size=120))
def test_a_clean_title_is_one_short_line_and_stays_as_it_is(title: str) -> None:
    clean = clean_title(title)
    assert len(clean) <= 60
    assert "\n" not in clean
    assert not clean or clean[-1] not in END_MARKS
    assert clean == clean.strip()


@pytest.mark.parametrize(
    ("title", "clean"),
    [
        ("一、概述。", "概述"),
        ("## **安装**：", "安装"),
        ("2.3 Install the agent", "Install the agent"),
        ("见 [手册](http://x.y)[^1]", "见 手册"),
        ("为什么需要缓存？", "为什么需要缓存？"),
        (
            "How the migration of the old archive to the new storage hub is done in steps",
            "How the migration of the old archive to the new storage hub",
        ),
        (
            "总馆与分馆之间的数据同步方案，以及断网时自助借还机如何继续工作的说明（草案）",
            "总馆与分馆之间的数据同步方案",
        ),
        ("", ""),
        ("。。。", ""),
    ],
)
def test_titles_are_cleaned_as_a_person_would(title: str, clean: str) -> None:
    assert clean_title(title) == clean


def read(path: Path) -> Material:
    return build_material(asyncio.run(FolderReader().read(path)))


def titles(plan: Outline) -> list[str]:
    return [part.title for part in plan.sections]


def test_notes_give_a_section_a_file_with_the_background_first() -> None:
    material = read(EXAMPLES / "notes")
    plan = offline.outline(material)
    assert_good(plan, material)
    assert titles(plan) == [
        "项目背景与目标", "分馆现状调研", "自助借还机选型", "数据迁移", "网络与安全", "培训与上线安排", "项目例会纪要",
    ]  # fmt: skip


def test_english_notes_keep_their_titles() -> None:
    plan = offline.outline(read(EXAMPLES / "notes-en"))
    assert titles(plan) == ["Background and goals", "The agent", "Hub and storage", "Rollout plan"]
    assert plan.title == "Notes: Background and goals, The agent and more"


def test_a_text_without_headings_is_named_by_what_its_paragraphs_announce() -> None:
    material = read(EXAMPLES / "text" / "meeting.txt")
    plan = offline.outline(material)
    assert_good(plan, material)
    assert plan.title == "项目碰头会"
    assert titles(plan) == ["第一次演练情况", "采购、分馆准备", "退押金"]


def test_speakers_are_no_topics(material_of) -> None:
    text = "\n\n".join(
        f"{who}说不急。{who}建议再等等。经费第{n}笔已到，经费够用。" for n, who in enumerate(["张三丰", "李四光"] * 4)
    )
    for title in titles(offline.outline(material_of({"a.txt": text}))):
        assert "张三" not in title
        assert "李四" not in title


def test_an_english_text_without_headings_is_named_by_its_phrases(material_of) -> None:
    about = ["The disk buffer holds an hour of lines. A full disk buffer stops the reader."] * 4
    then = ["Access tokens expire after a day. The hub renews access tokens by itself."] * 4
    plan = offline.outline(material_of({"a.txt": "\n\n".join(about + then)}))
    assert {"Disk buffer", "Access tokens"} & set(titles(plan))
    assert not {"The", "Hub", "Hour"} & set(titles(plan))


@pytest.mark.parametrize(
    ("path", "text", "title"),
    [
        ("input.md", "2024年6月18日，三楼会议室，项目碰头会。到场四人。\n\n说了三件事。", "项目碰头会"),
        ("02-release_plan.txt", "It ships in May.\nNobody objected.\n", "Release plan"),
        ("meeting.txt", "关于印发管理办法的通知，各单位：请遵照执行。\n\n正文。", "关于印发管理办法的通知"),
        ("采购记录.txt", "六台，总价33.6万元。\n到货在七月。\n", "采购记录"),
    ],
)
def test_a_document_is_named_by_its_text_before_its_file(material_of, path: str, text: str, title: str) -> None:
    assert offline.outline(material_of({path: text})).title == title


def test_a_readme_names_the_collection(material_of) -> None:
    texts = {f"n{n}.md": f"# 主题{n}\n\n内容{n}。\n" for n in range(5)} | {"README.md": "# 古籍数字化\n\n说明。\n"}
    assert offline.outline(material_of(texts)).title == "古籍数字化"


def test_the_author_s_order_of_one_text_is_kept(material_of) -> None:
    text = "# 书\n\n## 后续计划\n\n甲。\n\n## 安装\n\n乙。\n\n## 概述\n\n丙。\n"
    assert titles(offline.outline(material_of({"a.md": text}))) == ["后续计划", "安装", "概述"]


def test_many_sources_are_grouped_into_twelve_sections_at_most(material_of) -> None:
    themes = ["采购招标", "数据迁移", "培训考核", "网络安全", "读者服务", "古籍修复"]
    texts = {f"{n:02}.md": f"# {themes[n % 6]}之{n}\n\n{(themes[n % 6] + '按计划推进。') * 6}\n" for n in range(60)}
    material = material_of(texts)
    started = time.process_time()
    plan = offline.outline(material)
    assert time.process_time() - started < 5  # 20 times what is usual
    assert_good(plan, material)
    assert 4 <= len(plan.sections) <= 12


def test_folders_are_sections_when_they_divide_the_notes(material_of) -> None:
    texts = {
        f"{folder}/{n}.md": f"# {folder}{n}\n\n正文{n}。\n"
        for folder in ("采购", "迁移", "培训", "网络")
        for n in range(5)
    }
    assert titles(offline.outline(material_of(texts))) == ["采购", "迁移", "培训", "网络"]
