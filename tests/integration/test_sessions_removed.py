"""Conversations of the command line can be seen and taken away, with the passages that their answers cite."""

import pytest

from kaozheng.api import aask, akb_add, akb_remove
from kaozheng.api.sessions import list_sessions, remove_session
from kaozheng.errors import InputError
from kaozheng.settings import Settings


async def test_removed_session_leaves_nothing_of_the_passages_that_it_cited(tmp_path):
    settings = Settings(data=tmp_path / "data", model="", embedder="", reranker="", knowledge="")
    (tmp_path / "a.md").write_text("紫电项目的合同金额是 77 万元。\n", encoding="utf-8")
    await akb_add(tmp_path / "a.md", settings=settings)
    asked = await aask("紫电项目的合同金额是多少？", settings=settings)
    await akb_remove(str(tmp_path / "a.md"), settings=settings)

    def kept():
        return any("紫电".encode() in one.read_bytes() for one in (tmp_path / "data").glob("*.db*"))

    assert kept()  # the answer keeps what it cited, as the documentation says
    assert [one.id for one in list_sessions(settings=settings)] == [asked.session]
    remove_session(asked.session, settings)
    assert list_sessions(settings=settings) == []
    with pytest.raises(InputError, match="sessions list"):
        remove_session(asked.session, settings)
    assert not kept()
