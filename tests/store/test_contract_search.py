"""What full text, substrings and recency promise: what is found, in what order, how scored."""

import math
from datetime import timedelta
from typing import Any

import pytest

from pinyon.model.query import (
    AllOf,
    AnyOf,
    Expression,
    Lexical,
    Match,
    Near,
    Phrase,
    RankedList,
    Recent,
    Request,
    Without,
)
from pinyon.store.contract import Store
from tests.store.world import (
    EVERYWHERE,
    NOW,
    ask,
    commit,
    found,
    matches,
    phrase,
    record,
    save,
    substring,
)

BODY = {"body": 1.0}


def idf(documents: int, df: int) -> float:
    return math.log((documents - df + 0.5) / (df + 0.5) + 1)


def saturated(tf: float, length: float, k1: float = 1.2, b: float = 0.75) -> float:
    """`length` in units of the mean length."""
    return tf * (k1 + 1) / (tf + k1 * (1 - b + b * length))


def lexical(expression: Expression) -> Lexical:
    return Lexical(expression, EVERYWHERE)


def scored(store: Store, request: Request) -> list[tuple[str, float, float]]:
    return [(match.id, match.score, match.share) for match in matches(store, request)]


def approx(*expected: tuple[str, float, float]) -> list[tuple[str, float, float]]:
    # Any: an approximate number stands where a number is expected.
    near: Any = pytest.approx
    return [(id, near(score), near(share)) for id, score, share in expected]


@pytest.mark.proves("S3")
def test_scores_are_bm25_as_written_in_the_contract(store: Store) -> None:
    save(
        store,
        record("a", body="red red fox"),  # 3 words of 2 on average
        record("b", body="red"),
        record("c", body="blue sky"),
    )
    red, fox = idf(3, 2), idf(3, 1)
    assert scored(store, ask("red fox", fields=BODY)) == approx(
        ("a", red * saturated(2, 3 / 2) + fox * saturated(1, 3 / 2), 1.0),
        ("b", red * saturated(1, 1 / 2), red / (red + fox)),
    )


@pytest.mark.proves("S3")
def test_k1_and_b_are_those_of_the_request(store: Store) -> None:
    save(store, record("a", body="red red red fox"), record("b", body="red sky"))
    asked = Lexical(phrase("red"), BODY, k1=2.0, b=0.25)
    assert scored(store, asked) == approx(
        ("a", idf(2, 2) * saturated(3, 4 / 3, k1=2.0, b=0.25), 1.0),
        ("b", idf(2, 2) * saturated(1, 2 / 3, k1=2.0, b=0.25), 1.0),
    )


@pytest.mark.proves("S3")
def test_with_half_a_length_counts_more_where_texts_are_longer(store: Store) -> None:
    save(store, record("a", body="red red red fox"), record("b", body="red sky"))
    asked = Lexical(phrase("red"), BODY, b=0.25, half=3.0)  # which is the mean length
    assert scored(store, asked) == approx(
        ("a", idf(2, 2) * saturated(3, 4 / 3, b=0.5), 1.0),
        ("b", idf(2, 2) * saturated(1, 2 / 3, b=0.5), 1.0),
    )
    few, many = (scored(store, asked._replace(half=half)) for half in (30.0, 0.3))
    assert few[0][1] - few[1][1] > many[0][1] - many[1][1]


@pytest.mark.proves("S3")
def test_a_word_counts_in_every_field_but_its_frequency_is_that_of_the_record(store: Store) -> None:
    save(
        store,
        record("a", title="red fox", body="red"),
        record("b", context="red"),  # not searched, yet red stands in two records
        record("c", body="sky"),
    )
    fields = {"title": 4.0, "body": 0.5}
    expected = idf(3, 2) * saturated(4.0 + 0.5, 3 / (4 / 3))
    assert scored(store, ask("red", fields=fields)) == approx(("a", expected, 1.0))


