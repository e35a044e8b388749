"""Hub: a model's files from a Hugging Face hub into the cache, when the user names the repository.

Asked as the hub documents it: GET api/models/OWNER/NAME gives the revision and the list of files,
GET OWNER/NAME/resolve/REVISION/FILE one of them, often by way of a redirect. No key is sent. Only
the files that are named here are asked for, whatever else stands in the list.
"""

import hashlib
import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pinyon import private
from pinyon.inference.contract import BrokenModel, ModelError, NoModel

if TYPE_CHECKING:
    import httpx

PREFIX = "hf:"
ENDPOINT = "https://huggingface.co"

GRAPHS = ("model.onnx", "onnx/model.onnx")
"""The first of them that a repository has is taken, as from any folder of a model."""
TOKENIZER = "tokenizer.json"
SETTINGS = (
    "config.json",
    "modules.json",
    "1_Pooling/config.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
)
PULLED = "pulled.json"
"""Our own file among them: where the others are from, and their sizes."""

TIMEOUT_S = 30.0
"""For a connection and between two parts of an answer, not for all of it."""
REDIRECTS = 5
CHUNK = 1 << 20

_PART = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,94}[A-Za-z0-9_-])?")
_REVISION = re.compile(r"[0-9a-f]{40}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def pull_hub(repository: str, cache: Path, *, endpoint: str | None = None) -> Path:
    """Puts the repository's model into the cache, all of its files or none; returns their folder.

    What is there already in the hub's present revision is not downloaded again; another revision is
    replaced once all files are here. Raises NoModel when there is no such model, BrokenModel when
    what comes is not what the hub says, ModelError when nothing comes or it cannot be kept.
    """
    folder = hub_folder(repository, cache)
    name = repository.removeprefix(PREFIX)
    hub = (endpoint or ENDPOINT).rstrip("/")
    with _asking(hub) as client:
        revision, files = _listed(client, f"{hub}/api/models/{name}", name)
        if _whole(folder, revision):
            return folder
        try:
            private.make_folder(folder.parent)
            with tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True) as near:
                made = Path(near) / "made"
                sizes = {
                    file: _download(client, f"{hub}/{name}/resolve/{revision}/{file}", made / file)
                    for file in files
                }
                said = {"repository": name, "revision": revision, "files": sizes}
                (made / PULLED).write_text(json.dumps(said), encoding="utf-8")
                _put(made, folder, Path(near) / "old")
        except OSError as problem:
            raise ModelError(
                f"{name} cannot be kept in {folder.parent}: {problem}",
                remedy="make room there, or choose another cache folder",
            ) from problem
    return folder


def hub_folder(repository: str, cache: Path) -> Path:
    """Where a pulled repository lies. Raises NoModel when it is no OWNER/NAME."""
    name = repository.removeprefix(PREFIX)
    parts = name.split("/")
    if (
        len(parts) != 2
        or not all(_PART.fullmatch(part) for part in parts)
        or any(twice in name for twice in ("--", ".."))  # no repository has them
    ):
        raise NoModel(f"{repository!r} is no repository", remedy="name it as hf:OWNER/NAME")
    return cache / "hub" / "--".join(parts)


def pulled_hub(repository: str, cache: Path) -> Path:
    """The folder of a repository that was pulled. Raises NoModel where it was not."""
    folder = hub_folder(repository, cache)
    if not folder.is_dir():
        raise NoModel(
            f"the model {repository} is not on this machine",
            remedy=f"fetch it with `pinyon model pull {repository}`",
        )
    return folder


@contextmanager
def _asking(hub: str) -> "Iterator[httpx.Client]":
    """A client whose failures are ours. It follows no redirect unless it is told to."""
    import httpx

    try:
        with httpx.Client(timeout=TIMEOUT_S, max_redirects=REDIRECTS) as client:
            yield client
    except (httpx.InvalidURL, httpx.UnsupportedProtocol):
        raise ModelError(
            f"{hub} is not the address of a hub", remedy="begin it with https:// or http://"
        ) from None
    except httpx.HTTPError as problem:
        raise ModelError(
            f"the hub {hub} cannot be reached, or broke off: {type(problem).__name__}",
            remedy="check the network and try again; nothing was kept",
        ) from None


