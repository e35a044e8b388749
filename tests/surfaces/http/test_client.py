"""A client has the methods of an engine, and says what the engine says: a real server in between,
and an engine on the same file beside it."""

import inspect
import json
import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import pinyon
from pinyon import Answer, Engine, Hit, Record
from pinyon.index.pipeline import Progress
from pinyon.model.check import check_id
from pinyon.model.errors import InvalidInput, PinyonError
from pinyon.surfaces.answers import answer_to_json
from pinyon.surfaces.http import received
from pinyon.surfaces.http.client import Client
from tests.surfaces.serving import serving

CORPUS = Path(__file__).parents[2] / "golden" / "corpus.jsonl"
SHARED = {
    *("search", "brief", "conflicts", "profiles", "get", "history", "related", "values", "stats"),
    *("tiers", "save", "update", "correct", "forget", "link", "unlink", "feedback", "index"),
    *("embed", "close"),
}
OWN = {"health"}
NEAR = {"timeout_s", "stop"}
"""What only a caller in the same process can say: how a search is broken off. A client has its own
`timeout_s`, for all that it asks."""


class World(SimpleNamespace):
    """One store, asked both ways."""

    client: Client
    engine: Engine


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    path = tmp_path_factory.mktemp("client") / "client.pinyon"
    with pinyon.open(path, background=False) as engine:
        with CORPUS.open("rb") as corpus:
            engine.import_jsonl(corpus)
        engine.configure("track_use", "false")
        with serving(path) as server, pinyon.connect(server.url) as client:
            yield World(client=client, engine=engine)


# the same methods


def methods(kind: type) -> dict[str, Callable[..., Any]]:
    return {
        name: method
        for name, method in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
    }


def signature(method: Callable[..., Any]) -> list[tuple[str, ...]]:
    """Parameters and result as text; modules and quotes do not count."""
    found = inspect.signature(method)
    rows = [
        (each.name, each.kind.name, repr(each.default), plain(each.annotation))
        for each in found.parameters.values()
        if each.name not in NEAR
    ]
    return [*rows, ("gives", plain(found.return_annotation))]


def plain(annotation: Any) -> str:
    return re.sub(r"[\w.]+\.|'", "", inspect.formatannotation(annotation))


def test_a_client_has_methods_of_the_engine_and_hardly_any_other() -> None:
    assert set(methods(Client)) == SHARED | OWN
    assert set(methods(Engine)) >= SHARED


@pytest.mark.parametrize("name", sorted(SHARED))
def test_a_method_takes_and_gives_what_it_does_in_the_engine(name: str) -> None:
    assert signature(methods(Client)[name]) == signature(methods(Engine)[name])


# the same answers


def without_time(answer: Answer) -> tuple[tuple[Hit, ...], dict[str, Any]]:
    """What an answer says but for when it was given, and how long it took."""
    said = json.loads(json.dumps(dict(answer.meta)))
    for name in ("ms", "stages"):
        said.pop(name)
    said["filters"].pop("at", None)
    return answer.hits, said


@pytest.mark.parametrize(
    "how",
    [
        {"query": "how are tokens checked"},
        {"query": "tokens", "mode": "full", "kinds": ("entry", "code"), "limit": 3},
        {"query": "tea", "since": datetime(2025, 1, 1), "until": datetime(2030, 1, 1, tzinfo=UTC)},
        {"like": "jwt-validation", "override": {"rank.weights.lexical": 2}},
        {"scope": ["shop", "team"], "sort": "date", "limit": 5},
        {"query": "cache stampede", "channels": ["lexical", "graph"], "min_relevance": 0},
    ],
    ids=str,
)
def test_a_search_finds_what_the_engine_finds(world: World, how: dict[str, Any]) -> None:
    asked = {**how, "track": False}
    answer = world.client.search(**asked)
    assert without_time(answer) == without_time(world.engine.search(**asked))