@pytest.mark.proves("S3")
def test_forgotten_records_do_not_count_in_the_scores_of_others(store: Store) -> None:
    save(store, record("a", body="red fox"), record("b", body="sky"))
    before = matches(store, ask("red", fields=BODY))
    save(store, record("c", body="red red red red"))
    commit(store, forget=["c"])
    assert matches(store, ask("red", fields=BODY)) == before


@pytest.mark.proves("V5")
def test_fields_weigh_as_much_as_the_request_says(store: Store) -> None:
    save(
        store,
        record("amber", body="sky"),
        record("first", title="amber"),
        record("second", body="amber"),
        record("third", tags=("amber",)),
        record("fourth", context="amber"),
    )
    weights = {"title": 10.0, "id": 5.0, "body": 3.0, "tags": 2.0, "context": 1.0}
    assert scored(store, ask("amber", fields=weights)) == approx(
        ("first", idf(5, 5) * saturated(10, 1), 1.0),
        ("amber", idf(5, 5) * saturated(5, 1), 1.0),
        ("second", idf(5, 5) * saturated(3, 1), 1.0),
        ("third", idf(5, 5) * saturated(2, 1), 1.0),
        ("fourth", idf(5, 5) * saturated(1, 1), 1.0),
    )


@pytest.mark.proves("P3", part="weights")
@pytest.mark.parametrize(
    ("weights", "order"),
    [
        ({"title": 10.0, "tags": 5.0, "body": 1.0}, ["in title", "in tags", "in body"]),
        ({"title": 1.0, "tags": 5.0, "body": 10.0}, ["in body", "in tags", "in title"]),
    ],
)
def test_other_weights_make_another_order(
    store: Store, weights: dict[str, float], order: list[str]
) -> None:
    save(
        store,
        record("in title", title="amber"),
        record("in tags", tags=("amber",)),
        record("in body", body="amber"),
    )
    assert found(store, ask("amber", fields=weights)) == order


@pytest.mark.proves("P3", part="weights")
def test_scores_are_positive_even_for_a_word_that_stands_everywhere(store: Store) -> None:
    save(store, *(record(f"r{number}", body="amber") for number in range(5)))
    assert all(match.score > 0 for match in matches(store, ask("amber")))
    assert len(found(store, "amber")) == 5


@pytest.mark.proves("S21")
def test_the_lexical_channel_answers_alone_with_its_scores(store: Store) -> None:
    save(store, record("a", body="red fox"), record("b", body="sky high"))
    with store.snapshot() as view:
        answer = view.retrieve([ask("fox", fields=BODY)])
    near: Any = pytest.approx(idf(2, 1) * saturated(1, 1))
    assert answer == [RankedList("lexical", (Match("a", near, 1.0),))]


def test_equal_scores_are_ordered_by_id(store: Store) -> None:
    save(store, *(record(id, body="amber") for id in ("c", "a", "B", "b")))
    assert found(store, ask("amber", fields=BODY)) == ["B", "a", "b", "c"]


def test_a_limit_keeps_the_best(store: Store) -> None:
    save(store, record("a", body="amber sky sea"), record("b", body="amber"), record("c", body="x"))
    assert found(store, ask("amber", fields=BODY, limit=1)) == ["b"]


def test_only_the_searched_fields_are_searched(store: Store) -> None:
    save(store, record("a", title="amber"), record("b", body="amber"))
    assert found(store, ask("amber", fields={"title": 1.0})) == ["a"]


SENTENCES = {
    "one": "the quick brown fox jumps over the lazy dog",
    "two": "a brown and quick hen",
    "three": "lazy foxes sleep",
}


