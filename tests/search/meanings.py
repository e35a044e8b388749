"""Meanings: a model so small that a test can read it, and a store whose records it has embedded."""

import math
from array import array
from collections.abc import Mapping
from datetime import timedelta
from hashlib import blake2b

from pinyon.model.errors import PinyonError
from pinyon.model.record import Record
from pinyon.store.contract import Store, Vector, View
from pinyon.store.questions import Model
from tests.store.world import NOW, commit, save

DIMS = 64
MEANS: Mapping[str, str] = {"kitten": "cat", "feline": "cat", "puppy": "dog", "hound": "dog"}
"""Words that mean the same without sharing a stem."""


class Bag:
    """Each word is one direction, the same for words that mean the same; a text is their sum."""

    model = "bag"

    def vector(self, text: str) -> bytes:
        total = [0.0] * DIMS
        for word in text.lower().replace(".", " ").split():
            digest = blake2b(MEANS.get(word, word).encode(), digest_size=2).digest()
            total[digest[0] % DIMS] += 1.0 if digest[1] % 2 else -1.0
        length = math.hypot(*total) or 1.0
        return array("f", [value / length for value in total]).tobytes()


class Broken(Bag):
    """A model that cannot be used."""

    def vector(self, text: str) -> bytes:
        raise PinyonError("the model is broken", remedy="pull it again")


class Short(Bag):
    """A model whose vectors do not fit those of the store."""

    def vector(self, text: str) -> bytes:
        return super().vector(text)[:8]


def bag(view: View) -> Bag:
    return Bag()


def embedded(store: Store, *records: Record) -> None:
    """Save the records and embed all that waits."""
    save(store, *records, use=Model("bag", "bag", DIMS))
    tasks = store.lease("bag", "test", now=NOW, until=NOW + timedelta(minutes=1), limit=1_000)
    vectors = [Vector(task.passage, task.digest, Bag().vector(task.text)) for task in tasks]
    commit(store, vectors={"bag": vectors})
