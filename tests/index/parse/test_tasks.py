"""Tasks: what a check box becomes."""

from datetime import UTC, datetime

import pytest

from pinyon.index.parse.markdown import markdown
from pinyon.index.parse.origin import Origin
from pinyon.index.parse.tasks import MOST_TASKS
from pinyon.model.check import recheck
from pinyon.model.record import Edge, Record

MAY = datetime(2024, 5, 1, tzinfo=UTC)
FILE = Origin("notes", "week.md", MAY)


def tasks(text: str) -> list[Record]:
    return [record for record in markdown(text, FILE).records if record.kind == "task"]


@pytest.mark.proves("G6")
def test_a_check_box_is_a_task_of_its_section() -> None:
    front = "---\ntags: [home]\nauthor: Ada\n---\n"
    text = f"{front}# Week\n\n## Garden\n\n- [ ] Water #roses 📅 2024-05-03\n"
    parsed = markdown(text, FILE)
    id = "notes/week.md#garden^task-water-roses"
    assert parsed.records[2] == Record(
        kind="task",
        id=id,
        title="Water #roses",
        context="Week > Garden",
        tags=("home", "roses"),
        author="Ada",
        status="open",
        due=datetime(2024, 5, 3, tzinfo=UTC),
        scope="notes",
        source="notes/week.md",
        lines=(9, 9),
        updated_at=MAY,
    )
    assert Edge("notes/week.md#garden", "contains", id) in parsed.edges
    assert parsed.records[1].body == "- [ ] Water #roses 📅 2024-05-03"


@pytest.mark.parametrize(
    ("box", "status"),
    [("[ ]", "open"), ("[/]", "open"), ("[x]", "done"), ("[X]", "done"), ("[-]", "cancelled")],
)
@pytest.mark.parametrize("bullet", ["-", "*", "+", "1.", "> -"])
def test_the_box_says_how_far_it_is(bullet: str, box: str, status: str) -> None:
    assert [each.status for each in tasks(f"{bullet} {box} do it\n")] == [status]


@pytest.mark.parametrize(
    "text",
    [
        "- [ ]\n",
        "- [ ]text\n",
        "- [>] moved\n",
        "- [a] text\n",
        "[ ] text\n",
        "```\n- [ ] text\n```\n",
        "- text [ ] more\n",
        "- \\[ ] text\n",
        "- `[ ] text`\n",
    ],
)
def test_what_only_looks_like_a_box_is_text(text: str) -> None:
    assert tasks(text) == []


DUE = datetime(2024, 5, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "title", "due", "importance"),
    [
        ("pay 📅 2024-05-01", "pay", DUE, 3),
        ("pay 🗓️ 2024-05-01 rent", "pay rent", DUE, 3),
        ("pay due: 2024-05-01", "pay", DUE, 3),
        ("pay @due(2024-05-01)", "pay", DUE, 3),
        ("pay [due:: 2024-05-01]", "pay", DUE, 3),
        ("pay 🔺 ➕ 2024-04-01 📅 2024-05-01 ✅ 2024-04-30 ^a1", "pay", DUE, 5),
        ("pay ⏫", "pay", None, 4),
        ("pay [priority:: low]", "pay", None, 2),
        ("pay @priority(highest)", "pay", None, 5),
        ("pay priority: lowest", "pay", None, 1),
        ("pay due: 2024-13-45", "pay due: 2024-13-45", None, 3),
        ("the overdue: 2024-05-01", "the overdue: 2024-05-01", None, 3),
        ("📅 2024-05-01", "📅 2024-05-01", DUE, 3),
    ],
)
def test_marks_are_read_and_taken_out_of_the_title(
    text: str, title: str, due: datetime | None, importance: int
) -> None:
    (task,) = tasks(f"- [ ] {text}\n")
    assert (task.title, task.due, task.importance) == (title, due, importance)


def test_an_item_inside_another_is_a_task_of_its_own() -> None:
    found = tasks("- [ ] one\n  goes on\n\n  more of it\n  - [x] two\n    - three\n- [ ] four\n")
    assert [(task.title, task.lines) for task in found] == [
        ("one goes on", (1, 2)),
        ("two", (5, 5)),
        ("four", (7, 7)),
    ]


def test_tasks_keep_their_names_when_others_come_and_go() -> None:
    def names(text: str) -> list[str]:
        return [task.id.rpartition("^")[2] for task in tasks(text)]

    assert names("- [ ] a b\n- [ ] c\n") == ["task-a-b", "task-c"]
    assert names("- [ ] new\n- [x] c\n- [ ] c\n- [ ] !!\n") == [
        "task-new",
        "task-c",
        "task-c-1",
        "task-1",
    ]


def test_a_long_task_is_kept_whole() -> None:
    (task,) = tasks(f"- [ ] {'word ' * 400}\n")
    assert (len(task.title), task.body) == (999, ("word " * 400).strip())
    assert recheck(task) == task


def test_tasks_beyond_the_limit_are_text_and_said_so() -> None:
    text = "".join(f"- [ ] task {number}\n" for number in range(MOST_TASKS + 1))
    assert len(tasks(text)) == MOST_TASKS
    assert markdown(text, FILE).warning == "501 tasks; the first 500 are kept as tasks"
