"""Meaning: the store of a world once more, with a vector for each passage.

To embed a million passages would take half a day. Real vectors of a few are copied instead, each
time with a little noise: for the scan they are as good as any.
"""

import hashlib
import inspect
import shutil
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from bench import corpus
from bench.world import World
from pinyon import settings
from pinyon.index.embed import register
from pinyon.inference.models import known
from pinyon.inference.onnx.build import built
from pinyon.inference.onnx.embedder import OnnxEmbedder
from pinyon.inference.onnx.session import Files
from pinyon.inference.open import open_embedder
from pinyon.store.contract import Batch, Vector
from pinyon.store.sqlite import SqliteStore, blocks, models
from pinyon.text.passages import passages

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float32]]

MODEL = "granite"
REAL = 2_000
NOISE = 0.005
"""Of each dimension: a copy has a cosine of about .93 with what it is a copy of."""

BATCH = 2_000
NOW = datetime(2024, 1, 1, tzinfo=UTC)


@cache
def granite() -> OnnxEmbedder:
    """The default model itself, which remembers nothing."""
    return cast(OnnxEmbedder, open_embedder(MODEL, settings.cache_folder()))


def granite_files() -> Files:
    """Its graph and its tokenizer, built now if they are not in the user's cache yet."""
    return built(known().packaged[MODEL], settings.cache_folder())


def with_vectors(world: World) -> World:
    """The same records with vectors, made now unless the cache has them."""
    path = world.path.with_stem(f"{world.path.stem}-{_fingerprint()}")
    if not path.exists():
        for old in world.cache.glob(f"{world.path.stem}-*"):
            old.unlink()
        real = real_vectors(world.cache)
        print(f"making vectors for {world.records:,} records ...", file=sys.stderr, flush=True)
        _make(world.path, path, real)
    return replace(world, path=path)


def _fingerprint() -> str:
    """Of all that decides which vectors are in the store, and how they lie there."""
    sources = map(inspect.getsource, (blocks, models))
    parts = (granite().name, str(REAL), str(NOISE), *sources)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:8]


def real_vectors(folder: Path) -> "Array":
    """Those of the first records of the corpus; kept in the folder."""
    import numpy as np

    path = folder / f"real-{REAL}-{corpus.VERSION}-{granite().name.replace('/', '-')}.npy"
    if not path.exists():
        print(f"embedding {REAL:,} texts ...", file=sys.stderr, flush=True)
        texts = [passages(record)[0].text for record in corpus.records(REAL)]
        made = granite().embed_passages(texts)
        growing = path.with_suffix(".growing.npy")
        np.save(growing, made)
        growing.rename(path)
    found: Array = np.load(path)
    return found


def _make(plain: Path, path: Path, real: "Array") -> None:
    """Through the queue, as if they were embedded. Under another name until it is whole."""
    import numpy as np

    growing = path.with_suffix(".growing")
    for left in path.parent.glob(f"{growing.name}*"):
        left.unlink()
    shutil.copyfile(plain, growing)
    store = SqliteStore(growing, create=False)
    register(store, granite(), MODEL, now=NOW)
    chance = np.random.default_rng(REAL)
    until = NOW + timedelta(days=1)
    name = granite().name
    while tasks := store.lease(name, "bench", now=NOW, until=until, limit=BATCH):
        copies = real[chance.integers(len(real), size=len(tasks))]
        copies = copies + NOISE * chance.standard_normal(copies.shape, np.float32)
        copies /= np.linalg.norm(copies, axis=1, keepdims=True)
        made = [
            Vector(task.passage, task.digest, copy.tobytes())
            for task, copy in zip(tasks, copies, strict=True)
        ]
        store.commit(Batch(now=NOW, vectors={name: made}))
    store.close()
    growing.rename(path)
