"""The statistics packages of the extras `county` and `spatial`: imported when a model runs, never before."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from kaozheng.errors import MissingExtraError

_SPATIAL = ("libpysal", "spreg")


def library(name: str) -> Any:
    """The module of this name. Raises MissingExtraError, which names the command that installs it."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        package = name.partition(".")[0]
        if (error.name or "").partition(".")[0] != package:
            raise
        extra = "spatial" if package in _SPATIAL else "county"
        raise MissingExtraError(f'{package} is not installed: pip install "kaozheng[{extra}]"') from error
