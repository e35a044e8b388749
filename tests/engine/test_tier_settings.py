"""Which stores are tiers: what may be added, how it is kept, and how it is listed."""

import json
from pathlib import Path

import pytest

from pinyon.engine import Engine
from pinyon.model.errors import InvalidInput, NotAStore, UnknownSetting
from pinyon.store.contract import Batch
from tests.engine.tiers import found
from tests.store.world import NOW


@pytest.mark.proves("V6")
def test_no_file_is_searched_twice(own: Engine, team: Path, tmp_path: Path) -> None:
    own.add_tier("team", team)
    link = tmp_path / "link.pinyon"
    link.symlink_to(team)
    itself = tmp_path / "itself.pinyon"
    itself.symlink_to(tmp_path / "own.pinyon")
    for path in (team, link, tmp_path / "sub" / ".." / "team.pinyon"):
        with pytest.raises(InvalidInput, match="already the tier 'team'"):
            own.add_tier("more", path)
    for path in (itself, tmp_path / "own.pinyon"):
        with pytest.raises(InvalidInput, match="the store itself"):
            own.add_tier("more", path)
    own.add_tier("later", tmp_path / "later.pinyon")
    with pytest.raises(InvalidInput, match="already the tier 'later'"):
        own.add_tier("more", tmp_path / "later.pinyon")


@pytest.mark.proves("V6")
def test_a_file_that_became_the_same_meanwhile_is_searched_once(
    own: Engine, team: Path, tmp_path: Path
) -> None:
    own.add_tier("team", team)
    alias, again = tmp_path / "alias.pinyon", tmp_path / "again.pinyon"
    own.add_tier("alias", alias)
    own.add_tier("again", again)
    alone = own.search("amber", profile="keyword")
    alias.symlink_to(team)
    again.symlink_to(tmp_path / "own.pinyon")
    answer = own.search("amber", profile="keyword")
    assert [(hit.id, hit.score) for hit in answer] == [(hit.id, hit.score) for hit in alone]
    assert [text.split(":")[0] for text in answer.meta["warnings"]] == [
        "tier again was left out",
        "tier alias was left out",
    ]


@pytest.mark.parametrize("name", ["", "a b", "-team", "../team", "t" * 65, "é", "a.b"])
def test_a_name_that_cannot_be_typed_is_refused(own: Engine, team: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match="cannot be the name of a tier"):
        own.add_tier(name, team)
    with pytest.raises(InvalidInput, match="cannot be the name of a tier"):
        own.name_tier(name)


@pytest.mark.parametrize("priority", [0, -0.5, 1.01, float("nan"), float("inf")])
def test_a_priority_lies_above_0_and_up_to_1(own: Engine, team: Path, priority: float) -> None:
    with pytest.raises(InvalidInput, match="above 0, up to 1"):
        own.add_tier("team", team, priority=priority)
    with pytest.raises(InvalidInput, match="above 0, up to 1"):
        own.name_tier("mine", priority=priority)


def test_a_taken_name_is_refused(own: Engine, team: Path, tmp_path: Path) -> None:
    own.add_tier("team", team)
    with pytest.raises(InvalidInput, match="pinyon tier remove team"):
        own.add_tier("team", tmp_path / "other.pinyon")
    with pytest.raises(InvalidInput, match="choose another name"):
        own.add_tier("agent", tmp_path / "other.pinyon")
    with pytest.raises(InvalidInput, match="another tier is called 'team'"):
        own.name_tier("team")


def test_what_is_no_store_is_refused_at_once(own: Engine, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("notes, and no database", "utf-8")
    with pytest.raises(NotAStore):
        own.add_tier("team", tmp_path / "notes.txt")
    for path in ("", "a\0b"):
        with pytest.raises(InvalidInput):
            own.add_tier("team", path)
    assert [tier.name for tier in own.tiers()] == ["agent"]


def test_a_path_counts_from_where_it_was_given(
    own: Engine, team: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(team.parent)
    own.add_tier("team", "team.pinyon")
    monkeypatch.chdir("/")
    assert own.tiers()[1].path == str(team)
    assert "theirs" in found(own.search("amber", profile="keyword"))


def test_a_removed_tier_is_searched_no_more(own: Engine, team: Path) -> None:
    own.add_tier("team", team)
    own.remove_tier("team")
    assert found(own.search("amber", profile="keyword")) == {"mine": "", "plan": ""}
    assert team.exists()
    for name in ("team", "agent"):
        with pytest.raises(UnknownSetting):
            own.remove_tier(name)


@pytest.mark.parametrize(
    "value", ["", "{", "[]", "{}", '{"path": 3}', '{"path": "a", "priority": 7}']
)
def test_a_setting_that_cannot_be_read_leaves_the_tier_out(own: Engine, value: str) -> None:
    own._store.commit(Batch(now=NOW, settings={"tier.team": value}))
    [warning] = own.search("amber", profile="keyword").meta["warnings"]
    assert warning.startswith("tier team was left out: ")
    assert "pinyon tier remove team" in warning
    assert own.tiers()[1].state == "misconfigured"
    own.remove_tier("team")
    assert own.search("amber", profile="keyword").meta["warnings"] == []


def test_the_tiers_are_listed_as_they_are(own: Engine, team: Path, tmp_path: Path) -> None:
    own.add_tier("team", team)
    own.add_tier("gone", tmp_path / "gone.pinyon", priority=0.7)
    own.name_tier("notes", priority=0.9)
    listed = [(tier.name, tier.priority, tier.state, tier.records) for tier in own.tiers()]
    assert listed == [
        ("notes", 0.9, "open", 2),
        ("gone", 0.7, "missing", 0),
        ("team", 0.6, "open", 2),
    ]
    assert json.loads(own.config()["tier.team"]) == {"path": str(team), "priority": 0.6}
