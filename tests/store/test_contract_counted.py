"""Scores across stores: what BM25 knows of one can be asked for, summed, and given to another."""

import math

import pytest

from pinyon.model.query import FIELDS, AnyOf, Counted, Lexical
from pinyon.store.contract import Store
from pinyon.store.memory import MemoryStore
from pinyon.store.questions import CountedFor, Named
from tests.store.world import EVERYWHERE, ask, commit, matches, phrase, record, save, surveyed

RED_FO = AnyOf((phrase("red"), phrase("fo", prefix=True), phrase("yeti")))


@pytest.mark.proves("V6")
def test_what_bm25_knows_is_counted_over_all_records(store: Store) -> None:
    save(store, record("1", body="red fox"), record("2", title="fog"), record("3", body="red"))
    save(store, record("4", body="red foam"))
    commit(store, forget=["4"])
    tokens = {**dict.fromkeys(FIELDS, 0), "id": 3, "title": 1, "body": 3}
    df = {("red", False): 2, ("fo", True): 2, ("yeti", False): 0}
    assert surveyed(store, CountedFor(RED_FO)) == Counted(3, tokens, df)


@pytest.mark.proves("V6")
def test_given_numbers_score_as_if_the_other_records_were_here_too(store: Store) -> None:
    mine, others = [record("a", body="red fox"), record("b", body="red")], record("c", body="hen")
    both = MemoryStore()
    save(store, *mine)
    save(both, *mine, others)
    asked = Lexical(RED_FO, EVERYWHERE)
    counted = surveyed(both, CountedFor(RED_FO))
    together = {match.id: match for match in matches(both, asked)}
    alone = matches(store, asked._replace(counted=counted))
    assert [match.id for match in alone] == ["a", "b"]
    assert [match.score for match in alone] == pytest.approx(
        [together[match.id].score for match in alone]
    )
    assert alone[0].score != pytest.approx(matches(store, asked)[0].score)


@pytest.mark.proves("V6")
def test_given_numbers_hold_for_named_records_too(store: Store) -> None:
    save(store, record("a", body="red"), record("b", body="hen"))
    counted = Counted(100, dict.fromkeys(FIELDS, 100), {("red", False): 9})
    fields = {"body": 1.0}
    [found, rest] = matches(
        store, Lexical(phrase("red"), fields, among=("a", "b"), counted=counted)
    )
    length = 1 - 0.75 + 0.75 * 1 / (100 / 100)
    expected = math.log((100 - 9 + 0.5) / (9 + 0.5) + 1) * 2.2 / (1 + 1.2 * length)
    assert [found.id, rest.id] == ["a", "b"]
    assert [found.score, rest.score] == pytest.approx([expected, 0.0])


@pytest.mark.proves("X1")
def test_a_match_says_what_the_title_holds_and_which_words_stand_side_by_side(store: Store) -> None:
    save(
        store,
        record("both", title="Red", aliases=("foxes",), body="red fox"),
        record("body", body="fox red, a red hen and a fox"),
    )
    found = {match.id: match for match in matches(store, ask("red fox"))}
    both, body = found["both"], found["body"]
    assert [both.title, both.phrase] == pytest.approx([1.0, 1.0])
    assert [body.title, body.phrase] == [0.0, 0.0]


@pytest.mark.proves("V11")
@pytest.mark.parametrize(
    ("field", "stems", "expected"),
    [
        ("tags", {"red", "run", "fox"}, ["Running", "red", "red-fox"]),
        ("tags", {"red"}, ["red"]),
        ("tags", {"sharp", "c", "csharp"}, ["C#"]),
        ("tags", set(), []),
        ("domain", {"farm", "yard"}, ["farm", "farm/yard"]),
        ("author", {"ann"}, ["Ann"]),
    ],
)
def test_the_values_that_a_question_names_are_those_all_of_whose_stems_it_has(
    store: Store, field: str, stems: set[str], expected: list[str]
) -> None:
    save(
        store,
        record("a", tags=("red", "red-fox", "Running"), domain="farm", author="Ann"),
        record("b", tags=("red", "C#", "…"), domain="farm/yard", author="Bob"),
        record("c", tags=("fox",), domain="yard", author="ann"),
    )
    commit(store, forget=["c"])
    assert surveyed(store, Named(field, frozenset(stems))) == expected


@pytest.mark.proves("V11")
def test_the_named_values_follow_every_change(store: Store) -> None:
    save(store, record("a", tags=("red",), domain="farm"))
    asked = Named("tags", frozenset({"red", "blue"}))
    assert surveyed(store, asked) == ["red"]
    commit(store, rename_tags={"red": "blue"})
    assert surveyed(store, asked) == ["blue"]
    commit(store, forget=["a"])
    assert surveyed(store, asked) == []
