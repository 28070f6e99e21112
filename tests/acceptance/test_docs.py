"""The documentation holds: links lead somewhere, generated pages are fresh, commands exist and examples run."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
import typer

from kaozheng.cli.app import app
from kaozheng.documents.document import Document
from kaozheng.documents.headings import anchors

ROOT = Path(__file__).resolve().parents[2]
READMES = (ROOT / "README.md", ROOT / "README.zh-CN.md")
PAGES = (*READMES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md")))
_COMMANDS = ("kaozheng", "make", "pip", "python", "export", "langgraph")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def document(page: Path) -> Document:
    return Document(page.read_text(encoding="utf-8"))


def fences(page: Path, *languages: str) -> Iterator[str]:
    """The bodies of the page's code blocks in these languages."""
    shown = document(page)
    for block in shown.blocks:
        if block.kind == "code" and block.info.split(" ")[0] in languages:
            yield textwrap.dedent(shown.quote(block.body))


def commands(page: Path) -> list[str]:
    """What stands behind a `$ ` in the page's console blocks."""
    return [line[2:] for body in fences(page, "console") for line in body.split("\n") if line.startswith("$ ")]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    lost = []
    for link in document(page).inlines:
        if link.kind not in ("link", "image") or re.match(r"[a-z][a-z+.-]*:", link.target):
            continue
        path, _, anchor = unquote(link.target).partition("#")
        place = (page.parent / path).resolve() if path else page
        if not place.exists() or (anchor and anchor not in anchors(document(place))):
            lost.append(link.target)
    assert not lost


def test_generated_pages_say_what_the_code_says() -> None:
    done = subprocess.run([sys.executable, "scripts/reference.py", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_stale_page_is_named(tmp_path: Path) -> None:
    for folder in ("scripts", "docs"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    subprocess.run([sys.executable, "scripts/reference.py"], cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / "docs/reference/settings.md").write_text("old", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "scripts/reference.py", "--check"], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, "settings.md" in done.stdout, "checks.md" in done.stdout) == (1, True, False)


def test_both_readmes_name_the_same_commands_and_examples() -> None:
    english, chinese = READMES
    assert commands(english) == commands(chinese)
    assert list(fences(english, "python")) == list(fences(chinese, "python"))
    assert list(fences(english, "console")) == list(fences(chinese, "console"))


def known_commands() -> dict[str, set[str]]:
    """The options of each command, "review" or "runs list", as the program declares them."""
    found = {}
    root = typer.main.get_command(app)
    for first, command in root.commands.items():
        for second, inner in getattr(command, "commands", {"": command}).items():
            found[f"{first} {second}".strip()] = {option for one in inner.params for option in one.opts} | {"--help"}
    return found


@pytest.mark.parametrize("page", [page for page in PAGES if list(fences(page, "console"))], ids=name)
def test_commands_and_their_options_exist(page: Path) -> None:
    known = known_commands()
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for line in commands(page):
        program, *words = shlex.split(line)
        assert program in _COMMANDS, line
        if program == "make":
            assert set(words) <= set(targets), line
        if program == "kaozheng":
            command = next((one for one in (" ".join(words[:2]), words[0]) if one in known), "")
            assert command, line
            assert {word for word in words if re.match(r"--?[a-z]", word)} <= known[command], line


@pytest.mark.parametrize("page", [page for page in PAGES if list(fences(page, "python"))], ids=name)
def test_python_examples_run_offline(page: Path, tmp_path: Path) -> None:
    """All blocks of a page in one process, one after the other, in a folder that holds what the page names."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copy(ROOT / "README.zh-CN.md", tmp_path)
    script = tmp_path / "examples.py"
    script.write_text(
        "\n\n".join(fences(page, "python")).replace("\nfrom __future__ import annotations", ""), encoding="utf-8"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KAOZHENG_", "OPENAI_"))}
    world = kept | {"KAOZHENG_DATA": str(tmp_path / "data"), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, env=world, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    assert not done.stderr or "Error" not in done.stderr
