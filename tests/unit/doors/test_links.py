"""Places on a terminal and in a pipe."""

import sys

import pytest

from kaozheng.cli.links import place, short


@pytest.fixture
def on_a_terminal(monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)


def test_names_below_the_working_folder_are_short(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert short(f"{tmp_path}/notes/a.md") == "notes/a.md"
    assert short("/elsewhere/a.md") == "/elsewhere/a.md"
    assert place(f"{tmp_path}/a.md", (5, 7)) == "a.md:5-7"
    assert place("https://example.org/a", (5, 5)) == "https://example.org/a:5"


def test_links_lead_to_the_line_where_the_file_has_lines(on_a_terminal):
    assert place("/n/甲 1.md", (5, 7)).startswith("\x1b]8;;file:///n/%E7%94%B2%201.md#L5\x1b\\")
    assert place("/n/a.docx", (5, 7)) == "\x1b]8;;file:///n/a.docx\x1b\\/n/a.docx:5-7\x1b]8;;\x1b\\"
    assert place("handed-over.md", (1, 1)) == "handed-over.md:1"
    assert "file:///n/a.py#L5\x1b" in place("/n/a.py", (5, 7))


def test_link_leads_to_the_page_of_a_pdf_and_its_lines_are_not_told(on_a_terminal):
    for within in ("第 12–13 页", "pages 12–13"):
        told = place("/n/a.pdf", (5, 7), within)
        assert "file:///n/a.pdf#page=12\x1b" in told
        assert f"/n/a.pdf, {within}" in told
    assert place("/n/a.xlsx", (5, 7), "工作表 `甲`").startswith("\x1b]8;;file:///n/a.xlsx\x1b")


def test_address_cannot_end_its_link(on_a_terminal):
    assert "\x1b]0" not in place("https://example.org/\x1b]0;title\x07").partition("\x1b\\")[0]
