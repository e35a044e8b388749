"""Graph: an encoder of the BERT family as an ONNX graph, from its weights as arrays.

Weights are named as below, matrices stand as (outputs, inputs); `l0` is the first layer:

    word_emb, pos_emb, type_emb, emb_ln.w, emb_ln.b
    l0.qkv.w, l0.qkv.b    query, key and value in one matrix, in this order
    l0.ao.w,  l0.ao.b     what attention passes on, l0.aln.w, l0.aln.b the norm after it
    l0.f1.w,  l0.f1.b, l0.f2.w, l0.f2.b, l0.fln.w, l0.fln.b

The graph takes `input_ids` and `attention_mask` (int64, batch x length, padded on the right) and
gives `sentence_embedding` (float32, batch x hidden), not normalised; one that pools by the mean
also gives `token_embeddings` (batch x length x hidden). Its attention, norms and GELU are
onnxruntime's fused operators, which every onnxruntime for the CPU has.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    import numpy as np
    from onnx import NodeProto, TensorProto

    Array = np.ndarray[Any, Any]

VERSION = 2
"""Part of the name of every kept graph: raise it when the graph changes."""

GRAPH, DATA = "model.onnx", "model.onnx.data"
"""The file of the graph, and beside it the file of its large weights."""

FUSED = "com.microsoft"
OUTPUT, TOKENS = "sentence_embedding", "token_embeddings"

PAGE = 65_536
"""Weights of this size and more stand in their own file, from a multiple of it: onnxruntime maps
them into memory instead of reading them, so that a first query does not wait for 77 MB of words."""


@dataclass(frozen=True, slots=True)
class Arch:
    """The shape of an encoder. `position_offset` is the row of the first token in `pos_emb`
    (2 in RoBERTa, 0 in BERT); `pooling` is `cls` (the first token) or `mean` (of all tokens)."""

    hidden: int
    layers: int
    heads: int
    eps: float
    position_offset: int
    pooling: str


@dataclass(frozen=True, slots=True)
class Encoder:
    """What a package of weights holds: all that a folder with a graph is written from."""

    weights: "Mapping[str, Array]"
    arch: Arch
    tokenizer: bytes


def write(weights: "Mapping[str, Array]", arch: Arch, folder: Path) -> None:
    """Writes the graph into the folder. Raises KeyError when a weight or the pooling is unknown."""
    from onnx import TensorProto, helper

    first_only = arch.pooling == "cls"
    outputs: dict[str, list[str | int]] = {OUTPUT: ["batch", arch.hidden]}
    with (folder / DATA).open("wb") as data:
        graph = _Graph(weights, arch, data)
        state = graph.encoded(first_only=first_only)
        POOLING[arch.pooling](graph, state)
    if not first_only:
        graph.node("Identity", [state], TOKENS)
        outputs[TOKENS] = ["batch", "length", arch.hidden]
    made = helper.make_graph(
        graph.nodes,
        "encoder",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
            for name in ("input_ids", "attention_mask")
        ],
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, size)
            for name, size in outputs.items()
        ],
        graph.constants,
    )
    versions = [helper.make_opsetid("", 17), helper.make_opsetid(FUSED, 1)]
    model = helper.make_model(made, opset_imports=versions, ir_version=8, producer_name="pinyon")
    (folder / GRAPH).write_bytes(model.SerializeToString())


class _Graph:
    """Nodes and constants while they grow. Each method adds nodes and returns its output's name."""

    def __init__(self, weights: "Mapping[str, Array]", arch: Arch, data: BinaryIO) -> None:
        self.weights = weights
        self.arch = arch
        self.data = data
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []
        self.kept: set[str] = set()

    def encoded(self, *, first_only: bool) -> str:
        """The last layer's output; with `first_only` of the first token alone, which spares most of
        that layer: with six layers a text takes an eighth less time."""
        from onnx import TensorProto

        self.node("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
        state = self.embedded()
        for layer in range(self.arch.layers):
            last = layer == self.arch.layers - 1
            state = self.layer(f"l{layer}", state, first_only=first_only and last)
        return state

    def embedded(self) -> str:
        """Words, places and the type of the first sentence added up and normed."""
        arch, weights = self.arch, self.weights
        # Every token is of the first type, so its vector goes into the places once and for all.
        places = weights["pos_emb"][arch.position_offset :] + weights["type_emb"][0]
        self.node("Gather", [self.weight("word_emb"), "input_ids"], "words")
        self.node("Shape", ["input_ids"], "length", start=1, end=2)
        self.node(
            "Slice", [self.constant("places", places), self.ints("zero", 0), "length"], "placed"
        )
        self.node("Add", ["words", "placed"], "summed")
        norm = [self.weight("emb_ln.w"), self.weight("emb_ln.b")]
        return self.node(
            "LayerNormalization", ["summed", *norm], "embedded", axis=-1, epsilon=arch.eps
        )

    def layer(self, name: str, state: str, *, first_only: bool) -> str:
        if first_only:
            first = self.first(state, f"{name}.first")
            attended, state = self.attended_by(first, name, state), first
        else:
            attended = self.node(
                "Attention",
                [state, self.matrix(f"{name}.qkv.w"), self.weight(f"{name}.qkv.b"), "mask"],
                f"{name}.attended",
                domain=FUSED,
                num_heads=self.arch.heads,
            )
        passed = self.node("MatMul", [attended, self.matrix(f"{name}.ao.w")], f"{name}.passed")
        state = self.normed(passed, state, f"{name}.ao.b", f"{name}.aln")
        wide = self.node("MatMul", [state, self.matrix(f"{name}.f1.w")], f"{name}.wide")
        bent = self.node(
            "BiasGelu", [wide, self.weight(f"{name}.f1.b")], f"{name}.bent", domain=FUSED
        )
        narrow = self.node("MatMul", [bent, self.matrix(f"{name}.f2.w")], f"{name}.narrow")
        return self.normed(narrow, state, f"{name}.f2.b", f"{name}.fln")

    def attended_by(self, asking: str, name: str, state: str) -> str:
        """The attention of some tokens to all: only theirs are projected to queries."""
        import numpy as np

        parts = zip("qkv", np.split(self.weights[f"{name}.qkv.w"], 3), strict=True)
        projected = [
            self.node(
                "MatMul",
                [asking if part == "q" else state, self.constant(f"{name}.{part}.w", matrix.T)],
                f"{name}.{part}",
            )
            for part, matrix in parts
        ]
        return self.node(
            "MultiHeadAttention",
            [*projected, self.weight(f"{name}.qkv.b"), "mask"],
            f"{name}.attended",
            domain=FUSED,
            num_heads=self.arch.heads,
        )

    def normed(self, value: str, skip: str, bias: str, norm: str) -> str:
        return self.node(
            "SkipLayerNormalization",
            [value, skip, self.weight(f"{norm}.w"), self.weight(f"{norm}.b"), self.weight(bias)],
            f"{norm}.out",
            domain=FUSED,
            epsilon=self.arch.eps,
        )

    def first(self, value: str, output: str) -> str:
        ends = [self.ints("zero", 0), self.ints("one", 1), self.ints("one", 1)]
        return self.node("Slice", [value, *ends], output)

    def node(self, kind: str, inputs: list[str], output: str, domain: str = "", **how: Any) -> str:
        from onnx import helper

        self.nodes.append(helper.make_node(kind, inputs, [output], domain=domain, **how))
        return output

    def weight(self, name: str) -> str:
        return self.constant(name, self.weights[name])

    def matrix(self, name: str) -> str:
        return self.constant(name, self.weights[name].T)

    def ints(self, name: str, *values: int) -> str:
        import numpy as np

        return self.constant(name, np.array(values, np.int64))

    def constant(self, name: str, value: "Array") -> str:
        import numpy as np
        from onnx import numpy_helper

        if name not in self.kept:
            self.kept.add(name)
            value = np.ascontiguousarray(value)
            large = value.nbytes >= PAGE
            self.constants.append(
                self.mapped(name, value) if large else numpy_helper.from_array(value, name)
            )
        return name

    def mapped(self, name: str, value: "Array") -> "TensorProto":
        from onnx import TensorProto

        at = -(-self.data.tell() // PAGE) * PAGE
        self.data.seek(at)
        self.data.write(value.astype("<f4", copy=False).data)
        tensor = TensorProto(
            name=name,
            data_type=TensorProto.FLOAT,
            dims=value.shape,
            data_location=TensorProto.EXTERNAL,
        )
        for key, part in {"location": DATA, "offset": at, "length": value.nbytes}.items():
            tensor.external_data.add(key=key, value=str(part))
        return tensor


def _first_token(graph: _Graph, state: str) -> str:
    return graph.node("Squeeze", [state, graph.ints("one", 1)], OUTPUT)


def _mean_of_tokens(graph: _Graph, state: str) -> str:
    from onnx import TensorProto

    graph.node("Cast", ["attention_mask"], "weight", to=TensorProto.FLOAT)
    graph.node("Unsqueeze", ["weight", graph.ints("one", 1)], "row")
    graph.node("MatMul", ["row", state], "total")
    graph.node("ReduceSum", ["row", graph.ints("last", -1)], "count", keepdims=1)
    graph.node("Div", ["total", "count"], "mean")
    return graph.node("Squeeze", ["mean", graph.ints("one", 1)], OUTPUT)


POOLING = {"cls": _first_token, "mean": _mean_of_tokens}
