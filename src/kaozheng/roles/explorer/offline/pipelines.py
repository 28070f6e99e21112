"""The commands that CI files run, each with its line. The parser of YAML says what a command is, never the look of a
line: a block may be folded, a line continued, a mapping may be called `run` and hold settings."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from kaozheng.roles.explorer.quoting import cut, words

_FILE = re.compile(
    r"\.github/workflows/[^/]+\.ya?ml|\.gitlab-ci\.ya?ml|\.circleci/config\.yml|\.travis\.yml|azure-pipelines\.yml"
)
_STEPS = frozenset({"run", "script", "bash"})
_STEPS_OF_RUN = frozenset({"command"})  # CircleCI's `run` is a mapping
_LONGEST_FILE = 100_000  # characters; a parser in pure Python takes a second for so many
_MOST_CHARS = 160
_MOST_NODES = 20_000
_HERE = re.compile(r"<<-?\s*[\"']?(\w+)")


def is_pipeline(path: str) -> bool:
    """Whether a file of this name tells a CI service what to run."""
    return _FILE.fullmatch(path) is not None


def steps_of(text: str) -> list[tuple[int, str]]:
    """(line, command) of the commands of one line each, in the order of the file; none of a broken or huge file."""
    if len(text) > _LONGEST_FILE:
        return []
    try:
        root = yaml.compose(f"{text}\n", Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError):  # ValueError: signs that YAML does not know
        return []
    lines = text.split("\n")
    found = [step for node in _step_nodes(root) for step in _commands(node, lines)]
    return sorted(dict.fromkeys(found))


def _step_nodes(root: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    """The scalars under the keys of steps. A node that aliases lead to again and again is looked at once."""
    pending: list[tuple[yaml.Node, bool]] = [(root, False)] if root else []
    seen: set[int] = set()
    while pending and len(seen) < _MOST_NODES:
        node, is_step = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.ScalarNode) and is_step:
            yield node
        elif isinstance(node, yaml.SequenceNode):
            pending.extend((one, is_step) for one in node.value if not is_step or isinstance(one, yaml.ScalarNode))
        elif isinstance(node, yaml.MappingNode):
            wanted = _STEPS_OF_RUN if is_step else _STEPS
            pending.extend(
                (value, isinstance(key, yaml.ScalarNode) and key.value in wanted) for key, value in node.value
            )


def _commands(node: yaml.ScalarNode, lines: list[str]) -> Iterator[tuple[int, str]]:
    """Commands that stand in one line of the file as a whole."""
    start = node.start_mark.line
    if node.style not in ("|", ">"):
        parts = [(start, node.value)] if node.end_mark.line == start else []
    elif node.style == "|":
        parts = list(enumerate(lines[start + 1 : node.end_mark.line], start + 1))
    else:
        inner = [(at, line) for at, line in enumerate(lines[start + 1 : node.end_mark.line], start + 1) if line.strip()]
        parts = inner if len(inner) == 1 else []
    for at, text in _whole(parts):
        shown, is_cut = cut(words(text), _MOST_CHARS)
        if shown and not is_cut and not shown.startswith("#"):
            yield at + 1, shown


def _whole(parts: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Without lines that go on in the next one, or come from the one before, or are the text of a here-document."""
    continued, end = False, ""
    for at, line in parts:
        text = line.strip()
        if end:
            end = "" if text == end else end
            continue
        goes_on = text.endswith(("\\", "|", "&&", "||"))
        here = _HERE.search(text)
        end = here[1] if here else ""
        if not continued and not goes_on and not here:
            yield at, text
        continued = goes_on
