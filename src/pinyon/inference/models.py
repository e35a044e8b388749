"""Models: the table of models.toml, read and frozen."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("models.toml")


@dataclass(frozen=True, slots=True)
class Packaged:
    """A model whose weights come in a package; `files` maps their paths in it to SHA-256."""

    name: str
    identity: str
    title: str
    licence: str
    dims: int
    tokens: int
    query_prefix: str
    passage_prefix: str
    package: str
    version: str
    megabytes: int
    files: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Provider:
    """A server that speaks OpenAI's protocol.

    `dims` 0 means that the server is asked; `dims_field` is what it calls the wish for a size, ""
    where it has no such wish. `query` and `passage` are added to a request for such texts.
    """

    name: str
    url: str
    model: str
    dims: int
    tokens: int
    key: str
    inputs: int
    size: int
    dims_field: str
    query: Mapping[str, Any] = field(default_factory=dict)
    passage: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RerankServer:
    """A server that scores texts for a question.

    `results` is the field of its answer that lists the scores; `extra` is added to a request.
    """

    name: str
    url: str
    model: str
    key: str
    inputs: int
    tokens: int
    results: str
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Models:
    """Every model that has a name."""

    default: str
    packaged: Mapping[str, Packaged]
    providers: Mapping[str, Provider]
    rerankers: Mapping[str, RerankServer]


@cache
def known() -> Models:
    """The models that come with Pinyon's table."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return Models(
        default=table["default"],
        packaged={name: Packaged(name, **rest) for name, rest in table["package"].items()},
        providers={name: Provider(name, **rest) for name, rest in table["provider"].items()},
        rerankers={name: RerankServer(name, **rest) for name, rest in table["reranker"].items()},
    )


def pulled_folder(model: Packaged, cache: Path) -> Path:
    """Where the files of a pulled package lie."""
    return cache / "packages" / f"{model.package}-{model.version}"
