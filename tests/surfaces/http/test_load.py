"""One service for many: fifty clients ask and write at once, and another process writes to the same
file beside them. Nobody fails, and nothing is lost, not even when the server is killed."""

import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

import pinyon
from pinyon import PinyonError, Record
from pinyon.model.errors import StaleRecord
from pinyon.surfaces.http.client import Client, NoServer
from tests.faults.child import start
from tests.surfaces.serving import Serving, serving

CLIENTS = 50
SECONDS = 4.0
PATIENCE_S = 30.0
BESIDE = """
import time
with pinyon.open(path, background=False) as engine:
    print("begun", flush=True)
    for at in range(100_000):
        print(engine.save(Record(id=f"beside-{at}", body=f"amber {at}")), flush=True)
        time.sleep(0.01)  # as one who thinks in between: SQLite has no queue of who waits
"""


@dataclass
class Log:
    """What was acknowledged, and what went wrong. Lists and counters take turns by themselves."""

    saved: list[str] = field(default_factory=list)
    tallies: list[int] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    first: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    over: threading.Event = field(default_factory=threading.Event)


def busy(url: str, name: str, log: Log) -> None:
    """One client: saves, finds what it saved, and counts on a record that all of them change."""
    with pinyon.connect(url) as client:
        for at in count():
            if log.over.is_set():
                return
            try:
                visit(client, f"{name}-{at}", log)
                if at == 0:
                    log.first.release()
            except NoServer as error:
                if not log.over.is_set():
                    log.trouble.append(f"{name}: {error}")
                return
            except (PinyonError, AssertionError) as error:
                log.trouble.append(f"{name}: {error!r}")
                return


def visit(client: Client, id: str, log: Log) -> None:
    log.saved.append(client.save(Record(id=id, title=f"Heron {id}", body="It stands.")))
    (read,) = client.get(id)
    assert (read.id, read.version) == (id, 1)
    found = {hit.id for hit in client.search(f"id:{id}", limit=50, track=False)}
    assert id in found, "what was acknowledged is not found"
    log.asked.append(id)
    (tally,) = client.get("tally")
    try:
        changed = client.update("tally", expected=tally.version, mentions=tally.mentions + 1)
    except StaleRecord:
        return  # somebody was faster, and that is how it should be said
    assert changed.version == tally.version + 1
    log.tallies.append(changed.mentions)


def loaded(server: Serving, log: Log, end: Callable[[], object]) -> None:
    """All clients at once for some seconds, until each had its turn; then `end`, while they are
    still busy."""
    with ThreadPoolExecutor(CLIENTS) as threads:
        clients = [threads.submit(busy, server.url, f"c{at}", log) for at in range(CLIENTS)]
        wait(clients, timeout=SECONDS)
        turns = sum(log.first.acquire(timeout=PATIENCE_S) for _ in clients)
        early = sum(client.done() for client in clients)
        log.over.set()
        end()
    assert (log.trouble, turns, early) == ([], CLIENTS, 0)


@pytest.mark.proves("X9", part="service")
def test_fifty_clients_and_a_process_beside_them_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "shared.pinyon"
    with pinyon.open(path, background=False) as engine:
        engine.save(Record(id="tally"))
    log = Log()
    beside = start(BESIDE, path)
    assert beside.stdout is not None
    assert beside.stdout.readline() == "begun\n"
    try:
        with serving(path) as server:
            loaded(server, log, lambda: server.stop(signal.SIGKILL))
    finally:
        beside.kill()
        rest, problems = beside.communicate(timeout=60)
    assert problems == ""
    log.saved += rest.split()
    with pinyon.open(path, background=False) as engine:
        assert {record.id for record in engine.get(*log.saved)} == set(log.saved)
        (tally,) = engine.get("tally")
        # Each step was made once. The last one may have been made, but not acknowledged.
        assert set(Counter(log.tallies).values()) == {1}
        assert max(log.tallies) <= tally.mentions <= len(log.tallies) + CLIENTS
        assert tally.version == tally.mentions + 1
        assert engine.examine() == []
    assert "beside-0" in log.saved


@pytest.mark.proves("X9", part="service")
def test_those_who_only_read_see_whole_changes(tmp_path: Path) -> None:
    """Two fields change together, so no reader ever sees one without the other."""
    path = tmp_path / "shared.pinyon"
    with pinyon.open(path, background=False) as engine:
        engine.save(Record(id="pair", title="0", body="0"))
    over, seen = threading.Event(), Counter[bool]()
    with serving(path) as server, pinyon.connect(server.url) as client:

        def look() -> int:
            looks = 0
            while not over.is_set():
                (pair,) = client.get("pair")
                seen[pair.title == pair.body] += 1
                looks += 1
            return looks

        with ThreadPoolExecutor(8) as threads:
            looking = [threads.submit(look) for _ in range(8)]
            begun = time.monotonic()
            for at in count(1):
                client.update("pair", title=f"{at}", body=f"{at}")
                if time.monotonic() - begun > 1.0:
                    break
            over.set()
            assert all(each.result() for each in looking)
    assert set(seen) == {True}
