"""Walk: what of a folder is read, and what never is."""

import os
from pathlib import Path

import pytest

from pinyon.index.compare import compare
from pinyon.index.parse import MOST_BYTES, most_bytes
from pinyon.index.source.folder import Skipped, walk
from pinyon.index.source.secrets import secret
from pinyon.store.memory import MemoryStore
from pinyon.store.questions import FileState
from tests.index.folders import index, known, records, write


def paths(root: Path) -> list[str]:
    return [file.path for file in walk(root, most_bytes).files]


def test_files_come_sorted_by_path_with_date_and_size(tmp_path: Path) -> None:
    write(tmp_path, {"b/z.md": "1", "b.md": "22", "a.md": "333"})
    walked = walk(tmp_path, most_bytes)
    assert [(file.path, file.size, file.digest) for file in walked.files] == [
        ("a.md", 3, ""),
        ("b.md", 2, ""),
        ("b/z.md", 1, ""),
    ]


def test_hidden_files_and_folders_are_not_there(tmp_path: Path) -> None:
    write(tmp_path, {".hidden.md": "x", ".git/notes.md": "x", "seen.md": "x"})
    assert (paths(tmp_path), walk(tmp_path, most_bytes).skipped) == (["seen.md"], ())


def test_rules_count_below_their_folder_and_the_deepest_decides(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "*.txt\n/top.md\nbuild/\n",
            "top.md": "ignored here",
            "a.txt": "ignored",
            "build/kept-out.md": "its folder is ignored",
            "sub/.gitignore": "!keep.txt\n*.md\n",
            "sub/keep.txt": "taken back in",
            "sub/other.txt": "ignored from above",
            "sub/top.md": "ignored by the rule beside it",
            "sub/deep/.gitignore": "!*.md\nkeep.txt\n",
            "sub/deep/keep.txt": "ignored again",
            "sub/deep/top.md": "taken back in",
            "other/top.md": "the rule for top.md is tied to its own folder",
        },
    )
    assert paths(tmp_path) == ["other/top.md", "sub/deep/top.md", "sub/keep.txt"]


def test_only_what_is_named_again_is_read_where_all_is_ignored(tmp_path: Path) -> None:
    write(
        tmp_path, {".gitignore": "*\n!*/\n!*.md\n", "a/b/c.md": "x", "a/b/c.txt": "x", "d.txt": "x"}
    )
    assert paths(tmp_path) == ["a/b/c.md"]


def test_what_is_in_an_ignored_folder_cannot_be_taken_back_in(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "out\n!out/a.md\n", "out/a.md": "x", "b.md": "x"})
    assert paths(tmp_path) == ["b.md"]


def test_our_own_ignore_file_has_the_last_word(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "drafts/\n",
            ".pinyonignore": "!drafts/\nlog.md\n",
            "drafts/a.md": "x",
            "log.md": "x",
        },
    )
    assert paths(tmp_path) == ["drafts/a.md"]


def test_a_line_that_makes_no_sense_spoils_no_other(tmp_path: Path) -> None:
    write(
        tmp_path,
        {".gitignore": b"!\n\\\n[\n\xff\xfe\n# remark\n\na.md\r\n", "a.md": "x", "b.md": "x"},
    )
    assert paths(tmp_path) == ["b.md"]


def test_a_file_that_is_ignored_from_now_on_leaves_the_store(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path / "notes", {"a.md": "# A", "b.md": "# B"})
    index(store, root)
    write(root, {".pinyonignore": "a.md\n"})
    assert index(store, root).removed == 1
    assert list(records(store)) == ["notes/b.md"]


def test_secrets_are_never_read(tmp_path: Path) -> None:
    hidden = {".env": "x", ".env.md": "x", ".netrc": "x", ".npmrc": "x"}
    files = {
        "id_rsa": "x",
        "server.pem": "x",
        "secrets.md": "x",
        "Credentials.TXT": "x",
        "id_rsa.txt": "x",
    }
    store = MemoryStore()
    root = write(tmp_path / "notes", {**hidden, **files, "plan.md": "# Plan"})
    report = index(store, root)
    assert report.skipped == tuple(
        Skipped(path, "may hold secrets")
        for path in ("Credentials.TXT", "id_rsa", "id_rsa.txt", "secrets.md", "server.pem")
    )
    assert list(records(store)) == ["notes/plan.md"]
    assert list(known(store, "notes")) == ["plan.md"]


def test_a_secret_is_not_read_when_it_is_the_root_itself(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path, {"secrets.md": "x"})
    assert index(store, root / "secrets.md").skipped == (Skipped("secrets.md", "may hold secrets"),)
    assert (records(store), known(store, "secrets")) == ({}, {})


