"""The spec kit, end to end: three channels by ranks, and types of document that count more."""

from pathlib import Path

import pytest

from pinyon.model.ask import Ask
from pinyon.model.record import Edge
from pinyon.profiles.load import load
from pinyon.search.pipeline import search
from pinyon.store.contract import Store
from tests.search.meanings import bag, embedded
from tests.store.world import NOW, commit, record
from tests.surfaces.cli.shell import Shell


@pytest.mark.proves("S20")
@pytest.mark.proves("S17", part="types")
def test_the_score_is_that_of_the_ranks_times_the_type_of_document(store: Store) -> None:
    embedded(
        store,
        record("spec", kind="doc", title="cat", doc_type="spec"),
        record("plan", kind="doc", title="kitten", doc_type="plan"),
        record("led-to", kind="doc", title="bird", doc_type="handover"),
    )
    commit(store, edges=[Edge("spec", "supports", "led-to")])
    with store.snapshot() as view:
        answer = search(view, Ask("cat", NOW), load("spec"), meaning=bag)
    hits = {hit.id: hit for hit in answer}
    types = {"spec": 1.4, "plan": 1.3, "led-to": 1.0}
    assert "lexical" not in hits["plan"].sources
    assert (hits["spec"].sources["lexical"], hits["led-to"].sources["graph"]) == (1, 1)
    weights = {"lexical": 1, "vector": 1, "graph": 1.5}
    for id, times in types.items():
        ranks = hits[id].sources
        fused = sum(weights[channel] / (60 + rank) for channel, rank in ranks.items())
        agreed = 1.1 if len(ranks) > 1 else 1
        assert hits[id].score == pytest.approx(fused * agreed * times)


@pytest.mark.proves("S17", part="types")
@pytest.mark.proves("S18")
def test_a_folder_of_specifications_is_asked_from_a_shell(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "specs" / "007-auth"
    folder.mkdir(parents=True)
    for type in ("checklist", "decision_record", "plan"):
        text = f"---\ntype: {type}\n---\n\n# Sign-in\n\nUsers sign in with a passkey.\n"
        (folder / f"{type}.md").write_text(text, encoding="utf-8")
    shell("index", str(tmp_path / "specs"))
    answer = shell.json("search", "sign in with a passkey", "--profile", "spec")
    found = [(Path(hit["source"]).stem, hit["signals"]["doc_type"]) for hit in answer["hits"]]
    assert list(dict.fromkeys(found)) == [
        ("decision_record", 1.4),
        ("plan", 1.3),
        ("checklist", 1.0),
    ]
    assert all("lexical" in hit["sources"] for hit in answer["hits"])
