"""What search by meaning promises: the exact cosine, the best passage, one model, no cap."""

from collections.abc import Iterator
from typing import Any

import pytest

from pinyon.model.errors import InvalidInput
from pinyon.model.query import AllOf, Filters, Lexical, Match
from pinyon.store.contract import Store
from pinyon.store.questions import VectorsOf
from tests.store.world import (
    BETWEEN,
    EAST,
    EVERYWHERE,
    FIRST,
    NORTH,
    NOW,
    SECOND,
    UP,
    ask,
    commit,
    embed,
    embedded,
    found,
    lease,
    matches,
    near,
    paragraph,
    phrase,
    record,
    save,
    surveyed,
    unit,
)

ANIMALS = {"fox": EAST, "hen": NORTH, "owl": UP, "cow": BETWEEN}


@pytest.fixture(autouse=True)
def sound(store: Store) -> Iterator[None]:
    """Whatever a test did, the store finds nothing wrong with itself."""
    yield
    assert store.examine() == []


def save_animals(store: Store, *ids: str) -> None:
    """One passage each, embedded by the first model."""
    save(store, *(record(id, body=id) for id in ids or ANIMALS), use=FIRST)
    embed(store, ANIMALS)


@pytest.mark.proves("V14")
def test_the_score_is_the_cosine_and_the_best_come_first(store: Store) -> None:
    save_animals(store)
    asked = unit(3, 4, 0, 0)
    with store.snapshot() as view:
        [ranked] = view.retrieve([near(asked)])
    assert ranked.channel == "vector"
    assert [match.id for match in ranked.matches] == ["hen", "cow", "fox", "owl"]
    expected = [4 / 5, (3 + 4) / 5 / 2, 3 / 5, 0]
    assert [match.score for match in ranked.matches] == pytest.approx(expected, abs=1e-6)
    assert [match.share for match in ranked.matches] == pytest.approx(expected, abs=1e-6)


@pytest.mark.proves("V14")
def test_meaning_finds_what_shares_no_word_with_the_question(store: Store) -> None:
    save_animals(store)
    assert found(store, "reynard") == []
    assert found(store, near(EAST, limit=1)) == ["fox"]


def test_what_points_away_has_a_negative_score_and_no_share(store: Store) -> None:
    save_animals(store, "fox", "hen")
    assert matches(store, near(unit(-1, 0, 0, 0))) == (
        Match("hen", 0.0, 0.0, (0, 3)),
        Match("fox", -1.0, 0.0, (0, 3)),
    )


def test_a_share_is_never_more_than_one(store: Store) -> None:
    long = unit(1, 2, 2, 4)  # its float32 numbers make it longer than 1 by a hair
    save(store, record("fox", body="fox"), use=FIRST)
    embed(store, {"fox": long})
    [match] = matches(store, near(long))
    assert match.score == pytest.approx(1, abs=1e-6)
    assert match.share <= 1


def test_ties_are_broken_by_id_also_at_the_limit(store: Store) -> None:
    ids = ["d", "b", "ä", "a", "Z", "c", "東"]
    save(store, *(record(id, body="fox") for id in ids), use=FIRST)
    embed(store, ANIMALS)
    assert found(store, near(EAST)) == sorted(ids)
    assert found(store, near(EAST, limit=3)) == sorted(ids)[:3]


def test_a_limit_of_nothing_finds_nothing(store: Store) -> None:
    save_animals(store)
    assert found(store, near(EAST, limit=0)) == []


def test_filters_apply_before_the_limit(store: Store) -> None:
    near_ones = [record(f"near{n}", body="fox", kind="note") for n in range(40)]
    far = [
        record("far", body="hen", kind="task", tags=("wild", "red"), scope="farm/yard"),
        record("farther", body="hen", kind="task", tags=("wild",), scope="farmer"),
    ]
    save(store, *near_ones, *far, use=FIRST)
    embed(store, {"fox": EAST, "hen": BETWEEN})
    for filters in (
        Filters(kinds=("task",)),
        Filters(tags=("wild", "red")),
        Filters(scopes=("farm",)),
        Filters(kinds=("task",), since=NOW),
    ):
        assert found(store, near(EAST, filters=filters, limit=1)) == ["far"]
    assert found(store, near(EAST, filters=Filters(until=NOW))) == []
    assert found(store, near(EAST, filters=Filters(kinds=("code",)))) == []


@pytest.mark.proves("P6")
def test_nothing_below_the_least_is_found(store: Store) -> None:
    save_animals(store)
    assert found(store, near(EAST, least=0.3)) == ["fox", "cow"]
    assert found(store, near(EAST, least=0.5)) == ["fox", "cow"]
    assert found(store, near(EAST, least=0.51)) == ["fox"]
    assert found(store, near(NORTH, least=0.51, filters=Filters(kinds=("task",)))) == []


