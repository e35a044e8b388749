"""Our BM25 and that of an independent library give the same scores."""

import bm25s
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.model.query import AnyOf, Lexical
from tests.store.world import both_stores, matches, phrase, record, save

WORDS = ("amber", "fox", "hen", "owl", "red", "sky")
"""Each is its own stem: the library does not stem."""

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9)


@pytest.mark.proves("S3")
@settings(max_examples=40, deadline=None)
@given(
    corpus=st.lists(texts, min_size=1, max_size=8),
    asked=st.lists(st.sampled_from(WORDS), min_size=1, unique=True),
    k1=st.sampled_from([0.5, 1.2, 2.0]),
    b=st.sampled_from([0.0, 0.4, 0.75, 1.0]),
)
def test_scores_equal_those_of_bm25s(
    corpus: list[list[str]], asked: list[str], k1: float, b: float
) -> None:
    library = bm25s.BM25(method="lucene", k1=k1, b=b, dtype="float64")
    library.index(corpus, show_progress=False)
    # Its "lucene" leaves out the constant factor of the formula, as Lucene does.
    theirs = library.get_scores(asked) * (k1 + 1)
    expected = {str(at): score for at, score in enumerate(theirs) if score > 0}
    request = Lexical(AnyOf(tuple(map(phrase, asked))), {"body": 1.0}, k1=k1, b=b)
    with both_stores() as stores:
        for store in stores:
            save(store, *(record(str(at), body=" ".join(text)) for at, text in enumerate(corpus)))
            ours = {match.id: match.score for match in matches(store, request)}
            assert ours == pytest.approx(expected)
