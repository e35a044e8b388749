"""stats: say how much the store holds."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from pinyon import settings
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import Paint, clean, emit, emit_json, painter

if TYPE_CHECKING:
    from pinyon.meaning import ModelInfo

TAGS = 10
"""The most tags that are shown to people."""


@click.command(epilog=examples("pinyon stats", "pinyon stats --json | jq .records"))
@store_option
@json_option
def command(store: str | None, as_json: bool) -> None:
    """Say how much the store holds.

    Records of each kind, tags, indexed folders, links, versions, the model that finds them by
    meaning and how far it is, and the size of the file.
    """
    with reading(store) as engine:
        counts, tags, folders = engine.stats(), engine.values("tags"), engine.folders()
        models = [each for each in engine.models() if each.state != "idle" and each.dims]
    numbers = {
        "store": str(settings.store_path(store)),
        "records": sum(counts.kinds.values()),
        "kinds": dict(counts.kinds),
        "tags": tags,
        "folders": folders,
        "forgotten": counts.forgotten,
        "edges": counts.edges,
        "versions": counts.versions,
        "documents": counts.documents,
        "tokens": dict(counts.tokens),
        "passages": counts.passages,
        "models": [asdict(each) for each in models],
        "bytes": counts.bytes,
        "revision": counts.revision,
    }
    if as_json:
        emit_json(numbers)
    else:
        emit("\n".join(_lines(numbers, models, painter(sys.stdout))))


def _lines(numbers: Mapping[str, Any], models: "Sequence[ModelInfo]", paint: Paint) -> list[str]:
    tags = list(numbers["tags"].items())
    more = f", and {len(tags) - TAGS:,} more" if len(tags) > TAGS else ""
    rows = {
        "store": f"{numbers['store']}, {numbers['bytes']:,} bytes, revision {numbers['revision']}",
        "records": f"{numbers['records']:,}{_counted(numbers['kinds'].items())}",
        "tags": f"{len(tags):,}{_counted(tags[:TAGS], more)}",
        "folders": ", ".join(f"{name} ({path})" for name, path in numbers["folders"].items()),
        "model": "; ".join(_model(each) for each in models),
        "links": f"{numbers['edges']:,}",
        "versions": f"{numbers['versions']:,}",
        "forgotten": f"{numbers['forgotten']:,}",
    }
    return [
        f"{paint('quiet', f'{name:<9}')}  {clean(text or 'none')}" for name, text in rows.items()
    ]


def _model(model: "ModelInfo") -> str:
    from pinyon.surfaces.cli.models import vectors_text

    filling = " (filling)" if model.state == "filling" else ""
    return f"{model.choice}{filling}, {vectors_text(model)}"


def _counted(items: Any, more: str = "") -> str:
    text = ", ".join(f"{count:,} {name}" for name, count in items)
    return f" ({text}{more})" if text else ""
