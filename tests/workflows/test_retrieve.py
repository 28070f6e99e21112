"""The self-correcting loop with scripted models: where it goes, what it asks, and that it always ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from kaozheng.documents.span import LineRange, Span
from kaozheng.errors import InputError, ModelUnavailableError, ToolsRefusedError, UnknownModelError
from kaozheng.evidence.bundle import EvidenceBundle
from kaozheng.models import Completion, Finish, Usage
from kaozheng.models.messages import Call
from kaozheng.models.tool_call import ToolCall
from kaozheng.ports import Ports
from kaozheng.roles.answerer import REFUSALS
from kaozheng.sources.chunk import Chunk, chunk_id
from kaozheng.sources.index import Entry, Labels
from kaozheng.testing.lexical_reranker import LexicalReranker
from kaozheng.testing.memory_index import MemoryIndex
from kaozheng.testing.memory_ports import memory_ports
from kaozheng.testing.scripted_model import Line, ScriptedModel
from kaozheng.workflows.retrieve.graph import STEPS, build_retrieval_graph

TEXTS = {
    "休假.md": "年假按工龄计算。工龄满一年的员工每年有5天年假，满十年的有10天。",
    "差旅.md": "差旅住宿费上限是每晚500元，餐费上限是每天100元。",
    "备份.md": "数据备份每晚两点运行，保留30天。",
    "急救.md": "犬误食巧克力后应尽快送医，两小时内可以催吐。",
}
SEARCH, GRADE, REWRITE, ANSWER = "searcher", "grader", "rewriter", "answerer"


@pytest.fixture
async def index() -> MemoryIndex:
    kept = MemoryIndex()
    for base, texts in {"库": TEXTS, "别人的": {"秘密.md": "暗号是紫电77。"}}.items():
        for name, text in texts.items():
            one = Chunk(chunk_id(name, (), 1, text), name, (), 1, Span(0, len(text)), LineRange(1, 1), text)
            await kept.put(Entry(base, name, name, name.removesuffix(".md"), Labels()), [one])
    return kept


def calling(*queries: str, name: str = "search_knowledge", ids: bool = True) -> Completion:
    calls = tuple(
        ToolCall(f"c{place}" if ids else "same", name, json.dumps({"query": query}, ensure_ascii=False))
        for place, query in enumerate(queries)
    )
    return Completion("", Finish.TOOL_CALLS, Usage(1, 1, calls=1), "scripted", tool_calls=calls)


def roles(**script: Line | list[Line] | Callable[[Call], Line]) -> ScriptedModel:
    """A model that answers each role by its own line, list of lines or function."""
    left = {role: list(lines) if isinstance(lines, list) else lines for role, lines in script.items()}

    def line(call: Call) -> Line:
        said = left[call.role]
        if isinstance(said, list):
            return said.pop(0)
        return said(call) if callable(said) else said

    return ScriptedModel(line)


async def run(index: MemoryIndex | None, model: ScriptedModel | None, *messages: Any, **given: Any) -> dict[str, Any]:
    graph = build_retrieval_graph().compile()
    ports: Ports = given.pop("ports", None) or memory_ports(index=index, model=model)
    state = {"messages": list(messages), "within": {"bases": ["库"]}, **given}
    result = await graph.ainvoke(state, {"recursion_limit": STEPS}, context=ports)
    result["ports"] = ports
    return result


async def evidence(result: dict[str, Any]) -> EvidenceBundle:
    return EvidenceBundle.from_dict(json.loads(await result["ports"].artifacts.get(result["bundle"])))


def purposes(model: ScriptedModel) -> list[str]:
    return [call.role for call in model.calls]


async def test_a_relevant_find_is_answered_with_its_label(index: MemoryIndex) -> None:
    model = roles(searcher=calling("年假天数"), grader='{"binary_score": "yes"}', answerer="满一年有5天。[E1]")
    result = await run(index, model, "年假有几天？")
    assert result["answer"] == "满一年有5天。[E1]"
    assert result["messages"][-1] == {"role": "assistant", "content": "满一年有5天。[E1]"}
    assert (await evidence(result)).item("E1").document == "休假.md"  # type: ignore[union-attr]
    assert purposes(model) == [SEARCH, GRADE, ANSWER]


async def test_without_a_tool_call_the_direct_reply_is_the_end(index: MemoryIndex) -> None:
    model = roles(searcher="你好！有什么可以帮你？")
    result = await run(index, model, "你好")
    assert (result["answer"], result["answered"]["kind"]) == ("你好！有什么可以帮你？", "direct")
    assert purposes(model) == [SEARCH]


async def test_what_must_be_looked_for_is_looked_for_whatever_the_model_says(index: MemoryIndex) -> None:
    model = roles(searcher="年假有20天，我记得很清楚。", grader="yes", answerer="满一年有5天。[E1]")
    result = await run(index, model, "年假有几天？", searching=True)
    assert result["queries"] == ["年假有几天？"]
    assert "20" not in result["answer"]


async def test_always_irrelevant_documents_end_after_three_rewrites(index: MemoryIndex) -> None:
    rewrites: list[Line] = ["年假 规定", "休假 制度 天数", "带薪 休假", "never asked for"]
    model = roles(
        searcher=lambda call: calling(call.messages[-1].content[-12:]),
        grader='{"binary_score": "no"}',
        rewriter=rewrites,
        answerer=REFUSALS["zh"],
    )
    result = await run(index, model, "年假有几天？")
    assert result["retry_count"] == 3
    assert purposes(model).count(REWRITE) == 3
    assert purposes(model).count(SEARCH) == 4
    assert purposes(model)[-1] == ANSWER
    assert result["answer"] == REFUSALS["zh"]


async def test_the_second_turn_answers_the_second_question(index: MemoryIndex) -> None:
    graph = build_retrieval_graph().compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "1"}, "recursion_limit": STEPS}
    model = roles(
        searcher=lambda call: calling(call.messages[-1].content.rpartition("：")[2]),
        grader=["no", "yes", "yes"],
        rewriter="年假 天数",
        answerer=lambda call: f"答：{call.messages[-1].content.rpartition('：')[2]}[E1]",
    )
    ports = memory_ports(index=index, model=model)
    within = {"bases": ["库"]}
    first = await graph.ainvoke({"messages": ["年假有几天？"], "within": within}, config, context=ports)
    assert (first["retry_count"], first["answer"]) == (1, "答：年假有几天？[E1]")
    second = await graph.ainvoke({"messages": ["备份保留多久？"]}, config, context=ports)
    assert second["answer"] == "答：备份保留多久？[E1]"
    assert second["retry_count"] == 0
    assert [turn["role"] for turn in second["messages"]] == ["user", "assistant", "user", "assistant"]
    kept = EvidenceBundle.from_dict(json.loads(await ports.artifacts.get(second["bundle"])))
    assert kept.items[0].document == "备份.md"


async def test_parallel_tool_calls_all_count(index: MemoryIndex) -> None:
    model = roles(
        searcher=calling("年假 工龄", "差旅住宿费", ids=False),
        grader=lambda call: "yes" if "5天" in call.prompt() and "500元" in call.prompt() else "no",
        answerer="两样都有。[E1][E2]",
    )
    result = await run(index, model, "年假几天，住宿费多少？")
    found = {item.document for item in (await evidence(result)).items}
    assert {"休假.md", "差旅.md"} <= found
    assert result["score"] == "yes"
    assert [turn["role"] for turn in result["turns"]] == ["assistant", "tool", "tool"]
    calls = {call[0] for call in result["turns"][0]["calls"]}
    assert calls == {turn["answers"] for turn in result["turns"][1:]}
    assert len(calls) == 2


@pytest.mark.parametrize("verdict", ["Yes.", "是", "YES", '{"binary_score": "Yes."}', '{"score": true}', "相关。"])
async def test_a_yes_however_it_is_worded_goes_to_the_answer(index: MemoryIndex, verdict: str) -> None:
    model = roles(searcher=calling("年假"), grader=verdict, answerer="有5天。[E1]")
    assert (await run(index, model, "年假有几天？"))["score"] == "yes"


@pytest.mark.parametrize("verdict", ["No.", "否", '{"binary_score": "no"}', "不相关", "No, they are about leave."])
async def test_a_no_however_it_is_worded_goes_to_a_rewrite(index: MemoryIndex, verdict: str) -> None:
    model = roles(
        searcher=[calling("年假"), calling("休假")], grader=[verdict, "yes"], rewriter="休假", answerer="有5天。[E1]"
    )
    assert (await run(index, model, "年假有几天？"))["retry_count"] == 1


@pytest.mark.parametrize(
    "line", ["", "The documents discuss several topics.", "null", '{"binary_score": null}', ModelUnavailableError("x")]
)
async def test_a_grader_that_fails_or_that_nobody_understands_goes_on_to_the_answer(
    index: MemoryIndex, line: Line
) -> None:
    model = roles(searcher=calling("年假"), grader=line, answerer="有5天。[E1]")
    result = await run(index, model, "年假有几天？")
    assert (result["score"], result["answer"]) == ("unknown", "有5天。[E1]")
    assert REWRITE not in purposes(model)


async def test_a_rewrite_that_was_tried_before_ends_the_loop(index: MemoryIndex) -> None:
    model = roles(searcher=calling("年假天数"), grader="no", rewriter="「年假 天数」", answerer="没有。[E1]")
    result = await run(index, model, "年假有几天？")
    assert (result["retry_count"], result["exhausted"]) == (0, True)
    assert purposes(model)[-2:] == [REWRITE, ANSWER]


async def test_wrong_calls_are_told_to_the_model_and_end_nothing(index: MemoryIndex) -> None:
    broken = Completion(
        "", Finish.TOOL_CALLS, Usage(1, 1, calls=1), "scripted",
        tool_calls=(ToolCall("a", "search_knowledge", "{"), ToolCall("b", "delete_everything", "{}")),
    )  # fmt: skip
    seen: list[Call] = []

    def search(call: Call) -> Line:
        seen.append(call)
        return broken if len(seen) == 1 else calling("年假")

    model = roles(searcher=search, grader="yes", rewriter="年假", answerer="有5天。[E1]")
    result = await run(index, model, "年假有几天？")
    assert result["answer"] == "有5天。[E1]"
    told = [message.content for message in seen[1].messages if message.role == "tool"]
    assert "no JSON" in told[0]
    assert "there is no tool" in told[1]


@pytest.mark.parametrize("name", ["bases", "owner", "session_id"])
async def test_the_scope_never_comes_from_a_model(index: MemoryIndex, name: str) -> None:
    arguments = json.dumps({"query": "暗号是什么", name: "别人的"}, ensure_ascii=False)
    asked = Completion(
        "", Finish.TOOL_CALLS, Usage(1, 1, calls=1), "scripted",
        tool_calls=(ToolCall("a", "search_knowledge", arguments),),
    )  # fmt: skip
    model = roles(searcher=[asked, calling("暗号")], grader="yes", rewriter="暗号", answerer=lambda call: call.prompt())
    result = await run(index, model, "暗号是什么？")
    assert "紫电77" not in result["answer"]


async def test_without_bases_nothing_is_searched_unless_the_graph_was_built_for_everything(index: MemoryIndex) -> None:
    closed = await run(index, None, "暗号是什么？", within={})
    assert (await evidence(closed)).state == "error"
    assert closed["answer"] == REFUSALS["zh"]
    ports = memory_ports(index=index)
    everything = build_retrieval_graph(everywhere=True).compile()
    assert "紫电77" in (await everything.ainvoke({"messages": ["暗号是什么？"]}, context=ports))["answer"]


async def test_a_model_without_tools_searches_with_the_question_itself(index: MemoryIndex) -> None:
    model = roles(searcher=ToolsRefusedError("no tools"), grader="yes", answerer="有5天。[E1]")
    result = await run(index, model, "年假有几天？")
    assert result["queries"] == ["年假有几天？"]
    assert result["answer"] == "有5天。[E1]"


async def test_a_key_that_is_refused_is_raised(index: MemoryIndex) -> None:
    with pytest.raises(UnknownModelError):
        await run(index, roles(searcher=UnknownModelError("no such model")), "年假有几天？")


async def test_where_every_call_fails_the_twins_answer(index: MemoryIndex) -> None:
    def down(call: Call) -> Line:
        return ModelUnavailableError("down")

    result = await run(index, ScriptedModel(down), "工龄满一年的员工有几天年假？")
    assert result["answer"] == "工龄满一年的员工每年有5天年假，满十年的有10天。[E1]"
    assert result["answered"]["by"] == "fallback"


async def test_without_a_model_the_twins_search_grade_and_answer(index: MemoryIndex) -> None:
    result = await run(index, None, "工龄满一年的员工有几天年假？")
    assert result["answer"] == "工龄满一年的员工每年有5天年假，满十年的有10天。[E1]"
    assert [one["score"] for one in result["grades"]] == ["yes"]


async def test_without_a_model_what_is_not_there_is_refused_after_rewrites(index: MemoryIndex) -> None:
    result = await run(index, None, "珠穆朗玛峰有多高？")
    assert result["answer"] == REFUSALS["zh"]
    assert result["retry_count"] <= 3


async def test_a_first_follow_up_is_understood_from_the_exchange_before(index: MemoryIndex) -> None:
    said = ["犬误食巧克力怎么办", {"role": "assistant", "content": "尽快送医。[E1]"}, "已经吐出两块了"]
    result = await run(index, None, *said)
    assert (await evidence(result)).items[0].document == "急救.md"


async def test_a_comparison_searches_for_each_side(index: MemoryIndex) -> None:
    result = await run(index, None, "比较年假和差旅的上限", targets=["年假", "差旅"])
    assert [query.split()[0] for query in result["queries"][:2]] == ["年假", "差旅"]
    bundle = await evidence(result)
    assert bundle.of_target("年假")[0].document == "休假.md"
    assert bundle.of_target("差旅")[0].document == "差旅.md"


async def test_an_index_that_is_not_there_is_said_and_nothing_is_made_up(index: MemoryIndex) -> None:
    model = roles(searcher=calling("年假"), rewriter="休假")
    result = await run(None, model, "年假有几天？")
    assert result["answer"] == REFUSALS["zh"]
    assert (await evidence(result)).state == "error"


async def test_nothing_found_is_no_without_asking_the_grader(index: MemoryIndex) -> None:
    model = roles(
        searcher=lambda call: calling(f"zz{len(call.messages)}"), rewriter=lambda call: f"qq{len(call.prompt())}"
    )
    result = await run(index, model, "年假有几天？")
    assert GRADE not in purposes(model)
    assert ANSWER not in purposes(model)
    assert result["answer"] == REFUSALS["zh"]


async def test_only_what_a_round_found_relevant_is_answered_from_under_its_own_label(index: MemoryIndex) -> None:
    model = roles(
        searcher=[calling("差旅住宿费"), calling("年假 工龄")],
        grader=["no", "yes"],
        rewriter="年假 工龄",
        answerer=lambda call: call.messages[-1].content,
    )
    result = await run(index, model, "休息日怎么算？")
    assert "500元" not in result["answer"]
    leave = next(item for item in (await evidence(result)).items if item.document == "休假.md")
    assert leave.label != "E1"
    assert f"[{leave.label}]" in result["answer"]


async def test_the_trace_names_each_node_as_it_is_done_and_no_text(index: MemoryIndex) -> None:
    told: list[tuple[str, dict[str, Any]]] = []
    model = roles(searcher=calling("年假"), grader="yes", answerer="有5天。[E1]")
    ports = memory_ports(index=index, model=model, emit=lambda kind, data: told.append((kind, data)))
    graph = build_retrieval_graph().compile()
    state = {"messages": ["年假有几天？"], "within": {"bases": ["库"]}}
    nodes = [node async for step in graph.astream(state, context=ports, stream_mode="updates") for node in step]
    wanted = ["generate_query_or_respond", "retrieve", "grade_documents", "generate_answer"]
    assert nodes == wanted
    assert [data["node"] for kind, data in told if kind == "note"] == wanted
    assert "年假" not in json.dumps(told, ensure_ascii=False)


async def test_a_host_that_answers_itself_gets_the_evidence(index: MemoryIndex) -> None:
    graph = build_retrieval_graph(answering=False).compile()
    model = roles(searcher=calling("年假"), grader="yes")
    ports = memory_ports(index=index, model=model)
    state = {"resolved": "年假有几天？", "within": {"bases": ["库"]}, "searching": True}
    result = await graph.ainvoke(state, context=ports)
    assert (result["score"], result["answer"]) == ("yes", "")
    assert result["fresh"][0] == "E1"


async def test_no_question_is_bad_input(index: MemoryIndex) -> None:
    with pytest.raises(InputError, match="question"):
        await run(index, None)


async def test_the_state_stays_small_though_the_passages_are_long() -> None:
    kept = MemoryIndex()
    for place in range(40):
        text = f"年假规定第{place}条：" + f"工龄与休假第{place}款的细则说明。" * 90
        one = Chunk(
            chunk_id(f"{place}.md", (), 1, text), f"{place}.md", (), 1, Span(0, len(text)), LineRange(1, 1), text
        )
        await kept.put(Entry("库", f"{place}.md", f"{place}"), [one])
    model = roles(
        searcher=lambda call: calling(*(f"年假 第{len(call.messages)}{place}条" for place in range(4))),
        grader="no",
        rewriter=lambda call: f"年假 细则 {len(call.prompt())}",
        answerer="没有。[E1]",
    )
    result = await run(kept, model, "年假有几天？")
    state = {name: value for name, value in result.items() if name != "ports"}
    assert len(json.dumps(state, ensure_ascii=False).encode()) < 20_000


async def test_the_reranker_of_the_ports_reads_what_a_search_found(index: MemoryIndex) -> None:
    reader = LexicalReranker()
    await run(
        index, None, "年假按工龄怎么计算，差旅住宿费上限是多少？", ports=memory_ports(index=index, reranker=reader)
    )
    assert reader.asked
    assert all(len(texts) > 1 for _, texts in reader.asked)
