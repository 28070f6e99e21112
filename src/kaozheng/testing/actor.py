"""A well-behaved actor for all roles of `write`, exploring code included, of `summarize`, and of questions to knowledge
bases: it answers from the prompt alone, the same question the same way.

The scripted server plays it (`--script actor`), the scripted model too (`ScriptedModel(act_call)`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from kaozheng.models.messages import Call, Completion, Finish
from kaozheng.models.usage import estimated_usage
from kaozheng.testing import asking, summarising
from kaozheng.testing.chat import Reply, prompt_of, schema_of
from kaozheng.testing.exploring import look_around, said_of
from kaozheng.testing.replies import default_reply, prose

_ITEM = re.compile(r"^(S\d+[#:]\d+) \| ([^|]*) \|", re.MULTILINE)


def act(request: dict[str, Any]) -> Reply | str:
    """The answer to a chat request: an outline by headings, prose from evidence, no complaints, no replacements; with
    tools a look around, and an overview of what was seen."""
    if request.get("tools"):
        return asking.seek(request["messages"]) if asking.is_searching(request) else look_around(request["messages"])
    schema = schema_of(request)
    if schema is None:
        return _text(request)
    play = _PLAYED.get(str(schema.get("title", "")))
    return (
        json.dumps(play(_all_of(request), prompt_of(request)), ensure_ascii=False) if play else default_reply(request)
    )


def act_call(call: Call) -> str | Completion:
    """The same for a `Call`."""
    answer = act(request_of(call))
    if isinstance(answer, str) or not answer.tool_calls:
        return answer if isinstance(answer, str) else answer.text
    usage = estimated_usage(call.prompt(), "".join(one.arguments for one in answer.tool_calls))
    return Completion(answer.text, Finish.TOOL_CALLS, usage, "scripted", tool_calls=answer.tool_calls)


def request_of(call: Call) -> dict[str, Any]:
    """A call as the request body that a server would get."""
    messages = [{"role": message.role, "content": message.content} for message in call.messages]
    asked: dict[str, Any] = {"response_format": {"json_schema": {"schema": call.schema}}} if call.schema else {}
    if call.tools:
        asked["tools"] = [{"type": "function", "function": {"name": one.name}} for one in call.tools]
    return {"messages": messages, **asked}


def _all_of(request: dict[str, Any]) -> str:
    return "\n".join(str(message.get("content") or "") for message in request["messages"])


def _text(request: dict[str, Any]) -> str:
    system = str(request["messages"][0].get("content") or "") if request["messages"] else ""
    if asking.is_rewriting(system):
        return asking.rewritten(prompt_of(request))
    if asking.is_answering(system):
        return asking.answered(system, prompt_of(request))
    if summarising.is_condensing(system):
        return summarising.condensed(system, _all_of(request))
    return prose(prompt_of(request))


def _outline(prompt: str) -> dict[str, Any]:
    sections: dict[str, list[str]] = {}
    items = [(name, [part.strip() for part in path.split(" > ")]) for name, path in _ITEM.findall(prompt)]
    tops = {path[0] for _, path in items}
    for name, path in items:
        # A heading above everything is the document's title and divides nothing.
        below = path[1:] if len(tops) == 1 else path
        sections.setdefault((below or path)[0] or name, []).append(name)
    planned = [{"title": title, "brief": "", "material": ids} for title, ids in sections.items()]
    return {"title": "Scripted", "sections": planned[:20]}


_PLAYED: dict[str, Callable[[str, str], Any]] = {
    "PlannedOutline": lambda whole, last: _outline(last),
    "Judgement": lambda whole, last: {"violations": []},
    "RevisePlan": lambda whole, last: {"replacements": []},
    "SaidTask": lambda whole, last: asking.planned(last),
    "SaidMemory": lambda whole, last: {"summary": asking.asked_before(last), "subjects": []},
    "GradeDocuments": lambda whole, last: asking.graded(last),
    "SaidOverview": lambda whole, last: said_of(last),
    "Tree": lambda whole, last: summarising.planned(whole),
    "Restoration": lambda whole, last: summarising.restored(whole),
}
"""The object of each schema, from all messages and from the last one."""
