"""How the actor plays the roles of a question to knowledge bases: it searches with the question, grades by shared
words, rewrites by dropping words, and answers with the evidence that shares words with the question, no more."""

from __future__ import annotations

import json
import re
from typing import Any

from kaozheng.models.tool_call import ToolCall
from kaozheng.sources.ranking import terms
from kaozheng.sources.telling import telling, without_asking
from kaozheng.testing.chat import Reply

_ASKED = re.compile(r"^(?:问题|Question|要点|Goal)[:：]\s*(.+)$", re.MULTILINE)
_AGAIN = re.compile(r"(?:请再检索：|Search again for: )(.+)\s*$")
_EVIDENCE = re.compile(r"^\[(E\d+)\] (.+)$", re.MULTILINE)
_GREETING = re.compile(r"^(?:你好|您好|谢谢|hi|hello|hey|thanks|thank you)\W*$", re.IGNORECASE)
_REFUSAL = re.compile(r"(?:只写这一句，不加编号：|without a label: )(.+)")
_SHARED = 0.34


def is_searching(request: dict[str, Any]) -> bool:
    """Whether the request offers the search of knowledge bases."""
    return any(one.get("function", {}).get("name") == "search_knowledge" for one in request.get("tools") or ())


def seek(messages: list[dict[str, Any]]) -> Reply | str:
    """A search for the question, or for what it was rewritten to; a greeting is greeted."""
    said = [str(message.get("content") or "") for message in messages if message.get("role") == "user"]
    again = _AGAIN.search(said[-1]) if said else None
    query = again[1] if again else asked_in("\n".join(said))
    if _GREETING.match(query):
        return "你好！请提问。" if re.search("[\u4e00-\u9fff]", query) else "Hello! Ask away."
    arguments = json.dumps({"query": query}, ensure_ascii=False)
    return Reply("", tool_calls=(ToolCall(f"search_{len(messages)}", "search_knowledge", arguments),))


def planned(prompt: str) -> dict[str, Any]:
    """The question as it stands; small talk for a greeting."""
    question = asked_in(prompt)
    return {"kind": "chat" if _GREETING.match(question) else "qa", "target": "topic", "goal": question}


def asked_before(prompt: str) -> str:
    """The questions of a conversation, one after the other."""
    return " ".join(re.findall(r"^user: (.+)$", prompt, re.MULTILINE))


def graded(prompt: str) -> dict[str, str]:
    """Yes when a passage shares words with the question."""
    return {"binary_score": "yes" if _fitting(prompt) else "no"}


def is_rewriting(system: str) -> bool:
    """Whether the system message is the rewriter's."""
    return system.startswith(("你负责改写检索查询", "You rewrite search queries"))


def rewritten(prompt: str) -> str:
    """The question without the words that ask; one word less for each query that was tried."""
    words = telling(asked_in(prompt))
    tried = prompt.count("\n- ")
    return " ".join(words[tried - 1 :]) if 0 < tried < len(words) else without_asking(asked_in(prompt))


def is_answering(system: str) -> bool:
    """Whether the system message is the answerer's."""
    return system.startswith(
        ("你是知识库问答助手，只根据证据回答", "You answer questions about a knowledge base, from")
    )


def answered(system: str, prompt: str) -> str:
    """The first line of each fitting passage with its label; the refusal that the prompt asks for when none fits."""
    lines = [f"{text.strip()}[{label}]" for label, text in _fitting(prompt)]
    refusal = _REFUSAL.search(system)
    return "\n\n".join(lines[:3]) or (refusal[1].strip() if refusal else "")


def asked_in(prompt: str) -> str:
    """The question of a prompt."""
    found = _ASKED.findall(prompt)
    return found[-1].strip() if found else prompt.strip().rpartition("\n")[2]


def _fitting(prompt: str) -> list[tuple[str, str]]:
    wanted = set(telling(asked_in(prompt)))
    found = []
    for label, text in _EVIDENCE.findall(prompt):
        if len(wanted & set(terms(text))) >= max(1, _SHARED * len(wanted)):
            found.append((label, text))
    return found
