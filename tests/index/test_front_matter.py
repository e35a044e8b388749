"""Front matter: what it says of a document, and what happens when it cannot be read."""

from datetime import UTC, datetime

import pytest

from pinyon.index.parse.front_matter import front_matter
from pinyon.index.parse.markdown import markdown
from pinyon.index.parse.origin import FrontMatter, Origin
from pinyon.model.check import recheck
from pinyon.model.record import Record

FILE = Origin("notes", "queue.md", datetime(2024, 5, 1, tzinfo=UTC))


def records(block: str, body: str = "# Queue\n\n## Limits\n") -> tuple[Record, ...]:
    parsed = markdown(f"---\n{block}\n---\n{body}", FILE)
    assert parsed.warning == ""
    assert [recheck(record) for record in parsed.records] == list(parsed.records)
    return parsed.records


@pytest.mark.proves("S22")
def test_front_matter_describes_the_document() -> None:
    document, section = records(
        "\n".join(
            [
                'title: "Job Queue"',
                'description: "How jobs wait, and for how long."',
                "trigger_phrases:",
                '  - "background jobs"',
                '  - "retry later"',
                'importance_tier: "important"',
            ]
        )
    )
    assert document.title == "Job Queue"
    assert document.context == "How jobs wait, and for how long."
    assert document.aliases == ("Queue", "background jobs", "retry later")
    assert (document.importance, section.importance) == (4, 4)
    assert (section.title, section.context, section.aliases) == ("Limits", "Job Queue", ())
    assert (document.body, document.lines, section.lines) == ("", (9, 9), (11, 11))


@pytest.mark.proves("S22")
@pytest.mark.parametrize(
    ("tier", "importance"),
    [
        ("constitutional", 5),
        ("critical", 5),
        ("important", 4),
        ("normal", 3),
        ("temporary", 2),
        ("deprecated", 1),
        ("Critical", 5),
    ],
)
def test_each_tier_has_its_importance(tier: str, importance: int) -> None:
    assert [record.importance for record in records(f"importance_tier: {tier}")] == [importance] * 2


def test_importance_may_be_a_number() -> None:
    assert records("importance: 5")[1].importance == 5


@pytest.mark.parametrize(
    "block",
    [
        "tags: [api, '#auth', 3.10]",
        "tags: api, auth, 3.10",
        "tags: '#api #auth 3.10'",
        "keywords:\n- api\n- auth\n- 3.10",
    ],
)
def test_tags_go_to_every_section_however_they_are_written(block: str) -> None:
    assert [record.tags for record in records(block)] == [("api", "auth", "3.10")] * 2


def test_names_under_several_keys_come_together() -> None:
    block = "Trigger-Phrases: one\ntriggers: [two, one]\naliases: three, four"
    assert records(block)[0].aliases == ("one", "two", "three", "four")


def test_a_heading_under_another_title_is_one_more_name() -> None:
    assert records("title: Jobs\naliases: [Queue, Line]")[0].aliases == ("Queue", "Line")


def test_known_fields_go_to_every_section() -> None:
    block = "domain: ops\nseverity: Warning\nauthor: Ada\nstatus: draft\ntype: spec\nscope: x"
    for record in records(block):
        fields = (record.domain, record.severity, record.author, record.status, record.doc_type)
        assert fields == ("ops", "warning", "Ada", "draft", "spec")
        assert (record.scope, record.extra) == ("notes", {})


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("2023-04-05", datetime(2023, 4, 5, tzinfo=UTC)),
        ("2023-04-05T06:07:08Z", datetime(2023, 4, 5, 6, 7, 8, tzinfo=UTC)),
        ("2023-04-05 06:07:08 +0200", datetime(2023, 4, 5, 4, 7, 8, tzinfo=UTC)),
        ("2023-13-45", None),
        ("0001-01-01T00:00:00+14:00", None),
        ("some day", None),
    ],
)
def test_a_date_says_when_the_document_was_made(written: str, date: datetime | None) -> None:
    assert [record.created_at for record in records(f"date: {written}")] == [date] * 2


