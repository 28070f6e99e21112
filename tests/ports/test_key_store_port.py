"""What every KeyStore promises."""

import stat

import pytest

from kaozheng.access import Key, digest_of, new_token
from kaozheng.providers.stores.keys_sql import open_keys
from kaozheng.testing.memory_keys import MemoryKeys

AT = "2026-11-30T08:00:00+00:00"


@pytest.fixture(params=["sqlite", "memory"])
async def keys(request, tmp_path):
    if request.param == "memory":
        yield MemoryKeys()
    else:
        async with open_keys(tmp_path / "keys.db") as store:
            yield store


async def test_key_is_found_by_the_digest_of_its_token_only(keys):
    token = new_token()
    key = Key("ann", digest_of(token), False, AT)
    assert await keys.add(key)
    assert await keys.find(digest_of(token)) == key
    assert await keys.find(digest_of(f"{token} ")) is None
    assert await keys.find("") is None


async def test_taken_name_is_refused_and_the_first_key_stays(keys):
    first = Key("ann", digest_of("1"), False, AT)
    assert await keys.add(first)
    assert not await keys.add(Key("ann", digest_of("2"), True, AT))
    assert await keys.list() == [first]


async def test_keys_come_by_name(keys):
    for name in ("bob", "ann"):
        await keys.add(Key(name, digest_of(name), False, AT))
    assert [key.name for key in await keys.list()] == ["ann", "bob"]


async def test_removed_key_lets_nobody_in(keys):
    await keys.add(Key("ann", digest_of("1"), True, AT))
    assert await keys.remove("ann")
    assert await keys.find(digest_of("1")) is None
    assert not await keys.remove("ann")


async def test_file_of_keys_holds_no_token_and_is_its_owners_only(tmp_path):
    token, path = new_token(), tmp_path / "keys.db"
    async with open_keys(path) as store:
        await store.add(Key("ann", digest_of(token), False, AT))
    assert token.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_keys_are_there_when_the_file_is_opened_again(tmp_path):
    async with open_keys(tmp_path / "keys.db") as store:
        await store.add(Key("ann", digest_of("1"), True, AT))
    async with open_keys(tmp_path / "keys.db") as store:
        assert await store.find(digest_of("1")) == Key("ann", digest_of("1"), True, AT)
