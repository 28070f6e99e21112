"""What the shelf of vectors promises."""

import numpy as np
import pytest

from kaozheng.errors import StorageError
from kaozheng.providers.stores.vectors_file import FolderVectors
from kaozheng.sources.vectors import StoredVectors

KEY = "BAAI/bge-m3|0123|考证"


def some(rows=3):
    return StoredVectors([f"文{n}" for n in range(rows)], np.arange(rows * 4, dtype=np.float32).reshape(rows, 4))


async def test_vectors_come_back_as_they_were(tmp_path):
    shelf = FolderVectors(tmp_path / "shelf")
    where = await shelf.save(KEY, some())
    found = await shelf.load(KEY)
    assert where.startswith(str(tmp_path))
    assert found.texts == some().texts
    assert found.vectors.dtype == np.float32
    assert np.array_equal(found.vectors, some().vectors)


async def test_texts_without_vectors_come_back_without(tmp_path):
    shelf = FolderVectors(tmp_path)
    await shelf.save("k", StoredVectors(["a"], None))
    assert await shelf.load("k") == StoredVectors(["a"], None)


async def test_newer_vectors_take_the_place_of_the_old(tmp_path):
    shelf = FolderVectors(tmp_path)
    await shelf.save(KEY, some(3))
    await shelf.save(KEY, some(2))
    assert len((await shelf.load(KEY)).texts) == 2


async def test_what_was_forgotten_is_none(tmp_path):
    shelf = FolderVectors(tmp_path)
    await shelf.save(KEY, some())
    await shelf.save("other", some())
    await shelf.forget(KEY)
    await shelf.forget("never saved")
    assert await shelf.load(KEY) is None
    assert await shelf.load("other") is not None


async def test_nothing_saved_is_none(tmp_path):
    assert await FolderVectors(tmp_path / "none").load(KEY) is None


async def test_keys_that_look_alike_as_file_names_are_kept_apart(tmp_path):
    shelf = FolderVectors(tmp_path)
    await shelf.save("a/b", some(1))
    await shelf.save("a:b", some(2))
    assert [len((await shelf.load(key)).texts) for key in ("a/b", "a:b")] == [1, 2]


@pytest.mark.parametrize("damage", [b"", b"junk", "half", "flipped"])
async def test_damaged_file_counts_as_nothing(tmp_path, damage):
    shelf = FolderVectors(tmp_path)
    await shelf.save(KEY, some(50))
    (path,) = tmp_path.glob("*.npz")
    data = bytearray(path.read_bytes())
    if damage == "half":
        data = data[: len(data) // 2]
    elif damage == "flipped":
        data[-300] ^= 0xFF
        data[len(data) // 2] ^= 0xFF
    path.write_bytes(damage if isinstance(damage, bytes) else data)
    assert await shelf.load(KEY) is None


async def test_pickled_array_is_not_loaded(tmp_path):
    shelf = FolderVectors(tmp_path)
    await shelf.save("k", some())
    (path,) = tmp_path.glob("*.npz")
    with np.load(path) as kept:
        arrays = {**kept, "vectors": np.array([print, print, print], dtype=object)}
    np.savez(path, **arrays)
    assert await shelf.load("k") is None


async def test_no_place_for_the_folder_is_a_storage_error(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError):
        await FolderVectors(tmp_path / "file" / "shelf").save("k", some())
