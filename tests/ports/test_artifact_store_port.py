"""What every ArtifactStore promises."""

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kaozheng.artifacts import ref_of
from kaozheng.errors import InputError, StorageError
from kaozheng.providers.stores.artifacts_folder import FolderArtifacts
from kaozheng.testing.memory import MemoryArtifacts


@pytest.fixture(params=["folder", "memory"])
def store(request, tmp_path):
    return FolderArtifacts(tmp_path) if request.param == "folder" else MemoryArtifacts()


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None)
@given(TEXTS)
async def test_text_comes_back_exactly(store, text):
    ref = await store.put("a.md", text)
    assert ref == ref_of(text)
    assert await store.get(ref) == text


async def test_line_ends_and_byte_order_mark_survive(store):
    text = "\ufeffa\r\nb\rc\n"
    assert await store.get(await store.put("a.md", text)) == text


async def test_name_points_to_what_was_put_last(store):
    first = await store.put("a.md", "one")
    second = await store.put("a.md", "two")
    assert await store.names() == {"a.md": second}
    assert await store.get(first) == "one"


async def test_names_are_sorted_and_empty_at_first(store):
    assert await store.names() == {}
    for name in ("b.md", "a.md", "章.md"):
        await store.put(name, name)
    assert list(await store.names()) == ["a.md", "b.md", "章.md"]


async def test_missing_text_is_a_storage_error(store):
    with pytest.raises(StorageError, match="missing"):
        await store.get(ref_of("never put"))


@pytest.mark.parametrize("name", ["../a.md", ".artifacts", "", "a/b"])
async def test_bad_name_is_refused_and_nothing_is_kept(store, name):
    with pytest.raises(InputError):
        await store.put(name, "x")
    assert await store.names() == {}


async def test_bad_reference_is_refused(store):
    with pytest.raises(InputError):
        await store.get("../../etc/passwd")


async def test_many_puts_at_once_are_all_there(store):
    refs = await asyncio.gather(*(store.put(f"s{n}.md", f"text {n % 3}") for n in range(30)))
    assert await store.names() == dict(sorted((f"s{n}.md", refs[n]) for n in range(30)))
