"""HTTP: rerankers are asked as they document it, and give one score for each text or an error."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from pinyon.inference.contract import NoModel, ProviderError
from pinyon.inference.models import known
from pinyon.inference.rerank.http import PATIENCE, HttpReranker
from pinyon.inference.rerank.open import open_reranker
from pinyon.inference.server import Clock, Patience
from tests.inference.server import Reply, Server, ok, refusal, running

KEY = "sk-secret-0123456789"
NAMES = ("voyage", "cohere")
LISTS = {"voyage": "data", "cohere": "results"}
ASKED: dict[str, dict[str, Any]] = {
    "voyage": {"model": "rerank-2", "truncation": True},
    "cohere": {"model": "rerank-v3.5"},
}


@dataclass
class Reranking(Server):
    """Scores a text by its length, and lists the best first."""

    results: str = "results"

    def good(self, body: dict[str, Any]) -> Reply:
        lengths = [len(text) for text in body["documents"]]
        order = sorted(range(len(lengths)), key=lambda at: -lengths[at])
        return listed(self.results, *((at, lengths[at] / 100) for at in order))


def listed(name: str, *scores: tuple[object, object]) -> Reply:
    return ok({name: [{"index": at, "relevance_score": score} for at, score in scores]})


@contextmanager
def asking(
    name: str = "cohere",
    *script: Reply,
    key: str = KEY,
    patience: Patience = PATIENCE,
    **how: Any,
) -> Iterator[tuple[HttpReranker, Server, list[float]]]:
    """A reranker, the server that it asks, and the pauses that it would have made."""
    pauses: list[float] = []
    with running(kind=Reranking, script=list(script), results=LISTS[name]) as server:
        changed = replace(known().rerankers[name], url=server.url, **how)
        reranker = HttpReranker(
            changed, key, patience=patience, clock=Clock(pauses.append, lambda: 1_000.0)
        )
        yield reranker, server, pauses
        reranker.close()


@pytest.mark.proves("S7")
@pytest.mark.parametrize("name", NAMES)
def test_each_server_is_asked_as_it_documents_and_its_scores_stand_by_their_texts(
    name: str,
) -> None:
    with asking(name) as (reranker, server, _):
        scores = reranker.score("which?", ["four", "a", "seven!!"])
        assert server.asked == [
            {"query": "which?", "documents": ["four", "a", "seven!!"], **ASKED[name]}
        ]
        assert server.paths == ["/v1/rerank"]
        assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert scores == [0.04, 0.01, 0.07]


@pytest.mark.proves("S7")
@pytest.mark.parametrize(
    ("name", "url"),
    [("voyage", "https://api.voyageai.com/v1"), ("cohere", "https://api.cohere.com/v2")],
)
def test_the_table_holds_the_addresses_that_they_document(name: str, url: str) -> None:
    assert known().rerankers[name].url == url


def test_no_texts_ask_nobody() -> None:
    with asking() as (reranker, server, _):
        assert reranker.score("which?", []) == []
        assert server.asked == []


def test_more_texts_than_a_server_takes_go_in_several_requests() -> None:
    with asking(inputs=2) as (reranker, server, _):
        assert reranker.score("which?", ["a", "bb", "ccc"]) == [0.01, 0.02, 0.03]
        assert [len(body["documents"]) for body in server.asked] == [2, 1]


def test_a_text_is_cut_and_a_blank_or_broken_one_is_sent_as_something_readable() -> None:
    with asking(tokens=2) as (reranker, server, _):
        reranker.score("q" * 9, ["漢字漢", " \n", "", "\ud800"])
        assert server.asked[0]["documents"] == ["漢字", "-", "-", "?"]
        assert server.asked[0]["query"] == "q" * 6


WRONG: list[Reply] = [
    (200, {}, b"<html>garbage"),
    (200, {}, b"\xff\xfe\x00"),
    (200, {}, b""),
    ok([]),
    ok({}),
    ok({"results": None}),
    ok({"results": {"0": 1}}),
    ok({"results": ["x", "y"]}),
    ok({"results": [{"index": 0}, {"index": 1}]}),
    ok({"results": [{"relevance_score": 0.5}, {"relevance_score": 0.5}]}),
    ok({"data": [{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": 1}]}),
    listed("results"),
    listed("results", (0, 0.5)),
    listed("results", (0, 0.5), (0, 0.5)),
    listed("results", (0, 0.5), (2, 0.5)),
    listed("results", (0, 0.5), (-1, 0.5)),
    listed("results", (0, 0.5), (1, 0.5), (1, 0.5)),
    listed("results", (0, 0.5), (1, 0.5), (2, 0.5)),
    listed("results", (0, 0.5), (1, float("nan"))),
    listed("results", (0, 0.5), (1, float("inf"))),
    listed("results", (0, 0.5), (1, 10**400)),
    listed("results", (0, 0.5), (1, None)),
    listed("results", (0, 0.5), (1, "0.5")),
    listed("results", (0, 0.5), (1, True)),
    listed("results", (0, 0.5), (True, 0.5)),
    listed("results", (0, 0.5), (1.0, 0.5)),
]


def test_an_answer_that_is_not_one_score_for_each_text_gives_no_scores() -> None:
    with asking("cohere", *WRONG) as (reranker, server, pauses):
        for asked, reply in enumerate(WRONG, 1):
            error = failure(reranker)
            assert (len(server.asked), pauses) == (asked, []), reply
            assert error.problem == "cohere answered with something else than a score for each text"
            assert not error.retryable


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_failure_is_asked_again_once(status: int) -> None:
    with asking("voyage", refusal(status)) as (reranker, server, pauses):
        assert reranker.score("q", ["x"]) == [0.01]
        assert (len(server.asked), pauses) == (2, [0.5])
    with asking("voyage", refusal(status), refusal(status)) as (reranker, server, pauses):
        assert failure(reranker).status == status
        assert len(server.asked) == 2


def test_a_pause_that_a_searcher_would_not_wait_for_is_not_made() -> None:
    with asking("voyage", refusal(429, Retry_After="2")) as (reranker, server, pauses):
        assert failure(reranker).retryable
        assert (len(server.asked), pauses) == (1, [])


def test_nobody_waits_longer_than_five_seconds_in_all() -> None:
    waits = PATIENCE.attempts * PATIENCE.timeout_s
    assert waits + (PATIENCE.attempts - 1) * PATIENCE.longest_pause_s < 5


def test_a_server_that_says_nothing_is_left_after_the_time_out() -> None:
    short = Patience(timeout_s=0.2, attempts=1, longest_pause_s=0)
    with asking("cohere", None, patience=short) as (reranker, _, _):
        assert failure(reranker).problem == "cohere did not answer in 0.2 s"


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_never_shown(status: int) -> None:
    with asking("cohere", refusal(status, f"no such key: {KEY}")) as (reranker, _, _):
        error = failure(reranker)
        assert KEY not in repr(vars(reranker))
    assert str(error) == f"cohere refused the key ({status}) (set COHERE_API_KEY to a valid key)"


@pytest.mark.parametrize(
    "said", [{"message": f"bad {KEY}"}, {"detail": f"bad {KEY}"}, {"error": {"message": "bad ***"}}]
)
def test_what_a_server_says_is_passed_on_without_the_key(said: dict[str, Any]) -> None:
    status, headers, body = ok(said) or (0, {}, b"")
    with asking("cohere", (status + 200, headers, body)) as (reranker, _, _):
        assert failure(reranker).problem == "cohere answered 400: bad ***"


def test_a_redirect_is_not_followed() -> None:
    away: Reply = (307, {"Location": "http://127.0.0.1:1/v1/rerank"}, b"")
    with asking("cohere", away) as (reranker, _, _):
        assert failure(reranker).status == 307


def test_another_address_or_model_has_another_name(tmp_path: Path) -> None:
    opened = [
        open_reranker("voyage", tmp_path, key=KEY),
        open_reranker("voyage", tmp_path, key=KEY, model="rerank-2.5"),
        open_reranker("voyage", tmp_path, key=KEY, url="http://localhost:1/v1"),
        open_reranker("cohere", tmp_path, key=KEY),
    ]
    assert [each.name for each in opened] == [
        "voyage:rerank-2",
        "voyage:rerank-2.5",
        "voyage:rerank-2 http://localhost:1/v1",
        "cohere:rerank-v3.5",
    ]


@pytest.mark.proves("S7")
@pytest.mark.parametrize("name", NAMES)
def test_a_server_without_its_key_is_refused_before_anything_is_sent(
    name: str, tmp_path: Path
) -> None:
    with pytest.raises(NoModel, match="needs a key") as raised:
        open_reranker(name, tmp_path, key=" ")
    assert raised.value.remedy == f"set {name.upper()}_API_KEY"


def test_a_closed_reranker_asks_again() -> None:
    with asking() as (reranker, _, _):
        reranker.score("q", ["x"])
        reranker.close()
        assert reranker.score("q", ["x"]) == [0.01]


def failure(reranker: HttpReranker) -> ProviderError:
    with pytest.raises(ProviderError) as raised:
        reranker.score("q", ["x", "y"])
    return raised.value
