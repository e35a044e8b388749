"""MiniLM: the weights of all-MiniLM-L6-v2 out of a safetensors file, under the graph's names.

A safetensors file is the header's length (u64), the header (JSON: for each tensor its dtype, shape
and place), and the data. Twenty lines read it, so no package is needed for that.
"""

import json
import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pinyon.inference.onnx.graph import Arch, Encoder

if TYPE_CHECKING:
    import numpy as np

    Arrays = dict[str, np.ndarray[Any, Any]]

LENGTH = struct.Struct("<Q")

EMBEDDINGS = {
    "word_emb": "word_embeddings.weight",
    "pos_emb": "position_embeddings.weight",
    "type_emb": "token_type_embeddings.weight",
    "emb_ln.w": "LayerNorm.weight",
    "emb_ln.b": "LayerNorm.bias",
}
LAYER = {
    "ao.w": "attention.output.dense.weight",
    "ao.b": "attention.output.dense.bias",
    "aln.w": "attention.output.LayerNorm.weight",
    "aln.b": "attention.output.LayerNorm.bias",
    "f1.w": "intermediate.dense.weight",
    "f1.b": "intermediate.dense.bias",
    "f2.w": "output.dense.weight",
    "f2.b": "output.dense.bias",
    "fln.w": "output.LayerNorm.weight",
    "fln.b": "output.LayerNorm.bias",
}


def read(files: Mapping[str, bytes]) -> Encoder:
    """Raises ValueError when the weights end too early, KeyError when one is missing."""
    config = json.loads(files["config.json"])
    arch = Arch(
        hidden=config["hidden_size"],
        layers=config["num_hidden_layers"],
        heads=config["num_attention_heads"],
        eps=config["layer_norm_eps"],
        position_offset=0,
        pooling="mean",
    )
    return Encoder(
        _renamed(_tensors(files["model.safetensors"]), arch), arch, files["tokenizer.json"]
    )


def _renamed(tensors: "Arrays", arch: Arch) -> "Arrays":
    import numpy as np

    weights = {ours: tensors[f"embeddings.{theirs}"] for ours, theirs in EMBEDDINGS.items()}
    for number in range(arch.layers):
        layer = f"encoder.layer.{number}."
        for ours, theirs in LAYER.items():
            weights[f"l{number}.{ours}"] = tensors[layer + theirs]
        for ours, theirs in {"w": "weight", "b": "bias"}.items():
            weights[f"l{number}.qkv.{ours}"] = np.concatenate(
                [tensors[f"{layer}attention.self.{x}.{theirs}"] for x in ("query", "key", "value")]
            )
    return weights


def _tensors(file: bytes) -> "Arrays":
    """The float32 tensors of a safetensors file."""
    import numpy as np

    (length,) = LENGTH.unpack_from(file.ljust(LENGTH.size, b"\0"))
    start = LENGTH.size + length
    if length == 0 or start > len(file):
        raise ValueError("not a safetensors file")
    tensors = {}
    for name, tensor in json.loads(file[LENGTH.size : start]).items():
        if tensor.get("dtype") == "F32":
            first, last = tensor["data_offsets"]
            data = file[start + first : start + last]
            tensors[name] = np.frombuffer(data, "<f4").reshape(tensor["shape"])
    return tensors
