"""Present: candidates in, a page of hits out, each with as much of its record as was asked for.

What was on the pages before is left out; a file gives way to its parts; what belongs together is
one hit; the best stay, in as much text as there is room for.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pinyon.model.hit import Candidate, Hit
from pinyon.model.profile import PresentSection
from pinyon.model.record import Record
from pinyon.search.present.fold import fold
from pinyon.search.present.hits import Standing, hit_of
from pinyon.search.present.page import Seen, following, seen_before
from pinyon.text.snippet import Marker

if TYPE_CHECKING:
    from pinyon.model.ask import Ask

__all__ = ["Presented", "Seen", "depth", "present", "seen_before"]

SPARE = 5
"""Candidates that are fetched beyond the limit, in the place of those that are folded."""

CROWD = 10
"""How many records one group is taken to hold, where several become one hit."""

Fetch = Callable[[Sequence[str]], Mapping[str, Record]]


class Presented(NamedTuple):
    """`next` is the cursor of the page that follows, empty where nothing does. `left_out` says how
    many records are not shown because another says the same, or because there is no room."""

    hits: list[Hit]
    next: str
    left_out: dict[str, int]


class _Page(NamedTuple):
    """What may be shown, best first; `rest` says that there is more, on further pages."""

    standing: list[Standing]
    rest: bool
    left_out: dict[str, int]


def depth(ask: "Ask", seen: Seen) -> int:
    """How many records to search for, so that a page fills after those that were seen."""
    return ask.limit * (CROWD if ask.group else 1) + len(seen)


def present(
    fetch: Fetch,
    candidates: Sequence[Candidate],
    marker: Marker,
    ask: "Ask",
    seen: Seen,
    how: PresentSection,
    tiers: Mapping[str, str],
) -> Presented:
    """The best `ask.limit`, best first or newest first. `tiers` says where each record came from.
    One without a record is left out. Asked for plainly, it reads no record that it does not show,
    unless a file is among them."""
    fresh = [each for each in candidates if each.id not in seen] if seen else candidates
    before = [each for each in candidates if each.id in seen] if seen else []
    gather = _joined if ask.group or ask.tokens else _best
    standing, rest, left_out = gather(fetch, fresh, before, ask, how)
    if ask.tokens:
        from pinyon.search.present.budget import fit

        fitted = fit(standing, ask.tokens, marker, ask.mode, how, tiers)
        hits = fitted.hits
        rest = rest or fitted.no_room > 0
        left_out["no room"] = fitted.no_room
    else:
        hits = [hit_of(each, marker, ask.mode, how, tiers) for each in standing]
    shown = [id for hit in hits for id in (hit.id, *hit.more)]
    if ask.sort == "date":
        made = {each.record.id: _made(each.record) for each in standing}
        hits.sort(key=lambda hit: made[hit.id], reverse=True)
    # Where nothing has room, no page ever follows.
    cursor = following(seen, shown) if rest and shown else ""
    return Presented(hits, cursor, {why: count for why, count in left_out.items() if count})


def _made(record: Record) -> float:
    return record.created_at.timestamp() if record.created_at else 0.0


def _best(
    fetch: Fetch,
    fresh: Sequence[Candidate],
    before: Sequence[Candidate],
    ask: "Ask",
    how: PresentSection,
) -> _Page:
    """The best as they are; where a file is among them, some more are read to fold it."""
    read = ask.limit
    records = fetch([each.id for each in fresh[:read]])
    if any(record.kind == "file" for record in records.values()):
        read += SPARE
        records = fetch([each.id for each in (*fresh[:read], *before)])
    standing = [Standing(each, records[each.id]) for each in fold(fresh[:read], records)]
    return _Page(standing[: ask.limit], len(standing) > ask.limit or len(fresh) > read, {})


def _joined(
    fetch: Fetch,
    fresh: Sequence[Candidate],
    before: Sequence[Candidate],
    ask: "Ask",
    how: PresentSection,
) -> _Page:
    """What belongs together is one, all of it; where tokens are few, what says the same is too."""
    read = len(fresh) if ask.group else 2 * ask.limit + SPARE
    records = fetch([each.id for each in (*fresh[:read], *before)])
    standing = [Standing(each, records[each.id]) for each in fold(fresh[:read], records)]
    left_out = {}
    if ask.group:
        from pinyon.search.present.group import group

        shown = [records[each.id] for each in before if each.id in records]
        standing = group(standing, shown, ask.group, fetch)
    if ask.tokens:
        from pinyon.search.present.alike import without_alike

        standing, left_out["alike"] = without_alike(standing, how.alike, ask.limit)
    return _Page(standing[: ask.limit], len(standing) > ask.limit or len(fresh) > read, left_out)
