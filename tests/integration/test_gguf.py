"""A GGUF file answers in this process. Runs where KAOZHENG_TEST_GGUF names a small one."""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from kaozheng.errors import ModelRefusedError
from kaozheng.models import Call, Finish, Message
from kaozheng.providers.models.choosing import endpoint, open_endpoint

pytest.importorskip("xllamacpp")
FILE = os.environ.get("KAOZHENG_TEST_GGUF", "")


def call(purpose: str) -> Call:
    return Call("writer", purpose, (Message("user", "Say hello."),), max_tokens=8, sensitivity="secret")


@pytest.mark.skipif(not FILE, reason="KAOZHENG_TEST_GGUF names no file")
async def test_a_file_is_read_once_and_answers_secret_calls() -> None:
    pieces: list[str] = []
    async with AsyncExitStack() as stack:
        model = open_endpoint(endpoint(f"gguf:{FILE}", lambda _: None), stack)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):  # gives up while the file is read; the reading goes on
                await model.complete(call("first"))
        completion = await model.complete(call("second"), lambda delta: pieces.append(delta.text))
    assert completion.text == "".join(pieces) != ""
    assert completion.finish in (Finish.LENGTH, Finish.STOP)
    assert completion.usage.output_tokens <= 8


@pytest.mark.parametrize("rest", [b"", b"\x03\0\0\0" + bytes(2_000)], ids=["cut off", "damaged"])
async def test_a_file_that_is_no_model_refuses_for_good(tmp_path: Path, rest: bytes) -> None:
    (tmp_path / "no.gguf").write_bytes(b"GGUF" + rest)
    async with AsyncExitStack() as stack:
        model = open_endpoint(endpoint(f"gguf:{tmp_path / 'no.gguf'}", lambda _: None), stack)
        with pytest.raises(ModelRefusedError, match=r"no\.gguf cannot be read as a GGUF model: it is damaged"):
            await model.complete(call("first"))
