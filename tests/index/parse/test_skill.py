"""Skills: what a SKILL.md becomes."""

from datetime import UTC, datetime

import pytest

from pinyon.index.parse.origin import NAMES, Origin, Parsed
from pinyon.index.parse.skill import skill
from pinyon.model.check import recheck
from pinyon.model.record import Edge, Record

MAY = datetime(2024, 5, 1, tzinfo=UTC)
FILE = Origin("tools", "release-notes/SKILL.md", MAY)


@pytest.mark.proves("G6")
def test_a_skill_is_one_record_with_its_description_and_triggers() -> None:
    text = (
        "---\nname: Release Notes\ndescription: Writes them.\ntriggers: [ship it, what changed]\n"
        "tags: [docs]\nversion: 2\n---\n\n# Steps\n\nRead [the list](list.md#all).\n"
        "\n## More\n\n`[[x]]`\n"
    )
    assert skill(text, FILE) == Parsed(
        (
            Record(
                kind="skill",
                id=FILE.id,
                title="Release Notes",
                aliases=("ship it", "what changed"),
                body="# Steps\n\nRead [the list](list.md#all).\n\n## More\n\n`[[x]]`",
                context="Writes them.",
                tags=("docs",),
                scope="tools/release-notes",
                source=FILE.id,
                lines=(1, 15),
                updated_at=MAY,
                extra={"front_matter": {"version": "2"}},
            ),
        ),
        edges=(
            Edge(FILE.file_id, "contains", FILE.id),
            Edge(FILE.id, NAMES, "@note:tools:release notes"),
            Edge(FILE.id, NAMES, "@path:tools/release-notes/SKILL"),
            Edge(
                FILE.id,
                "links",
                "@path:tools/release-notes/list#all",
                evidence="release-notes/SKILL.md:11",
            ),
        ),
        outline="Release Notes",
    )


@pytest.mark.parametrize(
    ("text", "path", "title"),
    [
        ("# Steps\n", "release-notes/SKILL.md", "release-notes"),
        ("---\nname: [a, b]\ntitle: T\n---\n", "release-notes/SKILL.md", "T"),
        ("# Steps\n", "SKILL.md", "Steps"),
        ("text\n", "SKILL.md", "SKILL"),
    ],
)
def test_a_skill_without_a_name_is_called_after_its_folder(
    text: str, path: str, title: str
) -> None:
    (record,) = skill(text, Origin("tools", path, MAY)).records
    assert record.title == title
    assert recheck(record) == record


def test_triggers_may_be_written_as_text() -> None:
    (record,) = skill("---\nname: n\ntriggers: ship it, what changed\n---\n", FILE).records
    assert record.aliases == ("ship it", "what changed")


def test_front_matter_that_cannot_be_read_is_said_and_the_text_kept() -> None:
    parsed = skill("---\nname: [\n---\ntext\n", FILE)
    assert parsed.warning.startswith("front matter: ")
    assert "text" in parsed.records[0].body


@pytest.mark.parametrize("text", ["", "\n \n", "---\n---\n"])
def test_a_blank_skill_has_no_record(text: str) -> None:
    assert skill(text, FILE) == Parsed(())
