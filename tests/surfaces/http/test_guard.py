"""The guard: what it lets through, what it refuses, and what every answer has."""

import asyncio
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from pinyon.access import NOBODY, OWNER
from pinyon.access.gate import Gate
from pinyon.surfaces.http.guard import COMMON, OF_THE_PAGE, SHUT, Guard
from tests.surfaces.http.guarded import LOCAL, Service, ask, kind_of


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path / "notes.pinyon", folder=tmp_path / "config")


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def guard(service: Service, gate: Gate) -> Guard:
    return Guard(service, gate)


# who asks


@pytest.mark.proves("X11")
def test_without_tokens_the_local_user_is_the_owner(guard: Guard, service: Service) -> None:
    assert ask(guard).status_code == 200
    assert service.permits == [OWNER]


@pytest.mark.proves("X11")
@pytest.mark.proves("P8", part="permission")
def test_who_has_no_token_that_counts_does_not_reach_the_service(
    guard: Guard, service: Service, gate: Gate
) -> None:
    token = gate.tokens.create("agent", ["search"])
    refused = ask(guard)
    assert (refused.status_code, kind_of(refused)) == (401, "NotRecognised")
    assert refused.headers["www-authenticate"] == "Bearer"
    wrong = ask(guard, headers={"Authorization": f"Bearer {token}x"})
    assert wrong.status_code == 401
    assert wrong.headers["www-authenticate"] == 'Bearer error="invalid_token"'
    assert ask(guard, f"/v1/stats?token={token}").status_code == 401
    assert service.permits == []
    assert ask(guard, headers={"Authorization": f"Bearer {token}"}).status_code == 200
    assert [permit.name for permit in service.permits] == ["agent"]


def test_a_revoked_token_is_refused_by_the_next_request(guard: Guard, gate: Gate) -> None:
    shown = {"Authorization": f"Bearer {gate.tokens.create('agent', ['search'])}"}
    assert ask(guard, headers=shown).status_code == 200
    gate.tokens.revoke("agent")
    assert ask(guard, headers=shown).status_code == 401


@pytest.mark.parametrize(
    "path",
    ["/", "/page/app.js", "/page/%2e%2e/v1/stats", "/favicon.ico", "/v1/health", "/openapi.json"],
)
def test_what_everybody_may_read_needs_no_token_and_gives_no_right(
    guard: Guard, service: Service, gate: Gate, path: str
) -> None:
    gate.tokens.create("agent", ["search"])
    assert ask(guard, path).status_code == 200
    assert service.permits == [NOBODY]
    assert ask(guard, path, method="POST").status_code == 401


@pytest.mark.parametrize(
    "path",
    ["/v1/healthy", "/v1/health/", "/pages", "/page", "/metrics", "/mcp", "/V1/health"],
)
def test_everything_else_needs_one(guard: Guard, gate: Gate, path: str) -> None:
    gate.tokens.create("agent", ["search"])
    assert ask(guard, path).status_code == 401


def test_tokens_that_cannot_be_read_let_nobody_in(guard: Guard, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "tokens.json").write_text("{")
    refused = ask(guard)
    assert (refused.status_code, kind_of(refused)) == (403, "NotPermitted")
    assert str(tmp_path) not in refused.text


# from where


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:1", "127.0.0.1:7598", "[::1]", "[::1]:80", "LOCALHOST", "box"]
)
def test_the_names_of_this_server_are_let_through(service: Service, gate: Gate, host: str) -> None:
    assert ask(Guard(service, gate, hosts=["box"]), headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:7598",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.2",
        "box.evil.example",
        "0.0.0.0",
        "[::2]",
    ],
)
def test_a_name_that_was_made_to_lead_here_is_refused(
    service: Service, gate: Gate, host: str
) -> None:
    refused = ask(Guard(service, gate, hosts=["box"]), "/", headers={"Host": host})
    assert (refused.status_code, kind_of(refused)) == (421, "Refused")
    assert "--allow-host" in refused.text
    assert service.permits == []


@pytest.mark.parametrize("host", ["", "a b@c", "localhost@evil.example", "[::1", "localhost:x"])
def test_what_is_no_name_is_refused(guard: Guard, host: str) -> None:
    assert ask(guard, headers={"Host": host}).status_code in (400, 421)


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://localhost:3000",
        "http://127.0.0.1",
        "https://127.0.0.1:7598",
        "null",
        "",
        f"{LOCAL}.evil.example",
    ],
)
def test_a_page_of_another_origin_is_refused(guard: Guard, service: Service, origin: str) -> None:
    refused = ask(guard, method="POST", headers={"Origin": origin})
    assert (refused.status_code, kind_of(refused)) == (403, "Refused")
    assert "access-control-allow-origin" not in refused.headers
    assert service.permits == []


