"""Usage: how records were used, which questions were asked, and what was thought of the answers."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pinyon.model.errors import UnknownRecord
from pinyon.model.use import Asked, Noted, Use
from pinyon.store.sqlite import rows

if TYPE_CHECKING:
    from pinyon.store.questions import Feedback, Feedbacks, Log
    from pinyon.store.sqlite.view import SqliteView

_USED = (
    "INSERT INTO use SELECT row, ?, ?, ?, ?, ?, ?, ? FROM record WHERE id = ?"
    " ON CONFLICT (row) DO UPDATE SET (count, used_at, strength, stability, difficulty, reviews,"
    " reviewed_at) = (count + excluded.count, excluded.used_at, excluded.strength,"
    " excluded.stability, excluded.difficulty, reviews + excluded.reviews, excluded.reviewed_at)"
)
_ASKED = "INSERT INTO asked (at, text, profile, kinds, found, ms) VALUES (?, ?, ?, ?, ?, ?)"
_TOO_MANY = (
    "DELETE FROM asked WHERE (at, number) <="
    " (SELECT at, number FROM asked ORDER BY at DESC, number DESC LIMIT 1 OFFSET ?)"
)
_FEEDBACK = "INSERT OR REPLACE INTO feedback VALUES (?, ?, ?, ?, ?, ?, ?)"


def note(db: Any, noted: Noted) -> None:
    """Inside a transaction of the caller's."""
    db.executemany(_USED, ((*_use_row(use), id) for id, use in noted.used.items()))
    db.executemany(_ASKED, map(_asked_row, noted.asked))
    if noted.keep_since:
        db.execute("DELETE FROM asked WHERE at < ?", (rows.to_us(noted.keep_since),))
    db.execute(_TOO_MANY, (noted.keep,))


def give(db: Any, given: "Iterable[Feedback]") -> None:
    """Write feedback over that with the same identity. Raises UnknownRecord."""
    ids = dict.fromkeys(one.id for one in given)
    known = db.execute(
        "SELECT id FROM record WHERE id IN (SELECT value FROM json_each(?))",
        (rows.to_ids(list(ids)),),
    ).fetchall()
    missing = [id for id in ids if (id,) not in set(known)]
    if missing:
        raise UnknownRecord(missing)
    db.executemany(_FEEDBACK, map(_feedback_row, given))


def rename(db: Any, old: str, new: str) -> None:
    """Feedback goes with its record; use hangs on the row, which stays."""
    db.execute("UPDATE OR REPLACE feedback SET id = ? WHERE id = ?", (new, old))


def purge(db: Any, row: int, id: str) -> None:
    """What came of a record goes with it."""
    db.execute("DELETE FROM use WHERE row = ?", (row,))
    db.execute("DELETE FROM feedback WHERE id = ?", (id,))


def uses(view: "SqliteView", ids: Sequence[str]) -> dict[str, Use]:
    """See the contract."""
    found = view.rows(
        "SELECT id, count, used_at, strength, stability, difficulty, reviews, reviewed_at"
        " FROM record JOIN use USING (row) WHERE id IN (SELECT value FROM json_each(?))",
        (rows.to_ids(ids),),
    )
    return {
        row[0]: Use(
            row[1], rows.to_moment(row[2]), row[3], row[4], row[5], row[6], rows.to_date(row[7])
        )
        for row in found
    }


def log(view: "SqliteView", question: "Log") -> list[Asked]:
    """See the question."""
    since = rows.to_us(question.since)
    found = view.rows(
        "SELECT at, text, profile, kinds, found, ms FROM asked WHERE at >= ifnull(?, at)"
        " ORDER BY at DESC, number DESC LIMIT ?",
        (since, question.limit),
    )
    return [
        Asked(rows.to_moment(at), text, profile, rows.from_list(kinds), count, ms)
        for at, text, profile, kinds, count, ms in found
    ]


def feedbacks(view: "SqliteView", question: "Feedbacks") -> "list[Feedback]":
    """See the question."""
    from pinyon.store.questions import Feedback

    found = view.rows(
        "SELECT at, id, verdict, query, profile, signals, passed FROM feedback"
        " WHERE profile = ? ORDER BY at, query, id",
        (question.profile,),
    )
    return [
        Feedback(
            rows.to_moment(at),
            id,
            verdict,
            query,
            profile,
            json.loads(signals),
            rows.from_list(passed),
        )
        for at, id, verdict, query, profile, signals, passed in found
    ]


def _use_row(use: Use) -> tuple[Any, ...]:
    return (
        use.times,
        rows.to_us(use.used_at),
        use.strength,
        use.stability,
        use.difficulty,
        use.reviews,
        rows.to_us(use.reviewed_at),
    )


def _asked_row(asked: Asked) -> tuple[Any, ...]:
    return (
        rows.to_us(asked.at),
        asked.text,
        asked.profile,
        rows.to_list(asked.kinds),
        asked.found,
        asked.ms,
    )


def _feedback_row(given: "Feedback") -> tuple[Any, ...]:
    return (
        given.profile,
        given.query,
        given.id,
        given.verdict,
        rows.to_us(given.at),
        json.dumps(dict(given.signals)),
        json.dumps([dict(passed) for passed in given.passed]),
    )
