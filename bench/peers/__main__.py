"""The command: `python -m bench.peers` prints tables, and writes figures and a plot.

Every figure is written as soon as it is known; --resume goes on where a run was broken off.
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from bench.__main__ import COLLECTIONS
from bench.meaning import MODEL
from bench.peers.case import Case
from bench.peers.measure import Measured, measured
from bench.peers.peer import PEERS
from bench.peers.prepare import SCOPED, prepare, prepare_synthetic
from bench.peers.report import drawn, tables
from pinyon.meaning import Choice, open_choice

if TYPE_CHECKING:
    from pinyon.inference.contract import Embedder

USUAL = (
    *("locomo", "beam_100k", "scifact", "cranfield", "med", "cacm", "npl", "pyfaq", "cosqa_dev"),
    *("loc_requests", "loc_flask", "loc_httpx", "loc_ripgrep"),
)
LARGE = 100_000


def main(arguments: Sequence[str] | None = None, embedder: "Embedder | None" = None) -> None:
    """All vectors are those of the default model, unless another one is given."""
    given = _parser().parse_args(arguments)
    given.cache.mkdir(parents=True, exist_ok=True)
    figures = given.json or given.cache / "peers.json"
    found = _read(figures) if given.resume else []
    for name, make in _cases(given, embedder or open_choice(Choice(MODEL))).items():
        done = {one.peer for one in found if one.case == name}
        todo = [peer for peer in given.only_peers if peer not in done]
        if not todo:
            continue
        folder = Path(tempfile.mkdtemp(prefix="case-", dir=given.cache))
        try:
            case = make(folder / "case")
            for peer in todo:
                print(f"{name}: {peer} ...", file=sys.stderr, flush=True)
                found.append(measured(peer, case))
                figures.write_text(json.dumps(list(map(asdict, found)), indent=2) + "\n", "utf-8")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    print(tables(found), end="")
    if given.svg:
        given.svg.write_text(drawn(found), "utf-8")


def _cases(given: argparse.Namespace, embedder: "Embedder") -> dict[str, Callable[[Path], Case]]:
    """What each is called in the figures, and what makes it in a folder."""

    def labelled(name: str) -> Callable[[Path], Case]:
        return lambda folder: prepare(
            given.collections / name,
            folder,
            embedder,
            scope_by=SCOPED.get(name, ""),
            whole_files=not given.parts,
        )

    cases = {name: labelled(name) for name in given.only_collections}
    if given.records:
        cases[f"{given.records:,} records"] = lambda folder: prepare_synthetic(
            given.records, folder, given.cache, embedder
        )
    return cases


def _read(path: Path) -> list[Measured]:
    """What was measured; what was missing is tried again."""
    if not path.is_file():
        return []
    found = [Measured(**one) for one in json.loads(path.read_text("utf-8"))]
    return [one for one in found if not one.missing]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description=__doc__)
    parser.add_argument(
        "--only-collections",
        type=_names,
        default=list(USUAL),
        metavar="NAMES",
        help=f"of the labelled ones, with commas; '' for none (default: {','.join(USUAL)})",
    )
    parser.add_argument(
        "--only-peers", type=_peers, default=list(PEERS), metavar="NAMES", help="with semicolons"
    )
    parser.add_argument(
        "--records", type=int, default=LARGE, help="of the synthetic corpus; 0 leaves it out"
    )
    parser.add_argument(
        "--parts", action="store_true", help="Pinyon has source files by their parts"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="where the figures are written")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="where the plot is written")
    parser.add_argument("--resume", action="store_true", help="keep the figures that are there")
    parser.add_argument(
        "--collections",
        type=Path,
        metavar="DIR",
        default=COLLECTIONS,
        help="labelled collections (default: %(default)s)",
    )
    parser.add_argument(
        "--cache",
        type=Path,
        metavar="DIR",
        default=Path(tempfile.gettempdir(), "pinyon-bench"),
        help="where the indexes are built (default: %(default)s)",
    )
    return parser


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def _peers(text: str) -> list[str]:
    names = [name.strip() for name in text.split(";")]
    unknown = [name for name in names if name not in PEERS]
    if unknown:
        raise argparse.ArgumentTypeError(f"no peer {unknown[0]!r}; known: {'; '.join(PEERS)}")
    return names


if __name__ == "__main__":
    main()
