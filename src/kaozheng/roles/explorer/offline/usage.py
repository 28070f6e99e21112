"""Chapter 5: how to install, run, build and test: commands as README, manifests, Makefile and CI files give them."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from kaozheng.documents.span import LineRange
from kaozheng.roles.explorer.offline.naming import own_names
from kaozheng.roles.explorer.offline.pipelines import is_pipeline, steps_of
from kaozheng.roles.explorer.offline.purposes import (
    PURPOSES,
    Purpose,
    is_foreign_tool,
    purpose_of_command,
    purpose_of_words,
    runs_something,
    says_test,
)
from kaozheng.roles.explorer.offline.readme import commands, readme_of
from kaozheng.roles.explorer.offline.running import run_commands
from kaozheng.roles.explorer.offline.speech import Speech
from kaozheng.roles.explorer.offline.surface import surface
from kaozheng.roles.explorer.offline.terrain import Terrain, citable, folder_of, is_beside
from kaozheng.roles.explorer.overview import Remark
from kaozheng.roles.explorer.quoting import code, cut, words
from kaozheng.sources.code import EntryPoint, Task

_MOST_ITEMS = 8  # a heading
_MOST_OF_README = 6
_MOST_CHARS = 160
_RUN_BY_NAME = ("script", "make target", "console script")
_MOST_CI_BYTES = 400_000  # of all CI files; their parser is a slow one
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
    for purpose in PURPOSES:
        told = sorted((one for one in found if one.purpose == purpose and one.places), key=lambda one: one.rank)
        heading = speech.say(f"usage.{purpose}_heading")
        remarks.extend(Remark("usage", one.text, one.places, heading, one.counted) for one in told[:_MOST_ITEMS])
        if rest := told[_MOST_ITEMS:]:
            text = speech.say("usage.more", commands=speech.count(len(rest), "command"))
            remarks.append(Remark("usage", text, rest[0].places[:1], heading, counted=True))
        if not told:
            silent.append(speech.say(f"usage.{purpose}_word"))
    remarks.extend(_tests(land, speech))
    remarks.extend(surface(land, speech))
    if silent:
        remarks.insert(0, Remark("usage", speech.say("usage.silent", purposes=speech.listing(silent))))
    return remarks


def _of_readme(land: Terrain, speech: Speech) -> Iterator[Advice]:
    file = readme_of(land, speech.language)
    counted: Counter[Purpose] = Counter()
    seen: set[str] = set()
    own = own_names(land)
    for given in commands(land, file) if file else ():
        purpose = purpose_of_command(given.command) or purpose_of_words(given.heading)
        purpose = purpose or ("run" if runs_something(given.command) else None)
        shown, is_cut = cut(given.command, _MOST_CHARS)
        if purpose is None or is_cut or counted[purpose] == _MOST_OF_README or given.command in seen or file is None:
            continue
        if is_foreign_tool(given.command, own):
            continue
        counted[purpose] += 1
        seen.add(given.command)
        name = "usage.readme_under" if given.heading else "usage.readme"
        values = {"command": code(shown), "path": code(file.path), "heading": code(given.heading)}
        text = speech.say(name, **values, where=_where(speech, given.folder))
        yield Advice(purpose, text, citable(file.path, given.lines), 0)


def _of_tasks(land: Terrain, speech: Speech) -> Iterator[Advice]:
    """One item for each command; where several manifests imply it, the folders are named."""
    grouped: dict[tuple[Purpose, str], list[Task]] = defaultdict(list)
    for task in land.repository.tasks:
        file = land.by_path.get(task.path)
        if file is not None and file.kind == "manifest" and not is_beside(task.path) and _is_meant(land, task):
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


def _is_meant(land: Terrain, task: Task) -> bool:
    """A `check` is a test only where it speaks of tests."""
    if task.runs != "check":
        return True
    lines = land.lines(task.path)[task.line - 1 : task.line + _MOST_RECIPE]
    point = next((one for one in land.repository.entry_points if (one.path, one.name) == (task.path, task.runs)), None)
    if point and point.kind == "script":
        return says_test(point.target)
    below = takewhile(lambda line: line.startswith(("\t", "#")) or not line.strip(), lines[1:])
    return says_test("\n".join([*lines[:1], *below]))


def _where(speech: Speech, folder: str) -> str:
    """The folder in which a command is to be run; "" for the root."""
    return speech.say("usage.where", folder=code(f"{folder.rstrip('/')}/")) if folder.strip("./") else ""


def _task(land: Terrain, speech: Speech, task: Task, point: EntryPoint | None) -> tuple[str, tuple[str, ...]]:
    """What a manifest says of a command, with what the command does where that is one line."""
    installed = point is not None and point.kind == "console script"  # it runs anywhere
    where = "" if installed else _where(speech, folder_of(task.path))
    values = {"command": code(task.command), "path": code(task.path), "where": where}
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
        yield Advice("run", speech.say("usage.task", command=code(command), path=code(path), where=""), places, 2)


def _of_scripts(land: Terrain, speech: Speech) -> Iterator[Advice]:
    """Shell scripts whose name says what they do."""
    for file in land.repository.files:
        named = file.language == "shell" or (file.language == "" and _is_shell(land, file.path))
        if not named or file.kind in ("vendored", "generated", "test") or not _TASKS_OF_SCRIPTS.search(file.path):
            continue
        if purpose := purpose_of_words(re.sub(r"[._-]", " ", posixpath.basename(file.path))):
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
    left = _MOST_CI_BYTES
    for file in land.repository.files:
        if not is_pipeline(file.path) or not file.readable:
            continue
        left -= file.size_bytes
        if left < 0:
            return
        for number, command in steps_of("\n".join(land.lines(file.path))):
            purpose = purpose_of_command(command)
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
