"""Granite: the default model, end to end, from the package that is installed with Pinyon."""

import hashlib
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pinyon.inference.contract import BrokenModel, Embedder, ModelError, NoModel
from pinyon.inference.models import known, pulled_folder
from pinyon.inference.onnx import build, graph
from pinyon.inference.onnx import granite as reader
from pinyon.inference.open import open_embedder
from tests.inference import tiny

Vectors = np.ndarray[Any, np.dtype[np.float32]]
GRANITE = known().packaged["granite"]
TEXTS = ["a cat sits on the mat", "", "retry " * 100, "naïve café — 漢字 🙂", "def main(): ..."]


@pytest.mark.proves("B1")
def test_vectors_are_384_float32_of_length_one(granite: Embedder) -> None:
    vectors = granite.embed_passages(TEXTS)
    assert (vectors.shape, vectors.dtype.name, granite.dims) == ((5, 384), "float32", 384)
    assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-6)


def test_a_text_has_one_vector_whatever_stands_beside_it(granite: Embedder) -> None:
    alone = np.concatenate([granite.embed_passages([text]) for text in TEXTS])
    assert_allclose(granite.embed_passages(TEXTS), alone, atol=1e-5)
    assert_allclose(granite.embed_passages(TEXTS[::-1])[::-1], alone, atol=1e-5)


def test_what_means_the_same_is_nearer_than_what_does_not(granite: Embedder) -> None:
    (query,) = granite.embed_queries(["a cat sits on the mat"])
    near, far = granite.embed_passages(["a kitten rests on a rug", "quarterly tax filing"]) @ query
    assert near > far + 0.1


def test_no_texts_are_no_rows(granite: Embedder) -> None:
    assert granite.embed_queries([]).shape == (0, 384)


def test_half_a_surrogate_pair_is_read_as_a_question_mark(granite: Embedder) -> None:
    odd, plain = granite.embed_queries(["what\ud800", "what?"])
    assert_allclose(odd, plain, atol=1e-5)


def test_all_tokens_are_counted_and_what_is_over_the_limit_is_not_read(granite: Embedder) -> None:
    assert granite.count_tokens("word" + " word" * 699) == 700 + 2
    cut, whole = ("word" + " word" * count for count in (granite.tokens - 2 - 1, 2000))
    assert granite.count_tokens(cut) == granite.tokens
    a, b = granite.embed_passages([cut, whole])
    assert_allclose(a, b, atol=1e-5)


@pytest.mark.proves("B1")
def test_nothing_is_loaded_before_the_first_text(tmp_path: Path) -> None:
    program = """
import sys
from pathlib import Path
from pinyon.inference.open import open_embedder
embedder = open_embedder("granite", Path(sys.argv[1]))
assert (embedder.name, embedder.dims, embedder.tokens) == ("granite-30m-en@9b5b0964", 384, 512)
print(sorted({"numpy", "onnx", "onnxruntime", "tokenizers", "httpx"} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
    assert list(tmp_path.iterdir()) == []


def test_a_closed_model_loads_again(granite: Embedder) -> None:
    before = granite.embed_queries(["again"])
    granite.close()
    assert_allclose(granite.embed_queries(["again"]), before, atol=1e-6)


def test_threads_share_one_model(granite: Embedder) -> None:
    expected = granite.embed_passages(TEXTS)
    granite.close()
    found: list[Vectors] = []
    threads = [
        threading.Thread(target=lambda: found.append(granite.embed_passages(TEXTS)))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3
    assert all(np.allclose(vectors, expected, atol=1e-5) for vectors in found)


@pytest.mark.parametrize("damage", [b"", b"\1" * 1000], ids=["truncated", "changed"])
def test_a_damaged_weight_file_is_refused_and_nothing_is_built(
    tmp_path: Path, damage: bytes
) -> None:
    (name,) = GRANITE.files
    place = pulled_folder(GRANITE, tmp_path) / name
    place.parent.mkdir(parents=True)
    place.write_bytes(installed_pack()[:-1000] + damage)
    with pytest.raises(BrokenModel, match="SHA-256") as raised:
        open_embedder("granite", tmp_path).embed_queries(["x"])
    assert "pinyon model pull granite" in raised.value.remedy
    assert not (tmp_path / "graphs").exists()


def test_a_pack_that_ends_early_is_not_read() -> None:
    pack = installed_pack()
    for size in (0, 10, 5000, 2_000_000):
        with pytest.raises(ValueError, match="pack"):
            reader.read({reader.PACK: pack[:size]})


def test_a_model_whose_weights_are_not_here_says_how_to_get_them(tmp_path: Path) -> None:
    absent = replace(known().packaged["minilm"], files={"no_such_package/model.bin": "0"})
    assert not build.installed(absent, tmp_path)
    with pytest.raises(NoModel) as raised:
        build.built(absent, tmp_path)
    assert raised.value.remedy == "fetch them with `pinyon model pull minilm`"


def test_a_kept_graph_that_was_damaged_says_what_to_delete(
    granite: Embedder, model_cache: Path, tmp_path: Path
) -> None:
    granite.embed_queries(["built"])
    (kept,) = (model_cache / "graphs").iterdir()
    copy = tmp_path / "graphs" / kept.name
    copy.mkdir(parents=True)
    (copy / "tokenizer.json").write_bytes((kept / "tokenizer.json").read_bytes())
    (copy / "model.onnx").write_bytes((kept / "model.onnx").read_bytes()[:50_000])
    with pytest.raises(BrokenModel, match="cannot be loaded") as raised:
        open_embedder("granite", tmp_path).embed_queries(["x"])
    assert raised.value.remedy == f"delete {copy}: it is built again"


def test_of_two_that_build_the_same_graph_the_second_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "graphs" / "tiny"
    first = graph.Encoder(tiny.weights(), tiny.arch("cls"), b"first")
    build._write(first, folder)
    build._write(replace(first, tokenizer=b"second"), folder)
    assert (folder / "tokenizer.json").read_bytes() == b"first"
    assert list(folder.parent.iterdir()) == [folder]


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ModelError, match="cannot be kept") as raised:
        open_embedder("granite", tmp_path / "file").embed_queries(["x"])
    assert "cache folder" in raised.value.remedy


def installed_pack() -> bytes:
    (name,) = GRANITE.files
    path = build._found(GRANITE, Path("nowhere"), name)
    assert path is not None
    data = path.read_bytes()
    assert hashlib.sha256(data).hexdigest() == GRANITE.files[name]
    return data
