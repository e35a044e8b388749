"""Streamable HTTP: many agents on one server, behind the guard."""

import json
import socket
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

import pinyon
from pinyon.access.tokens import Tokens
from tests.surfaces.cli.shell import Shell
from tests.surfaces.mcp.agents import NEW, OLD, Server, connected, over_http

pytestmark = pytest.mark.proves("P10")

HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with over_http(tmp_path_factory.mktemp("store") / "agents.pinyon") as found:
        yield found


@pytest.mark.parametrize("mode", [OLD, NEW])
def test_an_agent_works_over_http_as_over_pipes(server: Server, mode: str) -> None:
    with connected(Client(server.url, mode=mode)) as agent:
        agent.given("save", id=f"http-{mode}", kind="note", title=f"Streams {mode}", body="Water.")
        hits = agent.given("search", query=f"streams {mode}")["hits"]
        assert hits[0]["id"] == f"http-{mode}"
        assert "no record has the id" in agent.refused("get", ids=["nope"])
        record = json.loads(agent.read(f"pinyon://record/http-{mode}"))
        assert record["body"] == "Water."
        prompts = agent.portal.call(agent.client.list_prompts).prompts
        assert [prompt.name for prompt in prompts] == ["scan_then_get", "start_task"]


def test_many_agents_at_once_lose_nothing(server: Server) -> None:
    def work(number: int) -> list[str]:
        with connected(Client(server.url)) as agent:
            ids = [f"many-{number}-{each}" for each in range(5)]
            for id in ids:
                agent.given("save", id=id, title="One of many", kind="task")
                agent.given("search", query="many", limit=3)
            return ids

    with ThreadPoolExecutor(6) as pool:
        saved = [id for ids in pool.map(work, range(6)) for id in ids]
    with connected(Client(server.url)) as agent:
        assert len(agent.given("get", ids=saved)["records"]) == 30


def test_an_agent_that_hangs_up_hurts_nobody(server: Server) -> None:
    url = httpx.URL(server.url)
    body = json.dumps({**LIST, "method": "tools/call", "params": {"name": "stats"}}).encode()
    head = f"POST /mcp HTTP/1.1\r\nHost: {url.host}:{url.port}\r\n"
    for sent in (head, f"{head}Content-Type: application/json\r\nContent-Length: 9999\r\n\r\n{{"):
        with socket.create_connection((url.host, url.port or 0)) as left:
            left.sendall(sent.encode())
    headers = "".join(f"{name}: {value}\r\n" for name, value in HEADERS.items())
    with socket.create_connection((url.host, url.port or 0)) as left:
        left.sendall(f"{head}{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    with connected(Client(server.url)) as agent:
        assert agent.given("stats")["records"] >= 0


@pytest.mark.parametrize(
    ("method", "headers", "body", "status"),
    [
        ("GET", {}, b"", 405),
        ("DELETE", {}, b"", 405),
        ("POST", {}, b"{", 400),
        ("POST", {}, b"[]", 400),
        ("POST", {"Content-Type": "text/plain"}, json.dumps(LIST).encode(), 400),
        ("POST", {"Accept": "text/html"}, json.dumps(LIST).encode(), 406),
        ("POST", {"Origin": "https://evil.example"}, json.dumps(LIST).encode(), 403),
        ("POST", {"Host": "evil.example"}, json.dumps(LIST).encode(), 421),
        ("POST", {"Authorization": "Bearer nonsense"}, json.dumps(LIST).encode(), 401),
        ("POST", {}, json.dumps(LIST).encode(), 200),
    ],
)
def test_each_wrong_request_has_its_status(
    server: Server, method: str, headers: dict[str, str], body: bytes, status: int
) -> None:
    answer = httpx.request(method, server.url, headers={**HEADERS, **headers}, content=body)
    assert answer.status_code == status
    assert "Traceback" not in answer.text


def test_a_request_that_is_too_large_is_refused_before_it_is_read(server: Server) -> None:
    url = httpx.URL(server.url)
    head = f"POST /mcp HTTP/1.1\r\nHost: {url.host}:{url.port}\r\n"
    with socket.create_connection((url.host, url.port or 0)) as sent:
        sent.sendall(f"{head}Content-Length: {64 * 2**20}\r\n\r\n".encode())
        assert sent.recv(1024).startswith(b"HTTP/1.1 413 ")


@pytest.fixture
def tokens(tmp_path: Path) -> Tokens:
    store = tmp_path / "closed.pinyon"
    with pinyon.open(store) as engine:
        engine.save(pinyon.Record(id="a", title="Ours", scope="team", body="We know this."))
        engine.save(pinyon.Record(id="b", title="Theirs", scope="other", body="They know this."))
    return Tokens(store)


def test_a_token_opens_what_it_opens_and_no_more(tmp_path: Path, tokens: Tokens) -> None:
    token = tokens.create("reader", ["search"], scopes=["team"])
    with over_http(tmp_path / "closed.pinyon") as server:
        refused = httpx.post(server.url, headers=HEADERS, json=LIST)
        assert (refused.status_code, refused.headers["WWW-Authenticate"]) == (401, "Bearer")
        for mode in (OLD, NEW):
            with connected(Client(_with_token(server.url, token), mode=mode)) as agent:
                hits = agent.given("search", query="know this")["hits"]
                assert [hit["id"] for hit in hits] == ["a"]
                assert "no record has the id 'b'" in agent.refused("get", ids=["b"])
                assert "reader may not save" in agent.refused("save", title="x")
                assert "reader may not" in agent.refused("stats")
                with pytest.raises(Exception, match="no record has the id 'b'"):
                    agent.read("pinyon://record/b")
        tokens.revoke("reader")
        bearer = {**HEADERS, "Authorization": f"Bearer {token}"}
        assert httpx.post(server.url, headers=bearer, json=LIST).status_code == 401


def test_without_a_token_it_does_not_start_where_one_is_needed(shell: Shell) -> None:
    for words in (["--require-token"], ["--host", "0.0.0.0"]):
        said = shell.problem("mcp", "--http", "--port", "0", *words)
        assert "no token" in said
        assert "pinyon token create" in said


def test_a_port_that_is_taken_is_said_in_one_line(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        said = shell.problem("mcp", "--http", "--port", str(taken.getsockname()[1]))
    assert "choose another --port" in said


@asynccontextmanager
async def _with_token(url: str, token: str) -> AsyncIterator[Any]:
    async with (
        create_mcp_http_client(headers={"Authorization": f"Bearer {token}"}) as client,
        streamable_http_client(url, http_client=client) as streams,
    ):
        yield streams
