"""Evidence: what speaks for each hit of labelled questions, and whether people found it right.

Three kinds of question. Those of a collection, asked of its own documents, with the labels of
people. Keywords: the rarest words of a title, asked for the record that has it. Foreign ones: the
questions of a collection about something else, to which every hit is wrong.
"""

import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.meaning import granite
from pinyon.engine import open_engine
from pinyon.evaluate.collection import Collection, read_collection
from pinyon.evaluate.corpus import write_corpus
from pinyon.model.ask import Ask
from pinyon.model.profile import Profile
from pinyon.model.query import Filters, Nearest
from pinyon.model.trace import Trace
from pinyon.profiles.load import load
from pinyon.search.complete import complete
from pinyon.search.fuse import channel_of, fuse
from pinyon.search.given import narrowed
from pinyon.search.rank import gather, rank
from pinyon.search.retrieve import retrieve
from pinyon.search.understand import understand
from pinyon.store.sqlite import SqliteStore
from pinyon.text.prepare import prepare
from pinyon.text.stems import words
from pinyon.text.stop_lists import stop_list

if TYPE_CHECKING:
    from datetime import datetime

    from pinyon.model.record import Record
    from pinyon.store.sqlite.view import SqliteView

TOPICS: Mapping[str, str] = {
    **dict.fromkeys(("scifact", "scifact_train", "med"), "medicine"),
    **dict.fromkeys(("pyfaq", "djangofaq", "cosqa_dev"), "programs"),
    **dict.fromkeys(("loc_requests", "loc_flask", "loc_httpx"), "programs"),
    **dict.fromkeys(("loc_ripgrep", "loc_sqlite_utils"), "programs"),
    **dict.fromkeys(("cacm", "cisi", "adi", "lisa", "npl"), "information"),
    **dict.fromkeys(("locomo", "beam_100k"), "conversations"),
    "cranfield": "flight",
    "time": "news",
}
"""What a collection is about. Questions are foreign to it when theirs is about something else."""

MODES: Mapping[str, tuple[str, ...]] = {
    "words": ("lexical",),
    "meaning": ("vector",),
    "both": ("lexical", "vector"),
}
"""What is known of a hit, and the channels that are asked for it."""

SEED = 7598
FOREIGN = 8
"""Questions of each collection that another one is asked."""

TITLES = 25
"""Records of a collection whose titles give keywords."""

KEYWORDS = (1, 2, 3)
LONGEST_LEAD = 200
"""Characters of a body that stand for a title where there is none."""

DEEPEST = 30

Row = tuple[float, float, float, float, bool]
"""Share, title, phrase and cosine of a hit, or UNKNOWN, and whether it is right."""

UNKNOWN = -9.0


class Seen(NamedTuple):
    """One question: the hits, best first. `kind` is asked, keyword or foreign."""

    collection: str
    kind: str
    mode: str
    hits: list[Row]


class Asked(NamedTuple):
    """A question on its way, with what is right; `scope` where it is asked."""

    collection: str
    kind: str
    text: str
    right: frozenset[str]
    scope: str


def evidence(folder: Path, most: int, *, embedded: Callable[[str], bool]) -> Iterator[Seen]:
    """Of every collection in the folder, with at most so many of its questions. Those that are not
    `embedded` are asked by words only."""
    names = [name for name in TOPICS if (folder / name).is_dir()]
    collections = {name: _read(folder / name) for name in names}
    # The two parts of scifact share their documents: they are one store.
    for name in names:
        if name == "scifact_train":
            continue
        print(f"{name} ...", file=sys.stderr, flush=True)
        own = [name, "scifact_train"] if name == "scifact" else [name]
        with tempfile.TemporaryDirectory(prefix="pinyon-relevance-") as temporary:
            path = Path(temporary, "one.pinyon")
            now = _fill(collections[name], path, embed=embedded(name))
            store = SqliteStore(path, create=False)
            with store.snapshot() as view:
                asked = [
                    *_own(collections, own, most),
                    *_keywords(view, name),
                    *_foreign(collections, name),
                ]
                modes = MODES if embedded(name) else ("words",)
                for mode in modes:
                    profile = load("default", override={"retrieve.channels": list(MODES[mode])})
                    yield from (_seen(view, one, mode, profile, now) for one in asked)
            store.close()


