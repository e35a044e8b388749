"""Budget: as much of the best hits as fits a number of tokens.

Each hit has forms: a few words around the match, the usual snippet, the passage that it stands in
and, where whole records were asked for, the record. A form is bought when its turn comes, and the
turns do not depend on the budget: so more tokens show the same and more. The longer a form is, the
more further hits come before it with their shortest one: several in short beat one in full.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pinyon.model.hit import Hit
from pinyon.model.profile import PresentSection
from pinyon.search.present.hits import Standing, hit_of
from pinyon.text.snippet import Marker

CHARACTERS = 4
"""Of one token, near enough for planning."""

WAITS = (0, 2, 8, 16)
"""How many further hits come before each form of one."""

FORMS: Mapping[str, tuple[float, ...]] = {
    "scan": (0.25, 1),
    "match": (0.25, 1, 6),
    "full": (0.25, 1, 6, 0),
}
"""The forms of a hit in each mode, short to long: how many times the words of a snippet, or the
letters of a beginning, that a profile asks for. Six times 32 words are a passage; 0 is the whole
record."""


class Fitted(NamedTuple):
    """The hits that are shown, in their order, and how many have no room."""

    hits: list[Hit]
    no_room: int


def fit(
    standing: Sequence[Standing],
    tokens: int,
    marker: Marker,
    mode: str,
    how: PresentSection,
    tiers: Mapping[str, str],
) -> Fitted:
    """All hits together show at most `tokens`; with more of them, never less of the first one.

    Once a turn is too dear, what is left goes to further turns that it is enough for, but not to
    the first hit: with a few tokens more it would have to give them back."""
    shown: dict[int, Hit] = {}
    left = tokens * CHARACTERS
    dear = False
    for place, form in _turns(len(standing), len(FORMS[mode])):
        if dear and place == 0:
            continue
        hit = _in_form(standing[place], FORMS[mode][form], marker, mode, how, tiers)
        had = size(shown[place]) if place in shown else 0
        cost = size(hit) - had
        if cost > left:
            dear = True
        elif cost > 0 or place not in shown:
            shown[place] = hit
            left -= cost
    return Fitted([shown[place] for place in sorted(shown)], len(standing) - len(shown))


def size(hit: Hit) -> int:
    """The characters that a hit shows."""
    whole = len(hit.record.body) + len(hit.record.context) if hit.record else 0
    return len(hit.id) + len(hit.title) + len(hit.snippet) + whole


def _turns(hits: int, forms: int) -> Iterator[tuple[int, int]]:
    """Place and form of each turn; of several that waited alike, the best hit is first."""
    turns = ((place + WAITS[form], place, form) for place in range(hits) for form in range(forms))
    return ((place, form) for _, place, form in sorted(turns))


def _in_form(
    standing: Standing,
    times: float,
    marker: Marker,
    mode: str,
    how: PresentSection,
    tiers: Mapping[str, str],
) -> Hit:
    if not times:
        return hit_of(standing, marker, mode, how, tiers)
    scaled = how._replace(words=max(1, round(how.words * times)), lead=round(how.lead * times))
    return hit_of(standing, marker, "match" if mode == "full" else mode, scaled, tiers)
