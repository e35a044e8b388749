"""Standard input and output: the real server as a process, and what becomes of it."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import pinyon
from pinyon.surfaces.mcp.tools import tools
from pinyon.surfaces.operations import OPERATIONS
from tests.surfaces.mcp.agents import ENDS_S, over_stdio, program

pytestmark = pytest.mark.proves("P10")

HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
BEGUN = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def call(number: int, tool: str, /, **arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def lines(*messages: dict[str, Any] | bytes) -> bytes:
    written = (each if isinstance(each, bytes) else json.dumps(each).encode() for each in messages)
    return b"\n".join([*written, b""])


@contextmanager
def started(store: Path) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        program(store), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        try:
            yield child
        finally:
            if child.poll() is None:
                child.kill()


def told(child: subprocess.Popen[bytes], *messages: dict[str, Any] | bytes) -> None:
    assert child.stdin
    child.stdin.write(lines(*messages))
    child.stdin.flush()


def heard(child: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert child.stdout
    message = json.loads(child.stdout.readline())
    assert isinstance(message, dict)
    return message


def test_what_was_asked_is_answered_when_the_input_ends(tmp_path: Path) -> None:
    asked = [call(number, "save", id=f"r{number}", title="知識") for number in range(1, 6)]
    done = subprocess.run(
        program(tmp_path / "a.pinyon"),
        input=lines(HELLO, BEGUN, *asked),
        capture_output=True,
        check=True,
        timeout=ENDS_S,
    )
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(each["id"] for each in said) == [0, 1, 2, 3, 4, 5]
    assert not any(each["result"].get("isError") for each in said)
    assert done.stderr == b""
    with pinyon.open(tmp_path / "a.pinyon") as engine:
        assert len(engine.get(*(f"r{number}" for number in range(1, 6)))) == 5


def test_a_broken_line_is_refused_and_the_next_one_answered(tmp_path: Path) -> None:
    broken = [b"{not json", b"[]", b"\xff\xfe", b'"\\ud800"', b"[" * 5000, b'{"id": 1}']
    done = subprocess.run(
        program(tmp_path / "a.pinyon"),
        input=lines(HELLO, BEGUN, *broken, b"  ", call(7, "stats")),
        capture_output=True,
        check=True,
        timeout=ENDS_S,
    )
    first, *refused, last = sorted(
        (json.loads(line) for line in done.stdout.splitlines()),
        key=lambda each: {0: 0, None: 1, 7: 2}[each["id"]],
    )
    assert (first["id"], last["id"], last["result"]["isError"]) == (0, 7, False)
    assert [each["error"]["code"] for each in refused] == [-32700] * len(broken)
    assert b"Traceback" not in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_everything_written(tmp_path: Path, how: signal.Signals) -> None:
    store = tmp_path / "a.pinyon"
    with started(store) as child:
        told(child, HELLO, BEGUN, call(1, "save", id="kept", title="Kept"))
        assert [heard(child)["id"], heard(child)["id"]] == [0, 1]
        told(child, call(2, "search", query="kept"))
        assert heard(child)["id"] == 2
        child.send_signal(how)  # its input is still open
        assert child.wait(ENDS_S) == 0
        assert child.stderr
        assert child.stderr.read() == b""
    with pinyon.open(store) as engine:
        assert engine.get("kept")[0].title == "Kept"
        assert engine.questions().asked == 1


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end differently there")
def test_an_agent_that_vanishes_midway_leaves_whole_records(tmp_path: Path) -> None:
    store = tmp_path / "a.pinyon"
    with started(store) as child:
        told(child, HELLO, BEGUN)
        heard(child)
        saves = (call(number, "save", id=f"r{number}", body="x" * 1000) for number in range(1, 60))
        told(child, *saves)
        assert child.stdin
        assert child.stdout
        child.stdout.close()  # nobody reads any more
        child.stdin.close()
        child.wait(ENDS_S)
        assert child.stderr
        assert b"Traceback" not in child.stderr.read()
    with pinyon.open(store) as engine:
        found = engine.search(limit=100)
        assert all(engine.get(hit.id)[0].body == "x" * 1000 for hit in found)
        assert engine.examine() == []


def test_two_agents_share_one_store(tmp_path: Path) -> None:
    store = tmp_path / "a.pinyon"
    with over_stdio(store) as one, over_stdio(store) as other:
        one.given("save", id="from-one", title="Shared knowledge")
        assert [hit["id"] for hit in other.given("search", query="shared")["hits"]] == ["from-one"]
        other.given("update", id="from-one", title="Changed knowledge", expected=1)
        assert "is at version 2" in one.refused("update", id="from-one", title="x", expected=1)


def test_an_agent_hears_how_far_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(60):
        (folder / f"{number:02}.md").write_text(f"# Note {number}\n")
    seen: list[tuple[float, float | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total))

    with over_stdio(tmp_path / "a.pinyon") as agent:

        async def index() -> Any:
            return await agent.client.call_tool(
                "index", {"path": str(folder)}, progress_callback=hear
            )

        assert agent.portal.call(index).structured_content["added"] == 60
    assert seen == [(0, 60), (25, 60), (50, 60)]


def test_other_systems_tools_keep_their_names(tmp_path: Path) -> None:
    with over_stdio(tmp_path / "a.pinyon", "--tools", "seeds") as agent:
        names = {tool.name for tool in agent.portal.call(agent.client.list_tools).tools}
    assert {"search_intelligent", "hybrid_search", "docs_search", "memory_search"} <= names
    assert names & set(OPERATIONS) == {"search"}
    assert names | set(OPERATIONS) == set(tools("all"))
    with pytest.raises(pinyon.PinyonError, match="no set of tools 'none'"):
        tools("none")


def test_a_store_that_is_none_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.pinyon").write_text("this is not a store")
    done = subprocess.run(
        program(tmp_path / "a.pinyon"), input=b"", capture_output=True, check=False, timeout=ENDS_S
    )
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (1, b"", 1)


def test_nothing_of_http_is_loaded_without_it(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from pinyon.surfaces.cli.app import cli\n"
        f"cli.main(['mcp', '--store', {str(tmp_path / 'a.pinyon')!r}], standalone_mode=False)\n"
        "print(' '.join(sys.modules), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=b"",
        capture_output=True,
        check=True,
        env=dict(os.environ),
        timeout=ENDS_S,
    )
    loaded = set(done.stderr.decode().split())
    assert loaded & {"fastapi", "onnxruntime", "pinyon.surfaces.http.app"} == set()
