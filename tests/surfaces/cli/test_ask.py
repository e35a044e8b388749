"""Asking: search, get, related and history, as JSON and as text."""

import pytest

from tests.surfaces.cli.shell import Shell

KEYS = [
    "id",
    "kind",
    "title",
    "score",
    "relevance",
    "signals",
    "sources",
    "snippet",
    "domain",
    "tags",
    "scope",
    "source",
    "lines",
    "tokens",
    "via",
    "tier",
    "more",
]


def save_retries(shell: Shell) -> None:
    body = "We retry three times, with backoff. " * 10
    words = ["--id", "retries", "--kind", "note", "--title", "Retries", "--body", body]
    shell("save", *words, "--tag", "http", "--domain", "backend", "--scope", "team/api")


@pytest.mark.proves("V1")
def test_a_scan_gives_each_hit_as_a_line_with_the_first_120_characters(shell: Shell) -> None:
    save_retries(shell)
    (hit,) = shell.json("search", "retry", "--mode", "scan")["hits"]
    body = "We retry three times, with backoff. " * 10
    assert list(hit) == KEYS
    assert {name: hit[name] for name in ("id", "title", "kind", "domain", "tags")} == {
        "id": "retries",
        "title": "Retries",
        "kind": "note",
        "domain": "backend",
        "tags": ["http"],
    }
    assert hit["score"] > 0
    assert hit["snippet"] == body[:120]
    assert hit["tokens"] == (len("Retries") + len(body)) // 4


@pytest.mark.proves("V1")
def test_a_full_search_gives_the_record_with_its_signals(shell: Shell) -> None:
    save_retries(shell)
    (hit,) = shell.json("search", "retry", "--mode", "full")["hits"]
    assert list(hit) == [*KEYS, "record"]
    assert [hit["record"]] == shell.json("get", "retries")
    assert list(hit["signals"]) == ["lexical"]


@pytest.mark.proves("V2")
def test_what_a_scan_found_is_loaded_by_its_ids(shell: Shell) -> None:
    save_retries(shell)
    shell("save", "--id", "backoff", "--title", "Backoff", "--body", "Doubles with each retry.")
    found = [hit["id"] for hit in shell.json("search", "retry", "--mode", "scan")["hits"]]
    records = shell.json("get", *reversed(found))
    assert sorted(found) == ["backoff", "retries"]
    assert [record["id"] for record in records] == found[::-1]


@pytest.mark.proves("S21")
def test_the_lexical_channel_can_be_asked_alone_with_its_scores(shell: Shell) -> None:
    save_retries(shell)
    for how in (["--channels", "lexical"], ["--profile", "keyword"]):
        answer = shell.json("search", "retry", *how)
        (hit,) = answer["hits"]
        assert answer["meta"]["channels"] == ["lexical"]
        assert hit["sources"] == {"lexical": 1}
        assert list(hit["signals"]) == ["lexical"]
    assert hit["signals"]["lexical"] == hit["score"] > 0


def test_the_words_of_a_query_need_no_quotes(shell: Shell) -> None:
    save_retries(shell)
    assert [hit["id"] for hit in shell.json("search", "three", "times")["hits"]] == ["retries"]


def test_an_empty_query_lists_what_changed_last(shell: Shell) -> None:
    for name in ("first", "second"):
        shell("save", "--id", name, "--title", name)
    shell("update", "first", "--status", "done")
    assert [hit["id"] for hit in shell.json("search")["hits"]] == ["first", "second"]


@pytest.mark.parametrize(
    ("matching", "other"),
    [
        (["--kind", "note", "--kind", "task"], ["--kind", "task"]),
        (["--tag", "http"], ["--tag", "http", "--tag", "draft"]),
        (["--domain", "backend"], ["--domain", "frontend"]),
        (["--severity", "warning"], ["--severity", "critical"]),
        (["--author", "Ada"], ["--author", "Bob"]),
        (["--scope", "team"], ["--scope", "team/ap"]),
        (["--since", "2024-05-01"], ["--since", "2024-05-02"]),
        (["--until", "2024-05-02"], ["--until", "2024-04-30"]),
    ],
)
def test_each_filter_keeps_what_matches_it_and_nothing_else(
    shell: Shell, matching: list[str], other: list[str]
) -> None:
    save_retries(shell)
    fields = ["--severity", "warning", "--author", "Ada", "--created-at", "2024-05-01"]
    shell("update", "retries", *fields)
    assert [hit["id"] for hit in shell.json("search", "retry", *matching)["hits"]] == ["retries"]
    assert shell.json("search", "retry", *other)["hits"] == []


