"""Tiny: encoders small enough to be computed by hand, with a tokenizer of a few words."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from pinyon.inference.onnx.graph import Arch

Array = np.ndarray[Any, Any]

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
WORDS = [*SPECIAL, "red", "green", "blue", "query", "passage", "width", "!"]
HIDDEN, WIDE, PLACES = 8, 12, 20


def arch(pooling: str, position_offset: int = 0) -> Arch:
    return Arch(HIDDEN, 2, 2, 1e-6, position_offset, pooling)


def weights(seed: int = 7) -> dict[str, Array]:
    shapes: dict[str, tuple[int, ...]] = {
        "word_emb": (len(WORDS), HIDDEN),
        "pos_emb": (PLACES, HIDDEN),
        "type_emb": (2, HIDDEN),
        **{f"emb_ln.{part}": (HIDDEN,) for part in "wb"},
    }
    for layer in ("l0", "l1"):
        sizes = {"qkv": (3 * HIDDEN, HIDDEN), "ao": (HIDDEN, HIDDEN)}
        sizes |= {"f1": (WIDE, HIDDEN), "f2": (HIDDEN, WIDE)}
        for name, size in sizes.items():
            shapes |= {f"{layer}.{name}.w": size, f"{layer}.{name}.b": size[:1]}
        for name in ("aln", "fln"):
            shapes |= {f"{layer}.{name}.{part}": (HIDDEN,) for part in "wb"}
    random = np.random.default_rng(seed)
    return {name: random.normal(size=shape).astype("f4") for name, shape in shapes.items()}


def forward(weights: dict[str, Array], arch: Arch, ids: list[int]) -> Array:
    """One text through the encoder in plain numpy and float64, without padding."""
    state = states(weights, arch, ids)
    pooled: Array = state[0] if arch.pooling == "cls" else state.mean(axis=0)
    return pooled


def states(weights: dict[str, Array], arch: Arch, ids: list[int]) -> Array:
    """The same before pooling: a row for each token."""
    w = {name: value.astype(float) for name, value in weights.items()}
    places = np.arange(len(ids)) + arch.position_offset
    state = w["word_emb"][ids] + w["pos_emb"][places] + w["type_emb"][0]
    state = norm(state, w, "emb_ln", arch.eps)
    for number in range(arch.layers):
        layer = f"l{number}"
        query, key, value = np.split(linear(state, w, f"{layer}.qkv"), 3, axis=1)
        size = arch.hidden // arch.heads
        mixed = np.zeros_like(state)
        for head in range(arch.heads):
            part = slice(head * size, (head + 1) * size)
            scores = query[:, part] @ key[:, part].T / math.sqrt(size)
            share = np.exp(scores - scores.max(axis=1, keepdims=True))
            mixed[:, part] = share / share.sum(axis=1, keepdims=True) @ value[:, part]
        state = norm(linear(mixed, w, f"{layer}.ao") + state, w, f"{layer}.aln", arch.eps)
        wide = linear(state, w, f"{layer}.f1")
        bent = wide * 0.5 * (1 + np.vectorize(math.erf)(wide / math.sqrt(2)))
        state = norm(linear(bent, w, f"{layer}.f2") + state, w, f"{layer}.fln", arch.eps)
    return state


def linear(value: Array, w: dict[str, Array], name: str) -> Array:
    result: Array = value @ w[f"{name}.w"].T + w[f"{name}.b"]
    return result


def norm(value: Array, w: dict[str, Array], name: str, eps: float) -> Array:
    centred = value - value.mean(axis=1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + eps)
    result: Array = scaled * w[f"{name}.w"] + w[f"{name}.b"]
    return result


def tokenizer() -> Tokenizer:
    made = Tokenizer(WordLevel({word: id for id, word in enumerate(WORDS)}, unk_token="[UNK]"))
    made.pre_tokenizer = Whitespace()
    made.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    made.add_special_tokens(SPECIAL)
    return made


def write_folder(
    folder: Path,
    *,
    pooling: str | None = None,
    output: str = "last_hidden_state",
    dims: int = 4,
    **files: Any,
) -> Array:
    """A model that gives each word its row of the returned table; `files` are JSON files by stem,
    with a double underscore for a slash."""
    table = np.random.default_rng(3).normal(size=(len(WORDS), dims)).astype("f4")
    (folder / "onnx").mkdir(parents=True)
    write_graph(folder / "onnx" / "model.onnx", table, output=output)
    tokenizer().save(str(folder / "tokenizer.json"))
    if pooling is not None:
        files["1_Pooling__config"] = {f"pooling_mode_{pooling}": True}
    for stem, content in files.items():
        path = folder / f"{stem.replace('__', '/')}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    return table


def write_graph(path: Path, table: Array, *, output: str, extra: tuple[str, ...] = ()) -> None:
    size = ["batch", "length"]
    inputs = ["input_ids", "attention_mask", *extra]
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], [output])],
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, size) for name in inputs],
        [
            helper.make_tensor_value_info(
                output, TensorProto.FLOAT, [*size, "width"][: table.ndim + 1]
            )
        ],
        [numpy_helper.from_array(table, "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path.write_bytes(model.SerializeToString())
