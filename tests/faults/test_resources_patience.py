"""A search ends when its time is over, whatever it is busy with: a scan, tiers, a server that says
nothing, or one that never stops."""

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import pinyon
from pinyon import settings
from pinyon.engine import Engine
from pinyon.inference.contract import ProviderError
from pinyon.inference.models import known
from pinyon.inference.server import MOST_BYTES, Patience, Server
from pinyon.model.errors import OutOfTime
from pinyon.model.record import Record
from pinyon.store.contract import Batch
from pinyon.store.sqlite import SqliteStore
from tests.faults.length import lasting
from tests.inference.server import running
from tests.inference.tiny import write_folder
from tests.store.world import NOW

RECORDS = lasting(2_000, 20_000)
DEADLINE_S = 0.02
ENDS_S = 5.0
"""Long after the deadline, and long before the attack would be over by itself: this machine may be
busy. `make faults` prints what it took."""

WORDS = [f"word{number}" for number in range(500)]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Many records that share most of their words, with vectors."""
    folder = tmp_path_factory.mktemp("patience")
    write_folder(folder / "model")
    path = folder / "a.pinyon"
    fill(path, "a")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINYON_MODEL", str(folder / "model"))
        with pinyon.open(path, background=False) as engine:
            engine.embed()
    return path


def fill(path: Path, name: str) -> None:
    made = SqliteStore(path)
    for start in range(0, RECORDS, 1_000):
        made.commit(
            Batch(now=NOW, records=[record(name, at) for at in range(start, start + 1_000)])
        )
    made.close()


def record(name: str, at: int) -> Record:
    words = " ".join(WORDS[(at * 7 + step) % len(WORDS)] for step in range(60))
    text = f"red {words} {'abc' * (at % 40)}"
    return Record(id=f"{name}{at}", title=f"red {at}", body=text, created_at=NOW, updated_at=NOW)


@pytest.fixture
def engine(store: Path) -> Iterator[Engine]:
    with pinyon.open(store, background=False) as engine:
        engine.search("red", track=False)  # what is loaded once is loaded
        yield engine


ATTACKS: dict[str, tuple[str, dict[str, Any]]] = {
    "a huge OR": (" OR ".join(WORDS), {}),
    "many words": (" ".join(WORDS), {}),
    "prefixes": (" OR ".join(f"{letter}*" for letter in "abcdefghijklmnopqrstuvwxyz"), {}),
    "near": (" ".join(f"NEAR({one} {other}, 50)" for one, other in pairwise(WORDS[:40])), {}),
    "phrases": (" OR ".join(f'"{one} {other}"' for one, other in pairwise(WORDS)), {}),
    "letter by letter": ("cabcabcabc", {"mode": "full"}),
    "a scan": ("bcabca", {"mode": "scan"}),
    "vectors": ("red green blue", {"channels": ["vector"], "limit": 500}),
    "misspelt": (" ".join(f"wrod{number}" for number in range(200)), {}),
    "all of it": ("red", {"limit": 1_000, "max_tokens": 100_000, "group": "file"}),
    "the graph": ("red", {"profile": "graph", "limit": 500}),
    "the vault": (" ".join(WORDS[:200]), {"profile": "vault", "limit": 500}),
}


def ended(engine: Engine, query: str, **how: Any) -> tuple[bool, float]:
    """Whether its time ran out, and how long it took until it said so."""
    begun = time.monotonic()
    try:
        engine.search(query, track=False, **how)
        return False, time.monotonic() - begun
    except OutOfTime:
        return True, time.monotonic() - begun


def told(attack: str, late: bool, took: float) -> None:
    """For the reader of `make faults`."""
    ending = "out of time" if late else "answered"
    sys.stdout.write(f"{RECORDS:,} records, {attack}: {ending} after {took:.3f} s\n")


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_search_ends_soon_after_its_deadline(engine: Engine, attack: str) -> None:
    query, how = ATTACKS[attack]
    late, took = ended(engine, query, timeout_s=DEADLINE_S, **how)
    told(attack, late, took)
    assert took < ENDS_S
    assert len(engine.search("red", track=False)) == 10


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_search_ends_soon_after_it_was_stopped(engine: Engine, attack: str) -> None:
    query, how = ATTACKS[attack]
    stop = threading.Event()
    timer = threading.Timer(DEADLINE_S, stop.set)
    timer.start()
    _, took = ended(engine, query, stop=stop, **how)
    timer.join()
    assert took < ENDS_S


def test_tiers_share_one_deadline(store: Path, tmp_path: Path) -> None:
    with pinyon.open(tmp_path / "own.pinyon", background=False) as engine:
        engine.save(Record(id="mine", body="red"))
        for name in ("one", "two"):
            other = tmp_path / f"{name}.pinyon"
            fill(other, name)
            engine.add_tier(name, other)
        query, how = ATTACKS["a huge OR"]
        late, took = ended(engine, query, timeout_s=DEADLINE_S, **how)
        told("tiers", late, took)
        assert late
        assert took < ENDS_S
        answer = engine.search("red", track=False, limit=3)
        assert answer.meta["warnings"] == []  # no tier was taken for broken


class Dripping(BaseHTTPRequestHandler):
    """Answers a byte at a time, for as long as it is let."""

    over = threading.Event()
    part = b" "
    pause_s = 0.02

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()
        try:
            while not self.over.wait(self.pause_s):
                self.wfile.write(self.part)
        except OSError:
            return

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


class Flooding(Dripping):
    part = b" " * 2**20
    pause_s = 0.0


@pytest.fixture(params=[Dripping])
def endless(request: pytest.FixtureRequest) -> Iterator[str]:
    kind = request.param
    kind.over = threading.Event()
    http = ThreadingHTTPServer(("127.0.0.1", 0), kind)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{http.server_address[1]}/v1"
    kind.over.set()
    http.shutdown()
    thread.join()
    http.server_close()


def test_an_answer_that_comes_drop_by_drop_takes_no_longer_than_any_other(endless: str) -> None:
    server = Server("it", endless, variable="KEY", key=None)
    begun = time.monotonic()
    with pytest.raises(ProviderError, match=r"did not answer in 0\.3 s"):
        server.answer("embeddings", {}, Patience(0.3, 1, 0))
    assert time.monotonic() - begun < ENDS_S
    server.close()


@pytest.mark.parametrize("endless", [Flooding], indirect=True)
def test_an_answer_without_end_is_not_kept(endless: str) -> None:
    server = Server("it", endless, variable="KEY", key=None)
    with pytest.raises(ProviderError, match="answered with too much"):
        server.answer("embeddings", {}, Patience(60, 1, 0))
    assert MOST_BYTES < 2**27
    server.close()


@pytest.mark.parametrize("kind", ["embedding", "reranking"])
def test_a_server_that_says_nothing_holds_no_search_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """It would be waited for by itself for ten seconds, or five."""
    monkeypatch.setenv("PINYON_CONFIG", str(tmp_path / "config"))
    with running() as server, pinyon.open(tmp_path / "a.pinyon", background=False) as engine:
        engine.save(Record(id="a", body="red"))
        how: dict[str, Any] = {}
        if kind == "embedding":
            engine.use_model("compatible", url=server.url, model="m", dims=4)
            engine.embed()
        else:
            how = reranked(monkeypatch, server.url)
        server.script[:] = [None] * 10
        late, took = ended(engine, "red", timeout_s=0.3, **how)
        assert late
        assert took < ENDS_S
        server.script.clear()


def reranked(patch: pytest.MonkeyPatch, url: str) -> dict[str, Any]:
    """A profile's choice of a reranker whose server is on this machine."""
    from pinyon import reranking
    from pinyon.inference.rerank.open import open_reranker

    name = next(iter(known().rerankers))

    def opened(choice: str, cache: Path, key: str | None) -> Any:
        return open_reranker(choice, cache, key="sk", url=url)

    patch.setattr(reranking, "SHARED", reranking.Reranking(opened))
    return {"rerank": name}


def test_a_model_on_this_machine_is_asked_no_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two batches it looks whether somebody still waits."""
    from pinyon.inference.onnx.folder import open_folder
    from pinyon.model import patience

    write_folder(tmp_path / "model")
    embedder = open_folder(tmp_path / "model", settings.cache_folder())
    stop = threading.Event()
    stop.set()
    texts: Sequence[str] = ["red"] * 100
    with pytest.raises(OutOfTime), patience.within(None, stop):
        embedder.embed_passages(texts)
    assert len(embedder.embed_passages(texts)) == 100
    embedder.close()
