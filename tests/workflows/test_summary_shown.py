"""What a summary shows: nothing that a page would run, no marks of others, tables with their columns, texts once."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from kaozheng.errors import ModelUnavailableError
from kaozheng.testing.actor import act_call
from kaozheng.testing.scripted_model import ScriptedModel

_spec = spec_from_file_location("summary_desk", Path(__file__).with_name("summary_desk.py"))
desk = module_from_spec(_spec)
_spec.loader.exec_module(desk)


async def test_html_and_marks_of_the_text_are_shown_as_text() -> None:
    text = (
        "# T [^1]\n\nThe value is <img src=x onerror=alert(1)> 5 bar on 4 May 2021.\n\n"
        "The board decided to close the plant[^7] on 3 June 2022.\n\n[^7]: The other note of 9 May 2020 says why.\n"
    )
    made = await desk.in_memory(text, wanted_sections=1, ratio=1.0)
    assert "<img" not in made.text
    assert "[^7]" not in made.text
    assert "# T (summary)\n" in made.text


async def test_a_table_is_told_row_by_row_with_its_columns() -> None:
    text = "# 门店\n\n| 门店 | 城市 | 销售额（万元） | 租约 |\n|---|---|---|---|\n"
    text += "| 一号店 | 杭州 | 1520 | 2026 年到期，不再续租 |\n| 二号店 | 宁波 | 980 | 2028 年到期 |\n"
    made = await desk.in_memory(text, wanted_sections=1, ratio=1.0)
    assert "一号店：城市 杭州，销售额（万元） 1520，租约 2026 年到期，不再续租。" in made.sentences
    assert all(evidence["quote"] in text for one in made.trace for evidence in one["evidence"])
    assert not any("|" in one for one in made.sentences)


async def test_what_stands_below_a_heading_that_denies_it_keeps_the_heading() -> None:
    text = "# 计划\n\n## 范围\n\n年底前改造 14 个分馆。\n\n## 不在范围内\n\n2025 年底前建成 24 小时无人图书馆。\n"
    made = await desk.in_memory(text, wanted_sections=1, ratio=1.0)
    assert "不在范围内：2025 年底前建成 24 小时无人图书馆。" in made.sentences


async def test_a_text_that_is_there_twice_is_read_once(settings, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("a.md", "b.md"):
        (folder / name).write_text("# 甲\n\n县医院 2024 年 3 月 5 日开工，总投资 1.2 亿元。\n", encoding="utf-8")
    made = await desk.through_the_runner(settings, folder)
    assert made.report["gaps"] == []
    assert made.report["inputs"]["skipped"] == [{"path": "b.md", "why": "the same text as a.md"}]


async def test_a_focus_that_the_text_does_not_mention_is_said_in_its_head() -> None:
    text = "# 甲\n\n县医院 2024 年 3 月 5 日开工，总投资 1.2 亿元。\n\n床位 300 张，未设儿科。\n"
    assert "> 原文没有提到 `量子计算`" in (await desk.in_memory(text, focus="量子计算")).text
    assert "没有提到" not in (await desk.in_memory(text, focus="儿科")).text


async def test_what_a_server_says_of_its_failure_is_shown_as_text() -> None:
    def failing(call):
        if call.role == "summary_planner":
            raise ModelUnavailableError("<script>alert(1)</script> [^6] <img src=x onerror=alert(2)>")
        return act_call(call)

    text = "# 甲\n\n县医院 2024 年 3 月 5 日开工，总投资 1.2 亿元。\n\n床位 300 张，未设儿科。\n"
    made = await desk.in_memory(text, ScriptedModel(failing))
    assert made.report["missing"]
    assert "alert(1)" in made.text
    assert not any(sign in made.text for sign in ("<script", "<img", "[^6]"))
