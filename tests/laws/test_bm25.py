"""Our BM25 and that of an independent library give the same scores; and what stands beside them."""

from itertools import pairwise

import bm25s
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.model.query import FIELDS, AnyOf, Lexical
from pinyon.text.bm25 import Scorer, Term, idf
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


FIELD = st.sampled_from(["", "title", "body"])
asked_terms = st.lists(
    st.tuples(st.sampled_from([*WORDS, "o", "re"]), FIELD, st.booleans()), min_size=1, unique=True
)


@pytest.mark.proves("X1")
@settings(max_examples=150, deadline=None)
@given(
    rows=st.fixed_dictionaries({name: st.lists(st.sampled_from(WORDS)) for name in FIELDS}),
    asked=asked_terms,
    searched=st.sets(st.sampled_from(FIELDS), min_size=1),
)
def test_what_speaks_for_a_record_is_what_the_definition_says(
    rows: dict[str, list[str]], asked: list[tuple[str, str, bool]], searched: set[str]
) -> None:
    terms = [Term(stem, df, field, prefix) for df, (stem, field, prefix) in enumerate(asked)]
    score = Scorer(terms, dict.fromkeys(searched, 1.0), 20, dict.fromkeys(FIELDS, 60), 1.2, 0.75)

    def stands(term: Term, word: str, field: str) -> bool:
        fits = word.startswith(term.stem) if term.prefix else word == term.stem
        return fits and field in searched and term.field in ("", field)

    def held(*fields: str) -> float:
        return sum(
            idf(20, term.df)
            for term in terms
            if any(stands(term, word, field) for field in fields for word in rows[field])
        )

    pairs = [
        any(
            stands(first, one, field) and stands(second, next, field)
            for field in FIELDS
            for one, next in pairwise(rows[field])
        )
        for first, second in pairwise(terms)
    ]
    information = sum(idf(20, term.df) for term in terms)
    lines = "\n".join(f" {'  '.join(rows[name])} " if rows[name] else "" for name in FIELDS)
    _, share, title, phrase = score(lines)
    assert (share, title, phrase) == pytest.approx(
        (
            held(*FIELDS) / information,
            held("title", "aliases") / information,
            sum(pairs) / max(len(pairs), 1),
        )
    )
