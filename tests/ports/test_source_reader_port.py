"""What a reader of sources promises: everything found is either a source or left out with a reason."""

import os
import subprocess
import sys

import pytest

from kaozheng.errors import EncodingError, SourceError
from kaozheng.providers.readers.text_files import SIZE_LIMIT_BYTES, FolderReader, natural_key

ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
TEXT = "# 标题\n\n正文的第一段，写得足够长，可以判断编码。\n"


async def read(path):
    return await FolderReader().read(path)


async def used_and_skipped(path):
    reading = await read(path)
    return [source.path for source in reading.sources], {item.path: item.why for item in reading.skipped}


async def test_one_file_is_one_source(tmp_path):
    (tmp_path / "a.md").write_text(TEXT, "utf-8")
    (source,) = (await read(tmp_path / "a.md")).sources
    assert (source.id, source.path, source.title, source.text) == ("S1", "a.md", "标题", TEXT)
    assert source.size_bytes == len(TEXT.encode())
    assert source.modified.endswith("+00:00")


async def test_folder_is_read_to_the_bottom_in_natural_order(tmp_path):
    names = ["a2.md", "a10.md", "deep/er/x.txt", "README", "第二章.md", "第十章.md", "第十一章.md"]
    for name in reversed(names):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TEXT, "utf-8")
    reading = await read(tmp_path)
    assert [source.path for source in reading.sources] == names
    assert [source.id for source in reading.sources] == [f"S{n}" for n in range(1, 8)]


async def test_every_file_is_used_or_named_with_a_reason(tmp_path):
    (tmp_path / "good.md").write_text(TEXT, "utf-8")
    (tmp_path / "empty.md").write_bytes(b"")
    (tmp_path / "blank.txt").write_bytes(b" \n\t\n")
    (tmp_path / "binary.txt").write_bytes(bytes(range(256)) * 4)
    (tmp_path / "latin.txt").write_bytes("Les élèves français préfèrent être ici".encode("latin-1"))
    (tmp_path / "table.xlsx").write_bytes(b"PK\x03\x04")
    (tmp_path / "photo.PNG").write_bytes(b"\x89PNG")
    (tmp_path / ".hidden.md").write_text(TEXT, "utf-8")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.md").write_text(TEXT, "utf-8")
    with (tmp_path / "huge.log").open("wb") as file:
        file.truncate(SIZE_LIMIT_BYTES + 1)
    used, skipped = await used_and_skipped(tmp_path)
    assert used == ["good.md"]
    encoding = skipped.pop("latin.txt")
    # With the extra it is damaged, without it nobody can tell.
    photo = skipped["photo.PNG"]
    assert photo.startswith(("not read without the extra for pictures", "damaged"))
    assert encoding.startswith("encoding not known")
    assert skipped == {
        "empty.md": "empty",
        "blank.txt": "empty",
        "binary.txt": "binary",
        "table.xlsx": "damaged or no .xlsx file (File is not a zip file)",
        "photo.PNG": photo,
        "huge.log": "larger than 50 MB",
    }


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
async def test_the_same_text_comes_out_of_every_encoding(tmp_path, codec, line_end):
    (tmp_path / "a.md").write_bytes(TEXT.replace("\n", line_end).encode(codec))
    (source,) = (await read(tmp_path)).sources
    assert source.text == TEXT


async def test_two_megabytes_in_one_line_are_read(tmp_path):
    (tmp_path / "a.txt").write_text("很长的一行。" * 120_000, "utf-8")
    assert len((await read(tmp_path)).sources[0].text) == 720_000


async def test_long_and_odd_names_are_read_and_can_be_printed(tmp_path):
    (tmp_path / ("n" * 200 + ".md")).write_text(TEXT, "utf-8")
    (tmp_path / ("名" * 80 + ".md")).write_text(TEXT, "utf-8")
    (tmp_path / "line\nbreak\x1b[31m.md").write_text(TEXT, "utf-8")
    with open(os.fsencode(tmp_path) + b"/bad\xff.md", "wb") as file:  # noqa: ASYNC230, PTH123
        file.write(TEXT.encode())
    used, _ = await used_and_skipped(tmp_path)
    assert len(used) == 4
    assert {"bad\\xff.md", "line\\x0abreak\\x1b[31m.md"} <= set(used)
    assert all(name.encode() for name in used)


