"""A scripted server on loopback for the two protocols that are not OpenAI's: Anthropic's messages and Google's
generateContent, both streamed. `async with VendorServer(answer) as server: ... server.url`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Self

from kaozheng.documents.tokens import estimate_tokens
from kaozheng.testing.chat import Reply
from kaozheng.testing.http import Connection, Listener, Request

_PIECE = 24
_MOST_PIECES = 500
_ANTHROPIC_FINISH = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
_GOOGLE_FINISH = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}


class VendorServer:
    """Answers the last message's text by `answer`. A reply's `status` of 400 and above is an error with its text as
    message; a finish of None ends the stream in the middle. `requests` holds the bodies, `headers` what came with them,
    by lower-case name."""

    def __init__(self, answer: Callable[[str], Reply]) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.url = ""
        self._answer = answer
        self._listener = Listener(self._handle)

    async def __aenter__(self) -> Self:
        self.url = f"http://127.0.0.1:{await self._listener.start(0)}"
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._listener.stop()

    async def _handle(self, request: Request, connection: Connection) -> bool:
        body = request.json()
        self.requests.append(body)
        self.headers.append(request.headers)
        of_google = "GenerateContent" in request.path
        prompt = _google_prompt(body) if of_google else _anthropic_prompt(body)
        reply = self._answer(prompt)
        if reply.status >= 400:
            reason = {"type": "error", "error": {"type": "scripted", "code": reply.status, "message": reply.text}}
            data = json.dumps(reason).encode()
            await connection.reply(reply.status, data, "application/json", dict(reply.headers))
            return True
        await connection.begin_stream()
        for event in (_google_events if of_google else _anthropic_events)(prompt, reply):
            name = f"event: {event['type']}\n" if "type" in event else ""
            await connection.chunk(f"{name}data: {json.dumps(event)}\n\n".encode())
        await connection.chunk(b"")
        return True


def _anthropic_prompt(body: dict[str, Any]) -> str:
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return content
    return "".join(str(block.get("text") or block.get("content") or "") for block in content)


def _google_prompt(body: dict[str, Any]) -> str:
    parts = body["contents"][-1]["parts"]
    return "".join(str(part.get("text") or part.get("functionResponse", {}).get("response", "")) for part in parts)


def _anthropic_events(prompt: str, reply: Reply) -> Iterator[dict[str, Any]]:
    read, written = estimate_tokens(prompt), estimate_tokens(reply.text + reply.reasoning)
    message: dict[str, Any] = {"id": "msg_1", "type": "message", "role": "assistant", "model": "named", "content": [],
               "stop_reason": None, "stop_sequence": None}  # fmt: skip
    yield {"type": "message_start", "message": {**message, "usage": {"input_tokens": read, "output_tokens": 1}}}
    blocks = [("thinking", reply.reasoning)] if reply.reasoning else []
    texts = [*blocks, ("text", reply.text)]
    for index, (kind, text) in enumerate(texts):
        begun = {"type": kind, kind: "", **({"signature": ""} if kind == "thinking" else {})}
        yield {"type": "content_block_start", "index": index, "content_block": begun}
        for piece in _pieces(text):
            yield {"type": "content_block_delta", "index": index, "delta": {"type": f"{kind}_delta", kind: piece}}
        yield {"type": "content_block_stop", "index": index}
    for index, call in enumerate(reply.tool_calls, start=len(texts)):
        block: dict[str, Any] = {"type": "tool_use", "id": call.id, "name": call.name, "input": {}}
        yield {"type": "content_block_start", "index": index, "content_block": block}
        for piece in _pieces(call.arguments):
            given = {"type": "input_json_delta", "partial_json": piece}
            yield {"type": "content_block_delta", "index": index, "delta": given}
        yield {"type": "content_block_stop", "index": index}
    if reply.finish is None:
        return
    code = "tool_use" if reply.tool_calls and reply.finish == "stop" else reply.finish
    finish = {"stop_reason": _ANTHROPIC_FINISH.get(code, code), "stop_sequence": None}
    yield {"type": "message_delta", "delta": finish, "usage": {"input_tokens": read, "output_tokens": written}}
    yield {"type": "message_stop"}


def _google_events(prompt: str, reply: Reply) -> Iterator[dict[str, Any]]:
    read, written = estimate_tokens(prompt), estimate_tokens(reply.text + reply.reasoning)
    parts: list[dict[str, Any]] = [{"text": piece, "thought": True} for piece in _pieces(reply.reasoning)]
    parts += [{"text": piece} for piece in _pieces(reply.text)]
    parts += [{"functionCall": {"name": one.name, "args": json.loads(one.arguments)}} for one in reply.tool_calls]
    for part in parts:
        yield {"candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}], "modelVersion": "named"}
    if reply.finish is None:
        return
    last = {"content": {"role": "model", "parts": [{"text": ""}]}, "index": 0}
    counted = {"promptTokenCount": read, "candidatesTokenCount": written, "totalTokenCount": read + written}
    finish = _GOOGLE_FINISH.get(reply.finish, reply.finish)
    yield {"candidates": [{**last, "finishReason": finish}], "usageMetadata": counted, "modelVersion": "named"}


def _pieces(text: str) -> Iterator[str]:
    size = max(_PIECE, len(text) // _MOST_PIECES)
    return (text[at : at + size] for at in range(0, len(text), size))
