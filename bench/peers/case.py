"""Case: the documents, vectors and questions that all peers are given, as files in a folder.

The peers read them in processes of their own, so the model that made the vectors is in none.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pinyon.evaluate.collection import Question
from pinyon.model.check import check_record
from pinyon.model.record import Record
from pinyon.text.passages import digest

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float32]]

DOCUMENTS, IMPORT = "documents.jsonl", "import.jsonl"
"""One record for each document, for the peers; and what Pinyon makes of them, where a file has
parts and turns follow each other."""

DIGEST = 16
"""Bytes that stand for a text."""


@dataclass(frozen=True, slots=True)
class About:
    """`model` made the vectors, `now` is when the questions are asked. `by_file` says that the
    documents are files. Without labels only speed is measured."""

    name: str
    model: str
    dims: int
    now: str
    by_file: bool = False
    labelled: bool = False


@dataclass(frozen=True)
class Vectors:
    """One row for each document, in their order, and one for each passage, by digest."""

    folder: Path

    @cached_property
    def documents(self) -> "Array":
        import numpy as np

        return cast("Array", np.load(self.folder / "documents.npy"))

    @cached_property
    def passages(self) -> dict[bytes, "Array"]:
        import numpy as np

        keys = (self.folder / "passages.keys").read_bytes()
        rows = np.load(self.folder / "passages.npy")
        return {keys[at * DIGEST : (at + 1) * DIGEST]: row for at, row in enumerate(rows)}


@dataclass(frozen=True)
class Case:
    """What lies in the folder."""

    folder: Path

    @cached_property
    def about(self) -> About:
        return About(**json.loads((self.folder / "about.json").read_text("utf-8")))

    @property
    def now(self) -> datetime:
        return datetime.fromisoformat(self.about.now)

    @property
    def vectors(self) -> Vectors:
        return Vectors(self.folder)

    def records(self) -> list[Record]:
        return list(read_records(self.folder / DOCUMENTS))

    def asked(self) -> Iterator[tuple[Question, "Array"]]:
        """Each question with its vector."""
        import numpy as np

        rows = np.load(self.folder / "questions.npy")
        given = json.loads((self.folder / "questions.json").read_text("utf-8"))
        for one, row in zip(given, rows, strict=True):
            yield Question(**one), row


def read_records(path: Path) -> Iterator[Record]:
    """The records among the lines of an import."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            given = json.loads(line)
            if given.get("type", "record") == "record":
                yield check_record(given)


def write_case(
    folder: Path,
    about: About,
    *,
    documents: "Array",
    passages: Mapping[str, "Array"],
    questions: Sequence[Question],
    asked: "Array",
) -> Case:
    """Beside DOCUMENTS and IMPORT, which are there already. `passages` go from text to vector."""
    import numpy as np

    np.save(folder / "documents.npy", documents)
    np.save(folder / "questions.npy", asked)
    np.save(folder / "passages.npy", np.stack(list(passages.values())))
    (folder / "passages.keys").write_bytes(b"".join(map(digest, passages)))
    plain = [{**asdict(question), "labels": dict(question.labels)} for question in questions]
    (folder / "questions.json").write_text(json.dumps(plain), "utf-8")
    (folder / "about.json").write_text(json.dumps(asdict(about)), "utf-8")
    return Case(folder)
