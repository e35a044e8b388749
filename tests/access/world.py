"""World: engines with records in several scopes, and permits, for the tests of access."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from pinyon.access import CAPABILITIES, Permit
from pinyon.engine import Engine
from pinyon.store.memory import MemoryStore
from tests.engine.opened import Clock


def limited(
    *scopes: str, can: tuple[str, ...] = CAPABILITIES, tiers: tuple[str, ...] = ()
) -> Permit:
    return Permit("guest", frozenset(can), tiers, scopes)


@contextmanager
def in_memory() -> Iterator[Engine]:
    with Engine(MemoryStore(), clock=Clock()) as engine:
        yield engine


def outside(engine: Engine, permit: Permit) -> list[Any]:
    """Everything that the store holds of records that the permit does not open, as it is exported:
    records, forgotten ones too, their versions, and the links among them."""
    lines = [json.loads(line) for line in engine.export()]
    scopes = {line["id"]: line.get("scope", "") for line in lines if line["type"] == "record"}
    hidden = {id for id, scope in scopes.items() if not permit.inside(scope)}
    return [line for line in lines if _ids(line) <= hidden]


def _ids(line: dict[str, Any]) -> set[str]:
    if line["type"] == "edge":
        return {line["from"], line["to"]}
    return {line["record"]["id"] if line["type"] == "version" else line["id"]}


class Untouchable:
    """A store that fails whatever is asked of it."""

    def __getattribute__(self, name: str) -> NoReturn:
        raise AssertionError(f"the store was touched: {name}")


def untouchable() -> Engine:
    store: Any = Untouchable()
    return Engine(store)
