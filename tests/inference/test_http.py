"""HTTP: providers are asked as they document it, and every failure is one clear error."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from email.utils import formatdate
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pinyon.inference.contract import NoModel, ProviderError
from pinyon.inference.http import HttpEmbedder
from pinyon.inference.models import known
from pinyon.inference.open import open_embedder
from pinyon.inference.server import Clock, Patience
from tests.inference import server as fake
from tests.inference.server import Reply, Server, refusal, rows, running, vector

KEY = "sk-secret-0123456789"
QUICK = Patience(timeout_s=10, attempts=3, longest_pause_s=8)


@contextmanager
def asking(
    server: Server, name: str = "compatible", key: str | None = KEY, **how: Any
) -> Iterator[tuple[HttpEmbedder, list[float]]]:
    """An embedder that asks the server, and the pauses that it would have made."""
    pauses: list[float] = []
    changed = {"dims": server.dims, "model": known().providers[name].model or "nomic", **how}
    patience = changed.pop("patience", QUICK)
    provider = replace(known().providers[name], url=server.url, **changed)
    clock = Clock(sleep=pauses.append, now=lambda: 1_000.0)
    embedder = HttpEmbedder(provider, key, query=patience, passages=patience, clock=clock)
    try:
        yield embedder, pauses
    finally:
        embedder.close()


@pytest.mark.proves("S12")
@pytest.mark.parametrize(
    ("name", "dims", "passages", "queries"),
    [
        (
            "openai",
            1536,
            {"model": "text-embedding-3-small", "dimensions": 1536},
            {"model": "text-embedding-3-small", "dimensions": 1536},
        ),
        (
            "voyage",
            1024,
            {"model": "voyage-3.5", "output_dimension": 1024, "input_type": "document"},
            {"model": "voyage-3.5", "output_dimension": 1024, "input_type": "query"},
        ),
        ("compatible", 768, {"model": "nomic"}, {"model": "nomic"}),
    ],
)
def test_each_provider_is_asked_as_it_documents(
    name: str, dims: int, passages: dict[str, Any], queries: dict[str, Any]
) -> None:
    with running(dims=dims) as server, asking(server, name) as (embedder, _):
        found = embedder.embed_passages(["one", "three"])
        embedder.embed_queries(["two"])
        assert server.asked == [
            {"input": ["one", "three"], **passages},
            {"input": ["two"], **queries},
        ]
        assert server.paths == ["/v1/embeddings", "/v1/embeddings"]
        assert {headers["Authorization"] for headers in server.headers} == {f"Bearer {KEY}"}
    expected = np.array([vector("one", dims), vector("three", dims)])
    assert (found.dtype.name, embedder.dims) == ("float32", dims)
    assert_allclose(found, expected / np.linalg.norm(expected, axis=1, keepdims=True), rtol=1e-5)


@pytest.mark.proves("S12")
def test_a_server_is_asked_for_its_size_once_where_none_is_configured() -> None:
    with running(dims=5) as server, asking(server, dims=0, key=None) as (embedder, _):
        assert (embedder.dims, embedder.embed_queries(["x"]).shape) == (5, (1, 5))
        assert [body["input"] for body in server.asked] == [["dimensions"], ["x"]]
        assert not any("Authorization" in headers for headers in server.headers)


def test_texts_go_in_batches_and_come_back_in_order() -> None:
    texts = [f"{'long ' * number}" for number in range(12)]
    with running() as server, asking(server, inputs=3, size=40) as (embedder, _):
        found = embedder.embed_passages(texts)
        sent = [body["input"] for body in server.asked]
        sizes = [sum(map(embedder.count_tokens, batch)) for batch in sent]
    assert [text for batch in sent for text in batch] == [text or " " for text in texts]
    assert all(len(batch) <= 3 for batch in sent)
    assert all(size <= 40 for size in sizes)
    expected = np.array([vector(text or " ", 4) for text in texts])
    assert_allclose(found, expected / np.linalg.norm(expected, axis=1, keepdims=True), rtol=1e-5)


def test_no_texts_ask_nobody() -> None:
    with running() as server, asking(server) as (embedder, _):
        assert embedder.embed_passages([]).shape == (0, 4)
        assert server.asked == []


def test_what_is_over_the_limit_is_not_sent() -> None:
    with running() as server, asking(server, tokens=5) as (embedder, _):
        embedder.embed_passages(["漢" * 100])
        assert server.asked[0]["input"] == ["漢" * 5]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_failure_is_asked_again_with_growing_pauses(status: int) -> None:
    script = [refusal(status), refusal(status)]
    with running(script=script) as server, asking(server) as (embedder, pauses):
        assert embedder.embed_passages(["x"]).shape == (1, 4)
        assert (len(server.asked), pauses) == (3, [0.5, 1.0])


@pytest.mark.parametrize("asked", ["7", formatdate(1_007, usegmt=True)])
def test_the_pause_that_the_server_asks_for_is_kept(asked: str) -> None:
    script = [refusal(429, Retry_After=asked)]
    with running(script=script) as server, asking(server) as (embedder, pauses):
        embedder.embed_passages(["x"])
        assert pauses == [7.0]


@pytest.mark.parametrize("asked", ["soon", "nan", ""])
def test_a_pause_that_cannot_be_read_is_ours(asked: str) -> None:
    script = [refusal(429, Retry_After=asked)]
    with running(script=script) as server, asking(server) as (embedder, pauses):
        embedder.embed_passages(["x"])
        assert pauses == [0.5]


def test_a_server_that_asks_for_too_long_a_pause_is_left_alone() -> None:
    script = [refusal(429, "slow down", Retry_After="3600")]
    with running(script=script) as server, asking(server) as (embedder, pauses):
        error = failure(embedder)
        assert (len(server.asked), pauses) == (1, [])
    assert (error.status, error.retryable) == (429, True)
    assert str(error) == "compatible answered 429: slow down (try again later)"


@pytest.mark.parametrize("status", [429, 500])
def test_a_failure_that_stays_ends_in_one_error(status: int) -> None:
    with running(script=[refusal(status)] * 3) as server, asking(server) as (embedder, pauses):
        error = failure(embedder)
        assert (len(server.asked), len(pauses)) == (3, 2)
    assert (error.status, error.retryable) == (status, True)


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_not_tried_again_and_never_shown(status: int) -> None:
    script = [refusal(status, f"Incorrect API key provided: {KEY}")]
    with running(script=script) as server, asking(server, "openai", dims=4) as (embedder, pauses):
        error = failure(embedder)
        assert (len(server.asked), pauses) == (1, [])
        assert KEY not in repr(embedder)
    assert (error.status, error.retryable) == (status, False)
    assert str(error) == (f"openai refused the key ({status}) (set OPENAI_API_KEY to a valid key)")


def test_a_key_that_the_server_repeats_is_struck_out() -> None:
    script = [refusal(400, f"bad model for\n{KEY}")]
    with running(script=script) as server, asking(server) as (embedder, _):
        error = failure(embedder)
    assert error.problem == "compatible answered 400: bad model for ***"


@pytest.mark.parametrize("key", ["sk-ключ", "sk-a\nb"])
def test_a_key_that_is_none_is_not_sent_or_shown(key: str) -> None:
    with running() as server, asking(server, key=key) as (embedder, _):
        error = failure(embedder)
        assert server.asked == []
    assert key not in str(error)
    assert not error.retryable


def test_a_server_that_says_nothing_is_left_after_the_time_out() -> None:
    patience = Patience(timeout_s=0.2, attempts=2, longest_pause_s=1)
    script: list[Reply] = [None, None]
    with (
        running(script=script) as server,
        asking(server, patience=patience) as (embedder, pauses),
    ):
        error = failure(embedder)
        assert (len(server.asked), pauses) == (2, [0.5])
    assert error.problem == "compatible did not answer in 0.2 s"
    assert (error.status, error.retryable) == (None, True)


def test_a_server_that_is_not_there_is_said_to_be_unreachable() -> None:
    with running() as gone:
        pass
    with asking(gone) as (embedder, pauses):
        error = failure(embedder)
    assert (error.retryable, len(pauses)) == (True, 2)
    assert error.problem == "compatible cannot be reached: ConnectError"
    assert gone.url in error.remedy


@pytest.mark.parametrize("url", ["localhost:11434/v1", "/v1", "http://localhost:port/v1"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with asking(Server(url=url)) as (embedder, pauses):
        error = failure(embedder)
    assert "address" in error.problem
    assert (error.retryable, pauses) == (False, [])


@pytest.mark.proves("S12")
def test_a_redirect_is_not_followed() -> None:
    script: list[Reply] = [(302, {"Location": "http://127.0.0.1:1/v1/embeddings"}, b"")]
    with running(script=script) as server, asking(server) as (embedder, _):
        error = failure(embedder)
    assert (error.status, error.retryable) == (302, False)


@pytest.mark.parametrize(
    "reply",
    [
        (200, {}, b"<html>garbage"),
        (200, {}, b"\xff\xfe\x00"),
        (200, {}, b""),
        fake.ok([]),
        fake.ok({}),
        fake.ok({"data": None}),
        fake.ok({"data": ["x"]}),
        fake.ok({"data": [{"index": 5, "embedding": [1, 2, 3, 4]}]}),
        rows(),
        rows([1, 2, 3]),
        rows([1, 2, 3, 4, 5]),
        rows([1, 2, 3, 4], [1, 2, 3, 4]),
        rows([1, 2, 3, float("nan")]),
        rows([1, 2, 3, float("inf")]),
        rows([1e39, 0, 0, 0]),
        rows([0, 0, 0, 0]),
        rows([1, 2, 3, None]),
        rows("text"),
        rows([[1, 2, 3, 4]]),
    ],
)
def test_an_answer_that_is_not_a_vector_for_each_text_is_refused_at_once(reply: Reply) -> None:
    with running(script=[reply]) as server, asking(server) as (embedder, pauses):
        error = failure(embedder)
        assert (len(server.asked), pauses) == (1, [])
    assert not error.retryable
    assert error.remedy
    assert "\n" not in str(error)


def test_a_size_that_cannot_be_found_out_is_an_error_and_asked_again_later() -> None:
    script = [rows("text"), rows([]), rows([0.0, 0.0])]
    with running(script=script) as server, asking(server, dims=0) as (embedder, _):
        for _ in script[:]:
            with pytest.raises(ProviderError):
                _ = embedder.dims
        assert embedder.dims == 4


def test_a_closed_embedder_asks_again() -> None:
    with running() as server, asking(server) as (embedder, _):
        embedder.embed_queries(["x"])
        embedder.close()
        assert embedder.embed_queries(["x"]).shape == (1, 4)


@pytest.mark.proves("S12")
def test_a_provider_without_what_it_needs_is_refused_before_anything_is_sent(
    tmp_path: Path,
) -> None:
    with pytest.raises(NoModel, match="needs a key") as raised:
        open_embedder("voyage", tmp_path, key=" ")
    assert raised.value.remedy == "set VOYAGE_API_KEY"
    with pytest.raises(NoModel, match="needs the address"):
        open_embedder("compatible", tmp_path, model="nomic")


def test_an_opened_provider_has_the_table_s_size_or_the_one_that_is_asked_for(
    tmp_path: Path,
) -> None:
    openai = open_embedder("openai", tmp_path, key=KEY)
    small = open_embedder("openai", tmp_path, key=KEY, dims=512)
    voyage = open_embedder("voyage", tmp_path, key=KEY)
    assert [(each.name, each.dims) for each in (openai, small, voyage)] == [
        ("openai:text-embedding-3-small@1536", 1536),
        ("openai:text-embedding-3-small@512", 512),
        ("voyage:voyage-3.5@1024", 1024),
    ]


def failure(embedder: HttpEmbedder) -> ProviderError:
    with pytest.raises(ProviderError) as raised:
        embedder.embed_passages(["x"])
    return raised.value
