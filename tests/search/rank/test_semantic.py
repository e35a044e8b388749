"""Semantic: the cosine of TF-IDF vectors, by hand, against dense vectors, and from a store."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.model.ask import Ask
from pinyon.model.profile import RankSection, UnderstandSection
from pinyon.model.record import Record
from pinyon.search.rank import gather, signal_of
from pinyon.search.understand import understand
from pinyon.store.contract import Batch, Store
from tests.search.rank.built import candidate, facts, known
from tests.store.world import NOW, both_stores, record

HOW = RankSection(weights={"semantic": 1})
WORDS = st.sampled_from("abcdefgh")
TEXTS = st.lists(st.lists(WORDS, max_size=12), min_size=1, max_size=8)
QUESTIONS = st.lists(WORDS, min_size=1, max_size=5, unique=True)


def semantic(question: Sequence[str], texts: Sequence[Sequence[str]]) -> list[float]:
    """Of each of the texts, which are the whole corpus."""
    about = [facts(str(at), terms=Counter(text)) for at, text in enumerate(texts)]
    stems = {stem for text in texts for stem in text} | set(question)
    df = {stem: sum(stem in text for text in texts) for stem in stems}
    knowing = known(*about, df=df, documents=len(texts), stems=tuple(question))
    candidates = [candidate(one.id) for one in about]
    return signal_of("semantic")(candidates, about, knowing, HOW)


def dense(question: Sequence[str], texts: Sequence[Sequence[str]]) -> list[float]:
    """The same, with a column for every word there is."""
    words = sorted({*question, *(word for text in texts for word in text)})
    counts = np.array([[text.count(word) for word in words] for text in texts], dtype=float)
    idf = np.log((len(texts) + 1) / (np.count_nonzero(counts, axis=0) + 1)) + 1
    asked = np.array([float(word in question) for word in words]) * idf
    rows = counts * idf
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(asked)
    return [
        float(row @ asked / length) if length else 0.0
        for row, length in zip(rows, lengths, strict=True)
    ]


@pytest.mark.proves("V9")
def test_semantic_is_the_cosine_of_tf_idf_vectors() -> None:
    texts = [["auth", "auth", "token"], ["token", "cache"], ["cache"]]
    auth = math.log((3 + 1) / (1 + 1)) + 1
    token = cache = math.log((3 + 1) / (2 + 1)) + 1
    unknown = math.log((3 + 1) / (0 + 1)) + 1
    asked = math.sqrt(auth**2 + token**2 + unknown**2)
    assert semantic(["auth", "token", "unheard"], texts) == pytest.approx(
        [
            (2 * auth * auth + token * token) / (asked * math.hypot(2 * auth, token)),
            token * token / (asked * math.hypot(token, cache)),
            0,
        ]
    )


@given(QUESTIONS, TEXTS)
def test_it_is_what_dense_vectors_give(question: list[str], texts: list[list[str]]) -> None:
    assert semantic(question, texts) == pytest.approx(dense(question, texts))


@given(QUESTIONS, TEXTS)
def test_it_lies_between_0_and_1_and_is_0_where_no_word_is_shared(
    question: list[str], texts: list[list[str]]
) -> None:
    for text, found in zip(texts, semantic(question, texts), strict=True):
        assert 0 <= found <= 1
        assert bool(found) == bool(set(text) & set(question))


def test_a_record_of_the_very_words_is_1() -> None:
    assert semantic(["a", "b"], [["b", "a"], ["c"]])[0] == pytest.approx(1)


@pytest.mark.proves("V9")
def test_its_words_are_those_of_title_body_context_and_tags_as_the_index_has_them() -> None:
    records = [
        record(
            "alias-path",
            title="Caching",
            body="Tokens rotate.",
            context="cache",
            tags=("token",),
            aliases=("elsewhere",),
            source="elsewhere.md",
        ),
        record("other", title="Rotation", body="of keys"),
        record("third", title="Nothing", body="like it"),
    ]
    with both_stores() as stores:
        for store in stores:
            found = _of_store(store, records, "caches and token")
            # Stems: cach and token of the question; of the record cach 2, token 2, rotat 1.
            cach = token = math.log((3 + 1) / (1 + 1)) + 1
            rotat = math.log((3 + 1) / (2 + 1)) + 1
            length = math.sqrt((2 * cach) ** 2 + (2 * token) ** 2 + rotat**2)
            expected = (2 * cach**2 + 2 * token**2) / (math.hypot(cach, token) * length)
            assert found == pytest.approx([expected, 0, 0])


def test_it_follows_every_change_of_the_store() -> None:
    texts = [record("a", body="cache token"), record("b", body="token"), record("c", body="key")]
    more = [*texts, record("d", body="token token ring")]
    with both_stores() as changed, both_stores() as fresh:
        for store, other in zip(changed, fresh, strict=True):
            assert _of_store(store, texts, "token") == _asked(store, texts, "token")
            assert _of_store(store, more, "token") == _of_store(other, more, "token")
            assert _asked(store, more, "token ring") == _asked(other, more, "token ring")


def _of_store(store: Store, records: Sequence[Record], text: str) -> list[float]:
    store.commit(Batch(now=NOW, records=records))
    return _asked(store, records, text)


def _asked(store: Store, records: Sequence[Record], text: str) -> list[float]:
    candidates = [candidate(one.id) for one in records]
    plain = UnderstandSection(fix=False, expand=False, intents=False)
    with store.snapshot() as view:
        query = understand(view, text, plain, NOW)
        knowing = gather(view, candidates, query, Ask(text, NOW), ["lexical"], 60, HOW)
    about = [knowing.facts[one.id] for one in candidates]
    return signal_of("semantic")(candidates, about, knowing, HOW)
