"""stats: what was asked of the store, for people and for programs."""

import pytest

from tests.surfaces.cli.shell import Shell


def asked(shell: Shell) -> None:
    shell("save", "--id", "fox", "--kind", "note", "--title", "Red fox")
    for question in ("red fox", "Red  Fox", "yeti"):
        shell("search", question, "--profile", "keyword")


@pytest.mark.proves("B14")
def test_stats_sum_up_the_questions_for_programs(shell: Shell) -> None:
    asked(shell)
    queries = shell.json("stats")["queries"]
    assert queries["asked"] == 3
    assert queries["common"] == [["red fox", 2], ["yeti", 1]]
    assert queries["unanswered"] == [["yeti", 1]]
    assert (queries["kinds"], queries["profiles"]) == ({"note": 2}, {"keyword": 3})
    assert queries["mean_found"] == 2 / 3
    assert 0 < queries["p50_ms"] <= queries["p95_ms"] <= queries["p99_ms"]


@pytest.mark.proves("B14")
def test_stats_sum_up_the_questions_for_people(shell: Shell) -> None:
    asked(shell)
    text = shell("stats").stdout
    assert "questions  3, 0.7 hits each; half, 95 and 99 of 100 within " in text
    assert "common     red fox (2), yeti (1)\n" in text
    assert "in vain    yeti (1)\n" in text


def test_a_store_that_nobody_asked_has_no_questions(shell: Shell) -> None:
    shell("save", "--id", "fox", "--title", "Red fox")
    assert shell.json("stats")["queries"]["asked"] == 0
    assert "questions  none\n" in shell("stats").stdout


@pytest.mark.proves("B14")
def test_nothing_is_logged_where_the_search_or_the_store_says_so(shell: Shell) -> None:
    shell("save", "--id", "fox", "--title", "Red fox")
    shell("search", "red", "--no-track")
    assert shell.json("stats")["queries"]["asked"] == 0
    shell("config", "set", "log_queries", "false")
    shell("search", "red")
    assert shell.json("stats")["queries"]["asked"] == 0
