"""The guard, when something goes wrong: bodies that are too much or too slow, clients that leave,
and failures of the service."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Request, Response
from starlette.types import Receive, Scope, Send

from pinyon.access.gate import Gate
from pinyon.surfaces.http.guard import Guard
from tests.surfaces.http.guarded import Service, ask, drive, kind_of


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path / "notes.pinyon", folder=tmp_path / "config")


def too_much() -> AsyncIterator[bytes]:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(5):
            yield b"x" * 30

    return pieces()


@pytest.mark.parametrize("content", [b"x" * 101, None])
def test_a_body_that_is_too_large_is_refused(gate: Gate, content: bytes | None) -> None:
    service = Service()
    small = Guard(service, gate, most_bytes=100)
    refused = ask(small, method="POST", content=content or too_much())
    assert (refused.status_code, kind_of(refused)) == (413, "TooLarge")
    assert "100 bytes" in refused.text
    assert refused.headers["connection"] == "close"
    assert ask(small, method="POST", content=b"x" * 100).status_code == 200


@pytest.mark.parametrize("length", ["-1", "1e9", "9" * 30, "x"])
def test_a_length_that_is_none_is_refused(gate: Gate, length: str) -> None:
    sent = drive(Guard(Service(), gate), headers=[(b"content-length", length.encode())])
    assert sent[0]["status"] == 413


def test_a_service_that_swallows_the_refusal_does_not_hide_it(gate: Gate) -> None:
    """FastAPI says 400 for whatever happens while it reads a body."""
    app = FastAPI()

    @app.post("/v1/search")
    async def search(asked: dict[str, Any]) -> None:
        raise AssertionError

    refused = ask(
        Guard(app, gate, most_bytes=100),
        "/v1/search",
        method="POST",
        content=too_much(),
        headers={"Content-Type": "application/json"},
    )
    assert (refused.status_code, kind_of(refused)) == (413, "TooLarge")


PART = {"type": "http.request", "body": b"{", "more_body": True}
REST = {"type": "http.request", "body": b"}", "more_body": False}
GONE = {"type": "http.disconnect"}


def test_a_body_that_comes_too_slowly_is_refused(gate: Gate) -> None:
    start, body = drive(Guard(Service(), gate, body_timeout_s=0.05), PART)
    assert start["status"] == 408
    assert json.loads(body["body"])["error"]["type"] == "TooSlow"


def test_who_waits_for_the_answer_is_not_too_slow(gate: Gate) -> None:
    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await asyncio.wait([asyncio.ensure_future(receive())], timeout=0.2)
        await Response(b"{}")(scope, receive, send)

    start, _ = drive(Guard(slow, gate, body_timeout_s=0.05), REST)
    assert start["status"] == 200


def test_a_client_that_leaves_is_no_error(gate: Gate, caplog: pytest.LogCaptureFixture) -> None:
    async def reads(scope: Scope, receive: Receive, send: Send) -> None:
        await Request(scope, receive).body()

    assert drive(Guard(reads, gate), PART, GONE) == []
    assert caplog.records == []


def test_a_failure_of_the_inside_shows_nothing_of_it(
    gate: Gate, caplog: pytest.LogCaptureFixture
) -> None:
    app = FastAPI()

    @app.get("/v1/stats")
    async def stats() -> None:
        raise RuntimeError("password of the database")

    token = gate.tokens.create("agent", ["search"])
    with caplog.at_level(logging.ERROR):
        failed = ask(Guard(app, gate), headers={"Authorization": f"Bearer {token}"})
    assert (failed.status_code, kind_of(failed)) == (500, "Failed")
    assert "password" not in failed.text
    (record,) = [each for each in caplog.records if each.name.startswith("pinyon")]
    assert failed.headers["x-request-id"] in record.getMessage()
    assert "password" in caplog.text  # the owner sees it
    assert token not in caplog.text


def test_a_failure_after_the_answer_has_begun_is_logged(
    gate: Gate, caplog: pytest.LogCaptureFixture
) -> None:
    async def breaks(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("halfway")

    sent = drive(Guard(breaks, gate), REST)
    assert [message["type"] for message in sent] == ["http.response.start"]
    assert "halfway" in caplog.text
