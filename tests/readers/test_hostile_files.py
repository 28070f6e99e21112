"""Files that would hang, swell or break their reader: one reason each, the rest of the folder is read."""

import io
import os
import re
import signal
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest
from reportlab.pdfgen.canvas import Canvas

from kaozheng.errors import SourceError
from kaozheng.providers.readers.conversion import convert
from kaozheng.providers.readers.converted import Caps
from kaozheng.providers.readers.reading_parent import ReadingChild
from kaozheng.providers.readers.text_files import FolderReader


def saved(document):
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def office(suffix):
    if suffix == ".docx":
        made = docx.Document()
        made.add_paragraph("Some words of a document.")
    elif suffix == ".xlsx":
        made = openpyxl.Workbook()
        made.active.append(["a", "b"])
    else:
        made = pptx.Presentation()
        made.slides.add_slide(made.slide_layouts[5]).shapes.title.text = "T"
    return saved(made)


MAIN = {".docx": "word/document.xml", ".xlsx": "xl/worksheets/sheet1.xml", ".pptx": "ppt/slides/slide1.xml"}


def with_part(suffix, name, body):
    """The file with one part changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(office(suffix))) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for item in old.namelist():
            if item != name:
                new.writestr(item, old.read(item))
        with new.open(name, "w", force_zip64=True) as file:
            for piece in body:
                file.write(piece)
    return out.getvalue()


def small_pdf():
    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.drawString(72, 700, "words")
    canvas.save()
    return file.getvalue()


def many_pages(count):
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{'3 0 R ' * count}] /Count {count} >>"]
    objects.append("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>")
    body = b"%PDF-1.4\n" + b"".join(f"{n} 0 obj {text} endobj\n".encode() for n, text in enumerate(objects, 1))
    return body + b"trailer << /Root 1 0 R /Size 4 >>\n%%EOF"


def why(suffix, data):
    with pytest.raises(SourceError) as caught:
        convert(suffix, data)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("suffix", [".docx", ".xlsx", ".pptx"])
def test_a_zip_bomb_is_refused_before_it_unpacks(suffix):
    data = with_part(suffix, MAIN[suffix], (b" " * 1_000_000 for _ in range(250)))
    assert len(data) < 1_000_000
    assert "unpacks to" in why(suffix, data)


@pytest.mark.parametrize("suffix", [".docx", ".xlsx", ".pptx"])
def test_a_zip_that_lies_about_its_sizes_is_refused(suffix):
    data = bytearray(with_part(suffix, MAIN[suffix], [b"<a>", b" " * 5_000_000, b"</a>"]))
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as file:
        info = file.getinfo(MAIN[suffix])
    at = bytes(data).rfind(MAIN[suffix].encode()) - 46
    assert data[at : at + 4] == b"PK\x01\x02"
    data[at + 24 : at + 28] = struct.pack("<I", 100)
    assert info.file_size > 5_000_000
    assert "damaged" in why(suffix, bytes(data))


@pytest.mark.parametrize("suffix", [".docx", ".xlsx", ".pptx"])
@pytest.mark.parametrize(
    "entity", ['<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">', '<!ENTITY b SYSTEM "file:///etc/passwd">']
)
def test_entities_are_refused(suffix, entity):
    bomb = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaa">{entity}]><x>&b;</x>'.encode()
    assert "declares entities" in why(suffix, with_part(suffix, MAIN[suffix], [bomb]))


def test_a_sheet_of_a_million_cells_is_refused():
    row = b"<row>" + b"<c><v>1</v></c>" * 100 + b"</row>"
    body = (
        b"<worksheet xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'><sheetData>",
        row * 10_000,
        b"</sheetData></worksheet>",
    )
    assert why(".xlsx", with_part(".xlsx", MAIN[".xlsx"], body)) == "more than 200,000 cells"


def test_a_csv_of_a_million_cells_is_refused():
    assert why(".csv", b"1,2,3,4,5,6,7,8,9,10\n" * 100_000) == "more than 200,000 cells"


def test_a_pdf_of_ten_thousand_pages_is_refused():
    assert why(".pdf", many_pages(10_000)) == "more than 2,000 pages (10,000)"


def test_too_many_members_are_refused():
    out = io.BytesIO(office(".docx"))
    with zipfile.ZipFile(out, "a") as file:
        for number in range(6_000):
            file.writestr(f"word/media/{number}.png", b"")
    assert "more than 5,000 parts" in why(".docx", out.getvalue())


@pytest.mark.parametrize("suffix", [".docx", ".xlsx", ".pptx", ".pdf"])
@pytest.mark.parametrize("broken", ["head", "half", "zeros", "text"])
def test_a_broken_file_is_called_damaged(suffix, broken):
    whole = small_pdf() if suffix == ".pdf" else office(suffix)
    data = {
        "head": whole[:40],
        "half": whole[: len(whole) // 2],
        "zeros": b"\x00" * 5_000,
        "text": b"hello world " * 99,
    }[broken]
    if suffix == ".pdf" and broken == "half":
        data = b"%PDF-1.4\n" + b"1 0 obj << /Type /Catalog >> endobj\n"
    assert "damaged" in why(suffix, data)


@pytest.mark.parametrize("suffix", [".docx", ".xlsx", ".pptx"])
def test_deep_nesting_and_broken_xml_are_refused(suffix):
    deep = b"<a>" * 300_000 + b"</a>" * 300_000
    assert why(suffix, with_part(suffix, MAIN[suffix], [deep]))
    assert "damaged" in why(suffix, with_part(suffix, MAIN[suffix], [b"<a><b></a>"]))


def test_the_reason_quotes_nothing_of_the_file():
    body = b"<worksheet xmlns='x'><sheetData><row r='CANARY'><c><v>1</v></c></row></sheetData></worksheet>"
    assert why(".xlsx", with_part(".xlsx", MAIN[".xlsx"], [body])) == "damaged or no .xlsx file"


@pytest.mark.parametrize("suffix", [".docx", ".xlsx", ".pptx"])
def test_a_file_behind_a_password_is_named(suffix):
    data = (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 1000 + "EncryptedPackage".encode("utf-16-le") + b"\x00" * 1000
    )
    assert why(suffix, data) == "protected by a password"


async def test_a_folder_of_hostile_files_is_read_all_the_same(tmp_path):
    files = {
        "a.docx": office(".docx"),
        "b.xlsx": office(".xlsx"),
        "bomb.docx": with_part(".docx", MAIN[".docx"], (b" " * 1_000_000 for _ in range(250))),
        "broken.pptx": office(".pptx")[:500],
        "deep.docx": with_part(".docx", MAIN[".docx"], [b"<a>" * 300_000 + b"</a>" * 300_000]),
        "empty.xlsx": b"",
        "pages.pdf": many_pages(10_000),
        "old.doc": b"\xd0\xcf\x11\xe0",
        "z.md": b"# Z\n\nwords\n",
        "z.pdf": small_pdf(),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    with (tmp_path / "huge.pdf").open("wb") as file:
        file.truncate(200_000_000)
    reading = await FolderReader().read(tmp_path)
    assert [source.path for source in reading.sources] == ["a.docx", "b.xlsx", "z.md", "z.pdf"]
    skipped = {item.path: item.why for item in reading.skipped}
    assert sorted(skipped) == [
        "bomb.docx",
        "broken.pptx",
        "deep.docx",
        "empty.xlsx",
        "huge.pdf",
        "old.doc",
        "pages.pdf",
    ]
    assert skipped["empty.xlsx"] == "empty"
    assert skipped["huge.pdf"] == "larger than 50 MB"
    assert skipped["old.doc"] == "an old format (.doc): save it as .docx"


def test_a_file_that_takes_too_long_is_ended_and_the_next_one_is_read():
    with (
        ReadingChild(Caps(time_s=0.01)) as child,
        pytest.raises(SourceError, match=r"takes longer than 0\.01 s to read"),
    ):
        child.convert(".docx", office(".docx"))
    with ReadingChild() as child:
        assert child.convert(".docx", office(".docx")).text == "Some words of a document.\n"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory here")
def test_a_file_that_swells_beyond_the_memory_ends_itself_only():
    space = b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = (b"<w:document xmlns:w='" + space + b"'>", *[b"<w:p/>" * 10_000] * 300, b"</w:document>")
    with ReadingChild(Caps(memory_bytes=150_000_000)) as child:
        with pytest.raises(SourceError, match="memory"):
            child.convert(".docx", with_part(".docx", MAIN[".docx"], body))
        assert child.convert(".docx", office(".docx")).text == "Some words of a document.\n"


@pytest.mark.skipif(os.name != "posix", reason="no signals to other processes")
def test_the_death_of_the_child_is_one_file_s_loss():
    with ReadingChild() as child:
        child.convert(".csv", b"a,b\n1,2\n")
        os.kill(child.process_id, signal.SIGSEGV)
        with pytest.raises(SourceError, match="its reader broke down"):
            child.convert(".csv", b"a,b\n1,2\n")
        assert child.convert(".csv", b"a,b\n1,2\n").text == "| a | b |\n| --- | --- |\n| 1 | 2 |\n"


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no /proc")
def test_the_child_knows_no_keys_and_is_gone_afterwards(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    with ReadingChild() as child:
        child.convert(".csv", b"a,b\n1,2\n")
        place = Path(f"/proc/{child.process_id}")
        assert b"sk-canary" not in (place / "environ").read_bytes()
    assert not place.exists()


def test_a_module_in_the_folder_that_is_read_is_never_run(tmp_path, monkeypatch):
    (tmp_path / "zipfile.py").write_text("raise SystemExit(3)", "utf-8")
    monkeypatch.chdir(tmp_path)
    with ReadingChild() as child:
        assert child.convert(".docx", office(".docx")).text == "Some words of a document.\n"


def test_without_the_extra_the_line_names_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    assert why(".pdf", small_pdf()) == 'PDF needs pypdfium2: pip install "kaozheng[office]"'


async def test_a_hostile_file_alone_is_an_error_in_one_line(tmp_path):
    (tmp_path / "a.docx").write_bytes(office(".docx")[:200])
    with pytest.raises(SourceError, match=r"a\.docx: damaged or no \.docx file") as caught:
        await FolderReader().read(tmp_path / "a.docx")
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("suffix", [".docx", ".xlsx", ".pptx", ".pdf", ".csv", ".tsv", ".html"])
async def test_empty_files_and_files_of_blanks_are_one_line_each(tmp_path, suffix):
    (tmp_path / f"a{suffix}").write_bytes(b"")
    (tmp_path / f"b{suffix}").write_bytes(b" \n" * 50)
    (tmp_path / "z.md").write_text("# Z\n\nwords\n", "utf-8")
    reading = await FolderReader().read(tmp_path)
    assert [source.path for source in reading.sources] == ["z.md"]
    assert [item.path for item in reading.skipped] == [f"a{suffix}", f"b{suffix}"]
    assert reading.skipped[0].why == "empty"
    assert re.match(r"empty|damaged", reading.skipped[1].why)


def large(kind):
    """The largest file of its kind that is read: what it asks of memory is what a folder may ask."""
    words = b"Some words of a long document, one line after the other.\n"
    if kind == ".csv":
        return b"a,b,some words that fill a cell up to here\n" * 66_000
    if kind == ".html":
        return b"<html><body>" + (b"<p>" + words * 40 + b"</p>") * 4_000 + b"</body></html>"
    if kind == ".docx":
        space = b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
        paragraph = b"<w:p><w:r><w:t>" + words * 20 + b"</w:t></w:r></w:p>"
        body = (b"<w:document xmlns:w='" + space + b"'><w:body>", *[paragraph * 100] * 100, b"</w:body></w:document>")
        return with_part(".docx", MAIN[".docx"], body)
    return many_pages(2_000)


_PEAKS_KB = """
import contextlib, re, sys
from pathlib import Path
from kaozheng.errors import SourceError
from kaozheng.providers.readers.reading_parent import ReadingChild
suffix, data = sys.argv[1], sys.stdin.buffer.read()
with ReadingChild() as child:
    with contextlib.suppress(SourceError):  # an answer or one line, both are fine
        child.convert(suffix, data)
    child.convert(".csv", b"a,b\\n1,2\\n")
    for process in (child.process_id, "self"):
        print(re.search(r"VmHWM:\\s+(\\d+)", Path(f"/proc/{process}/status").read_text())[1])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the peak of a process")
@pytest.mark.parametrize("suffix", [".csv", ".html", ".docx", ".pdf"])
def test_parent_and_child_together_stay_below_a_gigabyte(suffix):
    # In a process of its own: this one may have held more before.
    asked = [sys.executable, "-c", _PEAKS_KB, suffix]
    peaks_kb = subprocess.run(asked, input=large(suffix), capture_output=True, check=True, timeout=300).stdout.split()
    assert len(peaks_kb) == 2
    assert sum(map(int, peaks_kb)) < 1_000_000, peaks_kb


async def test_a_text_of_two_hundred_megabytes_is_one_line_and_never_loaded(tmp_path):
    for name in ("a.md", "b.csv", "c.docx", "d.pdf", "e.html"):
        with (tmp_path / name).open("wb") as file:
            file.truncate(200_000_000)
    (tmp_path / "z.md").write_text("# Z\n\nwords\n", "utf-8")
    reading = await FolderReader().read(tmp_path)
    assert {item.why for item in reading.skipped} == {"larger than 50 MB"}
    assert [source.path for source in reading.sources] == ["z.md"]
