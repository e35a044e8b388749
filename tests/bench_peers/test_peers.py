"""Peers: the harness gives every peer the same, and says what it could not measure.

With the peers that need nothing beyond what is installed here, on collections of four documents.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from bench.peers.__main__ import main
from bench.peers.bm25s_index import Bm25s
from bench.peers.case import Case
from bench.peers.child import main as child
from bench.peers.measure import Measured, measured
from bench.peers.peer import PEERS, Peer
from bench.peers.pinyon_engine import GivenPinyon
from bench.peers.prepare import prepare
from bench.peers.report import drawn, tables
from bench.peers.sqlite_tables import Words, fused
from tests.evaluate.shelf import Row, shelve
from tests.index.embedding import Fake, vector_of

LONG = "crane " * 200 + "and a heron"
DOCUMENTS: list[Row] = [
    {"_id": "d1", "title": "Cedar", "text": "grows by the lake", "metadata": {"conv": "a"}},
    {"_id": "d2", "title": "", "text": "a cedar, a birch and a maple", "metadata": {"conv": "b"}},
    {"_id": "d3", "title": "Birds", "text": LONG, "metadata": {"conv": "a"}},
    {"_id": "d4", "title": "", "text": "", "metadata": {"conv": "b"}},
]
QUERIES: list[Row] = [
    {"_id": "q1", "text": "cedar", "metadata": {"conv": "b"}},
    {"_id": "q2", "text": 'a "crane"?', "metadata": {"conv": "a"}},
]
QRELS = ["q1\td2\t1", "q2\td3\t1"]

Make = Callable[[Path, Case], Peer]
HERE: dict[str, Make] = {
    "bm25s": lambda folder, case: Bm25s(folder, case, stemmed=False),
    "FTS5": Words,
    "Pinyon, vectors given": GivenPinyon,
}
FULL = Measured("FTS5", "trees", records=4, questions=2, ndcg=0.5, recall=0.25, p50_ms=3.0)


@pytest.fixture
def case(tmp_path: Path) -> Case:
    source = shelve(tmp_path / "trees", DOCUMENTS, QUERIES, QRELS)
    return prepare(source, tmp_path / "case", Fake(), scope_by="conv")


@pytest.mark.parametrize("name", HERE)
def test_a_peer_answers_from_what_another_process_could_have_built(
    name: str, case: Case, tmp_path: Path
) -> None:
    folder = tmp_path / "index"
    folder.mkdir()
    HERE[name](folder, case).build(case.records(), case.vectors)
    peer = HERE[name](folder, case)
    found = {q.id: peer.ask(q.text, vector, q.scope, 1) for q, vector in case.asked()}
    assert found == {"q1": ["d2"], "q2": ["d3"]}


@pytest.mark.parametrize("name", HERE)
def test_a_peer_never_leaves_the_scope(name: str, case: Case, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    folder.mkdir()
    peer = HERE[name](folder, case)
    peer.build(case.records(), case.vectors)
    vector = vector_of("cedar")
    everywhere = set(peer.ask("cedar", vector, "", 10))
    scopes = {scope: set(peer.ask("cedar", vector, scope, 10)) for scope in ("a", "b")}
    assert everywhere >= {"d1", "d2"}
    assert ("d1" in scopes["a"], "d2" in scopes["b"]) == (True, True)
    assert scopes["a"] <= {"d1", "d3"}
    assert scopes["b"] <= {"d2", "d4"}


def test_a_document_has_one_vector_and_a_passage_has_its_own(case: Case) -> None:
    rows = case.vectors.documents
    assert rows[0] == pytest.approx(vector_of("Cedar\ngrows by the lake"))
    assert rows[2] == pytest.approx(vector_of(f"Birds\n{LONG}"))
    assert not rows[3].any()
    assert len(case.vectors.passages) > len(DOCUMENTS) - 1


def test_reciprocal_ranks_are_added_up() -> None:
    assert fused(["a", "b"], ["b", "c"]) == ["b", "a", "c"]


def test_a_peer_is_measured_in_processes_of_its_own(case: Case) -> None:
    found = measured("FTS5", case)
    assert (found.missing, found.records, found.questions) == ("", 4, 2)
    assert (found.ndcg, found.recall) == (1.0, 1.0)
    costs = (found.build_s, found.p50_ms, found.disk_mb, found.build_mb, found.ask_mb)
    assert all(cost > 0 for cost in costs)
    assert found.p50_ms <= found.p95_ms


def test_a_peer_that_fails_is_a_reason_and_not_an_exception(case: Case) -> None:
    (case.folder / "documents.jsonl").write_text("no record\n", "utf-8")
    found = measured("FTS5", case)
    assert found == Measured("FTS5", "trees", missing=found.missing)
    assert found.missing.startswith("build: ")


def test_a_peer_that_is_not_installed_says_so(
    case: Case, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = PEERS["FTS5"]._replace(module="absent")
    monkeypatch.setitem(PEERS, "FTS5", absent)
    child("FTS5", "build", str(case.folder), str(case.folder / "index"))
    assert json.loads(capsys.readouterr().out)["missing"].startswith("not installed: ")


def test_the_tables_say_what_is_missing() -> None:
    absent = Measured("txtai", "trees", missing="not installed: txtai")
    assert "- txtai, trees: not installed: txtai" in tables([FULL, absent]).splitlines()


def test_a_mean_is_of_the_collections_that_every_peer_was_measured_on() -> None:
    rival = replace(FULL, peer="bm25s", ndcg=0.75)
    alone = replace(FULL, case="birds", ndcg=0.125)
    rows = tables([FULL, rival, alone]).splitlines()
    assert rows[:5] == [
        "| nDCG@10 | bm25s | FTS5 |",
        "| --- | --- | --- |",
        "| trees | .750 | .500 |",
        "| birds |  | .125 |",
        "| **mean of 1** | **.750** | **.500** |",
    ]


def test_the_plot_has_a_panel_for_the_collections_and_one_for_each_size() -> None:
    large = replace(FULL, case="100,000 records", ndcg=None, recall=None, p50_ms=30.0)
    svg = drawn([FULL, large])
    assert "FTS5: 0.500 [0.500, 0.500], 3.0 ms" in svg
    assert "FTS5: 0.500 [0.500, 0.500], 30.0 ms" in svg


def test_a_run_that_was_broken_off_goes_on_with_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shelve(tmp_path / "trees", DOCUMENTS, QUERIES, QRELS)
    figures = tmp_path / "figures.json"
    failed = Measured("Pinyon, vectors given", "trees", missing="no room on the disk")
    figures.write_text(json.dumps([asdict(FULL), asdict(failed)]), "utf-8")
    given = ["--collections", str(tmp_path), "--cache", str(tmp_path / "cache"), "--records", "0"]
    given += ["--only-collections", "trees", "--json", str(figures), "--resume"]
    main([*given, "--only-peers", "FTS5;Pinyon, vectors given"], Fake())
    found = json.loads(figures.read_text("utf-8"))
    assert found[0] == asdict(FULL)
    assert [one["peer"] for one in found] == ["FTS5", "Pinyon, vectors given"]
    assert found[1]["ndcg"] > 0
    assert "| trees | " in capsys.readouterr().out