@pytest.mark.proves("G6")
@pytest.mark.parametrize(
    ("block", "status", "due"),
    [
        ("type: task", "open", None),
        ("kind: Task\nstatus: In review", "In review", None),
        ("type: todo\nstatus: Completed", "done", None),
        ("due: 2024-06-01\nstatus: canceled", "cancelled", datetime(2024, 6, 1, tzinfo=UTC)),
        ("deadline: 2024-06-01", "open", datetime(2024, 6, 1, tzinfo=UTC)),
    ],
)
def test_front_matter_of_a_task_makes_the_document_one(
    block: str, status: str, due: datetime | None
) -> None:
    document, section = records(block)
    assert (document.kind, document.status, document.due) == ("task", status, due)
    assert (section.kind, section.due) == ("doc", None)


@pytest.mark.parametrize("block", ["status: done", "type: spec", "due: some day", "kind: memory"])
def test_other_front_matter_makes_no_task(block: str) -> None:
    assert [record.kind for record in records(block)] == ["doc", "doc"]


def test_what_is_not_known_or_does_not_fit_is_kept_beside() -> None:
    block = "weight: 10\nreviewed: 2024-01-02\nseverity: dire\nauthor: [Ada, Bob]\nmore: {a: [b]}"
    document, section = records(block)
    assert document.extra == {
        "front_matter": {
            "weight": "10",
            "reviewed": "2024-01-02",
            "severity": "dire",
            "author": ["Ada", "Bob"],
            "more": {"a": ["b"]},
        }
    }
    assert (section.extra, document.severity, document.author) == ({}, "", "")


def test_front_matter_alone_is_a_document() -> None:
    (record,) = records("title: Empty so far", body="")
    assert (record.title, record.body, record.lines) == ("Empty so far", "", (1, 3))


def test_empty_front_matter_says_nothing() -> None:
    assert records("", body="") == ()
    assert [record.title for record in records("# only a remark")] == ["Queue", "Limits"]


def test_escapes_that_no_store_can_hold_are_replaced() -> None:
    document = records('title: "a\\0b\\ud800c"\nother: "x\\0\\udfff"')[0]
    assert (document.title, document.extra) == ("a b?c", {"front_matter": {"other": "x?"}})


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        ("title: [", "expected the node content"),
        ("a: b: c", "mapping values are not allowed"),
        ("just a sentence", "not a list of keys with values"),
        ("- a\n- b", "not a list of keys with values"),
        ("a: &x [1]\nb: *x", "aliases (*name) are not read"),
        ("[" * 20_000, "too deeply nested"),
        ("a: \x07", "special characters are not allowed"),
        ("? [a]\n: b", "unhashable"),
    ],
)
def test_front_matter_that_cannot_be_read_is_text_and_said_so(block: str, reason: str) -> None:
    parsed = markdown(f"---\n{block}\n---\n\n# Queue\n", FILE)
    assert parsed.warning.startswith("front matter: ")
    assert reason in parsed.warning
    assert "\n" not in parsed.warning
    assert "Queue" in [record.title for record in parsed.records]


def test_aliases_that_would_explode_are_refused_at_the_first() -> None:
    bomb = "a: &a [x, x]\n" + "\n".join(f"b{n}: &b{n} [*a, *a]" for n in range(500))
    assert front_matter(f"---\n{bomb}\n---\n")[0] == FrontMatter()


@pytest.mark.parametrize(
    "text", ["--- \n", "---\ntitle: never ends\n", "----\na: b\n---\n", " ---\na: b\n---\n"]
)
def test_what_does_not_begin_and_end_is_no_front_matter(text: str) -> None:
    assert front_matter(text) == (FrontMatter(), "")


def test_more_than_the_limit_is_no_front_matter() -> None:
    assert front_matter(f"---\ntitle: {'x' * 64_000}\n---\n") == (FrontMatter(), "")


def test_more_unknown_keys_than_a_record_holds_are_left_out_with_a_warning() -> None:
    found, warning = front_matter(f"---\ntitle: T\nmany: [{'a,' * 30_000}]\n---\n")
    assert (found.title, found.rest) == ("T", {})
    assert warning == "front matter: too large to keep the keys that are not known"
