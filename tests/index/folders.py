"""Folders: small worlds on the disk, and what a store holds of them."""

import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from pinyon.index.pipeline import Report, index_folder
from pinyon.model.record import Record
from pinyon.store.contract import Store
from pinyon.store.questions import Files, FileState

NOW = datetime(2024, 6, 1, tzinfo=UTC)
MAY = datetime(2024, 5, 1, tzinfo=UTC)
"""The date of a file that `write` writes, unless it is told another."""


def write(root: Path, files: Mapping[str, str | bytes], modified: datetime = MAY) -> Path:
    """Put files below root, each with the same date of change."""
    for path, content in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        touch(file, modified)
    return root


def touch(file: Path, modified: datetime) -> None:
    os.utime(file, (modified.timestamp(), modified.timestamp()))


def index(store: Store, root: Path) -> Report:
    return index_folder(store, root, now=NOW)


def records(store: Store) -> dict[str, Record]:
    """Those of the texts, not those of the files themselves."""
    with store.snapshot() as view:
        everything = view.records(forgotten=True)
        return {record.id: record for record in everything if record.kind != "file"}


def texts(store: Store) -> dict[str, Record]:
    """Every record without its dates and its version, which tell what happened before."""
    return {
        id: replace(record, created_at=None, updated_at=None, version=1)
        for id, record in records(store).items()
    }


def known(store: Store, folder: str) -> dict[str, FileState]:
    with store.snapshot() as view:
        return view.survey(Files(folder))


def revision(store: Store) -> int:
    with store.snapshot() as view:
        return view.revision
