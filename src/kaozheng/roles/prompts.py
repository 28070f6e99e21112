"""Prompts are Markdown files beside the role: the system message, a line `---`, the user message. A role that asks for
two different things has a file for each.

`$name` is filled in. Whatever came from outside (material, drafts) is handed over by `quoted`, as data.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from string import Template

from kaozheng.documents.tokens import estimate_tokens
from kaozheng.models.messages import Message

FENCES = ("draft", "evidence", "material", "rules", "violations")
_GAP = r"[\s\u200b-\u200f\u2060-\u2064\ufeff\u00ad]*"  # what a model reads over
_FENCE = re.compile(rf"[<＜](?={_GAP}/?{_GAP}(?:{'|'.join(FENCES)}))", re.IGNORECASE)
_SPLIT = re.compile(r"^---\s*$", re.MULTILINE)


def prompt(role: str, language: str, /, file: str = "prompt", **values: str) -> tuple[Message, Message]:
    """The two messages of `role` in `language` ("zh", else "en"), from `file` beside the role. KeyError: the template
    names a value not given."""
    system, user = _templates(role, file, "zh" if language == "zh" else "en")
    return Message("system", system.substitute(values)), Message("user", user.substitute(values))


def overhead(role: str, language: str, /, file: str = "prompt") -> int:
    """About how many tokens a call of `role` has before anything is filled in."""
    system, user = _templates(role, file, "zh" if language == "zh" else "en")
    return estimate_tokens(system.template) + estimate_tokens(user.template)


def quoted(tag: str, text: str) -> str:
    """`text` between `<tag>` and `</tag>`, one of FENCES; such tags inside lose their `<`: data ends no fence."""
    return f"<{tag}>\n{unfenced(text)}\n</{tag}>"


def unfenced(text: str) -> str:
    """`text` without such tags, for what stands outside of a fence though it came from outside: titles, topics."""
    return _FENCE.sub("(", text)


@cache
def _templates(role: str, file: str, language: str) -> tuple[Template, Template]:
    text = resources.files(f"kaozheng.roles.{role}").joinpath(f"{file}.{language}.md").read_text(encoding="utf-8")
    system, user = _SPLIT.split(text, maxsplit=1)
    return Template(system.strip()), Template(user.strip())
