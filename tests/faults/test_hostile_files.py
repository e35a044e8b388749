"""A folder that was made to do harm: no file outside is read, no file in it stops a run."""

import gzip
import json
import os
import resource
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

import pinyon
from pinyon.evaluate.lines import lines
from pinyon.index.parse import most_bytes, parse
from pinyon.index.parse.origin import Origin
from pinyon.index.source.folder import Skipped, walk
from pinyon.index.source.read import read
from pinyon.model.errors import InvalidLine, PinyonError
from tests.faults.length import lasting
from tests.fuzz.law import in_time
from tests.index.parse import test_docx, test_pdf

SECRET = "zanzibar"
MAY = datetime(2024, 5, 1, tzinfo=UTC)
MOST_MEMORY = 700_000_000
"""Bytes that a run may take on top of what there was; what follows unpacks to gigabytes."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs links, pipes and sockets")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text(f"# {SECRET}\n")
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "good.md").write_text("# Good\n\nplain text\n")
    return tmp_path / "inside"


def indexed(folder: Path) -> tuple[list[str], dict[str, str]]:
    """The titles that the store holds afterwards, and what was left out."""
    with pinyon.open(":memory:") as engine, in_time():
        report = engine.index(folder)
        lines = map(json.loads, engine.export())
        titles = sorted(each["title"] for each in lines if each["type"] == "record")
        assert SECRET not in "".join(engine.export())
        return titles, {each.path: each.reason for each in report.skipped}


def test_nothing_leads_out_of_the_folder(folder: Path) -> None:
    outside = folder.parent / "outside"
    (folder / "link.md").symlink_to(outside / "secret.md")
    (folder / "linked").symlink_to(outside)
    (folder / "up").symlink_to("..")
    (folder / "loop").symlink_to("loop")
    (folder / "self").symlink_to(".")
    (folder / ".gitignore").symlink_to(outside / "secret.md")
    (folder / "escapes.md").write_text(
        "[a](../outside/secret.md) [[../outside/secret]] ![b](/etc/passwd) [c](%2e%2e/outside)\n"
        "[d](file:///etc/passwd) <img src=../outside/secret.md>\n"
    )
    (folder / "page.html").write_text("<a href=../outside/secret.md>x</a><base href=/etc/>")
    titles, skipped = indexed(folder)
    assert "Good" in titles
    assert not {"link.md", "secret.md", "passwd"} & {*titles}
    assert skipped == {}


def test_pipes_sockets_and_devices_are_not_opened(folder: Path) -> None:
    os.mkfifo(folder / "pipe.md")
    with tempfile.TemporaryDirectory() as near, socket.socket(socket.AF_UNIX) as bound:
        bound.bind(f"{near}/socket.md")
        (folder / "zero.md").symlink_to("/dev/zero")
        assert indexed(folder) == indexed(folder)
        assert walk(Path(near), most_bytes).files == ()
    with pinyon.open(":memory:") as engine, pytest.raises(PinyonError):
        engine.index(folder / "pipe.md")


def test_what_became_a_pipe_or_a_link_after_the_walk_is_not_read(folder: Path) -> None:
    outside = folder.parent / "outside"
    base = folder.resolve()
    (folder / "sub").symlink_to(outside)
    (folder / "link.md").symlink_to(outside / "secret.md")
    os.mkfifo(folder / "pipe.md")
    with in_time():
        for path in ("sub/secret.md", "link.md", "pipe.md", "gone.md"):
            assert isinstance(read(base, path, 1_000), Skipped), path
    assert read(base, "good.md", 1_000) == b"# Good\n\nplain text\n"


def test_a_file_that_grows_while_it_is_read_is_left_out_in_the_end(folder: Path) -> None:
    (folder / "good.md").write_bytes(b"x" * 5_000)
    assert read(folder.resolve(), "good.md", 4_999) == Skipped("good.md", "larger than 4,999 bytes")


def test_files_that_change_while_a_folder_is_read_do_not_stop_it(folder: Path) -> None:
    stop = threading.Event()

    def change() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            file = folder / f"f{number % 20}.md"
            file.write_text(f"# Title {number}\n" * (number % 50))
            if number % 3 == 0:
                file.unlink()
            if number % 7 == 0:
                file.unlink(missing_ok=True)
                file.symlink_to(folder.parent / "outside" / "secret.md")
                file.unlink()

    changer = threading.Thread(target=change)
    changer.start()
    try:
        with pinyon.open(":memory:") as engine, in_time():
            for _ in range(lasting(10, 200)):
                engine.index(folder)
                assert SECRET not in "".join(engine.export())
            assert engine.examine() == []
    finally:
        stop.set()
        changer.join()


NAMES = (
    b"new\nline.md",
    b"esc\x1b[2Jape.md",
    b"not\xff\xfeutf.md",
    b"bell\x07.md",
    b"a" * 252 + b".md",
    "é".encode() * 126 + b".md",
    "evil\u202edm.exe.md".encode(),
    b"'; DROP TABLE records; --.md",
    b"<script>alert(1)<\\script>.md",
    b"--help.md",
    b"-rf.md",
    b"%s%n%x.md",
    b"$(touch x).md",
    b"@note:x.md",
    b"a#b#c.md",
    b" .md",
    b"COM1.md",
)


def test_any_name_of_a_file_is_read_or_reported(folder: Path) -> None:
    for name in NAMES:
        (Path(os.fsdecode(os.fsencode(folder) + b"/" + name))).write_text("# Named\n\nodd\n")
    titles, skipped = indexed(folder)
    assert titles.count("Named") + len(skipped) == len(NAMES)
    assert len(skipped) == 4
    assert all(path.isprintable() and reason for path, reason in skipped.items())


def test_an_ignore_file_cannot_stop_a_run(folder: Path) -> None:
    stars = [
        "*a" * 40 + "b",
        "*" * 200 + "b",
        "**/a/" * 30 + "b",
        "[a-z]*" * 40 + "Z",
        "[" * 500,
        "\\" * 99,
    ]
    (folder / ".gitignore").write_text("\n".join(stars))
    deep = folder / "/".join(["a"] * 100)
    deep.mkdir(parents=True)
    (folder / ("a" * 250 + ".md")).write_text("# Long\n")
    (deep / "c.md").write_text("# Deep\n")
    titles, _ = indexed(folder)
    assert {"Good", "Long", "Deep"} <= {*titles}


def test_a_file_of_gigabytes_without_content_is_not_read(folder: Path) -> None:
    for name in ("huge.md", "huge.py", "huge.pdf", "huge.bin", "conversations.json"):
        (folder / name).touch()
        os.truncate(folder / name, 2**31)
    with bounded_memory():
        titles, skipped = indexed(folder)
    assert {"Good", "huge.bin"} <= {*titles}
    assert sorted(skipped) == ["conversations.json", "huge.md", "huge.pdf", "huge.py"]


@pytest.mark.slow
def test_very_many_files_are_read(folder: Path) -> None:
    count = lasting(1_000, 20_000)
    for number in range(count):
        if number % 500 == 0:
            (folder / f"d{number // 500}").mkdir()
        (folder / f"d{number // 500}" / f"{number}.md").write_text(f"word{number}\n")
    with pinyon.open(":memory:") as engine:
        report = engine.index(folder)
        assert (report.added, report.skipped) == (count + 1, ())
        assert engine.index(folder).unchanged == count + 1


def test_what_unpacks_to_gigabytes_is_refused_or_cut(tmp_path: Path) -> None:
    """Also where it is packed twice: nothing is unpacked a second time."""
    pages = [b"BT (" + b"x" * 60_000_000 + b") Tj ET"]
    bombs = {
        "a.pdf": test_pdf.document(pages, packed=True),
        "a.docx": test_docx.document(test_docx.p("x" * 70_000_000)),
        "b.docx": test_docx.document("<w:p>" * 200_000),
    }
    assert all(len(bomb) < 1_000_000 for bomb in bombs.values())
    with bounded_memory():
        for name, bomb in bombs.items():
            try:
                parsed = parse(bomb, Origin("shop", name, MAY))
            except PinyonError:
                continue
            assert sum(len(record.body) for record in parsed.records) < 10_000_000, name
        with gzip.open(tmp_path / "corpus.jsonl.gz", "wb", compresslevel=1) as packed:
            for _ in range(4):
                packed.write(b" " * 10_000_000)
        with pytest.raises(InvalidLine, match="longer than"):
            list(lines(tmp_path / "corpus.jsonl.gz"))


class bounded_memory:
    """What is asked for beyond MOST_MEMORY is not there."""

    def __enter__(self) -> None:
        self._before = resource.getrlimit(resource.RLIMIT_AS)
        held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (held + MOST_MEMORY, self._before[1]))

    def __exit__(self, *problem: object) -> None:
        resource.setrlimit(resource.RLIMIT_AS, self._before)


DEEP = {
    "a.ipynb": (
        '{"cells":' + "[" * 100_000,
        '{"cells":[' + '{"source":' * 900 + "1" + "}" * 900 + "]}",
    ),
    "conversations.json": ("[" * 100_000, '{"mapping":' * 50_000),
    "a.jsonl": ("[" * 100_000, '{"a":' * 900 + "1" + "}" * 900),
    "a.md": ("---\na: " + "[" * 60_000 + "\n---\n", "---\n" + "- " * 30_000 + "\n---\n"),
    "a.html": ("<div>" * 100_000, "<ul><li>" * 50_000),
    "b.md": (
        "> " * 50_000,
        "- " * 50_000,
        "[" * 100_000 + "](a)" * 1_000,
        "#" * 100_000,
        "`" * 99_999,
    ),
    "c.md": (
        "|a" * 50_000 + "\n" + "|-" * 50_000,
        "x" * 1_900_000,
        "[a](b)" * 100_000,
        "*_" * 200_000,
    ),
}


def cases() -> Iterator[tuple[str, str]]:
    for path, texts in DEEP.items():
        yield from ((path, text) for text in texts if text)
    ten = "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{f'*{chr(97 + n)}, ' * 9}]\n" for n in range(9))
    yield "laughs.md", f"---\na: &a [ha]\n{ten}---\n"


def test_depth_and_length_are_no_obstacle() -> None:
    for path, text in cases():
        with in_time(), bounded_memory():
            try:
                parsed = parse(text, Origin("shop", path, MAY))
            except PinyonError:
                continue
            assert len(parsed.records) < 10_000, path
