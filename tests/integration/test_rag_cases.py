"""Faults that question-answering systems had in their indexes, replayed with the inputs of the shared cases."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from kaozheng.api import akb_add, akb_list, akb_search, open_knowledge_desk
from kaozheng.documents.span import LineRange, Span
from kaozheng.errors import KnowledgeBaseError
from kaozheng.evidence.bundle import EvidenceBundle
from kaozheng.models import Completion, Finish, Usage
from kaozheng.models.tool_call import ToolCall
from kaozheng.providers.indexes.sqlite_index import open_index
from kaozheng.settings import Settings
from kaozheng.sources.chunk import Chunk, chunk_id
from kaozheng.sources.index import Entry, Question, Stored, Within
from kaozheng.testing.memory_ports import memory_ports
from kaozheng.testing.scripted_model import ScriptedModel
from kaozheng.workflows.retrieve.graph import build_retrieval_graph

CASES = Path(__file__).parents[3] / "shared" / "cases" / "rag_issues.jsonl"
pytestmark = pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not here")


def given(case):
    rows = map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    return next(row["minimal_input"] for row in rows if row["id"] == case)


def test_every_row_that_can_be_replayed_has_a_test():
    rows = map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    wanted = {row["id"].partition("-")[2] for row in rows if row["replayable"]}
    tests = [path.read_text(encoding="utf-8") for path in Path(__file__).parents[1].rglob("test_*.py")]
    names = re.findall(r"^(?:async )?def test_rag((?:_\d\d)+)_", "\n".join(tests), re.MULTILINE)
    assert wanted - {number for name in names for number in name.split("_")} == set()


@pytest.fixture
async def index(tmp_path):
    async with open_index(tmp_path / "knowledge.db") as index:
        yield index


async def add(index, name, text, base="kb"):
    chunk = Chunk(chunk_id(name, (), 1, text), name, (), 1, Span(0, len(text)), LineRange(1, 1), text)
    return await index.put(Entry(base, name, hashlib.sha256(text.encode()).hexdigest()), [chunk])


async def found(index, text, limit=5):
    return [
        (int(hit.entry.name), hit.score)
        for hit in (await index.search(Question(text, Within(("kb",)), limit=limit))).hits
    ]


async def test_rag_01_chinese_query_has_a_score_and_finds_only_what_has_it(index):
    case = given("rag-01")
    for number, text in enumerate(case["docs"]):
        await add(index, str(number), text)
    ((first, score),) = await found(index, case["query"], case["k"])
    assert first == next(n for n, text in enumerate(case["docs"]) if case["query"] in text)
    assert score > 0


@pytest.mark.parametrize("case", ["rag-02", "rag-06"])
async def test_rag_02_06_words_alone_find_chinese_text(index, case):
    case = given(case)
    for number, text in enumerate(case["docs"]):
        await add(index, str(number), text)
    assert (await found(index, case["query"]))[0][0] == 0


async def test_rag_05_words_of_two_characters_are_searched(index):
    case = given("rag-05")
    for number, text in enumerate(case["docs"]):
        await add(index, str(number), text)
    alone, beside = case["queries"]
    assert [name for name, _ in await found(index, alone)] == [0]
    assert (await found(index, beside))[0][0] == 0


async def test_rag_09_no_question_is_an_error(index):
    await add(index, "0", "a b 值")
    for text in given("rag-09")["queries"]:
        assert len(await found(index, text)) <= 1


async def test_rag_41_same_file_again_and_again_is_stored_once(index):
    outcomes = [await add(index, "0", "同一份文件") for _ in range(3)]
    assert outcomes == [Stored("added", 1), Stored("unchanged", 1), Stored("unchanged", 1)]
    assert (await index.bases())[0].chunks == 1


async def test_rag_43_same_bytes_under_another_name_are_told(index):
    await add(index, "0", "同一份文件")
    assert await add(index, "1", "同一份文件") == Stored("twin", 0, "0")


@pytest.fixture
async def desk(tmp_path_factory):
    settings = Settings(data=tmp_path_factory.mktemp("data"), model="", embedder="", knowledge="")
    async with open_knowledge_desk(settings) as desk:
        yield desk


async def ingested(desk, path):
    """Of each document by its file's name: status, chunks, what it is a twin of."""
    report = await akb_add(path, desk=desk, settings=Settings(model="", embedder=""))
    return {Path(one.name).name: (one.status, one.chunks, Path(one.duplicate_of).name) for one in report.outcomes}


