"""All that a workflow may ask of the world, on one page.

A step names the ports that it needs as parameters (`workflows.step`) and receives those, nothing else. Each protocol
stands beside its noun; `providers` fill them, `testing` fakes them, `wiring` chooses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from kaozheng.artifacts import ArtifactStore
from kaozheng.county.store import CountyStore
from kaozheng.models.limits import Lanes
from kaozheng.models.model import Model
from kaozheng.sources.code.repository import CodeReader
from kaozheng.sources.fetching import Fetcher
from kaozheng.sources.index import Index
from kaozheng.sources.reranking import Reranker
from kaozheng.sources.source import SourceReader
from kaozheng.sources.vectors import Embedder, VectorShelf

Now = Callable[[], datetime]
Emit = Callable[[str, dict[str, Any]], None]
"""Tell whoever watches the run: a kind ("note", …) and plain JSON data."""


def _nobody_watches(kind: str, data: dict[str, Any]) -> None:
    """The default listener."""


@dataclass(frozen=True, slots=True)
class Ports:
    """The world as one run sees it. `model` is None when nothing but the offline twins may speak."""

    artifacts: ArtifactStore
    """Texts of this run; the state holds references to them."""
    reader: SourceReader
    """Files and folders as sources."""
    code: CodeReader
    """Folders of code: files, outlines, imports."""
    fetcher: Fetcher
    """Pages of the web, guarded."""
    vectors: VectorShelf
    """Vectors kept between runs."""
    now: Now
    """The time, with its zone."""
    model: Model | None = None
    """Who answers the roles: retries, budget and ledger are already around it."""
    embedder: Embedder | None = None
    """Texts as vectors; None ranks by words alone."""
    index: Index | None = None
    """Knowledge bases; None for a run that has no business with them."""
    county: CountyStore | None = None
    """The data of counties; None for a run that has no business with it."""
    reranker: Reranker | None = None
    """Who reads what a search found; None keeps the fused order."""
    lanes: Lanes = field(default_factory=Lanes)
    """How many of one kind of work may be under way at once."""
    emit: Emit = _nobody_watches
    """Progress."""