async def test_links_never_loop_repeat_or_lead_out(tmp_path):
    outside = tmp_path / "outside"
    folder = tmp_path / "notes"
    for path in (outside, folder / "sub", folder / ".data"):
        path.mkdir(parents=True)
        (path / "x.md").write_text(TEXT, "utf-8")
    (folder / "sub" / "loop").symlink_to(folder)
    (folder / "again").symlink_to(folder / "sub")
    (folder / "copy.md").symlink_to(folder / "sub" / "x.md")
    (folder / "nowhere.md").symlink_to("missing")
    (folder / "self").symlink_to("self")
    (folder / "secret.md").symlink_to(outside / "x.md")
    (folder / "away").symlink_to(outside)
    (folder / "mounted.md").symlink_to(folder / ".data" / "x.md")
    used, skipped = await used_and_skipped(folder)
    assert used == ["mounted.md", "sub/x.md"]
    assert skipped == {
        "again": "a link to sub, which is read by itself",
        "away": "a link that leads out of the folder",
        "copy.md": "a link to sub/x.md, which is read by itself",
        "nowhere.md": "a link that leads nowhere",
        "secret.md": "a link that leads out of the folder",
        "self": "a link that leads nowhere",
        "sub/loop": "a link to the folder itself",
    }


async def test_a_folder_may_itself_be_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.md").write_text(TEXT, "utf-8")
    (tmp_path / "link").symlink_to("real")
    assert (await used_and_skipped(tmp_path / "link"))[0] == ["a.md"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
async def test_a_pipe_is_named_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "a.md").write_text(TEXT, "utf-8")
    assert (await used_and_skipped(tmp_path))[1] == {"pipe": "not a regular file"}


@pytest.mark.skipif(ROOT, reason="root may read everything")
async def test_what_may_not_be_read_is_named(tmp_path):
    (tmp_path / "a.md").write_text(TEXT, "utf-8")
    (tmp_path / "closed.md").write_text(TEXT, "utf-8")
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed.md").chmod(0)
    (tmp_path / "closed").chmod(0)
    try:
        _, skipped = await used_and_skipped(tmp_path)
    finally:
        (tmp_path / "closed").chmod(0o700)
    assert skipped == {"closed": "no permission to read it", "closed.md": "no permission to read it"}


@pytest.mark.parametrize(
    ("name", "data", "error", "words"),
    [
        ("missing.md", None, SourceError, "missing.md: no such file or folder"),
        ("empty.md", b"", SourceError, "empty.md: empty"),
        ("a.xlsx", b"PK\x03\x04", SourceError, "a.xlsx: damaged or no .xlsx file"),
        ("a.txt", "Les élèves français".encode("latin-1"), EncodingError, "a.txt: encoding not known"),
        ("a.txt", bytes(range(256)), EncodingError, "a.txt: binary data"),
        ("nul\0name", None, SourceError, r"nul\\x00name"),
    ],
)
async def test_a_single_file_that_cannot_be_used_is_an_error(tmp_path, name, data, error, words):
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(error, match=words) as caught:
        await read(tmp_path / name)
    assert type(caught.value) is error
    assert caught.value.exit_code == 2


async def test_a_folder_without_text_says_what_it_holds(tmp_path):
    with pytest.raises(SourceError, match="it is empty"):
        await read(tmp_path)
    for n in range(3):
        (tmp_path / f"{n}.mp3").write_bytes(b"ID3")
    (tmp_path / "a.md").write_bytes(b"")
    with pytest.raises(SourceError, match=r"4 files skipped: 3 not a kind of file that is read \(\.mp3\), 1 empty"):
        await read(tmp_path)


@pytest.mark.parametrize(
    "names",
    [
        ["1-a", "2-a", "10-a"],
        ["一、甲", "二、乙", "十、丙", "十二、丁", "二十、戊"],
        ["第九章", "第十章", "第二十一章", "第一百零二章"],
        ["a", "a1", "a02", "a3", "b"],
    ],
)
def test_natural_order(names):
    assert sorted(sorted(names), key=natural_key) == names


async def test_sixty_folders_deep_is_no_limit(tmp_path):
    path = tmp_path.joinpath(*["d"] * 60)
    path.mkdir(parents=True)
    (path / "x.md").write_text(TEXT, "utf-8")
    assert len((await read(tmp_path)).sources) == 1


def test_reading_loads_no_heavy_package():
    code = (
        "import sys, kaozheng.providers.readers.text_files; print([m for m in ('numpy', 'openai') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