@pytest.mark.parametrize(
    ("expression", "ids"),
    [
        (phrase("quick brown"), {"one"}),
        (phrase("brown quick"), set()),
        (phrase("quick bro", prefix=True), {"one"}),
        (phrase("qui", prefix=True), {"one", "two"}),
        (phrase("qui"), set()),
        (AnyOf((phrase("jumps"), phrase("hen"))), {"one", "two"}),
        (AllOf((phrase("lazy"), phrase("fox"))), {"one", "three"}),
        (AllOf((phrase("lazy"), phrase("hen"))), set()),
        (Without(phrase("lazy"), phrase("dog")), {"three"}),
        (Without(phrase("brown"), AnyOf((phrase("dog"), phrase("hen")))), set()),
        (AllOf((phrase("fox"), AnyOf((phrase("sleep"), phrase("quick brown"))))), {"one", "three"}),
    ],
)
def test_expressions_mean_what_they_say(
    store: Store, expression: Expression, ids: set[str]
) -> None:
    save(store, *(record(id, body=text) for id, text in SENTENCES.items()))
    assert set(found(store, lexical(expression))) == ids


@pytest.mark.parametrize(
    ("phrases", "distance", "near"),
    [
        (["one", "four"], 2, True),
        (["one", "four"], 1, False),
        (["four", "one"], 2, True),
        (["one two", "four"], 1, True),
        (["one two", "four"], 0, False),
        (["two three", "four"], 0, True),
        (["one", "three", "six"], 4, True),
        (["one", "three", "six"], 3, False),
        (["six", "two"], 3, True),
        (["one", "seven"], 100, False),
    ],
)
def test_near_counts_the_words_from_the_end_of_the_first_to_the_beginning_of_the_last(
    store: Store, phrases: list[str], distance: int, near: bool
) -> None:
    save(store, record("a", body="one two three four five six"))
    asked = Near(tuple(map(phrase, phrases)), distance)
    assert found(store, lexical(asked)) == (["a"] if near else [])


def test_phrases_and_near_never_cross_fields(store: Store) -> None:
    save(store, record("a", title="quick", body="brown fox"))
    assert found(store, lexical(phrase("quick brown"))) == []
    assert found(store, lexical(Near((phrase("quick"), phrase("brown"))))) == []


def test_a_phrase_may_name_the_field_it_must_stand_in(store: Store) -> None:
    save(store, record("a", title="amber", body="sky"), record("b", body="amber sky"))
    assert found(store, lexical(phrase("amber", field="body"))) == ["b"]


def test_a_phrase_for_a_field_that_is_not_searched_matches_nothing(store: Store) -> None:
    save(store, record("a", title="amber", body="amber"))
    assert found(store, Lexical(phrase("amber", field="title"), BODY)) == []


def test_a_phrase_for_one_field_counts_in_that_field_only(store: Store) -> None:
    save(store, record("a", title="amber", body="amber"))
    asked = Lexical(phrase("amber", field="body"), {"title": 10.0, "body": 3.0})
    assert scored(store, asked) == approx(("a", idf(1, 1) * saturated(3, 1), 1.0))


def test_a_phrase_scores_as_its_stems(store: Store) -> None:
    save(store, record("a", body="quick brown quick"), record("b", body="brown sky sea"))
    expected = idf(2, 1) * saturated(2, 1) + idf(2, 2) * saturated(1, 1)
    asked = Lexical(phrase("quick brown"), BODY)
    assert scored(store, asked) == approx(("a", expected, 1.0))


def test_a_prefix_scores_as_one_word_with_the_records_of_all_it_begins(store: Store) -> None:
    save(store, record("a", body="amber amble"), record("b", body="ambush sky"), record("c"))
    asked = Lexical(phrase("amb", prefix=True), BODY)
    assert scored(store, asked) == approx(
        ("a", idf(3, 2) * saturated(2, 2 / (4 / 3)), 1.0),
        ("b", idf(3, 2) * saturated(1, 2 / (4 / 3)), 1.0),
    )


def test_only_the_last_word_of_a_phrase_with_a_prefix_is_a_beginning(store: Store) -> None:
    save(
        store,
        record("a", body="user id"),
        record("b", body="user"),
        record("c", body="ice"),
        record("d", body="username"),
    )
    user, i = idf(4, 2), idf(4, 2)  # user in a and b, i... in a and c
    expected = (user + i) * saturated(1, 2 / (5 / 4))
    asked = Lexical(phrase("user_i", prefix=True), BODY)
    assert scored(store, asked) == approx(("a", expected, 1.0))


