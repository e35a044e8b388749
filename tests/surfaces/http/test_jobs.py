"""Jobs over HTTP: begun, watched, cancelled; what they wrote stays."""

import json
import signal
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.surfaces.serving import serving


def _begun(http: httpx.Client, **asked: object) -> str:
    answer = http.post("/v1/jobs", json=asked)
    assert answer.status_code == 202, answer.text
    assert answer.headers["Location"] == f"/v1/jobs/{answer.json()['id']}"
    return answer.headers["Location"]


def _events(http: httpx.Client, path: str) -> list[tuple[str, dict[str, Any]]]:
    """Every event of a job, until the server ends the stream."""
    with http.stream("GET", f"{path}/events") as stream:
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        text = "".join(stream.iter_text())
    found = []
    for event in text.split("\n\n"):
        if event and not event.startswith(":"):
            name, data = event.split("\n")
            found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def _ended(http: httpx.Client, path: str) -> dict[str, Any]:
    _events(http, path)
    found: dict[str, Any] = http.get(path).json()
    return found


@pytest.mark.proves("P10")
def test_a_folder_is_indexed_behind_and_its_events_tell_how_far_it_is(
    http: httpx.Client, notes: Path
) -> None:
    path = _begun(http, job="index", path=str(notes))
    events = _events(http, path)
    states = [state for state, _ in events]
    assert states[-1] == "done"
    assert set(states[:-1]) <= {"waiting", "running"}
    counts = [job["done"] for _, job in events]
    assert counts == sorted(counts)
    last = events[-1][1]
    assert (last["done"], last["total"], last["result"]["added"]) == (200, 200, 200)
    assert last["began_at"] <= last["ended_at"]
    assert http.get(path).json() == last
    assert last in http.get("/v1/jobs").json()["jobs"]
    assert http.post("/v1/search", json={"query": "note 199"}).json()["hits"]


def test_the_events_of_a_job_that_has_ended_are_its_end(http: httpx.Client, tmp_path: Path) -> None:
    path = _begun(http, job="index", path=str(tmp_path))
    assert _ended(http, path)["state"] == "done"
    [(state, _)] = _events(http, path)
    assert state == "done"


def test_a_cancelled_job_ends_and_what_it_wrote_can_be_gone_on_with(
    http: httpx.Client, notes: Path
) -> None:
    path = _begun(http, job="index", path=str(notes))
    waiting = _begun(http, job="index", path=str(notes))
    assert http.delete(waiting).json()["state"] == "cancelled"
    assert http.delete(path).status_code == 200
    ended = _ended(http, path)
    assert (ended["state"], ended["result"], ended["error"]) == ("cancelled", None, None)
    assert http.delete(path).json() == ended
    again = _ended(http, _begun(http, job="index", path=str(notes)))
    assert (again["state"], again["total"]) == ("done", 200)


def test_a_reader_that_leaves_the_events_disturbs_nobody(http: httpx.Client, notes: Path) -> None:
    path = _begun(http, job="index", path=str(notes))
    with http.stream("GET", f"{path}/events") as stream:
        next(stream.iter_lines())
    assert _ended(http, path)["state"] == "done"


def test_embedding_is_a_job_too(http: httpx.Client) -> None:
    job = _ended(http, _begun(http, job="embed", retry=True))
    assert (job["state"], job["result"]["failed"]) == ("done", 0)


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"job": "nope"},
        {"job": "index"},
        {"job": "index", "path": ""},
        {"job": "index", "path": 1},
        {"job": "index", "path": "/no/such/folder"},
        {"job": "index", "path": "a\u0000b"},
        {"job": "index", "path": "x" * 3_000},
        {"job": "index", "path": ".", "retry": True},
        {"job": "embed", "retry": "yes"},
    ],
    ids=str,
)
def test_a_job_that_cannot_be_done_is_refused_at_once(
    http: httpx.Client, asked: dict[str, object]
) -> None:
    before = http.get("/v1/jobs").json()
    answer = http.post("/v1/jobs", json=asked)
    assert answer.status_code == 422
    assert answer.json()["error"]["message"]
    assert http.get("/v1/jobs").json() == before


def test_only_so_many_jobs_wait(http: httpx.Client, notes: Path) -> None:
    paths = [_begun(http, job="index", path=str(notes)) for _ in range(20)]
    statuses = [
        http.post("/v1/jobs", json={"job": "index", "path": str(notes)}).status_code
        for _ in range(3)
    ]
    for path in paths:
        http.delete(path)
    assert statuses[-1] == 503
    assert {_ended(http, path)["state"] for path in paths} <= {"done", "cancelled"}


def test_a_server_that_is_told_to_end_does_so_in_the_middle_of_a_job(
    tmp_path: Path, notes: Path
) -> None:
    store = tmp_path / "ended.pinyon"
    with serving(store) as server, httpx.Client(base_url=server.url, timeout=20) as http:
        http.post("/v1/records", json={"id": "kept", "title": "One"})
        path = _begun(http, job="index", path=str(notes))
        with http.stream("GET", f"{path}/events") as stream:
            lines = stream.iter_lines()
            assert next(lines).startswith("event: ")
            assert server.stop(signal.SIGTERM) == 0
            assert "event: done" not in list(lines)  # it ended, and properly
        assert len(server.said) == 1, b"".join(server.said).decode()
    with serving(store) as server, httpx.Client(base_url=server.url, timeout=20) as http:
        assert http.get("/v1/records/kept").status_code == 200
        again = _ended(http, _begun(http, job="index", path=str(notes)))
        assert (again["state"], again["total"]) == ("done", 200)


def test_settings_are_set_listed_and_unset(http: httpx.Client) -> None:
    key = "profiles.brain.rank.weights.recency"
    assert http.put(f"/v1/config/{key}", json={"value": "0.3"}).json()["value"] == "0.3"
    assert http.get("/v1/config").json() == {"config": {key: "0.3"}}
    assert http.delete(f"/v1/config/{key}").json()["value"] is None
    assert http.get("/v1/config").json() == {"config": {}}
    for name, value in (("nope", "1"), ("log_days", "many"), (key, "[]")):
        assert http.put(f"/v1/config/{name}", json={"value": value}).status_code == 422
    assert http.put("/v1/config/log_days", json={"value": 3}).status_code == 422
    assert http.delete("/v1/config/log_days").status_code in {200, 422}
