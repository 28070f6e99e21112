"""Readers of other packages: found by their entry point, run in the child, and held to the same lines."""

import sys

import pytest

from kaozheng.providers.readers import conversion
from kaozheng.providers.readers.text_files import FolderReader, why_not_taken

READER = """
from kaozheng.providers.readers.converted import Converted


def read(data, caps):
    if data == b"bang":
        raise ZeroDivisionError
    return Converted("# Plugged in\\n\\n" + data.decode() + "\\n")
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """An installed package that reads .note, and .pdf in our stead."""
    site = tmp_path / "site"
    (site / "other_readers-1.0.dist-info").mkdir(parents=True)
    (site / "other_readers.py").write_text(READER, "utf-8")
    about = site / "other_readers-1.0.dist-info"
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: other-readers\nVersion: 1.0\n", "utf-8")
    lines = ("note = other_readers", "pdf = other_readers", "gone = other_readers_that_are_not")
    (about / "entry_points.txt").write_text("[kaozheng.readers]\n" + "\n".join(lines) + "\n", "utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path, str(site)])
    conversion.plugged_in.cache_clear()
    yield
    conversion.plugged_in.cache_clear()


async def test_a_reader_of_another_package_is_used_and_stands_in_front(package, tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, data in (
        ("a.NOTE", b"one"),
        ("b.pdf", b"two"),
        ("c.note", b"bang"),
        ("d.gone", b"x"),
        ("e.csv", b"a,b\n"),
    ):
        (folder / name).write_bytes(data)
    reading = await FolderReader().read(folder)
    assert [(one.path, one.text.split("\n")[-2]) for one in reading.sources][:2] == [
        ("a.NOTE", "one"),
        ("b.pdf", "two"),
    ]
    assert {one.path: one.why for one in reading.skipped} == {
        "c.note": "damaged or no .note file",
        "d.gone": "its reader other_readers_that_are_not cannot be loaded (ModuleNotFoundError)",
    }
    assert reading.sources[2].path == "e.csv"


def test_without_the_package_its_kind_is_not_read():
    assert why_not_taken(".note") == "not a kind of file that is read (.note)"
