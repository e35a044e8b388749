"""Pinyon: a local-first search engine for what a person or an agent knows.

import pinyon
with pinyon.open("notes.pinyon") as engine:
    engine.save(pinyon.Record(kind="memory", title="Retries", body="Three, with backoff."))
    for hit in engine.search("how often do we retry"):
        print(hit.id, hit.score, hit.snippet)
"""

from typing import TYPE_CHECKING

from pinyon.engine import Engine
from pinyon.engine import open_engine as open
from pinyon.model.errors import PinyonError
from pinyon.model.hit import Answer, Hit
from pinyon.model.record import Edge, Record, Version
from pinyon.search.related import Related

if TYPE_CHECKING:
    from pinyon.surfaces.http.client import Client

__all__ = [
    "Answer",
    "Edge",
    "Engine",
    "Hit",
    "PinyonError",
    "Record",
    "Related",
    "Version",
    "connect",
    "open",
]
__version__ = "0.1.0"


def connect(url: str, token: str | None = None, *, timeout_s: float = 30.0) -> "Client":
    """A running `pinyon serve`, asked as if it were an engine: the same methods, the same types."""
    from pinyon.surfaces.http import client  # httpx is slow to load, and most never need it

    return client.Client(url, token, timeout_s=timeout_s)
