"""Relevance: what the number is worth, and where the weights of the profiles come from.

`python -m bench.relevance FOLDER` checks the shipped weights on the labelled collections in a
folder; with `--fit` they are fitted first, on the collections whose licence allows it. To one right
hit come two wrong ones and two of foreign questions: the number is the chance in this mix.
"""

import argparse
import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np

from bench.evidence import MODES, UNKNOWN, Row, Seen, evidence
from bench.meaning import granite
from pinyon.model.hit import Candidate, Evidence
from pinyon.model.profile import RelevanceSection
from pinyon.profiles.load import load
from pinyon.search.relate import on_topic, relate

Array = np.ndarray[Any, np.dtype[np.float64]]
Score = Callable[[Row], float]

FAMILIES: tuple[tuple[str, ...], ...] = (
    ("scifact", "scifact_train"),
    ("cosqa_dev",),
    ("pyfaq", "djangofaq"),
    ("loc_requests", "loc_flask", "loc_httpx", "loc_ripgrep", "loc_sqlite_utils"),
)
"""What is fitted on: their licences allow it. Families count alike, and so do the collections of
one; the keywords of all of them together count as one family more."""

THOROUGH = ("adi", "cacm", "cisi", "cranfield", "lisa", "med", "npl", "time")
"""People judged these thoroughly; they are only checked on."""

