"""Alike: the share of words that two texts have in common, and what they disagree in."""

import pytest

from pinyon.model.record import Record
from pinyon.text.alike import disagreement, likeness, telling, told_by

SAME = [
    (
        "Staging database gets reset each night at 2 am",
        "The staging database is reset each night, at 2 am.",
    ),
    ("Anna prefers green tea without sugar.", "Anna prefers green tea, without any sugar"),
    (
        "Verify the HMAC signature of payment webhooks before parsing the body.",
        "Payment webhooks: before parsing the body, verify the signature (HMAC).",
    ),
    ("東京の天気は晴れです", "東京の天気は、晴れです。"),
]
SIMILAR = [
    ("The staging database is reset each night.", "The production database is saved each night."),
    ("Anna prefers green tea without sugar.", "Anna prefers black coffee without sugar."),
    ("Login tokens are signed with HMAC", "Payment webhooks are signed with HMAC"),
]


def alike(one: str, other: str) -> float:
    return likeness(told_by(Record(body=one)), told_by(Record(body=other)))


@pytest.mark.proves("X14")
@pytest.mark.parametrize(("one", "other"), SAME)
def test_who_rephrases_says_the_same(one: str, other: str) -> None:
    assert alike(one, other) >= 0.8


@pytest.mark.proves("X14")
@pytest.mark.parametrize(("one", "other"), SIMILAR)
def test_what_is_merely_similar_does_not(one: str, other: str) -> None:
    assert alike(one, other) <= 0.6


def test_likeness_is_the_share_of_stems_that_both_have() -> None:
    assert likeness({"a", "b", "c"}, {"b", "c", "d"}) == 2 / 4
    assert likeness({"a"}, {"a"}) == 1.0
    assert likeness(set(), set()) == 0.0


def test_words_that_carry_nothing_count_only_where_there_are_no_others() -> None:
    assert telling(["the", "fox", "is"]) == {"fox"}
    assert telling(["to", "be"]) == {"to", "be"}


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("The API listens on port 80", "The API listens on port 8080", "80 against 8080"),
        ("The release is on Friday", "The release is on Monday", "Friday against Monday"),
        ("Released on 2024-05-01", "Released on 2024-06-01", "2024-05-01 against 2024-06-01"),
        ("We retry three times", "We retry 5 times", "3 against 5"),
        ("Deploy on Fridays", "Never deploy on Fridays", "one says what the other denies"),
        ("The cache can be shared", "The cache can’t be shared", "one says what the other denies"),
        # nothing is denied: the same number, one that is more exact, other words
        ("We retry three times", "We retry 3 times", ""),
        ("A budget of 1,000 requests", "A budget of 1000 requests", ""),
        ("The release is on Friday", "The release is on Friday at 10", ""),
        ("The API listens on port 80", "Anna has 3 cats", ""),
        ("The cache is shared", "Ben does not like tea", ""),
    ],
)
def test_texts_disagree_in_a_number_a_date_or_a_negation(one: str, other: str, why: str) -> None:
    assert disagreement(Record(body=one), Record(body=other)) == why


def test_titles_with_different_numbers_name_different_things() -> None:
    one = Record(title="Sprint 12", body="We finished 7 stories")
    other = Record(title="Sprint 13", body="We finished 9 stories")
    assert disagreement(one, other) == ""
    assert disagreement(Record(title="Sprint", body=one.body), other) == "7 against 13, 9"
    assert disagreement(Record(title="Port 80"), Record(title="Port 81")) == "80 against 81"
