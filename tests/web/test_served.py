"""The whole way: knowledge bases on disk, a model behind the scripted server, a key, and clients over HTTP."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys

import httpx2
import openai
import pytest

from kaozheng.api.keys import add_key, list_keys, remove_key
from kaozheng.errors import InputError
from kaozheng.settings import Settings
from kaozheng.testing.actor import act
from kaozheng.testing.chat import schema_of
from kaozheng.testing.server import ScriptedServer
from kaozheng.web.opening import open_service, serve

TEXT = "# 借还机\n\n自助借还机于 2024 年 6 月 3 日投入使用。\n\n## 地点\n\n机器放在一楼大厅。\n"
QUESTION = "自助借还机什么时候投入使用？"


def playing(request):
    """The actor, who does not plan questions; a plan that says nothing is completed by rule."""
    return '{"kind": "qa"}' if "clarification" in str(schema_of(request)) else act(request)


@pytest.fixture
def settings(tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith(("KAOZHENG_", "OPENAI_", "MODEL_ID"))]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return Settings(data=tmp_path / "data")


async def test_document_is_uploaded_asked_about_cited_deleted_and_not_cited_any_more(settings, tools, tmp_path):
    token = await asyncio.to_thread(lambda: add_key("ann", settings=settings).token)
    async with ScriptedServer(playing) as model:
        chosen = settings.model_copy(update={"model": "openai:scripted", "openai_base_url": model.base_url})
        async with open_service(chosen) as behind, tools.serving(behind) as url:
            headers = {"Authorization": f"Bearer {token}"}
            async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=30) as client:
                files = {"files": ("机器.md", TEXT.encode())}
                added = (await client.post("/v1/kb/馆务/documents", files=files)).json()
                async with client.stream("POST", "/v1/ask", json={"question": QUESTION, "bases": ["馆务"]}) as response:
                    events = await tools.events_of(response)
                session = events[-1][2]["session"]
                turns = (await client.get(f"/v1/sessions/{session}")).json()["turns"]
                async with openai.AsyncOpenAI(api_key=token, base_url=f"{url}/v1", max_retries=0) as official:
                    messages = [{"role": "user", "content": QUESTION}]
                    done = await official.chat.completions.create(model="kaozheng/馆务", messages=messages)
                gone = await client.delete("/v1/kb/馆务/documents/机器.md")
                after = (await client.post("/v1/ask", json={"question": QUESTION, "stream": False})).json()
    assert added["counts"] == {"added": 1}
    assert added["base"] == "馆务"
    text = "".join(data["text"] for _, kind, data in events if kind == "delta")
    (ready,) = [data["result"] for _, kind, data in events if kind == "ready"]
    assert text == ready["answer"]
    assert "2024 年 6 月 3 日" in text
    assert [(one["label"], one["base"], one["document"]) for one in ready["citations"]] == [("E1", "馆务", "机器.md")]
    assert turns[0]["citations"] == ready["citations"]
    assert "机器.md" in done.choices[0].message.content
    assert gone.json() == {"deleted": True}
    assert (after["status"], after["citations"]) == ("refused", [])


async def test_path_of_this_machine_is_no_page_and_no_inside_address_is_fetched(settings, tools, tmp_path):
    (tmp_path / "secret.md").write_text("# 秘密\n\n紫电77\n", encoding="utf-8")
    token = await asyncio.to_thread(lambda: add_key("ann", settings=settings).token)
    async with ScriptedServer(act) as inside, open_service(settings) as behind, tools.serving(behind) as url:
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=30) as client:
            path = await client.post("/v1/kb/x/documents", json={"url": str(tmp_path / "secret.md")})
            page = await client.post("/v1/kb/x/documents", json={"url": inside.base_url})
            found = await client.get("/v1/kb/x/documents")
        asked = list(inside.log)
    assert path.status_code == 400
    assert page.json()["counts"] == {"failed": 1}
    assert found.status_code in (200, 404)
    assert "紫电77" not in f"{path.text} {page.text} {found.text}"
    assert not asked


def test_keys_are_made_listed_and_removed(settings):
    made = add_key("ann", admin=True, settings=settings)
    assert re.fullmatch(r"kz_[\w-]{43}", made.token)
    assert made.token not in repr(made)
    assert [(one.name, one.admin) for one in list_keys(settings)] == [("ann", True)]
    with pytest.raises(InputError, match="already"):
        add_key("ann", settings=settings)
    remove_key("ann", settings)
    with pytest.raises(InputError, match="no key"):
        remove_key("ann", settings)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "library.example"])
def test_without_a_key_only_this_machine_is_served(settings, host):
    with pytest.raises(InputError, match="keys add"):
        serve(settings, host, 0, lambda address: None)


def test_taken_port_is_one_clear_line(settings):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(InputError, match="cannot be listened on"):
            serve(settings, "127.0.0.1", taken.getsockname()[1], lambda address: None)


def test_command_says_where_it_serves_and_ends_on_ctrl_c(tmp_path):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("KAOZHENG_", "OPENAI_"))}
    environment["KAOZHENG_DATA"] = str(tmp_path / "data")
    command = [sys.executable, "-m", "kaozheng", "serve", "--port", "0"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        said = process.stdout.readline()
        address = re.search(r"http://\S+", said)[0]
        with httpx2.Client(base_url=address) as client:
            answer = client.post("/v1/ask", json={"question": QUESTION, "stream": False})
        process.send_signal(signal.SIGINT)
        rest, wrong = process.communicate(timeout=15)
    assert answer.json()["status"] == "refused"
    assert (process.returncode, rest, wrong) == (0, "", "")
