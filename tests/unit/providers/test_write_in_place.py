"""A user's file keeps being the file it was: link, mode, other names, device."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from kaozheng.providers.stores.atomic import write_in_place


def test_a_link_stays_a_link_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "real.md").write_text("old")
    (tmp_path / "link.md").symlink_to("real.md")
    write_in_place(tmp_path / "link.md", b"new")
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "real.md").read_text() == "new"


def test_a_private_file_stays_private(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("old")
    path.chmod(0o600)
    write_in_place(path, b"new")
    assert (stat.S_IMODE(path.stat().st_mode), path.read_text()) == (0o600, "new")


def test_both_names_of_a_file_see_the_new_text(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("old")
    (tmp_path / "b.md").hardlink_to(tmp_path / "a.md")
    write_in_place(tmp_path / "a.md", b"new")
    assert (tmp_path / "b.md").read_text() == "new"


def test_a_read_only_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(PermissionError):
        write_in_place(path, b"new")
    assert path.read_text() == "old"
    with pytest.raises(IsADirectoryError):
        write_in_place(tmp_path, b"new")


def test_what_is_no_plain_file_is_written_through(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_in_place(pipe, b"new")
        assert os.read(reader, 10) == b"new"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
