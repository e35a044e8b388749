"""Front matter: what the YAML between two `---` lines at the top of a file says of the document.

Values are read as the text that they are written as (`title: 3.10` stays "3.10"). Keys that Pinyon
does not know are kept as they are.
"""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import yaml

from pinyon.index.parse.origin import FrontMatter, line
from pinyon.model.check import DEEPEST, LIMITS, MOST_VALUES, deeper
from pinyon.model.record import SEVERITIES

MOST_CHARACTERS = 64_000

TIERS = {
    "constitutional": 5,
    "critical": 5,
    "important": 4,
    "normal": 3,
    "temporary": 2,
    "deprecated": 1,
}
"""The importance of each `importance_tier`."""

STATES = {
    "open": "open",
    "todo": "open",
    "to do": "open",
    "not started": "open",
    "pending": "open",
    "done": "done",
    "complete": "done",
    "completed": "done",
    "finished": "done",
    "closed": "done",
    "cancelled": "cancelled",
    "canceled": "cancelled",
    "dropped": "cancelled",
}
"""Words for the states of a task; one that is not here stays as it is written."""

_END = ("---", "...")
_NOTHING = ("", "~", "null")


def front_matter(text: str) -> tuple[FrontMatter, str]:
    """What stands at the top of the text, and a warning when it was meant to be front matter but
    cannot be read. One of more than MOST_CHARACTERS is none."""
    lines = text[: MOST_CHARACTERS + 100].split("\n")
    ends = (n for n, each in enumerate(lines) if n and each.rstrip() in _END)
    end = next(ends, 0) if lines[0].rstrip() == "---" else 0
    block = "\n".join(lines[1:end])
    if not end or len(block) > MOST_CHARACTERS:
        return FrontMatter(), ""
    try:
        given = yaml.load(block, _Texts)
        if given is not None and not isinstance(given, dict):
            return FrontMatter(), "front matter: not a list of keys with values; taken as text"
        return _understood(given or {}, end + 1)
    except yaml.MarkedYAMLError as problem:
        where = f" in line {problem.problem_mark.line + 2}" if problem.problem_mark else ""
        return FrontMatter(), f"front matter: {problem.problem or 'not YAML'}{where}; taken as text"
    except yaml.YAMLError as problem:
        return FrontMatter(), f"front matter: {line(str(problem), 'title')}; taken as text"
    except RecursionError:
        return FrontMatter(), "front matter: too deeply nested; taken as text"
    except (ValueError, OverflowError):  # "\\UFFFFFFFF", or %YAML with a number of 5,000 digits
        return FrontMatter(), "front matter: a number that nothing has; taken as text"


class _Texts(yaml.BaseLoader):
    """YAML of texts, lists and mappings. An alias is refused: a few of them, one inside the other,
    stand for more memory than there is."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.MarkedYAMLError(problem="aliases (*name) are not read")
        return super().compose_node(parent, index)


def _understood(given: dict[str, Any], lines: int) -> tuple[FrontMatter, str]:
    keys = _Keys(given)
    title = keys.first(_line("title"), "title")
    description = keys.first(_line("context"), "description")
    aliases = keys.all(_phrases, "trigger_phrases", "triggers", "aliases")
    shared = {
        "tags": keys.all(_tags, "tags", "keywords"),
        "importance": keys.first(_tier, "importance_tier") or keys.first(_level, "importance"),
        "domain": keys.first(_fitting("domain"), "domain"),
        "severity": keys.first(_severity, "severity"),
        "author": keys.first(_fitting("author"), "author"),
        "status": keys.first(_fitting("status"), "status"),
        "doc_type": keys.first(_fitting("doc_type"), "doc_type", "type"),
        "created_at": keys.first(_date, "date", "created", "created_at"),
        "due": keys.first(_date, "due", "due_date", "deadline"),
    }
    if keys.first(_task, "kind") or _task(shared["doc_type"]) or shared["due"]:
        state = shared["status"] or "open"
        shared |= {"kind": "task", "status": STATES.get(state.lower(), state)}
    keys.first(lambda value: True, "scope")  # where the file lies says it
    rest = _storable(keys.left)
    warning = ""
    extra = {"front_matter": rest}
    if deeper(extra, DEEPEST) or len(json.dumps(extra, ensure_ascii=False)) > LIMITS["extra"]:
        rest, warning = {}, "front matter: too large to keep the keys that are not known"
    known = {name: value for name, value in shared.items() if value}
    return (
        FrontMatter(lines, bool(given), title or "", description or "", aliases, known, rest),
        warning,
    )


class _Keys:
    """Takes from a mapping what can be understood; `left` is the rest. `Trigger-Phrases` is the
    same key as `trigger_phrases`."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.left = dict(given)
        self._written = {key.strip().lower().replace("-", "_"): key for key in given}

    def first(self, read: Callable[[Any], Any], *names: str) -> Any:
        for name in names:
            value = self._take(read, name)
            if value:
                return value
        return None

    def all(self, read: Callable[[Any], list[str]], *names: str) -> tuple[str, ...]:
        values = [each for name in names for each in self._take(read, name) or ()]
        return tuple(dict.fromkeys(values))[:MOST_VALUES]

    def _take(self, read: Callable[[Any], Any], name: str) -> Any:
        key = self._written.get(name)
        if key is None or key not in self.left:
            return None
        value = read(self.left[key])
        if value or self.left[key] in _NOTHING:
            del self.left[key]
        return value


def _line(field: str) -> Callable[[Any], str]:
    return lambda value: line(value, field) if _is_text(value) else ""


def _fitting(field: str) -> Callable[[Any], str]:
    """A value that does not fit is not cut, but left with the unknown ones: it names something."""
    return lambda value: (
        line(value, field) if _is_text(value) and len(value) <= LIMITS[field] else ""
    )


def _phrases(value: Any) -> list[str]:
    given = value.split(",") if isinstance(value, str) else value
    return _lines(given, "aliases")


def _tags(value: Any) -> list[str]:
    given = value
    if isinstance(value, str):
        given = value.split(",") if "," in value else value.split()
    if not isinstance(given, list):
        return []
    return _lines([each.strip().lstrip("#") for each in given if isinstance(each, str)], "tags")


def _lines(given: Any, field: str) -> list[str]:
    if not isinstance(given, list):
        return []
    lines = (line(each, field) for each in given if _is_text(each))
    return [each for each in lines if each]


def _task(value: Any) -> bool:
    return isinstance(value, str) and value.strip().lower() in ("task", "todo")


def _tier(value: Any) -> int | None:
    return TIERS.get(value.strip().lower()) if isinstance(value, str) else None


def _level(value: Any) -> int | None:
    return int(value) if value in ("1", "2", "3", "4", "5") else None


def _severity(value: Any) -> str:
    named = value.strip().lower() if isinstance(value, str) else ""
    return named if named in SEVERITIES else ""


def _date(value: Any) -> datetime | None:
    """ISO 8601, also with a blank before the zone (2024-05-01 12:30:00 +0200)."""
    if not isinstance(value, str):
        return None
    written = value.strip().replace(" +", "+").replace(" -", "-")
    try:
        date = datetime.fromisoformat(written)
        return date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value.strip() not in _NOTHING


def _storable(value: Any) -> Any:
    """The same without what a store cannot hold: NUL and halves of surrogate pairs."""
    if isinstance(value, str):
        return value.replace("\x00", "").encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_storable(each) for each in value]
    return {_storable(key): _storable(each) for key, each in value.items()}
