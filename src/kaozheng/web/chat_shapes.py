"""What clients of OpenAI's chat completions send and expect, as far as a question needs it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from kaozheng.documents.document import language_of
from kaozheng.evidence.pictures import without_pictures
from kaozheng.sessions import Turn
from kaozheng.web.refusals import RefusedError
from kaozheng.workflows.ask.result import AskResult

MODEL: Final = "kaozheng"
_HEADS: Final = {"zh": "**来源**", "en": "**Sources**"}
_CORRECTED: Final = {
    "zh": "\n\n**更正**：以上未通过核对，以此为准：\n\n",
    "en": "\n\n**Correction**, in place of the above:\n\n",
}
_LISTED = re.compile(rf"\n\n(?:{'|'.join(map(re.escape, _HEADS.values()))})\n.*\Z", re.DOTALL)
_PATH = re.compile(r"[/\\]|[A-Za-z]:[/\\]")
_MOST_TURNS: Final = 20


class Part(BaseModel):
    """A part of a message's content."""

    type: str = "text"
    text: str = ""


class Said(BaseModel):
    """A message. What is beside role and content (names, tool calls) plays no part here."""

    role: str
    content: str | list[Part] | None = None

    @property
    def text(self) -> str:
        """The words. Raises RefusedError for pictures and sound."""
        if isinstance(self.content, str) or self.content is None:
            return self.content or ""
        if any(part.type not in ("text", "input_text", "output_text") for part in self.content):
            raise RefusedError(400, "unsupported_content", "messages may hold text only")
        return "\n".join(part.text for part in self.content)


class StreamOptions(BaseModel):
    """Options of a stream."""

    include_usage: bool = False


class Completing(BaseModel):
    """A request. Everything else that such requests may hold (temperature, tools, …) is taken and not looked at: how
    an answer is made is not the client's to say."""

    model_config = ConfigDict(extra="ignore")
    model: str = MODEL
    messages: list[Said]
    stream: bool | None = False
    stream_options: StreamOptions | None = None


def base_of(model: str) -> list[str]:
    """The base that a model's name means, none for all. Raises RefusedError (404) for another model."""
    name, slash, base = model.partition("/")
    if name != MODEL or (slash and not base):
        raise RefusedError(404, "model_not_found", f"there is no model {model[:80]}: {MODEL}, or {MODEL}/ and a base")
    return [base] if base else []


def conversation(messages: Sequence[Said]) -> tuple[str, tuple[Turn, ...]]:
    """The question, which is the last message, and the turns before it. System messages do not count: what may be said
    is decided here, and a hint of a client's could only soften it. Raises RefusedError."""
    said = [one for one in messages if one.role in ("user", "assistant")]
    if not said or said[-1].role != "user":
        raise RefusedError(400, "no_question", "the last message must be a user's: the question")
    turns: list[Turn] = []
    asked: list[str] = []
    for one in said[:-1]:
        if one.role == "user":
            asked.append(one.text)
        elif asked:
            turns.append(Turn("\n".join(asked), _LISTED.sub("", one.text)))
            asked = []
    return "\n".join([*asked, said[-1].text]) if asked else said[-1].text, tuple(turns[-_MOST_TURNS:])


def sources_of(result: AskResult, question: str) -> str:
    """The places of an answer as Markdown to stand below it; "" when it has none."""
    if not result.citations:
        return ""
    lines = [f"- [{one.get('label', '')}] {_place(one)}" for one in result.citations]
    return "\n\n" + "\n".join([_HEADS[_language(question)], "", *lines])


def corrected(question: str) -> str:
    """What stands between words that were sent already and the answer that takes their place."""
    return _CORRECTED[_language(question)]


def usage_of(result: AskResult | None) -> dict[str, int]:
    """Tokens, as that API counts them."""
    used = result.usage if result else {}
    prompt, completion = int(used.get("input_tokens", 0)), int(used.get("output_tokens", 0))
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def finish_of(result: AskResult | None) -> str:
    """Why the answer ends where it does."""
    return "length" if result is not None and result.code == "model_output_limit" else "stop"


def extra_of(result: AskResult) -> dict[str, Any]:
    """What that API has no place for, under the key `kaozheng`."""
    return {
        "status": result.status,
        "code": result.code,
        "by": result.by,
        "evidence_state": result.evidence_state,
        "citations": result.citations,
        "conflicts": result.conflicts,
        "grounding": result.grounding,
        "interaction": result.interaction,
    }


def _place(citation: dict[str, Any]) -> str:
    title, document = str(citation.get("title") or ""), _named(str(citation.get("document") or ""))
    spot = str(citation.get("place") or "")  # a page or sheet also ends the path
    path = " > ".join(str(part) for part in citation.get("path") or () if part != spot)
    lines = list(citation.get("lines") or ())
    where = "-".join(dict.fromkeys(f"L{line}" for line in lines)) if len(lines) == 2 else ""
    named = title if not document or title == document else f"{title} ({document})" if title else document
    # Titles and headings are a stranger's words, and this is shown as Markdown.
    return without_pictures(", ".join(filter(None, (named, path, spot, where))))


def _named(document: str) -> str:
    """The document without the folders of this machine: an answer is read by others, also outside of this program."""
    return re.split(r"[/\\]", document)[-1] if _PATH.match(document) else document


def _language(question: str) -> str:
    return language_of(question) or "en"
