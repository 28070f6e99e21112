"""Proper names in their owners' spelling.

What:   A name of the list is written in another case. Whole words only, and not in file names, addresses, identifiers
        or tags.
Why:    Names are searched for, and a wrong case looks careless.
Bad:    在 github 上提交
Good:   在 GitHub 上提交
Fix:    safe: the listed spelling
Settings: names = [GitHub, MySQL, macOS, …]; where the lower-case form may be an English word (windows), only Chinese
        documents are judged
Source: Chinese Copywriting Guidelines, "專有名詞使用正確的大小寫"; markdownlint MD044
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kaozheng.documents.edits import TextEdit
from kaozheng.rules.check import Check, Context, Finding, finding
from kaozheng.rules.phrases import listed

_NAMES = [
    *listed("""
        GitHub GitLab JavaScript TypeScript Python Java Golang Kotlin PHP LangGraph LangChain MySQL PostgreSQL
        SQLite Redis MongoDB MariaDB Elasticsearch RabbitMQ Kafka Docker Kubernetes Linux Ubuntu Debian CentOS macOS iOS
        iPadOS Android Windows Markdown JSON YAML TOML XML HTML CSS SQL CSV PDF URL HTTP HTTPS TCP UDP DNS API SDK
        CPU GPU OpenAI ChatGPT DeepSeek PyTorch TensorFlow NumPy FastAPI Django Node.js Vue.js Next.js jQuery npm
        PyPI Nginx Google Microsoft Facebook YouTube LinkedIn WeChat Wi-Fi Bluetooth
    """),
    *("Hugging Face", "VS Code"),
]
_ALSO_WORDS = frozenset(listed("google java python windows docker android kafka redis markdown linux"))
_BEFORE = r"(?<![A-Za-z0-9_./\\@#$%&=~^-])"
_AFTER = r"(?![A-Za-z0-9_/\\@=~^-]|\.[A-Za-z0-9]|\(\))"


def check(context: Context) -> Iterator[Finding]:
    """One finding for each name in another case."""
    spellings: dict[str, set[str]] = {}
    for name in context.settings["names"]:
        spellings.setdefault(_folded(name), set()).add(_plain(name))
    if not spellings:
        return
    words = sorted(spellings, key=lambda word: (-len(word), word))
    pattern = re.compile(f"{_BEFORE}(?:{'|'.join(_spaced(word) for word in words)}){_AFTER}", re.IGNORECASE)
    for prose in context.document.prose:
        for found in pattern.finditer(prose.masked):
            right = spellings[_folded(found[0])]
            if _plain(found[0]) in right or _is_word(context, found[0]):
                continue
            name = min(right)
            place = prose.sub(*found.span())
            message = context.say(f"“{found[0]}”应写作“{name}”", f"{found[0]!r} should be written {name!r}.")
            yield finding(place, message, [TextEdit(place, name)])


def _is_word(context: Context, found: str) -> bool:
    """Open windows, a python: in an English sentence the lower-case word may mean just what it says."""
    return context.language == "en" and found in _ALSO_WORDS


def _plain(name: str) -> str:
    return " ".join(name.split())


def _folded(name: str) -> str:
    return _plain(name).casefold()


def _spaced(word: str) -> str:
    return r"\s".join(re.escape(part) for part in word.split())


CHECK = Check(
    "name-case",
    family="naming_and_tags",
    run=check,
    fix="safe",
    settings={"names": _NAMES},
    order=50,
)