NOT_EMBEDDED = ("beam_100k",)
SHARES = {"right": 0.2, "wrong": 0.4, "foreign": 0.4}
COLUMNS = {"words": (0, 1, 2), "meaning": (3,), "both": (0, 1, 2, 3)}
NAMES = (*Evidence._fields, "bias")
TOP = 10
BINS = 10
RIDGE = 1e-6
"""Only against a column that is always the same."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.relevance", description=__doc__)
    parser.add_argument("folder", type=Path, help="labelled collections in the layout of BEIR")
    parser.add_argument("--fit", action="store_true", help="fit the weights before the checks")
    parser.add_argument("--most", type=int, default=200, help="questions of each (%(default)s)")
    parser.add_argument("--rows", type=Path, help="keep the evidence there, or read it again")
    given = parser.parse_args(arguments)
    seen = list(_rows(given.folder, given.most, given.rows))
    how = load("default").relevance
    if given.fit:
        how = fitted(seen, how)
        print(f'usual    {{ "{granite().name}" = {how.usual[granite().name]} }}')
        for mode in MODES:
            print(f"{mode:<8} {dict(getattr(how, mode))}")
    for mode in MODES:
        _check(mode, seen, how)
    _said(seen, how)
    _off_topic(seen, how)


def _rows(folder: Path, most: int, kept: Path | None) -> Iterator[Seen]:
    if kept and kept.is_file():
        with kept.open() as lines:
            yield from (Seen(*json.loads(line)) for line in lines)
        return
    found = list(evidence(folder, most, embedded=lambda name: name not in NOT_EMBEDDED))
    if kept:
        kept.write_text("".join(f"{json.dumps(one)}\n" for one in found), "utf-8")
    yield from found


def fitted(seen: Iterable[Seen], how: RelevanceSection) -> RelevanceSection:
    """The same section with weights and with the usual cosine of the model that is in use."""
    seen = list(seen)
    usual = {**how.usual, granite().name: round(_usual(seen), 2)}
    how = how._replace(usual=usual)
    words, meaning, both = (_fit(mode, seen, how) for mode in ("words", "meaning", "both"))
    return how._replace(words=words, meaning=meaning, both=both)


def _usual(seen: Iterable[Seen]) -> float:
    """How near the nearest record is to a question about something else; the middle collection."""
    nearest: dict[str, list[float]] = {}
    for one in seen:
        if one.mode == "meaning" and one.kind == "foreign" and one.hits:
            nearest.setdefault(one.collection, []).append(max(row[3] for row in one.hits))
    return median(map(median, nearest.values()))


def _fit(mode: str, seen: Sequence[Seen], how: RelevanceSection) -> dict[str, float]:
    """Logistic regression by Newton's method. No weight is below 0: more evidence never makes a
    hit less relevant; a column whose weight would be is left out."""
    parts = [
        (rows, weight)
        for family in FAMILIES
        for name in family
        for kind, weight in (
            ("asked", 1 / len(family)),
            ("keyword", 1 / len(family) / len(FAMILIES)),
        )
        if (rows := _weighed(mode, seen, name, kind))
    ]
    matrix = np.array([_scaled(row, how) for rows, _ in parts for row, _ in rows])
    right = np.array([float(row[4]) for rows, _ in parts for row, _ in rows])
    weights = np.array([weight * share for rows, weight in parts for _, share in rows])
    weights /= weights.sum()
    columns = list(COLUMNS[mode])
    while True:
        solved = _newton(np.c_[matrix[:, columns], np.ones(len(matrix))], right, weights)
        lowest = int(np.argmin(solved[:-1]))
        if solved[lowest] >= 0:
            break
        del columns[lowest]
    return {NAMES[at]: round(float(b), 2) for at, b in zip((*columns, 4), solved, strict=True)}


def _newton(matrix: Array, right: Array, weights: Array) -> Array:
    solved = np.zeros(matrix.shape[1])
    ridge = RIDGE * np.diag([1.0] * (len(solved) - 1) + [0.0])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-matrix @ solved))
        slope = matrix.T @ (weights * (chance - right)) + ridge @ solved
        curve = (matrix * (weights * chance * (1 - chance))[:, None]).T @ matrix + ridge
        solved -= np.linalg.solve(curve, slope)
    return solved


def _scaled(row: Row, how: RelevanceSection) -> tuple[float, ...]:
    usual = how.usual[granite().name]
    return (*row[:3], (row[3] - usual) / (1 - usual))


def _weighed(mode: str, seen: Iterable[Seen], name: str, kind: str) -> list[tuple[Row, float]]:
    """The first hits of a collection, each group with its share of the whole."""
    groups = _groups(mode, seen, name, kind)
    if not groups["right"]:
        return []
    return [(row, SHARES[group] / len(rows)) for group, rows in groups.items() for row in rows]


def _groups(mode: str, seen: Iterable[Seen], name: str, kind: str) -> dict[str, list[Row]]:
    # The two parts of scifact are one store: they share keywords and foreign questions.
    store = "scifact" if name == "scifact_train" else name
    asked_of = {"asked": name, "keyword": store}[kind]
    groups: dict[str, list[Row]] = {"right": [], "wrong": [], "foreign": []}
    for one in seen:
        foreign = (one.kind, one.collection) == ("foreign", store)
        if one.mode == mode and (foreign or (one.kind, one.collection) == (kind, asked_of)):
            for row in _known(mode, one.hits[:TOP]):
                groups["foreign" if foreign else "right" if row[4] else "wrong"].append(row)
    return groups


def _known(mode: str, hits: Iterable[Row]) -> list[Row]:
    """The hits of which all is known that the mode counts."""
    return [row for row in hits if all(row[at] != UNKNOWN for at in COLUMNS[mode])]


def _check(mode: str, seen: Sequence[Seen], how: RelevanceSection) -> None:
    """Plain share (of meaning: plain cosine) against relevance, collection by collection: the
    expected calibration error over the first ten hits as they are labelled, the area under the ROC
    curve of right against wrong hits, and of right against foreign ones."""
    plain: Score = lambda row: max(row[3 if mode == "meaning" else 0], 0.0)  # noqa: E731
    print(f"\n{mode:<18}right    ECE          AUC          AUC, foreign")
    fits = {name for family in FAMILIES for name in family}
    rows = []
    for name in sorted({one.collection for one in seen}, key=lambda name: (name not in fits, name)):
        right, wrong, foreign = _groups(mode, seen, name, "asked").values()
        if not right or not wrong:
            continue
        hits = [*right, *wrong]
        numbers = [len(right) / len(hits)]
        for score in (plain, lambda row: _relevance(row, how)):
            numbers += [
                _error([(score(row), row[4]) for row in hits]),
                _area([(score(row), row[4]) for row in hits]),
                _area([(score(row), row[4]) for row in (*right, *foreign)]),
            ]
        rows.append((name in fits, numbers))
        print(_line(name, numbers))
    for title, wanted in (("fitted on", True), ("not fitted on", False)):
        means = [fmean(column) for column in zip(*(n for f, n in rows if f is wanted), strict=True)]
        if means:
            print(_line(title, means))


def _said(seen: Sequence[Seen], how: RelevanceSection) -> None:
    """What is said of hits, and what people said of them: by tenths, collections alike."""
    tenths: dict[int, list[tuple[float, float, bool]]] = {}
    for name in THOROUGH:
        right, wrong, _ = _groups("both", seen, name, "asked").values()
        for row in (*right, *wrong):
            said = _relevance(row, how)
            part = (1 / (len(right) + len(wrong)), said, row[4])
            tenths.setdefault(min(int(said * BINS), BINS - 1), []).append(part)
    print("\nsaid    right   hits, where people judged thoroughly")
    whole = math.fsum(share for parts in tenths.values() for share, *_ in parts) or 1.0
    error = 0.0
    for _, parts in sorted(tenths.items()):
        total = math.fsum(share for share, *_ in parts)
        said = math.fsum(share * said for share, said, _ in parts) / total
        right_share = math.fsum(share for share, _, good in parts if good) / total
        error += total / whole * abs(said - right_share)
        print(f"{said:.2f}    {right_share:.2f}    {len(parts):,}")
    print(f"expected calibration error {error:.3f}")


def _line(name: str, numbers: Sequence[float]) -> str:
    right, *rest = (f"{number:.3f}".removeprefix("0") for number in numbers)
    pairs = (f"{before} -> {after}" for before, after in zip(rest[:3], rest[3:], strict=True))
    return f"{name:<18}{right}    {'    '.join(pairs)}"


def _relevance(row: Row, how: RelevanceSection) -> float:
    return relate([_candidate(row)], how, granite().name)[0].relevance


def _candidate(row: Row) -> Candidate:
    share, title, phrase, cosine, _ = row
    known = Evidence(
        None if share == UNKNOWN else share, title, phrase, None if cosine == UNKNOWN else cosine
    )
    return Candidate("", 0.0, 0.0, {}, {}, evidence=known)


def _error(pairs: Sequence[tuple[float, bool]]) -> float:
    """Expected calibration error: in bins of one tenth, how far what is said is from what is."""
    bins: dict[int, list[float]] = {}
    for said, right in pairs:
        bins.setdefault(min(int(said * BINS), BINS - 1), []).append(said - right)
    return math.fsum(abs(math.fsum(gaps)) for gaps in bins.values()) / len(pairs)


def _area(pairs: Sequence[tuple[float, bool]]) -> float:
    """How often a right hit has more than a wrong one; a tie is half."""
    right = np.sort([said for said, good in pairs if good])
    wrong = [said for said, good in pairs if not good]
    below = np.searchsorted(right, wrong, "left")
    up_to = np.searchsorted(right, wrong, "right")
    return float(np.mean(1 - (below + up_to) / 2 / len(right)))


def _off_topic(seen: Sequence[Seen], how: RelevanceSection) -> None:
    """For each threshold the share of answers that become empty: of those with a right hit among
    the first ten, all together and as the mean of collections; of keywords; of foreign ones."""
    for mode in ("both", "words"):
        print(f"\noff topic, {mode:<8} right    right, collections alike    keywords    foreign")
        judged = [
            (one, relate([_candidate(row) for row in one.hits], how, granite().name))
            for one in seen
            if one.mode == mode and one.hits
        ]
        for percent in range(3, 16):
            least = how._replace(off_topic=percent / 100)
            empty: dict[str, dict[str, list[bool]]] = {}
            for one, hits in judged:
                if one.kind == "foreign" or any(row[4] for row in one.hits[:TOP]):
                    of_kind = empty.setdefault(one.kind, {})
                    of_kind.setdefault(one.collection, []).append(not on_topic(hits, least))
            asked = list(empty["asked"].values())
            cells = (
                fmean(lost for each in asked for lost in each),
                *(fmean(map(fmean, list(empty[kind].values()))) for kind in empty),
            )
            print(f"{percent / 100:.2f}  " + "  ".join(f"{cell:.4f}" for cell in cells))


if __name__ == "__main__":
    main()