READS: dict[str, Callable[[Any], object]] = {
    "get": lambda one: one.get("jwt-validation", "no-orm"),
    "get nothing": lambda one: one.get(),
    "get many": lambda one: one.get(*[hit.id for hit in one.search(limit=500)] * 9),
    "history": lambda one: one.history("jwt-validation"),
    "related": lambda one: one.related("jwt-validation", depth=2),
    "related by": lambda one: one.related("jwt-validation", relations=["supersedes"], limit=1),
    "brief": lambda one: one.brief(max_tokens=300, kinds=["memory", "task"]).sections,
    "conflicts": lambda one: one.conflicts(),
    "values": lambda one: one.values("tags"),
    "profiles": lambda one: one.profiles(),
    "tiers": lambda one: one.tiers(),
    "stats": lambda one: one.stats(),
}


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_what_is_read_is_what_the_engine_reads(world: World, read: Callable[[Any], object]) -> None:
    assert read(world.client) == read(world.engine)


def test_what_a_client_writes_the_engine_has(world: World) -> None:
    client, engine = world.client, world.engine
    written = Record(
        id="kettle",
        kind="note",
        title="The kettle",
        tags=("kitchen", "tea"),
        lines=(3, 9),
        created_at=datetime(2024, 5, 1, 12, 30),
        updated_at=datetime(2024, 5, 2, tzinfo=UTC),
        extra={"watts": 2200, "parts": ["lid", {"of": "steel"}]},
        version=7,
    )
    assert client.save(written) == "kettle"
    (kept,) = engine.get("kettle")
    assert kept.extra == written.extra
    assert (kept.lines, kept.updated_at, kept.version) == ((3, 9), written.updated_at, 1)
    assert kept.created_at == datetime(2024, 5, 1, 12, 30, tzinfo=UTC)
    assert client.get("kettle") == [kept]

    changed = client.update("kettle", expected=1, body="It hums.", due=datetime(2027, 1, 1))
    assert [changed] == engine.get("kettle")
    assert changed.due == datetime(2027, 1, 1, tzinfo=UTC)

    edge = client.link("kettle", "supports", "anna-tea", strength=0.5, evidence="she said so")
    assert [edge] == [each.edge for each in engine.related("kettle")]
    client.unlink("kettle", "supports", "anna-tea")
    assert engine.related("kettle") == []

    client.feedback("kettle", "accepted", query="what hums")
    assert [each.query for each in engine.verdicts()] == ["what hums"]

    better = client.correct("kettle", "it whistles", body="It whistles.")
    assert engine.related(better)[0].edge.evidence == "it whistles"
    assert len(client.history("kettle")) == len(engine.history("kettle")) == 1

    client.forget("kettle", better, purge=True)
    assert engine.search("whistles kettle", min_relevance=0, track=False).hits == ()


def outcome(call: Callable[[Any], object], of: Any) -> object:
    try:
        return call(of)
    except PinyonError as error:
        return type(error), vars(error)


FAILURES: dict[str, Callable[[Any], object]] = {
    "unknown ids": lambda one: one.get("no-orm", "nobody", "no-one"),
    "unknown ids among many": lambda one: one.get(*(f"nobody-{n}" * 30 for n in range(40))),
    "no id": lambda one: one.history(""),
    "half a pair": lambda one: one.get("\ud800"),
    "taken": lambda one: one.save(Record(id="no-orm")),
    "said already": lambda one: one.save(
        Record(
            kind="memory",
            title="Mira wants graphs, not tables",
            body="In reports for Mira put a line chart first and the numbers below it.",
        ),
        duplicates="refuse",
    ),
    "changed meanwhile": lambda one: one.update("no-orm", expected=9, title="New"),
    "superseded": lambda one: one.correct("old-token-check", title="New"),
    "a field too long": lambda one: one.save(Record(title="x" * 2000)),
    "a field that is a list": lambda one: one.update("no-orm", tags=["a\nb"]),
    "no profile": lambda one: one.search("tea", profile="nope"),
    "no setting": lambda one: one.search("tea", override={"rank.nope": 1}),
    "no tier": lambda one: one.search("tea", tiers=["nope"]),
    "a date that is none": lambda one: one.search("tea", since="yesterday-ish"),
    "no cursor": lambda one: one.search("tea", cursor="page two"),
    "no link": lambda one: one.unlink("no-orm", "supports", "anna-tea"),
}


@pytest.mark.parametrize("call", FAILURES.values(), ids=FAILURES)
def test_what_fails_raises_what_the_engine_raises(
    world: World, call: Callable[[Any], object]
) -> None:
    failed = outcome(call, world.client)
    assert isinstance(failed, tuple)
    assert failed == outcome(call, world.engine)


def valid(id: str) -> bool:
    try:
        return check_id("id", id) == id
    except PinyonError:
        return False


