"""Scanned pages and pictures: recognised where the extra is installed, and only where there is no other text."""

import io
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from kaozheng.errors import SourceError
from kaozheng.providers.readers import recognition
from kaozheng.providers.readers.conversion import convert
from kaozheng.providers.readers.converted import Caps
from kaozheng.providers.readers.pdf_words import Word
from kaozheng.providers.readers.reading_parent import ReadingChild
from kaozheng.providers.readers.text_files import FolderReader

needs_ocr = pytest.mark.skipif(not recognition.can_recognise(), reason='needs the extra "ocr"')
FONTS = ("*CJK*Regular*.[to]t[fc]", "wqy-*.ttc", "PingFang.ttc", "STHeiti*.ttc", "simsun.ttc", "msyh.ttc")
CHINESE = ["二〇二五年，全市实现地区生产总值三百零二亿元，", "全年固定资产投资下降1.3%，没有达到年初目标。"]
ENGLISH = ["The pump P-101 failed twice in March 2025.", "It must not run above 85 °C or 42 bar."]


def chinese_font():
    """A font of the system with Han characters; the test is skipped where there is none."""
    places = (Path("/usr/share/fonts"), Path("/System/Library/Fonts"), Path("C:/Windows/Fonts"), Path(sys.prefix))
    found = next((path for place in places for name in FONTS for path in place.rglob(name)), None)
    if found is None:
        pytest.skip("no font with Chinese characters here")
    return str(found)


def picture(lines, font=None, size=(1240, 500)):
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("L", size, "white")
    draw = ImageDraw.Draw(image)
    shape = ImageFont.truetype(font, 32) if font else ImageFont.load_default(32)
    for number, line in enumerate(lines):
        draw.text((100, 80 + number * 58), line, font=shape, fill="black")
    return image


def saved(image, kind, **more):
    out = io.BytesIO()
    image.save(out, kind, **more)
    return out.getvalue()


def scanned(*images, text=""):
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(595, 240))
    if text:
        canvas.drawString(72, 200, text)
        canvas.showPage()
    for image in images:
        canvas.drawImage(ImageReader(io.BytesIO(saved(image, "JPEG"))), 0, 0, 595, 240)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


@needs_ocr
def test_scanned_pages_are_read_in_the_child_and_keep_their_numbers():
    data = scanned(picture(ENGLISH), text="A page with a text layer.")
    with ReadingChild() as child:
        made = child.convert(".pdf", data)
        status = Path(f"/proc/{child.process_id}/status")
        peak_kb = (
            [int(line.split()[1]) for line in status.read_text().split("\n") if "VmHWM" in line]
            if status.exists()
            else [0]
        )
    assert made.text.startswith("A page with a text layer.\n\n")
    for line in ENGLISH:
        assert line in made.text
    assert [place.name for place in made.places] == ["1", "2"]
    assert made.left_out == ()
    assert peak_kb[0] < 900_000


@needs_ocr
def test_chinese_is_read_back():
    made = convert(".pdf", scanned(picture(CHINESE, chinese_font())))
    assert made.text.replace("\n", "").replace(",", "，") == "".join(CHINESE)


@needs_ocr
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "BMP", "WEBP", "TIFF"])
def test_pictures_are_read(kind):
    made = convert(f".{kind.lower()}", saved(picture(ENGLISH), kind))
    assert all(line in made.text for line in ENGLISH)
    assert made.places == ()


@needs_ocr
def test_a_file_of_several_pictures_has_pages():
    data = saved(picture(ENGLISH[:1]), "TIFF", save_all=True, append_images=[picture(ENGLISH[1:])])
    made = convert(".tiff", data)
    assert [made.text[place.start :][:6] for place in made.places] == [ENGLISH[0][:6], ENGLISH[1][:6]]


@needs_ocr
def test_pages_over_the_cap_are_named():
    data = scanned(picture(ENGLISH), picture(ENGLISH), picture(ENGLISH))
    made = convert(".pdf", data, replace(Caps(), recognised_pages=1))
    assert [(one.path, one.why) for one in made.left_out] == [
        ("page 2", "not recognised: too many scanned pages"),
        ("page 3", "not recognised: too many scanned pages"),
    ]
    with pytest.raises(SourceError, match="no text was recognised"):
        convert(".pdf", data, replace(Caps(), recognition_s=-1.0))


@needs_ocr
@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n" + b"\0" * 100, b"hello"])
def test_a_broken_picture_is_called_damaged(data):
    with pytest.raises(SourceError, match=r"damaged or no \.png file"):
        convert(".png", data)


@needs_ocr
def test_a_picture_bomb_and_an_empty_picture_are_refused():
    from PIL import Image

    with pytest.raises(SourceError, match="pixels"):
        convert(".png", saved(Image.new("1", (20_000, 20_000)), "PNG"))
    with pytest.raises(SourceError, match="holds no text"):
        convert(".png", saved(picture([]), "PNG"))


async def test_without_the_extra_a_picture_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    assert find_spec("rapidocr") is None
    (tmp_path / "a.md").write_text("# A\n\nwords\n", "utf-8")
    (tmp_path / "b.PNG").write_bytes(b"\x89PNG")
    reading = await FolderReader().read(tmp_path)
    assert [(one.path, one.why) for one in reading.skipped] == [
        ("b.PNG", 'not read without the extra for pictures: pip install "kaozheng[ocr]"')
    ]


def word(text, left, right, base, size=10.0):
    return Word(text, left, right, base, base, size)


def test_two_columns_are_read_one_after_the_other_and_a_table_by_rows():
    columns = [
        word(f"{side}{n}", left, left + 200, 700 - 14 * n) for n in range(6) for side, left in (("L", 50), ("R", 300))
    ]
    assert [one.text for one in recognition._in_order(columns, 550)] == [
        f"{side}{n}" for side in "LR" for n in range(6)
    ]
    table = [
        word(f"{side}{n}", left, left + wide, 700 - 14 * n)
        for n in range(6)
        for side, left, wide in (("n", 50, 200), ("v", 300, 20 + 30 * n))
    ]
    assert [one.text for one in recognition._in_order(table, 550)][:4] == ["n0", "v0", "n1", "v1"]
