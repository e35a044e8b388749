"""`pinyon index --watch`: the real program over real files, ended as a user ends it."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue

import pytest

from tests.surfaces.cli.shell import Shell, program

PATIENCE_S = 20.0

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")


class Program:
    """A command that runs, and the lines of its two streams as they come."""

    def __init__(self, child: "subprocess.Popen[str]") -> None:
        self.child = child
        self._streams: dict[str, Queue[str]] = {"stdout": Queue(), "stderr": Queue()}
        for name, lines in self._streams.items():
            reading = threading.Thread(target=self._read, args=(name, lines), daemon=True)
            reading.start()

    def _read(self, name: str, lines: "Queue[str]") -> None:
        for line in getattr(self.child, name):
            lines.put(line.rstrip("\n"))

    def says(self, stream: str = "stdout") -> str:
        """The next line of a stream; fails when none comes."""
        return self._streams[stream].get(timeout=PATIENCE_S)

    def end(self) -> int:
        self.child.send_signal(signal.SIGINT)
        return self.child.wait(PATIENCE_S)


@contextmanager
def running(shell: Shell, *words: str) -> Iterator[Program]:
    with subprocess.Popen(
        program(*words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=shell.environment(),
    ) as child:
        try:
            yield Program(child)
        finally:
            child.kill()


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "garden"
    folder.mkdir()
    (folder / "a.md").write_text("amber", encoding="utf-8")
    return folder


@pytest.mark.proves("X7")
def test_a_line_says_what_each_run_did_and_ctrl_c_ends_it_well(shell: Shell, notes: Path) -> None:
    with running(shell, "index", str(notes), "--watch") as one:
        first = one.says()
        assert first.startswith("garden: 1 added, 0 changed, 0 renamed, 0 removed, 0 unchanged; ")
        assert one.says("stderr") == "pinyon: watching; Ctrl-C ends it"
        (notes / "b.md").write_text("birch", encoding="utf-8")
        assert one.says().startswith("garden: 1 added; ")
        assert [hit["title"] for hit in shell.json("search", "birch")["hits"]] == ["b"]
        (notes / "b.md").unlink()
        assert one.says() == "garden: 1 removed; 0 records written"
        assert one.end() == 0
        assert one.says("stderr") == "pinyon: no longer watching"
    assert shell.json("search", "birch")["hits"] == []


@pytest.mark.proves("X7")
def test_with_json_each_run_is_an_object_on_a_line(shell: Shell, notes: Path) -> None:
    with running(shell, "index", str(notes), "--watch", "--json") as one:
        first = json.loads(one.says())
        one.says("stderr")
        (notes / "a.md").rename(notes / "z.md")
        second = json.loads(one.says())
        assert one.end() == 0
    counts = ("folder", "added", "renamed", "removed")
    assert [first[name] for name in counts] == ["garden", 1, 0, 0]
    assert [second[name] for name in counts] == ["garden", 0, 1, 0]


@pytest.mark.slow  # the second one looks again after two seconds
@pytest.mark.proves("X7")
def test_a_folder_is_watched_by_one_command_only(shell: Shell, notes: Path) -> None:
    with running(shell, "index", str(notes), "--watch") as one:
        one.says()
        one.says("stderr")
        with running(shell, "index", str(notes), "--watch") as other:
            other.says()
            other.says("stderr")
            assert "is watched already" in other.says("stderr")
            assert one.end() == 0
            assert other.says("stderr") == "pinyon: garden: is indexed again"
            (notes / "b.md").write_text("birch", encoding="utf-8")
            assert other.says().startswith("garden: 1 added; ")
            assert other.end() == 0


def test_an_empty_folder_keeps_its_records_while_it_is_watched(shell: Shell, notes: Path) -> None:
    shell("index", str(notes))
    (notes / "a.md").unlink()
    with running(shell, "index", str(notes), "--watch") as one:
        assert one.says("stderr") == "pinyon: watching; Ctrl-C ends it"
        assert "is empty" in one.says("stderr")
        assert one.end() == 0
    assert [hit["title"] for hit in shell.json("search", "amber")["hits"]] == ["a"]


def test_a_path_that_is_not_there_is_said_before_anything_is_watched(shell: Shell) -> None:
    assert "there is no folder or file 'nowhere'" in shell.problem("index", "nowhere", "--watch")
