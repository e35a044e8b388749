"""Snippet: the stretch of a text that answers best, its matches marked, safe to put into HTML."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from pinyon.text.prepare import boundaries, prepare, unspaced_run
from pinyon.text.stems import spans, stems

LEAD_IN = 5
"""Words before the first match, so that it does not stand at the very edge."""

WINDOW = 40_000
"""Characters that are looked at together; the first window with a match gives the snippet."""

MOST_HITS = 200
"""Matches of one window that are weighed against each other."""

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"}
_RUN = re.compile(r"\S+")
_BLANKS = re.compile(r"\s+")
_WHOLE = re.compile("[A-Za-z][a-z]*")  # nearly all words: written like this they have no parts


class Marker(NamedTuple):
    """What to mark: words with one of `stems`, words that begin with one of `prefixes`, or else
    `pieces` of text, letter by letter."""

    stems: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()

    def wants(self, stem: str) -> bool:
        return stem in self.stems or (bool(self.prefixes) and stem.startswith(self.prefixes))


Unit = tuple[int, int, str, float]
"""Where a word, or a character of a script without spaces, begins and ends; what it matches, if
anything; how many words it counts as."""


class Cut(NamedTuple):
    """A text in words: where each begins and ends, which ones match what, and how many words stand
    before each of them, and before the end."""

    spans: Sequence[Sequence[Any]]
    hits: Mapping[int, str]
    before: Sequence[float]


def snippet(text: str, marker: Marker, words: int) -> str:
    """About `words` words around the best match, or nothing where there is no match."""
    for begin in range(0, len(text), WINDOW):
        window = text[begin : begin + WINDOW]
        cut = _by_letters(window, marker) if marker.pieces else _by_words(window, marker)
        if cut.hits:
            first, last = _best(cut, words)
            cut_before = begin > 0 or first > 0
            cut_after = last < len(cut.spans) - 1 or begin + WINDOW < len(text)
            start = cut.spans[first][0] if cut_before else 0
            end = cut.spans[last][1] if cut_after else len(window)
            matches = [cut.spans[at] for at in cut.hits if first <= at <= last]
            marked = "".join(_marked(window, start, end, matches))
            return ("…" if cut_before else "") + marked.strip() + ("…" if cut_after else "")
    return ""


def lead(text: str, words: int) -> str:
    """The first words of a text."""
    beginning = text[: words * 40]
    found = _RUN.findall(beginning)
    cut = "…" if len(found) > words or len(text) > len(beginning) else ""
    return escape(" ".join(found[:words])) + cut


def escape(text: str) -> str:
    """Safe between tags and inside quoted attributes."""
    # Not html.escape: importing html reads two thousand names of entities, as slow as a search.
    for char, entity in _ENTITIES.items():
        if char in text:
            text = text.replace(char, entity)
    return text


def _by_words(text: str, marker: Marker) -> Cut:
    found = spans(text)
    wanted: Collection[str] = marker.stems
    if marker.prefixes:
        wanted = {stem for _, _, stem in found if marker.wants(stem)}
    if not text.isascii():
        units = ((start, end, stem if stem in wanted else "", 1) for start, end, stem in found)
        return _cut([part for unit in units for part in _parts(text, unit, marker)])
    hits = {at: stem for at, (_, _, stem) in enumerate(found) if stem in wanted}
    if places := boundaries(text):
        starts = [start for start, _, _ in found]
        # A stem without its last letter begins every word that it is the stem of.
        begins = [stem[:-1] or stem for stem in (*marker.stems, *marker.prefixes)]
        lower = text.lower()
        for at in {bisect_right(starts, place) - 1 for place in places}.difference(hits):
            start, end, _ = found[at]
            if any(lower.find(begin, start, end) >= 0 for begin in begins):
                hits[at] = _part(text[start:end], marker)
        hits = {at: hits[at] for at in sorted(hits) if hits[at]}
    return Cut(found, hits, range(len(found) + 1))


def _cut(units: Sequence[Unit]) -> Cut:
    hits = {at: hit for at, (_, _, hit, _) in enumerate(units) if hit}
    return Cut(units, hits, [0.0, *accumulate(size for _, _, _, size in units)])


def _parts(text: str, unit: Unit, marker: Marker) -> list[Unit]:
    """A word that does not match as a whole may match by a part of it."""
    start, end, hit, _ = unit
    if hit or _WHOLE.fullmatch(text, start, end):
        return [unit]
    units: list[Unit] = []
    done = start
    for run in unspaced_run().finditer(text, start, end):
        units += _word(text[done : run.start()], done, marker)
        units += _characters(run[0], run.start(), marker)
        done = run.end()
    return units + _word(text[done:end], done, marker)


def _word(word: str, start: int, marker: Marker) -> list[Unit]:
    """What stands beside a run without spaces, if anything."""
    return [(start, start + len(word), _part(word, marker), 1)] if word else []


def _part(word: str, marker: Marker) -> str:
    """The first part of a word that is wanted."""
    return next(filter(marker.wants, stems(prepare(word))), "")


def _characters(word: str, start: int, marker: Marker) -> list[Unit]:
    """A run without spaces, character by character: each belongs to the pairs on both its sides."""
    return [
        (
            start + at,
            start + at + 1,
            next(filter(marker.wants, (word[max(at - 1, 0) : at + 1], word[at : at + 2])), ""),
            0.5,
        )
        for at in range(len(word))
    ]


def _by_letters(text: str, marker: Marker) -> Cut:
    """The words of a text, split where a piece that was asked for stands inside them."""
    wanted = re.compile("|".join(map(re.escape, marker.pieces)), re.IGNORECASE)
    units: list[Unit] = []
    done = 0
    for found in wanted.finditer(text):
        units += _plain(text, done, found.start())
        units.append((found.start(), found.end(), found[0].casefold(), 1))
        done = found.end()
    return _cut([*units, *_plain(text, done, len(text))])


def _plain(text: str, start: int, end: int) -> Iterator[Unit]:
    for run in _RUN.finditer(text, start, end):
        yield run.start(), run.end(), "", 1


def _best(cut: Cut, words: int) -> tuple[int, int]:
    """The stretch with the most different matches, then the most matches, then the first one."""
    before, hits = cut.before, list(cut.hits.items())[:MOST_HITS]

    def stretch(at: int) -> tuple[int, int]:
        first = bisect_left(before, before[at] - min(LEAD_IN, words // 4))
        return first, bisect_right(before, before[first + 1] + words - 1) - 2

    def worth(at: int) -> tuple[int, int, int]:
        first, last = stretch(at)
        inside = [hit for at, hit in hits if first <= at <= last]
        return len(set(inside)), len(inside), -at

    return stretch(max((at for at, _ in hits), key=worth))


def _marked(text: str, start: int, end: int, matches: Sequence[Sequence[Any]]) -> Iterator[str]:
    """Matches that touch each other are marked as one."""
    done = start
    opened = False
    for match in matches:
        first, last = match[0], match[1]
        if not opened or first > done:
            yield "</mark>" if opened else ""
            yield _on_one_line(text[done:first])
            yield "<mark>"
            opened = True
        yield escape(text[first:last])
        done = last
    yield "</mark>" if opened else ""
    yield _on_one_line(text[done:end])


def _on_one_line(gap: str) -> str:
    if not gap.isprintable() or "  " in gap:
        gap = _BLANKS.sub(" ", gap)
    return escape(gap)
