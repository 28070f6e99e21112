"""`kaozheng kb` from outside: what it prints, what it leaves, how it ends."""

import json
import os
import subprocess
import sys

import pytest

TEXT = "# 图书馆\n\n县图书馆有 12 台自助借还机。\n\n## 依据\n\n见川发改〔2023〕15号。\n"


@pytest.fixture
def kb(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "notes" / "b.txt").write_text("水稻亩产 512 公斤。\n", encoding="utf-8")

    def run(*words, **more):
        env = {name: value for name, value in os.environ.items() if not name.startswith(("KAOZHENG", "OPENAI"))}
        env |= {"KAOZHENG_DATA": str(tmp_path / "data"), "PYTHONIOENCODING": "utf-8", **more}
        command = [sys.executable, "-c", "from kaozheng.cli import main; main()", "kb", *map(str, words)]
        return subprocess.run(
            command, env=env, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False
        )

    return run


def test_documents_go_in_are_found_with_their_place_and_go_out(kb, tmp_path):
    done = kb("add", "notes", "--level", "县级")
    assert done.returncode == 0, done.stderr
    assert "added      2 documents, 3 chunks" in done.stdout
    assert "notes/a.md: 2 chunks" in done.stderr
    assert "unchanged  2 documents" in kb("add", "notes").stdout

    first = kb("search", "川发改[2023]15号").stdout.splitlines()
    assert first[0].startswith("1. notes/a.md:7")
    assert "the document number itself" in first[2]
    hits = json.loads(kb("search", "亩产", "--json").stdout)["hits"]
    assert [(hit["document"], hit["lines"], hit["labels"]["level"]) for hit in hits] == [
        (str(tmp_path / "notes" / "b.txt"), [1, 1], "县级")
    ]
    assert set(hits[0]["legs"]) == {"words", "pairs"}
    assert kb("search", "亩产", "--level", "省级").stdout == "nothing found\n"

    assert "default: 2 documents, 3 chunks, searched by words alone" in kb("stats").stdout
    assert "  notes/a.md  图书馆  县级" in kb("list").stdout.splitlines()
    assert "1 document removed" in kb("remove", "notes/b.txt").stdout
    assert "nothing found" in kb("search", "亩产").stdout
    assert "the base is gone" in kb("remove", "--all").stdout
    assert json.loads(kb("stats", "--json").stdout)["bases"] == []


def test_bad_file_is_a_line_and_exit_code_1(kb, tmp_path):
    (tmp_path / "notes" / "broken.docx").write_bytes(b"PK broken")
    done = kb("add", "notes", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["counts"], done.stderr) == (1, {"added": 2, "failed": 1}, "")
    assert [one["name"] for one in report["documents"] if "reason" in one] == [str(tmp_path / "notes" / "broken.docx")]


def test_twin_is_told_and_pruned_files_are_gone(kb, tmp_path):
    (tmp_path / "notes" / "c.md").write_text(TEXT, encoding="utf-8")
    assert "notes/c.md is notes/a.md" in kb("add", "notes").stdout
    assert "same as notes/a.md" in kb("list").stdout
    (tmp_path / "notes" / "a.md").unlink()
    assert "removed    1 document" in kb("add", "notes", "--prune").stdout
    assert kb("search", "借还机").stdout.startswith("1. notes/c.md:3")


def test_looking_makes_nothing(kb, tmp_path):
    assert "no knowledge base yet" in kb("list").stdout
    assert "no knowledge base yet" in kb("stats").stdout
    assert not (tmp_path / "data").exists()


def test_what_names_no_document_removes_none_and_a_folder_says_how_many(kb):
    kb("add", "notes")
    assert [kb("remove", name).returncode for name in ("", " ", ".", "./", "..")] == [2] * 5
    assert "default: 2 documents" in kb("list").stdout
    assert "default: 2 documents removed" in kb("remove", "notes").stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("add", "missing"), "no such file or folder"),
        (("add", ""), "a path is empty"),
        (("add", "notes", "--kb", "a/b"), "no name for a base"),
        (("add", "http://127.0.0.1/a", "missing"), "no such file or folder"),
        (("remove",), "--all"),
        (("remove", ""), "'' names no document"),
        (("remove", "a.md", " "), "' ' names no document"),
        (("remove", "."), "'.' names no document"),
        (("remove", "notes/.."), "names no document"),
        (("remove", "/"), "'/' names no document"),
        (("remove", "a.md", "--kb", "nix"), "there is no knowledge base 'nix'"),
        (("search", "水稻"), "no knowledge base yet"),
        (("search", ""), "nothing to search for"),
        (("search", " "), "nothing to search for"),
        (("list", "--kb", "nix"), "there is no knowledge base 'nix'"),
    ],
)
def test_what_cannot_be_meant_is_one_line_and_exit_code_2(kb, words, says):
    done = kb(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert says in done.stderr


def test_inside_addresses_are_refused_as_a_line(kb):
    done = kb("add", "http://127.0.0.1:9/a")
    assert done.returncode == 1
    assert "failed     1 document" in done.stdout


def test_database_that_is_none_is_told(kb, tmp_path):
    (tmp_path / "x.db").write_bytes(b"this is no database at all" * 100)
    done = kb("add", "notes", KAOZHENG_KNOWLEDGE=str(tmp_path / "x.db"))
    assert (done.returncode, len(done.stderr.strip().splitlines())) == (3, 1), done.stderr


def test_doctor_tells_of_the_bases(kb, tmp_path):
    env = {**os.environ, "KAOZHENG_DATA": str(tmp_path / "data")}

    def doctor():
        command = [sys.executable, "-c", "from kaozheng.cli import main; main()", "doctor"]
        return subprocess.run(command, env=env, capture_output=True, text=True, encoding="utf-8", check=False).stdout

    assert "ok      knowledge: none yet" in doctor()
    assert not (tmp_path / "data" / "knowledge.db").exists()
    kb("add", "notes")
    assert "knowledge: default (2 documents, 3 chunks, by words alone)" in doctor()
