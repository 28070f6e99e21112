"""What the project is called: by its manifests, else by its folder."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

from kaozheng.roles.explorer.offline.terrain import Terrain
from kaozheng.roles.explorer.quoting import words
from kaozheng.sources.code.imports import loose_json
from kaozheng.sources.code.manifest_lines import ini_options

_MANIFESTS = ("pyproject.toml", "setup.cfg", "Cargo.toml", "package.json", "go.mod", "composer.json")
_MOST_CHARS = 60
_VERSION = re.compile(r"/v\d+$")


def project_name(land: Terrain) -> str:
    """The name that a manifest of the root gives the project; that of the folder when none does."""
    return next(_names(land, "/"), "") or land.repository.name


def own_names(land: Terrain) -> frozenset[str]:
    """Names under which the project's packages may be installed, and those of its folder, letters and digits only."""
    given = [*_names(land, ""), *re.split(r"[+/]", land.repository.name)]
    return frozenset(name for one in given if len(name := plain(one)) > 1)


def plain(text: str) -> str:
    """Letters and digits of a name: `water_meter` is `water-meter` to an installer."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def _names(land: Terrain, without: str) -> Iterator[str]:
    """Names in the manifests, the customary order; those of a path with the sign `without` are left out."""
    for wanted in _MANIFESTS:
        for file in land.repository.manifests:
            folder, _, name = file.path.rpartition("/")
            if name == wanted and not (without and folder):
                said = words(_named(name, "\n".join(land.lines(file.path))))
                if said and len(said) <= _MOST_CHARS:
                    yield said


def _named(manifest: str, text: str) -> str:
    data: object = None
    if manifest.endswith(".json"):
        data = loose_json(text)
    elif manifest.endswith(".toml"):
        data = _toml(text)
    elif manifest == "setup.cfg":
        return next(
            (value for section, key, value, _ in ini_options(text) if (section, key) == ("metadata", "name")), ""
        )
    else:
        found = re.search(r"^module\s+(\S+)", text, re.MULTILINE)
        return _VERSION.sub("", found[1]).rpartition("/")[2] if found else ""
    name = data.get("name") if isinstance(data, dict) else None
    return name if isinstance(name, str) else ""


def _toml(text: str) -> object:
    """The table of a manifest that holds the project's name."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
    tool = data.get("tool")
    tables = data.get("project"), data.get("package"), tool.get("poetry") if isinstance(tool, dict) else None
    return next((one for one in tables if isinstance(one, dict) and isinstance(one.get("name"), str)), None)
