"""Tasks: a check box in a list is a thing to do, with its state, its date and its urgency."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from pinyon.index.parse.links import Slugs, tags
from pinyon.index.parse.origin import line
from pinyon.model.check import LIMITS, MOST_VALUES
from pinyon.model.record import Record

MOST_TASKS = 500
"""In one file; what comes after them is only text."""

STATES = {" ": "open", "/": "open", "x": "done", "X": "done", "-": "cancelled"}
"""What stands in the box. Any other mark says something of the line, not that it is to be done."""

PRIORITIES = {
    "🔺": 5,
    "⏫": 4,
    "🔼": 3,
    "🔽": 2,
    "⏬": 1,
    "highest": 5,
    "high": 4,
    "medium": 3,
    "normal": 3,
    "low": 2,
    "lowest": 1,
}
"""The importance of each mark, and of each word after `priority`."""

_LONGEST_NAME, _SHORTEST_NAME = 60, 20
_BOX = re.compile(r"\[([ /xX-])\]\s+(?=\S)")
_DAY = r"(\d{4}-\d\d-\d\d)"
_DUE = re.compile(
    rf"(?:📅|📆|🗓)\ufe0f?\s?{_DAY}|@due\({_DAY}\)|[\[(]due::\s?{_DAY}[\])]|\bdue:\s?{_DAY}",
    re.IGNORECASE,
)
_OTHER_DAYS = re.compile(rf"(?:⏳|🛫|➕|✅|❌)\ufe0f?\s?{_DAY}")
_PRIORITY = re.compile(
    r"(🔺|⏫|🔼|🔽|⏬)\ufe0f?"
    r"|(?:@priority\(|[\[(]priority::\s?|\bpriority:\s?)(highest|high|medium|normal|lowest|low)\b[\])]?",
    re.IGNORECASE,
)
_BLOCK = re.compile(r"(?<!\S)\^[A-Za-z0-9-]{1,100}\s*\Z")


class Task(NamedTuple):
    """It takes the lines from `first` up to, not including, `after`; both count from 0. `text` is
    as it is written, without the box."""

    first: int
    after: int
    state: str
    text: str
    tags: tuple[str, ...]


def task(text: str, visible: str, first: int, after: int) -> Task | None:
    """What the first paragraph of an item of a list asks for; None where it has no box. `visible`
    is the same text without inline code."""
    box = _BOX.match(text)
    if box is None:
        return None
    return Task(first, after, STATES[box[1]], text[box.end() :], tuple(tags(visible)))


def task_records(
    section: Record, tasks: Sequence[Task], shared: Mapping[str, Any]
) -> Iterator[Record]:
    """The tasks of one section. Each is named after its text, so that it keeps its id when others
    come and go; `shared` are fields that hold for everything in the file. None where the id of the
    section leaves no room for theirs."""
    room = min(_LONGEST_NAME, LIMITS["id"] - len(f"{section.id}^task-"))
    if room < _SHORTEST_NAME:
        return
    names = Slugs(room)
    above = " > ".join(name for name in (section.context, section.title) if name)
    common = {name: shared[name] for name in shared if name not in ("status", "doc_type")}
    for each in tasks:
        text, due, importance = _understood(each.text)
        title = line(text, "title") or line(each.text, "title")
        record = Record(
            kind="task",
            id=f"{section.id}^task-{names.take(title, otherwise='1')}",
            title=title,
            body=text if len(text) > LIMITS["title"] else "",
            context=above[: LIMITS["context"]],
            scope=section.scope,
            source=section.source,
            lines=(each.first + 1, each.after),
            updated_at=section.updated_at,
        )
        named = dict.fromkeys((*common.get("tags", ()), *each.tags))
        own = {"status": each.state, "due": due, "tags": tuple(named)[:MOST_VALUES]}
        yield replace(record, **common | own | ({"importance": importance} if importance else {}))


def _understood(written: str) -> tuple[str, datetime | None, int | None]:
    """The text without its marks, the day it is due, and how important it is."""
    text = _BLOCK.sub("", written)
    due, importance = None, None
    for match in _DUE.finditer(text):
        due = _day(next(day for day in match.groups() if day))
        if due:
            text = text[: match.start()] + text[match.end() :]
            break
    text = _OTHER_DAYS.sub("", text)
    priority = _PRIORITY.search(text)
    if priority:
        importance = PRIORITIES[(priority[1] or priority[2]).lower()]
        text = text[: priority.start()] + text[priority.end() :]
    return text.strip(), due, importance


def _day(written: str) -> datetime | None:
    try:
        return datetime.fromisoformat(written).replace(tzinfo=UTC)
    except ValueError:
        return None
