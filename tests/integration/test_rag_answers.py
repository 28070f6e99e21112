"""Faults that question-answering systems had in their answers, replayed with the inputs of the shared cases: bases and
sessions on disk, questions at an open desk, a model behind the scripted server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from kaozheng import api
from kaozheng.errors import UnknownSessionError
from kaozheng.models.tool_call import ToolCall
from kaozheng.settings import Settings
from kaozheng.testing import asking
from kaozheng.testing.actor import act
from kaozheng.testing.chat import Reply, prompt_of, schema_of
from kaozheng.testing.server import ScriptedServer
from kaozheng.workflows.ask.request import AskRequest
from kaozheng.workflows.ask.telling import AskEvent

CASES = Path(__file__).parents[3] / "shared" / "cases" / "rag_issues.jsonl"
pytestmark = pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not here")


def given(case: str) -> dict[str, Any]:
    rows = map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    return next(row["minimal_input"] for row in rows if row["id"] == case)


@pytest.fixture
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(data=tmp_path_factory.mktemp("data"), model="", embedder="", reranker="", knowledge="")


def saying(answer: str | Callable[[str], str]) -> Callable[[dict[str, Any]], Reply | str]:
    """The actor for every role but the answerer's, which says this."""

    def reply(body: dict[str, Any]) -> Reply | str:
        if asking.is_answering(str(body["messages"][0].get("content"))):
            return answer(prompt_of(body)) if callable(answer) else answer
        return act(body)

    return reply


@asynccontextmanager
async def modelled(settings: Settings, script: Any):
    """The settings with a model that answers by this script, and its server."""
    async with ScriptedServer(script) as server:
        yield settings.model_copy(update={"model": "openai:scripted", "openai_base_url": server.base_url}), server


