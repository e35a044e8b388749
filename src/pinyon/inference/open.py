"""Open: the embedder that a name of models.toml, a pulled repository (hf:OWNER/NAME) or the path of
a folder stands for."""

from dataclasses import replace
from pathlib import Path

from pinyon.inference.contract import Embedder, NoModel
from pinyon.inference.hub import PREFIX, pulled_hub
from pinyon.inference.models import Packaged, Provider, known
from pinyon.inference.onnx.build import built
from pinyon.inference.onnx.embedder import OnnxEmbedder, Shape


def open_embedder(
    choice: str,
    cache: Path,
    *,
    key: str | None = None,
    url: str = "",
    model: str = "",
    dims: int = 0,
    threads: int | None = None,
    hurried: bool = False,
) -> Embedder:
    """`key`, `url`, `model` and `dims` are for a provider, each instead of the table's; `hurried`
    does not wait for a server that is slow.

    Nothing is loaded or asked yet. Raises NoModel for an unknown name, a provider without its key
    or address, a repository that was not pulled, and ModelError for a folder that cannot be used.
    """
    models = known()
    if packaged := models.packaged.get(choice):
        return _local(packaged, cache, threads)
    if provider := models.providers.get(choice):
        changed = replace(
            provider,
            url=url or provider.url,
            model=model or provider.model,
            dims=dims or provider.dims,
        )
        from pinyon.inference.http import HURRIED, PASSAGES, HttpEmbedder

        patience = HURRIED if hurried else PASSAGES
        return HttpEmbedder(_complete(changed, key), key, passages=patience)
    folder = pulled_hub(choice, cache) if choice.startswith(PREFIX) else Path(choice)
    if folder.is_dir():
        from pinyon.inference.onnx.folder import open_folder

        return open_folder(folder, cache, threads=threads)
    names = ", ".join([*models.packaged, *models.providers])
    raise NoModel(
        f"no model {choice!r}",
        remedy=f"known: {names}, hf:OWNER/NAME, or the path of a model's folder",
    )


def _local(model: Packaged, cache: Path, threads: int | None) -> OnnxEmbedder:
    shape = Shape(
        model.identity, model.dims, model.tokens, model.query_prefix, model.passage_prefix
    )
    return OnnxEmbedder(shape, lambda: built(model, cache), threads=threads)


def _complete(provider: Provider, key: str | None) -> Provider:
    address = provider.url.partition("://")[2]
    if "@" in address.partition("/")[0] or "?" in address:  # addresses are shown and kept
        raise NoModel(
            f"an address of {provider.name} must not hold a name, a password or a key",
            remedy=f"put the key into {provider.key}",
        )
    if not provider.url or not provider.model:
        raise NoModel(
            f"{provider.name} needs the address of a server and the name of a model",
            remedy="set both, such as http://localhost:11434/v1 and nomic-embed-text",
        )
    if provider.dims_field and not (key or "").strip():  # a server of one's own may need none
        raise NoModel(f"{provider.name} needs a key", remedy=f"set {provider.key}")
    return provider
