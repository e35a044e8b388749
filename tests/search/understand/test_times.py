"""Times: what a question says of time, and the many words that only look like it."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.search.understand.periods import FAR_PAST
from pinyon.search.understand.times import period_of

NOW = datetime(2026, 2, 18, 15, 30, tzinfo=UTC)
"""A Wednesday."""

FAR = FAR_PAST.date().isoformat()
TODAY = "2026-02-18T15:30"

SPOKEN_OF = {
    # dates
    "2024-05-01": ("2024-05-01", "2024-05-02"),
    "log of 2024/05/01": ("2024-05-01", "2024-05-02"),
    "2024-05-01T12:00:00Z": ("2024-05-01", "2024-05-02"),
    "1 May 2023": ("2023-05-01", "2023-05-02"),
    "the 1st of May 2023": ("2023-05-01", "2023-05-02"),
    "on May 1st, 2023": ("2023-05-01", "2023-05-02"),
    "Jan. 5, 2023": ("2023-01-05", "2023-01-06"),
    "may 5 2023": ("2023-05-05", "2023-05-06"),
    "13/05/2024": ("2024-05-13", "2024-05-14"),
    "05/13/2024": ("2024-05-13", "2024-05-14"),
    "what happened on March 3?": ("2025-03-03", "2025-03-04"),
    "5 Feb": ("2026-02-05", "2026-02-06"),
    "feb 29": ("2024-02-29", "2024-03-01"),
    # months, quarters, seasons, years
    "5/2023": ("2023-05-01", "2023-06-01"),
    "2023-05": ("2023-05-01", "2023-06-01"),
    "in May 2023": ("2023-05-01", "2023-06-01"),
    "may 2023 invoices": ("2023-05-01", "2023-06-01"),
    "December of 2021": ("2021-12-01", "2022-01-01"),
    "what we did in May": ("2025-05-01", "2025-06-01"),
    "in february": ("2026-02-01", "2026-03-01"),
    "in late Sept.": ("2025-09-01", "2025-10-01"),
    "the end of March": ("2025-03-01", "2025-04-01"),
    "the last week of May": ("2025-05-01", "2025-06-01"),
    "last May": ("2025-05-01", "2025-06-01"),
    "last February": ("2025-02-01", "2025-03-01"),
    "Q3 2025": ("2025-07-01", "2025-10-01"),
    "revenue in q4": ("2025-10-01", "2026-01-01"),
    "the summer of 2022": ("2022-06-01", "2022-09-01"),
    "during the summer": ("2025-06-01", "2025-09-01"),
    "winter 2023": ("2023-12-01", "2024-03-01"),
    "last spring": ("2025-03-01", "2025-06-01"),
    "last winter": ("2024-12-01", "2025-03-01"),
    "this winter": ("2025-12-01", "2026-03-01"),
    "in 2022": ("2022-01-01", "2023-01-01"),
    "the report of 2022": ("2022-01-01", "2023-01-01"),
    "in mid-2022": ("2022-01-01", "2023-01-01"),
    "the year 2021": ("2021-01-01", "2022-01-01"),
    "music of the 1990s": ("1990-01-01", "2000-01-01"),
    # from here
    "today": ("2026-02-18", "2026-02-19"),
    "what did I write this morning": ("2026-02-18", "2026-02-19"),
    "yesterday's meeting": ("2026-02-17", "2026-02-18"),
    "the day before yesterday": ("2026-02-16", "2026-02-17"),
    "what did Anna say last week?": ("2026-02-09", "2026-02-16"),
    "the week before last": ("2026-02-02", "2026-02-09"),
    "last month": ("2026-01-01", "2026-02-01"),
    "last quarter": ("2025-10-01", "2026-01-01"),
    "Last year we moved": ("2025-01-01", "2026-01-01"),
    "last weekend": ("2026-02-14", "2026-02-16"),
    "last night": ("2026-02-17T18:00", "2026-02-18T06:00"),
    "earlier this week": ("2026-02-16", "2026-02-23"),
    "this year": ("2026-01-01", "2027-01-01"),
    "3 days ago": ("2026-02-15", "2026-02-16"),
    "a week ago": ("2026-02-09", "2026-02-16"),
    "a couple of months ago": ("2025-12-01", "2026-01-01"),
    "two years ago": ("2024-01-01", "2025-01-01"),
    "in the past 3 days": ("2026-02-15T15:30", TODAY),
    "over the last two weeks": ("2026-02-04T15:30", TODAY),
    "the last few months": ("2025-11-18T15:30", TODAY),
    "in the last week": ("2026-02-11T15:30", TODAY),
    "the past year": ("2025-02-18T15:30", TODAY),
    "what changed recently": ("2026-01-19T15:30", TODAY),
    "on Monday": ("2026-02-16", "2026-02-17"),
    "on Wednesday": ("2026-02-18", "2026-02-19"),
    "last wednesday": ("2026-02-11", "2026-02-12"),
    "on Sat.": ("2026-02-14", "2026-02-15"),
    "Tuesday of last week": ("2026-02-10", "2026-02-11"),
    # bounds
    "since 2020": ("2020-01-01", TODAY),
    "since the day before yesterday": ("2026-02-16", TODAY),
    "since monday": ("2026-02-16", TODAY),
    "since may": ("2025-05-01", TODAY),
    "before May 2023": (FAR, "2023-05-01"),
    "before 2020": (FAR, "2020-01-01"),
    "after May 5": ("2025-05-06", TODAY),
    "until yesterday": (FAR, "2026-02-18"),
    "up to 2019": (FAR, "2020-01-01"),
    "between 2020 and 2022": ("2020-01-01", "2023-01-01"),
    "between March and May": ("2025-03-01", "2025-06-01"),
    "from May to July 2023": ("2023-05-01", "2023-08-01"),
    "from November to February": ("2025-11-01", "2026-03-01"),
    "from last week to yesterday": ("2026-02-09", "2026-02-18"),
    "from Monday until now": ("2026-02-16", TODAY),
    "in 2020-2022": ("2020-01-01", "2023-01-01"),
    "in May and June": ("2025-05-01", "2025-07-01"),
}

NO_TIMES = [
    *("", "?!", "second", "may", "march", "sun", "dec", "2022", "days", "12:30", "in order"),
    *("since the release of 2.0", "since when", "since v2", "before the release", "after lunch"),
    *("last line of defence", "the last one", "last 5 commits", "last minute", "last resort"),
    *("week of care", "the last year of school", "this week of rest", "day of the week"),
    *("may I use this", "May I ask", "this may be a bug", "the last may be removed", "5 may fail"),
    *("how they march on", "May 2 threads share a lock", "WHAT MAY I DO", "a month of Sundays"),
    *("does this fall back to the default", "beans in the Spring container", "in spring boot"),
    *("spots on the Sun", "he sat on a chair", "last sun", "Mondays are hard", "Monday meeting"),
    *("April and June wrote it", "version 2023.1", "in version 2022", "port 2022", "ISO 2022"),
    *("RFC 1952", "CVE-2023-1234", "10.0.2022.1", "after 2000 requests", "in 2048 bits"),
    *("out of 2022", "between 1950 and 2000 rows", "from 5 to 10", "between 1 and 31", "in 30 ms"),
    *("least recently used cache", "recently used files", "ages ago", "one day", "next week"),
    *("last_week", "lastWeek", "getYesterday", "title:yesterday", '"last week"', "`yesterday`"),
    *("notes/2024-05-01.md", "backup-2024-05-01", "2024-13-45", "05/06/2024", "31/31/2024"),
    *("the last. Week 3", "in (May) we", "2024-05-01x", "31 Apr", "5000 years ago", "since 2030"),
]


@pytest.mark.proves("X5", part="time phrases")
@pytest.mark.parametrize(("text", "expected"), SPOKEN_OF.items(), ids=SPOKEN_OF)
def test_a_question_says_the_time_that_it_speaks_of(text: str, expected: tuple[str, str]) -> None:
    start, end = map(datetime.fromisoformat, expected)
    assert period_of(text, NOW) == (start.replace(tzinfo=UTC), end.replace(tzinfo=UTC))


@pytest.mark.proves("X5", part="time phrases")
@pytest.mark.parametrize("text", NO_TIMES)
def test_words_that_only_look_like_a_time_are_none(text: str) -> None:
    assert period_of(text, NOW) is None


def test_the_first_time_that_is_spoken_of_counts() -> None:
    assert period_of("yesterday, not last week", NOW) == period_of("yesterday", NOW)
    assert period_of("31 Apr or in 2019", NOW) == period_of("in 2019", NOW)


def test_a_day_is_one_of_utc_wherever_the_clock_hangs() -> None:
    elsewhere = NOW.astimezone(timezone(timedelta(hours=11)))
    assert elsewhere.day == NOW.day + 1
    assert period_of("today", elsewhere) == period_of("today", NOW)


@pytest.mark.parametrize(
    ("now", "text", "expected"),
    [
        ("2026-03-01", "last month", ("2026-02-01", "2026-03-01")),
        ("2026-03-31", "the past month", ("2026-02-28", "2026-03-31")),
        ("2026-01-01", "last quarter", ("2025-10-01", "2026-01-01")),
        ("2026-02-22", "last weekend", ("2026-02-14", "2026-02-16")),
        ("2026-02-16", "last week", ("2026-02-09", "2026-02-16")),
        ("2026-05-01", "in May", ("2026-05-01", "2026-06-01")),
        ("2026-04-30", "in May", ("2025-05-01", "2025-06-01")),
        ("2026-01-15", "this winter", ("2025-12-01", "2026-03-01")),
    ],
)
def test_weeks_months_and_seasons_are_those_of_the_calendar(
    now: str, text: str, expected: tuple[str, str]
) -> None:
    clock = datetime.fromisoformat(now).replace(tzinfo=UTC)
    start, end = (datetime.fromisoformat(day).replace(tzinfo=UTC) for day in expected)
    assert period_of(text, clock) == (start, end)


WORDS = (
    *("in", "since", "before", "between", "and", "from", "to", "the", "last", "past", "this", "of"),
    *("May", "may", "Sun", "week", "days", "ago", "5", "31st", "2022", "2024-02-30", "early", "."),
    *("recently", "9999", "a", "few", '"', "–", "2020-2022", "yesterday", "now", "Q3", "1990s"),
)
CLOCKS = st.datetimes(datetime(1900, 1, 1), datetime(2199, 12, 31), timezones=st.just(UTC))


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.text(max_size=60), CLOCKS)
def test_any_text_has_a_time_or_none_and_always_the_same(text: str, now: datetime) -> None:
    period = period_of(text, now)
    assert period == period_of(text, now)
    assert period is None or period[0] < period[1]


@pytest.mark.parametrize(
    "piece",
    ["early ", "May ", "2022 to ", '"', "–", "last a few of ", "1/", "mid-", "recently used "],
)
def test_a_long_text_is_read_to_its_end(piece: str) -> None:
    assert period_of(piece * 3_000, NOW) is None
    assert period_of(f"{piece * 3_000}; yesterday", NOW) == period_of("yesterday", NOW)
