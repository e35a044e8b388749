"""Rank: what the ranking of 300 candidates costs, with all that it asks of the store."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from statistics import median

from bench.clock import alternate, cpu_ms
from bench.figure import Figure
from bench.questions import Question, questions
from bench.world import World
from pinyon.model.ask import Ask
from pinyon.model.hit import Candidate
from pinyon.model.profile import SIGNALS, FuseSection, LexicalSection, RankSection
from pinyon.model.query import Lexical, Query
from pinyon.search.fuse import fuse
from pinyon.search.rank import gather, rank
from pinyon.search.rank.known import TERMS
from pinyon.store.questions import Terms
from pinyon.store.sqlite.view import SqliteView

CANDIDATES = 300
EACH = 15
"""Questions of each half."""

NOW = datetime(2024, 1, 1, tzinfo=UTC)
ALL_BUT_MS, SEMANTIC_MS = 3.0, 5.0
"""The most CPU: of all signals but semantic, and of semantic beyond them."""

_OTHERS = [name for name in SIGNALS if name not in ("semantic", "vector", "graph")]
ALONE = RankSection(weights={"lexical": 1})
ALL_BUT = RankSection(weights=dict.fromkeys(_OTHERS, 1.0), times=("doc_type", "intent"))
ALL = ALL_BUT._replace(weights={**ALL_BUT.weights, "semantic": 1.0})


def ranking(world: World) -> list[Figure]:
    """The whole stage as the pipeline has it, the first one of a revision apart: it looks up how
    many records hold each word, which is remembered."""
    how = world.profile.retrieve.lexical
    with world.view() as view:
        halves = questions(view, world.profile.understand, EACH)
        asked = [question for half in halves.values() for question in half]
        found = [_candidates(view, question, how) for question in asked]
        first = cpu_ms(partial(_stage, view, asked[0], found[0], ALL))
        times = [
            alternate([partial(_stage, view, *one, section) for section in (ALONE, ALL_BUT, ALL)])
            for one in zip(asked, found, strict=True)
        ]
        reading = [
            alternate([partial(_facts, view, some, stems) for stems in ((), tuple(one.df))])
            for one, some in zip(asked, found, strict=True)
        ]
        ids = tuple(candidate.id for candidate in found[0])
        words = median(map(len, view.survey(Terms(ids, TERMS)).values()))
    plain, but, whole = (median(column) for column in zip(*times, strict=True))
    semantic = median(row[2] - row[1] for row in times)
    size = world.records
    return [
        Figure(size, "candidates", median(map(len, found))),
        Figure(size, "stems of one", words),
        Figure(size, "lexical alone", plain, "ms"),
        Figure(size, "all signals but semantic", but, "ms", most=ALL_BUT_MS),
        Figure(size, "  of it reading facts", median(row[0] for row in reading), "ms"),
        Figure(size, "all signals", whole, "ms"),
        Figure(size, "all - all but semantic", semantic, "ms", most=SEMANTIC_MS),
        Figure(size, "  of it reading words", median(row[1] - row[0] for row in reading), "ms"),
        Figure(size, "all signals, first of a revision", first, "ms"),
    ]


def _candidates(view: SqliteView, question: Question, how: LexicalSection) -> list[Candidate]:
    request = Lexical(question.words, how.fields, how.k1, how.b, limit=CANDIDATES, half=how.half)
    return fuse(view.retrieve([request]), FuseSection())


def _stage(
    view: SqliteView, question: Question, candidates: list[Candidate], how: RankSection
) -> list[Candidate]:
    period = (NOW - timedelta(days=30), NOW)
    query = Query(question.text, None, question.words, (), period=period)
    known = gather(view, candidates, query, Ask(question.text, NOW), ["lexical"], 60, how)
    return rank(candidates, known, how)


def _facts(view: SqliteView, candidates: list[Candidate], stems: Sequence[str]) -> None:
    view.facts([candidate.id for candidate in candidates], stems=stems, fields=TERMS)