def _listed(client: "httpx.Client", url: str, name: str) -> tuple[str, list[str]]:
    """The present revision, and the files of it that are wanted, small ones first."""
    response = client.get(url)
    if response.status_code != 200:
        raise _refusal(response.status_code, name)
    try:
        answer = response.json()
        revision = str(answer["sha"])
        there = {str(file["rfilename"]) for file in answer["siblings"]}
    except (ValueError, LookupError, TypeError, RecursionError):
        revision, there = "", set()
    if not _REVISION.fullmatch(revision):
        raise ModelError(
            f"{url} answered with something else than a list of files",
            remedy="check that this is the address of a hub",
        )
    return revision, _wanted(there, name)


def _wanted(there: Iterable[str], name: str) -> list[str]:
    there = set(there)
    graph = next((file for file in GRAPHS if file in there), None)
    if graph is None:
        raise NoModel(
            f"{name} has no ONNX export (no {' or '.join(GRAPHS)})",
            remedy="take a repository that has one, or export the model and give its folder",
        )
    if TOKENIZER not in there:
        raise NoModel(
            f"{name} has no {TOKENIZER}", remedy="take a repository that has a fast tokenizer"
        )
    beside = re.compile(re.escape(graph) + r"[._]data(_[0-9]{1,4})?")
    data = sorted(file for file in there if beside.fullmatch(file))
    return [*(file for file in SETTINGS if file in there), TOKENIZER, *data, graph]


def _refusal(status: int, name: str) -> ModelError:
    if status == 404:
        return NoModel(f"the hub has no {name}", remedy="check the spelling of OWNER/NAME")
    if status in {401, 403}:  # which a hub also says of a name that nobody has
        return NoModel(
            f"the hub does not show {name} without a token ({status})",
            remedy="check the spelling; download a private model yourself and give its folder",
        )
    if 300 <= status < 400:
        return NoModel(f"{name} has moved ({status})", remedy="name it as the hub does now")
    return ModelError(f"the hub answered {status} for {name}", remedy="try again later")


def _download(client: "httpx.Client", url: str, into: Path) -> int:
    """Writes one file, checked against what the hub says of it; returns its size."""
    into.parent.mkdir(parents=True, exist_ok=True)
    plain = {"Accept-Encoding": "identity"}  # weights do not shrink
    with client.stream("GET", url, headers=plain, follow_redirects=True) as response:
        if response.status_code != 200:
            raise ModelError(
                f"the hub answered {response.status_code} for {url}", remedy="try again later"
            )
        # Of a large file the hub says size and SHA-256 itself, before it redirects to a store.
        answers = [*response.history, response]
        wanted_size = _said(answers, "x-linked-size")
        wanted_hash = _said(answers, "x-linked-etag").removeprefix("W/").strip('"')
        digest, size = hashlib.sha256(), 0
        with into.open("wb") as file:
            for part in response.iter_bytes(CHUNK):
                file.write(part)
                digest.update(part)
                size += len(part)
    if wanted_size.isdecimal() and int(wanted_size) != size:
        raise _broken(url, f"it has {size} bytes instead of {wanted_size}")
    if _SHA256.fullmatch(wanted_hash) and wanted_hash != digest.hexdigest():
        raise _broken(url, "its SHA-256 differs")
    if into.suffix == ".json" and _json(into) is None:
        raise _broken(url, "it is not JSON")
    return size


def _said(answers: "Sequence[httpx.Response]", header: str) -> str:
    return next((each.headers[header] for each in answers if header in each.headers), "")


def _broken(url: str, problem: str) -> BrokenModel:
    return BrokenModel(
        f"{url} is not the file that the hub names: {problem}",
        remedy="pull again; nothing was kept",
    )


def _whole(folder: Path, revision: str) -> bool:
    """Whether this revision is here, no file missing or of another size."""
    said = _json(folder / PULLED)
    if not isinstance(said, dict) or said.get("revision") != revision:
        return False
    files = said.get("files")
    return isinstance(files, dict) and all(
        (folder / file).is_file() and (folder / file).stat().st_size == size
        for file, size in files.items()
    )


def _put(made: Path, folder: Path, aside: Path) -> None:
    """The made folder takes the place of the one that was there, if any."""
    if folder.exists():
        folder.rename(aside)
    try:
        made.rename(folder)
    except OSError:
        if aside.exists() and not folder.exists():
            aside.rename(folder)
        raise


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
