"""Questions: 8 to 14 words in a row from records that no store has, half of them with a rare word.

They go through the engine's own understanding, so stop words are gone and words are stems.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from bench import corpus
from pinyon.model.profile import UnderstandSection
from pinyon.model.query import AnyOf, phrases
from pinyon.search.understand import understand
from pinyon.store.questions import Vocabulary
from pinyon.store.sqlite.view import SqliteView

RARE = 0.01
"""A rare word stands in fewer of the records."""

FEWEST_WORDS = 3
NOW = datetime(2026, 3, 1, tzinfo=UTC)
HALVES = ("with a rare word", "without one")


@dataclass(frozen=True, slots=True)
class Question:
    """`df` says in how many records each stem of `words` stands."""

    text: str
    words: AnyOf
    df: Mapping[str, int]


def questions(view: SqliteView, how: UnderstandSection, each: int) -> dict[str, list[Question]]:
    """`each` questions for each of HALVES, the same for the same store."""
    documents, _ = view.totals
    halves: dict[str, list[Question]] = {half: [] for half in HALVES}
    for text in _stretches():
        question = _question(view, text, how)
        if question:
            rare = any(df < RARE * documents for df in question.df.values())
            half = halves[HALVES[0] if rare else HALVES[1]]
            if len(half) < each:
                half.append(question)
        if all(len(half) == each for half in halves.values()):
            return halves
    raise RuntimeError("the corpus has too few questions of one half")


def _stretches() -> Iterator[str]:
    chance = random.Random("questions")
    for record in corpus.held_back(100_000):
        words = record.body.split()
        start = chance.randrange(len(words) - 14)
        yield " ".join(words[start : start + chance.randint(8, 14)])


def _question(view: SqliteView, text: str, how: UnderstandSection) -> Question | None:
    """None where operators stand in it, or too little is left of it. A word that no record has is
    left out: it would make every question a rare one, and costs nothing."""
    plain = how._replace(fix=False, expand=False, intents=False, time="off")
    query = understand(view, text, plain, NOW)
    if query.asked or not query.plain:
        return None
    terms = list(phrases(query.plain))
    df = view.survey(Vocabulary(tuple(term.stems[0] for term in terms)))
    known = {stem: count for stem, count in df.items() if count}
    words = AnyOf(tuple(term for term in terms if term.stems[0] in known))
    return Question(text, words, known) if len(known) >= FEWEST_WORDS else None
