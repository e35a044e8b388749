"""Late interaction: every word of the question meets the nearest word of the text."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import pinyon
from pinyon.inference.contract import NoModel
from pinyon.inference.models import Packaged
from pinyon.inference.remember import TOKENS_FILE, Remembered
from pinyon.inference.rerank.late import WORDLESS, LateInteraction, packed, scores
from pinyon.model.record import Record
from pinyon.text.passages import digest
from tests.inference import tiny
from tests.inference.test_minilm import tiny_minilm

DIMS = 12


def rows(least: int = 0) -> st.SearchStrategy[tiny.Array]:
    def drawn(seed: int, count: int) -> tiny.Array:
        return np.random.default_rng(seed).normal(size=(count, DIMS)).astype("f4")

    return st.builds(drawn, st.integers(0, 2**32), st.integers(least, 5))


def by_hand(asked: tiny.Array, text: tiny.Array) -> float:
    signs = np.sign(text) / np.sqrt(text.shape[1])
    return float(np.mean([max(word @ sign for sign in signs) for word in asked]))


@given(rows(least=1), st.lists(rows(), max_size=5))
def test_a_score_is_the_mean_of_the_nearest_signs(
    asked: tiny.Array, texts: list[tiny.Array]
) -> None:
    expected = [by_hand(asked, text) if len(text) else WORDLESS for text in texts]
    assert_allclose(scores(asked, [packed(text) for text in texts]), expected, atol=1e-5)


@given(rows(least=1), rows(least=1), rows())
def test_more_words_never_lower_a_score(
    asked: tiny.Array, text: tiny.Array, more: tiny.Array
) -> None:
    alone, both = scores(asked, [packed(text), packed(np.concatenate([text, more]))])
    assert both >= alone - 1e-5


@given(st.lists(rows(), max_size=4))
def test_a_question_without_words_speaks_for_no_text(texts: list[tiny.Array]) -> None:
    nothing = np.zeros((0, DIMS), np.float32)
    assert scores(nothing, [packed(text) for text in texts]) == [0.0] * len(texts)


def late(cache: Path, model: Packaged | None = None, **how: Any) -> LateInteraction:
    """The tiny model in the place of MiniLM."""
    tiny_one = model or replace(tiny_minilm(cache), dims=tiny.HIDDEN, tokens=9)
    return LateInteraction(tiny_one, cache, threads=1, **how)


def words(text: str) -> tiny.Array:
    """The unit vectors of a text's words, computed without the graph."""
    ids = [2, *(tiny.WORDS.index(word) for word in text.split()), 3]
    found = tiny.states(tiny.weights(), tiny.arch("mean"), ids)
    found = found[[id >= 4 and tiny.WORDS[id] != "!" for id in ids]]
    result: tiny.Array = found / np.linalg.norm(found, axis=1, keepdims=True)
    return result


@pytest.mark.proves("S7")
def test_words_count_by_their_own_vectors_and_the_rest_does_not(tmp_path: Path) -> None:
    texts = ["green blue", "red", "red ! width blue green", "blue"]
    expected = [by_hand(words("red green !"), words(text)) for text in texts]
    assert_allclose(late(tmp_path).score("red green !", texts), expected, atol=1e-4)


@pytest.mark.parametrize("text", ["", " ", "!", "! !", "unheard", "\ud800"])
def test_a_text_without_a_known_word_comes_last(tmp_path: Path, text: str) -> None:
    reranker = late(tmp_path)
    none, some = reranker.score("red", [text, "blue"])
    assert none == WORDLESS < some
    assert reranker.score(text, ["blue", "red"]) == [0.0, 0.0]


def test_a_text_is_read_up_to_the_model_s_limit(tmp_path: Path) -> None:
    whole, longer = late(tmp_path).score("green", ["red " * 7, "red " * 7 + "green"])
    assert whole == longer


def test_no_texts_have_no_scores(tmp_path: Path) -> None:
    assert late(tmp_path).score("red", []) == []


def test_a_known_text_is_not_read_again(tmp_path: Path) -> None:
    model = replace(tiny_minilm(tmp_path), dims=tiny.HIDDEN)
    reranker = late(tmp_path, model)
    first = reranker.score("red", ["green", "blue"])
    assert reranker.score("red", ["blue", "green", "blue"]) == [first[1], first[0], first[1]]
    signs = np.random.default_rng(1).normal(size=(2, tiny.HIDDEN)).astype("f4")
    put(tmp_path, reranker.name, {"green": packed(signs).tobytes()})
    changed = late(tmp_path, model).score("red", ["green", "blue"])
    assert_allclose(changed, [by_hand(words("red"), signs), first[1]], atol=1e-4)


def test_what_another_model_kept_is_not_taken(tmp_path: Path) -> None:
    reranker = late(tmp_path)
    put(tmp_path, f"{reranker.name} of old", {"green": b""})
    assert reranker.score("red", ["green"])[0] > WORDLESS


def test_no_more_texts_are_kept_than_allowed(tmp_path: Path) -> None:
    reranker = late(tmp_path, most=2)
    reranker.score("red", ["green", "blue", "query", "width"])
    assert sorted(kept(tmp_path, reranker.name, tiny.WORDS)) == ["query", "width"]


def test_a_cache_that_cannot_be_written_costs_time_only(tmp_path: Path) -> None:
    usual = late(tmp_path).score("red", ["green", "blue"])
    (tmp_path / "other" / TOKENS_FILE).mkdir(parents=True)
    assert late(tmp_path / "other").score("red", ["green", "blue"]) == usual


def test_a_purge_leaves_nothing_of_any_tokens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINYON_CACHE", str(tmp_path))
    reranker = late(tmp_path)
    reranker.score("red", ["green", "blue"])
    with pinyon.open(":memory:", background=False) as engine:
        engine.save(Record(id="it", body="green"))
        engine.forget("it", purge=True)
    assert kept(tmp_path, reranker.name, ["green", "blue"]) == []
    assert reranker.score("red", ["green"]) == late(tmp_path / "new").score("red", ["green"])


def test_a_model_that_is_not_here_says_how_to_get_it(tmp_path: Path) -> None:
    absent = replace(tiny_minilm(tmp_path / "elsewhere"), dims=tiny.HIDDEN)
    with pytest.raises(NoModel) as raised:
        late(tmp_path, absent).score("red", ["green"])
    assert raised.value.remedy == "fetch them with `pinyon model pull minilm`"


def test_a_closed_reranker_loads_again(tmp_path: Path) -> None:
    reranker = late(tmp_path)
    first = reranker.score("red", ["green"])
    reranker.close()
    assert reranker.score("red", ["green", "blue"])[0] == first[0]


def put(cache: Path, model: str, signs: dict[str, bytes]) -> None:
    remembered = Remembered(cache / TOKENS_FILE)
    remembered.put(model, [(digest(text), each) for text, each in signs.items()])
    remembered.close()


def kept(cache: Path, model: str, texts: Sequence[str]) -> list[str]:
    remembered = Remembered(cache / TOKENS_FILE)
    found = remembered.get(model, [digest(text) for text in texts])
    remembered.close()
    return [text for text in texts if digest(text) in found]
