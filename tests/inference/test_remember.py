"""Remember: no passage is embedded twice, and nothing hangs on the file that remembers."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from pinyon.inference.contract import ModelError
from pinyon.inference.remember import Remembered, RememberingEmbedder
from pinyon.text.passages import digest

Vectors = np.ndarray[Any, np.dtype[np.float32]]
ONE, TWO, THREE = (digest(text) for text in ("one", "two", "three"))


class Counting:
    """An embedder whose vectors are its texts' digests, and which keeps what it was asked."""

    def __init__(self, name: str = "model@1", dims: int = 4) -> None:
        self.name, self.dims, self.tokens = name, dims, 99
        self.asked: list[str] = []
        self.queries: list[str] = []
        self.closed = 0
        self.broken = False

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        self.queries += texts
        return self._rows(texts)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        if self.broken:
            raise ModelError("broken", remedy="none")
        self.asked += texts
        return self._rows(texts)

    def count_tokens(self, text: str) -> int:
        return len(text)

    def close(self) -> None:
        self.closed += 1

    def _rows(self, texts: Sequence[str]) -> Vectors:
        digests = [digest(f"{self.name} {text}")[: self.dims] for text in texts]
        rows = np.array([list(each) for each in digests], np.float32).reshape(-1, self.dims) + 1
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit


def test_only_what_is_new_is_embedded_and_all_comes_in_order(tmp_path: Path) -> None:
    model = Counting()
    embedder = RememberingEmbedder(model, Remembered(tmp_path / "cache" / "vectors"))
    embedder.embed_passages(["one", "two"])
    found = embedder.embed_passages(["three", "one", "three", "two"])
    assert model.asked == ["one", "two", "three"]
    assert (found.shape, found.dtype.name) == ((4, 4), "float32")
    assert_array_equal(found, Counting().embed_passages(["three", "one", "three", "two"]))


def test_another_process_s_vectors_are_known(tmp_path: Path) -> None:
    """Two objects on one file stand for two processes: they share nothing else."""
    first, second = Counting(), Counting()
    RememberingEmbedder(first, Remembered(tmp_path / "vectors")).embed_passages(["one"])
    RememberingEmbedder(second, Remembered(tmp_path / "vectors")).embed_passages(["one", "two"])
    assert second.asked == ["two"]


def test_two_models_never_share_a_vector(tmp_path: Path) -> None:
    remembered = Remembered(tmp_path / "vectors")
    old, new = Counting("model@1"), Counting("model@2")
    before = RememberingEmbedder(old, remembered).embed_passages(["one"])
    after = RememberingEmbedder(new, remembered).embed_passages(["one"])
    assert new.asked == ["one"]
    assert_array_equal(after, Counting("model@2").embed_passages(["one"]))
    assert_array_equal(before, RememberingEmbedder(old, remembered).embed_passages(["one"]))
    assert old.asked == ["one"]


def test_a_kept_vector_of_another_size_is_embedded_again(tmp_path: Path) -> None:
    remembered = Remembered(tmp_path / "vectors")
    remembered.put("model@1", [(ONE, b"\0" * 12)])
    model = Counting()
    for _ in range(2):
        RememberingEmbedder(model, remembered).embed_passages(["one"])
    assert model.asked == ["one"]


def test_no_texts_are_no_rows_and_ask_nobody(tmp_path: Path) -> None:
    model = Counting()
    embedder = RememberingEmbedder(model, Remembered(tmp_path / "vectors"))
    assert embedder.embed_passages([]).shape == (0, 4)
    assert model.asked == []


def test_queries_are_asked_each_time_and_leave_no_trace(tmp_path: Path) -> None:
    model = Counting()
    embedder = RememberingEmbedder(model, Remembered(tmp_path / "vectors"))
    embedder.embed_queries(["one"])
    embedder.embed_queries(["one"])
    assert model.queries == ["one", "one"]
    assert not (tmp_path / "vectors").exists()


def test_a_model_that_fails_leaves_nothing_remembered(tmp_path: Path) -> None:
    model = Counting()
    embedder = RememberingEmbedder(model, Remembered(tmp_path / "vectors"))
    model.broken = True
    with pytest.raises(ModelError):
        embedder.embed_passages(["one"])
    model.broken = False
    embedder.embed_passages(["one"])
    assert model.asked == ["one"]


def test_what_it_says_of_itself_is_the_model_s(tmp_path: Path) -> None:
    embedder = RememberingEmbedder(Counting("m@7", 8), Remembered(tmp_path / "vectors"))
    assert (embedder.name, embedder.dims, embedder.tokens) == ("m@7", 8, 99)
    assert embedder.count_tokens("four") == 4


