"""Metrics: text that Prometheus reads, with few labels whatever is asked."""

import re

import httpx
from hypothesis import given
from hypothesis import strategies as st

from pinyon.surfaces.http.metrics import BUCKETS_S, Metrics

LINE = re.compile(
    r"# (HELP|TYPE) pinyon_\w+ .+"
    r"|(?P<name>pinyon_\w+)(?P<labels>\{\w+=\"(\\.|[^\"\\\n])*\"(,\w+=\"(\\.|[^\"\\\n])*\")*\})?"
    r" (?P<value>-?[0-9.]+(e[+-]?[0-9]+)?)"
)


def _samples(text: str) -> dict[str, float]:
    """Every sample; each line must be one that Prometheus reads."""
    found = {}
    assert text.endswith("\n")
    for line in text.removesuffix("\n").split("\n"):
        match = LINE.fullmatch(line)
        assert match, line
        if match["name"]:
            found[match["name"] + (match["labels"] or "")] = float(match["value"])
    return found


@given(st.lists(st.floats(0, 100), max_size=30), st.text(max_size=20))
def test_buckets_add_up_and_any_label_is_escaped(times: list[float], label: str) -> None:
    metrics = Metrics(timer=lambda: 0.0)
    for seconds in times:
        metrics.answered("GET", "/a", 200, seconds)
    text = metrics.text("1.0", {"records": [({"kind": label}, 3)]})
    found = _samples(text)
    if times:
        counts = [
            found[f'pinyon_request_seconds_bucket{{route="/a",le="{b:g}"}}'] for b in BUCKETS_S
        ]
        assert counts == [sum(each <= bound for each in times) for bound in BUCKETS_S]
        assert found['pinyon_request_seconds_count{route="/a"}'] == len(times)
        assert found['pinyon_requests_total{method="GET",route="/a",status="200"}'] == len(times)
    assert 3 in found.values()


def test_labels_are_templates_never_what_was_asked(http: httpx.Client) -> None:
    http.post("/v1/records", json={"id": "secret-id", "title": "One"})
    http.get("/v1/records/secret-id")
    http.get("/v1/records/another-secret")
    http.get("/v1/nowhere/secret-place")
    http.get("/page/secret-file")
    http.request("SECRET", "/v1/health")
    answer = http.get("/metrics")
    found = _samples(answer.text)
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert "secret" not in answer.text.lower()
    read = 'pinyon_requests_total{method="GET",route="/v1/records/{id}",status='
    assert (found[f'{read}"200"}}'], found[f'{read}"404"}}']) == (1, 1)
    assert found['pinyon_records{kind="memory"}'] == 1
    assert found["pinyon_uptime_seconds"] > 0
