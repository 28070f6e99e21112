"""Import statements of each language, found by one query and read node by node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kaozheng.sources.code.symbol import RawImport

_JS = """
(import_statement source: (string) @import)
(export_statement source: (string) @import)
(call_expression function: (import) arguments: (arguments . (string) @import))
(call_expression function: (identifier) @f arguments: (arguments . (string) @import) (#eq? @f "require"))
"""
_TS = _JS + "(import_require_clause source: (string) @import)"
IMPORT_QUERIES = {
    "python": "(import_statement) @import (import_from_statement) @import",
    "javascript": _JS,
    "typescript": _TS,
    "tsx": _TS,
    "go": "(import_spec) @import",
    "rust": "(use_declaration) @import (mod_item) @import (extern_crate_declaration) @import",
    "java": "(import_declaration) @import",
    "c": "(preproc_include) @import",
    "cpp": "(preproc_include) @import",
}
_DEEPEST = 20
_TREES = frozenset({"scoped_use_list", "use_list", "use_as_clause", "use_wildcard"})


def raw_import(node: Any, language: str) -> Iterator[RawImport]:
    """What one statement imports; `import a, b` is two."""
    line = node.start_point.row + 1
    if language == "python":
        yield from _python(node, line)
    elif language in ("javascript", "typescript", "tsx"):
        yield RawImport(_text(node).strip("\"'`"), line)
    elif language == "go":
        path = node.child_by_field_name("path")
        if path is not None:
            yield RawImport(_text(path).strip('"`'), line)
    elif language == "rust":
        yield from _rust(node, line)
    elif language == "java":
        name = next((child for child in node.named_children if child.type in ("scoped_identifier", "identifier")), None)
        if name is not None:
            yield RawImport(_text(name), line)
    else:
        path = node.child_by_field_name("path")
        if path is not None:
            yield RawImport(_text(path).strip('"<>'), line, quoted=path.type == "string_literal")


def _python(node: Any, line: int) -> Iterator[RawImport]:
    names = [child.child_by_field_name("name") or child for child in node.children_by_field_name("name")]
    if node.type == "import_statement":
        yield from (RawImport(_text(name), line) for name in names)
        return
    module = node.child_by_field_name("module_name")
    if module is not None:
        yield RawImport("".join(_text(module).split()), line, tuple(_text(name) for name in names))


def _rust(node: Any, line: int) -> Iterator[RawImport]:
    if node.type == "mod_item":
        name = node.child_by_field_name("name")
        if name is not None and node.child_by_field_name("body") is None:
            yield RawImport(_text(name), line, quoted=True)
        return
    if node.type == "extern_crate_declaration":
        name = node.child_by_field_name("name")
        yield RawImport(_text(name) if name else "", line)
        return
    argument = node.child_by_field_name("argument")
    if argument is None:
        return
    # `use {` may open a group of several crates: each is named on a line of its own.
    for part in argument.named_children if argument.type == "use_list" else [argument]:
        at = line + part.start_point[0] - node.start_point[0]
        yield RawImport("", at, tuple(dict.fromkeys(_leaves(part, "", 0))))


def _leaves(node: Any, prefix: str, depth: int) -> Iterator[str]:
    """Every full path of a use tree: `a::{b, c::{d, e}}` is a::b, a::c::d, a::c::e."""
    if depth > _DEEPEST or "comment" in node.type:
        return
    inner, prefix = _below(node, prefix)
    for child in inner:
        yield from _leaves(child, prefix, depth + 1)
    if not inner and node.type not in _TREES:
        yield prefix.removesuffix("::") if node.type == "self" and prefix else prefix + "".join(_text(node).split())


def _below(node: Any, prefix: str) -> tuple[list[Any], str]:
    """The nodes that a use tree holds, and what stands before their paths."""
    path = node.child_by_field_name("path")
    if node.type == "scoped_use_list":
        held = node.child_by_field_name("list")
        return [held] if held else [], f"{prefix}{_text(path)}::" if path else prefix
    if node.type == "use_as_clause":
        return [path] if path else [], prefix
    return (
        node.named_children[:1] if node.type == "use_wildcard" else node.named_children
    ) if node.type in _TREES else [], prefix


def _text(node: Any) -> str:
    return (node.text or b"").decode("utf-8", "replace")
