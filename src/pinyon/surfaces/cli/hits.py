"""Hits: an answer as lines for people, with the reasons where they are asked for.

What only whole records need is imported where they are shown: most searches show none.
"""

from collections.abc import Iterator

from pinyon.model.hit import Answer, Hit
from pinyon.surfaces.cli.output import Paint, clean
from pinyon.surfaces.cli.wrap import wrap

INDENT = "    "

MOST_NAMED = 5
"""Ids of further hits that one names, of those that it stands for."""


def answer_lines(
    answer: Answer, paint: Paint, width: int, *, explain: bool = False, scan: bool = False
) -> Iterator[str]:
    """A paragraph a hit; with `explain` also its signals, and how the answer came about at the end;
    with `scan` the size of each record."""
    if explain:
        from pinyon.surfaces.cli.explain import Explained

        explained = Explained(answer, paint)
    for place, hit in enumerate(answer, start=1):
        if place > 1:
            yield ""
        yield from _hit_lines(place, hit, paint, width, scan=scan)
        if explain:
            yield from explained.hit(hit)
    if explain:
        if answer.hits:
            yield ""
        yield from explained.answer()


def _hit_lines(place: int, hit: Hit, paint: Paint, width: int, *, scan: bool) -> Iterator[str]:
    title = paint("title", clean(hit.title or hit.id))
    told = [f"{hit.score:.3f} {hit.kind}"]
    if scan:
        told.append(f"about {hit.tokens:,} tokens")
    if hit.tier:
        told.append(f"from {clean(hit.tier)}")
    yield f"{place:>2}. {title}  {paint('quiet', ', '.join(told))}"
    where = f"{hit.source}:{hit.lines[0]}" if hit.lines else hit.source
    yield INDENT + paint("quiet", "  ".join(filter(None, (clean(hit.id), clean(where)))))
    if hit.record:
        from pinyon.surfaces.cli.records import record_lines

        yield from (INDENT + line if line else "" for line in record_lines(hit.record, paint)[1:])
    else:
        lines = wrap(hit.snippet, max(width - len(INDENT), 20), paint)
        yield from (INDENT + line for line in lines)
    if hit.more:
        named = ", ".join(map(clean, hit.more[:MOST_NAMED]))
        further = len(hit.more) - MOST_NAMED
        also = f"and {named}" + (f", and {further:,} more" if further > 0 else "")
        yield INDENT + paint("quiet", also)
