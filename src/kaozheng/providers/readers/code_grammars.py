"""Outlines by tree-sitter: one grammar package a language, imported when its first file comes (extra `code`)."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from kaozheng.documents.span import LineRange
from kaozheng.providers.readers.code_exports import exported_names
from kaozheng.providers.readers.code_imports import IMPORT_QUERIES, raw_import
from kaozheng.providers.readers.code_wording import doc_of, module_doc, signature_of
from kaozheng.sources.code.line_outline import line_outline
from kaozheng.sources.code.symbol import Outline, RawImport, Symbol, SymbolKind

_PACKAGES = {
    "python": ("tree_sitter_python", "language"), "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"), "tsx": ("tree_sitter_typescript", "language_tsx"),
    "go": ("tree_sitter_go", "language"), "rust": ("tree_sitter_rust", "language"),
    "java": ("tree_sitter_java", "language"),
    "c": ("tree_sitter_c", "language"), "cpp": ("tree_sitter_cpp", "language"),
}  # fmt: skip
_FUNCTIONS = frozenset(
    {
        "function_definition", "function_declaration", "generator_function_declaration", "function_item",
        "function_signature", "function_signature_item",
    }
)  # fmt: skip
_METHODS = frozenset(
    {
        "method_definition",
        "method_declaration",
        "constructor_declaration",
        "abstract_method_signature",
        "method_signature",
    }
)
_TYPES: dict[str, SymbolKind] = {
    "class_definition": "class", "class_declaration": "class", "abstract_class_declaration": "class",
    "record_declaration": "class", "class_specifier": "class", "interface_declaration": "interface",
    "annotation_type_declaration": "interface", "type_alias_declaration": "type", "type_alias_statement": "type",
    "type_item": "type", "type_alias": "type", "type_definition": "type", "alias_declaration": "type",
    "enum_declaration": "enum", "enum_item": "enum", "enum_specifier": "enum", "struct_item": "struct",
    "union_item": "struct", "struct_specifier": "struct", "union_specifier": "struct", "trait_item": "trait",
    "macro_definition": "macro", "preproc_function_def": "macro", "internal_module": "module", "mod_item": "module",
    "const_item": "constant", "static_item": "constant",
}  # fmt: skip
_WITH_BODY = frozenset({"class", "interface", "trait", "module", "struct", "enum"})
_PASSED_THROUGH = frozenset(
    {
        "if_statement", "else_clause", "elif_clause", "try_statement", "except_clause",
        "finally_clause", "with_statement",
        "block", "ambient_declaration", "statement_block", "declaration_list", "linkage_specification", "preproc_ifdef",
        "preproc_if", "preproc_else", "preproc_elif", "class_body", "interface_body", "enum_body",
        "enum_body_declarations",
        "field_declaration_list", "type_declaration", "const_declaration", "object_type", "preproc_elifdef",
    }
)  # fmt: skip
_DEEPEST = 40
_MOST_SYMBOLS = 5_000
_MOST_CHARS = 1_000_000
_MOST_LOOSE = 1_000


@dataclass(frozen=True, slots=True)
class _Where:
    """What holds the node: the class or type, and whether an export statement or a decorator stands around it."""

    path: str
    language: str
    owner: str = ""
    outer: Any = None
    exported: bool = False
    depth: int = 0


def outline(path: str, language: str, text: str) -> Outline:
    """The outline of one file; by its lines (and it says so) when there is no grammar, the text is over a million
    characters, or its grammar could make nothing of a long piece of it."""
    parser = _parser(language) if len(text) <= _MOST_CHARS else None
    if parser is None:
        return line_outline(path, language, text)
    root = parser.parse(text.encode("utf-8", "replace")).root_node
    if root.has_error and is_tangled(root):
        return line_outline(path, language, text)
    where = _Where(path, language)
    symbols: list[Symbol] = []
    for symbol in _inside(root, where):
        symbols.append(symbol)
        if len(symbols) == _MOST_SYMBOLS:
            break
    return Outline(
        path, language, _with_exports(symbols, language, text), _imports(root, language), module_doc(root, language)
    )


def is_tangled(root: Any) -> bool:
    """Whether a node holds more than 1,000 pieces that the grammar could not join, as in `{{{{…` without an end. The
    library's queries take quadratic time over the children of such a node."""
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type == "ERROR" and node.child_count > _MOST_LOOSE:
            return True
        pending.extend(child for child in node.children if child.has_error)
    return False


@cache
def _parser(language: str) -> Any:
    if language not in _PACKAGES:
        return None
    package, function = _PACKAGES[language]
    try:
        tree_sitter = importlib.import_module("tree_sitter")
        grammar = tree_sitter.Language(getattr(importlib.import_module(package), function)())
    except (ImportError, ValueError):  # not installed, or made for another version of the library
        return None
    return tree_sitter.Parser(grammar)


@cache
def _import_query(language: str) -> Any:
    tree_sitter = importlib.import_module("tree_sitter")
    return tree_sitter.Query(_parser(language).language, IMPORT_QUERIES[language])


