"""The graph, end to end: what was found, and over its edges what belongs to it."""

from pathlib import Path

import pytest

from pinyon.engine import Engine
from pinyon.model.record import Record
from tests.surfaces.cli.shell import Shell

CODE = '''
class Gateway:
    """Lets requests in."""

    def admit(self, visitor):
        return visitor is not None
'''

CHILD = """
from gateway import Gateway


class Door(Gateway):
    wood = "oak"
"""


@pytest.mark.proves("G2", part="profile")
@pytest.mark.proves("G3")
@pytest.mark.parametrize(
    ("relation", "left"), [("contains", 0.95), ("extends", 0.85), ("about", 0.8)]
)
def test_what_an_edge_leads_to_has_the_decayed_score_of_where_it_began(
    engine: Engine, relation: str, left: float
) -> None:
    engine.save(Record(id="found", kind="code", title="amber"))
    engine.save(Record(id="belongs", kind="code", title="other"))
    engine.link("found", relation, "belongs")
    answer = engine.search("amber", profile="graph")
    # Words alone were asked, and put it first: that is the best possible score.
    assert {hit.id: hit.score for hit in answer} == pytest.approx({"found": 1, "belongs": left})


@pytest.mark.proves("G2", part="profile")
def test_edges_are_followed_one_hop_and_both_ways(engine: Engine) -> None:
    for id, title in (("above", "one"), ("found", "amber"), ("below", "two"), ("far", "three")):
        engine.save(Record(id=id, kind="doc", title=title))
    engine.link("above", "contains", "found")
    engine.link("found", "contains", "below")
    engine.link("below", "contains", "far")
    ids = {hit.id for hit in engine.search("amber", profile="graph")}
    assert ids == {"found", "above", "below"}
    deeper = engine.search("amber", profile="graph", override={"expand.depth": 2})
    assert {hit.id: hit.score for hit in deeper}["far"] == pytest.approx(0.95**2)


@pytest.mark.proves("G7", part="profile")
@pytest.mark.parametrize(("profile", "kind", "most"), [("graph", "doc", 5), ("files", "file", 10)])
def test_at_most_so_many_are_the_answer(engine: Engine, profile: str, kind: str, most: int) -> None:
    for n in range(15):
        engine.save(Record(id=f"r{n:02}", kind=kind, title=f"amber {n}", source=f"a/amber{n}.md"))
    assert len(engine.search("amber", profile=profile, limit=20)) == most


@pytest.mark.proves("G2", part="profile")
def test_a_folder_of_code_is_asked_from_a_shell(shell: Shell, tmp_path: Path) -> None:
    source = tmp_path / "src"
    source.mkdir()
    (source / "gateway.py").write_text(CODE, encoding="utf-8")
    (source / "door.py").write_text(CHILD, encoding="utf-8")
    shell("index", str(source))
    answer = shell.json("search", "visitor", "--profile", "graph")
    hits = {hit["title"]: hit for hit in answer["hits"]}
    # The child holds nothing of the question: its parent leads to it.
    assert hits["Door"]["via"].startswith("extends")
    assert hits["Door"]["score"] == pytest.approx(0.85 * hits["Gateway"]["score"])
    files = shell.json("search", "gateway.py", "--profile", "files")["hits"]
    assert [Path(hit["source"]).name for hit in files][:1] == ["gateway.py"]
    assert {hit["kind"] for hit in files} == {"file"}
