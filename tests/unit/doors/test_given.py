"""What is written never takes the place of what is read."""

from pathlib import Path

import pytest

from kaozheng.cli.given import not_in_place_of
from kaozheng.errors import InputError


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("甲。", encoding="utf-8")
    return folder


def test_a_text_of_the_folder_and_the_text_itself_are_kept(notes: Path, tmp_path: Path) -> None:
    (tmp_path / "link.md").symlink_to(notes / "a.md")
    for output, source in ((notes / "a.md", notes), (tmp_path / "link.md", notes), (notes / "a.md", notes / "a.md")):
        with pytest.raises(InputError, match="would be lost"):
            not_in_place_of(output, source)


def test_a_new_file_and_one_beside_the_folder_are_fine(notes: Path, tmp_path: Path) -> None:
    (tmp_path / "out.md").write_text("old", encoding="utf-8")
    for output in (notes / "new.md", tmp_path / "out.md", None):
        not_in_place_of(output, notes)
    not_in_place_of(tmp_path / "out.md", "a text")
