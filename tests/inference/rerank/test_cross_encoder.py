"""Cross-encoder: question and text go through the graph together, as its folder says."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from pinyon.inference.contract import BrokenModel, NoModel, Reranker
from pinyon.inference.hub import hub_folder
from pinyon.inference.rerank.cross_encoder import CrossEncoder
from pinyon.inference.rerank.open import REPOSITORY, open_reranker
from tests.inference import tiny

WORTH = {word: float(2**at) for at, word in enumerate(tiny.WORDS)}
CLS, SEP = WORTH["[CLS]"], WORTH["[SEP]"]


def worth(query: str, text: str) -> float:
    """What the tiny model says: the worth of the text's words less that of the question's."""
    return (
        sum(WORTH[word] for word in text.split())
        + SEP
        - (CLS + sum(WORTH[word] for word in query.split()) + SEP)
    )


def write_model(folder: Path, *, tail: str = "column", worths: object = None, **files: Any) -> Path:
    """A folder whose graph is `worth`; `files` are JSON files by stem."""
    (folder / "onnx").mkdir(parents=True)
    table = np.array(list(WORTH.values()) if worths is None else worths, "f4")
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["worths"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Cast", ["token_type_ids"], ["types"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["types", "two"], ["doubled"]),
        helper.make_node("Sub", ["doubled", "one"], ["signs"]),
        helper.make_node("Mul", ["worths", "mask"], ["real"]),
        helper.make_node("Mul", ["real", "signs"], ["signed"]),
        helper.make_node("ReduceSum", ["signed", "last"], ["column"], keepdims=1),
        helper.make_node("ReduceSum", ["signed", "last"], ["flat"], keepdims=0),
        helper.make_node("Neg", ["column"], ["against"]),
        helper.make_node("Concat", ["against", "column"], ["classes"], axis=1),
        helper.make_node("Concat", ["classes", "column"], ["three"], axis=1),
        helper.make_node("Identity", [tail], ["logits"]),
    ]
    size = ["batch", "length"]
    inputs = ("input_ids", "attention_mask", "token_type_ids")
    rank = {"flat": ["batch"], "signed": [*size, "more"]}.get(tail, ["batch", "columns"])
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, size) for name in inputs],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, rank)],
        [
            numpy_helper.from_array(table, "table"),
            numpy_helper.from_array(np.array(2, "f4"), "two"),
            numpy_helper.from_array(np.array(1, "f4"), "one"),
            numpy_helper.from_array(np.array([1], "i8"), "last"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (folder / "onnx" / "model.onnx").write_bytes(model.SerializeToString())
    tiny.tokenizer().save(str(folder / "tokenizer.json"))
    for stem, content in files.items():
        (folder / f"{stem}.json").write_text(json.dumps(content), encoding="utf-8")
    return folder


def opened(tmp_path: Path, **how: Any) -> Reranker:
    return CrossEncoder(write_model(tmp_path / "mine", **how), tmp_path / "cache", threads=1)


@pytest.mark.proves("S7")
@pytest.mark.parametrize(("tail", "times"), [("column", 1), ("flat", 1), ("classes", 2)])
def test_scores_are_the_graph_s_whatever_the_shape_of_its_answer(
    tmp_path: Path, tail: str, times: int
) -> None:
    texts = ["blue", "", "green green red", "red"]
    scores = opened(tmp_path, tail=tail).score("red green", texts)
    assert scores == [times * worth("red green", text) for text in texts]


def test_many_texts_of_many_lengths_keep_their_order(tmp_path: Path) -> None:
    texts = ["blue " * (at * 37 % 90) for at in range(120)]
    scores = opened(tmp_path).score("red", texts)
    assert scores == [worth("red", text) for text in texts]


def test_no_texts_have_no_scores(tmp_path: Path) -> None:
    assert opened(tmp_path).score("red", []) == []


def test_the_text_is_cut_and_not_the_question(tmp_path: Path) -> None:
    model = opened(tmp_path, config={"max_position_embeddings": 12})
    asked = "red green"  # 12 tokens less three special ones and these two are seven
    assert model.score(asked, ["blue " * 50]) == [worth(asked, "blue " * 7)]


def test_a_question_longer_than_the_model_leaves_room_for_the_text(tmp_path: Path) -> None:
    model = opened(tmp_path, config={"max_position_embeddings": 13})
    assert model.score("red " * 99, ["blue " * 50]) == [worth("red " * 5, "blue " * 5)]


def test_half_a_surrogate_pair_is_read(tmp_path: Path) -> None:
    (score,) = opened(tmp_path).score("red \ud800", ["green \udfff"])
    assert np.isfinite(score)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_scores_that_are_not_finite_are_refused(tmp_path: Path, value: float) -> None:
    model = opened(tmp_path, worths=[value] * len(WORTH))
    with pytest.raises(BrokenModel, match="not finite") as raised:
        model.score("red", ["green"])
    assert raised.value.remedy


@pytest.mark.parametrize(("tail", "problem"), [("three", "shape"), ("signed", "gives no score")])
def test_a_graph_that_gives_something_else_than_scores_is_refused(
    tmp_path: Path, tail: str, problem: str
) -> None:
    with pytest.raises(BrokenModel, match=problem):
        opened(tmp_path, tail=tail).score("red", ["green"])


def test_an_encoder_of_single_texts_is_refused(tmp_path: Path) -> None:
    tiny.write_folder(tmp_path / "m")
    with pytest.raises(BrokenModel, match="gives no score for a question and a text"):
        CrossEncoder(tmp_path / "m", tmp_path / "cache", threads=1).score("red", ["green"])


@pytest.mark.parametrize("missing", ["tokenizer.json", "onnx/model.onnx"])
def test_a_folder_with_a_part_missing_is_refused(tmp_path: Path, missing: str) -> None:
    folder = write_model(tmp_path / "m")
    (folder / missing).unlink()
    with pytest.raises(NoModel, match=Path(missing).name) as raised:
        open_reranker(str(folder), tmp_path / "cache")
    assert raised.value.remedy


@pytest.mark.parametrize("broken", ["tokenizer.json", "onnx/model.onnx"])
def test_a_broken_part_is_refused_in_one_line_with_a_remedy(tmp_path: Path, broken: str) -> None:
    folder = write_model(tmp_path / "m")
    (folder / broken).write_bytes(b"{}")
    model = open_reranker(str(folder), tmp_path / "cache")
    with pytest.raises(BrokenModel) as raised:
        model.score("red", ["green"])
    assert raised.value.remedy
    assert "\n" not in str(raised.value)


def test_a_changed_model_has_another_name(tmp_path: Path) -> None:
    names = {
        open_reranker(str(write_model(tmp_path / kind / "m", tail=kind)), tmp_path / "cache").name
        for kind in ("column", "flat")
    }
    assert len(names) == 2
    assert {name.partition("@")[0] for name in names} == {"m"}


@pytest.mark.proves("S7")
@pytest.mark.parametrize("choice", ["cross-encoder", REPOSITORY])
def test_the_expected_model_is_taken_once_it_is_pulled(tmp_path: Path, choice: str) -> None:
    with pytest.raises(NoModel) as raised:
        open_reranker(choice, tmp_path)
    assert raised.value.remedy == f"fetch it with `pinyon model pull {REPOSITORY}`"
    write_model(hub_folder(REPOSITORY, tmp_path))
    assert open_reranker(choice, tmp_path).score("red", ["blue"]) == [worth("red", "blue")]


def test_a_closed_model_loads_again(tmp_path: Path) -> None:
    model = opened(tmp_path)
    first = model.score("red", ["blue"])
    model.close()
    assert model.score("red", ["blue"]) == first
