"""Tables that are none, damaged, locked or too large: one line that says what, where and what to do."""

import importlib.util
import io
import zipfile

import openpyxl
import pytest
import xlwt

from kaozheng.errors import MissingExtraError, SourceError
from kaozheng.providers.readers.converted import Caps
from kaozheng.providers.readers.grid_files import GridFiles

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def xlsx(cell="a"):
    book = openpyxl.Workbook()
    book.active["A1"] = cell
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def xls():
    book = xlwt.Workbook()
    book.add_sheet("S").write(0, 0, "a")
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def zipped(**parts):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        for name, text in parts.items():
            out.writestr(name, text)
    return file.getvalue()


async def why(folder, name, data, caps=None):
    path = folder / name
    path.write_bytes(data)
    with pytest.raises(SourceError) as caught:
        await (GridFiles(caps) if caps else GridFiles()).workbook(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(f"{path}: ")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a.xlsm", "a workbook with macros (.xlsm): save it as .xlsx"),
        ("a.XLSB", "a binary workbook (.xlsb): save it as .xlsx"),
        ("a.ods", "an OpenDocument table (.ods): save it as .xlsx"),
        ("a.et", "a table of WPS (.et): save it as .xlsx"),
        ("a.docx", "not a table: XLSX, XLS, CSV and TSV are read"),
        ("a", "not a table: XLSX, XLS, CSV and TSV are read"),
    ],
)
async def test_other_kinds_are_named_with_what_to_do(tmp_path, name, said):
    assert await why(tmp_path, name, b"anything") == said


async def test_other_kinds_under_the_name_of_a_workbook_are_named_too(tmp_path):
    assert "binary workbook" in await why(tmp_path, "b.xlsx", zipped(**{"xl/workbook.bin": "x"}))
    assert "OpenDocument" in await why(tmp_path, "o.xlsx", zipped(**{"content.xml": "<x/>"}))


@pytest.mark.parametrize("name", ["a.xls", "a.xlsx", "a.csv"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030", "utf-16"])
async def test_a_web_page_under_the_name_of_a_table_is_named(tmp_path, name, encoding):
    page = '\n<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table><tr><td>甲县</td></tr></table></html>'
    assert "a web page or XML under the name of a table" in await why(tmp_path, name, page.encode(encoding))


async def test_a_text_under_the_name_of_a_workbook_is_named(tmp_path):
    assert "a text under the name of a workbook" in await why(tmp_path, "a.xls", "地区\t年份\n甲县\t2023\n".encode())


async def test_a_workbook_is_read_by_its_bytes_whatever_its_name(tmp_path):
    for name, data in (("new.xls", xlsx()), ("old.xlsx", xls()), ("new.csv", xlsx())):
        (tmp_path / name).write_bytes(data)
        book = await GridFiles().workbook(tmp_path / name)
        assert [cell.text for cell in book.grids[0].cells.values()] == ["a"]


async def test_a_password_is_said(tmp_path):
    locked = OLE + b"\0" * 500 + "EncryptedPackage".encode("utf-16-le") + b"\0" * 500
    assert await why(tmp_path, "a.xlsx", locked) == "protected by a password: save a copy without one"
    assert await why(tmp_path, "a.xls", locked) == "protected by a password: save a copy without one"


async def test_the_password_of_an_old_book_is_said(tmp_path):
    data = xls()
    at = data.index(b"\x09\x08\x10\x00")  # the first record of the book, 16 bytes behind its head
    filepass = b"\x2f\x00\x06\x00" + b"\x00\x00\x01\x02\x03\x04"
    behind = at + 20
    locked = data[:behind] + filepass + data[behind + len(filepass) :]
    assert await why(tmp_path, "a.xls", locked) == "protected by a password: save a copy without one"


@pytest.mark.parametrize("name", ["a.xlsx", "a.xls"])
@pytest.mark.parametrize("cut", ["head", "half", "zeros"])
async def test_a_damaged_workbook_is_called_damaged(tmp_path, name, cut):
    whole = xls() if name == "a.xls" else xlsx()
    data = {"head": whole[:40], "half": whole[: len(whole) // 2], "zeros": whole[:8] + b"\0" * 5_000}[cut]
    assert "damaged" in await why(tmp_path, name, data)


@pytest.mark.parametrize("name", ["a.xlsx", "a.xls", "a.csv"])
async def test_an_empty_file_is_called_empty(tmp_path, name):
    assert await why(tmp_path, name, b"") == "empty"


async def test_bytes_that_are_no_text_are_no_csv(tmp_path):
    assert "encoding not known" in await why(tmp_path, "a.csv", bytes(range(256)) * 9)


async def test_a_folder_is_no_table(tmp_path):
    (tmp_path / "a.csv").mkdir()
    with pytest.raises(SourceError, match=r"a\.csv: not a regular file"):
        await GridFiles().workbook(tmp_path / "a.csv")


async def test_a_bomb_is_refused_before_it_unpacks(tmp_path):
    bomb = zipped(**{"xl/workbook.xml": " " * 250_000_000})
    assert "unpacks to 250 MB" in await why(tmp_path, "a.xlsx", bomb)


async def test_a_table_that_takes_too_long_is_given_up(tmp_path):
    said = await why(tmp_path, "a.csv", b"1,2,3\n" * 500_000, Caps(cells=10_000_000, time_s=0.05))
    assert said == "takes longer than 0.05 s to read"


async def test_without_its_extra_an_xls_says_what_to_install(tmp_path, monkeypatch):
    (tmp_path / "a.xls").write_bytes(xls())
    there = importlib.util.find_spec
    monkeypatch.setattr(
        "kaozheng.providers.readers.grid_files.find_spec", lambda name: None if name == "xlrd" else there(name)
    )
    with pytest.raises(MissingExtraError, match=r'a\.xls: XLS needs xlrd: pip install "kaozheng\[office\]"'):
        await GridFiles().workbook(tmp_path / "a.xls")
