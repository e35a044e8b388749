"""Given: what a caller asks, checked: the text, the filters and the form of the answer."""

from collections.abc import Sequence
from datetime import UTC, datetime

from pinyon.model.ask import Ask
from pinyon.model.errors import InvalidInput, UnknownSetting
from pinyon.model.profile import RetrieveSection
from pinyon.model.query import Filters

MOST_HITS = 1_000
"""The largest limit of one search."""

MODES = ("match", "scan", "full")
"""match: a snippet around the match; scan: the beginning of the body; full: the record too."""

GROUPS = ("", "file", "record")
"""file: one hit for each file; record: one for each record and what it is contained in."""

SORTS = ("score", "date")

_LAST = datetime.max.replace(tzinfo=UTC)


def checked(ask: Ask) -> Ask:
    """Raises InvalidInput for what cannot be asked."""
    if not isinstance(ask.text, str):
        raise InvalidInput("the query must be text")
    if ask.like is not None and ask.text:
        raise InvalidInput("both a query and a record to search by", remedy="give one of them")
    if type(ask.limit) is not int or not 1 <= ask.limit <= MOST_HITS:
        raise InvalidInput(f"limit must be a whole number from 1 to {MOST_HITS:,}")
    if type(ask.tokens) is not int or ask.tokens < 0:
        raise InvalidInput("max_tokens must be a whole number, and not below 0")
    if not isinstance(ask.cursor, str):
        raise InvalidInput("the cursor must be text", remedy="give meta.next of the page before")
    for name, value, known in (
        ("mode", ask.mode, MODES),
        ("group", ask.group, GROUPS),
        ("sort", ask.sort, SORTS),
    ):
        if value not in known:
            raise UnknownSetting(f"no {name} {value!r}", known)
    return ask


def given_filters(
    *,
    kinds: Sequence[str],
    tags: Sequence[str],
    domains: Sequence[str],
    severities: Sequence[str],
    authors: Sequence[str],
    scope: str | Sequence[str],
    since: datetime | str | None,
    until: datetime | str | None,
) -> Filters:
    """Raises InvalidInput for what is no filter."""
    return Filters(
        kinds=given_texts("kinds", kinds),
        tags=given_texts("tags", tags),
        domains=given_texts("domains", domains),
        severities=given_texts("severities", severities),
        authors=given_texts("authors", authors),
        scopes=_scopes(scope),
        since=given_date("since", since),
        until=given_date("until", until),
    )


def given_date(
    name: str, given: datetime | str | None, *, whole_day: bool = False
) -> datetime | None:
    """A date as a caller gives it. With `whole_day` a day alone means its end, not its begin."""
    if given is None:
        return None
    # Imported here, as below: checking is not cheap to load, and most searches have no such filter.
    from datetime import timedelta

    from pinyon.model.check import check_date

    date = check_date(name, given)
    day_alone = isinstance(given, str) and len(given) <= len("2024-05-01")
    if not whole_day or not day_alone:
        return date
    return date + min(timedelta(days=1), _LAST - date)


def narrowed(ask: Ask, how: RetrieveSection) -> Filters:
    """The filters of the caller, and those that a profile adds: its kinds, where the caller names
    none; what is valid now or, where a moment is asked about, what was there then, and valid."""
    filters = ask.filters
    if not filters.kinds:
        without = () if how.kinds else how.without
        filters = filters._replace(kinds=how.kinds, without=without)
    if ask.as_of:
        until = min(filters.until, ask.as_of) if filters.until else ask.as_of
        filters = filters._replace(until=until)
    return filters if how.expired else filters._replace(at=ask.as_of or ask.now)


def within(filters: Filters, period: tuple[datetime, datetime]) -> Filters:
    """Only what was created in the period, too."""
    start, end = period
    since = max(filters.since, start) if filters.since else start
    return filters._replace(since=since, until=min(filters.until, end) if filters.until else end)


def given_texts(name: str, given: Sequence[str]) -> tuple[str, ...]:
    """A list of texts as a caller gives it."""
    if isinstance(given, str) or not all(isinstance(text, str) for text in given):
        raise InvalidInput(f"{name} must be a list of texts")
    # Half a surrogate pair is no text, and no record has it: whatever stands for it finds nothing.
    return tuple(text.encode("utf-8", "replace").decode() for text in given)


def _scopes(given: str | Sequence[str]) -> tuple[str, ...]:
    if not given:
        return ()
    from pinyon.model.check import check_scope

    named = (given,) if isinstance(given, str) else given_texts("scope", given)
    return tuple(check_scope("scope", each) for each in named if each)
