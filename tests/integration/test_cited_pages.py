"""A citation of a converted file names its page or sheet, in the language of the document."""

import io

import pytest

from kaozheng.api import aask, akb_add, akb_search
from kaozheng.settings import Settings


@pytest.fixture
def settings(tmp_path_factory):
    return Settings(data=tmp_path_factory.mktemp("data"), model="", embedder="", reranker="", knowledge="")


async def test_page_of_a_pdf_is_cited(settings, tmp_path):
    pytest.importorskip("pypdfium2", reason="the extra office is not installed")
    canvas = pytest.importorskip("reportlab.pdfgen.canvas", reason="reportlab is not installed (extra dev)")
    kept = io.BytesIO()
    sheet = canvas.Canvas(kept)
    for said in ("The library opened its doors in 1912.", "The library keeps 186420 volumes in two houses."):
        sheet.drawString(72, 700, said)
        sheet.showPage()
    sheet.save()
    (tmp_path / "library.pdf").write_bytes(kept.getvalue())
    await akb_add(tmp_path / "library.pdf", settings=settings)
    hits = (await akb_search("how many volumes", settings=settings)).hits
    assert "page" in hits[0].chunk.path[-1]
    result = await aask("How many volumes does the library keep?", settings=settings)
    assert result.status == "answered"
    assert "186420" in result.answer
    assert result.citations[0]["place"].startswith("page")


async def test_sheet_of_a_workbook_is_told(settings, tmp_path):
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed (extra dev)")
    book = openpyxl.Workbook()
    book.active.title = "财政"
    for row in (["科目", "期末"], ["应收账款", 407], ["存货", 512]):
        book.active.append(row)
    book.save(tmp_path / "账.xlsx")
    await akb_add(tmp_path / "账.xlsx", settings=settings)
    (hit,) = (await akb_search("应收账款期末", settings=settings)).hits
    assert hit.chunk.path[-1] == "工作表 `财政`"
