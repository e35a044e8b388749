"""The pages, end to end: title, text and tags, meaning above a floor, ranks, snippets."""

from pathlib import Path
from typing import Any

import pytest

from pinyon.engine import Engine
from pinyon.model.ask import Ask
from pinyon.model.record import Record
from pinyon.profiles.load import load
from pinyon.search.pipeline import search
from pinyon.store.contract import Store
from tests.search.meanings import bag, embedded
from tests.store.world import NOW, record
from tests.surfaces.cli.shell import Shell


@pytest.mark.proves("P3", part="profile")
def test_title_comes_before_tags_before_text_and_all_scores_are_positive(engine: Engine) -> None:
    engine.save(Record(id="text", kind="page", title="one", body="amber", tags=("two",)))
    engine.save(Record(id="tags", kind="page", title="one", body="two", tags=("amber",)))
    engine.save(Record(id="title", kind="page", title="amber", body="one", tags=("two",)))
    answer = engine.search("amber", profile="pages")
    assert [hit.id for hit in answer] == ["title", "tags", "text"]
    assert [hit.score for hit in answer] == pytest.approx([1 / 61, 1 / 62, 1 / 63])
    assert all(hit.signals["lexical"] > 0 for hit in answer)


@pytest.mark.proves("P3", part="profile")
@pytest.mark.parametrize("field", ["id", "aliases", "context", "source"])
def test_nothing_else_is_searched(engine: Engine, field: str) -> None:
    value = ("amber",) if field == "aliases" else "amber"
    parts: dict[str, Any] = {"id": "page", "kind": "page", "title": "one", field: value}
    engine.save(Record(**parts))
    assert len(engine.search("amber", profile="pages")) == 0


@pytest.mark.proves("P6")
@pytest.mark.proves("P7")
def test_meaning_counts_from_a_floor_on_and_a_page_in_both_lists_is_first(store: Store) -> None:
    far = " ".join(f"word{n}" for n in range(15))  # one word in sixteen: a cosine of about 1/4
    embedded(
        store,
        record("both", kind="page", title="cat"),
        record("meaning", kind="page", title="kitten"),
        record("far", kind="page", title=f"kitten {far}"),
    )
    with store.snapshot() as view:
        answer = search(view, Ask("cat cat cat", NOW), load("pages"), meaning=bag)
    assert [hit.id for hit in answer] == ["both", "meaning"]
    ranks = answer[0].sources
    assert answer[0].score == pytest.approx(
        1 / (60 + ranks["lexical"]) + 1 / (60 + ranks["vector"])
    )


@pytest.mark.proves("P4")
def test_a_folder_of_pages_is_asked_from_a_shell(shell: Shell, tmp_path: Path) -> None:
    wiki = tmp_path / "wiki"
    wiki.mkdir()
    (wiki / "tea.md").write_text("# Green tea\n\nBrew it at 80 degrees.\n", encoding="utf-8")
    (wiki / "bread.md").write_text("# Bread\n\nServe it with green tea.\n", encoding="utf-8")
    shell("index", str(wiki))
    hits = shell.json("search", "green tea", "--profile", "pages")["hits"]
    assert [Path(hit["source"]).name for hit in hits[:2]] == ["tea.md", "bread.md"]
    assert "<mark>green</mark> <mark>tea</mark>" in hits[1]["snippet"]
