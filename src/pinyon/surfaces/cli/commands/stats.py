"""stats: say how much the store holds, and what is asked of it."""

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from pinyon import settings
from pinyon.surfaces.answers import stats_to_json
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import clean, emit, emit_json, painter

if TYPE_CHECKING:
    from pinyon.meaning import ModelInfo
    from pinyon.track import QueryStats

TAGS = 10
"""The most tags that are shown to people."""


@click.command(epilog=examples("pinyon stats", "pinyon stats --json | jq .records"))
@store_option
@json_option
def command(store: str | None, as_json: bool) -> None:
    """Say how much the store holds, and what is asked of it.

    Records of each kind, tags, indexed folders, links, versions, the model that finds them by
    meaning and how far it is, and the size of the file. Then the questions that are kept: how many,
    how long the answers took, the most common ones, and those that found nothing.
    """
    with reading(store) as engine:
        numbers = {"store": str(settings.store_path(store)), **stats_to_json(engine)}
        queries = engine.questions()
        models = [each for each in engine.models() if each.state != "idle" and each.dims]
    if as_json:
        emit_json(numbers)
        return
    rows = {**_held(numbers, models), **_asked(queries)}
    paint = painter(sys.stdout)
    emit(
        "\n".join(
            f"{paint('quiet', f'{name:<9}')}  {clean(text or 'none')}"
            for name, text in rows.items()
        )
    )


def _held(numbers: Mapping[str, Any], models: "Sequence[ModelInfo]") -> dict[str, str]:
    tags = list(numbers["tags"].items())
    more = f", and {len(tags) - TAGS:,} more" if len(tags) > TAGS else ""
    return {
        "store": f"{numbers['store']}, {numbers['bytes']:,} bytes, revision {numbers['revision']}",
        "records": f"{numbers['records']:,}{_counted(numbers['kinds'].items())}",
        "tags": f"{len(tags):,}{_counted(tags[:TAGS], more)}",
        "folders": ", ".join(f"{name} ({path})" for name, path in numbers["folders"].items()),
        "model": "; ".join(_model(each) for each in models),
        "links": f"{numbers['edges']:,}",
        "versions": f"{numbers['versions']:,}",
        "forgotten": f"{numbers['forgotten']:,}",
    }


def _asked(queries: "QueryStats") -> dict[str, str]:
    if not queries.asked:
        return {"questions": ""}
    found = f"{queries.mean_found:.1f} hits each"
    times = f"{queries.p50_ms:.1f}, {queries.p95_ms:.1f} and {queries.p99_ms:.1f} ms"
    return {
        "questions": f"{queries.asked:,}, {found}; half, 95 and 99 of 100 within {times}",
        "profiles": ", ".join(f"{count:,} {name}" for name, count in queries.profiles.items()),
        "found": ", ".join(f"{count:,} {kind}" for kind, count in queries.kinds.items()),
        "common": _listed(queries.common),
        "in vain": _listed(queries.unanswered),
    }


def _listed(questions: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{text} ({count:,})" for text, count in questions)


def _model(model: "ModelInfo") -> str:
    from pinyon.surfaces.cli.models import vectors_text

    filling = " (filling)" if model.state == "filling" else ""
    return f"{model.choice}{filling}, {vectors_text(model)}"


def _counted(items: Any, more: str = "") -> str:
    text = ", ".join(f"{count:,} {name}" for name, count in items)
    return f" ({text}{more})" if text else ""
