"""Slides: title, points, tables and notes in the order of the show, each slide a place."""

import io

from pptx import Presentation
from pptx.util import Inches

from kaozheng.providers.readers.conversion import convert


def read(show):
    file = io.BytesIO()
    show.save(file)
    return convert(".pptx", file.getvalue())


def test_titles_points_and_notes():
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "项目进度"
    body = slide.placeholders[1].text_frame
    body.text = "一期完成"
    point = body.add_paragraph()
    point.text, point.level = "12 台设备", 1
    slide.notes_slide.notes_text_frame.text = "提醒：验收在 5 月。"
    assert read(show).text == "## 项目进度\n\n- 一期完成\n  - 12 台设备\n\n> 提醒：验收在 5 月。\n"


def test_slides_come_in_the_order_of_the_show_and_each_is_a_place():
    show = Presentation()
    for title in ("first", "second", "third"):
        show.slides.add_slide(show.slide_layouts[5]).shapes.title.text = title
    order = show.slides._sldIdLst
    order.insert(0, order[2])
    made = read(show)
    assert made.text == "## third\n\n## first\n\n## second\n"
    assert [(place.kind, place.name, made.text[place.start :].split("\n")[0]) for place in made.places] == [
        ("slide", "1", "## third"),
        ("slide", "2", "## first"),
        ("slide", "3", "## second"),
    ]


def test_tables_text_boxes_groups_and_hidden_slides():
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    slide.shapes.add_textbox(0, 0, 100, 100).text_frame.text = "A box."
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, 100, 100).text_frame.text = "In a group."
    table = slide.shapes.add_table(2, 2, 0, 0, Inches(3), Inches(1)).table
    for row in range(2):
        for column in range(2):
            table.cell(row, column).text = f"r{row}c{column}"
    table.cell(0, 0).merge(table.cell(0, 1))
    slide._element.set("show", "0")
    assert read(show).text == (
        "## Slide 1 (hidden)\n\nA box.\n\nIn a group.\n\n| r0c0 r0c1 | r0c0 r0c1 |\n| --- | --- |\n| r1c0 | r1c1 |\n"
    ).replace("r0c0 r0c1", "r0c0<br>r0c1")