@pytest.mark.parametrize(
    "name",
    [
        ".env",
        ".env.local",
        "prod.env",
        "id_ed25519",
        "id_ed25519.pub",
        "ID_RSA.bak",
        "a.PEM",
        "a.key",
        "a.p12",
        "a.pfx",
        "a.kdbx",
        "a.keystore",
        ".netrc",
        ".npmrc",
        ".pypirc",
        ".htpasswd",
        "credentials",
        "credentials.json",
        "secrets.yaml",
        "vpn.ovpn",
        "token.json",
        "access-token.json",
        "terraform.tfstate.backup",
        "kubeconfig",
    ],
)
def test_a_name_that_may_hold_secrets_is_known(name: str) -> None:
    assert secret(name)


@pytest.mark.parametrize(
    "name",
    [
        "environment.md",
        "keyboard.md",
        "tokens.md",
        "tokenizer.json",
        "secretary.md",
        "monkey.txt",
        "about-secrets.md",
        "key.md",
        "pem.txt",
        "README",
        "reset-password.md",
    ],
)
def test_a_name_that_only_sounds_secret_is_read(name: str) -> None:
    assert not secret(name)


def test_binaries_and_large_files_are_reported(tmp_path: Path) -> None:
    store = MemoryStore()
    root = write(
        tmp_path / "notes",
        {
            "binary.txt": b"MZ\x00\x01",
            "large.txt": b"x" * (MOST_BYTES + 1),
            "largest.txt": b"x" * MOST_BYTES,
            "image.png": b"\x89PNG\x00",
        },
    )
    assert index(store, root).skipped == (
        Skipped("binary.txt", "not text"),
        Skipped("large.txt", "larger than 2,000,000 bytes"),
    )
    assert list(records(store)) == ["notes/largest.txt"]


def test_a_nul_far_behind_the_beginning_is_left_out_of_the_text(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path / "notes", {"a.txt": "x" * 8192 + "a\x00b"})
    index(store, root)
    assert records(store)["notes/a.txt"].body == "x" * 8192 + "ab"


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_are_not_followed(tmp_path: Path) -> None:
    root = write(tmp_path / "notes", {"sub/a.md": "x"})
    write(tmp_path, {"outside.md": "x", "rules": "a.md\n"})
    (root / "sub" / "loop").symlink_to(root, target_is_directory=True)
    (root / "outside.md").symlink_to(tmp_path / "outside.md")
    (root / "broken.md").symlink_to(root / "nothing.md")
    (root / ".gitignore").symlink_to(tmp_path / "rules")
    assert paths(root) == ["sub/a.md"]
    assert walk(root, most_bytes).skipped == ()


@pytest.mark.skipif(os.name == "nt", reason="such a root cannot be made there")
def test_a_root_that_is_a_link_is_the_folder_behind_it(tmp_path: Path) -> None:
    store, root = MemoryStore(), write(tmp_path / "notes", {"a.md": "# A"})
    (tmp_path / "link").symlink_to(root, target_is_directory=True)
    assert [index(store, tmp_path / name).folder for name in ("link", "notes")] == [
        "notes",
        "notes",
    ]


@pytest.mark.skipif(os.name != "posix", reason="such names exist there only")
def test_a_path_that_is_not_plain_text_is_reported(tmp_path: Path) -> None:
    root = write(tmp_path, {"line\nbreak.md": "x", "a.md": "x"})
    with open(os.fsencode(root) + b"/caf\xe9.md", "wb"):  # noqa: PTH123 (a name of bytes)
        pass
    walked = walk(root, most_bytes)
    assert [file.path for file in walked.files] == ["a.md"]
    assert walked.skipped == (
        Skipped("caf?.md", "its path is not plain text"),
        Skipped("line?break.md", "its path is not plain text"),
    )


def test_a_path_without_room_for_an_id_is_reported(tmp_path: Path) -> None:
    deep = "/".join(["d" * 99] * 3) + "/a.md"
    root = write(tmp_path, {deep: "x"})
    assert walk(root, most_bytes).skipped == (
        Skipped(deep, "its path is longer than 300 characters"),
    )


def test_what_nobody_could_look_at_has_not_vanished() -> None:
    states = {path: FileState(path, 1, 1, "d") for path in ("a.md", "b/c.md", "b.md", "d.md")}
    compared = compare([states["a.md"]], states, unseen=["b", "d.md"], version=0)
    assert list(compared.vanished) == ["b.md"]


def test_what_tools_make_and_stores_are_not_there_at_all(tmp_path: Path) -> None:
    made: dict[str, str | bytes] = {"node_modules/a/b.md": "x", "sub/__pycache__/c.pyc": b"x"}
    stores = {"kept.pinyon": b"x", "sub/kept.pinyon-wal": b"x", "kept.pinyon-shm": b"x"}
    write(tmp_path, {**made, **stores, "a.md": "x"})
    walked = walk(tmp_path, most_bytes)
    assert ([file.path for file in walked.files], walked.skipped) == (["a.md"], ())
