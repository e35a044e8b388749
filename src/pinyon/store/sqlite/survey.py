"""Survey: what the file knows of itself, question by question, and the facts that ranking needs."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pinyon.model.facts import Facts
from pinyon.model.record import Edge, Version
from pinyon.store import contract
from pinyon.store.sqlite import rows
from pinyon.text.fields import count_terms

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


def facts(view: "SqliteView", ids: Sequence[str]) -> dict[str, Facts]:
    """What ranking needs of each record that can be found."""
    found = view.rows(
        "SELECT record.id, kind, tags, domain, severity, importance, mentions, doc_type,"
        " memory_type, author, scope, created_at, updated_at, valid_from, valid_until,"
        " half_life, lines"
        " FROM record JOIN content USING (row) JOIN stems USING (row)"
        " WHERE record.id IN (SELECT value FROM json_each(?))",
        (rows.to_ids(ids),),
    )
    return {
        row[0]: Facts(
            id=row[0],
            kind=row[1],
            tags=rows.from_list(row[2]),
            domain=row[3] or "",
            severity=row[4] or "",
            importance=row[5],
            mentions=row[6],
            doc_type=row[7],
            memory_type=row[8],
            author=row[9] or "",
            scope=row[10] or "",
            created_at=rows.to_moment(row[11]),
            updated_at=rows.to_moment(row[12]),
            valid_from=rows.to_date(row[13]),
            valid_until=rows.to_date(row[14]),
            half_life=row[15],
            terms=count_terms(row[16]),
        )
        for row in found
    }


def _vocabulary(view: "SqliteView", question: contract.Vocabulary) -> dict[str, int]:
    return {stem: view.df(stem) for stem in question.stems}


def _values(view: "SqliteView", question: contract.Values) -> dict[str, int]:
    column, counted = _VALUES[question.field]
    found = view.rows(
        f"SELECT {column}, count(*) FROM {counted} GROUP BY 1"
        f" HAVING {column} IS NOT NULL ORDER BY 2 DESC, 1"
    )
    return dict(found.fetchall())


def _history(view: "SqliteView", question: contract.History) -> list[Version]:
    query = f"SELECT {rows.VERSION_COLUMNS} FROM version WHERE id = ? ORDER BY number"
    return [rows.version_of(row) for row in view.rows(query, (question.id,))]


def _edges(view: "SqliteView", question: contract.Edges) -> list[Edge]:
    forgotten = "SELECT id FROM record WHERE deleted_at IS NOT NULL"
    found = view.rows(
        f"WITH asked AS (SELECT value FROM json_each(?)) SELECT {rows.EDGE_COLUMNS} FROM edge"
        " WHERE (from_id IN asked OR to_id IN asked)"
        f" AND from_id NOT IN ({forgotten}) AND to_id NOT IN ({forgotten})"
        " ORDER BY from_id, relation, to_id",
        (rows.to_ids(question.ids),),
    )
    return [rows.edge_of(row) for row in found]


def _settings(view: "SqliteView", _: contract.Settings) -> dict[str, str]:
    return dict(view.rows("SELECT key, value FROM setting ORDER BY key").fetchall())


def _files(view: "SqliteView", question: contract.Files) -> dict[str, contract.FileState]:
    found = view.rows(
        "SELECT path, modified_ns, size, digest, ids, edges, reader FROM file"
        " WHERE folder = ? ORDER BY path",
        (question.folder,),
    )
    return {
        row[0]: contract.FileState(
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


def _folders(view: "SqliteView", _: contract.Folders) -> dict[str, str]:
    return dict(view.rows("SELECT name, path FROM folder ORDER BY name").fetchall())


def _size(view: "SqliteView", _: contract.Size) -> contract.Counts:
    def count(what: str) -> int:
        return int(view.rows(f"SELECT count(*) FROM {what}").fetchall()[0][0])

    documents, tokens = view.totals
    return contract.Counts(
        revision=view.revision,
        kinds=_values(view, contract.Values("kind")),
        forgotten=count("record WHERE deleted_at IS NOT NULL"),
        edges=count("edge"),
        versions=count("version"),
        documents=documents,
        tokens=tokens,
        passages=count("passage"),
        bytes=view.path.stat().st_size,
    )


def _models(view: "SqliteView", _: contract.Models) -> list[contract.Model]:
    found = view.rows(
        "SELECT name, choice, dims, state, vectors FROM model"
        " ORDER BY state <> 'active', state <> 'filling', name"
    )
    return [contract.Model(*row) for row in found]


def _progress(view: "SqliteView", question: contract.Progress) -> dict[str, dict[str, int]]:
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


def _waiting(view: "SqliteView", question: contract.Waiting) -> dict[str, int]:
    return _reasons(view, question.model, "attempts < ?")


def _given_up(view: "SqliteView", question: contract.GivenUp) -> dict[str, int]:
    return _reasons(view, question.model, "attempts >= ?")


def _reasons(view: "SqliteView", model: str, which: str) -> dict[str, int]:
    found = view.rows(
        "SELECT reason, count(*) FROM waiting WHERE model ="
        f" (SELECT number FROM model WHERE name = ?) AND {which} GROUP BY 1 ORDER BY 1",
        (model, contract.MOST_ATTEMPTS),
    )
    return dict(found.fetchall())


def _vectors_of(view: "SqliteView", question: contract.VectorsOf) -> dict[str, list[bytes]]:
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
    contract.Vocabulary: _vocabulary,
    contract.Values: _values,
    contract.History: _history,
    contract.Edges: _edges,
    contract.Settings: _settings,
    contract.Files: _files,
    contract.Folders: _folders,
    contract.Size: _size,
    contract.Models: _models,
    contract.Progress: _progress,
    contract.Waiting: _waiting,
    contract.GivenUp: _given_up,
    contract.VectorsOf: _vectors_of,
}
