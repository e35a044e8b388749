"""VFS: a disk that fails at a chosen call, under the SQLite that the store itself uses.

SQLite calls the system through a table, which APSW lets us change: so its own code meets the error,
with its own log, its own shared memory and its own way to undo. Only `fsync` is not in that table;
it is refused one level above, by a VFS over the usual one. What is mapped into memory is read
without a call; there the mapping itself is refused, and SQLite reads by calls instead.
"""

import ctypes
import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import apsw

_INT, _SIZE, _LONG = ctypes.c_int, ctypes.c_size_t, ctypes.c_longlong
_TEXT, _POINTER, _COUNT = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_ssize_t

_CALLS: dict[str, tuple[Any, ...]] = {
    "pread64": (_COUNT, _INT, _POINTER, _SIZE, _LONG),
    "pread": (_COUNT, _INT, _POINTER, _SIZE, _LONG),
    "pwrite64": (_COUNT, _INT, _POINTER, _SIZE, _LONG),
    "pwrite": (_COUNT, _INT, _POINTER, _SIZE, _LONG),
    "ftruncate": (_INT, _INT, _LONG),
    "open": (_INT, _TEXT, _INT, _INT),
    "openDirectory": (_INT, _TEXT, _POINTER),
    "unlink": (_INT, _TEXT),
    "fstat": (_INT, _INT, _POINTER),
    "mmap": (_POINTER, _POINTER, _SIZE, _INT, _INT, _INT, _LONG),
}
"""What a call gives and takes. A system has one of the two names for reading and for writing."""

_PROT_WRITE = 2
_MAP_FAILED = ctypes.c_void_p(-1).value


@dataclass(frozen=True, slots=True)
class Fault:
    """One way to fail: which calls do, and with which error. A `short` one writes a half first."""

    calls: tuple[str, ...]
    error: int
    short: bool = False


_WRITE = ("pwrite64", "pwrite")
FAULTS = {
    "a write that fails": Fault(_WRITE, errno.EIO),
    "a write on a full disk": Fault(_WRITE, errno.ENOSPC),
    "half a write on a full disk": Fault(_WRITE, errno.ENOSPC, short=True),
    "a read that fails": Fault(("pread64", "pread"), errno.EIO),
    "a cut that fails": Fault(("ftruncate",), errno.EIO),
    "a file that does not open": Fault(("open", "openDirectory"), errno.EMFILE),
    "a file that cannot be removed": Fault(("unlink",), errno.EIO),
    "a file that does not say its size": Fault(("fstat",), errno.EIO),
    "shared memory that there is not": Fault(("mmap",), errno.ENOMEM),
    "a sync that fails": Fault(("sync",), errno.EIO),
}


@dataclass(slots=True)
class Disk:
    """Counts the calls of a fault, and lets one of them fail; with `lasting` all after it, too."""

    fault: Fault
    at: int = 0
    lasting: bool = False
    count: int = 0
    failed: int = 0

    def arm(self, at: int, *, lasting: bool = False) -> None:
        """From now on, the call number `at` fails; 0 is none."""
        self.at, self.lasting, self.count, self.failed = at, lasting, 0, 0

    def fails(self, call: str) -> bool:
        """Asked at each call."""
        if call not in self.fault.calls:
            return False
        self.count += 1
        failing = bool(self.at) and (
            self.count >= self.at if self.lasting or self.fault.short else self.count == self.at
        )
        if self.fault.short and self.count > self.at + 1 and not self.lasting:
            failing = False
        self.failed += failing
        return failing


@contextmanager
def failing_disk(fault: Fault) -> Iterator[Disk]:
    """A disk for this process, until the end of the `with`; nothing fails before it is armed. Every
    connection is to be opened and closed inside."""
    disk = Disk(fault)
    with _refused_syncs(disk) if "sync" in fault.calls else _changed_calls(disk):
        yield disk


@contextmanager
def _changed_calls(disk: Disk) -> Iterator[None]:
    table = apsw.VFS("pinyon-table", "unix")
    kept = []
    try:
        for name, (gives, *takes) in _CALLS.items():
            with suppress(apsw.NotFoundError):
                address = table.xGetSystemCall(name)
                if address is None:
                    continue
                shape = ctypes.CFUNCTYPE(gives, *takes, use_errno=True)
                replaced = shape(_call(disk, name, shape(address)))
                kept.append(replaced)
                table.xSetSystemCall(name, ctypes.cast(replaced, _POINTER).value or 0)
        yield
    finally:
        table.xSetSystemCall(None, 0)
        table.unregister()


def _call(disk: Disk, name: str, real: Callable[..., int]) -> Callable[..., int]:
    """The call `name`, which fails when the disk says so."""

    def call(*given: Any) -> int:
        if name == "mmap" and not given[2] & _PROT_WRITE:  # the file itself: read it by calls
            return _refuse(errno.ENOMEM, name)
        if not disk.fails(name):
            return real(*given)
        if disk.fault.short and disk.count == disk.at:
            return real(*given[:2], max(1, given[2] // 2), *given[3:])
        return _refuse(disk.fault.error, name)

    return call


def _refuse(error: int, name: str) -> int:
    ctypes.set_errno(error)
    return _MAP_FAILED or -1 if name == "mmap" else -1


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self._disk = disk

    def xSync(self, flags: int) -> None:
        if self._disk.fails("sync"):
            raise apsw.exception_for(apsw.SQLITE_IOERR_FSYNC)
        super().xSync(flags)

    def xLock(self, level: int) -> None:
        try:
            super().xLock(level)
        except apsw.IOError:
            # A reader that is the last to leave asks for a lock that it cannot have. SQLite does
            # not mind, but APSW would raise it; "busy" is what it takes for an answer.
            raise apsw.BusyError from None


class _Syncing(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        super().__init__("pinyon-syncing", "unix", makedefault=True)
        self._disk = disk

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        return _File(self._disk, name, flags)


@contextmanager
def _refused_syncs(disk: Disk) -> Iterator[None]:
    vfs = _Syncing(disk)
    try:
        yield
    finally:
        vfs.unregister()
