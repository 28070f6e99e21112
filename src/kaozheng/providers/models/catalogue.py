"""The providers as data: who makes the model, where it answers, under which names its key and address are read.

A provider that speaks OpenAI's protocol is one entry here and no code. `maker` is "module:function" and imported when
the provider is chosen: some of these libraries take two seconds to import.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_HERE: Final = "kaozheng.providers.models"
OPENAI: Final = f"{_HERE}.openai_compatible:open_model"


@dataclass(frozen=True, slots=True)
class Provider:
    """One entry. `keys` and `addresses` are environment names, the first one set wins; without an address of the
    operator's, `base_url` is asked. `private` marks what runs on the operator's own machine: texts of sensitivity
    "secret" may go there, as long as its address is loopback. `extra` of this package brings `module`."""

    prefix: str
    maker: str
    example: str
    keys: tuple[str, ...] = ()
    base_url: str = ""
    addresses: tuple[str, ...] = ()
    private: bool = False
    leaves: str = ""
    """A pattern of model names that a private provider hands on to somebody else."""
    extra: str = ""
    module: str = ""
    keyless: bool = False
    at_once: int = 256
    """How many calls it takes at the same time from this whole process, whatever the settings allow each run."""
    is_file: bool = False
    """The model's name is the path of a file on this machine."""
    first_token_s: float = 0.0
    """At least so many seconds are waited for its first words: reading a long prompt on this machine's processor takes
    minutes, and so does reading a large file."""
    magic: bytes = b""
    """How such a file begins."""


_ALL: Final = (
    Provider(
        "openai", OPENAI, "gpt-4.1", ("OPENAI_API_KEY",), "https://api.openai.com/v1", ("OPENAI_BASE_URL",),
    ),
    Provider(
        "dashscope", OPENAI, "qwen-plus", ("DASHSCOPE_API_KEY", "DASHSCOPE_KEY", "DASHCOPE_KEY"),
        "https://dashscope.aliyuncs.com/compatible-mode/v1", ("DASHSCOPE_BASE_URL", "BASE_URL"),
    ),
    Provider(
        "ark", OPENAI, "ep-20250101-abcde", ("ARK_API_KEY",),
        "https://ark.cn-beijing.volces.com/api/v3", ("ARK_BASE_URL",),
    ),
    Provider(
        "deepseek", OPENAI, "deepseek-chat", ("DEEPSEEK_API_KEY",),
        "https://api.deepseek.com/v1", ("DEEPSEEK_BASE_URL",),
    ),
    Provider(
        "vllm", OPENAI, "Qwen/Qwen3-8B", ("VLLM_API_KEY",), "http://127.0.0.1:8000/v1", ("VLLM_BASE_URL",),
        private=True, keyless=True,
    ),
    Provider(
        "ollama", OPENAI, "qwen3:8b", ("OLLAMA_API_KEY",), "http://127.0.0.1:11434/v1", ("OLLAMA_BASE_URL",),
        private=True, leaves=r"[:-]cloud$", keyless=True,
    ),
    Provider(
        "local", OPENAI, "any", ("LOCAL_API_KEY",), "http://127.0.0.1:8080/v1", ("LOCAL_BASE_URL",),
        private=True, keyless=True,
    ),
    Provider(
        "anthropic", f"{_HERE}.anthropic:open_model", "claude-sonnet-4-5", ("ANTHROPIC_API_KEY",),
        "https://api.anthropic.com", ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_URL"),
        extra="anthropic", module="langchain_anthropic",
    ),
    Provider(
        "google_genai", f"{_HERE}.google_genai:open_model", "gemini-2.5-pro", ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        "https://generativelanguage.googleapis.com", ("GOOGLE_GEMINI_BASE_URL",),
        extra="google-genai", module="langchain_google_genai",
    ),
    Provider(
        "nvidia", f"{_HERE}.nvidia:open_model", "z-ai/glm-4.6", ("NVIDIA_API_KEY",),
        "https://integrate.api.nvidia.com/v1", ("NVIDIA_BASE_URL",),
        extra="nvidia", module="langchain_nvidia_ai_endpoints",
    ),
    Provider(
        "gguf", f"{_HERE}.gguf:open_model", "/models/qwen3-8b-q4.gguf",
        private=True, extra="gguf", module="xllamacpp", keyless=True,
        at_once=1, is_file=True, magic=b"GGUF", first_token_s=180.0,
    ),
)  # fmt: skip

PROVIDERS: Final = {one.prefix: one for one in _ALL}

GUESSES: Final = (
    (re.compile(r"glm|nvidia", re.IGNORECASE), "nvidia"),
    (re.compile(r"claude", re.IGNORECASE), "anthropic"),
    (re.compile(r"\b(?:ep-|doubao|ark\b)", re.IGNORECASE), "ark"),
    (re.compile(r"gemini", re.IGNORECASE), "google_genai"),
    (re.compile(r"^qwen", re.IGNORECASE), "dashscope"),
    (re.compile(r"^deepseek", re.IGNORECASE), "deepseek"),
)
"""Which provider a bare model name means (`MODEL_ID` of the seeds has no prefix), first match wins."""
