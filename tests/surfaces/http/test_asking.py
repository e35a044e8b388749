"""Asking over HTTP: search, brief, feedback, and what there is to ask for."""

import gzip
import json
from pathlib import Path

import httpx
import pytest

from pinyon import __version__
from tests.surfaces.serving import serving


@pytest.fixture(scope="module", autouse=True)
def _records(http: httpx.Client) -> None:
    for number in range(12):
        record = {
            "id": f"pine-{number}",
            "title": f"Pine {number}",
            "body": f"A pine of the ridge, number {number}. " * 20,
            "tags": ["tree"],
            "scope": "forest/ridge",
            "author": "ann",
            "kind": "memory",
        }
        assert http.post("/v1/records", json=record).status_code == 201


@pytest.mark.proves("P10")
def test_a_search_gives_hits_with_their_reasons(http: httpx.Client) -> None:
    answer = http.post(
        "/v1/search", json={"query": "pine ridge", "limit": 3, "tags": ["tree"], "mode": "full"}
    )
    found = answer.json()
    assert answer.status_code == 200
    assert len(found["hits"]) == 3
    assert found["hits"][0]["signals"]
    assert found["hits"][0]["record"]["author"] == "ann"
    assert found["meta"]["profile"] == "default"


def test_pages_follow_each_other_and_hold_every_record_once(http: httpx.Client) -> None:
    asked: dict[str, object] = {"query": "pine", "limit": 5}
    seen = []
    for _ in range(3):
        page = http.post("/v1/search", json=asked).json()
        seen += [hit["id"] for hit in page["hits"]]
        asked["cursor"] = page["meta"]["next"]
    assert sorted(seen) == sorted(f"pine-{number}" for number in range(12))


def test_a_cursor_of_another_question_is_refused(http: httpx.Client) -> None:
    cursor = http.post("/v1/search", json={"query": "pine", "limit": 5}).json()["meta"]["next"]
    answer = http.post("/v1/search", json={"query": "ridge", "limit": 5, "cursor": cursor})
    assert answer.status_code == 422
    assert answer.json()["error"]["message"] == "the cursor belongs to another question"


@pytest.mark.parametrize(
    "wrong",
    [
        {"cursor": "no cursor"},
        {"profile": "nope"},
        {"tiers": ["nope"]},
        {"since": "yesterday-ish"},
        {"scope": "a//b"},
        {"override": {"no.such": 1}},
        {"limit": 0},
        {"limit": "10"},
        {"query": 1},
        {"query": None},
        {"kinds": "memory"},
        {"kinds": ["nope"]},
        {"min_relevance": 2},
        {"rerank": "http://127.0.0.1:1/steal"},
        {"unknown": 1},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_question_that_does_not_fit_is_refused_with_a_sentence(
    http: httpx.Client, wrong: dict[str, object]
) -> None:
    answer = http.post("/v1/search", json={"query": "pine", **wrong})
    error = answer.json()["error"]
    assert answer.status_code == 422
    assert error["message"]
    assert error["request"] == answer.headers["X-Request-Id"]


def test_a_record_that_is_not_there_cannot_be_searched_by(http: httpx.Client) -> None:
    assert http.post("/v1/search", json={"like": "nope"}).status_code == 404


def test_what_can_be_asked_for_is_listed(http: httpx.Client) -> None:
    assert http.get("/v1/values/tags").json() == {"values": {"tree": 12}}
    assert http.get("/v1/values/scope").json() == {"values": {"forest/ridge": 12}}
    assert http.get("/v1/values/author").json() == {"values": {"ann": 12}}
    assert http.get("/v1/values/title").status_code == 422
    profiles = http.get("/v1/profiles").json()["profiles"]
    assert {"name", "about"} == profiles[0].keys()
    assert "default" in {each["name"] for each in profiles}
    [tier] = http.get("/v1/tiers").json()["tiers"]
    assert (tier["name"], tier["state"], tier["records"]) == ("agent", "open", 12)
    assert http.get("/v1/permit").json() == {
        "name": "owner",
        "capabilities": ["admin", "search", "write"],
        "tiers": [],
        "scopes": [],
    }


def test_brief_conflicts_feedback_and_numbers_are_those_of_the_engine(http: httpx.Client) -> None:
    brief = http.get("/v1/brief", params={"scope": "forest", "max_tokens": 500, "kind": "memory"})
    assert (brief.json()["scope"], brief.json()["tokens"] <= 500) == ("forest", True)
    assert http.get("/v1/brief", params={"scope": "desert"}).json()["tokens"] == 0
    ends = {"from_id": "pine-0", "relation": "contradicts", "to_id": "pine-1"}
    http.post("/v1/links", json=ends)
    found = http.get("/v1/conflicts", params={"scope": "forest"}).json()["conflicts"]
    assert {"one": "pine-0", "other": "pine-1", "linked": True}.items() <= found[0].items()
    judged = {"id": "pine-1", "verdict": "accepted", "query": "pine", "profile": "default"}
    answer = http.post("/v1/feedback", json=judged)
    assert (answer.status_code, answer.json()) == (200, judged)
    assert http.post("/v1/feedback", json={**judged, "verdict": "so so"}).status_code == 422
    assert http.post("/v1/feedback", json={**judged, "id": "nope"}).status_code == 404
    stats = http.get("/v1/stats").json()
    assert (stats["records"], stats["kinds"]) == (12, {"memory": 12})


def test_health_says_that_it_lives_and_nothing_else(http: httpx.Client) -> None:
    assert http.get("/v1/health").json() == {"status": "ok", "version": __version__}


def test_large_answers_are_packed_for_whoever_asks_for_it(http: httpx.Client) -> None:
    asked = {"query": "pine", "mode": "full", "track": False}
    plain = http.post("/v1/search", json=asked, headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    with http.stream(
        "POST", "/v1/search", json=asked, headers={"Accept-Encoding": "gzip"}
    ) as packed:
        raw = b"".join(packed.iter_raw())
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(raw) < len(plain.content) / 2
    unpacked = json.loads(gzip.decompress(raw))
    assert [hit["id"] for hit in unpacked["hits"]] == [hit["id"] for hit in plain.json()["hits"]]
    small = http.get("/v1/health", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in small.headers


def test_the_page_and_the_document_are_served(http: httpx.Client) -> None:
    page = http.get("/")
    assert (page.status_code, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert page.headers["Cache-Control"] == "no-cache"
    document = http.get("/openapi.json").json()
    assert document["paths"]["/v1/search"]["post"]["operationId"] == "search"
    for outside in ("/page/%2E%2E/app.py", "/page/..%2F..%2Fapp.py", "/page//etc/passwd"):
        assert http.get(outside).status_code == 404
    for elsewhere in ("/docs", "/redoc", "/v1/nothing", "/v1/search/"):
        assert http.get(elsewhere).status_code == 404


def test_a_server_that_was_restarted_knows_what_was_written(tmp_path: Path) -> None:
    store = tmp_path / "kept.pinyon"
    with serving(store) as server:
        httpx.post(f"{server.url}/v1/records", json={"id": "kept", "title": "One"})
    with serving(store) as server:
        assert httpx.get(f"{server.url}/v1/records/kept").json()["title"] == "One"
