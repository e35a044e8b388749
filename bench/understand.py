"""Understand: what it costs to find out what a question means, spelt right and misspelt."""

import re
from functools import partial
from itertools import chain
from statistics import median

from bench.clock import best_in_a_row, cpu_ms
from bench.figure import Figure
from bench.questions import NOW, questions
from bench.words import each
from bench.world import World
from pinyon.model.profile import UnderstandSection
from pinyon.model.query import Query
from pinyon.search.understand import understand as understood
from pinyon.store.sqlite import SqliteStore

AT_MOST_MS = 3.0
"""Of CPU, for half of the questions; meant for a vocabulary of 200,000 words."""

ROUNDS = 3
_LONG = re.compile(r"[a-z]{7,}")


def understand(world: World) -> list[Figure]:
    """Each question is asked of a view of its own, as by a search, with everything switched on."""
    how = UnderstandSection()
    with world.view() as view:
        halves = questions(view, how, each(world.records))
        [(words,)] = view.rows("SELECT count(*) FROM vocabulary").fetchall()
    asked = [question.text for question in chain.from_iterable(halves.values())]
    wrong = [text for text in map(misspelt, asked) if text]
    store = SqliteStore(world.path, create=False)
    try:
        first = cpu_ms(partial(_ask, store, wrong[0], how))
        right_ms = [best_in_a_row(partial(_ask, store, text, how), ROUNDS) for text in asked]
        wrong_ms = [best_in_a_row(partial(_ask, store, text, how), ROUNDS) for text in wrong]
        only = how._replace(expand=False, intents=False, time="off")
        fixed_ms = [best_in_a_row(partial(_ask, store, text, only), ROUNDS) for text in wrong]
        read = [bool(_ask(store, text, how).changes) for text in wrong]
    finally:
        store.close()
    size = world.records
    return [
        Figure(size, "words of the index", words),
        Figure(size, "spelt right", median(right_ms), "ms", most=AT_MOST_MS),
        Figure(size, "one word misspelt", median(wrong_ms), "ms", most=AT_MOST_MS),
        Figure(size, "  its words and their spelling alone", median(fixed_ms), "ms"),
        Figure(size, "the first one misspelt: reads the words", first, "ms"),
        Figure(size, "misspelt questions that are read otherwise", sum(read) / len(read)),
    ]


def misspelt(text: str) -> str:
    """The question with two letters of its longest plain word in the wrong order; empty where there
    is no such word."""
    found = max(_LONG.finditer(text), key=lambda one: len(one[0]), default=None)
    if found is None:
        return ""
    word, at = found[0], len(found[0]) // 2
    turned = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return text[: found.start()] + turned + text[found.end() :] if turned != word else ""


def _ask(store: SqliteStore, text: str, how: UnderstandSection) -> Query:
    with store.snapshot() as view:
        return understood(view, text, how, NOW)
