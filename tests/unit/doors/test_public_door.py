"""The public names, the LangChain tool and the graph for Studio."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from click import Command
from langchain_core.tools import ToolException

import kaozheng
from kaozheng.cli.app import app
from kaozheng.testing.actor import act
from kaozheng.testing.server import ScriptedServer

ROOT = Path(__file__).resolve().parents[3]


def test_every_public_name_exists_and_nothing_else_is_promised() -> None:
    assert all(getattr(kaozheng, name) is not None for name in kaozheng.__all__)
    assert set(kaozheng._HOMES) == set(kaozheng.__all__)
    with pytest.raises(AttributeError, match="nothing_here"):
        _ = kaozheng.nothing_here


def test_importing_the_package_or_asking_for_help_loads_nothing_heavy() -> None:
    ours = ("kaozheng.sources", "kaozheng.documents.markdown", "kaozheng.api", "kaozheng.web")
    heavy = ("langgraph", "openai", "sqlalchemy", "numpy", "pydantic_settings", "pyromark", "yaml", "fastapi", *ours)
    code = f"import sys, kaozheng, kaozheng.cli.app; print([m for m in {heavy} if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "[]"


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "KAOZHENG_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("KAOZHENG_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_tool_returns_the_draft_of_a_folder_of_notes(alone: Path) -> None:
    from kaozheng.skill import generate_docs_skill

    assert generate_docs_skill.name == "generate_docs_skill"
    assert set(generate_docs_skill.args) == {"topic", "source_path"}
    assert generate_docs_skill.args["source_path"]["default"] == "."
    draft = generate_docs_skill.invoke({"topic": "自助借还", "source_path": str(ROOT / "examples" / "notes")})
    assert "# 自助借还" in draft


def test_the_tool_puts_documents_into_a_base(alone: Path) -> None:
    from kaozheng.skill import ingest_docs

    assert (ingest_docs.name, set(ingest_docs.args)) == ("ingest_docs", {"source_path", "kb"})
    folder = str(ROOT / "examples" / "notes")
    assert "7 added" in ingest_docs.invoke({"source_path": folder})
    assert ingest_docs.invoke({"source_path": folder}).startswith("default: 7 unchanged; 0 chunks")
    assert kaozheng.kb_search("自助借还").hits
    with pytest.raises(ToolException, match="no such file"):
        ingest_docs.invoke({"source_path": "/nope"})


def test_the_tool_explores_what_is_no_note(alone: Path) -> None:
    from kaozheng.skill import generate_docs_skill

    (alone / "main.py").write_text("def greet():\n    print(1)\n")
    document = generate_docs_skill.invoke({"topic": "x", "source_path": str(alone)})
    assert "`greet`" in document
    assert "main.py#L1-L2" in document


def test_the_tool_says_that_a_path_leads_nowhere(alone: Path) -> None:
    from kaozheng.skill import generate_docs_skill

    with pytest.raises(ToolException, match="/nope: no such file or folder"):
        generate_docs_skill.invoke({"topic": "x", "source_path": "/nope"})


def test_every_option_and_setting_says_what_it_means() -> None:
    for command in _commands(typer.main.get_command(app)):
        for parameter in command.params:
            assert getattr(parameter, "help", None), f"{command.name}: {parameter.name}"
    assert not [name for name, field in kaozheng.Settings.model_fields.items() if not field.description]


def _commands(command: Command) -> Iterator[Command]:
    yield command
    for inner in getattr(command, "commands", {}).values():
        yield from _commands(inner)


async def test_studio_s_graph_runs_without_a_context(alone: Path) -> None:
    where = json.loads((ROOT / "langgraph.json").read_text())["graphs"]["write"]
    assert where == "./src/kaozheng/studio.py:write_graph"
    from kaozheng.studio import write_graph

    graph = await write_graph()
    given = {"input_mode": "text", "context": "# 甲\n\n甲组有 3 人。\n\n# 乙\n\n乙组有 5 人。\n"}
    end = await graph.ainvoke(given, context={})  # the server passes an empty context
    assert end["is_valid"] is True
    assert end["review_pipeline"][0] == "metadata_and_structure"


async def test_studio_chooses_the_model_of_a_run(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kaozheng.studio import write_graph

    async with ScriptedServer(act) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        graph = await write_graph()
        given = {"input_mode": "text", "context": "# 甲\n\n甲组有 3 人。\n\n# 乙\n\n乙组有 5 人。\n"}
        offline = await graph.ainvoke(given)
        assert not server.requests
        end = await graph.ainvoke(given, {"configurable": {"model_name": "openai:scripted"}})
    assert {one["by"] for one in offline["sections"].values()} == {"offline"}
    assert {one["by"] for one in end["sections"].values()} == {"model"}


async def test_studio_s_loop_searches_all_bases_and_goes_on_in_its_thread(alone: Path) -> None:
    from langgraph.checkpoint.memory import InMemorySaver

    where = json.loads((ROOT / "langgraph.json").read_text())["graphs"]["retrieve"]
    assert where == "./src/kaozheng/studio.py:retrieve_graph"
    from kaozheng.studio import retrieve_graph

    (alone / "hr.md").write_text("# 休假\n\n工龄满一年的员工每年有5天年假。\n", encoding="utf-8")
    (alone / "it.md").write_text("# 备份\n\n数据备份每晚两点运行，保留30天。\n", encoding="utf-8")
    await kaozheng.api.akb_add([alone / "hr.md"], "人事")
    await kaozheng.api.akb_add([alone / "it.md"], "技术")
    graph = await retrieve_graph()
    graph.checkpointer = InMemorySaver()
    config = {"configurable": {"thread_id": "1"}}
    first = await graph.ainvoke({"messages": [{"role": "user", "content": "年假有几天？"}]}, config, context={})
    second = await graph.ainvoke({"messages": [{"type": "human", "content": "备份保留多少天？"}]}, config, context={})
    assert first["messages"][-1]["content"] == "工龄满一年的员工每年有5天年假。[E1]"
    assert second["messages"][-1]["content"] == "数据备份每晚两点运行，保留30天。[E1]"


async def test_the_api_can_be_called_inside_a_running_loop(alone: Path) -> None:
    result = kaozheng.write(text="# 甲\n\n甲组有 3 人。\n\n# 乙\n\n乙组有 5 人。\n")
    assert "甲组有 3 人。" in result.document
