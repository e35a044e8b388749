"""Survey: what the file knows of itself, question by question."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pinyon.model.query import Counted, Filters
from pinyon.model.record import Edge, Version
from pinyon.store import contract, questions
from pinyon.store.sqlite import rows, spelling, usage
from pinyon.store.sqlite.filters import condition
from pinyon.text.fields import places, sum_terms
from pinyon.text.prepare import prepare
from pinyon.text.stems import stems

if TYPE_CHECKING:
    from pinyon.store.sqlite.view import SqliteView

_VALUES = {
    "tags": ("name", "tag"),
    "kind": ("kind", "record WHERE deleted_at IS NULL"),
    "domain": ("domain", "record WHERE deleted_at IS NULL"),
    "author": ("author", "record WHERE deleted_at IS NULL"),
    "scope": ("scope", "record WHERE deleted_at IS NULL"),
}
"""The column that holds the values of a field, and the rows that count."""

# From one value to the next by the index: all rows would take a hundred times as long.
_NEXT = (
    "WITH RECURSIVE each (value) AS (SELECT min({0}) FROM {1} WHERE {0} > ''"
    " UNION ALL SELECT (SELECT min({0}) FROM {1} WHERE {0} > value) FROM each"
    " WHERE value IS NOT NULL) SELECT value, value FROM each WHERE value IS NOT NULL"
)
_ALIVE = " AND EXISTS (SELECT 1 FROM record WHERE {0} = value AND deleted_at IS NULL)"
_NAMES = {
    "tags": _NEXT.format("name", "tag"),
    "domain": (_NEXT + _ALIVE).format("domain", "record"),
    "author": (_NEXT + _ALIVE).format("author", "record"),
    "entity": (
        "WITH entity AS (SELECT id, title, aliases FROM record JOIN content USING (row)"
        " WHERE kind = 'entity' AND deleted_at IS NULL)"
        " SELECT id, title FROM entity"
        " UNION ALL SELECT entity.id, value FROM entity, json_each(aliases)"
    ),
}
"""What is named, and a name of it."""
_MOST_NAMES = 200_000

_MANY_STEMS = 1_000
"""Ranking by TF-IDF asks for thousands, most of all common ones: then one walk over the whole
vocabulary takes half as long as a look at each."""


def _vocabulary(view: "SqliteView", question: questions.Vocabulary) -> dict[str, int]:
    known = view.memory.df
    missing = [stem for stem in question.stems if stem not in known]
    if missing:
        found = (
            view.rows("SELECT term, doc FROM vocabulary")
            if len(missing) > _MANY_STEMS
            else view.rows(
                "SELECT term, doc FROM json_each(?) CROSS JOIN vocabulary ON term = value",
                (rows.to_ids(missing),),
            )
        )
        # At once: other threads read it too. What no record has is not kept: there is no end to it.
        known.update(dict(found))
    return {stem: known.get(stem, 0) for stem in question.stems}


def _terms(view: "SqliteView", question: questions.Terms) -> dict[str, dict[str, int]]:
    counted = places(question.fields)
    found = view.rows(
        "SELECT record.id, lines FROM json_each(?) CROSS JOIN record ON record.id = value"
        " CROSS JOIN stems USING (row) WHERE deleted_at IS NULL",
        (rows.to_ids(question.ids),),
    )
    return {id: sum_terms(lines, counted) for id, lines in found}


def _values(view: "SqliteView", question: questions.Values) -> dict[str, int]:
    column, counted = _VALUES[question.field]
    found = view.rows(
        f"SELECT {column}, count(*) FROM {counted} GROUP BY 1"
        f" HAVING {column} IS NOT NULL ORDER BY 2 DESC, 1"
    )
    return dict(found.fetchall())


def _named(view: "SqliteView", question: questions.Named) -> list[str]:
    known = view.memory.named
    if question.field not in known:
        known[question.field] = _by_stem(view, question.field)
    by_stem = known[question.field]
    asked = question.stems
    return sorted(
        {value for stem in asked for value, of_it in by_stem.get(stem, ()) if of_it <= asked}
    )


def _by_stem(view: "SqliteView", field: str) -> dict[str, list[tuple[str, frozenset[str]]]]:
    """The values of a field, each by one stem of its name: a question looks at few of them."""
    stems_of = view.memory.stems_of
    if len(stems_of) > _MOST_NAMES:
        stems_of.clear()
    by_stem: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for value, name in view.rows(_NAMES[field]):
        own = stems_of.get(name)  # another thread may clear it
        if own is None:
            own = stems_of[name] = frozenset(stems(prepare(name)))
        if own:
            by_stem.setdefault(min(own), []).append((value, own))
    return by_stem


def _counted_for(view: "SqliteView", question: questions.CountedFor) -> Counted:
    terms = view.terms(question.expression)
    return Counted(*view.totals, {(term.stem, term.prefix): term.df for term in terms})


def _history(view: "SqliteView", question: questions.History) -> list[Version]:
    query = f"SELECT {rows.VERSION_COLUMNS} FROM version WHERE id = ? ORDER BY number"
    return [rows.version_of(row) for row in view.rows(query, (question.id,))]


def _edges(view: "SqliteView", question: questions.Edges) -> list[Edge]:
    forgotten = "SELECT id FROM record WHERE deleted_at IS NOT NULL"
    found = view.rows(
        f"WITH asked AS (SELECT value FROM json_each(?)) SELECT {rows.EDGE_COLUMNS} FROM edge"
        " WHERE (from_id IN asked OR to_id IN asked)"
        f" AND from_id NOT IN ({forgotten}) AND to_id NOT IN ({forgotten})"
        " ORDER BY from_id, relation, to_id",
        (rows.to_ids(question.ids),),
    )
    return [rows.edge_of(row) for row in found]


def _joined(view: "SqliteView", question: questions.Joined) -> list[Edge]:
    forgotten = "SELECT id FROM record WHERE deleted_at IS NOT NULL"
    found = view.rows(
        f"SELECT {rows.EDGE_COLUMNS} FROM edge WHERE relation = ?"
        f" AND from_id NOT IN ({forgotten}) AND to_id NOT IN ({forgotten})"
        " ORDER BY from_id, to_id",
        (question.relation,),
    )
    return [rows.edge_of(row) for row in found]


def _titles(view: "SqliteView", question: questions.Titles) -> list[questions.Titled]:
    scopes = (question.scope,) if question.scope else ()
    where, values = condition(Filters(kinds=question.kinds, scopes=scopes))
    found = view.rows(
        "SELECT id, kind, scope, iif(title = '', substr(body, 1, ?), title), aliases"
        f" FROM record JOIN content USING (row) WHERE deleted_at IS NULL AND {where} ORDER BY id",
        (questions.BEGIN, *values),
    )
    return [
        questions.Titled(
            id, kind, scope or "", title, rows.from_list(aliases) if aliases != "[]" else ()
        )
        for id, kind, scope, title, aliases in found
    ]


def _files(view: "SqliteView", question: questions.Files) -> dict[str, questions.FileState]:
    found = view.rows(
        "SELECT path, modified_ns, size, digest, ids, edges, reader FROM file"
        " WHERE folder = ? ORDER BY path",
        (question.folder,),
    )
    return {
        row[0]: questions.FileState(
            row[0],
            row[1],
            row[2],
            row[3],
            ids=rows.from_list(row[4]),
            edges=tuple((a, relation, b) for a, relation, b in rows.from_list(row[5])),
            reader=row[6],
        )
        for row in found
    }


def _folders(view: "SqliteView", _: questions.Folders) -> dict[str, str]:
    return dict(view.rows("SELECT name, path FROM folder ORDER BY name").fetchall())


def _size(view: "SqliteView", _: questions.Size) -> questions.Counts:
    def count(what: str) -> int:
        return int(view.rows(f"SELECT count(*) FROM {what}").fetchall()[0][0])

    documents, tokens = view.totals
    return questions.Counts(
        revision=view.revision,
        kinds=_values(view, questions.Values("kind")),
        forgotten=count("record WHERE deleted_at IS NOT NULL"),
        edges=count("edge"),
        versions=count("version"),
        documents=documents,
        tokens=tokens,
        passages=count("passage"),
        bytes=view.path.stat().st_size,
    )


def _models(view: "SqliteView", _: questions.Models) -> list[questions.Model]:
    found = view.rows(
        "SELECT name, choice, dims, state, vectors FROM model"
        " ORDER BY state <> 'active', state <> 'filling', name"
    )
    return [questions.Model(*row) for row in found]


def _progress(view: "SqliteView", question: questions.Progress) -> dict[str, dict[str, int]]:
    found = view.rows(
        "WITH asked AS (SELECT number FROM model"
        " WHERE name = ?1 AND state <> 'idle' AND dims > 0),"
        " pieces AS (SELECT row, count(*) AS whole, count(waiting.passage) AS missing,"
        " sum(ifnull(attempts, 0) >= ?2) AS lost FROM passage LEFT JOIN waiting"
        " ON waiting.passage = passage.number AND model = (SELECT number FROM asked) GROUP BY row)"
        " SELECT kind, CASE WHEN whole IS NULL THEN 'none' WHEN lost > 0 THEN 'failed'"
        " WHEN missing = 0 THEN 'done' WHEN missing = whole THEN 'pending' ELSE 'partial' END,"
        " count(*) FROM record LEFT JOIN pieces USING (row)"
        " WHERE deleted_at IS NULL AND EXISTS (SELECT 1 FROM asked) GROUP BY 1, 2 ORDER BY 1, 2",
        (question.model, contract.MOST_ATTEMPTS),
    )
    progress: dict[str, dict[str, int]] = {}
    for kind, state, count in found:
        progress.setdefault(kind, {})[state] = count
    return progress


def _waiting(view: "SqliteView", question: questions.Waiting) -> dict[str, int]:
    return _reasons(view, question.model, "attempts < ?")


def _given_up(view: "SqliteView", question: questions.GivenUp) -> dict[str, int]:
    return _reasons(view, question.model, "attempts >= ?")


def _reasons(view: "SqliteView", model: str, which: str) -> dict[str, int]:
    found = view.rows(
        "SELECT reason, count(*) FROM waiting WHERE model ="
        f" (SELECT number FROM model WHERE name = ?) AND {which} GROUP BY 1 ORDER BY 1",
        (model, contract.MOST_ATTEMPTS),
    )
    return dict(found.fetchall())


def _vectors_of(view: "SqliteView", question: questions.VectorsOf) -> dict[str, list[bytes]]:
    found = view.rows(
        "SELECT id, vector FROM record JOIN passage USING (row)"
        " JOIN vector ON passage = passage.number"
        " AND model = (SELECT number FROM model WHERE name = ?)"
        " WHERE deleted_at IS NULL AND id IN (SELECT value FROM json_each(?))"
        " ORDER BY id, place",
        (question.model, rows.to_ids(question.ids)),
    )
    vectors: dict[str, list[bytes]] = {}
    for id, vector in found:
        vectors.setdefault(id, []).append(vector)
    return vectors


ANSWERS: dict[type, Callable[["SqliteView", Any], Any]] = {
    questions.Vocabulary: _vocabulary,
    questions.Terms: _terms,
    questions.Values: _values,
    questions.Named: _named,
    questions.Beginning: spelling.beginning,
    questions.Written: spelling.written,
    questions.CountedFor: _counted_for,
    questions.Log: usage.log,
    questions.Feedbacks: usage.feedbacks,
    questions.History: _history,
    questions.Edges: _edges,
    questions.Joined: _joined,
    questions.Titles: _titles,
    questions.Files: _files,
    questions.Folders: _folders,
    questions.Size: _size,
    questions.Models: _models,
    questions.Progress: _progress,
    questions.Waiting: _waiting,
    questions.GivenUp: _given_up,
    questions.VectorsOf: _vectors_of,
}
