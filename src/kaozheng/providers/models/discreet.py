"""Nothing that a provider's answer, its errors or its libraries' logs say may hold what the provider was opened with.

Providers repeat keys: in refusals, in headers (which HTTP libraries log), some in answers. And SDKs print whole prompts
where a variable such as OPENAI_LOG asks for it, which is the operator's business unless the texts are secret.
"""

from __future__ import annotations

import base64
import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Final
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

from kaozheng.errors import ModelError
from kaozheng.models.messages import Call, Completion
from kaozheng.models.model import Model, OnDelta

_TALKATIVE: Final = (
    *("openai", "anthropic", "google", "google_genai", "langchain", "langchain_core", "langsmith"),
    *("httpx", "httpx2", "httpcore", "httpcore2", "aiohttp", "requests", "urllib3", "hpack", "h11"),
)
"""Libraries that log what goes over the wire."""
_SHORTEST: Final = 6
"""Shorter values stand in any text: to cut them out would say what they are."""
_RANDOM: Final = re.compile(r"(?=.*\d)(?=.*[A-Za-z]).{12,}")
"""Values that cannot be a word: only these are cut out of answers. Local servers are given keys such as "ollama"."""
_GONE: Final = "***"


class Secrets:
    """What must not be said: taken out of texts in the forms in which libraries write it. Its repr says nothing."""

    __slots__ = ("_certain", "_forms")

    def __init__(self, values: Iterable[str]) -> None:
        known = {value for value in values if len(value) >= _SHORTEST}
        forms = {form for value in known for form in (value, quote(value, safe=""), quote_plus(value))}
        self._forms = sorted(forms, key=len, reverse=True)
        self._certain = [form for form in self._forms if _RANDOM.fullmatch(form)]

    def __repr__(self) -> str:
        return f"Secrets({len(self._forms)})"

    def out_of(self, text: str) -> str:
        """The text with "***" in place of each."""
        for form in self._forms:
            text = text.replace(form, _GONE)
        return text

    def out_of_answer(self, text: str) -> str:
        """The same for what a model wrote, where a value that might be a word stays."""
        for form in self._certain:
            text = text.replace(form, _GONE)
        return text


def secrets_of(key: str, *addresses: str) -> Secrets:
    """The key, and what addresses hold besides the way: user and password (also as the header that is made of them)
    and values of the query."""
    values = [key]
    for address in addresses:
        parts = urlsplit(address)
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        if user or password:
            values += [password, base64.b64encode(f"{user}:{password}".encode()).decode()]
            values += [] if password else [user]
        values += [value for _, value in parse_qsl(parts.query)]
    return Secrets(values)


class Discreet:
    """Takes the secrets out of answers, of errors and, while a call is under way, of the logs of libraries. Logs of a
    secret call below WARNING are dropped whole: they hold its texts."""

    def __init__(self, model: Model, secrets: Secrets) -> None:
        self._model = model
        self._secrets = secrets

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        with hushed(self._secrets, call.sensitivity == "secret"):
            try:
                completion = await self._model.complete(call, on_delta)
            except ModelError as error:
                error.args = tuple(self._secrets.out_of(one) if isinstance(one, str) else one for one in error.args)
                raise
        clean = self._secrets.out_of_answer
        return replace(
            completion,
            text=clean(completion.text),
            reasoning=clean(completion.reasoning),
            model=clean(completion.model),
        )


_AT_WORK: ContextVar[tuple[Secrets, bool] | None] = ContextVar("kaozheng_discreet", default=None)


@contextmanager
def hushed(secrets: Secrets, wholly: bool) -> Iterator[None]:
    """While this lasts, logs of libraries say no secret; with `wholly` those below WARNING say nothing."""
    for name, logger in list(logging.root.manager.loggerDict.items()):
        # Records pass the filters of their own logger only, not of those above it.
        if isinstance(logger, logging.Logger) and name.partition(".")[0] in _TALKATIVE and _hush not in logger.filters:
            logger.addFilter(_hush)
    token = _AT_WORK.set((secrets, wholly))
    try:
        yield
    finally:
        _AT_WORK.reset(token)


def _hush(record: logging.LogRecord) -> bool:
    """The filter. Whoever uses the same library for something else is not concerned: it looks at our calls only."""
    at_work = _AT_WORK.get()
    if at_work is None:
        return True
    secrets, wholly = at_work
    if wholly and record.levelno < logging.WARNING:
        return False
    said = record.getMessage()
    if record.exc_info and record.exc_info[0]:  # its traceback would tell the address, and what was answered
        said = f"{said} ({record.exc_info[0].__name__})"
        record.exc_info = record.exc_text = None
    record.msg, record.args = secrets.out_of(said), ()
    return True
