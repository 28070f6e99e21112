"""How the actor plays the explorer: it searches, looks at outlines and lines, and says what it has seen, no more."""

from __future__ import annotations

import json
import re
from typing import Any

from kaozheng.models.tool_call import ToolCall
from kaozheng.testing.chat import Reply

_DEFINITION = r"^(?:def|async|class|func|fn|function|interface|struct|enum|trait|type|export|pub|public) [A-Za-z]"
_HIT = re.compile(r"^(\S+?)#L(\d+): (.+)", re.MULTILINE)
_OUTLINED = re.compile(r"^(\S+) \([\w#+]+, \d+ lines\)$")
_SYMBOL = re.compile(r"^ *L(\d+)-L(\d+) \w+ .*?([A-Za-z_]\w*)(?=[^\w]|$)")
_KEYWORDS = re.compile(r"[^#]*?\b(?:def|class|func|fn|function|interface|struct|enum|trait|type) (\w+)")
_README = re.compile(r"^ *(README[\w.]*) \(", re.MULTILINE)
_MOST = 8


def look_around(messages: list[dict[str, Any]]) -> Reply:
    """The next turn of the conversation: three rounds of calls at most, then `ready`."""
    results = [str(message.get("content") or "") for message in messages if message.get("role") == "tool"]
    if not results:
        return _calling(("list_tree", {"depth": 3}), ("search_keyword", {"query": _DEFINITION, "regex": True}))
    if len(results) > 2:
        return Reply("ready")
    hits = {path: int(line) for path, line, _ in reversed(_hits("\n".join(results)))}
    calls: list[tuple[str, dict[str, Any]]] = [("get_file_outline", {"path": path}) for path in list(hits)[:3]]
    calls += [("read_file", {"path": path, "start": line, "end": line + 20}) for path, line in list(hits.items())[:3]]
    calls += [("read_file", {"path": path, "end": 20}) for path in _README.findall(results[0])[:1]]
    return _calling(*calls) if calls else Reply("ready")


def said_of(prompt: str) -> dict[str, Any]:
    """The overview of what stands in the prompt: a statement for each of the first definitions that were found."""
    han = re.search("[\u4e00-\u9fff]", prompt) is not None
    found = [*_hits(prompt), *_outlined(prompt)]
    first: dict[str, tuple[str, str]] = {}
    for path, line, name in found:
        first.setdefault(path, (line, name))
    statements = []
    for place, (path, (line, name)) in enumerate(list(first.items())[:_MOST]):
        text = f"文件 `{path}` 定义了 `{name}`。" if han else f"The file `{path}` defines `{name}`."
        chapter = ("purpose", "structure", "flows", "modules")[place % 4]
        folder = path.rpartition("/")[0] if chapter == "modules" else ""
        statements.append({"chapter": chapter, "text": text, "places": [f"{path}#L{line}"], "folder": folder})
    return {"statements": statements}


def _hits(text: str) -> list[tuple[str, str, str]]:
    """(path, line, name) of each definition that a search found."""
    named = ((path, line, _KEYWORDS.match(said)) for path, line, said in _HIT.findall(text))
    return [(path, line, name[1]) for path, line, name in named if name]


def _outlined(prompt: str) -> list[tuple[str, str, str]]:
    """(path, line, name) of the first symbol of each outline."""
    found: list[tuple[str, str, str]] = []
    path = ""
    for line in prompt.split("\n"):
        if head := _OUTLINED.match(line):
            path = head[1]
        elif path and (symbol := _SYMBOL.match(line)):
            named = _KEYWORDS.match(line)
            found.append((path, symbol[1], named[1] if named else symbol[3]))
            path = ""
    return found


def _calling(*calls: tuple[str, dict[str, Any]]) -> Reply:
    made = tuple(
        ToolCall(f"call_{place}", name, json.dumps(arguments)) for place, (name, arguments) in enumerate(calls, start=1)
    )
    return Reply("", tool_calls=made)
