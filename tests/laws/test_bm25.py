"""Our BM25 and that of an independent library give the same scores; and what stands beside them."""

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from statistics import fmean

import bm25s
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.model.query import FIELDS, AnyOf, Lexical
from pinyon.text.bm25 import Scorer, Term, idf, units
from pinyon.text.fields import stem_lines
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
    half=st.sampled_from([0.0, 0.0, 2.0, 10.0]),
)
def test_scores_equal_those_of_bm25s(
    corpus: list[list[str]], asked: list[str], k1: float, b: float, half: float
) -> None:
    mean = fmean(map(len, corpus))
    counts = mean**2 / (mean**2 + half**2) if half else b
    library = bm25s.BM25(method="lucene", k1=k1, b=counts, dtype="float64")
    library.index(corpus, show_progress=False)
    # Its "lucene" leaves out the constant factor of the formula, as Lucene does.
    theirs = library.get_scores(asked) * (k1 + 1)
    expected = {str(at): score for at, score in enumerate(theirs) if score > 0}
    request = Lexical(AnyOf(tuple(map(phrase, asked))), {"body": 1.0}, k1=k1, b=b, half=half)
    with both_stores() as stores:
        for store in stores:
            save(store, *(record(str(at), body=" ".join(text)) for at, text in enumerate(corpus)))
            ours = {match.id: match.score for match in matches(store, request)}
            assert ours == pytest.approx(expected)


FIELD = st.sampled_from(["", "title", "body"])
asked_terms = st.lists(
    st.tuples(st.sampled_from([*WORDS, "o", "re"]), FIELD, st.booleans()), min_size=1, unique=True
)
weights = st.lists(st.sampled_from([1.0, 1.0, 0.5, 0.1]), min_size=30, max_size=30)


@pytest.mark.proves("X1")
@settings(max_examples=150, deadline=None)
@given(
    rows=st.fixed_dictionaries({name: st.lists(st.sampled_from(WORDS)) for name in FIELDS}),
    asked=asked_terms,
    weights=weights,
    searched=st.sets(st.sampled_from(FIELDS), min_size=1),
)
def test_what_speaks_for_a_record_is_what_the_definition_says(
    rows: dict[str, list[str]],
    asked: list[tuple[str, str, bool]],
    weights: list[float],
    searched: set[str],
) -> None:
    terms = [
        Term(stem, df, field, prefix, weight)
        for df, ((stem, field, prefix), weight) in enumerate(zip(asked, weights, strict=False))
    ]
    score = Scorer(terms, dict.fromkeys(searched, 1.0), 20, dict.fromkeys(FIELDS, 60), 1.2, 0.75)

    def stands(term: Term, word: str, field: str) -> bool:
        fits = word.startswith(term.stem) if term.prefix else word == term.stem
        return fits and field in searched and term.field in ("", field)

    def held(*fields: str) -> float:
        return sum(
            idf(20, term.df) * term.weight
            for term in terms
            if any(stands(term, word, field) for field in fields for word in rows[field])
        )

    full = [term for term in terms if term.weight == 1]
    pairs = [
        any(
            stands(first, one, field) and stands(second, next, field)
            for field in FIELDS
            for one, next in pairwise(rows[field])
        )
        for first, second in pairwise(full)
    ]
    information = sum(idf(20, term.df) * term.weight for term in full or terms)
    lines = "\n".join(f" {'  '.join(rows[name])} " if rows[name] else "" for name in FIELDS)
    _, share, title, phrase = score(lines)
    assert (share, title, phrase) == pytest.approx(
        (
            min(held(*FIELDS) / information, 1),
            min(held("title", "aliases") / information, 1),
            sum(pairs) / max(len(pairs), 1),
        )
    )


@pytest.mark.proves("S6")
@settings(max_examples=30, deadline=None)
@given(
    corpus=st.lists(texts, min_size=1, max_size=8),
    asked=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True),
    weight=st.sampled_from([0.1, 0.5, 1.0]),
)
def test_a_score_is_the_sum_of_its_parts_each_times_its_weight(
    corpus: list[list[str]], asked: list[str], weight: float
) -> None:
    first, *others = (phrase(word) for word in asked)
    light = [replace(one, weight=weight) for one in others]
    fields = {"body": 1.0}
    with both_stores() as stores:
        for store in stores:
            save(store, *(record(str(at), body=" ".join(text)) for at, text in enumerate(corpus)))
            expected: defaultdict[str, float] = defaultdict(float)
            for part in (first, *light):
                for match in matches(store, Lexical(replace(part, weight=1.0), fields)):
                    expected[match.id] += match.score * part.weight
            ours = matches(store, Lexical(AnyOf((first, *light)), fields))
            assert {match.id: match.score for match in ours} == pytest.approx(expected)


def test_a_light_phrase_counts_where_its_words_stand_side_by_side() -> None:
    light = replace(phrase("red fox"), weight=0.5)
    assert (units(light), units(phrase("red fox"))) == (("red  fox",), ("red", "fox"))
    together = scorer(Term("red  fox", 2, weight=0.5))
    assert together(body("fox red hen fox"))[0] == 0
    # As one word of the same length would.
    assert together(body("hen red fox"))[0] == 0.5 * scorer(Term("owl", 2))(body("hen owl sky"))[0]


def test_what_is_light_is_no_part_of_what_was_asked() -> None:
    terms = [Term("red", 2), Term("hen", 1, weight=0.5), Term("fox", 3)]
    score = scorer(*terms)
    for text in ("red fox", "red fox hen"):
        _, share, _, side_by_side = score(body(text))
        assert (share, side_by_side) == (1, 1)
    _, share, _, _ = score(body("hen"))
    assert share == pytest.approx(0.5 * idf(9, 1) / (idf(9, 2) + idf(9, 3)))


@settings(max_examples=50, deadline=None)
@given(text=texts)
def test_what_stands_instead_of_others_and_they_count_as_the_better_of_both(
    text: list[str],
) -> None:
    typed = [Term("red", 2), Term("fox", 3)]
    light = Term("hen", 1, weight=0.8, instead=("red", "fox"))
    parts = [scorer(*typed), scorer(light._replace(instead=()))]
    lines = body(" ".join(text))
    best = max(each(lines)[0] for each in parts)
    assert scorer(*typed, light)(lines)[0] == pytest.approx(best)


def scorer(*terms: Term) -> Scorer:
    return Scorer(terms, {"body": 1.0}, 9, dict.fromkeys(FIELDS, 30), 1.2, 0.75)


def body(text: str) -> str:
    """The stored form of a record with this body."""
    return stem_lines(tuple(text if name == "body" else "" for name in FIELDS))
