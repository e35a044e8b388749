"""The SQLite store and the memory store are one store: same commits, same answers."""

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.model.errors import PinyonError
from pinyon.model.query import (
    FIELDS,
    AllOf,
    AnyOf,
    Counted,
    Expression,
    Filters,
    Lexical,
    Near,
    RankedList,
    Recent,
    Request,
    Substring,
    Without,
)
from pinyon.model.record import Edge, Record, Version
from pinyon.model.use import Asked, Noted, Use
from pinyon.store.contract import Batch, Store, View
from pinyon.store.questions import (
    VERDICTS,
    CountedFor,
    Edges,
    Feedback,
    Feedbacks,
    Log,
    Named,
    Size,
    Terms,
    Values,
    Vocabulary,
)
from pinyon.text.prepare import prepare
from pinyon.text.stems import stems
from tests.store.world import NOW, both_stores, phrase, record

WORDS = (
    "amber",
    "runs",
    "Running",
    "café",
    "the",
    "getUserById",
    "user_id",
    "sha256",
    "{{age:34}}",
    "東京都",
    "京都",
    "검색",
)
BEGINNINGS = ("am", "run", "get", "us", "user_i", "3", "東", "京")
IDS = ("amber", "fox", "notes/a.md#one", "user_id", "東京", "Z")
TAGS = ("wild", "tame", "runs", "京都")
SCOPES = ("", "team", "team/api", "team/api2", "team/api/v1")
KNOWN = tuple(sorted({stem for word in (*WORDS, *IDS, *TAGS) for stem in stems(prepare(word))}))
PAIRS = tuple("  ".join(pair) for pair in product(KNOWN, repeat=2))
"""As light phrases are counted."""
NOTHING = st.just("")


def days(first: int, last: int) -> st.SearchStrategy[datetime]:
    return st.integers(first, last).map(lambda day: NOW + timedelta(days=day))


dates = days(-3, 3)
texts = st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)
tags = st.lists(st.sampled_from(TAGS), max_size=3, unique=True).map(tuple)
records = st.builds(
    record,
    st.sampled_from(IDS),
    kind=st.sampled_from(["note", "task", "code"]),
    title=NOTHING | texts,
    aliases=st.lists(st.sampled_from(WORDS), max_size=2, unique=True).map(tuple),
    body=texts,
    context=NOTHING | texts,
    tags=tags,
    domain=st.sampled_from(["", "farm", "wood"]),
    severity=st.sampled_from(["", "critical", "warning"]),
    author=st.sampled_from(["", "Ann", "Bob"]),
    scope=st.sampled_from(SCOPES),
    source=NOTHING | st.sampled_from(["src/getUserById.py", "東京.md"]),
    created_at=dates,
    updated_at=dates,
    valid_from=st.none() | days(-3, 0),
    valid_until=st.none() | days(1, 3),
    extra=st.sampled_from([{}, {"seen": [1, None, "東"]}]),
)

weights = st.sampled_from([0.5, 1.0, 3.0, 10.0])
fields = st.fixed_dictionaries(dict.fromkeys(FIELDS, weights)) | st.dictionaries(
    st.sampled_from(FIELDS), weights, min_size=1
)
some_filters = st.builds(
    Filters,
    kinds=st.sampled_from([(), ("note",), ("note", "task")]),
    tags=st.sampled_from([(), ("wild",), ("wild", "京都")]),
    domains=st.sampled_from([(), ("farm", "wood")]),
    severities=st.sampled_from([(), ("critical",)]),
    authors=st.sampled_from([(), ("Ann",)]),
    scopes=st.lists(st.sampled_from([each for each in SCOPES if each]), max_size=2).map(tuple),
    since=st.none() | dates,
    until=st.none() | dates,
    without=st.sampled_from([(), ("task",)]),
    at=st.none() | dates,
)
# Most requests without filters: the more there are, the fewer records are left to compare.
filters = st.just(Filters()) | dates.map(lambda day: Filters(at=day)) | some_filters
limits = st.sampled_from([1, 3, 30])
asked_words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map(" ".join)
plain_phrases = (
    st.builds(phrase, asked_words)
    | st.builds(phrase, asked_words).map(lambda asked: replace(asked, weight=0.3))
    | st.builds(phrase, asked_words).map(
        lambda asked: replace(asked, weight=0.9, instead=("amber", "run"))
    )
    | st.builds(phrase, st.sampled_from(BEGINNINGS), prefix=st.just(True))
)
leaves: st.SearchStrategy[Expression] = (
    plain_phrases
    | st.builds(phrase, asked_words, field=st.sampled_from(FIELDS), prefix=st.booleans())
    | st.builds(
        Near,
        st.lists(plain_phrases, min_size=1, max_size=3).map(tuple),
        st.sampled_from([0, 1, 3, 10]),
    )
)


