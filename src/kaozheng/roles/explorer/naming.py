"""Names of a statement about code: what looks like an identifier stands in its lines, or is one of the repository.

A Chinese sentence has no blanks: 调用redis_client连接 holds a name as much as "calls redis_client" does. A letter here
is therefore any letter but a Chinese, Japanese or Korean one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from kaozheng.evidence.folding import HAN
from kaozheng.roles.explorer.figures import Figures, plain
from kaozheng.sources.code import Repository
from kaozheng.sources.code.claims import stands_in

_W = rf"[^\W{HAN}\u3040-\u30ff\uac00-\ud7af]"
_A = rf"(?![\d_]){_W}"
_CODE_LIKE = re.compile(
    rf"""(?<!{_W})(?<!{_W}\.)(?:
      (?:(?:{_W}|[.-])+/)+(?:{_W}|[.-])+\.{_W}+                     # src/app/main.py
      |{_A}{_W}*(?:-{_W}+)*(?:\.{_A}{_W}*(?:-{_W}+)*)+          # app.engine, README.md, evil.example
      |(?={_W}*\d){_A}{_W}*(?:\.\d+)*                               # v9.9, utf8, Python3.14
      |(?={_W}*_|{_W}*[a-z][A-Z]|{_W}*[A-Z]{{2,}}[a-z]{{2}}|_*{_A}{_W}*\(\)){_W}+  # snake_case, CamelCase, start()
    )""",
    re.VERBOSE,
)
_KNOWN_WORDS = """
JavaScript TypeScript CoffeeScript GitHub GitLab BitBucket PostgreSQL MySQL NoSQL OpenAI GraphQL LaTeX WebSocket
WebSockets WebAssembly NumPy FastAPI DeepSeek macOS iOS iPhone LangChain LangGraph PyPI gRPC OAuth Node.js
RESTful Base64 base64 UTF8 utf8 i18n l10n a11y
"""
_WELL_KNOWN = frozenset(_KNOWN_WORDS.split())
_WELL_KNOWN_FORMS = re.compile(r"(?<![A-Za-z0-9_])(?:[Uu][Tt][Ff]-8|[23]D)(?![A-Za-z0-9_])")
_ENDS_IN_NUMBER = re.compile(r"([A-Za-z][a-z]*|[A-Z]+)(\d+(?:\.\d+)*)")
_STRESSED = re.compile(r"_[A-Za-z]+_")
_LETTERS = re.compile(r"[\W_]+")


def names_in(prose: str) -> tuple[list[str], str]:
    """The identifier-like words of `prose`, in order, and the prose without them and without well-known words."""
    rest = _WELL_KNOWN_FORMS.sub(" ", prose)
    names = [name for name in _CODE_LIKE.findall(rest) if not _is_word(name)]
    return names, _CODE_LIKE.sub(" ", rest)


def _is_word(name: str) -> bool:
    """JavaScript, abbreviations such as e.g., and a word that stands out by Markdown: _not_."""
    return (
        name in _WELL_KNOWN
        or _STRESSED.fullmatch(name) is not None
        or all(len(part) == 1 and part.isalpha() for part in name.split("."))
    )


@dataclass
class Naming:
    """What the repository calls by a name."""

    repository: Repository

    def knows(self, name: str, shown: str) -> bool:
        """Whether the name stands in the lines `shown`, is one of the repository, or is made of such by dots and
        slashes. Arguments in brackets behind it must be there as well."""
        bare, arguments = _parted(name.strip())
        if not bare or not all(self._is_there(word, shown) for word in arguments):
            return stands_in(name, shown)
        return self._is_there(bare, shown) or stands_in(name, shown) or _same_with_number(bare, shown)

    def ties(self, name: str, shown: str) -> bool:
        """Whether the lines `shown` hold the name itself: of a method its own name, without that of its class."""
        bare, _ = _parted(name.strip())
        return stands_in(bare, shown) or any(stands_in(own, shown) for own in self._own.get(bare, ()))

    def _is_there(self, name: str, shown: str) -> bool:
        if name in self.known or name.rstrip("/") in self.known or stands_in(name, shown):
            return True
        parts = [part for part in re.split(r"::|[.#/]", name) if part]
        # `app.engine.start`: a name with its way, as imports write it.
        return len(parts) > 1 and all(part in self._parts or stands_in(part, shown) for part in parts)

    @cached_property
    def known(self) -> frozenset[str]:
        """All names, folders with and without their slash."""
        return frozenset(_names(self.repository))

    @cached_property
    def _own(self) -> dict[str, set[str]]:
        """The names of symbols by their full names."""
        own: dict[str, set[str]] = {}
        for symbol in self.repository.symbols:
            own.setdefault(symbol.full_name, set()).add(symbol.name)
        return own

    @cached_property
    def _parts(self) -> frozenset[str]:
        """Names and parts of paths, each alone."""
        return frozenset(part for name in self.known for part in re.split(r"[./]", name) if part)


def _parted(name: str) -> tuple[str, list[str]]:
    """`run(task, 5)`: the name, and the words and numbers of its arguments."""
    found = re.fullmatch(r"([^()]*)\((.*)\)", name)
    bare = (found[1] if found else name).strip().removeprefix("./")
    return bare, re.findall(rf"\d+(?:\.\d+)*|{_A}{_W}*", found[2]) if found else []


def _same_with_number(name: str, shown: str) -> bool:
    """`Python3.14` for "python 3.14", `SHA256` for "sha-256": whether letters and number stand there some other way."""
    found = _ENDS_IN_NUMBER.fullmatch(name)
    if not found:
        return False
    lines = plain(shown)
    if found[1].lower() == "v" or found[1].casefold() in lines.casefold():
        return (
            found[2] in Figures(lines).digits or _LETTERS.sub("", name).casefold() in _LETTERS.sub("", lines).casefold()
        )
    return False


def _names(repository: Repository) -> Iterator[str]:
    """Symbols, files, folders, entry points, commands, packages."""
    yield repository.name
    for symbol in repository.symbols:
        yield from (symbol.name, symbol.full_name)
    for file in repository.files:
        folder, _, name = file.path.rpartition("/")
        yield from (file.path, name)
        while folder:
            yield from (folder, f"{folder}/", folder.rpartition("/")[2])
            folder = folder.rpartition("/")[0]
    yield from (one.name for one in repository.entry_points)
    yield from (one.command for one in repository.tasks)
    yield from (one.target for one in repository.edges if not one.inside)