@asynccontextmanager
async def opened(settings: Settings, folder: Path, **documents: str):
    """A desk with these documents in the base "default"; `__` in a name stands for its dot."""
    async with api.open_knowledge_desk(settings) as desk:
        for name, text in documents.items():
            (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
        if documents:
            await api.akb_add(folder, desk=desk, settings=settings)
        yield desk


async def asked(desk: Any, question: str, **given: Any):
    events: list[AskEvent] = []
    return await api.answer(desk, AskRequest(question, **given), events.append), events


def text_of(events: list[AskEvent]) -> str:
    shown = ""
    for event in events:
        shown = event.data["text"] if event.kind == "replace" else shown + event.data.get("text", "")
    return shown


def warned(events: list[AskEvent]) -> list[str]:
    return [event.data["code"] for event in events if event.kind == "warning"]


@pytest.mark.parametrize("case", ["rag-11", "rag-12"])
async def test_rag_11_12_refusal_over_evidence_shows_no_source_and_is_a_warning(settings, tmp_path, case):
    """An answer that says nothing was found lists no chunk below it."""
    said = given(case)["model_output"]
    document = "罚款上限为 20 万元。"
    async with (
        modelled(settings, saying(f"{said}[E1]")) as (chosen, _),
        opened(chosen, tmp_path, a__md=document) as desk,
    ):
        result, events = await asked(desk, "罚款上限是多少？")
    (ready,) = [event.data["result"] for event in events if event.kind == "ready"]
    assert (result.status, result.citations, ready["citations"]) == ("refused", [], [])
    assert "[E" not in text_of(events)
    assert "refused_with_evidence" in warned(events)


async def test_rag_13_empty_base_is_no_place_to_answer_from_memory(settings, tmp_path):
    """Nothing found, and the model would go on by itself: it is not asked, and none of its numbers is shown."""
    case = given("rag-13")
    async with modelled(settings, saying(case["model_output"])) as (chosen, server):
        async with opened(chosen, tmp_path) as desk:
            result, events = await asked(desk, case["query"])
        answering = [body for body in server.requests if asking.is_answering(str(body["messages"][0]["content"]))]
    assert (result.status, result.evidence_state, answering) == ("refused", "empty", [])
    assert "8848" not in text_of(events)


async def test_rag_15_each_mark_leads_to_its_own_chunk(settings, tmp_path):
    """Two labels, two chunks: no mark shows the first chunk for all."""
    case = given("rag-15")
    by_text = {f"d{place}__md": text for place, text in enumerate(case["evidence"].values())}

    def said(prompt: str) -> str:
        # As the row has it, with the labels that this search gave.
        labels = {text: label for label, text in re.findall(r"^\[(E\d+)\] (.+)$", prompt, re.MULTILINE)}
        first, second = (labels[text] for text in case["evidence"].values())
        return case["answer"].replace("[E1]", "[X]").replace("[E2]", f"[{second}]").replace("[X]", f"[{first}]")

    async with modelled(settings, saying(said)) as (chosen, _), opened(chosen, tmp_path, **by_text) as desk:
        result, _ = await asked(desk, "甲须检修、乙不少于4圈，各是什么要求？")
    assert {one["quote"] for one in result.citations} == set(case["evidence"].values())
    assert len({one["label"] for one in result.citations}) == len({one["document"] for one in result.citations}) == 2


async def test_rag_17_mark_beyond_the_sources_does_not_go_out(settings, tmp_path):
    """[5,7] of four sources."""
    case = given("rag-17")
    documents = {f"d{place}__md": f"{name}项目支持离线部署。" for place, name in enumerate("甲乙丙丁")}
    async with modelled(settings, saying(case["answer"])) as (chosen, _), opened(chosen, tmp_path, **documents) as desk:
        result, events = await asked(desk, "哪些项目支持离线部署？")
    marks = set(re.findall(r"\[(E?\d+(?:,\s*E?\d+)*)\]", result.answer))
    assert marks
    assert marks == {one["label"] for one in result.citations}
    assert marks <= {"E1", "E2", "E3", "E4"}
    assert result.code == "answer_validation_failed"
    assert text_of(events) == result.answer


@pytest.mark.parametrize("with_model", [False, True])
async def test_rag_20_text_in_the_question_is_no_file_to_cite(settings, tmp_path, with_model):
    """A question that brings its own text gets no citation to a file that does not exist."""
    case = given("rag-20")
    async with modelled(settings, saying("《原理》出版于1687年。[E1]")) as (model, _):
        chosen = model if with_model else settings
        async with opened(chosen, tmp_path) as desk:
            result, _ = await asked(desk, case["query"])
    assert result.citations == []
    assert "[E" not in result.answer


async def test_rag_22_after_a_reload_each_turn_has_its_own_evidence(settings, tmp_path):
    """E1 of the second turn is not E1 of the first, when all was closed and is read again."""
    documents = {"pump__md": "X200 型水泵的保修期为 24 个月。", "fan__md": "F90 型风机的风量为 9000 立方米。"}
    async with opened(settings, tmp_path, **documents) as desk:
        first, _ = await asked(desk, "X200 型水泵的保修期多长？")
        second, _ = await asked(desk, "F90 型风机的风量是多少？", session=first.session)
    assert len(given("rag-22")["turns"]) == 2
    async with opened(settings, tmp_path) as desk:
        turns = await desk.sessions.turns("", first.session)
        kept = [await desk.sessions.interaction("", turn.interaction) for turn in turns]
    assert [turn.citations for turn in turns] == [tuple(first.citations), tuple(second.citations)]
    assert [{one["label"] for one in turn.citations} for turn in turns] == [{"E1"}, {"E1"}]
    assert ["水泵" in turn.citations[0]["quote"] for turn in turns] == [True, False]
    assert ["水泵" in one.evidence["items"][0]["text"] for one in kept] == [True, False]


@pytest.mark.parametrize(("case", "question"), [("rag-27", "合格率是多少？"), ("rag-29", "罚款上限是多少？")])
async def test_rag_27_29_wrong_figure_that_survives_its_revision_does_not_go_out(settings, tmp_path, case, question):
    """87 % became 85 %, 2021 became 2022, 20 became 30: said again when revised, and still not shown."""
    row = given(case)
    (text,) = row["evidence"].values()
    async with modelled(settings, saying(row["answer"])) as (chosen, server):
        async with opened(chosen, tmp_path, a__md=text) as desk:
            result, events = await asked(desk, question)
        revised = [entry for entry in server.log if entry.purpose.endswith("revision_generation")]
    assert len(revised) == 1
    for wrong in ("85%", "2022", "30万"):
        assert wrong not in result.answer
    assert text_of(events) == result.answer
    assert text.rstrip("。") in result.answer


DIFFERENT = 37


def table_of(rows: int) -> str:
    """A table of so many rows with 37 different units, or fewer; its text is more than is evidence for one question."""
    said = [f"单位{place % DIFFERENT},项目{place},{place * 3},{'按合同办理，' * 5}" for place in range(rows)]
    return "\n".join(["单位,项目,金额,备注", *said])


def content(body: dict[str, Any]) -> Reply | str:
    """The actor, that grades any passage as an answer and answers with the table's first row."""
    found = (schema_of(body) or {}).get("title") == "GradeDocuments"
    return '{"binary_score": "yes"}' if found else saying("单位0的项目0金额为 0。[E1]")(body)


@pytest.mark.parametrize("with_model", [False, True])
async def test_rag_35_count_over_a_table_is_of_all_its_rows(settings, tmp_path, with_model):
    """A search sees some rows of 300; code counts all of them."""
    case = given("rag-35")
    text = table_of(case["csv_rows"])
    async with modelled(settings, act) as (model, _):
        chosen = model if with_model else settings
        async with opened(chosen, tmp_path, 台账__csv=text) as desk:
            result, events = await asked(desk, case["query"])
    assert result.status == "answered"
    assert f"不同的有 {DIFFERENT} 个" in text_of(events)
    (cited,) = result.citations
    assert (Path(cited["document"]).name, cited["lines"], cited["path"][-1]) == ("台账.csv", [3, 302], "按整张表计算")
    assert warned(events) == []


@pytest.mark.parametrize(
    ("language", "told"), [("zh", r"其 300 行中的 (\d+) 行"), ("en", r"(\d+) of its 300 rows were found")]
)
async def test_rag_35_count_from_some_rows_says_so(settings, tmp_path, language, told):
    """Where the question sets a condition that code cannot be sure of, the answer says how much of the table it saw."""
    case = given("rag-35")
    text = table_of(case["csv_rows"])
    async with modelled(settings, content) as (chosen, _), opened(chosen, tmp_path, 台账__csv=text) as desk:
        result, events = await asked(desk, f"四川的{case['query']}？", language=language)
    assert result.status == "answered"
    (partial,) = [one["message"] for one in result.warnings if one["code"] == "partial_rows"]
    seen = int(re.search(told, partial)[1])
    assert 0 < seen < 300
    assert "partial_rows" in warned(events)


async def test_rag_35_table_that_was_seen_whole_needs_no_warning(settings, tmp_path):
    """The same question over ten rows, all of which are evidence."""
    async with modelled(settings, content) as (chosen, _), opened(chosen, tmp_path, 台账__csv=table_of(10)) as desk:
        result, events = await asked(desk, "单位0的项目一共有多少个不同的单位？")
    assert result.status == "answered"
    assert "partial_rows" not in warned(events)


DELETIONS = {
    "rag-37": (
        {"a__md": "# 甲厂\n\n甲厂生产水泵。\n", "b__md": "# 乙厂\n\n乙厂生产紫电阀门。\n"},
        ("乙厂", "紫电阀门"),
    ),
    "rag-38": (
        {"a__md": "# 青山公司\n\n李明创立了青山公司。\n", "b__md": "# 收购\n\n紫电集团拥有青山公司。\n"},
        ("紫电集团",),
    ),
}


@pytest.mark.parametrize("case", DELETIONS)
async def test_rag_37_38_what_a_deleted_document_said_is_nowhere(settings, tmp_path, case):
    """The rows are of a graph: entities and summaries that only a deleted document supports. There is no graph here,
    and nothing that is derived from several documents is kept; so it is held that nothing of the document is found,
    told in an overview, proposed as a next question, said in its conversation, and that its text is in no file."""
    assert any(step.startswith("delete b") for step in given(case)["steps"])
    documents, words = DELETIONS[case]
    questions = [f"{word}的情况是什么？" for word in words]
    questions += ["青山公司是谁创立的，谁拥有？", "甲厂生产什么？", "知识库里有哪些文档？"]
    async with opened(settings, tmp_path, **documents) as desk:
        before, _ = await asked(desk, questions[0])
        assert words[0] in before.answer
        await api.akb_remove(str(tmp_path / "b.md"), desk=desk, settings=settings)
        (tmp_path / "b.md").unlink()
        report = await api.akb_add(tmp_path, desk=desk, settings=settings)
        assert {one.status for one in report.outcomes} == {"unchanged"}  # an update with nothing to add
        for word in words:
            found = await api.akb_search(word, limit=20, desk=desk, settings=settings)
            assert all(word not in hit.chunk.searched + hit.entry.title for hit in found.hits)
        for session in ("", before.session):
            for question in questions:
                result, _ = await asked(desk, question, session=session)
                said = json.dumps(
                    [result.answer.replace(question, ""), result.citations, result.follow_ups], ensure_ascii=False
                )
                told = re.sub("已检索：[^\n]*", "", said)  # the question's own words
                assert not [word for word in words if word in told], question
    text = documents["b__md"].strip().rpartition("\n")[2]
    for file in (file for file in settings.folder.glob("knowledge*") if file.is_file()):
        assert text.encode() not in file.read_bytes(), file.name


async def test_rag_47_session_of_somebody_else_in_a_tools_arguments_is_not_read(settings, tmp_path):
    """The scope comes from who asks; a session, owner or base that a model names in its call opens nothing."""
    heard: list[str] = []
    foreign = {"session": ""}

    def reply(body: dict[str, Any]) -> Reply | str:
        heard.append(json.dumps(body["messages"], ensure_ascii=False))
        if asking.is_searching(body):
            scope = {
                "session_id": foreign["session"],
                "owner": "甲",
                "bases": ["default"],
                "session": foreign["session"],
            }
            arguments = json.dumps({"query": "暗号", **scope}, ensure_ascii=False)
            return Reply("", tool_calls=(ToolCall(f"c{len(heard)}", "search_knowledge", arguments),))
        if asking.is_answering(str(body["messages"][0].get("content"))):
            found = re.search("紫电77", heard[-1])
            return f"暗号是 {found[0]}。[E1]" if found else "没有在知识库中查找到相关信息。"
        return act(body)

    async with modelled(settings, reply) as (chosen, _), opened(chosen, tmp_path, a__md="暗号由各人自定。") as desk:
        told, _ = await asked(desk, "暗号是紫电77，请记住。", owner="甲", bases=("default",))
        await desk.background.settle()
        assert any("紫电77" in one for one in heard)
        heard.clear()
        foreign["session"] = told.session
        result, events = await asked(desk, "暗号是什么？", owner="乙", bases=("default",))
        with pytest.raises(UnknownSessionError):
            await asked(desk, "暗号是什么？", owner="乙", bases=("default",), session=told.session)
    assert heard
    assert not [one for one in heard if "紫电77" in one]
    assert "紫电77" not in result.answer + str([event.data for event in events])


@pytest.mark.parametrize("with_model", [False, True])
async def test_rag_54_first_follow_up_is_understood_by_what_was_said(settings, tmp_path, with_model):
    """Exactly one exchange before: the second question is made whole, by the model that plans or by rule."""
    first, second = given("rag-54")["turns"]
    plans: list[str] = []

    def reply(body: dict[str, Any]) -> Reply | str:
        if (schema_of(body) or {}).get("title") == "SaidTask":
            plans.append(json.dumps(body["messages"], ensure_ascii=False))
            goal = first if len(plans) == 1 else "犬误食巧克力后已经吐出两块了，还要怎么办"
            return json.dumps({"kind": "qa", "target": "topic", "goal": goal}, ensure_ascii=False)
        return act(body)

    text = "# 犬误食巧克力\n\n犬误食巧克力后应立即联系兽医；已经吐出的，仍要观察 24 小时。\n"
    async with modelled(settings, reply) as (model, _):
        chosen = model if with_model else settings
        async with opened(chosen, tmp_path, a__md=text) as desk:
            before, _ = await asked(desk, first)
            result, _ = await asked(desk, second, session=before.session)
    assert "巧克力" in result.task["goal"]
    assert all("巧克力" in query for query in result.searched)
    assert "观察 24 小时" in result.answer
    assert not with_model or (len(plans) == 2 and first in plans[1])


async def test_rag_56_no_delta_repeats_what_was_said(settings, tmp_path):
    """Deltas, one behind the other, are the answer: no frame has the whole text so far."""
    words = given("rag-56")["tokens"]
    text = "".join(f"{word}的第{place}条规定已经公布。" for place, word in enumerate(words * 3))
    said = text.replace("。", "。[E1]")
    async with modelled(settings, saying(said)) as (chosen, _), opened(chosen, tmp_path, a__md=text) as desk:
        result, events = await asked(desk, "如何对应使用第1条规定？")
    deltas = [event.data["text"] for event in events if event.kind == "delta"]
    assert len(deltas) > 2
    assert "".join(deltas) == result.answer == text_of(events)
    assert all(not later.startswith(earlier) for earlier, later in pairwise(deltas))
