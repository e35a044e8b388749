"""Apply: one moment and a batch in, the next moment and a receipt out."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from pinyon.model.errors import DuplicateRecord, InvalidRecord, StaleRecord, UnknownRecord
from pinyon.model.record import Record, Version
from pinyon.store.contract import Batch, Receipt
from pinyon.store.memory.models import drop, switch, use
from pinyon.store.memory.queue import keep_vectors, note_failures, retry
from pinyon.store.memory.state import State, detached, identity
from pinyon.store.memory.usage import give, rename


def apply(state: State, batch: Batch) -> tuple[State, Receipt]:
    """Leaves the given state alone, also when it raises."""
    work = _Work(state.copy(), batch)
    for step in STEPS:
        step(work)
    if work.written or work.removed or not work.state.same_content(state):
        work.state.revision += 1
    receipt = Receipt(work.state.revision, tuple(work.written), tuple(work.removed), work.unchanged)
    return work.state, receipt


@dataclass(slots=True)
class _Work:
    """`written` and `removed` are dicts for their order and because an id stands there once."""

    state: State
    batch: Batch
    written: dict[str, None] = field(default_factory=dict)
    removed: dict[str, None] = field(default_factory=dict)
    unchanged: int = 0

    def live(self, id: str) -> Record | None:
        record = self.state.records.get(id)
        return record if record and record.deleted_at is None else None

    def overwrite(self, old: Record, new: Record, change: str) -> None:
        """Without a history there is nothing to number: the version stays."""
        number = old.version
        if self.batch.keep_history:
            kept = self.state.versions.setdefault(old.id, {})
            kept[number] = Version(old, change, self.batch.now)
            number += 1
        self.state.put(replace(new, version=number))


def _move(work: _Work) -> None:
    for old, new in work.batch.moves.items():
        if not work.live(old):
            raise UnknownRecord([old])
        if work.live(new):
            raise DuplicateRecord(new)
        work.state.erase(new)
        _rename(work.state, old, new)
        work.written[new] = None
        work.removed[old] = None
        work.removed.pop(new, None)


def _rename(state: State, old: str, new: str) -> None:
    versions = state.versions.get(old, {})
    edges = [edge for edge in state.edges.values() if old in (edge.from_id, edge.to_id)]
    record = state.records[old]
    rename(state, old, new)
    state.passages[new] = state.passages.pop(old, ())  # they do not depend on the id
    state.erase(old)
    state.put(replace(record, id=new))
    if versions:
        state.versions[new] = {
            number: replace(version, record=replace(version.record, id=new))
            for number, version in versions.items()
        }
    for edge in edges:
        ends = [new if id == old else id for id in (edge.from_id, edge.to_id)]
        moved = replace(edge, from_id=ends[0], to_id=ends[1])
        state.edges[identity(moved)] = moved


def _check_expected(work: _Work) -> None:
    for id, expected in work.batch.expect.items():
        record = work.live(id)
        found = record.version if record else 0
        if record and expected == 0:
            raise DuplicateRecord(id)
        if found != expected:
            raise StaleRecord(id, expected, found)


def _write(work: _Work) -> None:
    for record in work.batch.records:
        for name in ("created_at", "updated_at"):
            if getattr(record, name) is None:
                raise InvalidRecord(name, f"{record.id!r} has none", remedy="save by the engine")
        old = work.state.records.get(record.id)
        if old and _equal(old, record, work.batch.verbatim):
            work.unchanged += 1
            continue
        work.written[record.id] = None
        if work.batch.verbatim:
            work.state.put(record)
        elif old:
            change = "updated" if old.deleted_at is None else "restored"
            work.overwrite(old, replace(record, deleted_at=None), change)
        else:
            work.state.put(replace(record, version=1, deleted_at=None))


def _equal(old: Record, new: Record, verbatim: bool) -> bool:
    """Saving the same words again later is no change, so `updated_at` does not count; but what was
    forgotten comes back even with the same words."""
    if verbatim:
        return old == new
    same = replace(new, version=old.version, deleted_at=None, updated_at=old.updated_at)
    return old == same


def _add_versions(work: _Work) -> None:
    for version in work.batch.versions:
        kept = work.state.versions.setdefault(version.record.id, {})
        kept[version.record.version] = replace(version, record=detached(version.record))


def _forget(work: _Work) -> None:
    found = {id: work.live(id) for id in work.batch.forget}
    _raise_for_missing(found)
    for id, record in found.items():
        if record:
            work.overwrite(record, replace(record, deleted_at=work.batch.now), "forgotten")
            work.removed[id] = None


def _purge(work: _Work) -> None:
    found = {id: work.state.records.get(id) for id in work.batch.purge}
    _raise_for_missing(found)
    for id in found:
        work.state.erase(id)
        work.removed[id] = None


def _raise_for_missing(found: dict[str, Record | None]) -> None:
    unknown = [id for id, record in found.items() if record is None]
    if unknown:
        raise UnknownRecord(unknown)


def _rename_tags(work: _Work) -> None:
    for old_name, new_name in work.batch.rename_tags.items():
        for record in work.state.live().values():
            renamed = (new_name if tag == old_name else tag for tag in record.tags)
            tags = tuple(dict.fromkeys(renamed))
            if tags != record.tags and old_name in record.tags:
                new = replace(record, tags=tags, updated_at=work.batch.now)
                work.overwrite(record, new, "updated")
                work.written[record.id] = None


def _link(work: _Work) -> None:
    ends = [id for edge in work.batch.edges for id in (edge.from_id, edge.to_id)]
    found = work.state.records.get if work.batch.verbatim else work.live
    unknown = [id for id in ends if not id.startswith("@") and not found(id)]
    if unknown:
        raise UnknownRecord(dict.fromkeys(unknown))
    for edge in work.batch.edges:
        work.state.edges[identity(edge)] = edge


def _unlink(work: _Work) -> None:
    for edge in work.batch.unlink:
        work.state.edges.pop(identity(edge), None)


def _follow_folders(work: _Work) -> None:
    state = work.state
    for name, path in work.batch.folders.items():
        if path is None:
            state.folders.pop(name, None)
            state.files.pop(name, None)
        else:
            state.folders[name] = path
    for name, files in work.batch.files.items():
        state.files.setdefault(name, {}).update({file.path: file for file in files})
    for name, paths in work.batch.gone_files.items():
        for path in paths:
            state.files.get(name, {}).pop(path, None)


def _set(work: _Work) -> None:
    for key, value in work.batch.settings.items():
        if value is None:
            work.state.settings.pop(key, None)
        else:
            work.state.settings[key] = value


def _give(work: _Work) -> None:
    given = work.batch.feedback
    _raise_for_missing({one.id: work.state.records.get(one.id) for one in given})
    give(work.state, given)


def _use(work: _Work) -> None:
    if work.batch.use is not None:
        use(work.state, work.batch.use)


def _drop(work: _Work) -> None:
    drop(work.state, work.batch.drop)


def _embed(work: _Work) -> None:
    for model, vectors in work.batch.vectors.items():
        keep_vectors(work.state, model, vectors)
    for model, failures in work.batch.failures.items():
        note_failures(work.state, model, failures)
    for model in work.batch.retry:
        retry(work.state, model)


def _switch(work: _Work) -> None:
    switch(work.state)


STEPS: tuple[Callable[[_Work], None], ...] = (
    _move,
    _check_expected,
    _write,
    _add_versions,
    _forget,
    _purge,
    _rename_tags,
    _link,
    _unlink,
    _follow_folders,
    _set,
    _give,
    _use,
    _drop,
    _embed,
    _switch,
)
