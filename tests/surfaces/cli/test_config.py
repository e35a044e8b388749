"""config: what is set in a store, seen from a shell."""

import json
import tomllib

import pytest

import pinyon
from pinyon.profiles.load import load
from tests.surfaces.cli.shell import Shell

RECENCY = "profiles.brain.rank.weights.recency"


@pytest.fixture(autouse=True)
def _a_store(shell: Shell) -> None:
    shell("save", "--id", "tea", "--title", "Tea", "--body", "Green tea at 80 degrees")


@pytest.mark.proves("B6")
def test_what_is_set_counts_from_the_next_search_on_in_every_open_engine(shell: Shell) -> None:
    with pinyon.open(shell.store, background=False) as one, pinyon.open(shell.store) as other:
        before = [engine.profile("brain").rank.weights["recency"] for engine in (one, other)]
        one.configure(RECENCY, "0.3")
        after = [engine.profile("brain").rank.weights["recency"] for engine in (one, other)]
        shell("config", "unset", RECENCY)
        again = [engine.profile("brain").rank.weights["recency"] for engine in (one, other)]
    assert (before, after, again) == ([0.2, 0.2], [0.3, 0.3], [0.2, 0.2])


@pytest.mark.proves("B6")
def test_the_call_stands_over_the_configuration_and_that_over_the_default(shell: Shell) -> None:
    def weights(*more: str) -> dict[str, float]:
        found = shell.json("search", "tea", "--profile", "brain", *more)
        return {name: round(share, 6) for name, share in found["meta"]["weights"].items()}

    # Without a model the vector channel does not answer, so its weight does not count.
    parts = {"lexical": 0.3, "recency": 0.2, "importance": 0.1}

    def shares(**changed: float) -> dict[str, float]:
        counted = {**parts, **changed}
        total = sum(counted.values())
        return {name: round(weight / total, 6) for name, weight in counted.items()}

    def counted(*more: str) -> dict[str, float]:
        return {name: share for name, share in weights(*more).items() if name in parts}

    assert counted() == shares()
    shell("config", "set", RECENCY, ".3")
    assert counted() == shares(recency=0.3)
    assert counted("--set", "rank.weights.recency=.4") == shares(recency=0.4)
    assert counted("--set", "rank.weights.recency=0") == shares(recency=0)


def test_what_is_set_is_listed_got_and_unset(shell: Shell) -> None:
    assert shell("config", "list").stdout == ""
    shell("config", "set", "log_days", "30")
    shell("config", "set", "profiles.pages.present.words", "8")
    assert shell.json("config", "list") == {"log_days": "30", "profiles.pages.present.words": "8"}
    listed = "log_days = 30\nprofiles.pages.present.words = 8\n"
    assert shell("config", "list").stdout == listed
    assert shell("config", "get", "log_days").stdout == "30\n"
    shell("config", "unset", "log_days")
    assert shell.json("config", "get", "log_days") == {"key": "log_days", "value": "90"}


def test_what_is_not_set_is_got_as_it_holds(shell: Shell) -> None:
    assert shell("config", "get", RECENCY).stdout == "0.2\n"
    assert shell("config", "get", "log_queries").stdout == "true\n"
    assert "no setting 'colour' (known: log_queries, " in shell.problem("config", "get", "colour")


def test_weights_that_do_not_sum_to_1_are_taken_and_it_is_said_once(shell: Shell) -> None:
    result = shell("config", "set", RECENCY, "0.3")
    assert (result.stdout, result.stderr.count("sum to 1.1")) == ("", 1)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        (RECENCY, "-1", "must be from 0"),
        (RECENCY, "NaN", "must be from 0"),
        ("profiles.brain.rank.weights.moon", "1", "(known: lexical, semantic, "),
        ("profiles.brain.fuse.kk", "1", "(known: k, weights, bonus, "),
        ("profiles.nope.fuse.k", "1", "no profile 'nope' (known: base, brain, "),
        ("log_days", "soon", "must be a whole number"),
        ("colour", "red", "no setting 'colour' (known: log_queries, "),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_kept(
    shell: Shell, key: str, value: str, said: str
) -> None:
    assert said in shell.problem("config", "set", key, value)
    assert shell.json("config", "list") == {}


def test_a_setting_that_was_broken_by_hand_names_its_remedy_and_can_be_removed(
    shell: Shell,
) -> None:
    from pinyon.store.contract import Batch
    from pinyon.store.sqlite import SqliteStore
    from tests.store.world import NOW

    store = SqliteStore(shell.store)
    store.commit(Batch(now=NOW, settings={RECENCY: "{"}))
    store.close()
    assert f"pinyon config unset {RECENCY}" in shell.problem("search", "tea", "--profile", "brain")
    assert shell.json("search", "tea")["hits"][0]["id"] == "tea"
    shell("config", "unset", RECENCY)
    assert shell.json("search", "tea", "--profile", "brain")["hits"][0]["id"] == "tea"


def test_a_shown_profile_is_the_one_in_force_and_says_what_was_changed(shell: Shell) -> None:
    from pinyon.store.contract import Batch
    from pinyon.store.sqlite import SqliteStore
    from tests.store.world import NOW

    learnt = {"override": {"rank.weights": {"vector": 0.5, "lexical": 0.5}}, "count": 31}
    store = SqliteStore(shell.store)
    store.commit(Batch(now=NOW, settings={"learned.brain": json.dumps(learnt)}))
    store.close()
    shell("config", "set", RECENCY, "0.3")
    text = shell("profile", "show", "brain").stdout
    weights = {"vector": 0.5, "lexical": 0.5, "recency": 0.3}
    assert tomllib.loads(text)["rank"]["weights"] == weights
    end = text[text.index("# Configured") :].splitlines()
    assert end == [
        "# Configured in this store:",
        "#   rank.weights.recency = 0.3",
        "",
        "# Learnt from feedback:",
        '#   override = { "rank.weights" = { vector = 0.5, lexical = 0.5 } }',
        "#   count = 31",
    ]
    shown = shell.json("profile", "show", "brain")
    assert shown["configured"] == {"rank.weights.recency": 0.3}
    assert shown["learnt"] == learnt
    assert shell.json("profile", "show", "vault")["configured"] == {}


def test_a_profile_is_shown_without_a_store(shell: Shell) -> None:
    shell.store.unlink()
    shown = shell.json("profile", "show", "brain")
    assert shown["rank"]["weights"] == dict(load("brain").rank.weights)
