"""The YAML block at the very start of a document."""

from __future__ import annotations

import re
from typing import Any

import yaml

from kaozheng.documents.nodes import FrontMatter
from kaozheng.documents.span import Span

_FENCE = re.compile(r"\ufeff?---[ \t]*\n")
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_MAX_CHARACTERS = 64_000


def read_front_matter(text: str) -> FrontMatter | None:
    """Front matter of `text`, or None. A block opens on the first line and is closed; its first line is not blank.

    `text` of the result runs from the start of the document over the closing fence and its line end.
    """
    fence = _FENCE.match(text)
    if fence is None:
        return None
    close = _CLOSE.search(text, fence.end())
    if close is None:
        return None
    body = text[fence.end() : close.start()]
    if body and not body.split("\n", 1)[0].strip():
        return None
    whole = text[: close.end() + (1 if text.startswith("\n", close.end()) else 0)]
    start = int(text.startswith("\ufeff"))
    data, error = _load(body)
    return FrontMatter(Span(start, close.end()), whole, data, error)


def _load(body: str) -> tuple[dict[str, Any], str | None]:
    """The mapping and, when there is none, the reason. The reader raises many kinds of errors on odd scalars."""
    if len(body) > _MAX_CHARACTERS:
        return {}, f"front matter is longer than {_MAX_CHARACTERS} characters"
    try:
        data = yaml.safe_load(body)
    except yaml.MarkedYAMLError as error:
        line = f" (line {error.problem_mark.line + 2})" if error.problem_mark else ""
        return {}, f"front matter is not YAML: {error.problem or 'cannot be read'}{line}"
    except (yaml.YAMLError, ValueError, LookupError, AttributeError, TypeError, RecursionError) as error:
        return {}, f"front matter is not YAML: {type(error).__name__}: {error}".split("\n", 1)[0]
    if data is None:
        return {}, None
    if not isinstance(data, dict):
        return {}, "front matter is not a mapping of keys to values"
    return data, None
