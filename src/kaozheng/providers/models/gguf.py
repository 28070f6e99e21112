"""A GGUF file, answered by llama.cpp in this process (`gguf:/path/to/model.gguf`, extra `gguf`).

xllamacpp brings llama.cpp's own server; it listens on loopback only, on a port that the system chooses, with a key of
this process. So the file is one more OpenAI-compatible endpoint, and streaming, limits and errors are those of
`openai_compatible`.
"""

from __future__ import annotations

import asyncio
import secrets
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kaozheng.errors import ModelRefusedError
from kaozheng.models.messages import Call, Completion
from kaozheng.models.model import OnDelta
from kaozheng.providers.clients import operator_client
from kaozheng.providers.cores import cores
from kaozheng.providers.models.openai_compatible import OpenAIModel

if TYPE_CHECKING:
    from kaozheng.providers.models.choosing import Endpoint


def open_model(chosen: Endpoint, stack: AsyncExitStack) -> GgufModel:
    """The maker; the file is read at the first call."""
    model = GgufModel(Path(chosen.name).expanduser(), chosen.call_s)
    stack.push_async_callback(model.aclose)
    return model


class GgufModel:
    """A model in a file. Reading it takes seconds and happens once, in a thread; `aclose` gives the memory back."""

    def __init__(self, path: Path, call_s: float) -> None:
        self._path = path
        self._call_s = call_s
        self._loading: asyncio.Task[OpenAIModel] | None = None
        self._stack = AsyncExitStack()
        self._server: list[Any] = []

    @property
    def name(self) -> str:
        return self._path.stem

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        if self._loading is None or (self._loading.done() and self._loading.exception()):
            self._loading = asyncio.create_task(self._load())
        # Shielded: who gives up waiting must not make the next attempt read the file a second time.
        model = await asyncio.shield(self._loading)
        return await model.complete(call, on_delta)

    async def aclose(self) -> None:
        """Close the connections, then let the server end; it waits for its threads when its last reference goes."""
        if self._loading is not None:
            await asyncio.wait([self._loading])
        await self._stack.aclose()
        await asyncio.to_thread(self._server.clear)

    async def _load(self) -> OpenAIModel:
        key = secrets.token_urlsafe(24)
        self._server.append(await asyncio.to_thread(_served, self._path, key))
        base_url = f"{self._server[0].listening_address}/v1"
        client = await self._stack.enter_async_context(operator_client(base_url, total_s=self._call_s))
        return OpenAIModel(self.name, base_url, key, client)


def _served(path: Path, key: str) -> Any:
    from xllamacpp import CommonParams, Server

    wanted = CommonParams()
    wanted.model.path = str(path)
    wanted.model_alias = {path.stem}
    wanted.hostnames = ["127.0.0.1"]
    wanted.port = 0
    wanted.api_keys = [key]
    wanted.ui = False
    wanted.verbosity = 1
    # Its threads wait for each other after every layer, by spinning: one that has to share its core with us or with
    # anybody else stops them all (2 to 7 words a second instead of 40 to 70, on 2 busy cores).
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = max(1, cores() - 1)
    # It looks up from its work after each batch of a prompt: with its own 2,048 tokens, closing it and every cancelled
    # call took half a minute on a busy machine. Small ones cost nothing without a graphics card.
    wanted.n_batch = wanted.n_ubatch = 128
    try:
        return Server(wanted)
    except RuntimeError as error:
        why = "damaged, cut off, too large for the memory, or of a kind that this llama.cpp does not know"
        raise ModelRefusedError(f"{path.name} cannot be read as a GGUF model: it is {why} ({error})") from None
