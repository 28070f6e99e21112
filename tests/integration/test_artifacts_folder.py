"""Artifacts on disk: what people find there, and what damage does."""

import pytest

from kaozheng.artifacts import Version, made_by, ref_of
from kaozheng.errors import StorageError
from kaozheng.providers.stores.artifacts_folder import FolderArtifacts


@pytest.fixture
def store(tmp_path):
    return FolderArtifacts(tmp_path)


def kept(store, ref):
    return store.folder / ".artifacts" / ref.removeprefix("sha256:")


async def test_text_stands_under_its_plain_name(store):
    await store.put("section_01.md", "第一节\r\n")
    assert (store.folder / "section_01.md").read_bytes() == "第一节\r\n".encode()


async def test_editing_the_plain_file_does_not_change_what_the_run_reads(store):
    ref = await store.put("a.md", "mine")
    (store.folder / "a.md").write_text("edited by hand")
    assert await store.get(ref) == "mine"


@pytest.mark.parametrize("damage", [b"", b"other", b"\xff\xfe", None])
async def test_damaged_text_is_told_and_putting_it_again_repairs_it(store, damage):
    ref = await store.put("a.md", "text")
    path = kept(store, ref)
    path.unlink() if damage is None else path.write_bytes(damage)
    with pytest.raises(StorageError, match=path.name):
        await store.get(ref)
    await store.put("a.md", "text")
    assert await store.get(ref) == "text"


def name_file(store):
    return store.folder / ".artifacts" / "names" / "a.md"


@pytest.mark.parametrize("damage", [b"", b"\xffjunk", b"sha256:12\tt\ts\n", f"{ref_of('text')}\tt\n".encode()])
async def test_damaged_name_is_told(store, damage):
    await store.put("a.md", "text")
    name_file(store).write_bytes(damage)
    for asked in (store.names(), store.versions("a.md"), store.put("a.md", "other")):
        with pytest.raises(StorageError, match="a name of this run is damaged"):
            await asked


async def test_name_from_before_there_were_versions_is_read_and_gets_new_ones(store):
    old = await store.put("a.md", "text")
    name_file(store).write_bytes(old.encode())
    assert await store.names() == {"a.md": old}
    assert await store.versions("a.md") == [Version(old, "", "")]
    await store.put("a.md", "text")
    with made_by("plan"):
        new = await store.put("a.md", "new")
    assert [(one.ref, one.step) for one in await store.versions("a.md")] == [(old, ""), (new, "plan")]


async def test_another_process_finds_the_versions(store):
    with made_by("plan"):
        await store.put("a.md", "one")
        await store.put("a.md", "two")
    assert await FolderArtifacts(store.folder).versions("a.md") == await store.versions("a.md")
    assert name_file(store).read_text().splitlines()[0].startswith(f"{ref_of('one')}\t20")


async def test_removed_run_folder_does_not_come_back(store):
    store.folder.rmdir()
    with pytest.raises(StorageError, match="the folder is gone"):
        await store.put("a.md", "text")
    assert not store.folder.exists()


async def test_no_temporary_file_is_left(store):
    for n in range(5):
        await store.put("a.md", f"{n}")
    assert [path for path in store.folder.rglob("*") if path.suffix == ".tmp"] == []


async def test_name_that_is_a_folder_is_a_storage_error(store):
    (store.folder / "a.md").mkdir()
    with pytest.raises(StorageError, match=r"a\.md"):
        await store.put("a.md", "text")
