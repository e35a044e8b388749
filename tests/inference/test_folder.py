"""Folder: any model in the usual layout is read as its files say, and refused clearly."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pinyon.inference.contract import BrokenModel, ModelError, NoModel
from pinyon.inference.onnx.folder import open_folder
from pinyon.inference.open import open_embedder
from tests.inference import tiny

ROBERTA = {"model_type": "xlm-roberta", "max_position_embeddings": 514}
RED, GREEN, QUERY, CLS, SEP = 4, 5, 7, 2, 3


@pytest.mark.proves("P11")
def test_a_model_is_taken_by_its_folder_with_its_own_size(tmp_path: Path) -> None:
    table = tiny.write_folder(tmp_path / "mine", pooling="mean_tokens")
    embedder = open_embedder(str(tmp_path / "mine"), tmp_path / "cache", threads=1)
    assert (embedder.dims, embedder.name.split("@")[0]) == (4, "mine")
    expected = [unit(table[[CLS, RED, SEP]].mean(0)), unit(table[[CLS, RED, GREEN, SEP]].mean(0))]
    assert_allclose(embedder.embed_passages(["red", "red green"]), expected, atol=1e-6)


def test_the_first_token_alone_counts_where_the_folder_says_so(tmp_path: Path) -> None:
    table = tiny.write_folder(tmp_path / "m", pooling="cls_token")
    embedder = open_folder(tmp_path / "m", tmp_path / "cache", threads=1)
    assert_allclose(embedder.embed_passages(["red"]), [unit(table[CLS])], atol=1e-6)


def test_queries_and_passages_get_the_words_that_the_folder_puts_before_them(
    tmp_path: Path,
) -> None:
    prompts = {"prompts": {"query": "query ", "document": ""}}
    table = tiny.write_folder(tmp_path / "m", config_sentence_transformers=prompts)
    embedder = open_folder(tmp_path / "m", tmp_path / "cache", threads=1)
    with_prompt = unit(table[[CLS, QUERY, RED, SEP]].mean(0))
    assert_allclose(embedder.embed_queries(["red"]), [with_prompt], atol=1e-6)
    assert_allclose(
        embedder.embed_passages(["red"]), [unit(table[[CLS, RED, SEP]].mean(0))], atol=1e-6
    )


@pytest.mark.parametrize(
    ("files", "tokens"),
    [
        ({}, 512),
        ({"sentence_bert_config": {"max_seq_length": 4}}, 4),
        ({"tokenizer_config": {"model_max_length": 10**30}}, 512),  # a number that says nothing
        ({"tokenizer_config": {"model_max_length": 10**30}, "config": ROBERTA}, 512),
    ],
)
def test_the_longest_text_is_the_least_that_the_folder_names(
    tmp_path: Path, files: dict[str, Any], tokens: int
) -> None:
    tiny.write_folder(tmp_path / "m", **files)
    embedder = open_folder(tmp_path / "m", tmp_path / "cache", threads=1)
    assert embedder.tokens == tokens
    assert embedder.embed_passages(["red " * 600]).shape == (1, 4)


def test_a_second_opening_reads_no_model(tmp_path: Path) -> None:
    tiny.write_folder(tmp_path / "m")
    first = open_folder(tmp_path / "m", tmp_path / "cache", threads=1)
    (kept,) = (tmp_path / "cache" / "folders").iterdir()
    kept.write_text(json.dumps({"dims": 77, "sha256": "kept"}))
    assert open_folder(tmp_path / "m", tmp_path / "cache").dims == 77
    kept.write_text("{broken")
    again = open_folder(tmp_path / "m", tmp_path / "cache", threads=1)
    assert (again.dims, again.name) == (first.dims, first.name)


def test_a_changed_model_has_another_name(tmp_path: Path) -> None:
    table = tiny.write_folder(tmp_path / "m")
    before = open_folder(tmp_path / "m", tmp_path / "cache", threads=1).name
    tiny.write_graph(
        tmp_path / "m/onnx/model.onnx", np.concatenate([table, table]), output="last_hidden_state"
    )
    assert open_folder(tmp_path / "m", tmp_path / "cache", threads=1).name != before


def test_the_same_model_read_in_another_way_has_another_name(tmp_path: Path) -> None:
    tiny.write_folder(tmp_path / "a" / "m", pooling="cls_token")
    tiny.write_folder(tmp_path / "b" / "m", pooling="mean_tokens")
    names = {open_folder(tmp_path / x / "m", tmp_path / "cache", threads=1).name for x in "ab"}
    assert len(names) == 2


@pytest.mark.parametrize(
    ("missing", "problem"),
    [("tokenizer.json", "no tokenizer.json"), ("onnx/model.onnx", "no model.onnx")],
)
def test_a_folder_with_a_part_missing_is_refused(
    tmp_path: Path, missing: str, problem: str
) -> None:
    tiny.write_folder(tmp_path / "m")
    (tmp_path / "m" / missing).unlink()
    with pytest.raises(NoModel, match=problem) as raised:
        open_folder(tmp_path / "m", tmp_path / "cache")
    assert raised.value.remedy


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("onnx/model.onnx", b"not a graph"),
        ("onnx/model.onnx", b""),
        ("tokenizer.json", b"{}"),
        ("tokenizer.json", b"\xff\xfe"),
        ("modules.json", b'[{"type": "sentence_transformers.models.Dense"}]'),
    ],
)
def test_a_broken_part_is_refused_in_one_line_with_a_remedy(
    tmp_path: Path, name: str, content: bytes
) -> None:
    tiny.write_folder(tmp_path / "m")
    (tmp_path / "m" / name).write_bytes(content)
    with pytest.raises(BrokenModel) as raised:
        open_folder(tmp_path / "m", tmp_path / "cache", threads=1)
    assert raised.value.remedy
    assert "\n" not in str(raised.value)


def test_a_way_of_pooling_that_is_not_known_is_refused(tmp_path: Path) -> None:
    tiny.write_folder(tmp_path / "m", pooling="max_tokens")
    with pytest.raises(BrokenModel, match="pooling_mode_max_tokens"):
        open_folder(tmp_path / "m", tmp_path / "cache")


def test_a_graph_with_other_outputs_is_refused(tmp_path: Path) -> None:
    tiny.write_folder(tmp_path / "m")
    graph = tmp_path / "m/onnx/model.onnx"
    tiny.write_graph(graph, np.ones(10, "f4"), output="logits")
    with pytest.raises(BrokenModel, match="neither sentence_embedding nor one vector per token"):
        open_folder(tmp_path / "m", tmp_path / "cache", threads=1)


def test_a_graph_that_wants_other_inputs_is_refused(tmp_path: Path) -> None:
    table = tiny.write_folder(tmp_path / "m")
    graph = tmp_path / "m/onnx/model.onnx"
    tiny.write_graph(graph, table, output="last_hidden_state", extra=("pixels",))
    with pytest.raises(BrokenModel, match="pixels"):
        open_folder(tmp_path / "m", tmp_path / "cache", threads=1)


@pytest.mark.parametrize("value", [np.nan, np.inf, 0.0])
def test_vectors_that_cannot_be_compared_are_refused(tmp_path: Path, value: float) -> None:
    table = tiny.write_folder(tmp_path / "m", pooling="cls_token")
    embedder = open_folder(tmp_path / "m", tmp_path / "cache", threads=1)
    tiny.write_graph(
        tmp_path / "m/onnx/model.onnx", np.full_like(table, value), output="last_hidden_state"
    )
    with pytest.raises(BrokenModel, match="a vector"):
        embedder.embed_passages(["red"])


def test_a_model_that_became_wider_is_refused(tmp_path: Path) -> None:
    table = tiny.write_folder(tmp_path / "m")
    embedder = open_folder(tmp_path / "m", tmp_path / "cache", threads=1)
    wider = np.concatenate([table, table], axis=1)
    tiny.write_graph(tmp_path / "m/onnx/model.onnx", wider, output="last_hidden_state")
    with pytest.raises(BrokenModel, match="8 dimensions instead of 4"):
        embedder.embed_passages(["red"])


def test_an_unknown_name_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no model 'ganite'") as raised:
        open_embedder("ganite", tmp_path)
    assert "granite, minilm, openai, voyage, compatible" in raised.value.remedy


def unit(vector: tiny.Array) -> tiny.Array:
    result: tiny.Array = vector / np.linalg.norm(vector)
    return result