def test_a_closed_embedder_closes_its_model_and_remembers_still(tmp_path: Path) -> None:
    model = Counting()
    embedder = RememberingEmbedder(model, Remembered(tmp_path / "vectors"))
    embedder.embed_passages(["one"])
    embedder.close()
    embedder.embed_passages(["one"])
    assert (model.closed, model.asked) == (1, ["one"])


@given(st.lists(st.text(max_size=4), max_size=8), st.lists(st.text(max_size=4), max_size=8))
@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_remembering_changes_no_vector(tmp_path: Path, first: list[str], then: list[str]) -> None:
    embedder = RememberingEmbedder(Counting(), Remembered(tmp_path / "vectors"))
    for texts in (first, then):
        assert_array_equal(embedder.embed_passages(texts), Counting().embed_passages(texts))
    embedder.close()


def test_the_oldest_vectors_go_when_there_are_too_many(tmp_path: Path) -> None:
    remembered = Remembered(tmp_path / "vectors", most=2)
    for key in (ONE, TWO, THREE):
        remembered.put("m", [(key, b"vector")])
    assert remembered.get("m", [ONE, TWO, THREE]) == {TWO: b"vector", THREE: b"vector"}


def test_a_vector_that_is_put_again_is_replaced(tmp_path: Path) -> None:
    remembered = Remembered(tmp_path / "vectors")
    remembered.put("m", [(ONE, b"old"), (ONE, b"new")])
    assert remembered.get("m", [ONE, ONE]) == {ONE: b"new"}


def test_what_is_cleared_is_gone_for_every_model_and_from_the_file(tmp_path: Path) -> None:
    remembered, other = Remembered(tmp_path / "vectors"), Remembered(tmp_path / "vectors")
    remembered.put("m", [(ONE, b"secret-of-m"), (TWO, b"secret" * 10_000)])
    other.put("n", [(ONE, b"secret-of-n")])
    remembered.clear()
    assert remembered.get("m", [ONE, TWO]) == other.get("n", [ONE]) == {}
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"secret" not in left
    assert ONE not in left
    other.put("n", [(ONE, b"again")])
    assert remembered.get("n", [ONE]) == {ONE: b"again"}


def test_clearing_makes_no_file(tmp_path: Path) -> None:
    Remembered(tmp_path / "vectors").clear()
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_none_of_ours_is_cleared_away(tmp_path: Path) -> None:
    (tmp_path / "vectors").write_bytes(b"a secret, where a database should be" * 500)
    Remembered(tmp_path / "vectors").clear()
    assert list(tmp_path.iterdir()) == []


def test_no_text_is_in_the_file(tmp_path: Path) -> None:
    remembered = Remembered(tmp_path / "vectors")
    embedder = RememberingEmbedder(Counting(), remembered)
    embedder.embed_passages(["my diary of Tuesday"])
    assert remembered.get("model@1", [digest("my diary of Tuesday")])
    assert b"diary" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


@pytest.mark.parametrize("damage", ["folder", "garbage", "other", "parent"])
def test_a_file_that_cannot_be_used_costs_only_time(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "cache" / "vectors"
    if damage == "folder":
        path.mkdir(parents=True)
    elif damage == "parent":
        path.parent.write_bytes(b"a file where the folder should be")
    else:
        path.parent.mkdir()
        if damage == "garbage":
            path.write_bytes(b"this is no database" * 500)
        else:
            apsw.Connection(str(path)).execute("CREATE TABLE vector (other)")
    remembered = Remembered(path)
    model = Counting()
    found = RememberingEmbedder(model, remembered).embed_passages(["one", "two"])
    assert_array_equal(found, Counting().embed_passages(["one", "two"]))
    assert remembered.get("model@1", [ONE, TWO]) == {}
    assert model.asked == ["one", "two"]


def test_threads_share_one_file(tmp_path: Path) -> None:
    remembered = Remembered(tmp_path / "vectors")
    found: list[Vectors] = []

    def work() -> None:
        embedder = RememberingEmbedder(Counting(), remembered)
        found.append(np.concatenate([embedder.embed_passages([str(n)]) for n in range(20)]))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = Counting().embed_passages([str(n) for n in range(20)])
    assert len(found) == 4
    for rows in found:
        assert_array_equal(rows, expected)
    assert len(remembered.get("model@1", [digest(str(n)) for n in range(20)])) == 20
