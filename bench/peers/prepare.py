"""Prepare: a labelled collection, or the synthetic corpus, as the case that peers are given.

All vectors come from the default model, through the user's cache of vectors: what `pinyon eval`
embedded is not embedded again. A document has one vector for as much of it as the model reads (512
tokens), as the peers' documentation does it; Pinyon has those of its own passages besides.
"""

import json
import random
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bench import corpus
from bench.meaning import NOISE, NOW, real_vectors
from bench.peers.case import DOCUMENTS, IMPORT, About, Case, read_records, write_case
from pinyon.evaluate.collection import Question, read_collection
from pinyon.evaluate.corpus import write_corpus
from pinyon.evaluate.documents import read_document
from pinyon.evaluate.lines import objects
from pinyon.model.record import Record
from pinyon.model.wire import record_to_json
from pinyon.surfaces.cli.measuring import divided
from pinyon.text.passages import passages

if TYPE_CHECKING:
    from bench.peers.case import Array
    from pinyon.inference.contract import Embedder

SCOPED = {"locomo": "conv", "beam_100k": "conv"}
"""Collections whose questions are asked inside one conversation, and the key that names it."""

BATCH = 256
QUESTIONS = 200
"""Of the synthetic corpus."""


def prepare(
    source: Path,
    folder: Path,
    embedder: "Embedder",
    *,
    scope_by: str = "",
    whole_files: bool = True,
) -> Case:
    """The labelled collection at `source`, written into the folder; `scope_by` and `whole_files` as
    `pinyon eval` has them, the latter for Pinyon alone: the peers know no parts of files."""
    folder.mkdir(parents=True, exist_ok=True)
    collection = read_collection(source, scope_by=scope_by, whole_files=whole_files)
    name = collection.name
    documents = [read_document(given, scope_by)[0] for _, given in objects(collection.corpus)]
    (folder / DOCUMENTS).write_text("".join(map(_line, documents)), "utf-8")
    with (folder / IMPORT).open("wb") as lines:
        now = write_corpus(collection, lines, divided).now
    pieces = [passage.text for each in read_records(folder / IMPORT) for passage in passages(each)]
    pieces = list(dict.fromkeys(pieces))
    return write_case(
        folder,
        About(
            name,
            embedder.name,
            embedder.dims,
            now.isoformat(),
            by_file=collection.by_file,
            labelled=True,
        ),
        documents=_embedded(embedder, list(map(_whole, documents)), f"{name}: documents"),
        passages=dict(zip(pieces, _embedded(embedder, pieces, f"{name}: passages"), strict=True)),
        questions=collection.questions,
        asked=embedder.embed_queries([question.text for question in collection.questions]),
    )


def prepare_synthetic(records: int, folder: Path, cache: Path, embedder: "Embedder") -> Case:
    """So many records of the synthetic corpus; their vectors are copies of real ones, with noise.
    Nobody judged anything: only speed, disk and memory can be measured."""
    import numpy as np

    folder.mkdir(parents=True, exist_ok=True)
    real = real_vectors(cache)
    chance = np.random.default_rng(records)
    rows: dict[str, Array] = {}
    documents = np.empty((records, real.shape[1]), np.float32)
    with (folder / DOCUMENTS).open("w", encoding="utf-8") as lines:
        for at, record in enumerate(corpus.records(records)):
            lines.write(_line(record))
            texts = [passage.text for passage in passages(record)]
            copies = real[chance.integers(len(real), size=len(texts))]
            copies = copies + NOISE * chance.standard_normal(copies.shape, np.float32)
            copies /= np.linalg.norm(copies, axis=1, keepdims=True)
            rows.update(zip(texts, copies, strict=True))
            documents[at] = copies[0]
    shutil.copyfile(folder / DOCUMENTS, folder / IMPORT)
    questions = [Question(str(at), text, {}) for at, text in enumerate(_stretches(QUESTIONS))]
    return write_case(
        folder,
        About(f"{records:,} records", embedder.name, embedder.dims, NOW.isoformat()),
        documents=documents,
        passages=rows,
        questions=questions,
        asked=embedder.embed_queries([question.text for question in questions]),
    )


def _line(record: Record) -> str:
    return json.dumps(record_to_json(record)) + "\n"


def _whole(record: Record) -> str:
    """What one vector stands for: the only passage, which is remembered already, or all of it."""
    texts = [passage.text for passage in passages(record)]
    return texts[0] if len(texts) == 1 else f"{record.title}\n{record.body}".strip()


def _stretches(count: int) -> list[str]:
    """8 to 14 words in a row, from records that are not in the corpus."""
    chance = random.Random("peers")
    return [_stretch(record, chance) for record in corpus.held_back(count)]


def _stretch(record: Record, chance: random.Random) -> str:
    words = record.body.split()
    start = chance.randrange(len(words) - 14)
    return " ".join(words[start : start + chance.randint(8, 14)])


def _embedded(embedder: "Embedder", texts: Sequence[str], what: str) -> "Array":
    """A batch at a time, so that what was done is remembered when somebody stops it. An empty
    document has no direction: all its numbers are 0."""
    import numpy as np

    vectors = np.zeros((len(texts), embedder.dims), np.float32)
    filled = [at for at, text in enumerate(texts) if text]
    for begin in range(0, len(filled), BATCH):
        some = filled[begin : begin + BATCH]
        vectors[some] = embedder.embed_passages([texts[at] for at in some])
        print(f"\r{what} {begin + len(some):,} of {len(filled):,}", end="", file=sys.stderr)
    print(file=sys.stderr, flush=True)
    return vectors