def _read(folder: Path) -> Collection:
    return read_collection(
        folder, scope_by="conv" if TOPICS[folder.name] == "conversations" else ""
    )


def _fill(collection: Collection, path: Path, *, embed: bool) -> "datetime":
    with path.with_suffix(".jsonl").open("w+b") as lines:
        corpus = write_corpus(collection, lines)
        lines.seek(0)
        with open_engine(path, clock=lambda: corpus.now, background=False) as engine:
            engine.import_jsonl(lines, name=collection.name)
            if embed:
                engine.embed()
    return corpus.now


def _own(collections: Mapping[str, Collection], names: Sequence[str], most: int) -> Iterator[Asked]:
    for name in names:
        questions = collections[name].questions
        for question in random.Random(SEED).sample(questions, min(most, len(questions))):
            right = frozenset(id for id, label in question.labels.items() if label > 0)
            yield Asked(name, "asked", question.text, right, question.scope)


def _foreign(collections: Mapping[str, Collection], name: str) -> Iterator[Asked]:
    chance = random.Random(SEED)
    scopes = sorted({question.scope for question in collections[name].questions})
    for other, collection in collections.items():
        if TOPICS[other] != TOPICS[name]:
            questions = collection.questions
            for question in chance.sample(questions, min(FOREIGN, len(questions))):
                yield Asked(name, "foreign", question.text, frozenset(), chance.choice(scopes))


def _keywords(view: "SqliteView", name: str) -> Iterator[Asked]:
    records = list(view.records())
    for record in random.Random(SEED).sample(records, min(TITLES, len(records))):
        for count in KEYWORDS:
            if text := _rarest(view, record, count):
                yield Asked(name, "keyword", text, frozenset({record.id}), record.scope)


def _rarest(view: "SqliteView", record: "Record", count: int) -> str:
    """The rarest words of what a record is called, in their order; nothing where it has fewer."""
    stop = stop_list("prose")
    found: dict[str, str] = {}
    for word, stem in words(prepare(record.title or record.body[:LONGEST_LEAD])):
        if len(word) > 2 and word.lower() not in stop and not word.isdigit():
            found.setdefault(stem, word)
    rare = sorted(found, key=lambda stem: (view.df(stem), stem))[:count]
    return " ".join(found[stem] for stem in found if stem in rare) if len(rare) == count else ""


def _seen(view: "SqliteView", asked: Asked, mode: str, profile: Profile, now: "datetime") -> Seen:
    """The stages of a search, up to the order of its hits."""
    ask = Ask(asked.text, now, filters=Filters(scope=asked.scope))
    query = understand(view, ask.text, profile.understand, now)
    near = None
    if "vector" in profile.retrieve.channels:
        near = Nearest(_vector(query.text), granite().name)
    filters = narrowed(ask, profile.retrieve)
    found = retrieve(view, query, near, profile.retrieve, filters, ask.limit, Trace())
    lists = [one.ranked for one in found]
    channels = list(dict.fromkeys(filter(None, map(channel_of, lists))))
    fused = fuse(lists, profile.fuse, complete(view, found, profile.fuse))
    known = gather(view, fused, query, ask, channels, profile.fuse.k, profile.rank)
    ranked = rank(fused, known, profile.rank)
    hits: list[Row] = []
    for one in ranked[:DEEPEST]:
        share, title, phrase, cosine = one.evidence
        hits.append(
            (
                UNKNOWN if share is None else share,
                title,
                phrase,
                UNKNOWN if cosine is None else cosine,
                one.id in asked.right,
            )
        )
    return Seen(asked.collection, asked.kind, mode, hits)


_VECTORS: dict[str, bytes] = {}


def _vector(text: str) -> bytes:
    if text not in _VECTORS:
        _VECTORS[text] = granite().embed_queries([text])[0].tobytes()
    return _VECTORS[text]
