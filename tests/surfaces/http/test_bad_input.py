"""Bad input: the right status with one sentence, nothing of the inside, and the server lives."""

import json
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from tests.surfaces.serving import Serving

JSON = {"Content-Type": "application/json"}
INSIDE = ("Traceback", "pinyon/", "site-packages", "sqlite", "File ", "pydantic", "fastapi")


@pytest.fixture(autouse=True)
def _lives(server: Serving, http: httpx.Client) -> Iterator[None]:
    yield
    assert http.get("/v1/health").status_code == 200
    assert server.child.poll() is None
    assert len(server.said) == 1, b"".join(server.said).decode()


def _refused(answer: httpx.Response, status: int) -> str:
    """The sentence of a refusal."""
    assert answer.status_code == status, answer.text
    assert not any(word in answer.text for word in INSIDE), answer.text
    error = answer.json()["error"]
    assert error["request"] == answer.headers["X-Request-Id"]
    sentence = str(error["message"])
    assert sentence
    assert "\n" not in sentence
    assert len(sentence) < 500
    return sentence


@pytest.mark.parametrize(
    "body",
    [b"{", b"nonsense", b'{"query": }', b"\xff\xfe", b"[" * 100_000, b'{"query": "a"} trailing'],
    ids=["cut", "words", "no value", "no text", "deep", "more"],
)
def test_what_is_no_json_is_malformed(http: httpx.Client, body: bytes) -> None:
    _refused(http.post("/v1/search", content=body, headers=JSON), 400)


@pytest.mark.parametrize(
    "body", [b"[]", b'"text"', b"1", b"null", b"true", b""], ids=lambda body: body.decode() or "-"
)
def test_what_is_no_object_is_refused(http: httpx.Client, body: bytes) -> None:
    sentence = _refused(http.post("/v1/search", content=body, headers=JSON), 422)
    assert "JSON object" in sentence


