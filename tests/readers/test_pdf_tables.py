"""Tables in PDF: those that are ruled become tables, whatever is not plainly one stays as it is."""

import io

import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

from kaozheng.providers.readers.conversion import convert
from kaozheng.providers.readers.pdf_tables import Rule, grids_of

pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
ROWS = [["Area", "GDP", "Growth"], ["North", "12.3", "4.5%"], ["South | East", "3", ""], ["West of it", "1,234", "-6%"]]
TABLE = (
    "| Area | GDP | Growth |\n| --- | --- | --- |\n| North | 12.3 | 4.5% |\n"
    "| South \\| East | 3 |  |\n| West of it | 1,234 | -6% |"
)


def pdf(*tables, before="Before the table.", after="Behind the table."):
    out = io.BytesIO()
    normal = getSampleStyleSheet()["Normal"]
    story = []
    for rows, style in tables:
        story += [
            Paragraph(before, normal),
            Spacer(1, 20),
            Table(rows, style=style, colWidths=[110, 80, 80][: len(rows[0])]),
        ]
        story += [Spacer(1, 20), Paragraph(after, normal)]
    SimpleDocTemplate(out, pagesize=A4).build(story)
    return out.getvalue()


GRID = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]


@pytest.mark.parametrize(
    "style",
    [
        GRID,
        [("GRID", (0, 0), (-1, -1), 1.5, colors.grey), ("BACKGROUND", (0, 0), (-1, 0), colors.lightgrey)],
        [("INNERGRID", (0, 0), (-1, -1), 0.25, colors.black), ("BOX", (0, 0), (-1, -1), 2, colors.black)],
    ],
)
def test_a_ruled_table_is_a_table(style):
    assert convert(".pdf", pdf((ROWS, style))).text == f"Before the table.\n\n{TABLE}\n\nBehind the table.\n"


@pytest.mark.parametrize(
    "style",
    [
        [],
        [("BOX", (0, 0), (-1, -1), 1, colors.black)],
        [("LINEABOVE", (0, 0), (-1, 0), 1, colors.black), ("LINEBELOW", (0, 0), (-1, -1), 1, colors.black)],
        [("LINEBEFORE", (1, 0), (-1, -1), 1, colors.black)],
    ],
)
def test_a_table_that_is_not_ruled_stays_rows(style):
    text = convert(".pdf", pdf((ROWS, style))).text
    assert "| ---" not in text
    assert "North | 12.3 | 4.5%" in text


def test_two_tables_on_a_page_stay_where_they_stand():
    other = [["A", "B"], ["1", "2"]]
    text = convert(".pdf", pdf((ROWS, GRID), (other, GRID), before="Next.", after="Done.")).text
    assert text == f"Next.\n\n{TABLE}\n\nDone. Next.\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\nDone.\n" or (
        text == f"Next.\n\n{TABLE}\n\nDone.\n\nNext.\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\nDone.\n"
    )


def test_merged_cells_are_unfolded():
    rows = [["Area", "Value", ""], ["", "2024", "2025"], ["North", "1", "2"]]
    style = [*GRID, ("SPAN", (1, 0), (2, 0)), ("SPAN", (0, 0), (0, 1))]
    assert (
        "| Area | Value | Value |\n| --- | --- | --- |\n| Area | 2024 | 2025 |\n| North | 1 | 2 |"
        in convert(".pdf", pdf((rows, style))).text
    )


def test_chinese_cells_of_several_lines_are_one_text():
    rows = [["地区", "说明"], ["内江市", "写到栏边为止\n第二行"], ["隆昌市", "没有"]]
    style = [*GRID, ("FONT", (0, 0), (-1, -1), "STSong-Light", 10)]
    text = convert(".pdf", pdf((rows, style))).text
    assert "| 地区 | 说明 |\n| --- | --- |\n| 内江市 | 写到栏边为止" in text
    assert "第二行 |\n| 隆昌市 | 没有 |" in text


def test_a_drawing_and_a_frame_around_text_are_no_tables():
    cross = [Rule(True, 100, 0, 200), Rule(False, 100, 0, 200)]
    frame = [Rule(True, x, 0, 100) for x in (0, 300)] + [Rule(False, y, 0, 300) for y in (0, 100)]
    open_sides = [Rule(False, y, 0, 300) for y in (0, 50, 100)] + [Rule(True, x, 0, 100) for x in (100, 200, 250)]
    for rules in (cross, frame, open_sides, []):
        assert list(grids_of(rules)) == []
