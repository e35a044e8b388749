"""The command: `python -m bench` prints a table per section, each figure beside its target."""

import argparse
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from bench.cold import cold
from bench.embedding import embedding
from bench.figure import Figure, table
from bench.filters import filters
from bench.graph import graph
from bench.hybrid import hybrid
from bench.imports import imports
from bench.index import index
from bench.late import late
from bench.mcp_start import mcp_start
from bench.rank import ranking
from bench.recall import recall
from bench.search import search
from bench.service import service
from bench.tiers import tiers
from bench.understand import understand
from bench.vectors import vectors
from bench.words import words
from bench.world import World, world

SECTIONS: Mapping[str, Callable[[World], list[Figure]]] = {
    "words": words,
    "understand": understand,
    "filters": filters,
    "search": search,
    "rank": ranking,
    "tiers": tiers,
    "graph": graph,
    "import": imports,
    "index": index,
    "vectors": vectors,
    "recall": recall,
    "embedding": embedding,
    "hybrid": hybrid,
    "late": late,
    "cold": cold,
    "mcp": mcp_start,
    "service": service,
}
ONCE = {"recall", "embedding"}
"""Sections that do not hang on the size of the store."""

USUAL, LARGE = "10000,100000", 1_000_000
COLLECTIONS = Path(__file__).resolve().parents[2] / "shared" / "eval"


def main(arguments: Sequence[str] | None = None) -> None:
    """A bench reports: it also ends well when a figure misses its target."""
    given = _parser().parse_args(arguments)
    sizes = [*given.records, LARGE] if given.million else given.records
    worlds = [world(size, given.cache, given.collections) for size in sizes]
    figures: dict[str, list[Figure]] = {}
    for name in given.only:
        figures[name] = []
        for one in worlds[:1] if name in ONCE else worlds:
            figures[name] += SECTIONS[name](one)
        print(table(name, figures[name]), end="\n\n", flush=True)
    if given.json:
        found = {name: [asdict(figure) for figure in rows] for name, rows in figures.items()}
        given.json.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    verdicts = [figure.verdict for rows in figures.values() for figure in rows]
    met, missed = verdicts.count("PASS"), verdicts.count("MISS")
    print(f"{met} of {met + missed} targets met, {missed} missed")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "--records", type=_sizes, default=_sizes(USUAL), help=f"sizes of store (default: {USUAL})"
    )
    parser.add_argument("--million", action="store_true", help=f"{LARGE:,} records too: slow")
    parser.add_argument(
        "--only", type=_sections, default=list(SECTIONS), help=f"of {','.join(SECTIONS)}"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    parser.add_argument(
        "--cache",
        type=Path,
        metavar="DIR",
        default=Path(tempfile.gettempdir(), "pinyon-bench"),
        help="where the stores are kept (default: %(default)s)",
    )
    parser.add_argument(
        "--collections",
        type=Path,
        metavar="DIR",
        default=COLLECTIONS,
        help="labelled collections, for recall (default: %(default)s)",
    )
    return parser


def _sizes(text: str) -> list[int]:
    return [int(part.replace("_", "")) for part in text.split(",")]


def _sections(text: str) -> list[str]:
    names = text.split(",")
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        raise argparse.ArgumentTypeError(f"no section {unknown[0]!r}; known: {', '.join(SECTIONS)}")
    return names


if __name__ == "__main__":
    main()
