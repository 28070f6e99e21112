"""Artifacts on disk: what people find there, and what damage does."""

import pytest

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


async def test_damaged_name_is_told(store):
    await store.put("a.md", "text")
    (store.folder / ".artifacts" / "names" / "a.md").write_bytes(b"\xffjunk")
    with pytest.raises(StorageError, match="a name of this run is damaged"):
        await store.names()


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
