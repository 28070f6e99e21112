"""What a command is for, by its first words; and whether it is a step of this project at all."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Set
from typing import Literal

from kaozheng.roles.explorer.offline.naming import plain

Purpose = Literal["install", "run", "build", "test"]
PURPOSES: tuple[Purpose, ...] = ("install", "run", "build", "test")
_TOLD: dict[Purpose, re.Pattern[str]] = {
    "test": re.compile(r"(?i)\b(?:py)?tests?\b|\btox\b|\bnox\b|\bctest\b|测试"),
    "install": re.compile(r"(?i)\binstall|\badd\b|\bclone\b|\brequirements|\bsetup\b|安装|下载|\bget\b"),
    "build": re.compile(r"(?i)\bbuild|\bcompile|\bcmake\b|构建|编译|\bconfigure\b|^make(?: -j\S*)?$"),
    "run": re.compile(
        r"(?i)\brun\b|\bstart\b|\bserve|(?<!/)\bdev\b|\bup\b|\busage\b|quick ?start|运行|启动|使用|用法|快速|命令"
    ),
}
_TRIED: tuple[Purpose, ...] = ("test", "install", "build", "run")  # a command of two kinds is of the first
_RUNNER = re.compile(r"(?:python3?|node|deno|cargo run|go run|npx|uvx|uv run|poetry run)\b")
_TOOL = re.compile(
    r"^(?:sudo )?(?:(?:npm|pnpm|bun) (?:install|i|add) (?:.* )?(?:-g|--global)\b"
    r"|(?:npm|pnpm|bun) (?:-g|--global) (?:install|i|add)\b|yarn global add\b"
    r"|pipx install\b|uv tool install\b|cargo install\b|go install\b|gem install\b)"
)
_SAYS_TEST = re.compile(r"(?i)(?:^|[^A-Za-z])(?:py)?tests?(?:[^A-Za-z]|$)|\b(?:jest|vitest|mocha|ctest|tox|nox)\b")
_SAYING = frozenset({"echo", "printf", "cat", "cd", "ls", "rm", "mkdir"})
_MOST_WORDS = 4
_PATH = re.compile(r"[/\\.~$]|^-|=")


def purpose_of_command(command: str) -> Purpose | None:
    """By the program and the first words behind it: options, paths and settings say nothing of what it is for."""
    parts = [part for part in command.removeprefix("sudo ").split() if not re.match(r"^\w+=", part)]
    program = posixpath.basename(parts[0]) if parts else ""
    if program in _SAYING:
        return None
    said = [program, *(part for part in parts[1:] if not _PATH.search(part))][:_MOST_WORDS]
    return purpose_of_words(" ".join(said))


def purpose_of_words(text: str) -> Purpose | None:
    """By the words of a heading, or of a file's name."""
    return next((purpose for purpose in _TRIED if _TOLD[purpose].search(text)), None)


def runs_something(command: str) -> bool:
    """Whether it is what runs a file or module; a README gives such under any heading."""
    return _RUNNER.match(command) is not None


def is_foreign_tool(command: str, own: Set[str]) -> bool:
    """Whether it installs a tool for the whole machine that is not the project itself (`own`: its plain names)."""
    if not _TOOL.match(command):
        return False
    said = plain(command)
    return not any(name in said for name in own)


def says_test(text: str) -> bool:
    """Whether words or a command speak of tests; a `check` may look for anything."""
    return _SAYS_TEST.search(text) is not None
