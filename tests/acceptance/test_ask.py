"""`kaozheng ask` and `kaozheng chat` from outside: what they print, and how they end."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from kaozheng.cli.loop_thread import LoopThread
from kaozheng.testing.actor import act
from kaozheng.testing.asking import is_answering
from kaozheng.testing.faults import Fault
from kaozheng.testing.server import ScriptedServer

LEAVE = "# 员工手册\n\n## 休假\n\n工龄满一年的员工每年有5天年假，满十年的有10天。\n"
TRIPS = "# Travel\n\nHotels are paid up to 120 euros a night. Trains are preferred to planes.\n"
COMMAND = [sys.executable, "-c", "from kaozheng.cli import main; main()"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with two notes that are in its base: each command takes seconds on a busy machine."""
    tmp_path = tmp_path_factory.mktemp("ask")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "hr.md").write_text(LEAVE, encoding="utf-8")
    (tmp_path / "notes" / "travel.md").write_text(TRIPS, encoding="utf-8")
    return tmp_path


def environment(place, **more):
    env = {name: value for name, value in os.environ.items() if not name.startswith(("KAOZHENG", "OPENAI"))}
    return env | {"KAOZHENG_DATA": str(place / "data"), "PYTHONIOENCODING": "utf-8", **more}


@pytest.fixture(scope="module")
def kaozheng(place):
    def run(*words, stdin="", **more):
        return subprocess.run(
            [*COMMAND, *map(str, words)], env=environment(place, **more), cwd=place, capture_output=True, text=True,
            encoding="utf-8", timeout=120, check=False, input=stdin,
        )  # fmt: skip

    done = run("kb", "add", "notes")
    assert done.returncode == 0, done.stderr
    return run


def test_an_answer_has_its_places_and_ends_with_0(kaozheng):
    done = kaozheng("ask", "工龄满一年的员工有几天年假？")
    assert done.returncode == 0, done.stderr
    answer, sources = done.stdout.split("\n\n出处:\n")
    assert answer == "工龄满一年的员工每年有5天年假，满十年的有10天。[E1]"
    assert sources.startswith("  [E1]  员工手册 > 休假  notes/hr.md:5\n")
    assert "\x1b" not in done.stdout


def test_what_is_not_in_the_sources_is_said_and_ends_with_1(kaozheng):
    done = kaozheng("ask", "珠穆朗玛峰有多高？")
    assert done.returncode == 1
    assert done.stdout.startswith("很抱歉，在知识库中未能找到相关解答")
    assert "[E" not in done.stdout


def test_bad_input_is_one_line_and_2(kaozheng):
    for words in (("ask", "  "), ("ask", "年假？", "--kb", "nowhere"), ("ask", "年假？", "--session", "s_none")):
        done = kaozheng(*words)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), words


def test_json_has_all_of_the_result_and_a_question_may_come_from_standard_input(kaozheng):
    done = kaozheng("ask", "-", "--json", stdin="How much is paid for hotels?\n")
    result = json.loads(done.stdout)
    assert (done.returncode, result["status"], result["by"]) == (0, "answered", "offline")
    assert result["citations"][0]["lines"] == [3, 3]
    assert "120 euros" in result["answer"]


def test_a_conversation_in_a_pipe_goes_on_in_its_session(kaozheng):
    done = kaozheng("chat", stdin="工龄满一年的员工有几天年假？\n满十年的呢？\n/sources\n/quit\n珠穆朗玛峰有多高？\n")
    assert done.stdout.count("10天") >= 2
    assert "很抱歉" not in done.stdout
    assert done.returncode == 0, done.stderr


def test_a_conversation_in_a_pipe_ends_with_the_worst_of_its_answers(kaozheng):
    assert kaozheng("chat", stdin="珠穆朗玛峰有多高？\n工龄满一年的员工有几天年假？\n").returncode == 1


def test_an_article_is_answered_from(kaozheng, place):
    (place / "news.md").write_text("# 公告\n\n图书馆周一闭馆。\n", encoding="utf-8")
    done = kaozheng("ask", "这篇文章说哪天闭馆？", "--article", "news.md")
    assert "周一闭馆" in done.stdout


@pytest.fixture
def serving():
    """Starts scripted servers beside the commands."""
    with LoopThread() as loop:
        servers = []

        def start(*faults):
            servers.append(ScriptedServer(act, faults=faults))
            loop.run(servers[-1].start())
            return servers[-1]

        yield start
        for server in servers:
            loop.run(server.stop())


def test_with_a_model_the_loop_searches_and_the_answer_is_the_model_s(kaozheng, serving):
    url = serving().base_url
    done = kaozheng("ask", "工龄满一年的员工有几天年假？", "--json", "--model", "openai:x", OPENAI_BASE_URL=url)
    result = json.loads(done.stdout)
    assert (result["by"], result["status"]) == ("model", "answered"), done.stderr
    assert "5天" in result["answer"]
    assert result["searched"]


def test_ctrl_c_stops_the_answer_and_not_the_conversation(kaozheng, serving, place):
    server = serving(Fault("delay", count=1, match="answer", delay_s=8.0))
    env = environment(place, OPENAI_BASE_URL=server.base_url, KAOZHENG_MODEL="openai:x")
    talk = subprocess.Popen(
        [*COMMAND, "chat"], env=env, cwd=place, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip
    talk.stdin.write("工龄满一年的员工有几天年假？\n")
    talk.stdin.flush()
    until = time.monotonic() + 60
    while time.monotonic() < until and not any(map(is_answering, systems(server))):
        time.sleep(0.05)
    talk.send_signal(signal.SIGINT)
    out, err = talk.communicate("工龄满十年的员工有几天年假？\n", timeout=90)
    assert "(stopped" in err
    assert "10天" in out
    assert talk.returncode == 0, err


def systems(server):
    return [str(request["messages"][0]["content"]) for request in list(server.requests)]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("chat", "--session", "nope"), "there is no session 'nope'"),
        (("chat", "--kb", "nosuch"), "there is no knowledge base 'nosuch'"),
        (("ask", "年假？", "--article", "notes"), "notes: the article is a folder"),
        (("ask", '" OR 1=1 --'), "the question is empty"),
    ],
)
def test_what_cannot_be_meant_is_said_at_once(kaozheng, words, says):
    done = kaozheng(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
