"""The bases of the HTTP API's keys, seen from the command line: shown as such, searched only when they are named."""

import pytest

from kaozheng.access.naming import owner_of
from kaozheng.api import aask, akb_add, akb_search, akb_stats
from kaozheng.cli.kb_summary import stats_lines
from kaozheng.settings import Settings
from kaozheng.wiring.knowledge_told import knowledge_told

QUESTION = "紫电项目的合同金额是多少？"


@pytest.fixture
async def settings(tmp_path):
    chosen = Settings(data=tmp_path / "data", model="", embedder="", reranker="", knowledge="")
    (tmp_path / "ann.md").write_text("紫电项目的合同金额是 77 万元。\n", encoding="utf-8")
    (tmp_path / "mine.md").write_text("食堂每天 12 点开饭。\n", encoding="utf-8")
    await akb_add(tmp_path / "ann.md", "ann..合同", settings=chosen)
    await akb_add(tmp_path / "mine.md", "手册", settings=chosen)
    return chosen


async def test_base_of_a_key_is_left_out_unless_it_is_named(settings):
    assert (await aask(QUESTION, settings=settings)).status == "refused"
    assert (await akb_search("紫电 合同金额", settings=settings)).hits == ()
    named = await aask(QUESTION, kb=["ann..合同"], settings=settings)
    assert (named.status, "77" in named.answer) == ("answered", True)
    assert len((await akb_search("紫电 合同金额", "ann..合同", settings=settings)).hits) == 1


async def test_base_of_a_key_is_shown_as_one(settings):
    stats = await akb_stats(settings=settings)
    assert {one.name: one.owner for one in stats.bases} == {"ann..合同": "ann", "手册": ""}
    lines = [line for line in stats_lines(stats) if "of the key" in line]
    assert len(lines) == 1
    assert lines[0].startswith("ann..合同: 1 document")
    assert "of the key ann)" in knowledge_told(settings)[1]


@pytest.mark.parametrize(("kept", "owner"), [("ann..合同", "ann"), ("v1.2", ""), ("default", "")])
def test_owner_stands_before_two_dots(kept, owner):
    assert owner_of(kept) == owner
