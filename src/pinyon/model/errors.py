"""Errors: everything that Pinyon itself raises, in one tree, each with its remedy.

PinyonError
├── InvalidInput            what the caller gave cannot be used
│   ├── InvalidRecord       a field of a record or an edge has the wrong type, size or value
│   ├── InvalidLine         one line of a file, with its number
│   ├── DuplicateRecord     the id is taken
│   ├── DuplicateText       other records say the same
│   ├── SupersededRecord    another record stands in its place
│   ├── UnknownRecord       no record has this id
│   ├── UnknownProfile      no profile has this name
│   └── UnknownSetting      a profile has no such key, or the value does not fit it
├── StaleRecord             the record was changed by somebody else meanwhile
├── NotPermitted            this caller may not do this
│   └── NotRecognised       it is not known who calls: no token, or one that does not count
├── OutOfTime               it took longer than the caller would wait, or was stopped
└── StoreError              the file cannot be used
    ├── NoStore             there is no file, and this command does not make one
    ├── NotAStore           the file is not a Pinyon store
    ├── NewerStore          the file was written by a newer Pinyon
    ├── DamagedStore        the file is a store, but broken
    ├── ReadOnlyStore       the file or its folder cannot be written
    ├── BusyStore           another process held the file for too long
    └── FullDisk            the disk is full; nothing was written
"""

from collections.abc import Iterable


class PinyonError(Exception):
    """`problem` says what is wrong, `remedy` what to do about it; both are one line."""

    def __init__(self, problem: str, *, remedy: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.problem} ({self.remedy})" if self.remedy else self.problem


class InvalidInput(PinyonError):
    """What the caller gave cannot be used."""


class InvalidRecord(InvalidInput):
    """`field` names the part of the record or edge that cannot be stored."""

    def __init__(self, field: str, problem: str, *, remedy: str = "") -> None:
        super().__init__(f"{field}: {problem}", remedy=remedy)
        self.field = field


class InvalidLine(InvalidInput):
    """`line` is the number, from 1, of the line that cannot be read."""

    def __init__(self, where: str, line: int, problem: str, *, remedy: str = "") -> None:
        super().__init__(f"{where}, line {line}: {problem}", remedy=remedy)
        self.line = line


class DuplicateRecord(InvalidInput):
    """A record with this id exists already."""

    def __init__(self, id: str) -> None:
        super().__init__(
            f"there is already a record with the id {id!r}",
            remedy="change it with update, or save with replace",
        )
        self.id = id


class DuplicateText(InvalidInput):
    """`ids` are the records that say the same, most alike first."""

    def __init__(self, ids: Iterable[str]) -> None:
        self.ids = tuple(ids)
        super().__init__(
            f"this is already said by {_named(self.ids)}",
            remedy="update that one, or save with duplicates keep, merge or supersede",
        )


class SupersededRecord(InvalidInput):
    """`latest` are the records that stand in the place of the record `id`."""

    def __init__(self, id: str, latest: Iterable[str]) -> None:
        self.id = id
        self.latest = tuple(latest)
        super().__init__(
            f"{id!r} was superseded already", remedy=f"correct the latest: {_named(self.latest)}"
        )


class UnknownRecord(InvalidInput):
    """`ids` are those that no record has."""

    def __init__(self, ids: Iterable[str]) -> None:
        self.ids = tuple(ids)
        super().__init__(f"no record has the id {_named(self.ids)}", remedy="search for it first")


class UnknownProfile(InvalidInput):
    """`known` lists the profiles that there are."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.known = tuple(known)
        super().__init__(f"no profile {name!r}", remedy=f"known: {', '.join(self.known)}")


class UnknownSetting(InvalidInput):
    """`known` lists the keys or values that would have been right."""

    def __init__(self, problem: str, known: Iterable[str] = (), *, remedy: str = "") -> None:
        self.known = tuple(known)
        listed = f"known: {', '.join(self.known)}" if self.known else ""
        super().__init__(problem, remedy=remedy or listed)


class StaleRecord(PinyonError):
    """The record is no longer at the version that the change was based on."""

    def __init__(self, id: str, expected: int, found: int) -> None:
        super().__init__(
            f"{id!r} is at version {found}, not {expected}",
            remedy="read it again and repeat the change",
        )
        self.id = id


class NotPermitted(PinyonError):
    """This caller may not do this."""


class NotRecognised(NotPermitted):
    """It is not known who calls: there is no token, or one that does not count."""


class OutOfTime(PinyonError):
    """It took longer than the caller would wait, or the caller stopped it."""


class StoreError(PinyonError):
    """The file cannot be used."""


class NoStore(StoreError):
    """There is no file, and this command does not make one."""


class NotAStore(StoreError):
    """The file is not a Pinyon store."""


class NewerStore(StoreError):
    """The file was written by a newer Pinyon."""


class DamagedStore(StoreError):
    """The file is a store, but broken."""


class ReadOnlyStore(StoreError):
    """The file or its folder cannot be written."""


class BusyStore(StoreError):
    """Another process held the file for too long."""


class FullDisk(StoreError):
    """The disk is full; nothing was written."""


def _named(ids: tuple[str, ...]) -> str:
    more = f" and {len(ids) - 5} more" if len(ids) > 5 else ""
    return ", ".join(repr(id) for id in ids[:5]) + more
