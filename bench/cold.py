"""Cold: `pinyon search` from the shell: by words against a Python that does nothing, by words and
meaning against a script that only loads the model and embeds the question."""

import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from bench import bare_question
from bench.child import in_turn, run
from bench.figure import Figure
from bench.meaning import granite_files, with_vectors
from bench.world import World

AT_MOST = 8.0
"""Times `python -c pass`."""

AT_MOST_BARE = 2.0
"""Times the script that embeds a question."""

ROUNDS = 15
WORD = "compiler"
QUESTION = "how is a file closed when an error occurs"

HEAVY = ("numpy", "onnxruntime", "tokenizers")
"""What a keyword search must not import."""


def cold(world: World) -> list[Figure]:
    """Wall time, alternating. The console script is measured where it is installed."""
    if find_spec("pinyon.__main__") is None:
        print("cold: left out, there is no `python -m pinyon`", file=sys.stderr)
        return []
    return [*_by_words(world), *_by_meaning(with_vectors(world))]


def _by_words(world: World) -> list[Figure]:
    arguments = ["search", WORD, "--profile", "keyword", "--store", str(world.path)]
    empty = {"python -c pass": [sys.executable, "-c", "pass"]}
    figures = _against(world.records, "pass", empty, _searches(arguments), AT_MOST)
    traced = run([sys.executable, "-X", "importtime", "-m", "pinyon", *arguments])
    heavy = _imported(traced.stderr)
    return [*figures, Figure(world.records, f"of {', '.join(HEAVY)} imported", heavy, most=0)]


def _by_meaning(world: World) -> list[Figure]:
    files = granite_files()
    script = [bare_question.__file__, str(files.graph), str(files.tokenizer), QUESTION]
    bare = {"embed one question, bare": [sys.executable, *script]}
    searches = {
        f"{name}, hybrid": command
        for name, command in _searches(["search", QUESTION, "--store", str(world.path)]).items()
    }
    return _against(world.records, "bare", bare, searches, AT_MOST_BARE)


def _searches(arguments: Sequence[str]) -> dict[str, list[str]]:
    searches = {"python -m pinyon search": [sys.executable, "-m", "pinyon", *arguments]}
    script = Path(sys.executable).with_name("pinyon")
    if script.exists():
        searches["pinyon search"] = [str(script), *arguments]
    return searches


def _against(
    size: int,
    short: str,
    rival: Mapping[str, Sequence[str]],
    searches: Mapping[str, Sequence[str]],
    most: float,
) -> list[Figure]:
    """`rival` is one command; `short` is what the ratios call it."""
    base, *times = in_turn([*rival.values(), *searches.values()], ROUNDS)
    figures = [Figure(size, name, median(base), "ms") for name in rival]
    for name, taken in zip(searches, times, strict=True):
        ratio = median(taken) / median(base)
        figures += [
            Figure(size, name, median(taken), "ms"),
            Figure(size, f"{name} / {short}, median of {ROUNDS}", ratio, "x", most=most),
            Figure(size, f"{name} / {short}, best of {ROUNDS}", min(taken) / min(base), "x"),
        ]
    return figures


def _imported(trace: str) -> int:
    """How many of HEAVY were imported."""
    lines = trace.splitlines()
    packages = {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}
    return len(packages & set(HEAVY))