async def test_rag_34_every_row_of_a_long_table_carries_its_columns(desk, tmp_path):
    case = given("rag-34")
    rows = [f"{'应收账款' if n == 400 else f'科目{n}'},{n},{n + 7}" for n in range(case["csv_rows"])]
    (tmp_path / "a.csv").write_text("\n".join([",".join(case["columns"]), *rows]), encoding="utf-8")
    assert (await ingested(desk, tmp_path / "a.csv"))["a.csv"][1] > 5
    (best,) = (await akb_search(case["query"], limit=1, desk=desk, settings=Settings(model="", embedder=""))).hits
    assert "| 应收账款 | 400 | 407 |" in best.chunk.text
    assert all(column in best.chunk.searched for column in case["columns"])


async def test_rag_41_ids_stay_when_a_file_is_ingested_three_times(desk, tmp_path):
    (tmp_path / "a.md").write_text("# 甲\n\n水稻。\n\n## 乙\n\n小麦。\n", encoding="utf-8")
    ids = []
    for _ in range(3):
        await ingested(desk, tmp_path / "a.md")
        ids.append([chunk.id for chunk in await desk.index.chunks("default", str(tmp_path / "a.md"))])
    assert ids[0] == ids[1] == ids[2]
    assert len(ids[0]) == (await desk.index.bases())[0].chunks == 2


async def test_rag_43_copy_of_a_file_is_reported_and_listed(desk, tmp_path):
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("同一份文件", encoding="utf-8")
    assert await ingested(desk, tmp_path) == {"a.md": ("added", 1, ""), "b.md": ("duplicate", 0, "a.md")}
    assert [Path(one.entry.name).name for one in await akb_list(desk=desk)] == ["a.md", "b.md"]


async def test_rag_62_added_means_that_there_are_chunks(desk, tmp_path):
    for name, text in {"a": "水稻", "b": "", "c": " \n", "d": "---\ntitle: x\n---\n"}.items():
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    for _ in range(2):
        for name, (status, chunks, _) in (await ingested(desk, tmp_path)).items():
            kept = await desk.index.chunks("default", str(tmp_path / name))
            assert len(kept) == (1 if name == "a.md" else 0)
            assert status == ("empty" if not kept else "added" if chunks else "unchanged")


async def test_rag_46_another_base_is_never_searched(index):
    await add(index, "0", "机密的预算", base="theirs")
    await add(index, "1", "别的", base="kb")
    assert await found(index, "机密的预算") == []
    with pytest.raises(KnowledgeBaseError):
        await index.search(Question("机密", Within(("their",))))
    assert (await index.search(Question("机密", Within(())))).hits == ()


async def test_rag_54_the_first_follow_up_is_understood_from_the_one_exchange_before_it(index):
    asked, then = given("rag-54")["turns"]
    await add(index, "0", "犬误食巧克力后应尽快送医；已经吐出的，保留呕吐物供医生判断。")
    await add(index, "1", "两块电池可以并联使用。")
    ports = memory_ports(index=index)
    said = [asked, {"role": "assistant", "content": "应尽快送医。[E1]"}, then]
    state = {"messages": said, "within": {"bases": ["kb"]}}
    result = await build_retrieval_graph().compile().ainvoke(state, context=ports)
    assert any("巧克力" in query for query in result["queries"])
    kept = EvidenceBundle.from_dict(json.loads(await ports.artifacts.get(result["bundle"])))
    assert kept.items[0].document == "0"


async def test_rag_47_a_model_that_names_a_place_to_search_finds_nothing_there(index):
    await add(index, "0", "暗号是紫电77。", base="of-a")
    await add(index, "0", "会议室在三楼。", base="of-b")
    arguments = json.dumps({"query": "暗号", "session_id": "a", "base": "of-a"}, ensure_ascii=False)
    call = ToolCall("1", "search_knowledge", arguments)
    asked = Completion("", Finish.TOOL_CALLS, Usage(1, 1, calls=1), "scripted", tool_calls=(call,))

    def play(call):
        return {"searcher": asked, "grader": "yes", "rewriter": "暗号 是"}.get(call.role, call.prompt())

    ports = memory_ports(index=index, model=ScriptedModel(play))
    state = {"messages": ["暗号是什么？"], "within": {"bases": ["of-b"]}}
    result = await build_retrieval_graph().compile().ainvoke(state, context=ports)
    assert "紫电77" not in json.dumps(result, ensure_ascii=False)
