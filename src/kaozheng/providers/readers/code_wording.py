"""Signature and first sentence of a definition, from the nodes around it."""

from __future__ import annotations

import re
from typing import Any

_MARKS = re.compile(r"^\s*(?:/\*+!?|\*+/|\*|///?!?|#+!?|--)?[ \t]?(.*?)\s*(?:\*+/)?\s*$")
_SENTENCE = re.compile(r".+?(?:[。！？]|[.!?](?=\s|$)|$)")
_LINT = re.compile(
    r"(?i)^(?:noqa|type:|eslint|ts-|@ts|prettier|nolint|go:|clippy|copyright|spdx|license|!/|[-=*#/]{3,})"
)
_BESIDE = frozenset({"attribute_item", "decorator"})
_LIMIT = 200


def signature_of(node: Any, language: str) -> str:
    """The definition up to its body, in one line of at most 200 characters."""
    value = node.child_by_field_name("value") if node.type == "variable_declarator" else None
    body = (value or node).child_by_field_name("body")
    data = node.text or b""
    if body is not None:
        data = data[: body.start_byte - node.start_byte]
    text = " ".join(data.decode("utf-8", "replace")[:2_000].split())
    if language == "python":
        text = text.removesuffix(":")
    return text.removesuffix("=>").removesuffix("{").rstrip()[:_LIMIT]


def doc_of(node: Any, outer: Any, language: str) -> str:
    """The first sentence of the docstring or of the comment right above, or ""."""
    if language == "python":
        return first_sentence(_docstring(node.child_by_field_name("body")))
    lines: list[str] = []
    below, before = outer, outer.prev_named_sibling
    while before is not None and before.end_point.row >= below.start_point.row - 1 and len(lines) < 60:
        if "comment" in before.type:
            if before.start_point.row == _last_row(before.prev_named_sibling):
                break  # it ends the line of something else
            lines[:0] = _plain(before)
        elif before.type not in _BESIDE:
            break
        below, before = before, before.prev_named_sibling
    return first_sentence("\n".join(lines))


def _last_row(node: Any) -> int:
    """Macros end at the beginning of the line after them."""
    return -1 if node is None else node.end_point.row - (node.end_point.column == 0)


def module_doc(root: Any, language: str) -> str:
    """The first sentence of what the file says of itself."""
    first = next(iter(root.named_children), None)
    if first is None:
        return ""
    if language == "python":
        return first_sentence(_docstring(root))
    lines: list[str] = []
    for child in root.named_children[:40]:
        if "comment" not in child.type:
            break
        lines.extend(_plain(child))
    return first_sentence("\n".join(lines))


def first_sentence(text: str) -> str:
    """The first sentence, in one line of at most 200 characters; notes to linters and licence heads are none."""
    block: list[str] = []
    for line in text.strip().split("\n"):
        line = line.strip()
        if _LINT.match(line):
            continue
        if (not line or line.startswith("@")) and block:
            break
        if line:
            block.append(line)
    found = _SENTENCE.match(" ".join(block))
    return found[0].strip()[:_LIMIT] if found else ""


def _plain(comment: Any) -> list[str]:
    text = (comment.text or b"").decode("utf-8", "replace")[:4_000]
    return [found[1] if (found := _MARKS.match(line)) else "" for line in text.rstrip("\n").split("\n")]


def _docstring(body: Any) -> str:
    """A string that stands first in a body. Comments may come before it."""
    for child in body.named_children[:20] if body is not None else ():
        if child.type == "comment":
            continue
        string = child.named_children[0] if child.type == "expression_statement" and child.named_children else child
        if string.type != "string":
            return ""
        return "".join(
            (part.text or b"").decode("utf-8", "replace")
            for part in string.named_children
            if part.type == "string_content"
        )[:4_000]
    return ""
