"""Names: whoever a question names, by any name that the store knows, answers first."""

from collections.abc import Sequence

import pytest

from pinyon.engine import Engine
from pinyon.model.record import Record
from pinyon.search.rank.names import MOST, Called, called
from pinyon.store.contract import Batch, Store
from pinyon.store.questions import Named
from pinyon.store.tiers import Member, TieredView
from tests.store.world import NOW, both_stores, commit, record

NOBODY: frozenset[str] = frozenset()
PEOPLE = [
    record("a", author="Caroline", body="pottery"),
    record("b", author="Melanie", body="pottery"),
    record("c", author="Will", body="pottery"),
    record("d", author="Ada Lovelace", body="pottery"),
    record("e", author="user", body="pottery"),
    record("f", author="李明", body="pottery"),
    record("mel", kind="entity", title="Melanie", aliases=("Mel", "Mrs. Smith")),
    record("redis", kind="entity", title="Redis", aliases=()),
    record("rose", kind="entity", title="Rose", aliases=()),
]


@pytest.mark.parametrize(
    ("text", "authors", "entities"),
    [
        ("what did Caroline make", {"Caroline"}, set()),
        ("what did caroline make", {"Caroline"}, set()),
        ("Caroline's pots", {"Caroline"}, set()),
        ("Caroline and Melanie", {"Caroline", "Melanie", "Mel", "Mrs. Smith"}, {"mel"}),
        ("what does Mel like", {"Melanie", "Mel", "Mrs. Smith"}, {"mel"}),
        ("is Mrs. Smith in", {"Melanie", "Mel", "Mrs. Smith"}, {"mel"}),
        ("how does redis expire keys", {"Redis"}, {"redis"}),
        ("Ada wrote the first program", set(), set()),
        ("notes of Ada Lovelace", {"Ada Lovelace"}, set()),
        ("what did 李明 say", {"李明"}, set()),
        ("what will we make", set(), set()),
        ("Will we make it?", set(), set()),
        ("What is it? Will it work", set(), set()),
        ("what did Will make", {"Will"}, set()),
        ("WHAT WILL WE MAKE", set(), set()),
        ("how does the user log in", set(), set()),
        ("prices rose", set(), set()),
        ("where is Rose", {"Rose"}, {"rose"}),
        ("pottery", set(), set()),
        ("", set(), set()),
        ("…", set(), set()),
    ],
)
def test_whole_names_are_heard_and_those_that_are_words_only_with_a_capital(
    text: str, authors: set[str], entities: set[str]
) -> None:
    with both_stores() as stores:
        for store in stores:
            store.commit(Batch(now=NOW, records=PEOPLE))
            with store.snapshot() as view:
                assert called(view, text) == Called(frozenset(authors), frozenset(entities))


def test_authors_that_are_given_stand_over_those_that_are_named() -> None:
    with both_stores() as stores:
        stores[0].commit(Batch(now=NOW, records=PEOPLE))
        with stores[0].snapshot() as view:
            assert called(view, "Caroline and Mel", ["Ann"]) == Called(frozenset({"Ann"}), NOBODY)


def test_a_question_that_names_everything_names_nothing() -> None:
    many = [record(f"{at}", kind="entity", title=f"thing {at}") for at in range(MOST + 1)]
    with both_stores() as stores:
        stores[0].commit(Batch(now=NOW, records=many))
        with stores[0].snapshot() as view:
            few = " ".join(one.title for one in many[:-1])
            assert len(called(view, few).entities) == MOST
            assert called(view, f"{few} {many[-1].title}") == Called(NOBODY, NOBODY)


def named(store: Store, *stems: str) -> Sequence[str]:
    with store.snapshot() as view:
        return view.survey(Named("entity", frozenset(stems)))


def test_entities_are_named_by_title_or_alias_and_follow_every_change() -> None:
    with both_stores() as stores:
        for store in stores:
            store.commit(Batch(now=NOW, records=PEOPLE))
            assert named(store, "mel", "redi") == ["mel", "redis"]
            assert named(store, "mr", "smith", "melani") == ["mel"]
            assert named(store, "smith", "pottery", "carolin") == []
            store.commit(Batch(now=NOW, records=[record("redis", kind="entity", title="Valkey")]))
            assert (named(store, "redi"), named(store, "valkei")) == ([], ["redis"])
            commit(store, forget=["mel"])
            assert named(store, "mel") == []


def test_entities_of_all_tiers_are_named() -> None:
    with both_stores() as (memory, sqlite):
        memory.commit(Batch(now=NOW, records=[record("mel", kind="entity", title="Mel")]))
        sqlite.commit(Batch(now=NOW, records=[record("ann", kind="entity", title="Ann")]))
        with memory.snapshot() as above, sqlite.snapshot() as below:
            view = TieredView(above, [Member("a", 1.0, above), Member("b", 1.0, below)])
            assert view.survey(Named("entity", frozenset(("mel", "ann")))) == ["ann", "mel"]


def said(engine: Engine, author: str, body: str) -> str:
    return engine.save(Record(kind="memory", author=author, body=body))


def talk(engine: Engine) -> None:
    """What else is said: little of it is asked for, so that scores have their usual range."""
    for at in range(20):
        said(engine, "Ann", f"on day {at} there was no class, and it rained")


def test_a_memory_of_caroline_answers_before_one_of_melanie(engine: Engine) -> None:
    talk(engine)
    melanie = said(engine, "Melanie", "I went to the pottery class with my kids")
    caroline = said(engine, "Caroline", "I went to the pottery class with all of my kids again")
    asked = "who went to the pottery class with kids"
    assert [hit.id for hit in engine.search(asked, limit=2)] == [melanie, caroline]
    assert [hit.id for hit in engine.search(f"{asked}, Caroline?", limit=2)] == [caroline, melanie]
    assert [hit.id for hit in engine.search(f"{asked}, Melanie?", limit=2)] == [melanie, caroline]


def test_an_alias_means_whoever_has_it(engine: Engine) -> None:
    talk(engine)
    said(engine, "Melanie", "the pottery class was fun")
    caroline = said(engine, "Caroline", "the pottery class was fun, they say")
    engine.save(Record(kind="entity", title="Caroline", aliases=("Caro",)))
    hits = engine.search("did Caro find the pottery class fun").hits
    assert [hit.signals["name"] for hit in hits if hit.id == caroline] == [1]
    assert [hit.signals["name"] for hit in hits if hit.kind == "entity"] == [1]
    memories = [hit.id for hit in hits if hit.kind == "memory"]
    assert memories[0] == caroline


def test_a_question_that_names_nobody_is_ranked_as_if_there_were_no_names(engine: Engine) -> None:
    said(engine, "Melanie", "I went to the pottery class")
    said(engine, "Caroline", "a pottery class, and the kids liked it")
    plain = engine.search(
        "the pottery class", override={"rank.weights.name": 0, "rank.weights.time": 0}
    )
    hits = engine.search("the pottery class")
    assert [(hit.id, hit.score, hit.signals) for hit in hits] == [
        (hit.id, hit.score, hit.signals) for hit in plain
    ]
    assert all("name" not in hit.signals and "time" not in hit.signals for hit in hits)
