"""CSV, HTML and PDF files as Markdown."""

import io
import sys

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from kaozheng.errors import SourceError
from kaozheng.providers.readers.conversion import convert
from kaozheng.providers.readers.pdf_words import Word, in_lines


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("codec", ["utf-8-sig", "gb18030", "utf-16"])
def test_a_table_of_any_delimiter_and_encoding(delimiter, codec):
    rows = ["地区{0}数值{0}备注", "甲县{0}12.3%{0}", '乙县{0}"1{0}234"{0}"两行\n说明"']
    data = "\r\n".join(rows).format(delimiter).encode(codec)
    bar = "\\|" if delimiter == "|" else " " if delimiter == "\t" else delimiter
    assert convert(".csv", data).text == (
        f"| 地区 | 数值 | 备注 |\n| --- | --- | --- |\n| 甲县 | 12.3% |  |\n| 乙县 | 1{bar}234 | 两行<br>说明 |\n"
    )


def test_ragged_rows_are_filled_up():
    assert convert(".csv", b"a,b\n1\n1,2,3\n").text == "| a | b |  |\n| --- | --- | --- |\n| 1 |  |  |\n| 1 | 2 | 3 |\n"


def test_the_main_text_of_a_page():
    head = "<html><head><meta charset=gb2312><title>公告</title></head>"
    page = f"{head}<body><nav>menu</nav><h2>范围</h2><p>正文。</p></body></html>"
    assert convert(".html", page.encode("gb18030")).text == "# 公告\n\n## 范围\n\n正文。\n"


def pdf(*pages, size=11, **more):
    file = io.BytesIO()
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    canvas = Canvas(file, pagesize=A4, **more)
    for page in pages:
        for x, y, words, *font in page:
            canvas.setFont("STSong-Light", font[0] if font else size)
            canvas.drawString(x, y, words)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def test_lines_of_a_page_become_paragraphs_and_large_ones_headings():
    data = pdf([
        (72, 780, "项目说明", 20),
        (94, 740, "县图书馆共有十二台自助借还设备，分布在四个分馆，每天开放十小"),
        (72, 724, "时。"),
        (94, 708, "第二段说明预算，金额为一百二十万元。"),
    ])  # fmt: skip
    assert convert(".pdf", data).text == (
        "# 项目说明\n\n县图书馆共有十二台自助借还设备，分布在四个分馆，每天开放十小时。\n\n"
        "第二段说明预算，金额为一百二十万元。\n"
    )


def test_english_lines_are_joined_with_blanks_and_broken_words_are_mended():
    lines = [
        "The library has twelve machines in four branches and they are main-",
        "tained by the county office every week of the year without any pause",
        "in summer.",
    ]
    data = pdf([(72, 740 - 14 * n, line) for n, line in enumerate(lines)])
    assert convert(".pdf", data).text == (
        "The library has twelve machines in four branches and they are maintained by the county office every week of "
        "the year without any pause in summer.\n"
    )


def test_each_page_is_a_place_and_running_heads_and_page_numbers_are_left_out():
    data = pdf(
        *[
            [(72, 810, "县图书馆年报"), (72, 700, f"第{word}件事说完了。"), (290, 30, f"- {n} -")]
            for n, word in enumerate("一二三四", 1)
        ]
    )
    made = convert(".pdf", data)
    assert made.text == "第一件事说完了。\n\n第二件事说完了。\n\n第三件事说完了。\n\n第四件事说完了。\n"
    assert [(place.kind, place.name, made.text[place.start]) for place in made.places] == [
        ("page", str(n), "第") for n in range(1, 5)
    ]


def test_a_sentence_that_runs_over_the_page_is_one_sentence():
    full = "这一行从左边写到右边，写满了整整一行文字，没有在这里结束，而是接着往下"
    data = pdf(
        [
            (72, 90, full),
        ],
        [(72, 780, full), (72, 764, "写到这里才完。")],
    )
    made = convert(".pdf", data)
    assert made.text == f"{full}{full}写到这里才完。\n"
    assert [place.start for place in made.places] == [0, len(full)]