def _imports(root: Any, language: str) -> tuple[RawImport, ...]:
    tree_sitter = importlib.import_module("tree_sitter")
    nodes = tree_sitter.QueryCursor(_import_query(language)).captures(root).get("import", [])
    found = (one for node in nodes for one in raw_import(node, language))
    return tuple(sorted(dict.fromkeys(found), key=lambda one: one.line))


def _inside(node: Any, where: _Where) -> Iterator[Symbol]:
    deeper = _Where(where.path, where.language, where.owner, None, where.exported, where.depth + 1)
    for child in node.named_children:
        yield from _symbols(child, deeper)


def _symbols(node: Any, where: _Where) -> Iterator[Symbol]:
    kind = node.type
    if where.depth > _DEEPEST:
        return
    if kind in ("decorated_definition", "export_statement", "template_declaration", "expression_statement"):
        exported = where.exported or kind == "export_statement"
        inner = _Where(where.path, where.language, where.owner, where.outer or node, exported, where.depth + 1)
        for child in node.named_children:
            if kind != "expression_statement" or child.type in ("assignment", "internal_module"):
                yield from _symbols(child, inner)
    elif kind in _FUNCTIONS or kind in _METHODS:
        yield from _function(node, where)
    elif kind in _TYPES:
        yield from _type(node, where)
    elif kind in _PASSED_THROUGH:
        yield from _inside(node, where)
    elif kind in ("impl_item", "namespace_definition"):
        yield from _holder(node, where)
    elif kind == "type_spec":
        yield from _go_type(node, where)
    else:
        yield from _value(node, where)


def _function(node: Any, where: _Where) -> Iterator[Symbol]:
    name = _name_node(node)
    if name is None:
        return
    owner = where.owner
    receiver = node.child_by_field_name("receiver")
    if receiver is not None:
        owner = next((_text(one) for one in _descend(receiver) if one.type == "type_identifier"), "")
    text = _text(name)
    if "::" in text:  # void Engine::start() { … }
        owner = text.rsplit("::", 1)[0].rpartition("::")[2].partition("<")[0]
        text = text.rsplit("::", 1)[1]
    yield from _made(node, text, "method" if owner else "function", where, owner)


def _type(node: Any, where: _Where) -> Iterator[Symbol]:
    kind = _TYPES[node.type]
    name = _name_node(node)
    body = node.child_by_field_name("body")
    if node.type == "type_definition":
        inner = node.child_by_field_name("type")
        if (
            inner is not None
            and inner.child_by_field_name("body") is not None
            and inner.child_by_field_name("name") is None
        ):
            kind = _TYPES.get(inner.type, "type")
    elif node.type.endswith("_specifier") and body is None:
        return  # `struct x y;` uses a type, it does not define it
    text = _text(name) if name is not None else ""
    if text:
        yield from _made(node, text, kind, where, where.owner)
    if body is not None and kind in _WITH_BODY and text:
        owner = where.owner if kind == "module" else text.partition("<")[0].strip()
        # In Rust and C++ each member says for itself who may use it; elsewhere it is as public as its class.
        yield from _inside(body, _Where(where.path, where.language, owner, None, where.exported, where.depth))


def _holder(node: Any, where: _Where) -> Iterator[Symbol]:
    body = node.child_by_field_name("body")
    if body is None:
        return
    owner = where.owner
    if node.type == "impl_item":
        held = node.child_by_field_name("type")
        owner = (
            next((_text(one) for one in _descend(held) if one.type in ("type_identifier", "primitive_type")), "")
            if held
            else ""
        )
        trait = node.child_by_field_name("trait") is not None
        where = _Where(where.path, where.language, owner, None, trait, where.depth)
    yield from _inside(body, _Where(where.path, where.language, owner, None, where.exported, where.depth))


def _go_type(node: Any, where: _Where) -> Iterator[Symbol]:
    held = node.child_by_field_name("type")
    kinds: dict[str, SymbolKind] = {"struct_type": "struct", "interface_type": "interface"}
    name = node.child_by_field_name("name")
    if name is not None:
        around = _Where(where.path, where.language, "", node.parent if node.parent.named_child_count == 1 else None)
        yield from _made(node, _text(name), kinds.get(held.type if held else "", "type"), around, "")


def _value(node: Any, where: _Where) -> Iterator[Symbol]:
    """Constants, and functions that are values (`const f = () => …`); prototypes in C and C++."""
    kind = node.type
    if kind in ("lexical_declaration", "variable_declaration"):
        around = _Where(where.path, where.language, where.owner, where.outer or node, where.exported)
        for child in node.named_children:
            if child.type == "variable_declarator":
                yield from _declarator(child, around)
    elif kind in (
        "const_spec",
        "assignment",
        "field_declaration",
        "declaration",
        "preproc_def",
        "public_field_definition",
    ):
        yield from _constant(node, where)


def _declarator(node: Any, where: _Where) -> Iterator[Symbol]:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None or name.type != "identifier":
        return
    if value is not None and value.type in ("arrow_function", "function_expression", "generator_function"):
        yield from _made(node, _text(name), "function", where, "")
    elif value is not None and value.type == "class":
        yield from _made(node, _text(name), "class", where, "")
    elif where.exported or _text(name).isupper():
        yield from _made(node, _text(name), "constant", where, "")


