"""serve: the command: addresses, ports, lines, ends."""

import signal
import socket
from pathlib import Path

import httpx
import pytest

from tests.surfaces.cli.shell import Shell
from tests.surfaces.serving import serving


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "new.pinyon")


def test_a_port_that_is_taken_is_said_in_one_line(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        problem = shell.problem("serve", "--port", port)
    assert port in problem
    assert "another --port" in problem
    assert not shell.store.exists()


@pytest.mark.proves("X11")
@pytest.mark.parametrize("words", [["--host", "0.0.0.0"], ["--require-token"]], ids=str)
def test_it_does_not_start_where_everybody_needs_a_token_and_there_is_none(
    shell: Shell, words: list[str]
) -> None:
    assert "pinyon token create" in shell.problem("serve", "--port", "0", *words)
    assert not shell.store.exists()


def test_an_address_that_is_none_is_said_in_one_line(shell: Shell) -> None:
    assert "256.1.1.1" in shell.problem("serve", "--port", "0", "--host", "256.1.1.1")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT], ids=str)
def test_it_ends_well_when_told_with_connections_open(tmp_path: Path, how: signal.Signals) -> None:
    with serving(tmp_path / "a.pinyon") as server, httpx.Client(base_url=server.url) as http:
        assert http.get("/v1/health").status_code == 200
        assert server.stop(how) == 0
        assert len(server.said) == 1


def test_a_verbose_one_writes_a_line_a_request_without_what_was_asked(tmp_path: Path) -> None:
    with serving(tmp_path / "a.pinyon", "--verbose") as server:
        answer = httpx.get(f"{server.url}/v1/brief", params={"scope": "secret"})
        assert answer.status_code == 200
        assert "server" not in answer.headers
    lines = [line.decode() for line in server.said]
    assert any(line.startswith("pinyon: GET /v1/brief 200 ") for line in lines)
    assert not any("secret" in line for line in lines)


def test_agents_are_served_at_the_same_address(tmp_path: Path) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accepts = {"Accept": "application/json, text/event-stream"}
    with serving(tmp_path / "a.pinyon") as server:
        answer = httpx.post(f"{server.url}/mcp", json=asked, headers=accepts, timeout=30)
    assert "search" in {tool["name"] for tool in answer.json()["result"]["tools"]}