@pytest.fixture
def without_recognition(monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidocr", None)


def test_a_scanned_pdf_is_named_as_such(without_recognition):
    file = io.BytesIO()
    canvas = Canvas(file)
    for _ in range(3):
        canvas.rect(10, 10, 400, 600, fill=1)
        canvas.showPage()
    canvas.save()
    with pytest.raises(SourceError, match=r"no text layer \(3 pages\).*pip install \"kaozheng\[ocr\]\""):
        convert(".pdf", file.getvalue())


def test_pages_without_a_text_layer_among_others_are_named(without_recognition):
    data = pdf([(72, 700, "第一页有字。")], [], [(72, 700, "第三页有字。")])
    made = convert(".pdf", data)
    assert made.text == "第一页有字。\n\n第三页有字。\n"
    assert [(part.path, part.why) for part in made.left_out] == []
    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.drawString(72, 700, "words.")
    canvas.showPage()
    canvas.rect(10, 10, 400, 600, fill=1)
    canvas.showPage()
    canvas.save()
    assert [(part.path, part.why) for part in convert(".pdf", file.getvalue()).left_out] == [
        ("page 2", "no text layer (a scanned page?)")
    ]


def test_a_protected_pdf_asks_for_its_password():
    data = pdf([(72, 700, "words")], encrypt=StandardEncryption("user", "owner"))
    with pytest.raises(SourceError, match="protected by a password"):
        convert(".pdf", data)


def test_a_pdf_that_anybody_may_open_is_read():
    data = pdf([(72, 700, "words")], encrypt=StandardEncryption("", "owner"))
    assert convert(".pdf", data).text == "words\n"


def test_letters_set_one_by_one_are_one_line():
    letters = [
        Word(letter, 72 + 11 * at, 82 + 11 * at, 740, 740, 11, spaced=False) for at, letter in enumerate("县图书馆")
    ]
    far, below = Word("3", 300, 306, 740, 740, 11), Word("年报", 72, 94, 720, 720, 11)
    assert [line.text for line in in_lines([*letters, far, below])] == ["县图书馆 | 3", "年报"]


def test_rows_of_a_table_stay_rows():
    rows = [("Code", "Place", "Sum"), ("SKU-1", "A-12", "450"), ("SKU-2", "B-07", "-23")]
    cells = [(72 + 100 * x, 700 - 14 * y, word) for y, row in enumerate(rows) for x, word in enumerate(row)]
    data = pdf([(72, 740, "Stock of the year:"), *cells, (72, 600, "Nothing is missing.")])
    assert convert(".pdf", data).text == (
        "Stock of the year:\n\nCode | Place | Sum\nSKU-1 | A-12 | 450\nSKU-2 | B-07 | -23\n\nNothing is missing.\n"
    )


def test_the_table_of_contents_is_left_out():
    data = pdf([(72, 780, "1.1 范围 .......... 3"), (72, 740, "县图书馆年报。")])
    assert convert(".pdf", data).text == "县图书馆年报。\n"


def test_points_of_a_page_are_a_list():
    data = pdf([(72, 740, "The list:"), (80, 720, "• one thing;"), (80, 700, "• another thing.")])
    assert convert(".pdf", data).text == "The list:\n\n- one thing;\n- another thing.\n"


def test_a_running_head_with_a_number_of_its_own_on_each_page_is_left_out():
    pages = [
        [(72, 810, f"Chapter {n}: Start {n}"), (72, 700, f"{word} words."), (72, 600, "Next.")]
        for n, word in enumerate(("Some", "More", "Last"), 1)
    ]
    pages += [[(72, 700, f"{word} things."), (72, 600, f"Thing {word}.")] for word in ("Red", "Blue", "Green", "Grey")]
    assert "Chapter" not in convert(".pdf", pdf(*pages)).text


def test_the_last_number_of_a_table_on_one_page_is_kept():
    data = pdf([(72, 740, "Sum of all:"), (72, 700, "1234")], [(72, 740, "Nothing more.")])
    assert convert(".pdf", data).text == "Sum of all:\n\n1234\n\nNothing more.\n"
