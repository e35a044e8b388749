"""Like: a record in the place of a question: the words that tell it apart, and what it means."""

import math
from array import array
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pinyon.model.errors import InvalidInput, UnknownRecord
from pinyon.model.hit import Found
from pinyon.model.profile import UnderstandSection
from pinyon.model.query import AnyOf, Phrase, Query, RankedList
from pinyon.store.questions import Size, VectorsOf, Vocabulary
from pinyon.text.bm25 import idf
from pinyon.text.prepare import prepare
from pinyon.text.stems import words
from pinyon.text.stop_lists import stop_list

if TYPE_CHECKING:
    from pinyon.store.contract import View

MOST_TERMS = 32
"""The words that a record is asked for by; the ones after that say little."""


def words_like(view: "View", id: str, how: UnderstandSection) -> Query:
    """The words of a record that say most: often in it, rarely elsewhere. Raises UnknownRecord."""
    record = view.fetch([id]).get(id)
    if record is None:
        raise UnknownRecord([id])
    stop = stop_list(how.stop)
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    for text in (record.title, *record.tags, record.body):
        for word, stem in words(prepare(text)):
            if len(word) >= how.shortest and word.lower() not in stop:
                counts[stem] += 1
                # The word, not its stem: the index stems what it is asked, and a stem may have one.
                written.setdefault(stem, word)
    documents = view.survey(Size()).documents
    df = view.survey(Vocabulary(tuple(counts)))
    best = sorted(counts, key=lambda stem: (-counts[stem] * idf(documents, df[stem]), stem))
    terms = tuple(Phrase(written[stem], (stem,)) for stem in best[: min(MOST_TERMS, how.terms)])
    return Query(text=id, asked=None, plain=AnyOf(terms) if terms else None, pieces=())


def vector_like(view: "View", id: str, model: str) -> bytes:
    """The mean of the record's vectors, of length 1. Raises InvalidInput when it has none."""
    vectors = [array("f", vector) for vector in view.survey(VectorsOf((id,), model)).get(id, [])]
    total = [math.fsum(column) for column in zip(*vectors, strict=True)]
    length = math.hypot(*total)
    if not length:
        raise InvalidInput(f"{id!r} has no vector yet", remedy="pinyon embed")
    return array("f", [value / length for value in total]).tobytes()


def without(found: Sequence[Found], id: str) -> list[Found]:
    """The lists without the record itself."""
    return [
        Found(request, RankedList(ranked.channel, tuple(m for m in ranked.matches if m.id != id)))
        for request, ranked in found
    ]
