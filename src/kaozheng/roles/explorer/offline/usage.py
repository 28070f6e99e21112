"""Chapter 5: how to install, run, build and test: commands as README, manifests, Makefile and CI files give them."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from kaozheng.documents.span import LineRange
from kaozheng.roles.explorer.offline.pipelines import is_pipeline, steps_of
from kaozheng.roles.explorer.offline.readme import commands, readme_of
from kaozheng.roles.explorer.offline.running import run_commands
from kaozheng.roles.explorer.offline.speech import Speech
from kaozheng.roles.explorer.offline.terrain import Terrain, citable, folder_of
from kaozheng.roles.explorer.overview import Remark
from kaozheng.roles.explorer.quoting import code, cut, words
from kaozheng.sources.code import EntryPoint, Task

Purpose = Literal["install", "run", "build", "test"]
_PURPOSES: tuple[Purpose, ...] = ("install", "run", "build", "test")
_MOST_ITEMS = 8  # a heading
_MOST_OF_README = 6
_MOST_CHARS = 160
_TOLD: dict[Purpose, re.Pattern[str]] = {
    "test": re.compile(r"(?i)\b(?:py)?tests?\b|\btox\b|\bnox\b|\bctest\b|测试"),
    "install": re.compile(r"(?i)\binstall|\badd\b|\bclone\b|\brequirements|\bsetup\b|安装|下载|\bget\b"),
    "build": re.compile(r"(?i)\bbuild|\bcompile|\bcmake\b|构建|编译|\./configure|^make(?: -j\S*)?$"),
    "run": re.compile(
        r"(?i)\brun\b|\bstart\b|\bserve|(?<!/)\bdev\b|\bup\b|\busage\b|quick ?start|运行|启动|使用|用法|快速|命令"
    ),
}
_RUN_BY_NAME = ("script", "make target", "console script")
_RUNNER = re.compile(r"(?:python3?|node|deno|cargo run|go run|npx|uvx|uv run|poetry run)\b")
_BRANCH = re.compile(r"\s*(?:ifn?(?:def|eq)|else|endif)\b")  # in a recipe, of make itself
_MOST_RECIPE = 20  # lines below a rule that are looked at
_TASKS_OF_SCRIPTS = re.compile(
    r"(?i)(?:^|/)(?:scripts?|bin|tools?|ci)/[^/]*(?:test|check|build|install|setup|run|start|serve)[^/]*"
)


@dataclass(frozen=True, slots=True)
class Advice:
    """One item of the chapter. `rank` orders items of a purpose: what the project says in words comes first."""

    purpose: Purpose
    text: str
    places: tuple[str, ...]
    rank: int
    counted: bool = False


def usage(land: Terrain, speech: Speech) -> list[Remark]:
    """The four purposes, each under its heading, then where the tests lie; one sentence where nothing is found."""
    found = [
        *_of_readme(land, speech),
        *_of_tasks(land, speech),
        *_of_starts(land, speech),
        *_of_scripts(land, speech),
        *_of_ci(land, speech),
    ]
    remarks: list[Remark] = []
    silent: list[str] = []
    for purpose in _PURPOSES:
        told = sorted((one for one in found if one.purpose == purpose and one.places), key=lambda one: one.rank)
        heading = speech.say(f"usage.{purpose}_heading")
        remarks.extend(Remark("usage", one.text, one.places, heading, one.counted) for one in told[:_MOST_ITEMS])
        if rest := told[_MOST_ITEMS:]:
            text = speech.say("usage.more", commands=speech.count(len(rest), "command"))
            remarks.append(Remark("usage", text, rest[0].places[:1], heading, counted=True))
        if not told:
            silent.append(speech.say(f"usage.{purpose}_word"))
    remarks.extend(_tests(land, speech))
    if silent:
        remarks.insert(0, Remark("usage", speech.say("usage.silent", purposes=speech.listing(silent))))
    return remarks


def _of_readme(land: Terrain, speech: Speech) -> Iterator[Advice]:
    file = readme_of(land, speech.language)
    counted: Counter[Purpose] = Counter()
    seen: set[str] = set()
    for given in commands(land, file) if file else ():
        purpose = _purpose_of(given.command) or _purpose_of(given.heading) or _run_by(given.command)
        shown, is_cut = cut(given.command, _MOST_CHARS)
        if purpose is None or is_cut or counted[purpose] == _MOST_OF_README or given.command in seen or file is None:
            continue
        counted[purpose] += 1
        seen.add(given.command)
        name = "usage.readme_under" if given.heading else "usage.readme"
        text = speech.say(name, command=code(shown), path=code(file.path), heading=code(given.heading))
        yield Advice(purpose, text, citable(file.path, given.lines), 0)


def _purpose_of(text: str) -> Purpose | None:
    return next((purpose for purpose in _TOLD if _TOLD[purpose].search(text)), None)


def _run_by(command: str) -> Purpose | None:
    """What runs a file or module runs the project; a README gives it under any heading."""
    return "run" if _RUNNER.match(command) else None


def _of_tasks(land: Terrain, speech: Speech) -> Iterator[Advice]:
    """One item for each command; where several manifests imply it, the folders are named."""
    grouped: dict[tuple[Purpose, str], list[Task]] = defaultdict(list)
    for task in land.repository.tasks:
        file = land.by_path.get(task.path)
        if file is not None and file.kind == "manifest":
            grouped[task.purpose, task.command].append(task)
    written = {(point.path, point.name): point for point in land.repository.entry_points if point.kind in _RUN_BY_NAME}
    for (purpose, command), given in grouped.items():
        values = {"command": code(command), "path": code(given[0].path)}
        top = [task for task in given if "/" not in task.path]
        below = given[len(top) :]  # the topmost manifests come first
        if top or len(below) == 1:
            first = (top or below)[0]
            text, places = _task(land, speech, first, written.get((first.path, first.runs)))
            yield Advice(purpose, text, places, 1 + min(7, first.path.count("/")))
        if below[int(not top and len(below) == 1) :]:
            folders = [code(folder_of(one.path)) for one in below[:3]]
            name = "usage.tasks" if len(below) <= len(folders) else "usage.tasks_some"
            count = speech.count(len(below), "manifest")
            text = speech.say(name, **values, folders=speech.listing(folders), count=count)
            places = tuple(place for one in below[:3] for place in citable(one.path, LineRange(one.line, one.line)))
            yield Advice(purpose, text, places, 8, counted=len(below) > len(folders))


def _task(land: Terrain, speech: Speech, task: Task, point: EntryPoint | None) -> tuple[str, tuple[str, ...]]:
    """What a manifest says of a command, with what the command does where that is one line."""
    values = {"command": code(task.command), "path": code(task.path)}
    if point and (body := _body(land, point)):
        return speech.say("usage.task_body", **values, body=code(body[0])), citable(task.path, body[1])
    name = "usage.task_declared" if point else "usage.task"
    return speech.say(name, **values), citable(task.path, LineRange(task.line, task.line))


def _body(land: Terrain, point: EntryPoint) -> tuple[str, LineRange] | None:
    """(what a Makefile's target of one line or a package's script does, its lines), as it is written there."""
    if point.kind == "script":
        shown, is_cut = cut(words(point.target), _MOST_CHARS)
        return None if is_cut or not shown else (shown, LineRange(point.line, point.line))
    if point.kind != "make target":
        return None
    recipe = _recipe(land.lines(point.path)[point.line - 1 : point.line + _MOST_RECIPE])
    shown, is_cut = cut(recipe, _MOST_CHARS)
    return None if is_cut or not shown else (shown, LineRange(point.line, point.line + 1))


def _recipe(lines: list[str]) -> str:
    """The command of a rule, its first line, that has exactly one; "" for others, which are better read there."""
    if len(lines) < 2 or lines[0].rstrip().endswith("\\") or ";" in lines[0] or not lines[1].startswith("\t"):
        return ""
    after = next((line for line in lines[2:] if line.strip() and not line.startswith("#")), "")
    recipe = words(lines[1]).removeprefix("@").strip()
    return "" if after.startswith("\t") or _BRANCH.match(after) or recipe.endswith("\\") else recipe


def _of_starts(land: Terrain, speech: Speech) -> Iterator[Advice]:
    for command, path, places in run_commands(land):
        yield Advice("run", speech.say("usage.task", command=code(command), path=code(path)), places, 2)


def _of_scripts(land: Terrain, speech: Speech) -> Iterator[Advice]:
    """Shell scripts whose name says what they do."""
    for file in land.repository.files:
        named = file.language == "shell" or (file.language == "" and _is_shell(land, file.path))
        if not named or file.kind in ("vendored", "generated", "test") or not _TASKS_OF_SCRIPTS.search(file.path):
            continue
        if purpose := _purpose_of(re.sub(r"[._-]", " ", posixpath.basename(file.path))):
            text = speech.say("usage.script", path=code(file.path))
            yield Advice(purpose, text, land.whole(file.path), 10 + file.path.count("/"))


def _is_shell(land: Terrain, path: str) -> bool:
    """Asked only of files whose name speaks, so few are read."""
    if not _TASKS_OF_SCRIPTS.search(path):
        return False
    first = next(iter(land.lines(path)), "")
    return first.startswith("#!") and "sh" in first


def _of_ci(land: Terrain, speech: Speech) -> Iterator[Advice]:
    seen: set[str] = set()
    for file in land.repository.files:
        if not is_pipeline(file.path) or not file.readable:
            continue
        for number, command in steps_of("\n".join(land.lines(file.path))):
            purpose = _purpose_of(command)
            if purpose in ("test", "build") and command not in seen:
                seen.add(command)
                text = speech.say("usage.ci", command=code(command), path=code(file.path))
                yield Advice(purpose, text, citable(file.path, LineRange(number, number)), 9)


def _tests(land: Terrain, speech: Speech) -> Iterator[Remark]:
    heading = speech.say("usage.tests_heading")
    tests = land.repository.tests
    if not tests:
        yield Remark("usage", speech.say("usage.no_tests"), (), heading)
        return
    folders: dict[str, list[str]] = defaultdict(list)
    for file in tests:
        folders[_top(file.path)].append(file.path)
    lines = speech.count(sum(file.lines for file in tests), "line")
    ranked = sorted(folders.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    told = speech.say("usage.tests", files=speech.count(len(tests), "test_file"), lines=lines)
    yield Remark("usage", told, land.whole(ranked[0][1][0]), heading, counted=True)
    for folder, paths in ranked[:_MOST_ITEMS]:
        if places := land.whole(paths[0]):
            text = speech.say("usage.tests_in", folder=code(folder), files=speech.count(len(paths), "file"))
            yield Remark("usage", text, places, heading, counted=len(paths) > 1)
    if rest := ranked[_MOST_ITEMS:]:
        files = speech.count(sum(len(paths) for _, paths in rest), "test_file")
        text = speech.say("usage.tests_rest", folders=speech.count(len(rest), "folder"), files=files)
        yield Remark("usage", text, land.whole(rest[0][1][0]), heading, counted=True)


def _top(path: str) -> str:
    """The folder down to the part that is named after tests, else the folder of the file."""
    parts = path.split("/")[:-1]
    for at, part in enumerate(parts, start=1):
        if re.fullmatch(r"(?i)_*(?:tests?|specs?|e2e|testing)_*", part):
            return "/".join(parts[:at]) + "/"
    return folder_of(path)
