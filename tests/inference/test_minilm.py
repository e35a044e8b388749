"""MiniLM: its weights are found under their own names and pooled by the mean."""

import json
import struct
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pinyon.inference.models import Packaged, known, pulled_folder
from pinyon.inference.onnx import build, minilm
from pinyon.inference.onnx.embedder import OnnxEmbedder, Shape
from tests.inference import tiny


@pytest.mark.proves("B1")
def test_its_vectors_are_normalised_means_over_all_tokens(tmp_path: Path) -> None:
    model = tiny_minilm(tmp_path)
    shape = Shape(model.identity, tiny.HIDDEN, model.tokens)
    embedder = OnnxEmbedder(shape, lambda: build.built(model, tmp_path), threads=1)
    found = embedder.embed_passages(["red", "green blue red"])
    arch = tiny.arch("mean")
    means = [tiny.forward(tiny.weights(), arch, ids) for ids in ([2, 4, 3], [2, 5, 6, 4, 3])]
    assert found.dtype == np.float32
    assert_allclose(found, [mean / np.linalg.norm(mean) for mean in means], atol=1e-5)


@pytest.mark.parametrize("size", [0, 4, 100])
def test_a_file_that_ends_in_its_header_is_refused(size: int) -> None:
    files = tiny_files()
    files["model.safetensors"] = files["model.safetensors"][:size]
    with pytest.raises(ValueError, match="not a safetensors file"):
        minilm.read(files)


@pytest.mark.proves("B1")
def test_the_table_holds_the_model_that_was_asked_for() -> None:
    model = known().packaged["minilm"]
    assert (model.dims, model.tokens, model.title) == (
        384,
        256,
        "sentence-transformers/all-MiniLM-L6-v2",
    )


def tiny_minilm(cache: Path) -> Packaged:
    """The entry of the table, its files replaced by tiny ones that lie in the cache."""
    files = tiny_files()
    model = replace(
        known().packaged["minilm"],
        files={f"tiny/{name}": sha256(data).hexdigest() for name, data in files.items()},
    )
    folder = pulled_folder(model, cache) / "tiny"
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return model


def tiny_files() -> dict[str, bytes]:
    weights = tiny.weights()
    tensors = {f"embeddings.{theirs}": weights[ours] for ours, theirs in minilm.EMBEDDINGS.items()}
    for number in range(2):
        layer = f"encoder.layer.{number}"
        for ours, theirs in minilm.LAYER.items():
            tensors[f"{layer}.{theirs}"] = weights[f"l{number}.{ours}"]
        for ours, theirs in {"w": "weight", "b": "bias"}.items():
            parts = np.split(weights[f"l{number}.qkv.{ours}"], 3)
            for part, value in zip(("query", "key", "value"), parts, strict=True):
                tensors[f"{layer}.attention.self.{part}.{theirs}"] = value
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    data = b""
    for name, value in tensors.items():
        span = [len(data), len(data) + value.nbytes]
        header[name] = {"dtype": "F32", "shape": value.shape, "data_offsets": span}
        data += value.tobytes()
    head = json.dumps(header).encode()
    config = {
        "hidden_size": tiny.HIDDEN,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "layer_norm_eps": 1e-6,
    }
    return {
        "model.safetensors": struct.pack("<Q", len(head)) + head + data,
        "tokenizer.json": tiny.tokenizer().to_str().encode(),
        "config.json": json.dumps(config).encode(),
    }
