"""Group: hits that belong together become one: the best of them, with the ids of the others.

The id of a part begins with the id of what it is a part of: `PATH#heading` is a section of `PATH`,
`PATH#heading^task-name` a task in it, `PATH#Class.method` a method of `PATH#Class`. So what may
contain a record can be read from its id; whether there is such a record, the store says.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

from pinyon.model.record import Record
from pinyon.search.present.hits import Standing

Fetch = Callable[[Sequence[str]], Mapping[str, Record]]


def group(
    standing: Sequence[Standing], shown: Collection[Record], by: str, fetch: Fetch
) -> list[Standing]:
    """One for each file or record, in the order of the best. What is of one group with a record
    that was `shown` before is left out."""
    key = KEYS[by]([*(each.record for each in standing), *shown], fetch)
    gone = {key[record.id] for record in shown}
    groups: dict[str, list[Standing]] = {}
    for each in standing:
        if key[each.record.id] not in gone:
            groups.setdefault(key[each.record.id], []).append(each)
    return [
        best._replace(more=tuple(each.record.id for each in others))
        for best, *others in groups.values()
    ]


def _files(records: Sequence[Record], fetch: Fetch) -> dict[str, str]:
    """The file or address that each record came from. What came from none is alone."""
    return {record.id: record.source or f"@{record.id}" for record in records}


def _tops(records: Sequence[Record], fetch: Fetch) -> dict[str, str]:
    """The topmost record that each one is a part of, or itself. Lines of a file of records, pages
    of a PDF and turns of a conversation are parts of a file only, so each is for itself."""
    above = {record.id: _above(record) for record in records}
    there = fetch(sorted({id for ids in above.values() for id in ids}))
    return {id: next((each for each in ids if each in there), id) for id, ids in above.items()}


def _above(record: Record) -> list[str]:
    """The ids of what it may be a part of, the topmost first."""
    path, sharp, name = record.id.partition("#")
    if not sharp:
        return []
    if record.kind == "code":  # PATH is what stands outside of all classes: it contains none
        parts = name.split(".")
        return [f"{path}#{'.'.join(parts[:end])}" for end in range(1, len(parts))]
    section, task, _ = record.id.rpartition("^task-")
    return [path, section] if task else [path]


KEYS: Mapping[str, Callable[[Sequence[Record], Fetch], dict[str, str]]] = {
    "file": _files,
    "record": _tops,
}
