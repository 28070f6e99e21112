"""What a run has kept, parsed once: hundreds of steps begin with the same material."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from kaozheng.artifacts import ArtifactRef, ArtifactStore
from kaozheng.aside import aside

T = TypeVar("T")


async def parsed(artifacts: ArtifactStore, ref: ArtifactRef, parse: Callable[[str], T]) -> T:
    """`parse` of the text. It must be a function of a module, and its result must not be changed: the next step gets
    the same object."""
    kept: list[T] = _kept(ref, parse)
    if not kept:
        value = await aside(parse, await artifacts.get(ref))
        kept[:] = [value]
    return kept[0]


@lru_cache(maxsize=8)
def _kept(ref: ArtifactRef, parse: Callable[[str], T]) -> list[T]:
    """A place for the value. A reference names a content, so what it leads to never changes."""
    return []
