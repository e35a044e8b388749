"""Transfer: everything that a store holds as JSON Lines, and back.

One object a line: "type" is "record" (also where it is missing), "version" or "edge". A file is
read twice: first every line is checked, and only when all of them are right is anything written, in
short commits, so that others can write meanwhile.
"""

import json
import tempfile
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, BinaryIO, TypeVar

from pinyon.model.check import check_edge, check_record
from pinyon.model.errors import InvalidLine, InvalidRecord
from pinyon.model.record import Edge, Record, Version
from pinyon.model.wire import edge_to_json, record_to_json, version_from_json, version_to_json
from pinyon.store.contract import Batch, Store, View

T = TypeVar("T")

COMMIT = 500
"""Lines of one commit: well under a fifth of a second."""

LONGEST = 32_000_000
"""Bytes of one line."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Imported:
    """How many lines of each type were new or different, and how many stood there already."""

    records: int
    versions: int
    edges: int
    unchanged: int


@dataclass(slots=True)
class _Seen:
    """What the first reading found: where each id stands, and the ends of the edges."""

    lines: int = 0
    ids: dict[str, int] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)


def export_lines(view: View) -> Iterator[str]:
    """Records (also forgotten ones), versions, edges: each in a fixed order, each line complete."""
    for record in view.records(forgotten=True):
        yield _encode({"type": "record", **record_to_json(record)})
    for version in view.all_versions():
        yield _encode({"type": "version", **version_to_json(version)})
    for edge in view.all_edges():
        yield _encode({"type": "edge", **edge_to_json(edge)})


def import_file(
    store: Store,
    file: BinaryIO,
    *,
    name: str,
    now: datetime,
    new_id: Callable[[Record, Container[str]], str],
    replace_known: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Imported:
    """Read a file of JSON Lines. `name` is what errors call it; `new_id` names a record that has no
    id; `progress` is told the lines done and their total. A record that exists already with other
    content is an error unless `replace_known`."""
    with _seekable(file) as lines:
        return _import(store, lines, name, now, new_id, replace_known, progress)


def _seekable(file: BinaryIO) -> AbstractContextManager[BinaryIO]:
    """The file itself, or a copy of what flows out of it: it is read twice."""
    if file.seekable():
        return nullcontext(file)
    copy = tempfile.TemporaryFile()  # noqa: SIM115  (the caller's `with` closes it)
    while chunk := file.read(1 << 20):
        copy.write(chunk)
    copy.seek(0)
    return copy


def _import(
    store: Store,
    file: BinaryIO,
    name: str,
    now: datetime,
    new_id: Callable[[Record, Container[str]], str],
    replace_known: bool,
    progress: Callable[[int, int], None],
) -> Imported:
    seen = _check(_parsed(file, name), name)
    _check_against_store(store, file, name, seen, replace_known)
    file.seek(0)
    written = versions = edges = unchanged = done = 0
    taken = set(seen.ids)

    def named(record: Record) -> str:
        """Not the id of another record of the file: most of those are not in the store yet."""
        taken.add(id := new_id(record, taken))
        return id

    for batch in _batches(store, _parsed(file, name), now, named):
        receipt = store.commit(batch)
        written += len(receipt.written)
        unchanged += receipt.unchanged
        versions += len(batch.versions)
        edges += len(batch.edges)
        done += len(batch.records) + len(batch.versions) + len(batch.edges)
        progress(done, seen.lines)
    return Imported(written, versions, edges, unchanged)


def _parsed(file: BinaryIO, name: str) -> Iterator[tuple[int, Record | Version | Edge]]:
    for number, line in enumerate(_lines(file, name), 1):
        text = line.strip()
        if not text:
            continue
        try:
            given = json.loads(text)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            raise InvalidLine(name, number, f"not JSON: {reason}") from None
        if not isinstance(given, dict):
            raise InvalidLine(name, number, "not an object", remedy="one JSON object a line")
        kind = given.pop("type", "record")
        if not isinstance(kind, str) or kind not in _READ:
            known = ", ".join(_READ)
            raise InvalidLine(name, number, f"unknown type {kind!r}", remedy=f"known: {known}")
        try:
            yield number, _READ[kind](given)
        except InvalidRecord as error:
            raise InvalidLine(name, number, error.problem, remedy=error.remedy) from None


_READ: dict[str, Callable[[dict[str, Any]], Record | Version | Edge]] = {
    "record": check_record,
    "version": version_from_json,
    "edge": check_edge,
}


def _lines(file: BinaryIO, name: str) -> Iterator[bytes]:
    number = 0
    while line := file.readline(LONGEST + 1):
        number += 1
        if len(line) > LONGEST:
            raise InvalidLine(name, number, f"longer than {LONGEST:,} bytes")
        yield line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line


def _check(parsed: Iterable[tuple[int, Record | Version | Edge]], name: str) -> _Seen:
    seen = _Seen()
    for number, item in parsed:
        seen.lines += 1
        if isinstance(item, Edge):
            for id in (item.from_id, item.to_id):
                seen.ends.setdefault(id, number)
        elif isinstance(item, Version):
            seen.ends.setdefault(item.record.id, number)
        elif item.id:
            if item.id in seen.ids:
                problem = f"the id {item.id!r} stands in line {seen.ids[item.id]} already"
                raise InvalidLine(name, number, problem, remedy="give each record its own id")
            seen.ids[item.id] = number
    return seen


def _check_against_store(
    store: Store, file: BinaryIO, name: str, seen: _Seen, replace_known: bool
) -> None:
    outside = [id for id in seen.ends if id not in seen.ids and not id.startswith("@")]
    with store.snapshot() as view:
        known: set[str] = set()
        for some in _chunks([*seen.ids, *outside]):
            known.update(view.fetch(some, forgotten=True))
        for id in outside:
            if id not in known:
                problem = f"no record has the id {id!r}, here or in the store"
                raise InvalidLine(name, seen.ends[id], problem, remedy="import it too")
        if replace_known or not known:
            return
        file.seek(0)
        for number, item in _parsed(file, name):
            if isinstance(item, Record) and item.id in known:
                stored = view.fetch([item.id], forgotten=True)[item.id]
                if _differs(item, stored):
                    raise InvalidLine(
                        name,
                        number,
                        f"the store has another record with the id {item.id!r}",
                        remedy="import with --replace to write over it",
                    )


def _differs(given: Record, stored: Record) -> bool:
    return _dated(given, stored.created_at, stored.updated_at) != stored


def _batches(
    store: Store,
    parsed: Iterable[tuple[int, Record | Version | Edge]],
    now: datetime,
    new_id: Callable[[Record], str],
) -> Iterator[Batch]:
    """Records first, then what hangs on them: an edge may stand before the record it ends at."""
    records: list[Record] = []
    rest: list[Version | Edge] = []
    for _, item in parsed:
        if not isinstance(item, Record):
            rest.append(item)
            continue
        records.append(item)
        if len(records) == COMMIT:
            yield Batch(now=now, records=_filled(store, records, now, new_id), verbatim=True)
            records = []
    if records:
        yield Batch(now=now, records=_filled(store, records, now, new_id), verbatim=True)
    for some in _chunks(rest):
        yield Batch(
            now=now,
            verbatim=True,
            versions=[item for item in some if isinstance(item, Version)],
            edges=[item for item in some if isinstance(item, Edge)],
        )


def _filled(
    store: Store, records: Sequence[Record], now: datetime, new_id: Callable[[Record], str]
) -> list[Record]:
    """Each with an id and dates. One that is known already keeps the dates that it has there."""
    undated = [record.id for record in records if not (record.created_at and record.updated_at)]
    known: dict[str, Record] = {}
    if any(undated):
        with store.snapshot() as view:
            known = view.fetch([id for id in undated if id], forgotten=True)
    filled = []
    for record in records:
        named = record if record.id else replace(record, id=new_id(record))
        stored = known.get(named.id)
        if stored and not _differs(named, stored):
            filled.append(_dated(named, stored.created_at, stored.updated_at))
        else:
            created = named.created_at or named.updated_at or now
            filled.append(_dated(named, created, created))
    return filled


def _dated(record: Record, created_at: datetime | None, updated_at: datetime | None) -> Record:
    if record.created_at and record.updated_at:
        return record
    return replace(
        record,
        created_at=record.created_at or created_at,
        updated_at=record.updated_at or updated_at,
    )


def _chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), COMMIT):
        yield items[start : start + COMMIT]
