"""What a user or a shell may hand over that cannot be used: one clear line, the right exit code, nothing lost."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

NOTES = Path(__file__).resolve().parents[2] / "examples" / "notes"
COMMAND = [sys.executable, "-c", "from kaozheng.cli import main; main()"]
Run = Callable[..., subprocess.CompletedProcess[str]]


def environment(folder: Path, **more: str) -> dict[str, str]:
    hidden = ("KAOZHENG", "OPENAI", "PYTHONUTF8", "PYTHONIOENCODING", "LC_", "LANG")
    env = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    return env | {"KAOZHENG_DATA": str(folder / "data"), "HOME": str(folder / "home"), "LANG": "C.UTF-8"} | more


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the command in an empty folder; `shell` is put behind it (redirections)."""

    def command(*words: object, shell: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        given = [*COMMAND, *(word if isinstance(word, bytes) else str(word) for word in words)]
        line = ["sh", "-c", f'exec "$@" {shell}', "sh", *given]
        done = subprocess.run(
            line, env=environment(tmp_path, **more), cwd=tmp_path, capture_output=True, timeout=120, check=False
        )
        said = (done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))
        return subprocess.CompletedProcess(done.args, done.returncode, *said)

    return command


def refused(done: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    assert done.returncode == code, done.stderr
    assert len(done.stderr.strip().split("\n")) == 1, done.stderr
    for word in words:
        assert word in done.stderr


def no_run(folder: Path) -> bool:
    return not list((folder / "data" / "runs").glob("*"))


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ({"OPENAI_BASE_URL": "http://[::1"}, ("OPENAI_BASE_URL", "host or port")),
        ({"OPENAI_BASE_URL": "http://h:99999/v1"}, ("OPENAI_BASE_URL", "host or port")),
        ({"OPENAI_BASE_URL": "https://u:sk-hidden@h/v1"}, ("OPENAI_BASE_URL", "user name")),
        ({"OPENAI_API_KEY": "sk-hidden\nx"}, ("OPENAI_API_KEY", "line break")),
        ({"OPENAI_API_KEY": "sk-hidden密"}, ("OPENAI_API_KEY", "ASCII")),
        ({"HTTPS_PROXY": "ftp://sk-hidden@h"}, ("HTTPS_PROXY",)),
    ],
)
def test_a_wrong_address_or_key_is_found_before_the_run_and_by_doctor(run: Run, tmp_path: Path, names, words):
    chosen = {"KAOZHENG_MODEL": "openai:m", "OPENAI_API_KEY": "sk-hidden", **names}
    done = run("write", "--notes", NOTES, **chosen)
    refused(done, 2, *words)
    found = run("doctor", "--json", **chosen)
    model = next(one for one in json.loads(found.stdout) if one["what"] == "model")
    assert (found.returncode, model["ok"], words[0] in model["says"]) == (1, False, True)
    assert "sk-hidden" not in done.stderr + found.stdout + found.stderr
    assert no_run(tmp_path)


def test_a_wrong_embedder_is_found_before_the_run(run: Run, tmp_path: Path):
    refused(run("write", "--notes", NOTES, KAOZHENG_EMBEDDER="bogus"), 2, "bogus")
    chosen = {"KAOZHENG_EMBEDDER": "openai:e", "OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://[::1"}
    refused(run("write", "--notes", NOTES, **chosen), 2, "OPENAI_BASE_URL")
    assert run("doctor", **chosen).returncode == 1
    assert no_run(tmp_path)


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("file/x.md", "a file stands where a folder is needed"),
        ("file/y/x.md", "a file stands"),
        ("folder", "it is a folder"),
        ("", "a path is empty"),
        ("locked.md", "read-only"),
        ("long" * 90 + ".md", "too long"),
        ("/proc/nowhere/x.md", "cannot be made"),
    ],
)
def test_an_output_that_cannot_be_written_is_noticed_before_the_run(run: Run, tmp_path: Path, output: str, why: str):
    (tmp_path / "file").write_text("甲")
    (tmp_path / "folder").mkdir()
    (tmp_path / "locked.md").write_text("旧")
    (tmp_path / "locked.md").chmod(0o444)
    before = sorted(tmp_path.iterdir())
    refused(run("write", "--notes", NOTES, "-o", output), 2, why)
    assert no_run(tmp_path)
    assert sorted(tmp_path.iterdir()) == before
    if not why.startswith("a path"):
        refused(run("graph", "write", "--svg", output), 2, why)


