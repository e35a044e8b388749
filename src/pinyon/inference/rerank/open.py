"""Open: the reranker that a name, a pulled repository (hf:OWNER/NAME) or a folder's path stands
for."""

from collections.abc import Callable, Container
from dataclasses import replace
from pathlib import Path

from pinyon.inference.contract import NoModel, Reranker
from pinyon.inference.hub import PREFIX, hub_folder, pulled_hub
from pinyon.inference.models import RerankServer, known

LATE, CROSS_ENCODER = "late", "cross-encoder"

REPOSITORY = "hf:cross-encoder/ms-marco-MiniLM-L-6-v2"
"""What `cross-encoder` stands for; it must be pulled first."""

TOKENS_OF = "minilm"
"""The packaged model whose token vectors `late` compares."""


def open_reranker(
    choice: str, cache: Path, *, key: str | None = None, url: str = "", model: str = ""
) -> Reranker:
    """`key`, `url` and `model` are for a server, each instead of the table's.

    Nothing is loaded or asked yet. Raises NoModel for an unknown name, a server without its key, a
    model that was not pulled, and ModelError for a folder that cannot be used.
    """
    if server := known().rerankers.get(choice):
        changed = replace(server, url=url or server.url, model=model or server.model)
        return _remote(changed, key)
    if choice == LATE:
        return _late(cache)
    name = REPOSITORY if choice == CROSS_ENCODER else choice
    folder = pulled_hub(name, cache) if name.startswith(PREFIX) else Path(name)
    if choice and folder.is_dir():
        from pinyon.inference.rerank.cross_encoder import CrossEncoder

        return CrossEncoder(folder, cache)
    names = ", ".join([*known().rerankers, CROSS_ENCODER, LATE])
    raise NoModel(
        f"no reranker {choice!r}",
        remedy=f"known: {names}, hf:OWNER/NAME, or the path of a cross-encoder's folder",
    )


def reranker_server(choice: str) -> str:
    """The address that text is sent to, "" for a reranker on this machine."""
    server = known().rerankers.get(choice)
    return server.url if server else ""


def first_available(cache: Path, keyed: Container[str]) -> str:
    """The first reranker that can be used now, "" where there is none: a server (`keyed` are those
    whose keys are set), then the cross-encoder, then late interaction. Reads no model."""
    from pinyon.inference.onnx.build import buildable

    here: dict[str, Callable[[], bool]] = {
        CROSS_ENCODER: hub_folder(REPOSITORY, cache).is_dir,
        LATE: lambda: buildable(known().packaged[TOKENS_OF], cache),
    }
    servers = (name for name in known().rerankers if name in keyed)
    return next(servers, "") or next((name for name, there in here.items() if there()), "")


def _remote(server: RerankServer, key: str | None) -> Reranker:
    if not (key or "").strip():
        raise NoModel(f"{server.name} needs a key", remedy=f"set {server.key}")
    from pinyon.inference.rerank.http import HttpReranker

    return HttpReranker(server, key)


def _late(cache: Path) -> Reranker:
    from pinyon.inference.onnx.build import absent, buildable
    from pinyon.inference.rerank.late import LateInteraction

    model = known().packaged[TOKENS_OF]
    if not buildable(model, cache):
        raise absent(model)
    return LateInteraction(model, cache)
