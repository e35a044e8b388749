"""Markdown: which sections a text has, and what each of them is called."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.index.parse.markdown import Slugs, markdown
from pinyon.index.parse.origin import Origin
from pinyon.model.check import recheck
from pinyon.model.record import Record

MAY = datetime(2024, 5, 1, tzinfo=UTC)
FILE = Origin("notes", "team/api-design.md", MAY)


def sections(text: str) -> dict[str, str]:
    """The title of each record by what its id adds to that of the file."""
    parsed = markdown(text, FILE)
    return {record.id.removeprefix(FILE.id): record.title for record in parsed.records}


def test_each_heading_is_a_record_with_its_own_text_and_place() -> None:
    text = "# Retries\n\nWe retry.\n\n## How *often*\n\nThree times.\n\n\n### Why\n\n## When\n"

    def section(slug: str, title: str, body: str, context: str, lines: tuple[int, int]) -> Record:
        return Record(
            kind="doc",
            id=f"notes/team/api-design.md{slug}",
            title=title,
            body=body,
            context=context,
            scope="notes/team",
            source="notes/team/api-design.md",
            lines=lines,
            updated_at=MAY,
        )

    assert markdown(text, FILE).records == (
        section("", "Retries", "We retry.", "", (1, 3)),
        section("#how-often", "How often", "Three times.", "Retries", (5, 7)),
        section("#why", "Why", "", "Retries > How often", (10, 10)),
        section("#when", "When", "", "Retries", (12, 12)),
    )


def test_text_before_the_first_heading_is_the_document() -> None:
    parsed = markdown("before\n\n# Title\n\nbelow\n\n## Part\n", FILE)
    assert [(r.id.removeprefix(FILE.id), r.title, r.body, r.context) for r in parsed.records] == [
        ("", "Title", "before", ""),
        ("#title", "Title", "below", ""),
        ("#part", "Part", "", "Title"),
    ]


def test_a_text_without_a_heading_is_called_after_its_file() -> None:
    assert sections("only text") == {"": "api design"}


def test_a_text_of_lower_headings_only_has_no_record_of_its_own() -> None:
    assert sections("## One\n\n## Two\n") == {"#one": "One", "#two": "Two"}


def test_a_second_heading_of_the_first_level_is_a_section() -> None:
    assert sections("# One\n\n# Two\n") == {"": "One", "#two": "Two"}


@pytest.mark.parametrize("text", ["", "\n\n", "  \n", "#\n", "##\n\n#\n"])
def test_a_text_of_nothing_has_no_record(text: str) -> None:
    assert markdown(text, FILE).records == ()


@pytest.mark.parametrize(
    "inside",
    [
        "```\n# no\n```\n",
        "~~~sh\n# no\n~~~\n",
        "    # no\n",
        "> # no\n",
        "- # no\n",
        "<!--\n# no\n-->\n",
        "#no\n",
        "\\# no\n",
        "```\n# no, and the fence stays open\n",
    ],
)
def test_what_only_looks_like_a_heading_is_text(inside: str) -> None:
    parsed = markdown(f"# Title\n\n{inside}", FILE)
    assert [record.title for record in parsed.records] == ["Title"]
    assert "no" in parsed.records[0].body


def test_underlined_headings_are_headings() -> None:
    text = "Title\n=====\n\nPart\n----\n"
    assert sections(text) == {"": "Title", "#part": "Part"}
    assert [record.body for record in markdown(text, FILE).records] == ["", ""]


def test_the_markup_of_a_heading_is_not_in_its_title() -> None:
    heading = "# A `b_c` [*d*](x) **e** ![f](y) <br> [g][h] &amp; i ##\n\n[h]: z\n"
    assert sections(heading) == {"": "A b_c d e f g & i"}


def test_a_repeated_heading_gets_a_number() -> None:
    slugs = Slugs(most=100)
    titles = ["Usage", "Usage", "Usage-1", "Usage", "Größe & C++", "📖", "!"]
    assert [slugs.take(title) for title in titles] == [
        "usage",
        "usage-1",
        "usage-1-1",
        "usage-2",
        "größe--c",
        "section",
        "section-1",
    ]


def test_a_heading_without_text_is_named_after_the_document() -> None:
    assert sections("# Title\n\n##\n\ntext\n\n##\n") == {"": "Title", "#section": "Title"}


def test_line_ends_and_other_separators_do_not_move_the_line_numbers() -> None:
    parsed = markdown("# A\n\none\u2028two\x0cthree\n\n## B\n", FILE)
    assert [record.lines for record in parsed.records] == [(1, 3), (5, 5)]


def test_long_titles_and_slugs_fit_a_record() -> None:
    parsed = markdown(f"# {'word ' * 1000}\n\n## {'word ' * 1000}\n## {'word ' * 1000}\n", FILE)
    assert [len(record.title) for record in parsed.records] == [999, 999, 999]
    assert len({record.id for record in parsed.records}) == 3
    assert [recheck(record) for record in parsed.records] == list(parsed.records)


def test_a_file_is_found_by_its_first_heading_or_by_its_title() -> None:
    assert markdown("before\n\n## Limits\n\n# Queue\n", FILE).outline == "Limits"
    assert markdown("---\ntitle: Jobs\n---\ntext\n", FILE).outline == "Jobs"
    assert markdown("", FILE).outline == ""


MARKUP = st.sampled_from(
    [
        "# ",
        "## ",
        "\n",
        "\n\n",
        "---\n",
        "===\n",
        "```\n",
        "> ",
        "- ",
        "[a]: b\n",
        "title: x\n",
        "&#0;",
    ]
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(MARKUP, st.text(max_size=8)), max_size=30).map("".join))
def test_any_text_becomes_records_that_can_be_stored(text: str) -> None:
    text = text.replace("\r", "\n").replace("\x00", "").encode("utf-8", "replace").decode()
    parsed = markdown(text, FILE)
    assert [recheck(record) for record in parsed.records] == list(parsed.records)
    assert len({record.id for record in parsed.records}) == len(parsed.records)
    spans = [record.lines for record in parsed.records if record.lines]
    assert spans == sorted(spans)
