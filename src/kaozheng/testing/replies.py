"""What the scripted server answers when nobody tells it: a filled schema, or prose from the evidence in the prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kaozheng.testing.chat import Reply, messages_sha256, prompt_of, schema_of
from kaozheng.testing.filling import fill

Answerer = Callable[[dict[str, Any]], Reply | str]
_EVIDENCE = re.compile(r"^[ \t]*(?:[-*>]\s*)?\[(E\d+)\][ \t:：]*(\S.*)$", re.MULTILINE)
_HAN = re.compile(r"[\u4e00-\u9fff]")


def default_reply(request: dict[str, Any]) -> str:
    """An object that satisfies the asked schema; else prose."""
    schema = schema_of(request)
    if schema is not None:
        return json.dumps(fill(schema, seed=messages_sha256(request)), ensure_ascii=False)
    return prose(prompt_of(request))


def prose(prompt: str) -> str:
    """Each evidence line of the prompt (`[E1] …`) as a paragraph with its label, tables and code left out; without
    evidence one sentence that names the prompt's first line."""
    lines = [f"{text.strip()}[{label}]" for label, text in _EVIDENCE.findall(prompt) if text[0] not in "|`~<>$"]
    if not lines:
        topic = next((line.strip(" #>-*\t") for line in prompt.splitlines() if line.strip(" #>-*\t")), "")[:60]
        return f"本段说明：{topic}。" if _HAN.search(prompt) else f"This part is about: {topic}."
    return "\n\n".join(lines)


def scripted(path: Path) -> Answerer:
    """Answers from a JSON file `{"answers": [{"match": "regex", "text": "…"} or {"match": …, "object": {…}}]}`: the
    first whose pattern is found in the prompt; the default reply when none is. `finish` and `reasoning` may be added.
    Raises ValueError for a file of another shape."""
    script = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(script, dict) or not all(isinstance(one, dict) for one in script.get("answers", ())):
        raise ValueError(f"{path.name}: want an object with a list of objects under 'answers'")
    lines = [(re.compile(str(one.get("match", ""))), _line(one)) for one in script.get("answers", ())]

    def answer(request: dict[str, Any]) -> Reply | str:
        prompt = prompt_of(request)
        return next((reply for pattern, reply in lines if pattern.search(prompt)), None) or default_reply(request)

    return answer


def _line(one: dict[str, Any]) -> Reply:
    text = json.dumps(one["object"], ensure_ascii=False) if "object" in one else str(one.get("text", ""))
    return Reply(text, one.get("finish", "stop"), str(one.get("reasoning", "")))
