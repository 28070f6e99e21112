"""Commands that an entry point implies by custom: `python -m x`, `cargo run --bin x`, `go run ./x`."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from kaozheng.documents.span import LineRange
from kaozheng.roles.explorer.offline.terrain import Terrain, citable
from kaozheng.roles.explorer.quoting import words
from kaozheng.sources.code import EntryPoint


def run_commands(land: Terrain) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """(command, file that implies it, place), each command once; examples and tests left out."""
    own = {file.path for file in land.code}
    seen: set[str] = set()
    for point in land.repository.entry_points:
        if point.kind == "module" and point.path in own:
            command = _python_module(land, point)
        elif point.kind == "bin" and posixpath.basename(point.path) == "Cargo.toml" and "/" not in point.path:
            command = f"cargo run --bin {point.name}"
        elif point.kind == "main" and point.path in own and point.path.endswith(".go") and "go.mod" in land.by_path:
            command = f"go run ./{posixpath.dirname(point.path)}".removesuffix("/")
        else:
            continue
        command = words(command)
        if command and command not in seen and (places := citable(point.path, LineRange(point.line, point.line))):
            seen.add(command)
            yield command, point.path, places


def _python_module(land: Terrain, point: EntryPoint) -> str:
    """The package from its topmost folder with an `__init__.py` on; "" for a module that lies in none."""
    folder = posixpath.dirname(point.path)
    parts: list[str] = []
    while folder and f"{folder}/__init__.py" in land.by_path:
        folder, _, name = folder.rpartition("/")
        parts.append(name)
    return f"python -m {'.'.join(reversed(parts))}" if parts and all(part.isidentifier() for part in parts) else ""
