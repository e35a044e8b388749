"""View: one moment of the file, read through one connection inside one transaction."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import apsw

from pinyon.model.query import (
    FIELDS,
    Expression,
    Filters,
    Lexical,
    Match,
    Nearest,
    Neighbours,
    RankedList,
    Recent,
    Request,
    Step,
    Substring,
    phrases,
)
from pinyon.model.record import Edge, Record, Version
from pinyon.store.sqlite import lexical, rows, substring
from pinyon.store.sqlite.filters import condition
from pinyon.store.sqlite.graph import neighbours
from pinyon.text.bm25 import Scorer, Term
from pinyon.text.stems import words

if TYPE_CHECKING:
    from pinyon.model.facts import Facts
    from pinyon.store.contract import Question
    from pinyon.store.sqlite.nearest import Codes

T = TypeVar("T")

_WHOLE = (
    f"SELECT {rows.RECORD_COLUMNS}, {rows.CONTENT_COLUMNS} FROM record JOIN content USING (row)"
)
_MOST_FILTERS = 1_000


class Memory:
    """What a store remembers between searches: what holds for one revision. Codes are kept for the
    next one, which reads only those that changed."""

    def __init__(self) -> None:
        self.revision = -1
        self.df: dict[tuple[str, bool], int] = {}
        self.passing: dict[Filters, int] = {}
        self.codes: dict[int, Codes] = {}
        self.codes_before: dict[int, Codes] = {}
        self.places: dict[tuple[int, Filters], Any] = {}

    def at(self, revision: int) -> "Memory":
        """This memory if it is of that revision, else a new one."""
        if self.revision == revision:
            return self
        fresh = Memory()
        fresh.revision = revision
        fresh.codes_before = {**self.codes_before, **self.codes}
        return fresh


class SqliteView:
    """See the contract. Lives as long as the transaction of its connection."""

    def __init__(self, db: apsw.Connection, memory: Memory, path: Path) -> None:
        self.db = db
        self.revision: int = self.rows("SELECT number FROM revision").fetchall()[0][0]
        self.memory = memory.at(self.revision)
        self.path = path

    def rows(self, query: str, values: Sequence[Any] = ()) -> Any:
        """A row has the types of its columns, which no checker knows."""
        return self.db.execute(query, values)

    # what is asked

    def retrieve(self, requests: Sequence[Request]) -> list[RankedList]:
        return [_RETRIEVE[type(request)](self, request) for request in requests]

    def _lexical(self, request: Lexical) -> RankedList:
        terms = self._terms(request.expression)
        documents, tokens = self.totals
        judging = request.among is not None
        if not documents or not request.fields or not (terms or judging):
            return RankedList("lexical", ())
        df = {term.stem: term.df for term in terms}
        where, values = condition(request.filters)
        score = Scorer(terms, request.fields, documents, tokens, request.k1, request.b)
        if request.among is not None:
            return _scored(score, self._stems(request.among, where, values), len(request.among))
        passing = self._passing(request.filters, where, values) if where else documents
        plan, walked = lexical.essential(
            request.expression, df, documents, passing / documents, request.limit
        )
        rank = lexical.rank_call(request.fields)
        narrowed = _narrowed(where, request.filters, few=walked < passing)
        found = self.rows(
            "WITH found AS MATERIALIZED (SELECT rowid AS row FROM fulltext"
            f" WHERE fulltext MATCH ? {narrowed} ORDER BY {rank} LIMIT ?)"
            " SELECT id, lines FROM found CROSS JOIN stems USING (row)",
            (
                lexical.match_text(plan, request.fields),
                *values,
                lexical.select(request.expression, request.limit, request.k1, request.b),
            ),
        )
        return _scored(score, found, request.limit)

    def _stems(self, ids: Sequence[str], where: str, values: Sequence[Any]) -> Any:
        """The stems of named records, of those that pass."""
        narrowed = f"AND {where}" if where else ""
        return self.rows(
            "SELECT id, lines FROM stems WHERE row IN (SELECT row FROM record"
            f" WHERE id IN (SELECT value FROM json_each(?)) {narrowed})",
            (rows.to_ids(ids), *values),
        )

    def _nearest(self, request: Nearest) -> RankedList:
        # Imported here: it brings numpy, which a search by words does not need.
        from pinyon.store.sqlite.nearest import nearest

        return nearest(self, request)

    def _substring(self, request: Substring) -> RankedList:
        if not request.words or not request.fields:
            return RankedList("substring", ())
        query, values = substring.query(request)
        found = self.rows(query, values)
        return RankedList("substring", tuple(Match(id, score, 1.0) for id, score in found))

    def _recent(self, request: Recent) -> RankedList:
        where, values = condition(request.filters)
        narrowed = f"AND {where}" if where else ""
        found = self.rows(
            f"SELECT id, updated_at FROM record WHERE deleted_at IS NULL {narrowed}"
            " ORDER BY updated_at DESC, id LIMIT ?",
            (*values, request.limit),
        )
        return RankedList("recent", tuple(Match(id, us / 1e6, 0.0) for id, us in found))

    # what is known of records

    def facts(self, ids: Sequence[str]) -> "dict[str, Facts]":
        from pinyon.store.sqlite.survey import facts

        return facts(self, ids)

    def fetch(self, ids: Sequence[str], *, forgotten: bool = False) -> dict[str, Record]:
        alive = "" if forgotten else "AND deleted_at IS NULL"
        found = self.rows(
            f"{_WHOLE} WHERE id IN (SELECT value FROM json_each(?)) {alive}", (rows.to_ids(ids),)
        )
        return {row[0]: rows.record_of(row) for row in found}

    def records(self, *, forgotten: bool = False) -> Iterator[Record]:
        alive = "" if forgotten else "WHERE deleted_at IS NULL"
        for row in self.rows(f"{_WHOLE} {alive} ORDER BY id"):
            yield rows.record_of(row)

    def all_edges(self) -> Iterator[Edge]:
        query = f"SELECT {rows.EDGE_COLUMNS} FROM edge ORDER BY from_id, relation, to_id"
        for row in self.rows(query):
            yield rows.edge_of(row)

    def all_versions(self) -> Iterator[Version]:
        query = f"SELECT {rows.VERSION_COLUMNS} FROM version ORDER BY id, number"
        for row in self.rows(query):
            yield rows.version_of(row)

    def neighbours(self, asked: Neighbours) -> list[Step]:
        return neighbours(self, asked)

    def passing(self, ids: Sequence[str], filters: Filters) -> set[str]:
        where, values = condition(filters)
        found = self.rows(
            "SELECT id FROM record WHERE id IN (SELECT value FROM json_each(?))"
            f" AND deleted_at IS NULL {where and 'AND'} {where}",
            (rows.to_ids(ids), *values),
        )
        return {id for (id,) in found}

    # what the store knows of itself

    def survey(self, question: "Question[T]") -> T:
        # Imported here, as for `facts`: a search from the shell needs neither.
        from pinyon.store.sqlite.survey import ANSWERS

        return cast("T", ANSWERS[type(question)](self, question))

    # numbers for ranking

    def _terms(self, expression: Expression) -> list[Term]:
        terms: dict[tuple[str, str, bool], Term] = {}
        for phrase in phrases(expression):
            last = len(phrase.stems) - 1
            for at, stem in enumerate(phrase.stems):
                prefix = phrase.prefix and at == last
                df = self.df(stem, prefix=prefix, word=phrase.text)
                terms[(stem, phrase.field, prefix)] = Term(stem, df, phrase.field, prefix)
        return list(terms.values())

    def df(self, stem: str, *, prefix: bool = False, word: str = "") -> int:
        """In how many records a stem stands, or any that begins with it; then `word` ends with the
        word that it is the stem of."""
        known = self.memory.df
        if (stem, prefix) not in known:
            if prefix:
                asked = f'"{words(word)[-1][0]}" *'
                found = self.rows(
                    "SELECT count(*) FROM fulltext WHERE fulltext MATCH ?", (asked,)
                ).fetchall()
            else:
                found = self.rows("SELECT doc FROM vocabulary WHERE term = ?", (stem,)).fetchall()
            known[(stem, prefix)] = found[0][0] if found else 0
        return known[(stem, prefix)]

    def _passing(self, filters: Filters, where: str, values: list[Any]) -> int:
        known = self.memory.passing
        if filters not in known:
            if len(known) >= _MOST_FILTERS:
                known.clear()
            found = self.rows(f"SELECT count(*) FROM record WHERE {where}", values)
            known[filters] = found.fetchall()[0][0]
        return known[filters]

    @cached_property
    def totals(self) -> tuple[int, dict[str, int]]:
        """The number of documents, and of stems in each field, as FTS5 knows them."""
        found = self.rows("SELECT pinyon_totals(fulltext) FROM fulltext LIMIT 1").fetchall()
        numbers = [int(part) for part in found[0][0].split()] if found else [0] * (len(FIELDS) + 1)
        return numbers[0], dict(zip(FIELDS, numbers[1:], strict=True))


def totals_function(api: apsw.FTS5ExtensionApi, *_: Any) -> str:
    """An FTS5 function: the number of rows, and of tokens in each column."""
    sizes = (api.column_total_size(column) for column in range(api.column_count))
    return " ".join(map(str, (api.row_count, *sizes)))


def _narrowed(where: str, filters: Filters, *, few: bool) -> str:
    """The filter of a full-text query: looked up record by record when `few` are walked, else as
    one set. The plus keeps FTS5 from seeking once per row of it: a hundred times slower."""
    if not where:
        return ""
    if filters == Filters(without=filters.without):
        # Few kinds are left out, and few records have them: half the time of a look at each.
        kinds = ", ".join("?" * len(filters.without))
        return f"AND +rowid NOT IN (SELECT row FROM record WHERE kind IN ({kinds}))"
    if few:
        return f"AND EXISTS (SELECT 1 FROM record WHERE row = fulltext.rowid AND {where})"
    return f"AND +rowid IN (SELECT row FROM record WHERE {where})"


def _scored(score: Scorer, found: Iterable[tuple[str, str]], limit: int) -> RankedList:
    scored = [(id, *score(lines)) for id, lines in found]
    scored.sort(key=lambda match: (-match[1], match[0]))
    return RankedList("lexical", tuple(Match(*match) for match in scored[:limit]))


_RETRIEVE: dict[type, Callable[[SqliteView, Any], RankedList]] = {
    Lexical: SqliteView._lexical,
    Nearest: SqliteView._nearest,
    Substring: SqliteView._substring,
    Recent: SqliteView._recent,
}
