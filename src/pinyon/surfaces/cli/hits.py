"""Hits: an answer as JSON, and as lines for people, with the reasons where they are asked for.

What only whole records need is imported where they are shown: most searches show none.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pinyon.model.hit import Answer, Hit
from pinyon.surfaces.cli.output import Paint, clean
from pinyon.surfaces.cli.wrap import wrap

BAR = 20
"""Columns of the longest bar."""

_INDENT = "    "


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """Every key, also where it is empty; `record` only in mode "full"."""
    return {"hits": [_hit_to_json(hit) for hit in answer], "meta": dict(answer.meta)}


def answer_lines(answer: Answer, paint: Paint, width: int, *, explain: bool) -> Iterator[str]:
    """A paragraph a hit; with `explain` also its signals, and the stages at the end."""
    longest: dict[str, float] = {}
    for hit in answer:
        for name, value in hit.signals.items():
            longest[name] = max(longest.get(name, 0.0), abs(value))
    for place, hit in enumerate(answer, start=1):
        if place > 1:
            yield ""
        yield from _hit_lines(place, hit, paint, width)
        if explain:
            yield from _signal_lines(hit, answer, longest, paint)
    if explain:
        if answer.hits:
            yield ""
        yield from _meta_lines(answer, paint)


def _hit_to_json(hit: Hit) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "id": hit.id,
        "kind": hit.kind,
        "title": hit.title,
        "score": hit.score,
        "relevance": hit.relevance,
        "signals": dict(hit.signals),
        "sources": dict(hit.sources),
        "snippet": hit.snippet,
        "domain": hit.domain,
        "tags": list(hit.tags),
        "scope": hit.scope,
        "source": hit.source,
        "lines": None if hit.lines is None else list(hit.lines),
        "tokens": hit.tokens,
        "via": hit.via,
    }
    if hit.record:
        from pinyon.model.wire import record_to_json

        shown["record"] = record_to_json(hit.record)
    return shown


def _hit_lines(place: int, hit: Hit, paint: Paint, width: int) -> Iterator[str]:
    title = paint("title", clean(hit.title or hit.id))
    yield f"{place:>2}. {title}  {paint('quiet', f'{hit.score:.3f} {hit.kind}')}"
    where = f"{hit.source}:{hit.lines[0]}" if hit.lines else hit.source
    yield _INDENT + paint("quiet", "  ".join(filter(None, (clean(hit.id), clean(where)))))
    if hit.record:
        from pinyon.surfaces.cli.records import record_lines

        yield from (_INDENT + line if line else "" for line in record_lines(hit.record, paint)[1:])
    else:
        lines = wrap(hit.snippet, max(width - len(_INDENT), 20), paint)
        yield from (_INDENT + line for line in lines)


def _signal_lines(
    hit: Hit, answer: Answer, longest: dict[str, float], paint: Paint
) -> Iterator[str]:
    weights = answer.meta["weights"]
    widest = max(map(len, ("relevance", *hit.signals)))

    def row(name: str, value: float, most: float, why: str) -> str:
        columns = round(BAR * abs(value) / most) if most else 0
        bar = paint("bar", "█" * columns) + "·" * (BAR - columns)
        return f"{_INDENT}{name:<{widest}} {value:>8.3f} {bar} {paint('quiet', why)}".rstrip()

    for name, value in hit.signals.items():
        yield row(name, value, longest[name], _counts(name, weights))
    found = ", ".join(f"{channel} at rank {rank}" for channel, rank in hit.sources.items())
    yield row("relevance", hit.relevance, 1.0, f"found by {found}" if found else "changed last")
    if hit.via:
        yield f"{_INDENT}{'via':<{widest}} {paint('quiet', clean(hit.via))}"


def _counts(name: str, weights: Mapping[str, float]) -> str:
    """What a signal counts. One that edges pass on is a score already, unless it is weighed."""
    if name == "graph" and name not in weights:
        return "passed on"
    return f"weight {weights.get(name, 0):g}"


def _meta_lines(answer: Answer, paint: Paint) -> Iterator[str]:
    meta = answer.meta
    stages = ", ".join(f"{name} {ms:.1f}" for name, ms in meta["stages"].items())
    yield paint(
        "quiet",
        f"profile {meta['profile']}: {meta['returned']} of {meta['candidates']} candidates"
        f" at revision {meta['revision']}, asked {', '.join(meta['channels']) or 'for no words'}",
    )
    yield paint("quiet", f"{meta['ms']:.1f} ms: {stages}")
    for warning in meta["warnings"]:
        yield paint("quiet", f"warning: {clean(warning)}")
    for change in meta["changed"]:
        yield paint("quiet", f"changed: {clean(change)}")
