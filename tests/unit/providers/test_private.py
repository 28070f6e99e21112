"""What is kept can be read by its owner alone; what is there already keeps its rights."""

import os
from contextlib import AsyncExitStack

import numpy as np
import pytest

from kaozheng.providers.indexes.opening import open_bases
from kaozheng.providers.stores.artifacts_folder import FolderArtifacts
from kaozheng.providers.stores.atomic import write_in_place
from kaozheng.providers.stores.checkpoints import open_checkpoints
from kaozheng.providers.stores.keys_sql import open_keys
from kaozheng.providers.stores.private import private_file, private_folder
from kaozheng.providers.stores.runs_sql import open_runs
from kaozheng.providers.stores.sessions_sql import open_sessions
from kaozheng.providers.stores.vectors_file import FolderVectors
from kaozheng.sources.vectors import StoredVectors

pytestmark = pytest.mark.skipif(os.name != "posix", reason="other systems have other rights")


@pytest.fixture(autouse=True)
def open_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path):
    return path.stat().st_mode & 0o777


OPENERS = {
    "knowledge.db": open_bases,
    "sessions.db": open_sessions,
    "runs.db": open_runs,
    "keys.db": open_keys,
    "checkpoints.db": open_checkpoints,
}


@pytest.mark.parametrize("name", OPENERS)
async def test_databases_and_what_sqlite_puts_beside_them_are_their_owners_alone(tmp_path, name):
    folder = tmp_path / "data"
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(OPENERS[name](folder / name))
        kept = [one for one in folder.iterdir() if one.suffix != ".lock"]
        assert {mode(one) for one in kept} == {0o600}, {one.name: oct(mode(one)) for one in kept}
    assert mode(folder) == 0o700


async def test_texts_and_vectors_are_their_owners_alone(tmp_path):
    await FolderArtifacts(tmp_path).put("a.md", "甲")
    await FolderVectors(tmp_path / "vectors").save("k", StoredVectors(["甲"], np.ones((1, 2), dtype=np.float32)))
    files = [one for one in tmp_path.rglob("*") if one.is_file()]
    assert len(files) >= 4
    assert {mode(one) for one in files} == {0o600}
    assert mode(tmp_path / ".artifacts") == mode(tmp_path / "vectors") == 0o700


def test_folder_that_is_shared_stays_so(tmp_path):
    (tmp_path / "shared").mkdir(mode=0o755)
    private_file(tmp_path / "shared" / "new" / "a.db")
    assert (mode(tmp_path / "shared"), mode(tmp_path / "shared" / "new")) == (0o755, 0o700)
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError):
        private_folder(tmp_path / "file")


def test_result_that_the_user_names_has_the_users_rights(tmp_path):
    write_in_place(tmp_path / "out.md", b"x")
    assert mode(tmp_path / "out.md") == 0o644