def test_looking_at_the_output_leaves_it_alone(run: Run, tmp_path: Path):
    (tmp_path / "out.md").write_text("旧")
    refused(run("write", "--notes", "nowhere", "-o", "out.md"), 2, "nowhere")
    refused(run("write", "--notes", "nowhere", "-o", "a/b/out.md"), 2, "nowhere")
    assert (tmp_path / "out.md").read_text() == "旧"
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("write", "--notes", ""), "empty"),
        (("write", "--text", ""), "empty"),
        (("write", "--code", " "), "empty"),
        (("review", ""), "empty"),
        (("write", "--notes", NOTES, "--topic", "# 目录"), "cannot be the topic"),
        (("write", "--notes", NOTES, "--topic", "References"), "cannot be the topic"),
        (("write", "--notes", NOTES, "--topic", "***"), "cannot be the topic"),
        (("write", "--notes", NOTES, "--topic", b"\xff"), "UTF-8"),
        (("runs", "show", b"\xff"), "UTF-8"),
        (("runs", "fork", b"\xff", "12345678"), "UTF-8"),
    ],
)
def test_empty_and_unreadable_words_are_refused(run: Run, tmp_path: Path, words: tuple, said: str):
    (tmp_path / "stray.md").write_text("# 不该被读\n\n它在工作目录里。\n")
    refused(run(*words), 2, said)
    assert no_run(tmp_path)


def test_a_topic_becomes_one_plain_heading(run: Run, tmp_path: Path):
    topic = "## C++ <vector>\x1b[31m 入门\u202e"
    assert run("write", "--notes", NOTES, "--topic", topic, "-o", "o.md").returncode == 0
    text = (tmp_path / "o.md").read_text()
    assert text.startswith("---\ntitle: C++ <vector> 入门\n")
    assert "\n# C++ &lt;vector> 入门\n" in text
    assert run("write", "--notes", NOTES, "--topic", "  ", "--json").returncode == 0


def test_an_empty_data_folder_is_the_default_one(run: Run, tmp_path: Path):
    assert run("runs", "list", KAOZHENG_DATA="").returncode == 0
    assert (tmp_path / "home" / ".kaozheng" / "runs.db").exists()
    assert not (tmp_path / "runs.db").exists()
    refused(run("runs", "list", KAOZHENG_DATA="~nobody-here/x"), 2, "~nobody-here")
    assert "~nobody-here" in run("doctor", KAOZHENG_DATA="~nobody-here/x").stdout


def _file(place: Path) -> None:
    place.write_text("甲")


def _no_database(place: Path) -> None:
    place.mkdir()
    (place / "runs.db").write_bytes(b"x" * 9_000)


def _a_folder_as_database(place: Path) -> None:
    (place / "runs.db").mkdir(parents=True)


def _database_without_tables(place: Path) -> None:
    place.mkdir()
    connection = sqlite3.connect(place / "runs.db")
    connection.executescript(
        "CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('0001')"
    )
    connection.close()


def _newer_database(place: Path) -> None:
    place.mkdir()
    connection = sqlite3.connect(place / "runs.db")
    connection.executescript(
        "CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('9999')"
    )
    connection.close()


def _runs_is_a_file(place: Path) -> None:
    place.mkdir()
    (place / "runs").write_text("甲")


