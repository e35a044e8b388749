"""Collection: documents, questions, and which documents people found right for each question.

A folder in the layout of BEIR: corpus.jsonl, queries.jsonl and qrels.tsv, each also with .gz.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from pinyon.evaluate.documents import category_of, id_of, is_file, scope_of
from pinyon.evaluate.lines import columns, objects
from pinyon.model.errors import InvalidInput, InvalidLine, InvalidRecord

NAMES = {
    "corpus": ("corpus.jsonl",),
    "queries": ("queries.jsonl",),
    "qrels": ("qrels.tsv", "qrels/test.tsv"),
}
"""Where each part lies in the folder, the likeliest first."""

LOOKED_AT = 1_000
"""Documents at the beginning of a corpus that say whether it is one of files."""


@dataclass(frozen=True, slots=True)
class Question:
    """`labels` maps documents to how right they are: more than 0 is relevant, and one of them at
    least is. With a `scope` only the records below it are asked. `by_file` says that the documents
    are files, which are found by their parts."""

    id: str
    text: str
    labels: Mapping[str, int]
    scope: str = ""
    category: str = ""
    by_file: bool = False


@dataclass(frozen=True, slots=True)
class Collection:
    """`judged` maps each document that is judged to the line of `qrels` that names it first.
    `by_file` says that documents are files and become records as `pinyon index` makes them."""

    name: str
    corpus: Path
    qrels: Path
    questions: tuple[Question, ...]
    judged: Mapping[str, int]
    scope_by: str
    remarks: tuple[str, ...]
    by_file: bool = False


@dataclass(frozen=True, slots=True)
class _Judgement:
    label: int
    line: int


def read_collection(
    folder: Path,
    *,
    queries: Path | None = None,
    qrels: Path | None = None,
    scope_by: str = "",
    whole_files: bool = True,
) -> Collection:
    """The questions of a folder and their labels; `queries` and `qrels` stand in for its own.

    With `scope_by` each question is asked among the documents that share its `metadata[scope_by]`.
    With `whole_files` a document that is a file is one record all the same. Questions without a
    relevant document are left out. Raises InvalidInput, with the line.
    """
    if not folder.is_dir():
        raise InvalidInput(f"{folder}: no such folder", remedy="name a folder in BEIR layout")
    corpus = _part(folder, "corpus")
    asked, judged = queries or _part(folder, "queries"), qrels or _part(folder, "qrels")
    labels = _read_labels(judged)
    by_file = not whole_files and _holds_files(corpus)
    questions = list(_read_questions(asked, labels, scope_by, by_file))
    # A file of one's own may hold a part of the questions; the folder's must hold all.
    unknown = labels.keys() - {question.id for question in questions}
    if unknown and queries is None:
        refuse_unknown("query", judged, {id: _first_line(labels[id]) for id in unknown})
    relevant = tuple(q for q in questions if any(label > 0 for label in q.labels.values()))
    if not relevant:
        raise InvalidInput(
            f"{judged}: no query of {asked} has a relevant document", remedy="check their ids"
        )
    left_out = len(questions) - len(relevant)
    return Collection(
        name=folder.resolve().name,
        corpus=corpus,
        qrels=judged,
        questions=relevant,
        judged=_judged(labels),
        scope_by=scope_by,
        remarks=(f"{left_out:,} queries without a relevant document left out",) if left_out else (),
        by_file=by_file,
    )


def _part(folder: Path, part: str) -> Path:
    for name in NAMES[part]:
        for path in (folder / name, folder / f"{name}.gz"):
            if path.is_file():
                return path
    name = NAMES[part][0]
    raise InvalidInput(
        f"{folder}: no {name} or {name}.gz",
        remedy="a collection has corpus.jsonl, queries.jsonl and qrels.tsv",
    )


def _holds_files(corpus: Path) -> bool:
    return any(is_file(given.get("_id")) for _, given in islice(objects(corpus), LOOKED_AT))


def _read_labels(path: Path) -> dict[str, dict[str, _Judgement]]:
    """What is judged, by query and document. A heading may stand above it."""
    labels: dict[str, dict[str, _Judgement]] = {}
    where = str(path)
    for number, row in columns(path):
        if len(row) != 3 or not (row[0] and row[1]):
            problem = "not a query, a document and a label"
            raise InvalidLine(where, number, problem, remedy="put tabs between the three")
        query, document, text = row
        try:
            label = int(text)
        except ValueError:
            if number == 1:
                continue
            problem = f"{text[:60]!r} is not a label"
            raise InvalidLine(where, number, problem, remedy="use a whole number") from None
        known = labels.setdefault(query, {}).setdefault(document, _Judgement(label, number))
        if known.label != label:
            problem = f"line {known.line} judges the same document otherwise"
            raise InvalidLine(where, number, problem, remedy="remove one of them")
    return labels


def _read_questions(
    path: Path, labels: Mapping[str, Mapping[str, _Judgement]], scope_by: str, by_file: bool
) -> Iterator[Question]:
    """The judged ones, in the order of the file."""
    seen: dict[str, int] = {}
    for number, given in objects(path):
        try:
            id, scope, category = id_of(given), scope_of(given, scope_by), category_of(given)
        except InvalidRecord as error:
            raise InvalidLine(str(path), number, error.problem, remedy=error.remedy) from None
        text = given.get("text")
        if not isinstance(text, str) or not text.strip():
            problem = "text: must be a text that is not empty"
            raise InvalidLine(str(path), number, problem, remedy="write the question there")
        refuse_repeated(str(path), number, id, seen)
        if id not in labels:
            continue
        if scope_by and not scope:
            problem = f"metadata.{scope_by}: is missing or empty"
            raise InvalidLine(str(path), number, problem, remedy="scope by a key that is there")
        known = {document: each.label for document, each in labels[id].items()}
        yield Question(id, text, known, scope, category, by_file)


def refuse_repeated(where: str, number: int, id: str, seen: dict[str, int]) -> None:
    """Note where an id stands. Raises InvalidLine where it stood before."""
    if id in seen:
        problem = f"the id {id!r} stands in line {seen[id]} already"
        raise InvalidLine(where, number, problem, remedy="give each line its own id")
    seen[id] = number


def refuse_unknown(what: str, qrels: Path, lines: Mapping[str, int]) -> None:
    """Raises InvalidLine, for the first of the ids that nothing has."""
    id, line = min(lines.items(), key=lambda each: each[1])
    more = f", nor have {len(lines) - 1:,} others that are named" if len(lines) > 1 else ""
    raise InvalidLine(
        str(qrels), line, f"no {what} has the id {id!r}{more}", remedy="add it, or drop the line"
    )


def _judged(labels: Mapping[str, Mapping[str, _Judgement]]) -> dict[str, int]:
    """Each document with the first line that names it."""
    first: dict[str, int] = {}
    for named in labels.values():
        for id, each in named.items():
            first[id] = min(each.line, first.get(id, each.line))
    return first


def _first_line(judged: Mapping[str, _Judgement]) -> int:
    return min(each.line for each in judged.values())
