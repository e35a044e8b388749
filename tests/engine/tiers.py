"""Tiers: stores with a few records, for the tests that search several of them."""

from pathlib import Path

import pinyon
from pinyon.model.hit import Answer
from pinyon.model.record import Record
from tests.store.world import NOW


def filled(path: Path, **bodies: str) -> Path:
    """A store with these records: id to body."""
    with pinyon.open(path, background=False, clock=lambda: NOW) as engine:
        for id, body in bodies.items():
            engine.save(Record(id=id, kind="entry", body=body), replace=True)
    return path


def found(answer: Answer) -> dict[str, str]:
    """Id to tier, best first."""
    return {hit.id: hit.tier for hit in answer}