@pytest.mark.proves("P6")
def test_no_number_of_vectors_is_too_many(store: Store) -> None:
    count = 10_500
    seldom = {7, 5_000, count - 1}
    save(
        store,
        *(
            record(f"{n:05}", title=str(n), kind="task" if n in seldom else "note")
            for n in range(count)
        ),
        use=FIRST,
    )
    tasks = lease(store, limit=count)
    assert len(tasks) == count
    # The later a record was made, the nearer it is to the east.
    vectors = [embedded(task, unit(1, count - int(task.text), 0, 0)) for task in tasks]
    commit(store, vectors={FIRST.name: vectors})
    best = [f"{n:05}" for n in range(count - 1, count - 11, -1)]
    assert found(store, near(EAST, limit=10)) == best
    tasks_only = Filters(kinds=("task",))
    assert found(store, near(EAST, filters=tasks_only, limit=2)) == [f"{count - 1:05}", "05000"]
    assert len(found(store, near(EAST, limit=count + 1))) == count


def test_the_best_passage_of_a_record_counts_and_gives_the_span(store: Store) -> None:
    body = paragraph("fox") + paragraph("hen") + paragraph("owl")
    save(store, record("zoo", body=body), record("cow", body="cow"), use=FIRST)
    embed(store, ANIMALS)
    asked = {"fox": EAST, "hen": NORTH, "owl": UP}
    for word, vector in asked.items():
        best, second = matches(store, near(vector))
        start = body.index(word)
        assert best == Match("zoo", 1.0, 1.0, (start, start + len(paragraph(word))))
        assert second == Match("cow", 0.5, 0.5, (0, 3))


def test_each_doubling_of_the_passages_takes_off_what_is_asked_for(store: Store) -> None:
    body = paragraph("fox") + paragraph("hen") + paragraph("owl") + paragraph("cow")
    save(
        store,
        record("zoo", kind="doc", body=body),
        record("cow", kind="doc", body="cow"),
        use=FIRST,
    )
    embed(store, ANIMALS)
    span = (0, len(paragraph("fox")))

    def asked(**parts: Any) -> tuple[Match, ...]:
        return matches(store, near(EAST, **parts))

    # Four passages are two doublings; the cosine itself stays the share.
    zoo, cow = Match("zoo", 1.0, 1.0, span), Match("cow", 0.5, 0.5, (0, 3))
    assert asked() == asked(long={"code": 0.3}) == (zoo, cow)
    assert asked(long={"doc": 0.125}) == (zoo._replace(score=0.75), cow)
    lowered = (cow, zoo._replace(score=0.25))
    assert asked(long={"doc": 0.375}) == asked(long={"doc": 0.375}, among=("zoo", "cow")) == lowered
    assert asked(long={"doc": 0.375}, limit=1) == (cow,)
    assert asked(long={"doc": 0.375}, least=0.9) == (zoo._replace(score=0.25),)


def test_a_passage_that_is_not_from_the_body_has_no_span(store: Store) -> None:
    context = "hen ".ljust(300, "-")
    save(store, record("fox", title="fox"), record("both", body="cow", context=context), use=FIRST)
    embed(store, {"hen": NORTH, "fox": EAST, "cow": UP})
    assert matches(store, near(EAST, limit=1)) == (Match("fox", 1.0, 1.0, None),)
    assert matches(store, near(NORTH, limit=1)) == (Match("both", 1.0, 1.0, None),)
    assert matches(store, near(UP, limit=1)) == (Match("both", 1.0, 1.0, (0, 3)),)


def test_a_record_is_found_by_the_passages_that_are_embedded_so_far(store: Store) -> None:
    save(store, record("zoo", body=paragraph("fox") + paragraph("hen")), use=FIRST)
    embed(store, {"hen": NORTH})
    assert matches(store, near(NORTH)) == (Match("zoo", 1.0, 1.0, (800, 1600)),)
    assert matches(store, near(EAST)) == (Match("zoo", 0.0, 0.0, (800, 1600)),)


def test_a_record_that_waits_is_not_found_by_meaning_but_by_word(store: Store) -> None:
    save_animals(store, "hen")
    save(store, record("fox", body="fox"))
    assert found(store, near(EAST)) == ["hen"]
    assert found(store, "fox") == ["fox"]


@pytest.mark.proves("V14")
def test_models_live_side_by_side_and_are_never_mixed(store: Store) -> None:
    save_animals(store, "fox", "hen")
    commit(store, use=SECOND)
    embed(store, {"fox": UP}, SECOND)
    assert found(store, near(UP, SECOND)) == ["fox"]
    assert matches(store, near(UP, SECOND))[0].score == 1
    assert [match.score for match in matches(store, near(UP))] == [0, 0]
    assert found(store, near(EAST)) == ["fox", "hen"]
    assert surveyed(store, VectorsOf(("fox", "hen"), SECOND.name)) == {"fox": [UP]}
    assert surveyed(store, VectorsOf(("fox", "hen"), FIRST.name)) == {"fox": [EAST], "hen": [NORTH]}