@given(
    id=st.text(min_size=1, max_size=12).filter(valid) | st.text("./%?#a", min_size=1, max_size=9),
    end=st.sampled_from(["", "/related", "/history", "/correct", "/.."]),
)
@example(id="..", end="")
@example(id=".", end="/related")
@settings(max_examples=8, deadline=None)
def test_an_id_may_be_any_text(world: World, id: str, end: str) -> None:
    client, named = world.client, f"{id}{end}"
    assert client.save(Record(id=named, title="One"), replace=True) == named
    assert client.update(named, title="Two").title == "Two"
    assert [record.title for record in client.get(named)] == ["Two"]
    assert client.related(named) == []
    assert client.history(named)[-1].record.title == "One"
    client.forget(named, purge=False)
    assert outcome(lambda one: one.get(named), client) == outcome(
        lambda one: one.get(named), world.engine
    )


def test_where_one_id_is_unknown_none_is_forgotten(world: World) -> None:
    with pytest.raises(PinyonError, match="nobody"):
        world.client.forget("no-orm", "nobody")
    assert world.engine.get("no-orm")


def test_threads_may_share_a_client(world: World) -> None:
    questions = ["tokens", "tea", "cache stampede", "Mira"] * 8
    with ThreadPoolExecutor(16) as threads:
        found = list(threads.map(lambda q: world.client.search(q, track=False).hits, questions))
    assert found == [world.engine.search(q, track=False).hits for q in questions]


def test_health_says_who_answers(world: World) -> None:
    assert world.client.health() == {"status": "ok", "version": pinyon.__version__}


# jobs


def test_a_folder_is_indexed_with_progress(world: World, tmp_path: Path) -> None:
    for at in range(3):
        (tmp_path / f"note-{at}.md").write_text(f"# Walrus {at}\n\nIt swims.\n", "utf-8")
    seen: list[Progress] = []
    report = world.client.index(tmp_path, progress=seen.append)
    assert (report.added, report.skipped) == (3, ())
    assert (seen[-1].done, seen[-1].total) == (3, 3)
    assert world.client.index(tmp_path).unchanged == 3
    assert world.engine.search("walrus", track=False).hits


def test_who_stops_watching_stops_the_job(world: World, tmp_path: Path) -> None:
    for at in range(400):
        (tmp_path / f"note-{at}.md").write_text(f"# Heron {at}\n\nIt stands.\n", "utf-8")

    def enough(progress: Progress) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        world.client.index(tmp_path, progress=enough)
    assert world.client.index(tmp_path).added > 0, "the job had gone on"


def test_a_job_that_cannot_be_done_says_why(world: World, tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nowhere")
    for one in (world.client, world.engine):
        with pytest.raises(InvalidInput, match=re.escape(nowhere)):
            one.index(nowhere)
    failed = outcome(lambda one: one.index(os.devnull), world.client)
    assert isinstance(failed, tuple)
    assert failed == outcome(lambda one: one.index(os.devnull), world.engine)


def test_what_waits_is_embedded(world: World) -> None:
    def embedded(one: Any) -> object:
        return one.embed(retry=True)

    assert embedded(world.client) == embedded(world.engine)


# the way there and back

texts = st.text(max_size=8)
words = st.lists(texts, max_size=3).map(tuple)
numbers = st.floats(allow_nan=False, allow_infinity=False)
hits = st.builds(
    Hit,
    id=texts,
    kind=texts,
    title=texts,
    score=numbers,
    relevance=numbers,
    signals=st.dictionaries(texts, numbers, max_size=3),
    sources=st.dictionaries(texts, st.integers(), max_size=3),
    snippet=texts,
    domain=texts,
    tags=words,
    scope=texts,
    source=texts,
    lines=st.none() | st.tuples(st.integers(), st.integers()),
    tokens=st.integers(),
    record=st.none() | st.builds(Record, id=st.just("a"), body=st.just("b"), tags=st.just(("c",))),
    via=texts,
    tier=texts,
    more=words,
)


@given(found=st.lists(hits, max_size=3))
def test_an_answer_is_the_same_after_the_journey(found: list[Hit]) -> None:
    answer = Answer(tuple(found), {"profile": "default", "next": ""})
    assert received.answer(json.loads(json.dumps(answer_to_json(answer)))) == answer
