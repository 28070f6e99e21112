"""An outline from the beginnings of lines, for languages whose grammar is not installed. It knows where a definition
begins, not where it ends, so a symbol has one line; it never claims more."""

from __future__ import annotations

import re

from kaozheng.documents.span import LineRange
from kaozheng.sources.code.symbol import Outline, RawImport, Symbol, SymbolKind

_DEFINITION = re.compile(
    r"^(?P<indent>[ \t]{0,12})(?P<mods>(?:(?:export|default|public|private|protected|internal|static|final|abstract|"
    r"async|open|sealed|data|override|virtual|inline|unsafe|extern|const|"
    r"pub(?:\([a-z]+\))?|local|partial|declare)[ \t]+){0,6})"
    r"(?P<word>def|class|function|func|fn|interface|trait|struct|enum|type|module|object|protocol|record|union|"
    r"namespace|message|service|macro_rules!|mod|sub|defmodule)[ \t]*\*?[ \t]+"
    r"(?:\([^()\n]{1,80}\)[ \t]*)?(?P<name>[A-Za-z_$][\w$]*)"
)
_KINDS: dict[str, SymbolKind] = {
    "def": "function", "function": "function", "func": "function", "fn": "function", "sub": "function",
    "class": "class", "object": "class", "record": "class", "interface": "interface", "protocol": "interface",
    "service": "interface", "trait": "trait", "struct": "struct", "union": "struct",
    "message": "struct", "enum": "enum",
    "type": "type", "module": "module", "namespace": "module", "mod": "module", "defmodule": "module",
    "macro_rules!": "macro",
}  # fmt: skip
_IMPORTS = {
    "python": re.compile(r"^\s{0,40}(?:from\s+(?P<a>[.\w]+)\s+import\s+(?P<names>[\w, ]+)|import\s+(?P<b>[\w.]+))"),
    "javascript": re.compile(
        r"""^.{0,300}?(?:\bfrom\s*|\brequire\s*\(\s*|^\s*import\s*\(?\s*)["'](?P<a>[^"'\n]{1,300})["']"""
    ),
    "go": re.compile(r"""^\s*(?:import\s+)?(?:[\w.]+\s+)?"(?P<a>[\w.~/-]{1,200})"\s*$"""),
    "rust": re.compile(r"^\s*(?:pub(?:\([a-z]+\))?\s+)?(?:use\s+(?P<a>[\w:]+)|mod\s+(?P<mod>\w+);)"),
    "java": re.compile(r"^\s*import\s+(?:static\s+)?(?P<a>[\w.]+)"),
    "c": re.compile(r"""^\s*#\s*include\s*(?:"(?P<quoted>[^"\n]+)"|<(?P<a>[^>\n]+)>)"""),
}
_SAME = {"typescript": "javascript", "tsx": "javascript", "vue": "javascript", "svelte": "javascript", "cpp": "c"}
_LONGEST = 400


def line_outline(path: str, language: str, text: str) -> Outline:
    """Definitions and imports by line; empty for languages that begin definitions with none of the known words."""
    pattern = _IMPORTS.get(_SAME.get(language, language))
    symbols: list[Symbol] = []
    imports: list[RawImport] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line or len(line) > _LONGEST:
            continue
        if found := _DEFINITION.match(line):
            symbols.append(_symbol(found, path, number, language))
        if pattern and (got := pattern.match(line)):
            imports.append(_import(got, number))
    return Outline(path, language, tuple(symbols), tuple(imports), by="lines")


def _symbol(found: re.Match[str], path: str, number: int, language: str) -> Symbol:
    name, mods = found["name"], found["mods"]
    hidden = name.startswith("_") or "private" in mods or "local" in mods
    if language in ("rust", "go"):
        hidden = "pub" not in mods if language == "rust" else not name[0].isupper()
    return Symbol(
        name, _KINDS[found["word"]], path, LineRange(number, number), found.string.strip()[:200], public=not hidden
    )


def _import(found: re.Match[str], number: int) -> RawImport:
    groups = found.groupdict()
    names = tuple(name.split()[0] for name in (groups.get("names") or "").split(",") if name.strip())
    near = groups.get("quoted") or groups.get("mod")
    return RawImport(near or groups.get("a") or groups.get("b") or "", number, names, bool(near))
