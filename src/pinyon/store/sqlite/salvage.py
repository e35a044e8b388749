"""Salvage: what can still be read of a broken file, as a new store.

A row whose page is broken is lost; those on both sides of it are not. What is derived is made anew
from the records, so that a file that is broken only there loses nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import apsw

from pinyon.model.check import check_edge, recheck
from pinyon.model.errors import InvalidInput, NotAStore, StoreError
from pinyon.model.record import Edge, Record
from pinyon.model.wire import edge_to_json
from pinyon.store.contract import Batch
from pinyon.store.sqlite import connect, rows
from pinyon.store.sqlite.damage import UNREADABLE
from pinyon.store.sqlite.store import SqliteStore

T = TypeVar("T")

CHUNK = 256
"""Rows that are read at once; where that fails, half of them, down to single ones."""

_ROWS_IN_A_PAGE = 40
"""At most, where nothing says how many there are: a record takes a hundred bytes."""

_HEAD = rows.RECORD_COLUMNS
_TEXT = ", ".join(
    f"CAST({name} AS BLOB)" if name not in ("first_line", "last_line") else name
    for name in rows.CONTENT_COLUMNS.split(", ")
)
"""As bytes: a text with a broken character is worth more than none."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class Salvaged:
    """How many were saved. `lost` are the records that are known to be lost; `patched` those with
    characters that could not be read; `nameless` are texts that lost their record, and are now
    records `salvaged-ROW`."""

    records: int = 0
    versions: int = 0
    edges: int = 0
    lost: int = 0
    patched: int = 0
    nameless: int = 0


def salvage(path: Path, target: Path) -> Salvaged:
    """Write what can be read of the store at `path`, which stays as it is, into a new one at
    `target`. Raises InvalidInput where there is a file already, NotAStore where nothing can be
    read."""
    if target.exists():
        raise InvalidInput(f"{target} exists already", remedy="name a new file")
    with connect.our_errors(path):
        source = _opened(path)
        try:
            new = SqliteStore(target)
            try:
                done = _move(source, new)
            except BaseException:
                new.close()
                target.unlink()
                raise
            new.close()
            return done
        finally:
            source.close()


def _opened(path: Path) -> Any:
    if not path.is_file():
        raise StoreError(f"there is no file {path}", remedy="name the broken store")
    source: Any = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        known = {name for (name,) in source.execute("SELECT name FROM sqlite_schema")}
    except UNREADABLE:
        known = set()
    if not {"record", "content"} <= known:
        source.close()
        raise NotAStore(
            f"nothing can be read of {path}: it does not say where its records are",
            remedy="restore a backup",
        )
    return source


def _move(source: Any, new: SqliteStore) -> Salvaged:
    done = Salvaged()
    ids: set[str] = set()
    last = _last_row(source)
    for first in range(1, last + 1, CHUNK):
        # A broken index may let an id in twice; the first one stays.
        found = [
            one for one in _records(source, first, first + CHUNK - 1, done) if one.id not in ids
        ]
        ids.update(one.id for one in found)
        new.commit(Batch(now=_EPOCH, records=found, verbatim=True))
    done.records = len(ids)
    every = sorted(ids)
    for at in range(0, len(every), CHUNK):
        some = every[at : at + CHUNK]
        versions = _of(source, "version", rows.VERSION_COLUMNS, "id", some, rows.version_of)
        edges = _of(source, "edge", rows.EDGE_COLUMNS, "from_id", some, _edge)
        ended = [edge for edge in edges if edge.to_id in ids or edge.to_id.startswith("@")]
        new.commit(Batch(now=_EPOCH, versions=versions, edges=ended, verbatim=True))
        done.versions += len(versions)
        done.edges += len(ended)
    with suppress(*UNREADABLE):  # all of them or none: they are few
        settings = dict(source.execute("SELECT key, value FROM setting").fetchall())
        new.commit(Batch(now=_EPOCH, settings=settings))
    return done


def _last_row(source: Any) -> int:
    found = [0]
    for table in ("record", "content", "stems"):
        with suppress(*UNREADABLE):
            found.append(
                source.execute(f"SELECT ifnull(max(row), 0) FROM {table}").fetchall()[0][0]
            )
    return max(found) or source.pragma("page_count") * _ROWS_IN_A_PAGE


def _records(source: Any, first: int, last: int, done: Salvaged) -> Iterator[Record]:
    heads = {row: values for row, *values in _between(source, "record", _HEAD, first, last)}
    texts = {row: values for row, *values in _between(source, "content", _TEXT, first, last)}
    done.lost += len(heads.keys() - texts.keys())
    for row, raw in texts.items():
        values = [_text(value) for value in raw]
        head = heads.get(row) or _nameless(row)
        try:
            record = recheck(rows.record_of([*head, *values]))
        except UNREADABLE:
            done.lost += 1
            continue
        done.nameless += row not in heads
        done.patched += values != [_text(value, "ignore") for value in raw]
        yield record


def _between(source: Any, table: str, columns: str, first: int, last: int) -> list[Any]:
    """The rows that can be read."""
    query = f"SELECT row, {columns} FROM {table} WHERE row BETWEEN ? AND ?"
    try:
        found: list[Any] = source.execute(query, (first, last)).fetchall()
        return found
    except UNREADABLE:
        if first == last:
            return []
        middle = (first + last) // 2
        return [
            *_between(source, table, columns, first, middle),
            *_between(source, table, columns, middle + 1, last),
        ]


def _of(
    source: Any, table: str, columns: str, key: str, ids: Sequence[str], made: Callable[[Any], T]
) -> list[T]:
    """What these records have in a table, as far as it can be read."""
    found: list[T] = []
    for id in ids:
        with suppress(*UNREADABLE):
            for row in source.execute(f"SELECT {columns} FROM {table} WHERE {key} = ?", (id,)):
                with suppress(*UNREADABLE):
                    found.append(made(row))
    return found


def _edge(row: Sequence[Any]) -> Edge:
    return check_edge(edge_to_json(rows.edge_of(row)))


def _text(value: Any, errors: str = "replace") -> Any:
    return value.decode("utf-8", errors) if isinstance(value, bytes) else value


def _nameless(row: int) -> tuple[Any, ...]:
    record = Record(id=f"salvaged-{row}", created_at=_EPOCH, updated_at=_EPOCH)
    return rows.record_row(record)