@pytest.mark.parametrize(
    "spoil",
    [_file, _no_database, _a_folder_as_database, _database_without_tables, _newer_database, _runs_is_a_file],
)
def test_a_data_folder_that_cannot_be_used_is_one_line_and_found_by_doctor(run: Run, tmp_path: Path, spoil):
    spoil(tmp_path / "data")
    done = run("write", "--notes", NOTES, "--json")
    refused(done, 3, str(tmp_path / "data"))
    found = run("doctor")
    assert (found.returncode, found.stderr) == (1, "")
    assert found.stdout.startswith("missing data folder: ")


def test_doctor_makes_nothing(run: Run, tmp_path: Path):
    assert run("doctor").returncode == 0
    assert not list(tmp_path.iterdir())


def test_a_limit_beyond_any_number_lists_all_runs(run: Run):
    assert run("runs", "list", "--limit", "9" * 30).returncode == 0


def test_a_settings_file_nested_without_end_is_refused(run: Run, tmp_path: Path):
    (tmp_path / "kaozheng.toml").write_text("a = " + "[" * 20_000)
    refused(run("doctor"), 2, "nested too deeply")


@pytest.mark.parametrize("words", [("doctor",), ("doctor", "--json"), ("--help",), ("rules", "list")])
def test_a_full_standard_output_is_one_line(run: Run, words: tuple):
    refused(run(*words, shell="> /dev/full"), 3, "output cannot be written")


def test_closed_streams_do_no_harm(run: Run, tmp_path: Path):
    refused(run("write", "--text", "-", shell="<&-"), 2, "standard input is closed")
    assert run("doctor", shell=">&-").stderr == ""
    assert run("doctor", shell="2>&-").returncode == 0
    assert run("runs", "show", "nix", shell="2>&-").returncode == 2
    assert run("write", "--notes", NOTES, "-o", "o.md", shell="<&- >&- 2>&-").returncode == 0
    assert (tmp_path / "o.md").read_text().startswith("---\n")


@pytest.mark.parametrize(
    "names",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_an_output_encoding_without_our_characters_does_no_harm(run: Run, names: dict[str, str]):
    assert run("--help", **names).returncode == 0
    assert run("rules", "list", **names).returncode == 0
    done = run("write", "--notes", NOTES, "--topic", "会议", "--json", **names)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["report"]["title"] == "会议"


def test_fork_speaks_of_the_run_and_the_checkpoint_before_the_key(run: Run, tmp_path: Path):
    made = json.loads(run("write", "--notes", NOTES, "--json").stdout)
    connection = sqlite3.connect(tmp_path / "data" / "runs.db")
    connection.execute("UPDATE runs SET request = json_set(request, '$.model', 'openai:m')")
    connection.commit()
    connection.close()
    refused(run("runs", "fork", "nothing", "12345678"), 2, "nothing")
    refused(run("runs", "fork", made["run"], "zzzzzzzz"), 2, "'zzzzzzzz'")
    newest = json.loads(run("runs", "checkpoints", made["run"], "--json").stdout)[-1]["short"]
    refused(run("runs", "fork", made["run"], newest), 2, "OPENAI_API_KEY")


def interrupted(folder: Path, pauses_s: list[float]) -> tuple[int, str]:
    process = subprocess.Popen(
        [*COMMAND, "write", "--notes", str(NOTES), "--json"],
        env=environment(folder), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    for pause_s in pauses_s:
        time.sleep(pause_s)
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    return process.returncode, said.decode()


@pytest.mark.parametrize("pauses_s", [[0.15], [0.4], [0.9], [0.9, 0.02], [1.6, 0.1]])
def test_ctrl_c_at_any_time_and_twice_leaves_no_traceback(tmp_path: Path, pauses_s: list[float]):
    code, said = interrupted(tmp_path, pauses_s)
    assert "Traceback" not in said
    assert code in {0, 3, 130, -signal.SIGINT}
    assert len(said.strip().split("\n")) == 1
