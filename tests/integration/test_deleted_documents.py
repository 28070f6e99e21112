"""Answers from a base of one or two documents: what they hold is answered, and after one is deleted no answer cites it,
neither a new one nor the next one of its conversation."""

from pathlib import Path

import pytest

from kaozheng.api import aask, akb_add, akb_remove
from kaozheng.settings import Settings

QUESTION = "青川县自助借还机有多少台？"
TEXT = "# 青川县图书馆\n\n青川县图书馆有 12 台自助借还机，每天 9 点开放。\n"


@pytest.fixture
def settings(tmp_path_factory):
    return Settings(data=tmp_path_factory.mktemp("data"), model="", embedder="", reranker="", knowledge="")


async def cited(settings, session=""):
    result = await aask(QUESTION, settings=settings, session=session)
    return result, {Path(one["document"]).name for one in result.citations}


async def test_no_answer_cites_a_deleted_document(settings, tmp_path):
    (tmp_path / "a.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "b.md").write_text("# 水稻\n\n水稻亩产 512 公斤。\n", encoding="utf-8")
    await akb_add(tmp_path, settings=settings)
    before, names = await cited(settings)
    assert (before.status, names) == ("answered", {"a.md"})
    assert "12" in before.answer
    await akb_remove(str(tmp_path / "a.md"), settings=settings)
    for session in (before.session, ""):
        after, names = await cited(settings, session)
        assert (after.status, names) == ("refused", set())
        assert "12" not in after.answer


async def test_answer_cites_the_copy_when_the_original_is_deleted(settings, tmp_path):
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    await akb_add(tmp_path, settings=settings)
    await akb_remove(str(tmp_path / "a.md"), settings=settings)
    after, names = await cited(settings)
    assert (after.status, names) == ("answered", {"b.md"})


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("图书馆每天几点开放？", "answered"),
        ("水稻亩产多少？", "answered"),
        ("青川县的人口是多少？", "refused"),
        ("水稻什么时候播种？", "refused"),
    ],
)
async def test_base_of_two_documents_answers_what_it_holds(settings, tmp_path, question, status):
    (tmp_path / "a.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "b.md").write_text("# 水稻\n\n水稻亩产 512 公斤。\n", encoding="utf-8")
    await akb_add(tmp_path, settings=settings)
    assert (await aask(question, settings=settings)).status == status
