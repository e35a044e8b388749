"""Given: the filters of a search as a caller gives them, checked."""

from collections.abc import Sequence
from datetime import datetime

from pinyon.model.errors import InvalidInput
from pinyon.model.profile import RetrieveSection
from pinyon.model.query import Filters


def given_filters(
    *,
    kinds: Sequence[str],
    tags: Sequence[str],
    domains: Sequence[str],
    severities: Sequence[str],
    authors: Sequence[str],
    scope: str,
    since: datetime | str | None,
    until: datetime | str | None,
) -> Filters:
    """Raises InvalidInput for what is no filter."""
    return Filters(
        kinds=_texts("kinds", kinds),
        tags=_texts("tags", tags),
        domains=_texts("domains", domains),
        severities=_texts("severities", severities),
        authors=_texts("authors", authors),
        scope=_scope(scope),
        since=_date("since", since),
        until=_date("until", until),
    )


def with_kinds(filters: Filters, how: RetrieveSection) -> Filters:
    """The kinds of the profile, where the caller names none."""
    if filters.kinds:
        return filters
    return filters._replace(kinds=how.kinds, without=() if how.kinds else how.without)


def _texts(name: str, given: Sequence[str]) -> tuple[str, ...]:
    if isinstance(given, str) or not all(isinstance(text, str) for text in given):
        raise InvalidInput(f"{name} must be a list of texts")
    # Half a surrogate pair is no text, and no record has it: whatever stands for it finds nothing.
    return tuple(text.encode("utf-8", "replace").decode() for text in given)


def _scope(given: str) -> str:
    if not given:
        return ""
    # Imported here, as below: checking is not cheap to load, and most searches have no such filter.
    from pinyon.model.check import check_scope

    return check_scope("scope", given)


def _date(name: str, given: datetime | str | None) -> datetime | None:
    if given is None:
        return None
    from pinyon.model.check import check_date

    return check_date(name, given)