def test_an_unknown_model_finds_nothing(store: Store) -> None:
    save_animals(store)
    assert found(store, near(EAST, SECOND)) == []
    assert surveyed(store, VectorsOf(("fox",), SECOND.name)) == {}


@pytest.mark.parametrize("vector", [b"", EAST[:-1], EAST[:-4], EAST + EAST], ids=len)
def test_a_question_of_another_size_is_refused(store: Store, vector: bytes) -> None:
    save_animals(store)
    with pytest.raises(InvalidInput), store.snapshot() as view:
        view.retrieve([near(vector)])


def test_vectors_come_in_the_order_of_the_passages(store: Store) -> None:
    body = paragraph("fox") + paragraph("hen") + paragraph("owl")
    save(store, record("zoo", body=body), record("cow", body="cow"), use=FIRST)
    embed(store, {"owl": UP})
    embed(store, {"fox": EAST})
    assert surveyed(store, VectorsOf(("cow", "zoo"), FIRST.name)) == {"zoo": [EAST, UP]}
    embed(store, ANIMALS)
    asked = VectorsOf(("cow", "zoo", "yeti"), FIRST.name)
    assert surveyed(store, asked) == {"zoo": [EAST, NORTH, UP], "cow": [BETWEEN]}


def test_a_view_does_not_see_vectors_that_are_committed_after_it_was_opened(store: Store) -> None:
    save_animals(store, "fox")
    save(store, record("hen", body="hen"))
    with store.snapshot() as view:
        embed(store, ANIMALS)
        commit(store, forget=["fox"])
        [ranked] = view.retrieve([near(EAST)])
        assert [match.id for match in ranked.matches] == ["fox"]
        assert view.survey(VectorsOf(("fox", "hen"), FIRST.name)) == {"fox": [EAST]}
    assert found(store, near(EAST)) == ["hen"]


@pytest.mark.parametrize("way", ["forget", "purge"])
def test_a_record_that_is_gone_is_not_found_by_meaning(store: Store, way: str) -> None:
    save_animals(store)
    commit(store, **{way: ["fox"]})
    assert found(store, near(EAST)) == ["cow", "hen", "owl"]
    assert found(store, near(EAST, among=("fox",))) == []
    assert surveyed(store, VectorsOf(("fox",), FIRST.name)) == {}


@pytest.mark.proves("V14")
def test_meaning_judges_the_named_records_and_no_others_without_a_limit(store: Store) -> None:
    save_animals(store)
    save(store, record("yak", body="yak"), record("bee", body="fox", kind="task"))
    embed(store, {"fox": EAST})
    named = near(EAST, among=("owl", "bee", "cow", "yak", "yeti", "owl", "hen"), limit=1)
    assert matches(store, named) == (
        Match("bee", 1.0, 1.0, (0, 3)),
        Match("cow", 0.5, 0.5, (0, 3)),
        Match("hen", 0.0, 0.0, (0, 3)),
        Match("owl", 0.0, 0.0, (0, 3)),
    )
    tasks = Filters(kinds=("task",))
    assert found(store, near(EAST, among=("owl", "bee"), filters=tasks)) == ["bee"]
    assert found(store, near(EAST, among=("cow", "owl"), least=0.5)) == ["cow"]
    assert found(store, near(EAST, among=())) == []


def test_full_text_judges_the_named_records_whether_they_match_or_not(store: Store) -> None:
    save(
        store,
        record("a", body="amber fox"),
        record("b", body="hen"),
        record("c", body="amber amber"),
        record("d", body="amber", kind="task"),
        record("e", body="amber"),
        record("gone", body="amber"),
    )
    commit(store, forget=["gone"])
    plain = {match.id: match for match in matches(store, ask("amber fox"))}
    named = ask("amber fox", limit=1)._replace(among=("d", "b", "a", "gone", "yeti", "c", "a"))
    expected = sorted([plain["a"], plain["c"], plain["d"]], key=lambda match: -match.score)
    assert matches(store, named) == (*expected, Match("b", 0.0, 0.0))
    tasks = Filters(kinds=("task",))
    assert found(store, named._replace(filters=tasks)) == ["d"]
    assert found(store, named._replace(among=())) == []


def test_a_named_record_is_scored_by_the_words_that_it_holds_of_those_asked_for(
    store: Store,
) -> None:
    save(store, record("a", body="amber"), record("b", body="fox"), record("c", body="amber fox"))
    every = Lexical(AllOf((phrase("amber"), phrase("fox"))), EVERYWHERE)
    assert found(store, every) == ["c"]
    judged = matches(store, every._replace(among=("a", "b", "c")))
    assert judged == matches(store, ask("amber fox"))
    only_titles = every._replace(fields={"title": 1.0}, among=("c",))
    assert matches(store, only_titles) == (Match("c", 0.0, 0.0),)
