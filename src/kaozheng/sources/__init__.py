"""What the user gave: texts read from files, cut into passages that keep their place, ranked and stored as vectors.

A `Source` is one text with its origin, a `Material` is all of them cut into units and passages, and every passage
knows its exact place (characters and lines) in its source, so that evidence can always lead back.
Of what is kept for later questions, a `Chunk` is the part that is found, and an `Index` keeps and finds it.
"""

from kaozheng.sources.chunk import Chunk
from kaozheng.sources.index import Index
from kaozheng.sources.material import Material, build_material
from kaozheng.sources.passage import Passage, Unit
from kaozheng.sources.source import Reading, Skipped, Source, SourceReader
from kaozheng.sources.vectors import Embedder, StoredVectors, VectorShelf

__all__ = [
    "Chunk",
    "Embedder",
    "Index",
    "Material",
    "Passage",
    "Reading",
    "Skipped",
    "Source",
    "SourceReader",
    "StoredVectors",
    "Unit",
    "VectorShelf",
    "build_material",
]