@pytest.mark.parametrize(
    ("given", "words"), [("present.words=2", 2), ("present.words = 3", 3), ("present.words=4", 4)]
)
def test_the_profile_can_be_changed_for_one_search(shell: Shell, given: str, words: int) -> None:
    shell("save", "--id", "a", "--title", "x", "--body", "retry one two three four five six")
    (hit,) = shell.json("search", "retry", "--set", given)["hits"]
    assert len(hit["snippet"].split()) == words


def test_a_change_of_the_profile_may_be_a_text_or_a_list(shell: Shell) -> None:
    save_retries(shell)
    changes = ["--set", "understand.stop=code", "--set", "present.cascade=['tags']"]
    (hit,) = shell.json("search", "http", *changes)["hits"]
    assert hit["snippet"] == "<mark>http</mark>"


def test_the_limit_is_kept(shell: Shell) -> None:
    for number in range(4):
        shell("save", "--id", f"r{number}", "--title", "retry")
    assert len(shell.json("search", "retry", "-n", "3")["hits"]) == 3


def test_nothing_found_is_no_error_and_gives_a_hint(shell: Shell) -> None:
    save_retries(shell)
    result = shell("search", "zebra")
    assert (result.stdout, result.stderr) == (
        "",
        "pinyon: nothing found (try other words; pinyon stats says what the store holds)\n",
    )
    assert "without the filters" in shell("search", "retry", "--tag", "none").stderr
    assert shell.json("search", "zebra")["hits"] == []


def test_what_was_changed_in_the_question_is_said_on_standard_error(shell: Shell) -> None:
    save_retries(shell)
    result = shell("search", "etrie", "--json")
    assert result.stderr == "pinyon: no word matches: searched letter by letter\n"


def test_a_hit_reads_as_rank_title_score_kind_id_place_and_snippet(shell: Shell) -> None:
    shell("save", input='{"id": "a", "title": "T", "body": "x < y retry", "source": "n.md", '
          '"lines": [7, 9]}')  # fmt: skip
    (hit,) = shell.json("search", "retry")["hits"]
    assert shell("search", "retry").stdout.splitlines() == [
        f" 1. T  {hit['score']:.3f} memory",
        "    a  n.md:7",
        "    x < y retry",
    ]


def test_an_explanation_shows_signals_channels_and_stages(shell: Shell) -> None:
    save_retries(shell)
    text = shell("search", "retry", "--explain").stdout
    assert "lexical" in text
    assert "found by lexical at rank 1" in text
    assert "profile default: 1 of 1 candidates" in text
    for stage in ("understand", "retrieve", "rank", "present"):
        assert stage in text


def test_a_full_search_as_text_shows_the_body(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "T", "--body", "retry\n\nlast line")
    assert shell("search", "retry", "--mode", "full").stdout.endswith("retry\n\n    last line\n")


def test_records_are_shown_with_their_fields_and_bodies(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "First", "--body", "one\ntwo", "--tag", "x", "--tag", "y")
    shell("save", "--id", "b", "--title", "Second", "--context", "why")
    lines = shell("get", "a", "b").stdout.splitlines()
    assert lines[0] == "First"
    assert "tags        x, y" in lines
    assert lines[lines.index("two") + 1 :][:3] == ["", "-" * 40, "Second"]
    assert lines[-1] == "why"


def test_a_missing_record_is_named_and_none_is_shown(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "First")
    assert shell.problem("get", "a", "nope") == (
        "pinyon: no record has the id 'nope' (search for it first)"
    )


def test_related_shows_both_directions_and_keeps_to_a_relation(shell: Shell) -> None:
    for name in ("a", "b", "c"):
        shell("save", "--id", name, "--title", name.upper())
    shell("link", "a", "supports", "b", "--strength", "0.5", "--evidence", "the log")
    shell("link", "c", "caused_by", "a")
    assert shell("related", "a").stdout.splitlines() == [
        "<-caused_by- C  c  1",
        "-supports-> B  b  0.5  the log",
    ]
    (only,) = shell.json("related", "a", "--relation", "supports")
    assert (only["edge"]["to"], only["record"]["title"]) == ("b", "B")
    assert "nothing is linked" in shell("related", "b", "--relation", "caused_by").stderr


@pytest.mark.proves("S14", part="history")
def test_history_lists_what_a_record_was_oldest_first(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "One")
    shell("update", "a", "--title", "Two")
    shell("forget", "a")
    versions = shell.json("history", "a")
    assert [(each["change"], each["record"]["title"]) for each in versions] == [
        ("updated", "One"),
        ("forgotten", "Two"),
    ]
    assert [line for line in shell("history", "a").stdout.splitlines() if line in ("One", "Two")]


def test_a_record_without_changes_has_no_history(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "One")
    assert shell("history", "a").stderr == "pinyon: it has never been changed\n"
    assert shell.json("history", "a") == []
