"""Report: what was measured as Markdown tables, and as one plot of quality against latency."""

import math
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean, median

from bench.peers.measure import Measured
from bench.peers.peer import PEERS
from pinyon.evaluate.plot import Point, plot

Cell = Callable[[Measured], float | None]


def tables(found: Sequence[Measured]) -> str:
    """nDCG@10, recall@10, then costs on the collections and at each size, then what is missing."""
    labelled = [one for one in found if one.ndcg is not None]
    parts = [
        _quality("nDCG@10", labelled, lambda one: one.ndcg),
        _quality("recall@10", labelled, lambda one: one.recall),
        _costs("the collections", labelled),
    ]
    plain = [one for one in found if one.ndcg is None and not one.missing]
    for case in _cases(plain):
        parts.append(_costs(case, [one for one in plain if one.case == case]))
    missing = [f"- {one.peer}, {one.case}: {one.missing}" for one in found if one.missing]
    if missing:
        parts.append("\n".join(["Not measured:", "", *missing]))
    return "\n\n".join(filter(None, parts)) + "\n"


def drawn(found: Sequence[Measured]) -> str:
    """A panel for the collections and one for each size. Quality is the mean of the collections in
    all of them: at a size of its own nothing is judged."""
    shared = _shared([one for one in found if one.ndcg is not None])
    points = []
    for peer in _peers(shared):
        own = [one for one in shared if one.peer == peer]
        value = fmean(one.ndcg or 0.0 for one in own)
        half = math.hypot(*(one.ndcg_half for one in own)) / len(own)
        panels = {"labelled collections, median": median(one.p50_ms for one in own)}
        panels |= {
            one.case: one.p50_ms
            for one in found
            if one.peer == peer and one.ndcg is None and not one.missing
        }
        points += [
            Point(panel, peer, ms, value, value - half, value + half)
            for panel, ms in panels.items()
        ]
    return plot(points, "nDCG@10, mean of the collections") if points else ""


def _quality(title: str, found: Sequence[Measured], of: Cell) -> str:
    """A row a collection, a column a peer; the mean is of the collections that all of them have."""
    if not found:
        return ""
    peers, shared = _peers(found), _shared(found)
    known = {(one.case, one.peer): of(one) for one in found}
    rows = [[case, *(_share(known.get((case, peer))) for peer in peers)] for case in _cases(found)]
    means = [_share(fmean(of(one) or 0.0 for one in shared if one.peer == peer)) for peer in peers]
    if shared:
        rows.append([f"**mean of {len(_cases(shared))}**", *(f"**{mean}**" for mean in means)])
    return _table([title, *peers], rows)


def _costs(title: str, found: Sequence[Measured]) -> str:
    """Times are the median case's, disk and build time are sums, memory is the largest."""
    head = (
        *(f"on {title}", "searches by", "a scope is", "p50 ms", "p95 ms", "build s"),
        *("disk MB", "memory MB, asked", "built"),
    )
    rows = []
    shared = _shared(found)
    for peer in _peers(shared):
        own = [one for one in shared if one.peer == peer]
        numbers = (
            median(one.p50_ms for one in own),
            median(one.p95_ms for one in own),
            sum(one.build_s for one in own),
            sum(one.disk_mb for one in own),
            max(one.ask_mb for one in own),
            max(one.build_mb for one in own),
        )
        listed = PEERS[peer]
        rows.append([peer, listed.by, listed.scoped, *map(_number, numbers)])
    return _table(head, rows) if rows else ""


def _shared(found: Sequence[Measured]) -> list[Measured]:
    """Of the cases that every peer was measured on: means of others cannot be compared."""
    peers = set(_peers(found))
    return [one for one in found if peers == {each.peer for each in found if each.case == one.case}]


def _peers(found: Sequence[Measured]) -> list[str]:
    there = {one.peer for one in found}
    return [peer for peer in PEERS if peer in there]


def _cases(found: Sequence[Measured]) -> list[str]:
    return list(dict.fromkeys(one.case for one in found))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(_lines([head, ["---"] * len(head), *rows]))


def _lines(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    return (f"| {' | '.join(row)} |" for row in rows)


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}".removeprefix("0")


def _number(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
