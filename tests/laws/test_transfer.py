"""Export then import is the identity, and an import happens wholly or not at all."""

import io
import json
from collections.abc import Iterator, Sequence
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pinyon
from pinyon.engine import Engine
from pinyon.model.check import recheck
from pinyon.model.errors import InvalidLine
from pinyon.model.record import KINDS, SEVERITIES, Edge, Record, Version
from pinyon.store.contract import Store
from pinyon.store.questions import Size
from tests.store.world import NOW, both_stores, commit, record, save, surveyed

unbroken = st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"])
words = st.text(unbroken, min_size=1, max_size=8)
lines = st.lists(words, max_size=3).map(" ".join)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=30)
several = st.lists(words, max_size=3, unique=True).map(tuple)
dates = st.datetimes(timezones=st.just(UTC))
maybe_dates = st.none() | dates
plain_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)


def records(ids: st.SearchStrategy[str]) -> st.SearchStrategy[Record]:
    """Every field takes any value that it may have."""
    return st.builds(
        Record,
        kind=st.sampled_from(KINDS),
        id=ids,
        title=lines,
        aliases=several,
        body=texts,
        context=texts,
        tags=several,
        domain=lines,
        severity=st.sampled_from(["", *SEVERITIES]),
        importance=st.integers(1, 5),
        mentions=st.integers(0, 2**53),
        doc_type=lines,
        memory_type=lines,
        author=lines,
        status=lines,
        due=maybe_dates,
        scope=st.lists(st.sampled_from(["team", "api", "東京"]), max_size=3).map("/".join),
        source=lines,
        lines=st.none()
        | st.tuples(st.integers(1, 2**31), st.integers(0, 99)).map(
            lambda span: (min(span[0], 2**31 - 99), min(span[0], 2**31 - 99) + span[1])
        ),
        created_at=dates,
        updated_at=dates,
        valid_from=st.just(None),
        valid_until=maybe_dates,
        half_life=st.none() | st.floats(1e-6, 1e9),
        extra=st.dictionaries(texts, plain_json, max_size=2),
        version=st.integers(1, 2**53),
        deleted_at=maybe_dates,
    )


@st.composite
def contents(draw: st.DrawFn) -> dict[str, Any]:
    """Everything that a store can hold: records, forgotten ones too, their versions and edges."""
    ids = draw(st.lists(words, min_size=1, max_size=4, unique=True))
    chosen = st.sampled_from(ids)
    versions = st.builds(Version, records(chosen), st.sampled_from(["updated", "forgotten"]), dates)
    edges = st.builds(
        Edge,
        chosen | st.just("@somebody"),
        st.sampled_from(["caused", "derived_from"]),
        chosen,
        st.floats(0, 1),
        texts,
        maybe_dates,
    )
    return {
        "records": [draw(records(st.just(id))) for id in ids],
        "versions": draw(st.lists(versions, max_size=3)),
        "edges": draw(st.lists(edges, max_size=3)),
    }


def exported(store: Store) -> list[str]:
    return list(Engine(store).export())


def load(store: Store, given: Sequence[str] | bytes, **how: Any) -> Any:
    content = given if isinstance(given, bytes) else "\n".join(given).encode()
    engine = Engine(store, clock=lambda: NOW)
    return engine.import_jsonl(io.BytesIO(content), name="a.jsonl", **how)


@pytest.mark.proves("X15", part="export and import")
@settings(max_examples=60, deadline=None)
@given(contents())
def test_export_then_import_is_the_identity(content: dict[str, Any]) -> None:
    assert all(recheck(given) == given for given in content["records"])
    with both_stores() as origins, both_stores() as targets:
        for origin, target in zip(origins, reversed(targets), strict=True):
            commit(origin, verbatim=True, **content)
            lines = exported(origin)
            imported = load(target, lines)
            assert exported(target) == lines
            counted = (imported.records, imported.versions, imported.edges, imported.unchanged)
            types = [json.loads(line)["type"] for line in lines]
            assert counted == (*map(types.count, ("record", "version", "edge")), 0)


@pytest.mark.proves("X15", part="export and import")
@settings(max_examples=20, deadline=None)
@given(contents())
def test_importing_twice_changes_nothing(content: dict[str, Any]) -> None:
    with both_stores() as stores:
        for store in stores:
            commit(store, verbatim=True, **content)
            before = exported(store)
            with store.snapshot() as view:
                revision = view.revision
            again = load(store, before)
            assert (again.records, again.unchanged) == (0, len(content["records"]))
            with store.snapshot() as view:
                assert view.revision == revision
            assert exported(store) == before


def history_of_a_fox(store: Store) -> list[str]:
    """A record that was changed, one that was forgotten, and an edge between them."""
    save(store, record("fox", body="brown"), record("hen"))
    save(store, record("fox", body="grey", tags=("wild",)))
    commit(store, edges=[Edge("fox", "eats", "hen", 0.5, "feathers", NOW)])
    commit(store, forget=["hen"])
    return exported(store)


