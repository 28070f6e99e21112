"""Statements that make or start a server, in files that import its package."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kaozheng.documents.span import LineRange
from kaozheng.roles.explorer.offline.terrain import Terrain, citable

_SERVERS = {  # package or module imported -> statements that make or start a server
    "fastapi": r"^\s*(?:\w+\s*(?::\s*\w+\s*)?=\s*|return\s+)(FastAPI)\(",
    "flask": r"^\s*(?:\w+\s*(?::\s*\w+\s*)?=\s*|return\s+)(Flask)\(",
    "starlette": r"^\s*(?:\w+\s*(?::\s*\w+\s*)?=\s*|return\s+)(Starlette)\(",
    "aiohttp": r"^\s*(?:\w+\s*=\s*|return\s+)?web\.(Application|run_app)\(",
    "uvicorn": r"^\s*(?:await\s+)?(uvicorn\.run)\(",
    "express": r"^\s*\w+\.(listen)\(",
    "koa": r"^\s*\w+\.(listen)\(",
    "http": r"^\s*(?:\w+\.(listen)|return http\.(ListenAndServe\w*))\(",
    "node:http": r"^\s*\w+\.(listen)\(",
    "net/http": r"^\s*(?:[\w, ]+:?=\s*|return\s+|if\s+\w+\s*:?=\s*)?http\.(ListenAndServe(?:TLS)?)\(",
    "org.springframework.boot": r"^\s*(@SpringBootApplication)\b",
}  # fmt: skip


def servers(land: Terrain) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """(file, what is called there, place) of the first such statement of each file."""
    own = {file.path for file in land.code}
    wanted: dict[str, dict[str, None]] = {}
    for edge in land.repository.edges:
        name = edge.target if edge.target in _SERVERS else ".".join(edge.target.split(".")[:1])
        name = "org.springframework.boot" if edge.target.startswith("org.springframework.boot") else name
        if not edge.inside and edge.source in own and name in _SERVERS:
            wanted.setdefault(edge.source, {})[name] = None
    for path, packages in sorted(wanted.items()):
        for number, line in enumerate(land.lines(path), start=1):
            match = next((found for name in packages if (found := re.match(_SERVERS[name], line))), None)
            if match:
                what = next(part for part in match.groups() if part)
                declared = citable(path, LineRange(number, number))
                yield path, what, declared
                break
