"""Incremental: an index run follows what happened to the files, and only that."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pinyon.index.pipeline import Progress, Report, index_folder
from pinyon.model.errors import InvalidInput
from pinyon.model.record import Edge, Record
from pinyon.store.contract import Batch, Receipt
from pinyon.store.memory import MemoryStore
from pinyon.store.questions import Edges, Folders
from tests.index.folders import MAY, NOW, index, known, records, revision, touch, write

JUNE = datetime(2024, 6, 1, tzinfo=UTC)


def test_a_first_run_reports_what_it_found(tmp_path: Path) -> None:
    root = write(tmp_path / "notes", {"a.md": "# A\n\n## B\n", "sub/b.txt": "text", "c.png": "no"})
    assert index(MemoryStore(), root) == Report(
        folder="notes",
        added=3,
        changed=0,
        renamed=0,
        removed=0,
        unchanged=0,
        records=3,
        skipped=(),
        warnings=(),
    )


@pytest.mark.proves("S16", part="notes")
def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    commits: list[Batch] = []

    class Watched(MemoryStore):
        def commit(self, batch: Batch) -> Receipt:
            commits.append(batch)
            return super().commit(batch)

    store, root = Watched(), write(tmp_path / "notes", {"a.md": "# A", "b.txt": "text"})
    index(store, root)
    commits.clear()
    before = revision(store)
    report = index(store, root)
    assert (report.unchanged, report.records) == (2, 0)
    assert (commits, revision(store)) == ([], before)


@pytest.mark.proves("S16", part="notes")
def test_a_file_of_the_same_date_and_size_is_not_read(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path / "notes", {"a.txt": "old text"})
    index(store, root)
    write(root, {"a.txt": "new text"})  # as long, and with the same date
    assert index(store, root).unchanged == 1
    assert records(store)["notes/a.txt"].body == "old text"


@pytest.mark.proves("S16", part="notes")
def test_a_file_with_another_date_but_the_same_content_keeps_its_records(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path / "notes", {"a.txt": "text"})
    index(store, root)
    before = records(store)
    touch(root / "a.txt", JUNE)
    assert index(store, root).unchanged == 1
    assert records(store) == before
    assert known(store, "notes")["a.txt"].modified_ns == JUNE.timestamp() * 1e9


@pytest.mark.proves("S16", part="notes")
def test_an_edited_file_loses_the_sections_that_it_no_longer_has(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path / "notes", {"a.md": "# A\n## One\n## Two\n"})
    index(store, root)
    write(root, {"a.md": "# A\n## Two\n## Three\n"}, JUNE)
    assert index(store, root).changed == 1
    assert sorted(records(store)) == ["notes/a.md", "notes/a.md#three", "notes/a.md#two"]


@pytest.mark.proves("S16", part="notes")
def test_a_deleted_file_leaves_no_trace(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path / "notes", {"a.md": "# A\n## One\n", "b.md": "# B"})
    index(store, root)
    (root / "a.md").unlink()
    assert index(store, root).removed == 1
    assert (sorted(records(store)), sorted(known(store, "notes"))) == (["notes/b.md"], ["b.md"])


@pytest.mark.proves("S16", part="notes")
def test_a_renamed_file_keeps_its_links_and_its_first_date(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path / "notes", {"a.md": "# A\n## One\n", "z.md": "# Z"})
    index(store, root)
    link = Edge("notes/a.md#one", "supports", "notes/z.md", created_at=NOW)
    store.commit(Batch(now=NOW, edges=[link]))
    (root / "sub").mkdir()
    (root / "a.md").rename(root / "sub" / "b.md")
    touch(root / "sub" / "b.md", JUNE)
    report = index(store, root)
    assert (report.renamed, report.added, report.removed) == (1, 0, 0)
    assert sorted(records(store)) == ["notes/sub/b.md", "notes/sub/b.md#one", "notes/z.md"]
    moved = records(store)["notes/sub/b.md#one"]
    assert (moved.created_at, moved.updated_at) == (MAY, JUNE)
    assert (moved.source, moved.scope) == ("notes/sub/b.md", "notes/sub")
    with store.snapshot() as view:
        edges = view.survey(Edges(("notes/z.md",)))
    made = [(edge.from_id, edge.to_id) for edge in edges if edge.relation == "supports"]
    assert made == [("notes/sub/b.md#one", "notes/z.md")]


def test_an_edit_keeps_the_date_when_a_section_was_first_seen(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path / "notes", {"a.md": "# A\nold"})
    index(store, root)
    write(root, {"a.md": "# A\nnew text"}, JUNE)
    index(store, root)
    record = records(store)["notes/a.md"]
    assert (record.body, record.created_at, record.updated_at) == ("new text", MAY, JUNE)


def test_indexing_keeps_no_history(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path / "notes", {"a.md": "# A\nold"})
    index(store, root)
    write(root, {"a.md": "# A\nnew text"}, JUNE)
    index(store, root)
    with store.snapshot() as view:
        assert list(view.all_versions()) == []


def test_a_record_that_was_purged_by_hand_does_not_stop_a_run(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path / "notes", {"a.md": "# A\n## One\n", "b.md": "# B"})
    index(store, root)
    store.commit(Batch(now=NOW, purge=["notes/a.md#one", "notes/b.md"]))
    (root / "a.md").unlink()
    (root / "b.md").rename(root / "c.md")
    index(store, root)
    assert sorted(records(store)) == ["notes/c.md"]


def test_a_rename_onto_an_id_that_somebody_saved_takes_its_place(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path / "notes", {"a.txt": "text"})
    index(store, root)
    mine = Record(id="notes/b.txt", title="mine", created_at=NOW, updated_at=NOW)
    store.commit(Batch(now=NOW, records=[mine]))
    (root / "a.txt").rename(root / "b.txt")
    index(store, root)
    assert {id: record.body for id, record in records(store).items()} == {"notes/b.txt": "text"}


def test_a_forgotten_record_comes_back_when_its_file_changes(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path / "notes", {"a.txt": "old"})
    index(store, root)
    store.commit(Batch(now=NOW, forget=["notes/a.txt"]))
    index(store, root)
    assert records(store)["notes/a.txt"].deleted_at == NOW
    write(root, {"a.txt": "new text"}, JUNE)
    index(store, root)
    assert records(store)["notes/a.txt"].deleted_at is None


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user without all rights")
def test_what_cannot_be_opened_keeps_what_was_known(tmp_path: Path) -> None:
    store = MemoryStore()
    root = write(tmp_path / "notes", {"a.txt": "text", "sub/b.txt": "text below"})
    index(store, root)
    before = records(store)
    write(root, {"a.txt": "new text"}, JUNE)
    (root / "a.txt").chmod(0)
    (root / "sub").chmod(0)
    try:
        report = index(store, root)
    finally:
        (root / "sub").chmod(0o700)
    assert [(each.path, each.reason) for each in report.skipped] == [
        ("a.txt", "cannot be read: Permission denied"),
        ("sub", "cannot be listed: Permission denied"),
    ]
    assert records(store) == before


def test_a_file_that_vanishes_while_it_is_read_is_reported(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path / "notes", {"a.txt": "one", "b.txt": "two"})

    def remove_b(progress: Progress) -> None:
        (root / "b.txt").unlink(missing_ok=True)

    report = index_folder(store, root, now=NOW, progress=remove_b)
    assert [(each.path, each.reason) for each in report.skipped] == [
        ("b.txt", "cannot be read: No such file or directory")
    ]
    assert sorted(records(store)) == ["notes/a.txt"]


def test_text_that_is_not_utf8_is_reported_and_keeps_what_was_known(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path / "notes", {"a.txt": "früher"})
    index(store, root)
    write(root, {"a.txt": "jetzt, schön".encode("latin-1"), "b.txt": "\ufeffmarked"}, JUNE)
    report = index(store, root)
    assert [(each.path, each.reason) for each in report.skipped] == [("a.txt", "not UTF-8 text")]
    assert {id: record.body for id, record in records(store).items()} == {
        "notes/a.txt": "früher",
        "notes/b.txt": "marked",
    }


def test_a_file_that_became_binary_leaves_the_store(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path / "notes", {"a.txt": "text"})
    index(store, root)
    write(root, {"a.txt": b"PK\x00\x01"}, JUNE)
    report = index(store, root)
    assert [(each.path, each.reason) for each in report.skipped] == [("a.txt", "not text")]
    assert (report.removed, records(store), known(store, "notes")) == (1, {}, {})


def test_a_run_that_is_stopped_is_made_good_by_the_next(tmp_path: Path) -> None:
    root = write(tmp_path / "notes", {f"{name}.txt": name for name in "abcdef"})
    store = MemoryStore()

    def stop(progress: Progress) -> None:
        if progress.path == "d.txt":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index_folder(store, root, now=NOW, progress=stop)
    index(store, root)
    assert sorted(records(store)) == [f"notes/{name}.txt" for name in "abcdef"]


def test_progress_counts_up_to_all_files(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path / "notes", {"a.txt": "one"})
    index(store, root)
    write(root, {"b.txt": "two", "c.txt": "three"})
    seen: list[Progress] = []
    index_folder(store, root, now=NOW, progress=seen.append)
    assert seen == [Progress(1, 3, "b.txt"), Progress(2, 3, "c.txt"), Progress(3, 3, "")]


def test_folders_of_the_same_name_get_numbers_and_keep_them(tmp_path: Path) -> None:
    store = MemoryStore()
    roots = [write(tmp_path / place / "notes", {"a.txt": place}) for place in ("x", "y", "z")]
    names = [index(store, root).folder for root in [*roots, *roots]]
    assert names == ["notes", "notes-2", "notes-3"] * 2
    with store.snapshot() as view:
        assert view.survey(Folders()) == {
            name: str(root.resolve()) for name, root in zip(names[:3], roots, strict=True)
        }


def test_a_folder_inside_an_indexed_one_is_a_folder_of_its_own(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path / "notes", {"plans/a.txt": "text"})
    index(store, root)
    index(store, root / "plans")
    assert sorted(records(store)) == ["notes/plans/a.txt", "plans/a.txt"]


def test_a_root_may_be_a_single_file(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path, {"plan.md": "# Plan", "other.md": "# Other"})
    index(store, root / "plan.md")
    record = records(store)["plan/plan.md"]
    assert (list(records(store)), record.scope) == (["plan/plan.md"], "plan")


@pytest.mark.proves("G8")
def test_a_file_that_nothing_reads_is_known_by_its_path(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path, {"trip/big-photo_1.png": b"png"})
    report = index(store, root / "trip" / "big-photo_1.png")
    assert (report.added, report.records, report.skipped) == (1, 0, ())
    with store.snapshot() as view:
        (record,) = view.records()
    assert (record.id, record.kind, record.title) == (
        "file:big-photo_1/big-photo_1.png",
        "file",
        "big-photo_1.png",
    )
    assert record.context == "big photo 1 png"
    assert record.body == ""


@pytest.mark.parametrize("name", ["missing", "nul\x00in it"])
def test_a_root_that_does_not_exist_is_refused_with_a_remedy(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match="there is no folder or file") as raised:
        index(MemoryStore(), tmp_path / name)
    assert raised.value.remedy == "check the spelling of the path"
