"""Processes: exit codes, streams and imports of the real program."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.surfaces.cli.shell import Shell, program

# Slow to import, and of no use to a question that full text answers.
HEAVY = {
    "rich",
    "yaml",
    "markdown_it",
    "pathspec",
    "numpy",
    "asyncio",
    "importlib.metadata",
    "platformdirs",
    "pinyon.index.pipeline",
    "pinyon.store.memory",
}


def test_done_is_0_failed_is_1_and_called_wrongly_is_2(shell: Shell) -> None:
    saved = shell.program("save", "--id", "a", "--title", "One")
    missing = shell.program("get", "nope")
    wrong = shell.program("search", "--no-such-option")
    assert (saved.returncode, saved.stdout, saved.stderr) == (0, b"a" + NEWLINE, b"")
    assert (missing.returncode, missing.stdout, missing.stderr.count(b"\n")) == (1, b"", 1)
    assert (wrong.returncode, wrong.stdout) == (2, b"")


def test_a_record_can_be_piped_in_and_an_answer_out(shell: Shell) -> None:
    record = {"id": "a", "title": "知識", "body": "we retry"}
    saved = shell.program("save", input=json.dumps(record, ensure_ascii=False).encode())
    found = shell.program("search", "etr", "--json")
    assert saved.stdout.split() == [b"a"]
    assert json.loads(found.stdout)["hits"][0]["title"] == "知識"
    assert "知識".encode() in found.stdout
    assert b"letter by letter" in found.stderr


def test_output_is_utf_8_whatever_the_locale(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "知識 ä")
    done = subprocess.run(
        program("get", "a"),
        capture_output=True,
        check=True,
        env=shell.environment(PYTHONIOENCODING="ascii"),
    )
    assert done.stdout.decode("utf-8").splitlines()[0] == "知識 ä"


@pytest.mark.parametrize(
    "query",
    [
        "C++",
        "rm -rf /",
        '"unbalanced',
        "foo AND",
        "*",
        "NEAR(",
        "title:",
        "'; DROP TABLE records; --",
        "🙂",
        "x" * 100_000,
    ],
)
def test_any_query_is_answered_without_a_traceback(shell: Shell, query: str) -> None:
    shell("save", "--id", "a", "--title", "One")
    done = shell("search", "--json", "--", query)
    assert isinstance(json.loads(done.stdout)["hits"], list)


@pytest.mark.skipif(sys.platform == "win32", reason="arguments are not bytes there")
def test_a_query_that_is_not_text_is_answered_in_a_process_too(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "One")
    done = subprocess.run(
        [os.fsencode(word) for word in program("search", "--json")] + [b"\xff\xfe one"],
        capture_output=True,
        check=False,
        env=shell.environment(),
    )
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert isinstance(json.loads(done.stdout)["hits"], list)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end differently there")
def test_a_reader_that_stops_reading_is_no_error(shell: Shell) -> None:
    lines = "".join(f'{{"id": "r{n}", "body": "{"x" * 1000}"}}\n' for n in range(300))
    shell("import", "-", input=lines)
    with subprocess.Popen(
        program("export"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=shell.environment(),
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.readline()
        child.stdout.close()
        assert (child.stderr.read(), child.wait(timeout=60)) == (b"", 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_behind_standard_output_is_said_in_one_line(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "One")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            program("export"),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env=shell.environment(),
        )
    assert done.returncode == 1
    assert done.stderr.startswith(b"pinyon: standard output: No space left on device (")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_a_stopped_command_says_so_in_one_line(shell: Shell) -> None:
    with subprocess.Popen(
        program("import", "-"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=shell.environment(),
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        # More than a pipe holds: once it is written, the command is reading.
        child.stdin.write(b'{"id": "a"}\n' + b"\n" * (1 << 22))
        child.stdin.flush()
        # One that comes just before the next read is seen after it, and nothing more is to be read.
        for _ in range(100):
            child.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                child.wait(timeout=0.2)
                break
        assert (child.stderr.read(), child.stdout.read(), child.returncode) == (
            b"pinyon: stopped\n",
            b"",
            130,
        )
    assert shell.json("search")["hits"] == []


@pytest.mark.skipif(sys.platform == "win32", reason="closes streams as a POSIX shell does")
def test_closed_streams_are_no_error(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "One")

    def without(stream: int, *words: str) -> tuple[int, bytes]:
        closing = f"import os, sys; os.close({stream}); os.execv(sys.argv[1], sys.argv[1:])"
        done = subprocess.run(
            [sys.executable, "-c", closing, *program(*words)],
            capture_output=True,
            check=False,
            env=shell.environment(),
        )
        return done.returncode, done.stderr

    assert without(1, "get", "a") == (0, b"")
    assert without(2, "get", "nope") == (1, b"")
    assert without(0, "forget", "a", "--purge") == (0, b"")


def test_a_search_imports_nothing_that_it_does_not_need(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "One", "--body", "we retry")
    listing = (
        "import sys\n"
        "from pinyon.surfaces.cli.app import cli\n"
        "cli.main(['search', 'retry', '--json'], standalone_mode=False)\n"
        "print(' '.join(sys.modules), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", listing], capture_output=True, check=True, env=shell.environment()
    )
    assert json.loads(done.stdout)["hits"][0]["id"] == "a"
    assert set(done.stderr.decode().split()) & HEAVY == set()


def test_the_module_and_its_version_are_the_program(shell: Shell) -> None:
    from pinyon import __version__

    done = shell.program("--version")
    assert done.stdout.split() == [b"pinyon", __version__.encode()]


NEWLINE = os.linesep.encode()
