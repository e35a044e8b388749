"""Duplicates: a record in, those that say the same out, also where they disagree in one thing."""

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from pinyon.model.facts import microseconds
from pinyon.model.query import FIELDS, AnyOf, Lexical, Phrase
from pinyon.model.record import Record
from pinyon.store.succession import standing
from pinyon.text.alike import disagreement, likeness, telling, told_by
from pinyon.text.prepare import prepare
from pinyon.text.stems import words

if TYPE_CHECKING:
    from pinyon.store.contract import View

LEAST = 0.8
"""The likeness from which on a record is a duplicate: above what is merely similar, see text/alike.
"""

MOST_COMPARED = 20
"""The candidates that are compared, best first."""

LOOKED_UP, ASKED_FOR = 24, 6
"""So many of a record's longest words are looked up, and candidates asked for by so many of them,
the rarest: what is alike has four of five words in common, so it holds some of these."""


class Duplicate(NamedTuple):
    """A record that is alike: `similarity` is 1 where both have the same words. Where there is a
    `disagreement` the two are no duplicates, but may be a conflict."""

    id: str
    similarity: float
    disagreement: str = ""


def duplicates(
    view: "View",
    record: Record,
    *,
    now: datetime,
    least: float = LEAST,
    disagreeing: bool = False,
) -> list[Duplicate]:
    """The records of the same kind and scope that say the same, most alike first; with
    `disagreeing` also those that differ in a number, a date or a negation. Those that are
    superseded, or not valid now, and the record itself are none."""
    near = _near(view, record, now, least)
    others = view.fetch(tuple(near))
    found = [Duplicate(id, near[id], disagreement(record, other)) for id, other in others.items()]
    found.sort(key=lambda one: (-one.similarity, one.id))
    return [one for one in found if disagreeing or not one.disagreement]


def _near(view: "View", record: Record, now: datetime, least: float) -> dict[str, float]:
    """The likeness of each record that is alike, by stored stems: no text is read."""
    from pinyon.store.questions import Terms

    own = told_by(record)
    terms = _rarest(view, record, own)
    if not terms:
        return {}
    # Without filters: rare words find little, but a filter would first list all that pass it.
    asked = Lexical(AnyOf(terms), dict.fromkeys(FIELDS, 1), limit=MOST_COMPARED)
    [found] = view.retrieve([asked])
    ids = tuple(match.id for match in found.matches)
    stems, now_us = view.survey(Terms(ids, ("title", "body"))), microseconds(now)
    near = {
        id: similarity
        for id, known in view.facts(ids).items()
        if id != record.id
        and (known.kind, known.scope) == (record.kind, record.scope)
        and (known.valid_from_us is None or known.valid_from_us <= now_us)
        and (known.valid_until_us is None or known.valid_until_us > now_us)
        and (similarity := likeness(own, telling(stems.get(id, ())))) >= least
    }
    stand = standing(view, near)
    return {id: similarity for id, similarity in near.items() if id in stand}


def _rarest(view: "View", record: Record, own: frozenset[str]) -> tuple[Phrase, ...]:
    """Words that few records hold. Each look into the vocabulary costs, so long words go first:
    short ones are seldom rare."""
    from pinyon.store.questions import Vocabulary

    written: dict[str, str] = {}
    for word, stem in words(prepare(f"{record.title}\n{record.body}")):
        if stem in own:
            # The word, not its stem: the index stems what it is asked, and a stem may have one.
            written.setdefault(stem, word)
    longest = sorted(written, key=lambda stem: (-len(stem), stem))[:LOOKED_UP]
    df = view.survey(Vocabulary(tuple(longest)))
    rarest = sorted((stem for stem in longest if df[stem]), key=lambda stem: (df[stem], stem))
    return tuple(Phrase(written[stem], (stem,)) for stem in rarest[:ASKED_FOR])
