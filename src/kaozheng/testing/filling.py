"""Make an object that satisfies a JSON schema: what a scripted model answers when nobody wrote an answer."""

from __future__ import annotations

import hashlib
import math
import re
from typing import Any

_MAX_DEPTH = 12
_WORDS = ("考证", "证据", "来源", "段落", "数据", "结论", "方法", "记录")
_BY_FORMAT = {
    "date": "2024-05-06",
    "date-time": "2024-05-06T07:08:09Z",
    "time": "07:08:09Z",
    "duration": "P1D",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "uri": "https://example.org/a",
    "email": "a@example.org",
    "ipv4": "192.0.2.1",
    "decimal": "1.5",
}
_PATTERN_GUESSES = (
    "1",
    "1.1",
    "1.2.3",
    "E1",
    "a",
    "ab",
    "A1",
    "a-b",
    "0001",
    "2024",
    "2024-05-06",
    "sha256:" + "0" * 64,
)


def fill(schema: dict[str, Any], seed: str = "") -> Any:
    """A value that satisfies the schema; the same schema and seed give the same value in every process.

    Knows $ref, anyOf/oneOf/allOf, enum, const, bounds of numbers, strings, arrays and nesting; every property is
    given unless it recurses. Raises ValueError for a pattern that none of its guesses meets and for a schema that
    nothing can satisfy.
    """
    return _Filler(schema.get("$defs") or schema.get("definitions") or {}, seed).value(schema, "$", 0)


