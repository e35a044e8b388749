"""Ask: the same question in the ways that are compared: plain FTS5, the plan, the view, exactly."""

import heapq
from collections.abc import Sequence
from typing import cast

from bench.questions import Question
from pinyon.model.profile import LexicalSection
from pinyon.model.query import Expression, Filters, Lexical, phrases
from pinyon.store.questions import Vocabulary
from pinyon.store.sqlite import lexical
from pinyon.store.sqlite.filters import condition
from pinyon.store.sqlite.view import SqliteView
from pinyon.text.bm25 import Scorer, Term

TOP = 10
SELECT = 20
NO_FILTERS = Filters()

Scored = list[tuple[int, float]]
"""Row and FTS5's own score, which is better the lower it is."""


def select(view: SqliteView, expression: Expression, how: LexicalSection) -> Scored:
    """What FTS5 selects for an expression, in its own order."""
    rank = lexical.rank_call(how.fields)
    found = view.db.execute(
        f"SELECT rowid, {rank} FROM fulltext WHERE fulltext MATCH ? ORDER BY {rank} LIMIT ?",
        (lexical.match_text(expression, how.fields), SELECT),
    )
    return cast(Scored, found.fetchall())


def planned(view: SqliteView, question: Question) -> Expression:
    """The expression that the store asks instead, document frequencies looked up as it does."""
    stems = tuple(term.stems[0] for term in phrases(question.words))
    df = view.survey(Vocabulary(stems))
    documents, _ = view.totals
    expression, _ = lexical.essential(question.words, df, documents, 1.0, limit=SELECT)
    return expression


def retrieved(
    view: SqliteView, question: Question, how: LexicalSection, filters: Filters = NO_FILTERS
) -> list[str]:
    """The ids of the store's own list, as a search asks for it."""
    request = Lexical(
        question.words, how.fields, how.k1, how.b, filters, limit=SELECT, half=how.half
    )
    (found,) = view.retrieve([request])
    return [match.id for match in found.matches]


def exact(
    view: SqliteView, question: Question, how: LexicalSection, filters: Filters = NO_FILTERS
) -> list[str]:
    """The ids of the TOP, after every record that matches at all was scored. Slow."""
    documents, tokens = view.totals
    terms = [Term(stem, df) for stem, df in question.df.items()]
    score = Scorer(terms, how.fields, documents, tokens, how.k1, how.b, how.half)
    where, values = condition(filters)
    found = view.db.execute(
        "SELECT stems.id, lines FROM record CROSS JOIN stems USING (row) WHERE +row IN"
        f" (SELECT rowid FROM fulltext WHERE fulltext MATCH ?) {where and 'AND'} {where}",
        (lexical.match_text(question.words, how.fields), *values),
    )
    best = heapq.nsmallest(TOP, ((-score(str(lines))[0], str(id)) for id, lines in found))
    return [id for _, id in best]


def overlap(ours: Sequence[str], right: Sequence[str]) -> float:
    """The share of the right ones that are among our first."""
    return len(set(ours[:TOP]) & set(right)) / len(right) if right else 1.0


def overlap_in_order(plan: Scored, plain: Scored) -> float:
    """The share of the plain TOP that the plan's has; a tie for the last place is no difference."""
    worst = plain[:TOP][-1][1]
    as_good = {row for row, score in plain if score <= worst + 1e-9}
    wanted = len(plain[:TOP])
    return len(as_good & {row for row, _ in plan[:wanted]}) / wanted
