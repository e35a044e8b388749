"""Pinyon: a local-first search engine for what a person or an agent knows.

import pinyon
with pinyon.open("notes.pinyon") as engine:
    engine.save(pinyon.Record(kind="memory", title="Retries", body="Three, with backoff."))
    for hit in engine.search("how often do we retry"):
        print(hit.id, hit.score, hit.snippet)
"""

from pinyon.engine import Engine
from pinyon.engine import open_engine as open
from pinyon.model.errors import PinyonError
from pinyon.model.hit import Answer, Hit
from pinyon.model.record import Edge, Record, Version
from pinyon.search.related import Related

__all__ = ["Answer", "Edge", "Engine", "Hit", "PinyonError", "Record", "Related", "Version", "open"]
__version__ = "0.1.0"
