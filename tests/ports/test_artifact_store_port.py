"""What every ArtifactStore promises."""

import asyncio
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kaozheng.artifacts import made_by, ref_of
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


def made(versions):
    return [(version.ref, version.step) for version in versions]


async def test_versions_tell_what_stood_under_a_name_oldest_first_and_which_step_made_it(store):
    assert list(await store.versions("a.md")) == []
    with made_by("plan"):
        first = await store.put("a.md", "one")
    with made_by("revise_章"):
        second = await store.put("a.md", "two")
    third = await store.put("a.md", "one")
    assert made(await store.versions("a.md")) == [(first, "plan"), (second, "revise_章"), (third, "")]
    assert await store.names() == {"a.md": third}


async def test_same_text_again_is_no_new_version_and_keeps_its_maker(store):
    with made_by("plan"):
        ref = await store.put("a.md", "one")
    with made_by("deliver"):
        await store.put("a.md", "one")
        await store.put("b.md", "one")
    assert made(await store.versions("a.md")) == [(ref, "plan")]
    assert made(await store.versions("b.md")) == [(ref, "deliver")]


async def test_time_of_a_version_is_the_clock_in_utc_and_a_copy_keeps_its_own(store):
    before = datetime.now(UTC)
    await store.put("a.md", "one")
    with made_by("plan", "2026-11-30T12:00:00.000000+00:00"):
        await store.put("b.md", "one")
    (new,), (copy,) = await store.versions("a.md"), await store.versions("b.md")
    assert before <= datetime.fromisoformat(new.at) <= datetime.now(UTC)
    assert new.at.endswith("+00:00")
    assert (copy.at, copy.step) == ("2026-11-30T12:00:00.000000+00:00", "plan")


async def test_step_that_ended_makes_nothing_any_more(store):
    with pytest.raises(ZeroDivisionError), made_by("plan"):
        raise ZeroDivisionError
    await store.put("a.md", "one")
    assert [version.step for version in await store.versions("a.md")] == [""]


async def test_steps_at_the_same_time_keep_apart(store):
    async def put(n):
        with made_by(f"write_section {n}"):
            await asyncio.sleep(0)
            await store.put(f"s{n}.md", str(n))
            await store.put("shared.md", str(n))

    await asyncio.gather(*(put(n) for n in range(20)))
    for n in range(20):
        assert [version.step for version in await store.versions(f"s{n}.md")] == [f"write_section {n}"]
    shared = await store.versions("shared.md")
    assert sorted(made(shared)) == sorted((ref_of(str(n)), f"write_section {n}") for n in range(20))


async def test_name_of_a_step_that_holds_line_ends_and_tabs_does_no_harm(store):
    with made_by("a\tb\nc"):
        await store.put("a.md", "one")
    assert [version.step for version in await store.versions("a.md")] == ["a b c"]


async def test_versions_of_a_bad_name_are_refused(store):
    with pytest.raises(InputError):
        await store.versions("../a.md")
