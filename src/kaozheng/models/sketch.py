"""A JSON schema in the few words that a prompt can spare: `{"title": string, "parts": [{"n": integer}] (1 to 20)}`."""

from __future__ import annotations

import json
from typing import Any

_MAX_DEPTH = 8


def sketch(schema: dict[str, Any]) -> str:
    """The schema as an example-like line. Descriptions stand behind their field; a recursive part ends in `…`."""
    return _draw(schema, schema.get("$defs", {}), 0)


def _draw(node: Any, defs: dict[str, Any], depth: int) -> str:
    if not isinstance(node, dict):
        return "any"
    if depth > _MAX_DEPTH:
        return "…"
    if "$ref" in node:
        return _draw(defs.get(str(node["$ref"]).rsplit("/", 1)[-1]), defs, depth + 1)
    if "const" in node:
        return json.dumps(node["const"], ensure_ascii=False)
    if "enum" in node:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in node["enum"])
    for key in ("anyOf", "oneOf", "allOf"):
        if key in node:
            return " | ".join(dict.fromkeys(_draw(option, defs, depth + 1) for option in node[key]))
    if node.get("type") == "object" or "properties" in node:
        return _draw_object(node, defs, depth)
    if node.get("type") == "array":
        return f"[{_draw(node.get('items'), defs, depth + 1)}]{_range(node, 'minItems', 'maxItems')}"
    kind = node.get("type", "any")
    return (" | ".join(kind) if isinstance(kind, list) else str(kind)) + _range(node, "minimum", "maximum")


def _draw_object(node: dict[str, Any], defs: dict[str, Any], depth: int) -> str:
    fields = []
    for name, part in node.get("properties", {}).items():
        optional = "" if name in node.get("required", ()) else "?"
        said = part.get("description", "") if isinstance(part, dict) else ""
        note = f" /* {said} */" if said else ""
        fields.append(f"{json.dumps(name, ensure_ascii=False)}{optional}: {_draw(part, defs, depth + 1)}{note}")
    if not fields and isinstance(node.get("additionalProperties"), dict):
        fields.append(f"string: {_draw(node['additionalProperties'], defs, depth + 1)}")
    return "{" + ", ".join(fields) + "}"


def _range(node: dict[str, Any], low: str, high: str) -> str:
    if low in node and high in node:
        return f" ({node[low]} to {node[high]})"
    if low in node:
        return f" (at least {node[low]})"
    return f" (at most {node[high]})" if high in node else ""