@pytest.mark.parametrize(
    ("site", "path", "status"),
    [
        ("cross-site", "/v1/stats", 403),
        ("same-site", "/v1/stats", 403),
        ("same-origin", "/v1/stats", 200),
        ("none", "/v1/stats", 200),
        ("cross-site", "/", 200),  # a link from another page
    ],
)
def test_what_another_site_shows_from_here_is_refused(
    guard: Guard, site: str, path: str, status: int
) -> None:
    assert ask(guard, path, headers={"Sec-Fetch-Site": site}).status_code == status


def test_its_own_page_may_ask(guard: Guard) -> None:
    answer = ask(guard, method="POST", headers={"Origin": LOCAL})
    assert answer.status_code == 200
    assert "access-control-allow-origin" not in answer.headers


PREFLIGHT = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x"}


def test_a_site_that_is_allowed_may_ask_and_no_other(service: Service, gate: Gate) -> None:
    gate.tokens.create("agent", ["search"])
    guard = Guard(service, gate, origins=["https://notes.example/"])
    ours, other = {"Origin": "https://notes.example"}, {"Origin": "https://evil.example"}
    before = ask(guard, "/v1/search", method="OPTIONS", headers=ours | PREFLIGHT)
    assert (before.status_code, before.content) == (204, b"")
    assert before.headers["access-control-allow-origin"] == "https://notes.example"
    assert "Authorization" in before.headers["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in before.headers
    asked = ask(guard, "/v1/search", method="POST", headers=ours)
    assert asked.status_code == 401  # allowed to ask, but still nobody
    assert asked.headers["access-control-allow-origin"] == "https://notes.example"
    refused = ask(guard, "/v1/search", method="OPTIONS", headers=other | PREFLIGHT)
    assert refused.status_code == 403
    assert "access-control-allow-origin" not in refused.headers
    assert refused.headers["vary"] == "Origin"
    open_to_all = ask(guard, "/v1/health", headers=ours)
    assert open_to_all.headers.get_list("vary") == ["Accept-Encoding", "Origin"]


def test_where_no_site_is_allowed_no_browser_is_told_that_it_may_ask(guard: Guard) -> None:
    for origin in ("https://notes.example", LOCAL):
        answer = ask(guard, method="OPTIONS", headers={"Origin": origin} | PREFLIGHT)
        assert not [name for name in answer.headers if name.startswith("access-control")]


# what every answer has


def test_every_answer_has_the_headers_that_keep_browsers_careful(guard: Guard, gate: Gate) -> None:
    gate.tokens.create("agent", ["search"])
    for path, status, policy in (
        ("/", 200, OF_THE_PAGE),
        ("/page/app.js", 200, OF_THE_PAGE),
        ("/v1/health", 200, SHUT),
        ("/v1/stats", 401, SHUT),
    ):
        answer = ask(guard, path)
        assert answer.status_code == status
        assert answer.headers.get_list("content-security-policy") == [policy]
        assert {name: answer.headers[name] for name in COMMON} == COMMON


def test_what_is_of_the_store_is_kept_in_no_cache(guard: Guard) -> None:
    assert ask(guard, "/v1/records/x").headers.get_list("cache-control") == ["no-store"]
    assert ask(guard, "/page/app.js").headers.get_list("cache-control") == ["public"]


def test_a_request_has_its_callers_name_or_a_new_one(guard: Guard) -> None:
    named = ask(guard, headers={"X-Request-Id": "job-7.a_B"})
    assert named.headers.get_list("x-request-id") == ["job-7.a_B"]
    for unfit in ("", "a b", "x" * 65, "é", "<script>", 'a"b'):
        new = ask(guard, headers=[("X-Request-Id", unfit.encode("latin-1"))])  # type: ignore[arg-type]
        assert len(new.headers["x-request-id"]) == 16
        assert new.headers["x-request-id"] != unfit


def test_other_protocols_are_closed_and_the_life_of_the_server_passes(gate: Gate) -> None:
    seen = []

    async def inside(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["type"])

    async def nothing() -> Message:
        raise AssertionError

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def both() -> None:
        guard = Guard(inside, gate)
        await guard({"type": "lifespan"}, nothing, send)
        await guard({"type": "websocket", "path": "/", "headers": []}, nothing, send)

    asyncio.run(both())
    assert seen == ["lifespan"]
    assert [message["type"] for message in sent] == ["websocket.close"]