def _combined(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    several = st.lists(inner, min_size=1, max_size=3).map(tuple)
    return st.builds(AnyOf, several) | st.builds(AllOf, several) | st.builds(Without, inner, inner)


def _counted(documents: int, df: int) -> Counted:
    """As if the store were larger, and every one of the words stood in so many records."""
    known = {(unit, prefix): df for unit in (*KNOWN, *PAIRS) for prefix in (False, True)}
    return Counted(documents, dict.fromkeys(FIELDS, 3 * documents), known)


lexical = st.builds(
    Lexical,
    st.recursive(leaves, _combined, max_leaves=6),
    fields,
    k1=st.sampled_from([0.5, 1.2]),
    b=st.sampled_from([0.0, 0.75, 1.0]),
    half=st.sampled_from([0.0, 5.0]),
    filters=filters,
    limit=limits,
    among=st.none() | st.lists(st.sampled_from(IDS), max_size=4).map(tuple),
    counted=st.none() | st.builds(_counted, st.integers(10, 40), st.integers(0, 10)),
)
substrings = st.builds(
    Substring,
    st.lists(st.sampled_from(["AMB", "fé", "ser_", "{", "京", "n"]), min_size=1, max_size=2).map(
        tuple
    ),
    fields,
    filters,
    limits,
)
requests: st.SearchStrategy[Request] = (
    lexical | lexical | substrings | st.builds(Recent, filters, limits)
)

ids = st.sampled_from(IDS)
edges = st.builds(
    Edge,
    ids,
    st.sampled_from(["eats", "sees"]),
    ids | st.just("@farmer"),
    st.sampled_from([0.5, 1.0]),
)
verbatim_records = st.builds(
    lambda given, version, gone: replace(given, version=version, deleted_at=gone),
    records,
    st.integers(1, 4),
    st.none() | dates,
)
versions = st.builds(Version, verbatim_records, st.sampled_from(["updated", "forgotten"]), dates)
feedback = st.builds(
    Feedback,
    dates,
    ids,
    st.sampled_from(VERDICTS),
    asked_words,
    st.sampled_from(["default", "vault"]),
    st.dictionaries(st.sampled_from(["lexical", "recency"]), st.floats(0, 1)),
)
shares = st.floats(0, 1)
counts = st.integers(0, 3)
uses = st.builds(Use, counts, dates, shares, shares, shares, counts, st.none() | dates)
asked = st.builds(Asked, dates, asked_words, st.just("default"), st.just(("note",)), counts, shares)
saving = st.fixed_dictionaries(
    {"records": st.lists(records, min_size=1, max_size=3), "keep_history": st.booleans()}
)
changes: st.SearchStrategy[dict[str, Any]] = st.one_of(
    saving,
    saving,
    st.fixed_dictionaries(
        {
            "records": st.lists(records, max_size=1),
            "expect": st.dictionaries(ids, st.integers(0, 2)),
        }
    ),
    st.fixed_dictionaries(
        {"records": st.lists(verbatim_records, min_size=1, max_size=2), "verbatim": st.just(True)}
    ),
    st.fixed_dictionaries(
        {"forget": st.lists(ids, min_size=1, max_size=2), "keep_history": st.booleans()}
    ),
    st.fixed_dictionaries({"versions": st.lists(versions, min_size=1, max_size=2)}),
    st.fixed_dictionaries({"purge": st.lists(ids, min_size=1, max_size=2)}),
    st.fixed_dictionaries(
        {"rename_tags": st.dictionaries(st.sampled_from(TAGS), st.sampled_from(TAGS), max_size=2)}
    ),
    st.fixed_dictionaries({"edges": st.lists(edges, min_size=1, max_size=3)}),
    st.fixed_dictionaries({"unlink": st.lists(edges, min_size=1, max_size=3)}),
    st.fixed_dictionaries({"moves": st.dictionaries(ids, ids, min_size=1, max_size=2)}),
    st.fixed_dictionaries({"feedback": st.lists(feedback, min_size=1, max_size=2)}),
)
notes = st.builds(
    Noted,
    st.dictionaries(ids, uses, max_size=2),
    st.lists(asked, max_size=3),
    keep=st.sampled_from([2, 100]),
    keep_since=st.none() | dates,
)


def _one_per_id(given: list[Record]) -> list[Record]:
    return list({item.id: item for item in given}.values())


@settings(max_examples=60, deadline=None)
@given(
    corpus=st.lists(records, min_size=2, max_size=6).map(_one_per_id),
    asked=st.lists(requests, min_size=2, max_size=8),
)
def test_the_same_records_give_the_same_lists(corpus: list[Record], asked: list[Request]) -> None:
    with both_stores() as (memory, sqlite):
        for store in (memory, sqlite):
            store.commit(Batch(now=NOW, records=corpus))
        with memory.snapshot() as ours, sqlite.snapshot() as theirs:
            for request, left, right in zip(
                asked, ours.retrieve(asked), theirs.retrieve(asked), strict=True
            ):
                assert (right.channel, _ids(right)) == (left.channel, _ids(left)), request
                assert _numbers(right) == pytest.approx(_numbers(left)), request


def _ids(ranked: RankedList) -> list[str]:
    return [match.id for match in ranked.matches]


def _numbers(ranked: RankedList) -> list[float]:
    return [
        number
        for match in ranked.matches
        for number in (match.score, match.share, match.title, match.phrase)
    ]


@settings(max_examples=60, deadline=None)
@given(
    corpus=st.lists(records, min_size=2, max_size=6),
    history=st.lists(changes | notes, min_size=1, max_size=10),
)
def test_the_same_commits_leave_the_same_store(
    corpus: list[Record], history: list[dict[str, Any] | Noted]
) -> None:
    with both_stores() as (memory, sqlite):
        for day, change in enumerate([{"records": corpus}, *history]):
            if isinstance(change, Noted):
                assert (memory.note(change), sqlite.note(change)) == (True, True)
                continue
            batch = Batch(now=NOW + timedelta(days=day), **change)
            assert _outcome(sqlite, batch) == _outcome(memory, batch), change
        with memory.snapshot() as ours, sqlite.snapshot() as theirs:
            assert _everything(theirs) == _everything(ours)


def _outcome(store: Store, batch: Batch) -> object:
    """The receipt, whose ids come in any order, or the kind of error."""
    try:
        receipt = store.commit(batch)
    except PinyonError as error:
        return type(error)
    return receipt.revision, set(receipt.written), set(receipt.removed), receipt.unchanged


def _everything(view: View) -> dict[str, object]:
    columns = ("tags", "domain", "kind", "author", "scope")
    return {
        "records": list(view.records(forgotten=True)),
        "live": list(view.records()),
        "settings": dict(view.settings()),
        "facts": view.facts(IDS),
        "counted terms": view.facts(IDS, stems=KNOWN, fields=("title", "body", "tags")),
        "terms": view.survey(Terms(tuple(IDS), ("title", "body", "tags"))),
        "edges": list(view.all_edges()),
        "seen edges": view.survey(Edges(IDS)),
        "versions": list(view.all_versions()),
        "values": [list(view.survey(Values(column)).items()) for column in columns],
        "named": [view.survey(Named(column, frozenset(KNOWN))) for column in columns[:2]],
        "vocabulary": view.survey(Vocabulary(KNOWN)),
        "counted": view.survey(CountedFor(AnyOf(tuple(map(phrase, WORDS))))),
        "uses": view.uses(IDS),
        "log": view.survey(Log()),
        "feedback": view.survey(Feedbacks("default")),
        "size": replace(view.survey(Size()), bytes=0),
    }