def test_a_form_or_a_text_is_no_json(http: httpx.Client) -> None:
    """A page of another site can send these without asking first."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = http.post(
            "/v1/records", content=b'{"title": "One"}', headers={"Content-Type": kind}
        )
        assert "Content-Type" in _refused(answer, 422)


@pytest.mark.parametrize(
    "record",
    [
        {"title": 1},
        {"title": ["a"]},
        {"tags": "a"},
        {"tags": [1]},
        {"importance": 9},
        {"importance": "3"},
        {"importance": 3.5},
        {"kind": "nope"},
        {"due": "soon"},
        {"created_at": 1},
        {"half_life": -1},
        {"extra": []},
        {"id": "a\u0000b"},
        {"id": " "},
        {"id": "x" * 100_000},
        {"title": "a\nb"},
        {"version": 7},
        {"deleted_at": "2020-01-01"},
        {"replace": "yes"},
        {"duplicates": "ignore"},
    ],
    ids=lambda record: "-".join(map(repr, *record.items()))[:40],
)
def test_a_record_that_does_not_fit_is_refused(
    http: httpx.Client, record: dict[str, object]
) -> None:
    _refused(http.post("/v1/records", json={"title": "One", **record}), 422)


def test_numbers_that_json_does_not_have_are_refused(http: httpx.Client) -> None:
    for value in ("NaN", "Infinity", "-Infinity", "1e999"):
        body = f'{{"title": "One", "half_life": {value}}}'.encode()
        _refused(http.post("/v1/records", content=body, headers=JSON), 422)
    lone = b'{"title": "half \\ud800 pair"}'
    _refused(http.post("/v1/records", content=lone, headers=JSON), 422)


def test_a_body_that_is_too_large_is_refused_before_it_is_read(server: Serving) -> None:
    head = b"POST /v1/records HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with _connected(server) as wire:
        wire.sendall(head + b"Content-Length: 99999999999\r\n\r\n{")
        status, error = _answer(wire)
    assert (status, error["type"]) == (413, "TooLarge")


def test_a_body_that_grows_too_large_is_refused(http: httpx.Client) -> None:
    pieces = (b" " * 2**20 for _ in range(40))
    try:
        answer = http.post("/v1/search", content=pieces, headers=JSON)
    except (httpx.WriteError, httpx.RemoteProtocolError, httpx.ReadError):
        return  # the server hung up while it was still sent
    _refused(answer, 413)


def test_a_large_record_that_fits_is_saved(http: httpx.Client) -> None:
    body = "pine " * 150_000
    assert http.post("/v1/records", json={"id": "large", "body": body}).status_code == 201
    assert http.get("/v1/records/large").json()["body"] == body


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/v1/records/nope", None),
        ("PATCH", "/v1/records/nope", {"title": "Two"}),
        ("DELETE", "/v1/records/nope", None),
        ("POST", "/v1/records/nope/correct", {"title": "Two"}),
        ("GET", "/v1/records/nope/related", None),
        ("GET", "/v1/records/nope/history", None),
        ("GET", "/v1/records?id=nope", None),
        ("POST", "/v1/links", {"from_id": "nope", "relation": "supports", "to_id": "nope"}),
        ("POST", "/v1/feedback", {"id": "nope", "verdict": "accepted"}),
        ("GET", "/v1/records/..%2F..%2F..%2Fetc%2Fpasswd", None),
        ("GET", "/v1/records/", None),
        ("GET", "/v1/jobs/nope", None),
        ("DELETE", "/v1/jobs/nope", None),
        ("GET", "/v1/jobs/nope/events", None),
        ("GET", "/v2/records", None),
    ],
)
def test_what_is_not_there_is_not_found(
    http: httpx.Client, method: str, path: str, body: dict[str, str] | None
) -> None:
    _refused(http.request(method, path, json=body), 404)


@pytest.mark.parametrize(
    "path",
    [
        "/v1/records",
        "/v1/records?id=",
        "/v1/records?id=a&more=1",
        "/v1/records/a/related?depth=9",
        "/v1/records/a/related?depth=two",
        "/v1/records/a/related?limit=0",
        "/v1/brief?max_tokens=-1",
        "/v1/brief?kind=nope",
        "/v1/brief?scope=a//b",
        "/v1/conflicts?scope=%00",
        "/v1/values/title",
    ],
)
def test_a_query_string_that_does_not_fit_is_refused(http: httpx.Client, path: str) -> None:
    _refused(http.get(path), 422)


def test_another_method_is_not_allowed_and_the_right_ones_are_named(http: httpx.Client) -> None:
    answer = http.put("/v1/search", json={})
    _refused(answer, 405)
    assert answer.headers["Allow"] == "POST"


def test_a_client_that_says_nothing_keeps_nobody_waiting(
    server: Serving, http: httpx.Client
) -> None:
    hanging = [_connected(server) for _ in range(30)]
    try:
        for wire in hanging[:15]:
            wire.sendall(
                b"POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{"
            )
        assert http.get("/v1/stats").status_code == 200
    finally:
        for wire in hanging:
            wire.close()


def test_a_client_that_leaves_midway_is_no_error(server: Serving) -> None:
    record = json.dumps({"id": "left", "title": "One"}).encode()
    head = b"POST /v1/records HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    whole = head + f"Content-Length: {len(record)}\r\n\r\n".encode() + record
    for cut in (10, len(head), len(whole) - 5, len(whole)):
        with _connected(server) as wire:
            wire.sendall(whole[:cut])
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")  # reset


def test_what_is_no_http_is_answered_or_cut(server: Serving) -> None:
    for noise in (
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"HELO there\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
    ):
        with _connected(server) as wire:
            wire.sendall(noise)
            wire.shutdown(socket.SHUT_WR)
            said = wire.recv(1_000)
        assert said == b"" or said.startswith(b"HTTP/1.1 4")


def _connected(server: Serving) -> socket.socket:
    where = urlsplit(server.url)
    assert where.hostname
    assert where.port
    return socket.create_connection((where.hostname, where.port), timeout=20)


def _answer(wire: socket.socket) -> tuple[int, dict[str, str]]:
    said = b""
    while piece := wire.recv(65_536):
        said += piece
    head, _, body = said.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["error"]