class _Filler:
    def __init__(self, defs: dict[str, Any], seed: str) -> None:
        self._defs = defs
        self._seed = seed

    def value(self, node: Any, path: str, depth: int) -> Any:
        if not isinstance(node, dict) or not node:
            return self._word(path)
        if depth > 4 * _MAX_DEPTH:
            raise ValueError(f"{path}: the schema can only be satisfied by an endless value")
        node = self._resolved(node)
        if "const" in node:
            return node["const"]
        if "enum" in node:
            return node["enum"][self._number(path) % len(node["enum"])]
        if options := node.get("anyOf") or node.get("oneOf"):
            rest = {key: part for key, part in node.items() if key not in ("anyOf", "oneOf")}
            return self.value({**rest, **self._option(options, path, depth)}, path, depth + 1)
        return self._typed(node, path, depth)

    def _typed(self, node: dict[str, Any], path: str, depth: int) -> Any:
        kind = node.get("type") or ("object" if "properties" in node else "string")
        if isinstance(kind, list):
            kind = next((one for one in kind if one != "null"), "null")
        match kind:
            case "object":
                return self._object(node, path, depth)
            case "array":
                return self._array(node, path, depth)
            case "integer" | "number":
                return self._amount(node, path, whole=kind == "integer")
            case "boolean":
                return self._number(path) % 2 == 0
            case "null":
                return None
            case _:
                return self._string(node, path)

    def _resolved(self, node: dict[str, Any]) -> dict[str, Any]:
        """References and allOf merged into one flat node."""
        for _ in range(_MAX_DEPTH):
            if "$ref" in node:
                target = self._defs[str(node["$ref"]).rsplit("/", 1)[-1]]
                node = {**target, **{key: part for key, part in node.items() if key != "$ref"}}
            elif "allOf" in node:
                rest = {key: part for key, part in node.items() if key != "allOf"}
                for part in node["allOf"]:
                    rest = _merged(self._resolved(part), rest)
                node = rest
            else:
                break
        return node

    def _option(self, options: list[Any], path: str, depth: int) -> dict[str, Any]:
        """A real value before null, but null first when already deep: that is how recursive schemas end."""
        flat = [self._resolved(option) for option in options]
        real = [option for option in flat if option.get("type") != "null"]
        if depth > _MAX_DEPTH and len(real) < len(flat):
            return {"type": "null"}
        return real[self._number(path) % len(real)] if real else flat[0]

    def _object(self, node: dict[str, Any], path: str, depth: int) -> dict[str, Any]:
        required = set(node.get("required", ()))
        filled = {
            name: self.value(part, f"{path}.{name}", depth + 1)
            for name, part in node.get("properties", {}).items()
            if name in required or depth < _MAX_DEPTH
        }
        extra = node.get("additionalProperties")
        missing = node.get("minProperties", 0) - len(filled)
        if not filled and isinstance(extra, dict) and depth < _MAX_DEPTH:
            missing = max(missing, 1)
        for index in range(1, missing + 1):
            filled[f"key{index}"] = self.value(extra, f"{path}.key{index}", depth + 1)
        return filled

    def _array(self, node: dict[str, Any], path: str, depth: int) -> list[Any]:
        fixed = node.get("prefixItems", [])
        least = node.get("minItems", 0)
        wanted = max(least, len(fixed), 1 if depth < _MAX_DEPTH and "items" in node else 0)
        wanted = max(least, min(wanted, node.get("maxItems", wanted)))
        items: list[Any] = []
        for index in range(wanted):
            part = fixed[index] if index < len(fixed) else node.get("items", {})
            items.append(self._item(part, f"{path}[{index}]", depth, items if node.get("uniqueItems") else []))
        return items

    def _item(self, part: Any, path: str, depth: int, taken: list[Any]) -> Any:
        for attempt in range(1000):
            value = self.value(part, path if attempt == 0 else f"{path}~{attempt}", depth + 1)
            if value not in taken:
                return value
        raise ValueError(f"{path}: not enough different values for uniqueItems")

    def _amount(self, node: dict[str, Any], path: str, *, whole: bool) -> int | float:
        low, high = _bounds(node, whole=whole)
        if low > high:
            raise ValueError(f"{path}: no number between {low} and {high}")
        if step := node.get("multipleOf"):
            value = math.ceil(low / step) * step if math.isfinite(low) else 0 if high >= 0 else (high // step) * step
        elif math.isfinite(low) and math.isfinite(high):
            value = low + self._number(path) % (int(high - low) + 1)
        elif math.isfinite(low):
            value = low + self._number(path) % 10
        else:
            value = min(high, self._number(path) % 10)
        return int(value) if whole else float(value)

    def _string(self, node: dict[str, Any], path: str) -> str:
        least, most = int(node.get("minLength", 0)), float(node.get("maxLength", math.inf))
        if pattern := node.get("pattern"):
            guesses = (*_PATTERN_GUESSES, self._word(path))
            fitting = (guess for guess in guesses if re.search(pattern, guess) and least <= len(guess) <= most)
            if (found := next(fitting, None)) is not None:
                return found
            raise ValueError(f"{path}: no guess meets the pattern {pattern!r}")
        text = _BY_FORMAT.get(str(node.get("format")), "") or self._word(path)
        text += "文" * (least - len(text))
        return text if len(text) <= most else text[: int(most)]

    def _word(self, path: str) -> str:
        number = self._number(path)
        return f"{_WORDS[number % len(_WORDS)]}{number % 997}"

    def _number(self, path: str) -> int:
        return int.from_bytes(hashlib.sha256(f"{self._seed}\0{path}".encode()).digest()[:6], "big")


def _merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    merged = {**one, **other}
    if "properties" in one and "properties" in other:
        merged["properties"] = {**one["properties"], **other["properties"]}
    if "required" in one or "required" in other:
        merged["required"] = [*one.get("required", ()), *other.get("required", ())]
    return merged


def _bounds(node: dict[str, Any], *, whole: bool) -> tuple[float, float]:
    low, high = node.get("minimum", -math.inf), node.get("maximum", math.inf)
    if "exclusiveMinimum" in node:
        bound = node["exclusiveMinimum"]
        low = max(low, math.floor(bound) + 1 if whole else math.nextafter(bound, math.inf))
    if "exclusiveMaximum" in node:
        bound = node["exclusiveMaximum"]
        high = min(high, math.ceil(bound) - 1 if whole else math.nextafter(bound, -math.inf))
    if whole:
        low = math.ceil(low) if math.isfinite(low) else low
        high = math.floor(high) if math.isfinite(high) else high
    return low, high