def test_a_word_asked_twice_counts_once(store: Store) -> None:
    save(store, record("a", body="amber sky"), record("b", body="sky"))
    assert matches(store, ask("amber amber sky")) == matches(store, ask("amber sky"))


def test_what_must_not_stand_there_adds_nothing_to_score_or_share(store: Store) -> None:
    save(store, record("a", body="amber sky"), record("b", body="amber fox"))
    asked = Lexical(Without(phrase("amber"), phrase("fox sky")), BODY)
    expected = idf(2, 2) * saturated(1, 1)
    assert scored(store, asked) == approx(("a", expected, 1.0), ("b", expected, 1.0))


def test_a_record_that_matches_without_a_score_is_still_found(store: Store) -> None:
    save(store, record("a", body="amber"))
    assert matches(store, ask("amber", fields={"body": 0.0})) == (Match("a", 0.0, 0.0),)


@pytest.mark.parametrize("nothing", [AnyOf(()), AllOf(()), Phrase("", ()), Near(())])
def test_asking_for_nothing_finds_nothing(store: Store, nothing: Expression) -> None:
    save(store, record("a", body="amber"))
    assert found(store, lexical(nothing)) == []


def test_a_substring_is_found_in_the_raw_text_of_each_field(store: Store) -> None:
    save(
        store,
        record("xx-needle-xx"),
        record("title", title="xxNeedlexx"),
        record("aliases", aliases=("one", "xxneedlexx")),
        record("body", body="xx NEEDLE xx"),
        record("context", context="...needle..."),
        record("tags", tags=("needles",)),
        record("source", source="a/needle.md"),
        record("none", body="need le", author="needle"),
    )
    weights = dict(zip(EVERYWHERE, (7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0), strict=True))
    assert matches(store, substring("eedl", fields=weights)) == (
        Match("xx-needle-xx", 7.0, 1.0),
        Match("title", 6.0, 1.0),
        Match("aliases", 5.0, 1.0),
        Match("body", 4.0, 1.0),
        Match("context", 3.0, 1.0),
        Match("tags", 2.0, 1.0),
        Match("source", 1.0, 1.0),
    )


def test_every_substring_must_stand_somewhere_and_each_field_weighs_once(store: Store) -> None:
    save(
        store,
        record("a", title="dark amber", body="amber sky"),
        record("b", title="dark", body="clouds"),
    )
    asked = substring("mbe", "dar", fields={"title": 10.0, "body": 3.0})
    assert matches(store, asked) == (Match("a", 13.0, 1.0),)


@pytest.mark.parametrize("sign", ["%", "_", "*", '"', "'", "\\", "[", "++"])
def test_signs_in_a_substring_stand_for_themselves(store: Store, sign: str) -> None:
    save(store, record("with", body=f"x{sign}y"), record("without", body="xzy xzzy"))
    assert found(store, substring(f"x{sign}y")) == ["with"]


def test_substrings_ignore_case_in_every_script(store: Store) -> None:
    save(store, record("a", body="STRASSE Ärger ΣΊΣΥΦΟΣ"))
    assert found(store, substring("straße", "äRG", "σίσυφος")) == ["a"]


def test_the_channels_of_substrings_and_recency_say_their_names(store: Store) -> None:
    save(store, record("a", body="amber"))
    with store.snapshot() as view:
        answer = view.retrieve([substring("amb", fields=BODY), Recent()])
    assert answer == [
        RankedList("substring", (Match("a", 1.0, 1.0),)),
        RankedList("recent", (Match("a", NOW.timestamp(), 0.0),)),
    ]


def test_what_was_changed_last_comes_first(store: Store) -> None:
    hours = {"old": 1, "new": 3, "b": 2, "a": 2}
    save(
        store,
        *(record(id, updated_at=NOW + timedelta(hours=hour)) for id, hour in hours.items()),
    )
    assert found(store, Recent()) == ["new", "a", "b", "old"]
    assert found(store, Recent(limit=2)) == ["new", "a"]
