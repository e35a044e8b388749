"""Build: a packaged model's weights, checked, become a folder with a graph, once."""

import hashlib
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from pinyon import private
from pinyon.inference.contract import BrokenModel, ModelError, NoModel
from pinyon.inference.models import Packaged, pulled_folder
from pinyon.inference.onnx import graph
from pinyon.inference.onnx.session import Files


def built(model: Packaged, cache: Path) -> Files:
    """The model's graph and tokenizer in the cache, built there if they are not yet.

    Raises NoModel without its weights, BrokenModel when a weight file is not the one that
    models.toml names. Building takes a second or two and about 350 MB of memory.
    """
    folder = _folder(model, cache)
    if not folder.is_dir():
        encoder = _read(model, _weights(model, cache))
        try:
            _write(encoder, folder)
        except OSError as problem:
            raise ModelError(
                f"the graph of {model.name} cannot be kept in {folder.parent}: {problem}",
                remedy="make room there, or choose another cache folder",
            ) from problem
    return Files(
        graph=folder / graph.GRAPH,
        tokenizer=folder / "tokenizer.json",
        remedy=f"delete {folder}: it is built again",
    )


def installed(model: Packaged, cache: Path) -> bool:
    """Whether all its weight files are on this machine; they are not read."""
    return all(_found(model, cache, name) is not None for name in model.files)


def buildable(model: Packaged, cache: Path) -> bool:
    """Whether `built` has what it needs: the graph, or the weights to build it from."""
    return _folder(model, cache).is_dir() or installed(model, cache)


def absent(model: Packaged) -> NoModel:
    """What is said of a model that is not `buildable`."""
    return NoModel(
        f"the weights of {model.name} are not on this machine",
        remedy=f"fetch them with `pinyon model pull {model.name}`",
    )


def _folder(model: Packaged, cache: Path) -> Path:
    return cache / "graphs" / f"{model.name}-{_key(model)}"


def _key(model: Packaged) -> str:
    """Changes with the weights and with the builder; computed without reading any weights."""
    return hashlib.sha256(f"{graph.VERSION} {sorted(model.files.items())}".encode()).hexdigest()[
        :16
    ]


def _read(model: Packaged, weights: Mapping[str, bytes]) -> graph.Encoder:
    from pinyon.inference.onnx import granite, minilm  # needed once, when the graph is built

    readers = {"granite": granite.read, "minilm": minilm.read}
    return readers[model.name](weights)


def _weights(model: Packaged, cache: Path) -> dict[str, bytes]:
    """The weight files by their bare names."""
    return {PurePosixPath(name).name: _checked(model, cache, name) for name in model.files}


def _checked(model: Packaged, cache: Path, name: str) -> bytes:
    path = _found(model, cache, name)
    if path is None:
        raise absent(model)
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != model.files[name]:
        raise BrokenModel(
            f"{path} is not the weight file of {model.name} (its SHA-256 differs)",
            remedy=f"fetch it again with `pinyon model pull {model.name}`",
        )
    return data


def _found(model: Packaged, cache: Path, name: str) -> Path | None:
    """The file as pulled into the cache, else in the installed package, which is not imported."""
    pulled = pulled_folder(model, cache) / name
    if pulled.is_file():
        return pulled
    top, _, rest = name.partition("/")
    spec = find_spec(top)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        if (Path(folder) / rest).is_file():
            return Path(folder) / rest
    return None


def _write(encoder: graph.Encoder, folder: Path) -> None:
    """All of the folder or nothing, whatever else writes the same one now."""
    import tempfile

    private.make_folder(folder.parent)
    with tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True) as near:
        made = Path(near) / "made"
        made.mkdir()
        graph.write(encoder.weights, encoder.arch, made)
        (made / "tokenizer.json").write_bytes(encoder.tokenizer)
        try:
            made.rename(folder)
        except OSError:
            if not folder.is_dir():  # else another process was first, with the same content
                raise