GOOD = [
    '{"id":"a","body":"one"}',
    '{"id":"b"}',
    '{"type":"edge","from":"a","relation":"r","to":"b"}',
]
BAD = {
    "no JSON": "{",
    "no object": "[1]",
    "no such type": '{"type":"fruit"}',
    "type of a wrong type": '{"type":[]}',
    "no such field": '{"id":"x","colour":"red"}',
    "a wrong type": '{"id":"x","title":7}',
    "a wrong value": '{"id":"x","importance":6}',
    "not a number": '{"id":"x","half_life":NaN}',
    "a huge number": f'{{"id":"x","half_life":1{"0" * 400}}}',
    "a number too long to read": f'{{"id":"x","mentions":1{"0" * 9000}}}',
    "half a surrogate pair": '{"id":"x","body":"\\ud800"}',
    "NUL": '{"id":"x","body":"\\u0000"}',
    "deep nesting": '{"extra":' + '{"a":' * 100_000,
    "an id twice": '{"id":"a","body":"two"}',
    "an edge without an end": '{"type":"edge","from":"a","relation":"r"}',
    "an edge to nowhere": '{"type":"edge","from":"a","relation":"r","to":"ghost"}',
    "a version of nothing": '{"type":"version","change":"updated","changed_at":"2026-01-01",'
    '"record":{"id":"ghost"}}',
    "half a version": '{"type":"version","change":"updated"}',
}


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with both_stores() as stores:
        yield stores[request.param == "sqlite"]


@pytest.mark.proves("X15", part="export and import")
@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_a_bad_line_is_named_by_its_number_and_nothing_is_written(store: Store, bad: str) -> None:
    for place in range(len(GOOD) + 1):
        given = [*GOOD[:place], bad, *GOOD[place:]]
        with pytest.raises(InvalidLine) as refused:
            load(store, given)
        # An id that stands twice is wrong where it stands again.
        expected = 2 if bad == BAD["an id twice"] and place == 0 else place + 1
        assert (refused.value.line, exported(store)) == (expected, [])
        assert "\n" not in str(refused.value)
        assert len(str(refused.value)) < 500


@pytest.mark.proves("X15", part="export and import")
def test_bytes_that_are_no_text_are_named_by_their_line(store: Store) -> None:
    with pytest.raises(InvalidLine) as refused:
        load(store, b'{"id":"a"}\n\n{"id":"\xff"}')
    assert (refused.value.line, exported(store)) == (3, [])


@pytest.mark.proves("X15", part="export and import")
def test_another_record_of_the_same_id_is_refused_unless_it_shall_be_replaced(
    store: Store,
) -> None:
    save(store, record("b", body="mine"))
    before = exported(store)
    with pytest.raises(InvalidLine) as refused:
        load(store, GOOD)
    assert (refused.value.line, exported(store)) == (2, before)
    load(store, GOOD, replace=True)
    with store.snapshot() as view:
        assert {id: kept.body for id, kept in view.fetch(["a", "b"]).items()} == {
            "a": "one",
            "b": "",
        }


@pytest.mark.proves("X15", part="export and import")
def test_history_forgotten_records_and_edges_come_along(store: Store, tmp_path: Path) -> None:
    lines = history_of_a_fox(store)
    assert [json.loads(line)["type"] for line in lines] == ["record"] * 2 + ["version"] * 2 + [
        "edge"
    ]
    with pinyon.open(tmp_path / "copy.pinyon") as copy:
        copy.import_jsonl(io.BytesIO("\n".join(lines).encode()))
        assert list(copy.export()) == lines
        assert [version.record.body for version in copy.history("fox")] == ["brown"]
        assert [hit.id for hit in copy.search("grey OR hen")] == ["fox"]


def test_lines_may_come_in_any_order_with_blank_ones_between_and_a_byte_order_mark(
    store: Store,
) -> None:
    text = "\ufeff" + "\r\n\n".join(reversed(GOOD)) + "\n\n"
    load(store, text.encode())
    ids = [json.loads(line).get("id") for line in exported(store)]
    assert ids == ["a", "b", None]


def test_a_stream_that_cannot_be_read_twice_is_imported_too() -> None:
    class Stream(io.BytesIO):
        def seekable(self) -> bool:
            return False

    with pinyon.open(":memory:") as engine:
        engine.import_jsonl(Stream("\n".join(GOOD).encode()))
        assert [each.record.id for each in engine.related("a")] == ["b"]


def test_records_without_an_id_get_one_each(store: Store) -> None:
    nameless = [f'{{"title":"Same","body":"{at}"}}' for at in range(4)]
    load(store, [*nameless, '{"id":"same","body":"4"}'])
    with store.snapshot() as view:
        assert sorted(kept.body for kept in view.records()) == list("01234")


def test_progress_is_told_to_the_end(store: Store) -> None:
    told: list[tuple[int, int]] = []
    load(store, GOOD, progress=lambda done, total: told.append((done, total)))
    assert told == [(2, 3), (3, 3)]
    assert surveyed(store, Size()).edges == 1
