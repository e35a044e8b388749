"""Models: which model embeds a store, which passages wait for it, and the vectors that come.

Everything here runs inside a transaction that the caller has begun.
"""

from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from pinyon.model.errors import InvalidInput
from pinyon.store.contract import MOST_ATTEMPTS, Batch, Failure, Task, Vector
from pinyon.store.questions import Model
from pinyon.store.sqlite import passages, rows
from pinyon.store.sqlite.blocks import put_codes, width
from pinyon.text.passages import Passage, digest
from pinyon.text.passages import passages as split

CENTRED_AT = (256, 2_048, 16_384, 65_536)
"""At these numbers of vectors their mean is taken anew, and every code is made again."""

_FLOAT = 4
_CHUNK = 4_096


def apply(db: Any, batch: Batch) -> bool:
    """The parts of a batch that concern models; says whether what is found changed."""
    changed = False
    if batch.use is not None:
        changed |= _use(db, batch.use)
    for name in batch.drop:
        changed |= _drop(db, name)
    for name, vectors in batch.vectors.items():
        changed |= _store(db, name, vectors)
    for name, failures in batch.failures.items():
        _fail(db, name, failures)
    for name in batch.retry:
        db.execute(
            "UPDATE waiting SET attempts = 0, reason = '', expires = iif(owner = '', 0, expires)"
            " WHERE reason <> '' AND model = (SELECT number FROM model WHERE name = ?)",
            (name,),
        )
    return changed | _switch(db)


def lease(
    db: Any, name: str, owner: str, *, now: datetime, until: datetime, limit: int
) -> list[Task]:
    """Hands out passages that wait; see the contract."""
    found = db.execute(
        "SELECT model, passage FROM waiting JOIN model ON model.number = model"
        " WHERE name = ? AND attempts < ? AND expires <= ? ORDER BY passage DESC LIMIT ?",
        (name, MOST_ATTEMPTS, rows.to_us(now), limit),
    ).fetchall()
    db.executemany(
        "UPDATE waiting SET owner = ?, expires = ? WHERE model = ? AND passage = ?",
        ((owner, rows.to_us(until), model, number) for model, number in found),
    )
    return _tasks(db, [number for _, number in found])


def _tasks(db: Any, numbers: Sequence[int]) -> list[Task]:
    """The text of a passage is not stored: its record is split again."""
    tasks: list[Task] = []
    stale: list[tuple[int, Any]] = []
    last, record, pieces = 0, None, list[Passage]()
    for number in numbers:
        found = db.execute(
            "SELECT row, place, digest FROM passage WHERE number = ?", (number,)
        ).fetchall()
        if not found:
            continue
        row, place, key = found[0]
        if row != last:
            values = db.execute(
                f"SELECT {rows.RECORD_COLUMNS}, {rows.CONTENT_COLUMNS}"
                " FROM record JOIN content USING (row) WHERE row = ?",
                (row,),
            ).fetchall()[0]
            last, record = row, rows.record_of(values)
            pieces = split(record)
        assert record is not None
        if place < len(pieces) and digest(pieces[place].text) == key:
            tasks.append(Task(number, key, record.id, pieces[place].text))
        else:
            stale.append((row, record))
    if stale:  # split by an older version, in another way
        passages.put(db, list(dict(stale).items()))
        db.execute("UPDATE revision SET number = number + 1")
    return tasks


# which model


def _use(db: Any, wanted: Model) -> bool:
    known = db.execute(
        "SELECT number, choice, dims, state FROM model WHERE name = ?", (wanted.name,)
    ).fetchall()
    if known and known[0][2] != wanted.dims:
        raise InvalidInput(
            f"{wanted.name} has {wanted.dims} dimensions, but its vectors here have {known[0][2]}",
            remedy=f"drop it first: pinyon model drop {wanted.name}",
        )
    active = db.execute("SELECT name FROM model WHERE state = 'active'").fetchall()
    if not known:
        db.execute(
            "INSERT INTO model (name, choice, dims, state) VALUES (?, ?, ?, 'idle')",
            (wanted.name, wanted.choice, wanted.dims),
        )
    changed = not known or known[0][1] != wanted.choice
    db.execute("UPDATE model SET choice = ? WHERE name = ?", (wanted.choice, wanted.name))
    changed |= _rest(db, "state = 'filling' AND name <> ?", wanted.name)
    if known and known[0][3] in ("active", "filling"):
        return changed
    number = db.execute("SELECT number FROM model WHERE name = ?", (wanted.name,)).fetchall()[0][0]
    state = "filling" if active else "active"
    db.execute("UPDATE model SET state = ? WHERE number = ?", (state, number))
    queue(db, number, wanted.dims)
    return True


def queue(db: Any, model: int, dims: int) -> None:
    """Everything that has no vector yet waits for one."""
    if dims:
        db.execute(
            "INSERT OR IGNORE INTO waiting (model, passage) SELECT ?1, number FROM passage"
            " WHERE number NOT IN (SELECT passage FROM vector WHERE model = ?1)",
            (model,),
        )


def _rest(db: Any, which: str, *values: Any) -> bool:
    """Make models idle: nothing waits for them any more."""
    found = db.execute(f"SELECT number FROM model WHERE {which}", values).fetchall()
    for (number,) in found:
        db.execute("DELETE FROM waiting WHERE model = ?", (number,))
        db.execute("UPDATE model SET state = 'idle' WHERE number = ?", (number,))
    return bool(found)


