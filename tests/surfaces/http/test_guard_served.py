"""Tokens against a real server: what each may do, and when it stops to count."""

import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

import pinyon
from pinyon.access.tokens import Tokens
from pinyon.model.record import Record
from tests.surfaces.serving import Serving, serving

NEVER = "pinyon_000000000000_x"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("guarded") / "notes.pinyon"
    with pinyon.open(path, background=False) as engine:
        engine.save(Record(kind="memory", id="ours", body="amber fox", scope="team"))
        engine.save(Record(kind="memory", id="secret", body="amber eel", scope="private"))
    return path


@pytest.fixture(scope="module")
def tokens(store: Path) -> dict[str, str]:
    """One that expires soon is refused in another test, by a clock of its own."""
    made = Tokens(store)
    return {
        "reader": made.create("reader", ["search"]),
        "writer": made.create("writer", ["search", "write"]),
        "guest": made.create("guest", ["search", "write"], scopes=["team"]),
        "revoked": made.create("revoked", ["search"]),
        "expired": _expired(store),
    }


def _expired(store: Path) -> str:
    yesterday = datetime.now(UTC) - timedelta(days=1)
    early = Tokens(store, clock=lambda: yesterday - timedelta(days=1))
    return early.create("expired", ["search", "write", "admin"], expires_at=yesterday)


@pytest.fixture(scope="module")
def server(store: Path, tokens: dict[str, str]) -> Iterator[Serving]:
    with serving(store) as running:
        yield running


@pytest.fixture(scope="module")
def asked(server: Serving, tokens: dict[str, str]) -> Iterator["Asked"]:
    with httpx.Client(base_url=server.url, timeout=20) as client:
        yield Asked(client, tokens)


class Asked:
    """A request by the holder of a token."""

    def __init__(self, client: httpx.Client, tokens: dict[str, str]) -> None:
        self.client = client
        self.tokens = tokens

    def __call__(self, who: str, method: str, path: str, json: object = None) -> httpx.Response:
        token = self.tokens.get(who, who)
        shown = {"Authorization": f"Bearer {token}"} if token else {}
        return self.client.request(method, path, json=json, headers=shown)


SAVE = {"title": "New", "body": "x", "scope": "team"}


@pytest.mark.proves("X11")
@pytest.mark.parametrize(
    ("who", "method", "path", "json", "status"),
    [
        ("", "GET", "/v1/stats", None, 401),
        (NEVER, "GET", "/v1/stats", None, 401),
        ("expired", "POST", "/v1/search", {"query": "amber"}, 401),
        ("", "GET", "/v1/health", None, 200),
        ("reader", "POST", "/v1/search", {"query": "amber"}, 200),
        ("reader", "POST", "/v1/records", SAVE, 403),
        ("reader", "PATCH", "/v1/records/ours", {"body": "y"}, 403),
        ("reader", "DELETE", "/v1/records/ours", None, 403),
        ("writer", "POST", "/v1/records", SAVE, 201),
        ("writer", "DELETE", "/v1/records/ours?purge=true", None, 403),
        ("writer", "PUT", "/v1/config/a", {"value": "b"}, 403),
        ("writer", "POST", "/v1/jobs", {"job": "index", "path": "/"}, 403),
        ("guest", "GET", "/v1/records/ours", None, 200),
        ("guest", "GET", "/v1/records/secret", None, 404),
        ("guest", "PATCH", "/v1/records/secret", {"body": "y"}, 404),
        ("guest", "POST", "/v1/records", {"body": "x", "scope": "private"}, 403),
        ("guest", "GET", "/v1/stats", None, 403),
    ],
)
def test_each_token_does_what_it_can_and_no_more(
    asked: Asked, who: str, method: str, path: str, json: object, status: int
) -> None:
    answer = asked(who, method, path, json)
    assert answer.status_code == status, answer.text
    if status >= 400:
        assert answer.json()["error"]["request"] == answer.headers["x-request-id"]


@pytest.mark.proves("X11")
def test_a_caller_with_scopes_finds_only_what_is_in_them(asked: Asked) -> None:
    found = {
        who: {
            hit["id"] for hit in asked(who, "POST", "/v1/search", {"query": "amber"}).json()["hits"]
        }
        for who in ("reader", "guest")
    }
    assert found == {"reader": {"ours", "secret"}, "guest": {"ours"}}


def test_a_token_is_refused_from_the_request_after_it_was_revoked(
    asked: Asked, store: Path
) -> None:
    assert asked("revoked", "GET", "/v1/permit").json()["name"] == "revoked"
    Tokens(store).revoke("revoked")
    assert asked("revoked", "GET", "/v1/permit").status_code == 401


def test_a_stream_that_never_ends_is_cut_and_the_server_lives(
    asked: Asked, server: Serving
) -> None:
    def endless() -> Iterator[bytes]:
        yield b'{"query": "'
        for _ in range(40):
            yield b"x" * 2**20

    shown = {
        "Authorization": f"Bearer {asked.tokens['reader']}",
        "Content-Type": "application/json",
    }
    with httpx.Client(base_url=server.url, timeout=20) as client:
        try:
            refused = client.post("/v1/search", content=endless(), headers=shown).status_code
        except (httpx.WriteError, httpx.ReadError, httpx.RemoteProtocolError):
            refused = 413  # it was cut while it still sent
    assert refused == 413
    assert asked("reader", "POST", "/v1/search", {"query": "amber"}).status_code == 200


def test_a_client_that_leaves_midway_leaves_no_trace(asked: Asked, server: Serving) -> None:
    url = httpx.URL(server.url)
    head = (
        f"POST /v1/search HTTP/1.1\r\nHost: {url.netloc.decode()}\r\nContent-Length: 1000\r\n"
        f"Authorization: Bearer {asked.tokens['reader']}\r\n\r\n"
    )
    for _ in range(3):
        with socket.create_connection((url.host, url.port or 80), timeout=10) as line:
            line.sendall(head.encode() + b'{"query": ')
    assert asked("reader", "POST", "/v1/search", {"query": "amber"}).status_code == 200
    assert b"Traceback" not in b"".join(server.said)


def test_no_token_is_ever_written(asked: Asked, server: Serving, tokens: dict[str, str]) -> None:
    asked("reader", "GET", "/v1/stats")
    written = b"".join(server.said).decode()
    assert not [token for token in tokens.values() if token.split("_", 2)[2] in written]
