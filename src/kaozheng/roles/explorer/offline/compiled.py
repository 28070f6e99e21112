"""Which source a compiled file of JavaScript comes from, as the `tsconfig.json` beside it says."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass

from kaozheng.documents.span import LineRange
from kaozheng.roles.explorer.offline.terrain import Terrain, citable
from kaozheng.sources.code.imports import loose_json
from kaozheng.sources.code.manifest_lines import json_lines

_SUFFIXES = {
    ".js": (".ts", ".tsx", ".js", ".jsx"),
    ".mjs": (".mts", ".mjs"),
    ".cjs": (".cts", ".cjs"),
    ".jsx": (".tsx", ".jsx"),
}
_CONFIGS = ("tsconfig.json", "tsconfig.build.json")


@dataclass(frozen=True, slots=True)
class Compiled:
    """`source` becomes the compiled file, by what `config` says at `places`."""

    source: str
    config: str
    places: tuple[str, ...]


def source_of(land: Terrain, path: str) -> Compiled | None:
    """The source of a compiled file that is not in the repository itself; None when no configuration leads to a file
    that is there. The configuration is looked for in the folders above the file, the nearest first."""
    folder = posixpath.dirname(path)
    while True:
        for name in _CONFIGS:
            config = posixpath.join(folder, name)
            if config in land.by_path and (found := _by(land, config, folder, path)):
                return found
        if not folder:
            return None
        folder = posixpath.dirname(folder)


def _by(land: Terrain, config: str, folder: str, path: str) -> Compiled | None:
    text = "\n".join(land.lines(config))
    data = loose_json(text)
    options = data.get("compilerOptions") if isinstance(data, dict) else None
    out = options.get("outDir") if isinstance(options, dict) else None
    line = json_lines(text).get(("compilerOptions", "outDir"))
    if not isinstance(out, str) or not isinstance(options, dict) or not line:
        return None
    out = posixpath.normpath(posixpath.join(folder, out))
    if not path.startswith(f"{out}/"):
        return None
    stem, suffix = posixpath.splitext(path[len(out) + 1 :])
    given = options.get("rootDir")
    # Without a root the compiler takes the folder that all its sources have in common.
    for root in (given,) if isinstance(given, str) else (".", "src"):
        for one in _SUFFIXES.get(suffix, ()):
            source = posixpath.normpath(posixpath.join(folder, root, stem + one))
            if source in land.repository.outlines and source != path:
                places = citable(config, LineRange(line, line))
                return Compiled(source, config, places) if places else None
    return None