def _switch(db: Any) -> bool:
    """The filling model becomes the active one when nothing that can still come is missing."""
    filling = db.execute("SELECT number FROM model WHERE state = 'filling'").fetchall()
    if not filling:
        return False
    number = filling[0][0]
    if db.execute(
        "SELECT 1 FROM waiting WHERE model = ? AND attempts < ? LIMIT 1", (number, MOST_ATTEMPTS)
    ).fetchall():
        return False
    _rest(db, "state = 'active'")
    db.execute("UPDATE model SET state = 'active' WHERE number = ?", (number,))
    return True


def _drop(db: Any, name: str) -> bool:
    found = db.execute("SELECT number FROM model WHERE name = ?", (name,)).fetchall()
    for (number,) in found:
        for table in ("vector", "waiting", "code"):
            db.execute(f"DELETE FROM {table} WHERE model = ?", (number,))
        db.execute("DELETE FROM model WHERE number = ?", (number,))
    return bool(found)


# what became of tasks


def _store(db: Any, name: str, given: Sequence[Vector]) -> bool:
    found = db.execute(
        "SELECT number, dims, centred, mean FROM model WHERE name = ?", (name,)
    ).fetchall()
    if not found:
        raise InvalidInput(f"the store knows no model {name!r}", remedy="use it first")
    model, dims, centred, mean = found[0]
    for vector in given:
        if len(vector.vector) != dims * _FLOAT:
            raise InvalidInput(
                f"a vector of {name} has {len(vector.vector)} bytes instead of {dims * _FLOAT}"
            )
    at: dict[int, tuple[int, Vector]] = {}
    fresh = 0
    for vector in given:
        for row, key, known in db.execute(
            "SELECT row, digest, vector FROM passage LEFT JOIN vector"
            " ON model = ? AND passage = passage.number WHERE passage.number = ?",
            (model, vector.passage),
        ).fetchall():
            if key == vector.digest and known != vector.vector:
                at[vector.passage] = (row, vector)
                fresh += known is None
    if not at:
        return False
    db.executemany(
        "INSERT OR REPLACE INTO vector (model, passage, vector) VALUES (?, ?, ?)",
        ((model, number, vector.vector) for number, (_, vector) in at.items()),
    )
    db.executemany(
        "DELETE FROM waiting WHERE model = ? AND passage = ?", ((model, number) for number in at)
    )
    db.execute("UPDATE model SET vectors = vectors + ? WHERE number = ?", (fresh, model))
    revision = db.execute("SELECT number + 1 FROM revision").fetchall()[0][0]
    encoded = encode([vector.vector for _, vector in at.values()], dims, mean)
    codes = {
        number: (row, code) for (number, (row, _)), code in zip(at.items(), encoded, strict=True)
    }
    put_codes(db, model, dims, codes, revision)
    count = db.execute("SELECT vectors FROM model WHERE number = ?", (model,)).fetchall()[0][0]
    if any(centred < least <= count for least in CENTRED_AT):
        centre(db, model, dims, revision)
    return True


def centre(db: Any, model: int, dims: int, revision: int) -> None:
    """Take the mean of a model's vectors, and make every code anew."""
    import numpy as np

    db.execute("DELETE FROM code WHERE model = ?", (model,))
    every = (
        "SELECT passage, row, vector FROM vector JOIN passage ON passage.number = passage"
        " WHERE model = ? ORDER BY passage"
    )
    total = np.zeros(dims)
    count = 0
    for _, _, vector in db.execute(every, (model,)):
        total += np.frombuffer(vector, np.float32)
        count += 1
    mean = None
    if count >= CENTRED_AT[0]:
        mean = (total / count).astype(np.float32).tobytes()
    db.execute(
        "UPDATE model SET mean = ?, centred = ?, vectors = ? WHERE number = ?",
        (mean, count if mean else 0, count, model),
    )
    cursor = db.execute(every, (model,))
    while chunk := list(islice(cursor, _CHUNK)):
        encoded = encode([vector for _, _, vector in chunk], dims, mean)
        codes = {number: (row, code) for (number, row, _), code in zip(chunk, encoded, strict=True)}
        put_codes(db, model, dims, codes, revision)


def encode(vectors: Sequence[bytes], dims: int, mean: bytes | None) -> list[bytes]:
    """The signs of vectors around their mean, a bit each."""
    import numpy as np

    table = np.frombuffer(b"".join(vectors), np.float32).reshape(-1, dims)
    if mean is not None:
        table = table - np.frombuffer(mean, np.float32)
    packed = np.packbits(table > 0, axis=1)
    padded = np.zeros((len(packed), width(dims)), np.uint8)
    padded[:, : packed.shape[1]] = packed
    return [code.tobytes() for code in padded]


def _fail(db: Any, name: str, failures: Sequence[Failure]) -> None:
    for failure in failures:
        reason = "reason = ?1, attempts = attempts + 1" if failure.reason else "reason = reason"
        db.execute(
            f"UPDATE waiting SET {reason}, owner = '', expires = ?2"
            " WHERE model = (SELECT number FROM model WHERE name = ?3) AND passage ="
            " (SELECT number FROM passage WHERE number = ?4 AND digest = ?5)",
            (
                failure.reason,
                rows.to_us(failure.retry_at),
                name,
                failure.passage,
                failure.digest,
            ),
        )
