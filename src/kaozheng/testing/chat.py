"""The words of the OpenAI-compatible protocol: chat completions whole and streamed, embeddings, models, errors."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kaozheng.documents.tokens import estimate_tokens
from kaozheng.models.tool_call import ToolCall

_DELTA_CHARS = 24
_MOST_DELTAS = 500  # a huge text comes in larger pieces: each event costs a client 0.15 ms
_DIMENSIONS = 64


@dataclass(frozen=True, slots=True)
class Reply:
    """What the scripted server answers. A `status` of 400 and above makes `text` the error message; with `tool_calls`
    a `finish` of "stop" is sent as "tool_calls"."""

    text: str
    finish: str | None = "stop"
    reasoning: str = ""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()


def messages_sha256(request: dict[str, Any]) -> str:
    """The hash by which a log recognises a repeated question."""
    return hashlib.sha256(json.dumps(request.get("messages", []), sort_keys=True).encode()).hexdigest()


def prompt_of(request: dict[str, Any]) -> str:
    """The text of the last message."""
    messages = request.get("messages") or [{}]
    return _text(messages[-1])


def schema_of(request: dict[str, Any]) -> dict[str, Any] | None:
    """The JSON schema that was asked for, if any."""
    schema = (request.get("response_format") or {}).get("json_schema", {}).get("schema")
    return schema if isinstance(schema, dict) else None


def usage_of(request: dict[str, Any], reply: Reply) -> dict[str, Any]:
    """Token figures; the first 16 tokens of a prompt always come from the cache."""
    read = sum(estimate_tokens(_text(message)) for message in request.get("messages", []))
    written = sum(map(estimate_tokens, [reply.text, reply.reasoning, *(one.arguments for one in reply.tool_calls)]))
    return {
        "prompt_tokens": read,
        "completion_tokens": written,
        "total_tokens": read + written,
        "prompt_tokens_details": {"cached_tokens": min(16, read)},
    }


def whole(request: dict[str, Any], reply: Reply) -> dict[str, Any]:
    """The answer to a request without `stream`."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    if reply.tool_calls:
        message["tool_calls"] = [one.as_function() for one in reply.tool_calls]
    choice = {"index": 0, "message": message, "finish_reason": _finish(reply)}
    return {**_envelope(request, "chat.completion"), "choices": [choice], "usage": usage_of(request, reply)}


def chunks(request: dict[str, Any], reply: Reply) -> Iterator[dict[str, Any]]:
    """The events of a streamed answer: role, reasoning, text, finish, and usage when it was asked for."""
    pieces: list[tuple[dict[str, Any], str | None]] = [({"role": "assistant", "content": ""}, None)]
    pieces += [({"reasoning_content": piece}, None) for piece in _pieces(reply.reasoning)]
    pieces += [({"content": piece}, None) for piece in _pieces(reply.text)]
    for index, call in enumerate(reply.tool_calls):
        begun = {"name": call.name, "arguments": ""}
        pieces.append(({"tool_calls": [{"index": index, "id": call.id, "type": "function", "function": begun}]}, None))
        for piece in _pieces(call.arguments):
            pieces.append(({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}, None))
    if reply.finish is not None:
        pieces.append(({}, _finish(reply)))
    head = _envelope(request, "chat.completion.chunk")
    for delta, finish in pieces:
        yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
    if (request.get("stream_options") or {}).get("include_usage") and reply.finish is not None:
        yield {**head, "choices": [], "usage": usage_of(request, reply)}


def second_choice(chunk: dict[str, Any]) -> list[dict[str, Any]]:
    """Another choice for an event that has one, with other words."""
    other = {"content": "another"}
    return [{**one, "index": 1, "delta": other if one["delta"].get("content") else {}} for one in chunk["choices"]]


def event(data: dict[str, Any] | str) -> bytes:
    """One server-sent event."""
    text = data if isinstance(data, str) else json.dumps(data)
    return f"data: {text}\n\n".encode()


def error(message: str, code: str, param: str | None = None) -> dict[str, Any]:
    """An error body."""
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


def first_input(request: dict[str, Any]) -> str:
    """The first text of which the vector is asked for."""
    given = request.get("input", "")
    return str(given if isinstance(given, str) else next(iter(given), ""))


def embeddings(request: dict[str, Any]) -> dict[str, Any]:
    """Unit vectors made of hashed character pairs: equal texts are equal, similar texts are near."""
    given = request.get("input", [])
    texts = [given] if isinstance(given, str) else list(given)
    size = int(request.get("dimensions") or _DIMENSIONS)
    packed = request.get("encoding_format") == "base64"
    rows = [
        {"object": "embedding", "index": index, "embedding": _packed(vector) if packed else vector}
        for index, vector in enumerate(embed(str(text), size) for text in texts)
    ]
    tokens = sum(estimate_tokens(str(text)) for text in texts)
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return {"object": "list", "model": request.get("model", ""), "data": rows, "usage": usage}


def embed(text: str, dimensions: int = _DIMENSIONS) -> list[float]:
    """The vector of one text."""
    vector = [0.0] * dimensions
    for first, second in zip(f" {text}", f"{text} ", strict=True):
        digest = hashlib.blake2b(f"{first}{second}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
        vector[int.from_bytes(digest[:4], "big") % dimensions] += 1.0 if digest[4] % 2 else -1.0
    length = math.sqrt(sum(part * part for part in vector)) or 1.0
    return [part / length for part in vector]


def models(names: tuple[str, ...]) -> dict[str, Any]:
    """The list of models."""
    return {"object": "list", "data": [{"id": name, "object": "model", "owned_by": "kaozheng"} for name in names]}


def _finish(reply: Reply) -> str | None:
    return "tool_calls" if reply.tool_calls and reply.finish == "stop" else reply.finish


def _packed(vector: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


def _envelope(request: dict[str, Any], kind: str) -> dict[str, Any]:
    made = f"chatcmpl-{messages_sha256(request)[:16]}"
    return {"id": made, "object": kind, "created": 1_700_000_000, "model": request.get("model", "")}


def _pieces(text: str) -> Iterator[str]:
    size = max(_DELTA_CHARS, len(text) // _MOST_DELTAS)
    for start in range(0, len(text), size):
        yield text[start : start + size]


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")
