"""Folder: any encoder that lies in the usual layout, by its path.

model.onnx or onnx/model.onnx        the graph, with its external data beside it
tokenizer.json
1_Pooling/config.json                cls or mean; mean where it is missing
config_sentence_transformers.json    what goes before queries and passages, if anything
sentence_bert_config.json, tokenizer_config.json, config.json    the longest text
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from pinyon import private
from pinyon.inference.contract import BrokenModel, NoModel
from pinyon.inference.onnx.embedder import OnnxEmbedder, Shape
from pinyon.inference.onnx.session import Files

GRAPHS = ("model.onnx", "onnx/model.onnx")
POOLINGS = {"pooling_mode_cls_token": "cls", "pooling_mode_mean_tokens": "mean"}
MODULES = {"Transformer", "Pooling", "Normalize"}
TOKENS = 512
"""The longest text where the folder does not say."""
MOST = 1_000_000
"""A tokenizer without a limit says 10 ** 30."""
HASH = {"sha256": str}


def open_folder(folder: Path, cache: Path, *, threads: int | None = None) -> OnnxEmbedder:
    """The model of the folder. Its hash and its width are found out once and kept in the cache, so
    the first opening reads and runs the model, a later one only looks at the files' dates.

    Raises NoModel when it is not such a folder, BrokenModel when the model cannot be used.
    """
    files = files_of(folder)
    _check_steps(folder)
    shape = Shape(folder.resolve().name, 0, longest(folder), *_prefixes(folder), _pooling(folder))

    def measure() -> dict[str, Any]:
        measured = OnnxEmbedder(shape, lambda: files, threads=threads)
        dims = measured.width()
        measured.close()
        return {"dims": dims}

    facts = facts_of(files, cache, {"dims": int}, measure)
    digest = hashlib.sha256(f"{facts['sha256']} {shape}".encode()).hexdigest()
    named = replace(shape, name=f"{shape.name}@{digest[:8]}", dims=facts["dims"])
    return OnnxEmbedder(named, lambda: files, threads=threads)


def files_of(folder: Path) -> Files:
    """Raises NoModel when the folder holds no graph, or one without its tokenizer."""
    if not folder.is_dir():
        raise NoModel(f"there is no folder {folder}", remedy="give the folder of a model")
    graph = next((folder / name for name in GRAPHS if (folder / name).is_file()), None)
    if graph is None:
        raise NoModel(
            f"{folder} has no model.onnx", remedy="export the model to ONNX, with its tokenizer"
        )
    tokenizer = folder / "tokenizer.json"
    if not tokenizer.is_file():
        raise NoModel(
            f"{folder} has no tokenizer.json", remedy="copy the one that belongs to the model there"
        )
    return Files(graph, tokenizer, remedy=f"fetch the model in {folder} again, or take another")


def longest(folder: Path) -> int:
    """The tokens of the longest text that the model reads."""
    config = _json(folder / "config.json")
    places = config.get("max_position_embeddings")
    if isinstance(places, int) and "roberta" in str(config.get("model_type")):
        places -= 2  # RoBERTa's first two places stand for no token
    said = [
        _json(folder / "sentence_bert_config.json").get("max_seq_length"),
        _json(folder / "tokenizer_config.json").get("model_max_length"),
        places,
    ]
    known = [number for number in said if isinstance(number, int) and 0 < number <= MOST]
    return min(known, default=TOKENS)


def facts_of(
    files: Files,
    cache: Path,
    wanted: Mapping[str, type],
    measure: Callable[[], dict[str, Any]] = dict,
) -> dict[str, Any]:
    """The `sha256` of the files, and what is `wanted` of them beside it and measured if need be;
    found out once and kept in the cache, for as long as the files' dates stay."""
    kept = cache / "folders" / f"{_dates(files)}.json"
    facts = _json(kept)
    if not all(isinstance(facts.get(name), kind) for name, kind in {**wanted, **HASH}.items()):
        facts = {**facts, **measure(), "sha256": _hash(files)}
        _keep(kept, facts)
    return facts


def _check_steps(folder: Path) -> None:
    for module in _list(folder / "modules.json"):
        kind = str(module.get("type", "")).rpartition(".")[2]
        if kind not in MODULES:
            raise BrokenModel(
                f"{folder} has a step {kind!r} after its encoder, which is not supported",
                remedy="take a model of Transformer, Pooling and Normalize only",
            )


def _prefixes(folder: Path) -> tuple[str, str]:
    prompts = _json(folder / "config_sentence_transformers.json").get("prompts") or {}
    passage = prompts.get("document") or prompts.get("passage") or ""
    return str(prompts.get("query") or ""), str(passage)


def _pooling(folder: Path) -> str:
    config = _json(folder / "1_Pooling" / "config.json")
    chosen = {key for key, on in config.items() if key.startswith("pooling_mode_") and on is True}
    if not chosen:
        return "mean"
    if len(chosen) > 1 or not chosen <= set(POOLINGS):
        raise BrokenModel(
            f"{folder} pools by {', '.join(sorted(chosen))}, which is not supported",
            remedy="take a model that pools by its first token or by the mean",
        )
    return POOLINGS[chosen.pop()]


def _parts(files: Files) -> Iterator[Path]:
    """The graph, its external data (model.onnx_data and the like), and the tokenizer."""
    yield from sorted(files.graph.parent.glob(f"{files.graph.name}*"))
    yield files.tokenizer


def _dates(files: Files) -> str:
    """Changes when a file is changed or the folder is moved; reads none of them."""
    stats = [(str(path.resolve()), path.stat()) for path in _parts(files)]
    said = [(path, stat.st_size, stat.st_mtime_ns) for path, stat in stats]
    return hashlib.sha256(repr(said).encode()).hexdigest()[:16]


def _hash(files: Files) -> str:
    digest = hashlib.sha256()
    for path in _parts(files):
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _keep(path: Path, facts: dict[str, Any]) -> None:
    with suppress(OSError):  # a cache that cannot be written costs time, nothing else
        private.make_folder(path.parent)
        handle, near = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(facts, file)
        Path(near).replace(path)


def _json(path: Path) -> dict[str, Any]:
    """The object in the file; empty where there is no such file or no object in it."""
    found = _parsed(path)
    return found if isinstance(found, dict) else {}


def _list(path: Path) -> list[dict[str, Any]]:
    found = _parsed(path)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _parsed(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
