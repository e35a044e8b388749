"""Options of search: what else is asked for, how much of it, and why it is there."""

import math
import re

import pytest

from tests.surfaces.cli.shell import Shell


def save(shell: Shell, id: str, body: str = "we retry", **fields: str) -> None:
    words = [
        part for name, value in fields.items() for part in (f"--{name}".replace("_", "-"), value)
    ]
    shell("save", "--id", id, "--title", id.title(), "--body", body, *words)


def found(shell: Shell, *words: str) -> list[str]:
    return [hit["id"] for hit in shell.json("search", "retry", *words)["hits"]]


@pytest.mark.proves("X5", part="validity")
def test_what_expired_is_found_when_it_is_asked_for(shell: Shell) -> None:
    save(shell, "now")
    save(shell, "then", valid_until="2020-01-01")
    assert found(shell) == ["now"]
    assert sorted(found(shell, "--expired")) == ["now", "then"]


@pytest.mark.proves("X5", part="validity")
def test_what_is_superseded_is_found_when_it_is_asked_for(shell: Shell) -> None:
    save(shell, "new")
    save(shell, "old")
    shell("link", "new", "supersedes", "old")
    assert found(shell) == ["new"]
    assert sorted(found(shell, "--superseded")) == ["new", "old"]


@pytest.mark.proves("X5", part="validity")
def test_a_moment_in_the_past_is_asked_about(shell: Shell) -> None:
    save(shell, "early", created_at="2024-01-01")
    save(shell, "late", created_at="2024-06-01")
    assert found(shell, "--as-of", "2024-02-01") == ["early"]
    assert "without the filters" in shell("search", "retry", "--as-of", "2023-01-01").stderr


@pytest.mark.proves("X18")
def test_pages_follow_each_other_by_the_cursor_in_meta(shell: Shell) -> None:
    for number in range(5):
        save(shell, f"r{number}")
    pages: list[list[str]] = []
    cursor = ""
    while not pages or cursor:
        answer = shell.json("search", "retry", "--limit", "2", "--cursor", cursor)
        pages.append([hit["id"] for hit in answer["hits"]])
        cursor = answer["meta"]["next"]
    assert pages == [["r0", "r1"], ["r2", "r3"], ["r4"]]


def test_a_broken_cursor_is_refused_in_one_line(shell: Shell) -> None:
    save(shell, "a")
    assert shell.problem("search", "retry", "--cursor", "%") == (
        "pinyon: '%' is no cursor (give meta.next of the page before, as it is)"
    )


@pytest.mark.proves("X18")
def test_hits_of_one_file_are_one_and_the_others_are_named(shell: Shell) -> None:
    for number in range(8):
        save(shell, f"a{number}", source="a.md")
    save(shell, "b", source="b.md")
    hits = shell.json("search", "retry", "--group", "file")["hits"]
    assert {hit["id"]: hit["more"] for hit in hits} == {
        "a0": [f"a{number}" for number in range(1, 8)],
        "b": [],
    }
    text = shell("search", "retry", "--group", "file").stdout
    assert "    and a1, a2, a3, a4, a5, and 2 more\n" in text


@pytest.mark.proves("X18")
def test_the_newest_come_first_when_dates_are_asked_for(shell: Shell) -> None:
    save(shell, "best", body="retry retry retry", created_at="2020-01-01")
    save(shell, "newest", body="one long text about how to retry", created_at="2024-01-01")
    assert found(shell, "--sort", "date") == ["newest", "best"]


@pytest.mark.proves("X4")
@pytest.mark.parametrize("tokens", [20, 60, 200, 1_000])
def test_an_answer_fits_the_tokens_that_it_may_have(shell: Shell, tokens: int) -> None:
    for number, word in enumerate(("apple", "berry", "cherry", "date")):
        save(shell, f"r{number}", body=f"{word} " * 100 + "retry" + f" {word}" * 100)
    hits = shell.json("search", "retry", "--max-tokens", str(tokens))["hits"]
    shown = sum(len(hit[part]) for hit in hits for part in ("id", "title", "snippet"))
    assert 0 < shown <= 4 * tokens


@pytest.mark.proves("X4")
def test_copies_are_shown_once_where_tokens_count(shell: Shell) -> None:
    for name in ("a", "b"):
        save(shell, name, body="we retry three times with backoff and then give up for good")
    answer = shell.json("search", "retry", "--max-tokens", "500", "--set", "present.alike=0.5")
    assert [(hit["id"], hit["more"]) for hit in answer["hits"]] == [("a", ["b"])]
    assert answer["meta"]["left_out"] == {"alike": 1}


def test_too_few_tokens_for_one_hit_are_said(shell: Shell) -> None:
    save(shell, "a")
    result = shell("search", "retry", "--max-tokens", "1")
    assert (result.stdout, result.stderr) == (
        "",
        "pinyon: nothing fits into so few tokens (give more --max-tokens)\n",
    )


@pytest.mark.proves("V1")
def test_a_scan_as_text_says_how_long_each_record_is(shell: Shell) -> None:
    save(shell, "a", body="we retry " * 100)
    first = shell("search", "retry", "--mode", "scan").stdout.splitlines()[0]
    assert first.endswith(f" memory, about {(1 + 900) // 4} tokens")


@pytest.mark.proves("X1")
def test_an_answer_that_is_empty_for_want_of_relevance_says_so(shell: Shell) -> None:
    save(shell, "a", body="we retry the zebra")
    words = ["search", "retry", "hyena", "--set", "relevance.off_topic=1.0"]
    lines = shell(*words).stderr.splitlines()
    assert lines[0].startswith("pinyon: nothing relevant here")
    assert lines[-1] == (
        "pinyon: nothing relevant found (try other words, or --min-relevance 0 to see the nearest)"
    )
    assert "so relevant found" in shell("search", "retry", "hyena", "--min-relevance", "1").stderr


def test_an_explanation_adds_up(shell: Shell) -> None:
    save(shell, "a", body="we retry three times", importance="5")
    save(shell, "b", body="retry")
    words = ["--profile", "keyword", "--set", "rank.weights.importance=0.3"]
    (hit, *_) = shell.json("search", "retry", *words)["hits"]
    lines = shell("search", "retry", "--explain", *words).stdout
    first = lines.split("\n\n")[0]
    added = [float(number) for number in re.findall(r"adds (-?[\d.]+)", first)]
    assert len(added) == 2
    assert math.isclose(math.fsum(added), hit["score"], abs_tol=0.002)


def test_an_explanation_ends_with_weights_filters_what_was_left_out_and_the_next_page(
    shell: Shell,
) -> None:
    for name in ("a", "b", "c"):
        save(shell, name, scope="team")
    shell("link", "a", "supersedes", "c")
    words = ["search", "retry", "--scope", "team", "--limit", "1"]
    following = shell.json(*words)["meta"]["next"]
    lines = shell(*words, "--explain").stdout.splitlines()
    assert f"next page: --cursor {following}" in lines
    assert any(re.match(r"filters: scopes team, at \d{4}-", line) for line in lines)
    assert "left out: superseded 1" in lines
    assert any(line.startswith("weights: ") for line in lines)


def test_a_search_may_leave_nothing_behind(shell: Shell) -> None:
    save(shell, "a")
    assert found(shell, "--no-track") == ["a"]


@pytest.mark.parametrize(
    "option", ["--group=loud", "--sort=size", "--min-relevance=2", "--max-tokens=-1"]
)
def test_what_cannot_be_asked_is_wrong_usage(shell: Shell, option: str) -> None:
    save(shell, "a")
    assert shell("search", "retry", option, status=2).stdout == ""
