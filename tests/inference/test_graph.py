"""Graph: what it computes is what the papers say, checked against plain numpy."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pinyon.inference.onnx import graph
from pinyon.inference.onnx.session import open_session
from tests.inference import tiny

TEXTS = [[2, 4, 3], [2, 4, 5, 6, 4, 9, 3], [2, 3], [2, 6, 6, 6, 5, 3]]


@pytest.mark.parametrize("pooling", ["cls", "mean"])
@pytest.mark.parametrize("offset", [0, 2])
def test_a_batch_of_padded_texts_equals_each_text_computed_alone(
    tmp_path: Path, pooling: str, offset: int
) -> None:
    weights, arch = tiny.weights(), tiny.arch(pooling, offset)
    graph.write(weights, arch, tmp_path)
    longest = max(map(len, TEXTS))
    ids = np.array([[*text, *[0] * (longest - len(text))] for text in TEXTS])
    mask = np.array([[1] * len(text) + [0] * (longest - len(text)) for text in TEXTS])
    session = open_session(tmp_path / graph.GRAPH, threads=1)
    (found,) = session.run([graph.OUTPUT], {"input_ids": ids, "attention_mask": mask})
    expected = [tiny.forward(weights, arch, text) for text in TEXTS]
    assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_a_graph_that_pools_by_the_mean_gives_the_vectors_of_the_tokens_too(
    tmp_path: Path,
) -> None:
    graph.write(tiny.weights(), tiny.arch("mean"), tmp_path)
    session = open_session(tmp_path / graph.GRAPH, threads=1)
    ids = np.array([TEXTS[1]])
    given = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    pooled, tokens = session.run([graph.OUTPUT, graph.TOKENS], given)
    assert tokens.shape == (1, len(TEXTS[1]), tiny.HIDDEN)
    assert_allclose(tokens.mean(axis=1), pooled, rtol=1e-4, atol=1e-5)


def test_large_weights_are_mapped_from_their_own_file_and_give_the_same(tmp_path: Path) -> None:
    weights, arch = tiny.weights(), tiny.arch("mean")
    rows = graph.PAGE // (4 * tiny.HIDDEN)
    more = np.zeros((rows, tiny.HIDDEN), "f4")
    weights["word_emb"] = np.concatenate([weights["word_emb"], more])
    graph.write(weights, arch, tmp_path)
    assert (tmp_path / graph.DATA).stat().st_size == weights["word_emb"].nbytes
    session = open_session(tmp_path / graph.GRAPH, threads=1)
    ids = np.array([TEXTS[1]])
    given = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    (found,) = session.run([graph.OUTPUT], given)
    assert_allclose(found, [tiny.forward(weights, arch, TEXTS[1])], rtol=1e-4, atol=1e-5)


def test_a_missing_weight_is_named(tmp_path: Path) -> None:
    weights = tiny.weights()
    del weights["l1.f2.w"]
    with pytest.raises(KeyError, match=r"l1\.f2\.w"):
        graph.write(weights, tiny.arch("cls"), tmp_path)