def _constant(node: Any, where: _Where) -> Iterator[Symbol]:
    if node.type == "assignment":
        name = node.child_by_field_name("left")
        if where.owner or name is None or name.type != "identifier" or not _text(name).isupper():
            return
    elif node.type == "public_field_definition":
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if value is None or value.type != "arrow_function" or name is None:
            return
        yield from _made(node, _text(name), "method", where, where.owner)
        return
    elif node.type in ("declaration", "field_declaration"):
        yield from _declaration(node, where)
        return
    else:
        name = node.child_by_field_name("name")
        if node.type == "preproc_def" and node.child_by_field_name("value") is None:
            return  # an include guard
    if name is not None:
        yield from _made(node, _text(name), "constant", where, where.owner)


def _declaration(node: Any, where: _Where) -> Iterator[Symbol]:
    """In C and C++ a prototype, or a type that is defined on the way; in Java a constant."""
    if where.language == "java":
        declarator = node.child_by_field_name("declarator")
        name = declarator.child_by_field_name("name") if declarator else None
        if name is not None and _text(name).isupper():
            yield from _made(node, _text(name), "constant", where, where.owner)
        return
    held = node.child_by_field_name("type")
    if held is not None and held.type in _TYPES and held.child_by_field_name("body") is not None:
        yield from _type(held, where)
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type in ("pointer_declarator", "reference_declarator"):
        declarator = declarator.child_by_field_name("declarator") or next(iter(declarator.named_children[-1:]), None)
    if declarator is not None and declarator.type == "function_declarator":
        name = _name_node(declarator)
        if name is not None and name.type in ("identifier", "field_identifier"):
            yield from _made(node, _text(name), "method" if where.owner else "function", where, where.owner)


def _made(node: Any, name: str, kind: SymbolKind, where: _Where, owner: str) -> Iterator[Symbol]:
    outer = where.outer or node
    if "<" in name and not name.startswith("operator"):  # a specialization in C++
        name = name.partition("<")[0].strip()
    if not name or len(name) > 200:
        return
    end = outer.end_point
    last = end.row + 1 if end.column or end.row == outer.start_point.row else end.row
    lines = LineRange(outer.start_point.row + 1, last)
    signature, doc = signature_of(node, where.language), doc_of(node, outer, where.language)
    public = _is_public(node, name, where, owner)
    yield Symbol(name, kind, where.path, lines, signature, doc, public=public, owner=owner)


def _is_public(node: Any, name: str, where: _Where, owner: str) -> bool:
    language = where.language
    if language == "python":
        return not name.startswith("_") and not owner.startswith("_")
    if language == "go":
        return name[:1].isupper() and (not owner or owner[:1].isupper())
    modifiers = [
        child for child in node.children if child.type in ("modifiers", "visibility_modifier", "accessibility_modifier")
    ]
    words = " ".join(_text(child) for child in modifiers)
    if language == "rust":
        return where.exported or words.startswith("pub") or node.type == "macro_definition"
    if language == "java":
        return "public" in words.split() or (
            bool(owner) and node.parent is not None and node.parent.type == "interface_body"
        )
    if language in ("c", "cpp"):
        storage = [child for child in node.children if child.type == "storage_class_specifier"]
        return bool(owner) or not any(_text(child) == "static" for child in storage)
    return where.exported and "private" not in words and not name.startswith(("#", "_"))


def _with_exports(symbols: list[Symbol], language: str, text: str) -> tuple[Symbol, ...]:
    if language not in ("javascript", "typescript", "tsx"):
        return tuple(symbols)
    names = exported_names(text)
    return tuple(
        Symbol(s.name, s.kind, s.path, s.lines, s.signature, s.doc, public=True, owner=s.owner)
        if not s.public
        and ((s.name in names and not s.owner) or (s.owner in names and not s.name.startswith(("#", "_"))))
        else s
        for s in symbols
    )


def _name_node(node: Any) -> Any:
    """The node of the name; in C and C++ at the end of the declarators."""
    name = node.child_by_field_name("name")
    steps = 0
    while name is None and node is not None and steps < 10:
        node = node.child_by_field_name("declarator") or next(
            (one for one in node.named_children if one.type.endswith("declarator")), None
        )
        steps += 1
        if node is None:
            return None
        if node.type in _NAMES:
            return node
        name = node.child_by_field_name("name") if node.type != "qualified_identifier" else node
    return name


_NAMES = frozenset(
    {"identifier", "field_identifier", "type_identifier", "qualified_identifier",
     "destructor_name", "operator_name", "primitive_type"}
)  # fmt: skip


def _descend(node: Any) -> Iterator[Any]:
    """The node and all below in the order of the text; without recursion, as `&&&&…T` may be nested without end."""
    pending = [node]
    while pending:
        one = pending.pop()
        yield one
        pending.extend(reversed(one.named_children))


def _text(node: Any) -> str:
    return (node.text or b"").decode("utf-8", "replace")
