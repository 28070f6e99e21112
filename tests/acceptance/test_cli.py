"""The installed command from outside: what it prints, what it leaves, how it ends."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTES = ROOT / "examples" / "notes"
Kaozheng = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def kaozheng(tmp_path: Path) -> Kaozheng:
    """Run the command in an empty folder, with a data folder of its own and no settings of the machine."""

    def run(
        *words: object, stdin: str | bytes = "", **more: str | Callable[[], None]
    ) -> subprocess.CompletedProcess[str]:
        before = more.pop("preexec_fn", None)
        hidden = ("KAOZHENG", "OPENAI")
        env = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
        env |= {"KAOZHENG_DATA": str(tmp_path / "data"), "PYTHONIOENCODING": "utf-8", **more}  # type: ignore[dict-item]
        given = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [sys.executable, "-c", "from kaozheng.cli import main; main()", *map(str, words)],
            env=env, cwd=tmp_path, input=given, capture_output=True, timeout=120, check=False, preexec_fn=before,
        )  # fmt: skip
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


def one_line(done: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    """The error is one clear line on stderr, the exit code is right, and nothing else is said."""
    assert done.returncode == code, done.stderr
    lines = done.stderr.strip().split("\n")
    assert len(lines) == 1, done.stderr
    for word in words:
        assert word in lines[0]


def test_write_leaves_a_document_that_passes_its_own_review(kaozheng: Kaozheng, tmp_path: Path) -> None:
    done = kaozheng("write", "--notes", NOTES, "--topic", "自助借还项目说明", "-o", "out.md")
    assert done.returncode == 0, done.stdout
    assert "section 1/7" in done.stderr
    assert (tmp_path / "out.md").read_text(encoding="utf-8").startswith("---\ntitle: 自助借还项目说明\n")
    assert kaozheng("review", "out.md").returncode == 0


def test_the_report_obeys_the_rules_that_can_apply_to_a_report(kaozheng: Kaozheng) -> None:
    folder = json.loads(kaozheng("write", "--notes", NOTES, "--json").stdout)["folder"]
    told = json.loads(kaozheng("review", Path(folder) / "report.md", "--format", "json").stdout)
    found = {one["check"] for one in told[0]["violations"]}
    assert found == {"front-matter-keys", "required-sections"}


def test_write_prints_one_json_object(kaozheng: Kaozheng) -> None:
    done = kaozheng("write", "--notes", NOTES, "--json")
    told = json.loads(done.stdout)
    assert done.stderr == ""
    assert told["exit_code"] == done.returncode
    assert Path(told["document"]).is_file()


def test_text_comes_from_standard_input(kaozheng: Kaozheng) -> None:
    text = (ROOT / "examples" / "text" / "meeting.txt").read_text(encoding="utf-8")
    done = kaozheng("write", "--text", "-", "--topic", "会议", "--json", stdin=text.encode("gb18030"))
    assert json.loads(done.stdout)["report"]["title"] == "会议"


def test_runs_are_listed_shown_and_not_run_twice(kaozheng: Kaozheng) -> None:
    run = json.loads(kaozheng("write", "--notes", NOTES, "--json").stdout)["run"]
    assert run in kaozheng("runs", "list").stdout
    shown = json.loads(kaozheng("runs", "show", run, "--json").stdout)
    assert shown["status"] == "done"
    assert shown["steps"]["write_section"] == 7
    one_line(kaozheng("runs", "resume", run), 2, run, "done and complete")


def test_a_finished_run_is_forked_right_after_it_was_assembled(kaozheng: Kaozheng, tmp_path: Path) -> None:
    old = json.loads(kaozheng("write", "--notes", NOTES, "--json").stdout)
    known = json.loads(kaozheng("runs", "checkpoints", old["run"], "--json").stdout)
    at = next(one for one in known if one["after"] == ["assemble"])
    assert (at["next"], at["sections"]) == (["review_metadata_and_structure"], 7)
    assert "current_draft" in at["changed"]
    listed = kaozheng("runs", "checkpoints", old["run"]).stdout.splitlines()
    (line,) = [one for one in listed if one.startswith(at["short"])]
    assert "after assemble, next review_metadata_and_structure  draft changed  review 0/6" in line
    done = kaozheng("runs", "fork", old["run"], at["short"], "-o", "out.md", "--json")
    new = json.loads(done.stdout)
    assert (done.returncode, done.stderr, new["run"] == old["run"]) == (0, "", False)
    documents = [Path(told["document"]).read_bytes() for told in (old, new)]
    assert documents[0] == documents[1] == (tmp_path / "out.md").read_bytes()
    shown = json.loads(kaozheng("runs", "show", new["run"], "--json").stdout)
    assert shown["request"]["forked_from"] == {"run": old["run"], "checkpoint": at["id"]}
    assert "plan" not in shown["steps"]
    assert shown["artifacts"]["outline.json"][0]["step"] == "plan"
    told = kaozheng("runs", "show", new["run"]).stdout
    assert f"forked  from {old['run']} at {at['id']}" in told
    assert re.search(r"document\.md +1 version +deliver\n", told)
    assert re.search(r"draft_wip\.md +4 versions +revise_content_style\n", told)
    one_line(kaozheng("runs", "fork", old["run"], "zzzz"), 2, old["run"], "'zzzz'", "kaozheng runs checkpoints")


def test_a_run_does_not_go_on_with_another_rule_book(kaozheng: Kaozheng) -> None:
    done = json.loads(kaozheng("write", "--notes", NOTES, "--json").stdout)
    (Path(done["folder"]) / "rules.md").write_text("## 甲 {#zz}\n\n1.1 一。\n", encoding="utf-8")
    one_line(kaozheng("runs", "resume", done["run"]), 2, "another rule book")


def test_a_file_that_cannot_be_mended_is_no_run_to_resume(kaozheng: Kaozheng, tmp_path: Path) -> None:
    (tmp_path / "d.md").write_text("# 甲\n\n使用GitHub登录。\n", encoding="utf-8")

    def no_space() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, 1))

    done = kaozheng("review", "d.md", "--fix", preexec_fn=no_space)
    assert (done.returncode, "d.md: cannot be written" in done.stderr) == (2, True)
    assert "GitHub登录" in (tmp_path / "d.md").read_text(encoding="utf-8")


def test_the_package_runs_as_a_module(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "kaozheng", "--version"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.split()[0]) == (0, "kaozheng")


def test_review_finds_and_mends(kaozheng: Kaozheng, tmp_path: Path) -> None:
    draft = tmp_path / "d.md"
    draft.write_text(
        "---\ntitle: 甲\ndate: 2026-01-01\n---\n\n# 甲\n\n用Python写成,很稳定。\n\n## 参考资料\n\n无\n",
        encoding="utf-8",
    )
    found = kaozheng("review", "d.md")
    assert found.returncode == 1
    assert "d.md:8:" in found.stdout
    kaozheng("review", "d.md", "--fix")
    assert "用 Python 写成，很稳定。" in draft.read_text(encoding="utf-8")
    told = json.loads(kaozheng("review", "d.md", "--format", "json").stdout)
    assert [one["violations"] for one in told] == [[]]


def test_mending_keeps_the_form_of_the_file(kaozheng: Kaozheng, tmp_path: Path) -> None:
    lines = ["---", "title: 甲", "date: 2026-01-01", "---", "", "# 甲", "", "用Python写成,这里的文字很稳定。", ""]
    gbk = tmp_path / "gbk.md"
    before = "\r\n".join([*lines, "## 参考资料", "", "无"])  # no line end at the end
    gbk.write_bytes(before.encode("gbk"))
    marked = tmp_path / "marked.md"
    mixed = before.replace("甲\r\n", "甲\n", 1)
    marked.write_bytes(b"\xef\xbb\xbf" + mixed.encode())
    assert kaozheng("review", "gbk.md", "marked.md", "--fix").returncode == 0
    mended = ("用Python写成,", "用 Python 写成，")
    assert gbk.read_bytes() == before.replace(*mended).encode("gbk")
    assert marked.read_bytes() == b"\xef\xbb\xbf" + mixed.replace(*mended).encode()


def test_a_change_that_the_encoding_lacks_leaves_the_file(kaozheng: Kaozheng, tmp_path: Path) -> None:
    book = tmp_path / "b.md"
    book.write_text('## 甲 {#names}\n\n1.1 名称。\n\n```check\nname = "name-case"\nnames = ["CAFÉ"]\n```\n', "utf-8")
    text = "这里说的是我们的 café 的文字\n"  # GBK has é, and no É
    files = {"gbk.md": text.encode("gbk"), "utf8.md": text.encode()}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    done = kaozheng("review", *files, "--fix", "--rules", book)
    one_line(done, 1, "gbk.md", "left as it is", "U+00C9", "gbk")
    assert (tmp_path / "gbk.md").read_bytes() == files["gbk.md"]
    assert (tmp_path / "utf8.md").read_text(encoding="utf-8") == text.replace("café", "CAFÉ")
    assert "utf8.md: 0 violations, fixed" in done.stdout
    assert "gbk.md: 0 violations, fixed" not in done.stdout


def test_rules_are_built_once_tested_and_listed(kaozheng: Kaozheng, tmp_path: Path) -> None:
    assert "built" in kaozheng("rules", "build").stdout
    assert "unchanged" in kaozheng("rules", "build").stdout
    assert kaozheng("rules", "test").returncode == 0
    assert kaozheng("rules", "test", "--rules", "en-tech").returncode == 0
    assert "typography_and_symbols" in kaozheng("rules", "list").stdout
    book = tmp_path / "b.md"
    book.write_text(
        '## 甲\n\n1.1 不用感叹号。\n\n```check\nname = "han-latin-space"\n```\n\n```bad\n没有问题的句子。\n```\n',
        encoding="utf-8",
    )
    failed = kaozheng("rules", "test", "--rules", book)
    assert failed.returncode == 1
    assert "1.1" in failed.stdout


def test_a_new_module_in_the_book_is_a_new_pair_of_nodes(kaozheng: Kaozheng, tmp_path: Path) -> None:
    book = tmp_path / "b.md"
    book.write_text("## 甲 {#first}\n\n1.1 一。\n\n## 乙 {#second}\n\n2.1 二。\n", encoding="utf-8")
    told = kaozheng("graph", "write", "--rules", book, "--svg", "g.svg")
    assert told.returncode == 0, told.stderr
    picture = (tmp_path / "g.svg").read_text(encoding="utf-8")
    mermaid = kaozheng("graph", "write", "--rules", book).stdout
    for name in ("review_first", "revise_first", "review_second", "revise_second", "process_notes", "scan_code"):
        assert name in picture
        assert name in mermaid


def test_doctor_names_what_is_missing_without_a_secret(kaozheng: Kaozheng) -> None:
    fine = kaozheng("doctor")
    assert fine.returncode == 0
    wrong = kaozheng("doctor", KAOZHENG_MODEL="openai:x", OPENAI_API_KEY="", KAOZHENG_RULES="nowhere.md")
    assert wrong.returncode == 1
    assert "OPENAI_API_KEY" in wrong.stdout
    assert "nowhere.md" in wrong.stdout
    secret = kaozheng("doctor", "--json", KAOZHENG_MODEL="openai:x", OPENAI_API_KEY="sk-very-secret")
    assert "very-secret" not in secret.stdout + secret.stderr


def test_doctor_pings_what_is_configured_and_nothing_else(kaozheng: Kaozheng) -> None:
    nobody = kaozheng("doctor", "--ping", KAOZHENG_MODEL="local:m", LOCAL_BASE_URL="http://127.0.0.1:9/v1")
    assert nobody.returncode == 1
    assert re.search(
        r"missing ping local:m: no answer after \d+\.\d s: the connection to 127\.0\.0\.1:9", nobody.stdout
    )
    for model in ("", "openai:m"):
        assert " ping " not in kaozheng("doctor", "--ping", KAOZHENG_MODEL=model).stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("write", "--notes", "nowhere"), ("nowhere",)),
        (("write", "--notes", "empty"), ("empty", "no readable file")),
        (("write", "--text", "odd.txt"), ("odd.txt", "GB18030")),
        (("write", "--notes", NOTES, "--rules", "plain.md"), ("plain.md", "numbered rule")),
        (("write", "--notes", NOTES, "--rules", "twice.md"), ("twice.md", "1.1", "line")),
        (("write", "--notes", NOTES, "--rules", "nowhere.md"), ("nowhere.md",)),
        (("write", "--notes", NOTES, "--model", "gpt-4"), ("gpt-4", "openai:NAME")),
        (("write", "--notes", NOTES, "--model", "openai:gpt-4"), ("OPENAI_API_KEY",)),
        (("write", "--code", "nowhere"), ("nowhere", "no such folder")),
        (("write",), ("exactly one of --text, --notes and --code",)),
        (("write", "--text", "a", "--notes", "b"), ("--text",)),
        (("runs", "resume", "20200101_000000_none"), ("20200101_000000_none",)),
        (("runs", "show", "nothing"), ("nothing",)),
        (("runs", "checkpoints", "nothing"), ("nothing",)),
        (("runs", "fork", "nothing", "12345678"), ("nothing",)),
        (("review", "empty"), ("empty", "folder")),
        (("graph", "fly"), ("fly", "write")),
    ],
)  # fmt: skip
def test_bad_input_is_one_clear_line_and_exit_2(kaozheng: Kaozheng, tmp_path: Path, words: tuple, said: tuple) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "odd.txt").write_bytes(bytes(range(128, 256)) * 9)
    (tmp_path / "plain.md").write_text("# 书\n\n## 模块\n\n没有编号。\n", encoding="utf-8")
    (tmp_path / "twice.md").write_text("## 模块\n\n1.1 甲。\n\n1.1 乙。\n", encoding="utf-8")
    done = kaozheng(*words)
    one_line(done, 2, *said)
    assert not (tmp_path / "data" / "runs").exists() or not list((tmp_path / "data" / "runs").iterdir())


def test_a_full_disk_stops_the_run_and_says_so(kaozheng: Kaozheng) -> None:
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))

    done = kaozheng("write", "--notes", NOTES, "--json", preexec_fn=small_files)
    one_line(done, 3)


@pytest.mark.parametrize(("line", "said"), [('modle = "openai:x"', "did you mean model"), ("= 3", "cannot be read")])
def test_a_wrong_line_in_the_settings_file_is_named(kaozheng: Kaozheng, tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "kaozheng.toml").write_text(line + "\n", encoding="utf-8")
    one_line(kaozheng("doctor"), 2, "kaozheng.toml", said)


def test_help_names_every_command(kaozheng: Kaozheng) -> None:
    told = kaozheng("--help").stdout
    for command in ("write", "review", "rules", "runs", "graph", "doctor"):
        assert command in told
