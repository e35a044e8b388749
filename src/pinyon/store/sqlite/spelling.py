"""Spelling: the words that the index knows, by their first letters, and how one of them is written.

Reading the words that begin with one letter takes some milliseconds, so the list is remembered
across revisions, and may be some commits old: see `_fresh`.
"""

from typing import TYPE_CHECKING, NamedTuple

from pinyon.store import questions
from pinyon.text.written import READ, TEXTS, forms

if TYPE_CHECKING:
    from pinyon.store.sqlite.view import SqliteView

GROWTH = 0.02
"""The share of the documents that may come or go before a list is read again."""

WORDS_A_COMMIT = 100
"""A list may be one commit old for each so many words that it has: that of a small store is always
new, and that of a large one is not read again after every save."""

MOST_LISTS = 256
"""Lists that are remembered; one a first letter is what spelling asks for."""


class Listed(NamedTuple):
    """The stems that begin alike, as they were at a revision that had so many documents."""

    revision: int
    documents: int
    stems: dict[str, int]


def beginning(view: "SqliteView", question: questions.Beginning) -> dict[str, int]:
    """The one remembered, where it is new enough. Not to be changed."""
    lists = view.memory.lists
    held = lists.get(question.prefix)
    if held is None or not _fresh(held, view):
        if len(lists) >= MOST_LISTS:
            lists.clear()
        held = lists[question.prefix] = Listed(
            view.revision, view.totals[0], _read(view, question.prefix)
        )
    return held.stems


def _fresh(held: Listed, view: "SqliteView") -> bool:
    if held.revision == view.revision:
        return True
    commits = view.revision - held.revision
    changed = abs(view.totals[0] - held.documents)
    return 0 < commits <= len(held.stems) // WORDS_A_COMMIT and changed <= GROWTH * held.documents


def _read(view: "SqliteView", prefix: str) -> dict[str, int]:
    # A range, because FTS5 seeks to its beginning; the last character ends it.
    found = view.rows(
        "SELECT term, doc FROM vocabulary WHERE term >= ? AND term <= ?",
        (prefix, f"{prefix}\U0010ffff"),
    ).fetchall()
    return dict(sorted(found, key=lambda row: (len(row[0]), row[0])))


def written(view: "SqliteView", question: questions.Written) -> dict[str, tuple[str, ...]]:
    """As the first records of the index write it."""
    # FTS5 stems what it is asked for, and the stem of a stem may be another one: only the list of
    # all places finds a stem as it is. It is gone with the transaction of the view.
    view.rows(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.place"
        " USING fts5vocab('main', 'fulltext', 'instance')"
    )
    words: dict[str, tuple[str, ...]] = {}
    for stem in question.stems:
        found = view.rows(_TEXTS, (READ, stem, TEXTS)).fetchall()
        if of_it := forms((text for row in found for text in row), stem):
            words[stem] = tuple(sorted(of_it))
    return words


_TEXTS = (
    "SELECT title, substr(body, 1, ?), context, aliases, tags FROM content WHERE row IN"
    " (SELECT DISTINCT doc FROM temp.place WHERE term = ? LIMIT ?)"
)
