"""Operations: what writers do to a store, as data, so that it can be done again to another store.

A plan is a list of operations, each possible after those before it, at a minute of its own: done to
two stores it leaves the same in both, byte by byte.
"""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

from pinyon.engine import Engine
from pinyon.index.transfer import COMMIT
from pinyon.model.record import Record

BEGIN = datetime(2026, 3, 1, 12, tzinfo=UTC)
IMPORTED = COMMIT + 60
"""Lines of records in an import: two commits, and a third one for the edges."""

Operation = Mapping[str, Any]


class Clock:
    """Says the minute of the operation that is done."""

    def __init__(self) -> None:
        self.minute = 0

    def __call__(self) -> datetime:
        return BEGIN + timedelta(minutes=self.minute)


def word(number: int) -> str:
    """A word that no other number has, and that no stemmer touches."""
    return "q" + str(number).translate(str.maketrans("0123456789", "bdfghjklmz")) + "x"


def do(engine: Engine, clock: Clock, operation: Operation) -> None:
    """Do it, at its minute."""
    clock.minute = operation["minute"]
    _DO[operation["do"]](engine, operation)


def parts(operation: Operation) -> Iterator[Operation]:
    """What may be left of an operation that was broken off, growing; at last all of it."""
    if operation["do"] == "import":
        yield {**operation, "records": COMMIT, "edges": 0}
        yield {**operation, "edges": 0}
    yield operation


def _save(engine: Engine, given: Operation) -> None:
    number = given["minute"]
    engine.save(
        Record(
            id=given["id"],
            title=f"Title {word(number)}",
            body=f"amber {word(number)} " * given["length"],
            tags=("wild", f"t{number % 5}"),
        ),
        replace=True,
    )


def _correct(engine: Engine, given: Operation) -> None:
    title = f"Corrected {word(given['minute'])}"
    engine.correct(given["id"], "it was wrong", title=title, body=f"umber {title}")


def _import(engine: Engine, given: Operation) -> None:
    name, dated = given["id"], {"created_at": BEGIN.isoformat(), "updated_at": BEGIN.isoformat()}
    lines = [
        {"type": "record", "id": f"{name}-{at}", "kind": "note", "body": f"ochre {name}", **dated}
        for at in range(given["records"])
    ]
    lines += [
        {"type": "edge", "from": f"{name}-{at}", "relation": "follows", "to": f"{name}-{at + 1}"}
        for at in range(given["edges"])
    ]
    engine.import_jsonl(BytesIO("\n".join(map(json.dumps, lines)).encode()))


_DO: dict[str, Callable[[Engine, Operation], object]] = {
    "save": _save,
    "update": lambda engine, given: engine.update(
        given["id"], body=f"changed {word(given['minute'])}"
    ),
    "correct": _correct,
    "tag": lambda engine, given: engine.tag(
        given["id"], add=[f"t{given['minute'] % 7}"], remove=["wild"]
    ),
    "rename": lambda engine, given: engine.rename_tag(given["tag"], given["to"]),
    "forget": lambda engine, given: engine.forget(given["id"]),
    "purge": lambda engine, given: engine.forget(given["id"], purge=True),
    "link": lambda engine, given: engine.link(given["id"], "follows", given["to"], strength=0.5),
    "unlink": lambda engine, given: engine.unlink(given["id"], "follows", given["to"]),
    "configure": lambda engine, given: engine.configure(
        "log_days", str(given["minute"] + 1) if given["minute"] % 3 else None
    ),
    "feedback": lambda engine, given: engine.feedback(given["id"], "accepted", query="amber"),
    "learn": lambda engine, given: engine.learn(),
    "import": _import,
}
"""How each is done."""

_OFTEN = {"save": 12, "update": 6, "import": 1, "purge": 1}
"""How often each comes up; the others, three times."""


@dataclass
class Plan:
    """What can be done next, after what was done."""

    live: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    configured: bool = False
    imported: bool = False
    judged: int = 0
    minute: int = 0

    @classmethod
    def after(cls, done: Sequence[Operation]) -> "Plan":
        plan = cls()
        for operation in done:
            plan.did(operation)
        return plan

    def next(self, chance: random.Random) -> Operation:
        """An operation that is possible now."""
        possible = ["save", "rename"]
        possible += [] if self.imported else ["import"]
        possible += ["update", "tag", "forget", "purge"] if len(self.live) > 4 else []
        possible += ["link"] if len(self.live) > 4 else []
        possible += ["correct"] if set(self.live) - set(self.wrong) else []
        possible += ["unlink"] if self.links else []
        possible += ["feedback"] if self.live and self.judged < 9 else []
        possible += ["learn"] if self.judged else []
        possible += ["configure"] if self.configured or (self.minute + 1) % 3 else []
        weights = [_OFTEN.get(each, 3) for each in possible]
        what = chance.choices(possible, weights)[0]
        operation = {"do": what, "minute": self.minute + 1, **self._about(what, chance)}
        self.did(operation)
        return operation

    def did(self, operation: Operation) -> None:
        """Know of one that was done."""
        what, id = operation["do"], operation.get("id", "")
        self.minute = operation["minute"]
        if what == "save":
            self.live.append(id)
        elif what == "correct":
            self.wrong.append(id)
            self.live.append(f"corrected-{word(self.minute)}")
        elif what in ("forget", "purge"):
            self.live.remove(id)
            self.links = [link for link in self.links if id not in link]
        elif what == "link":
            self.links.append((id, operation["to"]))
        elif what == "unlink":
            self.links.remove((id, operation["to"]))
        elif what == "configure":
            self.configured = bool(self.minute % 3)
        self.imported |= what == "import"
        self.judged += what == "feedback"

    def _about(self, what: str, chance: random.Random) -> dict[str, Any]:
        if what == "save":
            return {"id": f"r{self.minute + 1}", "length": chance.choice([1, 5, 2000])}
        if what == "import":
            return {"id": f"i{self.minute + 1}", "records": IMPORTED, "edges": 50}
        if what == "rename":
            return {"tag": f"t{chance.randrange(7)}", "to": f"t{chance.randrange(7)}"}
        if what == "correct":
            return {"id": chance.choice(sorted(set(self.live) - set(self.wrong)))}
        if what == "unlink":
            return dict(zip(("id", "to"), chance.choice(self.links), strict=True))
        if what == "link":
            free = [
                (one, other)
                for one in self.live[-6:]
                for other in self.live[-6:]
                if one != other and (one, other) not in self.links
            ]
            return dict(zip(("id", "to"), chance.choice(free), strict=True))
        if what in ("configure", "learn"):
            return {}
        return {"id": chance.choice(self.live)}
