"""Read what a model really sent: thinking before the answer, prose and fences around the object."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_THOUGHT = re.compile(r"\s*<(think|thinking)>.*?(?:</\1>|\Z)", re.DOTALL)
_ORPHAN_END = re.compile(r"^[ \t]*</think(?:ing)?>[ \t]*$", re.MULTILINE)
_OBJECT_START = re.compile(r'\{(?=\s*["}])')
_ARRAY_START = re.compile(r'\[(?=\s*\{\s*")')
_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*"?|[{}\[\]]', re.DOTALL)
MAX_REPLY_CHARS = 2_000_000
"""A longer reply is not searched for an object: nothing that was asked for is of this size."""


def without_thinking(text: str) -> str:
    """The text after `<think>…</think>`. Only at the very beginning, because a document may write about such tags;
    templates that swallow the opening tag leave the closing one alone on its line, and that counts too."""
    while opened := _THOUGHT.match(text):
        text = text[opened.end() :]
    orphan = _ORPHAN_END.search(text)
    if orphan and "<think" not in (before := text[: orphan.start()]) and "```" not in before:
        text = text[orphan.end() :]
    return text.strip()


def after_thinking(text: str) -> int:
    """Where the answer begins behind `<think>…</think>` at the very beginning; 0 without it. Unlike `without_thinking`
    it leaves the white space at both ends of the answer alone: the joint of two parts hangs on it."""
    at = 0
    while opened := _THOUGHT.match(text, at):
        at = opened.end()
    return at + len(text[at:]) - len(text[at:].lstrip("\n")) if at else 0


def whole_characters(text: str) -> str:
    """The text without halves of surrogate pairs, which no file and no request can carry; true pairs are joined."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def objects_in(text: str) -> Iterator[dict[str, Any] | str]:
    """The outermost JSON objects of a reply in order; for each part that looks like one but is none, a complaint.

    Objects inside a broken outer one are not offered: half an answer must not pass for a small one.
    """
    text = without_thinking(text)
    if len(text) > MAX_REPLY_CHARS:
        yield f"the reply has {len(text)} characters; at most {MAX_REPLY_CHARS} are read"
        return
    at = 0
    while begin := _first_start(text, at):
        end = _balanced_end(text, begin.start())
        if end is None:
            yield "the JSON ends before its last closing bracket"
            return
        yield _parse(text[begin.start() : end])
        at = end


def _first_start(text: str, at: int) -> re.Match[str] | None:
    starts = [found for found in (_OBJECT_START.search(text, at), _ARRAY_START.search(text, at)) if found]
    return min(starts, key=lambda found: found.start(), default=None)


def _balanced_end(text: str, start: int) -> int | None:
    """Where the bracket opened at `start` closes; brackets inside strings do not count."""
    depth = 0
    for piece in _STRUCTURE.finditer(text, start):
        mark = piece.group()
        if mark in "{[":
            depth += 1
        elif mark in "}]":
            depth -= 1
            if depth == 0:
                return piece.end()
    return None


def _parse(text: str) -> dict[str, Any] | str:
    try:
        value = json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        near = text[max(0, error.pos - 20) : error.pos + 20].replace("\n", " ")
        return f"the JSON is broken at line {error.lineno}, column {error.colno}: {error.msg}; near `{near}`"
    except RecursionError:
        return "the JSON is nested too deeply"
    except ValueError:
        return "the JSON holds a number that cannot be read"
    return value if isinstance(value, dict) else "the JSON is an array; one object is wanted"
