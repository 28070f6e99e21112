"""Writing from a folder of Office files, PDF, CSV and HTML: all are used, each footnote names a place in its file."""

from __future__ import annotations

import json
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest
from reportlab.pdfgen.canvas import Canvas

from kaozheng import api
from kaozheng.settings import Settings


@pytest.fixture
def office(tmp_path: Path) -> Path:
    """One file of each kind, and a broken one."""
    folder = tmp_path / "office"
    folder.mkdir()
    document = docx.Document()
    document.add_heading("Background", 1)
    document.add_paragraph("The library runs 12 lending machines in four branches.")
    document.save(str(folder / "1-plan.docx"))
    book = openpyxl.Workbook()
    book.active.title = "Loans"
    for row in (["Branch", "Return rate"], ["North", 0.123]):
        book.active.append(row)
    book.active["B2"].number_format = "0.0%"
    book.save(folder / "2-figures.xlsx")
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "Progress"
    slide.placeholders[1].text_frame.text = "The first phase was finished in May 2024."
    show.save(str(folder / "3-progress.pptx"))
    canvas = Canvas(str(folder / "4-rules.pdf"))
    for words in ("A broken machine is repaired within 4 hours.", "Every machine is inspected once a month."):
        canvas.drawString(72, 700, words)
        canvas.showPage()
    canvas.save()
    (folder / "5-devices.csv").write_text("Device,Count\nScanner,3\n", "utf-8")
    (folder / "6-notice.html").write_text("<h1>Notice</h1><p>The library is closed on June 1.</p>", "utf-8")
    (folder / "7-broken.docx").write_bytes(b"PK\x03\x04 and no more")
    return folder


async def test_every_kind_is_used_and_cited_by_its_place(settings: Settings, office: Path) -> None:
    result = await api.awrite(notes=office, topic="Lending machines", settings=settings)
    assert [(one["path"], one["why"]) for one in result.report["inputs"]["skipped"]] == [
        ("7-broken.docx", "damaged or no .docx file (File is not a zip file)")
    ]
    assert [one["path"] for one in result.report["inputs"]["used"]] == sorted(
        path.name for path in office.iterdir() if "broken" not in path.name
    )
    assert "| North | 12.3% |" in result.document
    for place in (
        "`1-plan.docx`, section “Background”",
        "`2-figures.xlsx`, sheet `Loans`",
        "`3-progress.pptx`, slide 1",
        "`4-rules.pdf`, page 1",
        "`4-rules.pdf`, page 2",
        "`5-devices.csv`\n",
        "`6-notice.html`, section “Notice”",
    ):
        assert f"]: {place}" in result.document


async def test_quotes_stand_at_their_offsets_in_the_text_that_the_run_keeps(settings: Settings, office: Path) -> None:
    result = await api.awrite(notes=office, topic="Lending machines", settings=settings)
    material = json.loads((result.folder / "material.json").read_text("utf-8"))
    texts = {source["path"]: source["text"] for source in material["sources"]}
    evidence = [
        one
        for statement in json.loads((result.folder / "trace.json").read_text("utf-8"))
        for one in statement["evidence"]
    ]
    assert {one["path"] for one in evidence} == set(texts)
    assert all(texts[one["path"]][slice(*one["span"])] == one["quote"] for one in evidence)
