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


def test_address_cannot_end_its_link(on_a_terminal):
    assert "\x1b]0" not in place("https://example.org/\x1b]0;title\x07").partition("\x1b\\")[0]
