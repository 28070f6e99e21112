"""Files one by one: what is found below a path, and child processes that outlive one file and no ingest."""

import asyncio

import pytest

from kaozheng.errors import SourceError
from kaozheng.providers.readers.folder_files import FolderFiles, open_files
from kaozheng.sources.files import Loaded


async def test_files_are_named_from_the_root_of_the_disk_in_natural_order(tmp_path):
    for name in ("10.md", "2.md", ".hidden.md", "x.bin"):
        (tmp_path / name).write_text("a")
    async with open_files() as files:
        listing = await files.found(tmp_path / "." / "")
        assert listing.folder == str(tmp_path)
        assert [(file.name, bool(file.why)) for file in listing.files] == [
            (str(tmp_path / "2.md"), False),
            (str(tmp_path / "10.md"), False),
            (str(tmp_path / "x.bin"), True),
        ]
        assert (await files.found(tmp_path / "2.md")).folder == ""


async def test_folder_reached_by_a_link_is_named_by_its_real_place(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.md").write_text("a")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    async with open_files() as files:
        assert [file.name for file in (await files.found(tmp_path / "link")).files] == [str(tmp_path / "real" / "a.md")]
        assert (await files.found(tmp_path / "link" / "a.md")).files[0].name == str(tmp_path / "real" / "a.md")


async def test_name_that_is_no_text_is_shown_and_read(tmp_path):
    path = tmp_path / "b\udcff\n.md"
    path.write_text("水稻", encoding="utf-8")
    async with open_files() as files:
        (file,) = (await files.found(tmp_path)).files
        assert file.name.endswith("b\\xff\\x0a.md")
        assert (await files.read(file.name, await files.load(file))).sources[0].text == "水稻"


async def test_missing_and_empty_say_why(tmp_path):
    async with open_files() as files:
        with pytest.raises(SourceError, match="no such file"):
            await files.found(tmp_path / "missing")
        with pytest.raises(SourceError, match="no file in this folder"):
            await files.found(tmp_path)
        (tmp_path / "gone.md").write_text("a")
        (file,) = (await files.found(tmp_path)).files
        file.path.unlink()
        with pytest.raises(SourceError, match="no such file"):
            await files.load(file)


async def test_child_processes_are_kept_from_file_to_file_and_end_with_the_ingest():
    csv = Loaded.of("科目,数\n甲,1\n".encode())
    async with open_files() as files:
        await asyncio.gather(*(files.read(f"{number}.csv", csv) for number in range(6)))
        children = {child.process_id for child in files._idle}
        assert 1 <= len(children) <= 2
        await files.read("more.csv", csv)
        assert {child.process_id for child in files._idle} == children
        kept = list(files._idle)
    assert [child.process_id for child in kept] == [0] * len(kept)


async def test_child_of_a_cancelled_reader_ends_when_it_is_through():
    files = FolderFiles(at_once=1)
    await files.read("first.csv", Loaded.of(b"a,b\n1,2\n"))
    (child,) = files._idle
    reading = asyncio.create_task(files.read("large.csv", Loaded.of(b"a,b\n" * 50_000)))
    while files._idle:  # noqa: ASYNC110 - a thread takes it
        await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    await asyncio.to_thread(files.close)
    async with asyncio.timeout(20):
        while child.process_id:  # noqa: ASYNC110 - a thread ends it
            await asyncio.sleep(0.05)
