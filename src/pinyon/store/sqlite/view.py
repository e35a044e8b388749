"""View: one moment of the file, read through one connection inside one transaction."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import apsw

from pinyon.model.query import (
    FIELDS,
    Expression,
    Filters,
    Important,
    Lexical,
    Match,
    Nearest,
    Neighbours,
    Open,
    RankedList,
    Recent,
    Request,
    Step,
    Substring,
    phrases,
)
from pinyon.model.record import Edge, Record, Version
from pinyon.store.sqlite import lexical, rows, substring
from pinyon.store.sqlite.filters import OUTDATED, condition, outdated_values
from pinyon.store.sqlite.graph import neighbours
from pinyon.text.bm25 import Scorer, Term, units
from pinyon.text.stems import words

if TYPE_CHECKING:
    from pinyon.model.facts import Facts
    from pinyon.model.use import Use
    from pinyon.store.questions import Question
    from pinyon.store.sqlite.nearest import Codes
    from pinyon.store.sqlite.spelling import Listed

T = TypeVar("T")

_WHOLE = (
    f"SELECT {rows.RECORD_COLUMNS}, {rows.CONTENT_COLUMNS} FROM record JOIN content USING (row)"
)
_MOST_FILTERS = 1_000

Named = tuple[str, frozenset[str]]
"""A value of a field and its stems."""


class Memory:
    """What a store remembers between searches: what holds for one revision. Codes are kept for the
    next one, which reads only those that changed, and so are the stems of names and the lists of
    words."""

    def __init__(self) -> None:
        self.revision = -1
        self.df: dict[str, int] = {}
        self.df_of_prefixes: dict[str, int] = {}
        self.passing: dict[Filters, int] = {}
        self.codes: dict[int, Codes] = {}
        self.codes_before: dict[int, Codes] = {}
        self.places: dict[tuple[int, Filters], Any] = {}
        self.named: dict[str, dict[str, list[Named]]] = {}
        self.stems_of: dict[str, frozenset[str]] = {}
        self.scratch: dict[str, Any] = {}
        self.lists: dict[str, Listed] = {}

    def at(self, revision: int) -> "Memory":
        """This memory if it is of that revision, else a new one."""
        if self.revision == revision:
            return self
        fresh = Memory()
        fresh.revision = revision
        fresh.codes_before = {**self.codes_before, **self.codes}
        fresh.stems_of = self.stems_of
        fresh.lists = self.lists
        return fresh


class SqliteView:
    """See the contract. Lives as long as the transaction of its connection. `troubles` says what
    could not be searched to its end."""

    tiers: tuple[str, ...] = ()

    def __init__(self, db: apsw.Connection, memory: Memory, path: Path) -> None:
        self.db = db
        self.revision: int = self.rows("SELECT number FROM revision").fetchall()[0][0]
        self.memory = memory.at(self.revision)
        self.path = path
        self.troubles: list[str] = []
        self._outdated: dict[datetime, bool] = {}

    def rows(self, query: str, values: Sequence[Any] = ()) -> Any:
        """A row has the types of its columns, which no checker knows."""
        return self.db.execute(query, values)

    # what is asked

    def retrieve(self, requests: Sequence[Request]) -> list[RankedList]:
        return [_RETRIEVE[type(request)](self, request) for request in requests]

    def _lexical(self, request: Lexical) -> RankedList:
        terms = self.terms(request.expression)
        documents = self.totals[0]
        judging = request.among is not None
        if not documents or not request.fields or not (terms or judging):
            return RankedList("lexical", ())
        df = {term.stem: term.df for term in terms}
        score = self._scorer(terms, request)
        filters = self.timely(request.filters)
        if request.among is not None:
            return _scored(score, self._stems(request.among, filters), len(request.among))
        lasting = filters._replace(at=None)
        where, values = condition(lasting)
        passing = self._passing(lasting, where, values) if where else documents
        share = documents / request.counted.documents if request.counted else 1.0
        plan, walked = lexical.essential(
            request.expression, df, documents, passing / documents, request.limit, share
        )
        rank = lexical.rank_call(request.fields)
        narrowed = _narrowed(where, lasting, few=walked < passing)
        if filters.at:
            narrowed += f" AND +rowid NOT IN ({OUTDATED})"
            values += outdated_values(filters.at)
        found = self.rows(
            "WITH found AS MATERIALIZED (SELECT rowid AS row FROM fulltext"
            f" WHERE fulltext MATCH ? {narrowed} ORDER BY {rank} LIMIT ?)"
            " SELECT id, lines FROM found CROSS JOIN stems USING (row)",
            (
                lexical.match_text(plan, request.fields),
                *values,
                lexical.select(request),
            ),
        )
        return _scored(score, found, request.limit)

    def _scorer(self, terms: Sequence[Term], request: Lexical) -> Scorer:
        how = (request.k1, request.b, request.half)
        if request.counted is None:
            return Scorer(terms, request.fields, *self.totals, *how)
        documents, tokens, df = request.counted
        asked = [term._replace(df=df.get((term.stem, term.prefix), 0)) for term in terms]
        return Scorer(asked, request.fields, documents, tokens, *how)

    def _stems(self, ids: Sequence[str], filters: Filters) -> Any:
        """The stems of named records, of those that pass."""
        where, values = condition(filters)
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
        asked = request._replace(filters=self.timely(request.filters))
        found = substring.scan(self.db, asked)
        if found.cut:
            self.troubles.append(substring.CUT)
        return RankedList("substring", found.matches)

    def _recent(self, request: Recent) -> RankedList:
        where, values = condition(self.timely(request.filters))
        narrowed = f"AND {where}" if where else ""
        found = self.rows(
            f"SELECT id, updated_at FROM record WHERE deleted_at IS NULL {narrowed}"
            " ORDER BY updated_at DESC, id LIMIT ?",
            (*values, request.limit),
        )
        return RankedList("recent", tuple(Match(id, us / 1e6, 0.0) for id, us in found))

    def _important(self, request: Important) -> RankedList:
        # Imported here, as below: only a brief asks for it.
        from pinyon.store.sqlite.pressing import important

        return important(self, request)

    def _open(self, request: Open) -> RankedList:
        from pinyon.store.sqlite.pressing import tasks

        return tasks(self, request)

    # what is known of records

    @property
    def scratch(self) -> dict[str, Any]:
        return self.memory.scratch

    def facts(
        self, ids: Sequence[str], *, stems: Sequence[str] = (), fields: Sequence[str] = ()
    ) -> "dict[str, Facts]":
        from pinyon.store.sqlite.facts import facts

        return facts(self, ids, stems, fields)

    def uses(self, ids: Sequence[str]) -> "dict[str, Use]":
        from pinyon.store.sqlite.usage import uses

        return uses(self, ids)

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
        where, values = condition(self.timely(filters))
        found = self.rows(
            "SELECT id FROM record WHERE id IN (SELECT value FROM json_each(?))"
            f" AND deleted_at IS NULL {where and 'AND'} {where}",
            (rows.to_ids(ids), *values),
        )
        return {id for (id,) in found}

    # what the store knows of itself

    def settings(self) -> dict[str, str]:
        return dict(self.rows("SELECT key, value FROM setting ORDER BY key").fetchall())

    def survey(self, question: "Question[T]") -> T:
        # Imported here, as for `facts`: a search from the shell needs neither.
        from pinyon.store.sqlite.survey import ANSWERS

        return cast("T", ANSWERS[type(question)](self, question))

    # numbers for ranking

    def terms(self, expression: Expression) -> list[Term]:
        """The stems that are asked for, each once with its highest weight, and in how many records
        they stand."""
        terms: dict[tuple[str, str, bool], Term] = {}
        for phrase in phrases(expression):
            counted = units(phrase)
            for at, unit in enumerate(counted, start=1):
                prefix = phrase.prefix and at == len(counted)
                key = (unit, phrase.field, prefix)
                if key in terms and terms[key].weight >= phrase.weight:
                    continue
                df = self._df_of_unit(unit, prefix, phrase.text)
                terms[key] = Term(unit, df, *key[1:], phrase.weight, phrase.instead)
        return list(terms.values())

    def _df_of_unit(self, unit: str, prefix: bool, word: str) -> int:
        """Of stems that are counted together: that of the rarest, which is the most it can be."""
        *before, last = unit.split()
        dfs = [self.df(stem) for stem in before]
        return min([*dfs, self.df(last, prefix=prefix, word=word)])

    def df(self, stem: str, *, prefix: bool = False, word: str = "") -> int:
        """In how many records a stem stands, or any that begins with it; then `word` ends with the
        word that it is the stem of."""
        known = self.memory.df_of_prefixes if prefix else self.memory.df
        if stem in known:
            return known[stem]
        if prefix:
            asked = f'"{words(word)[-1][0]}" *'
            found = self.rows(
                "SELECT count(*) FROM fulltext WHERE fulltext MATCH ?", (asked,)
            ).fetchall()
        else:
            found = self.rows("SELECT doc FROM vocabulary WHERE term = ?", (stem,)).fetchall()
        count: int = found[0][0] if found else 0
        if count:  # what no record has is not kept: there is no end to it
            known[stem] = count
        return count

    def _passing(self, filters: Filters, where: str, values: list[Any]) -> int:
        known = self.memory.passing
        count = known.get(filters)
        if count is None:
            if len(known) >= _MOST_FILTERS:
                known.clear()
            found = self.rows(f"SELECT count(*) FROM record WHERE {where}", values)
            count = known[filters] = found.fetchall()[0][0]
        return count

    def timely(self, filters: Filters) -> Filters:
        """The same filters, without their moment where everything is valid then."""
        if filters.at is None:
            return filters
        if filters.at not in self._outdated:
            query = f"SELECT EXISTS ({OUTDATED})"
            [(some,)] = self.rows(query, outdated_values(filters.at)).fetchall()
            self._outdated[filters.at] = bool(some)
        return filters if self._outdated[filters.at] else filters._replace(at=None)

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
    scored = [(id, score(lines)) for id, lines in found]
    scored.sort(key=lambda one: (-one[1][0], one[0]))
    matches = (
        Match(id, points, share, None, "", title, phrase)
        for id, (points, share, title, phrase) in scored[:limit]
    )
    return RankedList("lexical", tuple(matches))


_RETRIEVE: dict[type, Callable[[SqliteView, Any], RankedList]] = {
    Lexical: SqliteView._lexical,
    Nearest: SqliteView._nearest,
    Substring: SqliteView._substring,
    Recent: SqliteView._recent,
    Important: SqliteView._important,
    Open: SqliteView._open,
}
