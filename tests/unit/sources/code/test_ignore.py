"""Ignore files: the answers of git itself are the measure."""
# ruff: noqa: E501 - tables read better wide

import shutil
import subprocess
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kaozheng.sources.code.ignore import is_ignored, parse_ignore

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
PATHS = [
    "a", "b", "ab", "a.py", "b.py", "a.log", "a/b", "a/b/c", "a/b/c/d", "a/a", "b/a", "build/x.o", "src/build/x.o",
    "src/a.py", "src/lib/a.py", "x.o", "doc/frotz/x", "a/doc/frotz/y", "foo bar", "[a]", "a*b", "#x", "!x", "a]b", "é",
    ".env", ".env.local", "dist/a.js", "abab/ab", "a-b", "a^b", "trail ", "a/x/y/b", "a/b/x", "Ab",
]  # fmt: skip
KNOWN = [
    "*.py\n!b.py", "build/", "/build/", "doc/frotz", "/*\n!/src", "a/**", "a/**/b", "**/b", "**/a/b", "a/*", "a/*/c",
    "*.[oa]", "[!a]", "[^a]", "[a-b]", "\\#x", "\\!x", "foo\\ bar", "trail\\ ", "trail ", "a\\*b", "[[]a]", "[]a]", "[a",
    "a\\", "**", "***", "a**b", "a**", "**a", "/**/a", "**/", "a//b", "/", "!", "*", "*\n!*/\n!*.py", "?", "a?b", "a]b",
    "[[:alpha:]]", "[a-]b", "a[-]b", "src/**/*.py", "**/lib/**", ".env*\n!.env.local", "a/b/\n!a/b/c", "*a*b", "*a*b*",
    "# x", "", "   ", "a ", "\ta", "[\\]]", "[z-a]", "a/", "b/**/", "**/**/c", "x.o\r", "[!]a]", "[a-z]*", "a[/]b", "[a-?]", "a?c",
]  # fmt: skip


def folders_and_file(path):
    parts = path.split("/")
    return [("/".join(parts[:n]), n < len(parts)) for n in range(1, len(parts) + 1)]


def ours(path, files):
    """As the walker asks: from the top down, an ignored folder is not entered."""
    rules = parse_ignore(files.get("", ""))
    for part, is_folder in folders_and_file(path):
        if is_ignored(part, is_folder, rules):
            return True
        if is_folder and part in files:
            rules += parse_ignore(files[part], part)
    return False


def gits(tmp, files):
    for folder in {"", "a", "src"}:
        (tmp / folder / ".gitignore").write_bytes(files.get(folder, "").encode())
    asked = "\0".join(PATHS).encode()
    command = ["git", "-c", "core.excludesFile=/dev/null", "check-ignore", "--no-index", "-z", "--stdin"]
    got = subprocess.run(command, cwd=tmp, input=asked, capture_output=True, check=False)
    assert got.returncode in (0, 1), got.stderr
    return set(got.stdout.decode().split("\0")) - {""}


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    tmp = tmp_path_factory.mktemp("tree")
    subprocess.run(["git", "init", "-q", str(tmp)], check=True)
    for path in sorted(PATHS, key=len, reverse=True):
        if not (tmp / path).exists():
            (tmp / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp / path).write_text("")
    return tmp


@needs_git
@pytest.mark.parametrize("text", KNOWN)
def test_known_patterns_are_read_as_git_reads_them(tree, text):
    paths = [path for path in PATHS if not (tree / path).is_dir()]
    assert {path for path in paths if ours(path, {"": text})} == gits(tree, {"": text}) & set(paths)


LINE = st.text(alphabet="ab*?/![]\\-^. ", max_size=8)


@needs_git
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    top=st.lists(LINE, max_size=4).map("\n".join),
    inner=st.lists(LINE, max_size=2).map("\n".join),
)
def test_any_patterns_are_read_as_git_reads_them(tree, top, inner):
    files = {"": top, "a": inner}
    paths = [path for path in PATHS if not (tree / path).is_dir()]
    assert {path for path in paths if ours(path, files)} == gits(tree, files) & set(paths)


def test_a_hostile_pattern_ends_at_once():
    before = time.perf_counter()
    rules = parse_ignore("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b\n" + "**/a/" * 4 + "*b\n" + "**/" * 40 + "b")
    assert not is_ignored("/".join(["a" * 250] * 16), False, rules)
    assert time.perf_counter() - before < 2


def test_a_nested_file_concerns_its_own_folder_only():
    files = {"": "*.log", "a": "!keep.log\n/only"}
    assert ours("x.log", files)
    assert not ours("a/keep.log", files)
    assert ours("a/only", files)
    assert not ours("only", files)
    assert not ours("a/b/only", files)
