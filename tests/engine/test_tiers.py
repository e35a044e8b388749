"""Tiers: other stores beside the open one, whatever state their files are in."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

import pinyon
from pinyon.engine import Engine
from pinyon.model.ask import Ask
from pinyon.model.errors import InvalidInput, ReadOnlyStore, UnknownSetting
from pinyon.model.query import Filters
from pinyon.profiles.load import load
from pinyon.search.pipeline import search
from pinyon.store.contract import Batch
from pinyon.store.sqlite import SqliteStore, connect
from pinyon.store.sqlite.view import SqliteView
from pinyon.store.tiers import Member, TieredView
from tests.engine.tiers import filled, found
from tests.store.world import NOW

OLD = Path(__file__).parents[1] / "upgrade" / "v1.pinyon"


# one answer


@pytest.mark.proves("V6")
def test_all_tiers_are_searched_and_every_hit_says_which_it_is_of(own: Engine, team: Path) -> None:
    own.add_tier("team", team)
    answer = own.search("amber", profile="keyword")
    assert found(answer) == {"mine": "agent", "plan": "agent", "theirs": "team"}
    assert (answer.meta["tiers"], answer.meta["warnings"]) == (["agent", "team"], [])
    assert own.search("amber", profile="keyword", mode="full")[1].record is not None


@pytest.mark.proves("V6")
@pytest.mark.parametrize("profile", ["keyword", "vault", "default"])
def test_the_priority_multiplies_the_score(own: Engine, team: Path, profile: str) -> None:
    own.add_tier("team", team, priority=1.0)
    plain = {hit.id: hit.score for hit in own.search("amber", profile=profile)}
    own.add_tier("team", team, priority=0.25)
    weighted = {hit.id: hit.score for hit in own.search("amber", profile=profile)}
    assert weighted == {**plain, "theirs": pytest.approx(0.25 * plain["theirs"])}


@pytest.mark.proves("V6")
def test_usual_priorities_go_by_the_name(own: Engine, tmp_path: Path) -> None:
    for name in ("team", "other", "project"):
        own.add_tier(name, tmp_path / f"{name}.pinyon")
    assert {tier.name: tier.priority for tier in own.tiers()} == {
        "agent": 1.0,
        "project": 0.8,
        "team": 0.6,
        "other": 0.5,
    }


@pytest.mark.proves("V6")
def test_the_version_of_the_higher_tier_wins(own: Engine, team: Path) -> None:
    own.add_tier("team", team)
    [hit] = own.search("team own", profile="keyword")
    assert (hit.id, hit.tier) == ("plan", "agent")
    assert "my <mark>own</mark>" in hit.snippet
    own.name_tier("notes", priority=0.1)
    assert found(own.search("team", profile="keyword")) == {"plan": "team"}


@pytest.mark.proves("V17")
def test_a_search_can_be_limited_to_some_tiers(own: Engine, team: Path) -> None:
    own.add_tier("team", team)
    answer = own.search("amber", profile="keyword", tiers=["team"])
    assert found(answer) == {"theirs": "team", "plan": "team"}
    assert answer.meta["tiers"] == ["team"]
    assert found(own.search("amber", profile="keyword", tiers=["agent"])).keys() == {"mine", "plan"}


@pytest.mark.proves("V17")
def test_an_unknown_tier_is_an_error_that_lists_the_known_ones(own: Engine, team: Path) -> None:
    with pytest.raises(UnknownSetting) as alone:
        own.search("amber", tiers=["team"])
    assert alone.value.known == ("agent",)
    own.add_tier("team", team)
    with pytest.raises(UnknownSetting) as told:
        own.search("amber", tiers=["teem"])
    assert told.value.known == ("agent", "team")
    with pytest.raises(InvalidInput):
        own.search("amber", tiers="team")


def test_without_tiers_the_store_is_asked_as_ever(own: Engine) -> None:
    with own._view() as view:
        assert type(view) is SqliteView
    answer = own.search("amber", profile="keyword")
    assert answer.meta["tiers"] == []
    assert {hit.tier for hit in answer} == {""}


def test_a_store_in_memory_can_have_tiers(team: Path) -> None:
    with pinyon.open(":memory:") as engine:
        engine.add_tier("team", team)
        assert found(engine.search("river", profile="keyword")) == {"theirs": "team"}


def test_profiles_are_configured_in_the_open_store_whatever_is_searched(
    own: Engine, team: Path
) -> None:
    own.add_tier("team", team)
    own.configure("profiles.keyword.expand.max_results", "1")
    assert len(own.search("amber", profile="keyword", tiers=["team"])) == 1


# what may be wrong with a file


def missing(team: Path) -> None:
    team.unlink()


def damaged(team: Path) -> None:
    whole = team.read_bytes()
    team.write_bytes(whole[: len(whole) // 2])


def garbage(team: Path) -> None:
    team.write_bytes(random.Random(1).randbytes(100_000))


def empty(team: Path) -> None:
    team.write_bytes(b"")


def folder(team: Path) -> None:
    team.unlink()
    team.mkdir()


def newer(team: Path) -> None:
    db = apsw.Connection(str(team))
    db.pragma("user_version", 99)
    db.close()


def older(team: Path) -> None:
    shutil.copyfile(OLD, team)


def hollow(team: Path) -> None:
    db = apsw.Connection(str(team))
    db.execute("DROP TABLE revision")
    db.close()


TROUBLES: dict[Callable[[Path], None], str] = {
    missing: "missing",
    damaged: "damaged",
    garbage: "no store",
    empty: "no store",
    folder: "no store",
    newer: "newer",
    older: "older",
    hollow: "unreadable",
}


@pytest.mark.proves("V6")
@pytest.mark.parametrize("break_it", TROUBLES)
def test_a_tier_that_cannot_be_searched_is_left_out_with_a_warning(
    own: Engine, team: Path, break_it: Callable[[Path], None]
) -> None:
    own.add_tier("team", team)
    for beside in team.parent.glob("team.pinyon-*"):
        beside.unlink()
    break_it(team)
    answer = own.search("amber", profile="keyword")
    assert found(answer) == {"mine": "agent", "plan": "agent"}
    assert answer.meta["tiers"] == ["agent"]
    [warning] = answer.meta["warnings"]
    assert warning.startswith("tier team was left out: ")
    assert own.tiers()[1].state == TROUBLES[break_it]


@pytest.mark.proves("V6")
@pytest.mark.parametrize("break_it", TROUBLES)
def test_a_tier_may_break_while_it_is_open(
    own: Engine, team: Path, break_it: Callable[[Path], None]
) -> None:
    own.add_tier("team", team)
    own.search("amber", profile="keyword")
    break_it(team)
    answer = own.search("amber river", profile="keyword")
    assert found(answer).items() >= {"mine": "agent", "plan": "agent"}.items()
    assert found(answer).keys() <= {"mine", "plan", "theirs"}


@pytest.mark.proves("V6")
def test_a_file_that_takes_the_place_of_another_is_what_is_searched(
    own: Engine, team: Path, tmp_path: Path
) -> None:
    own.add_tier("team", team)
    assert "theirs" in found(own.search("amber", profile="keyword"))
    filled(tmp_path / "next.pinyon", new="amber").replace(team)
    assert found(own.search("amber", profile="keyword")).keys() == {"mine", "plan", "new"}


@pytest.mark.proves("V6")
def test_a_locked_tier_is_left_out_and_is_back_when_it_is_free(own: Engine, team: Path) -> None:
    other = apsw.Connection(str(team))
    other.pragma("locking_mode", "exclusive")
    other.execute("BEGIN IMMEDIATE; DELETE FROM setting; COMMIT")
    assert own.add_tier("team", team).state == "locked"
    answer = own.search("amber", profile="keyword")
    assert found(answer).keys() == {"mine", "plan"}
    assert "in use by another process" in answer.meta["warnings"][0]
    assert own.tiers()[1].state == "locked"
    other.close()
    assert found(own.search("amber", profile="keyword")).keys() == {"mine", "plan", "theirs"}


@pytest.mark.proves("V6")
def test_a_tier_is_never_written_to(own: Engine, team: Path) -> None:
    before = team.read_bytes()
    own.add_tier("team", team)
    for _ in range(3):
        own.search("amber", profile="default")
    own.tiers()
    own.close()
    assert team.read_bytes() == before
    guest = SqliteStore(team, guest=True)
    with pytest.raises(ReadOnlyStore):
        guest.commit(Batch(now=NOW, settings={"a": "b"}))
    guest.close()


@pytest.mark.proves("V6")
def test_an_older_store_is_not_migrated_by_being_a_tier(own: Engine, tmp_path: Path) -> None:
    old = Path(shutil.copy(OLD, tmp_path / "old.pinyon"))
    before = old.read_bytes()
    info = own.add_tier("team", old)
    assert (info.state, old.read_bytes()) == ("older", before)
    assert "pinyon stats --store" in own.search("amber", profile="keyword").meta["warnings"][0]
    assert old.read_bytes() == before
    pinyon.open(old, background=False).close()
    assert apsw.Connection(str(old)).pragma("user_version") == len(connect.MIGRATIONS)
    assert own.tiers()[1].state == "open"


def test_closing_the_engine_lets_go_of_every_tier(own: Engine, team: Path) -> None:
    own.add_tier("team", team)
    own.search("amber", profile="keyword")
    own.close()
    other = apsw.Connection(str(team))
    other.pragma("locking_mode", "exclusive")
    other.execute("BEGIN EXCLUSIVE; COMMIT")
    other.close()


class Failing:
    """A view that fails from its n-th question on."""

    def __init__(self, view: Any, after: int) -> None:
        self._view, self._left = view, after

    def __getattr__(self, name: str) -> Any:
        self._left -= 1
        if self._left < 0:
            raise apsw.IOError("the cable was pulled")
        return getattr(self._view, name)


@pytest.mark.proves("V6")
@pytest.mark.parametrize("profile", ["keyword", "vault", "brain", "graph", "default"])
def test_a_search_survives_a_tier_that_fails_at_any_question(
    own: Engine, team: Path, profile: str
) -> None:
    guest = SqliteStore(team, guest=True)
    asked = Ask("amber", NOW, filters=Filters(kinds=("entry",)))
    for after in range(25):
        with own._view() as home, guest.snapshot() as other:
            failing: Any = Failing(other, after)
            members = [Member("agent", 1.0, home), Member("team", 0.6, failing)]
            view = TieredView(home, members)
            answer = search(view, asked, load(profile))
            assert found(answer).keys() >= {"mine", "plan"}
            assert view.troubles in ([], ["tier team was left out: the cable was pulled"])
    assert view.troubles == []
    guest.close()
