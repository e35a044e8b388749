"""Times: the time that a question speaks of, as a period: "last week", "in May 2023", "since 2020".

The words stand in times.toml, a table for each language. The first time that is spoken of counts.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from pinyon.search.understand.digits import Classes, classes_of
from pinyon.search.understand.periods import BOUNDS, RULES, Period, Said

_PIECE = re.compile(r'"[^"]*"|`[^`]*`|([^\s,;!?()\[\]{}"`–—]+|[–—])|[;!?()\[\]{}"`]')
"""A word, or what ends a sentence. What stands in quotes is meant letter by letter: no time."""
_YEARS = re.compile(r"((?:19|20)\d\d)-((?:19|20)\d\d)")
_MEANING = ""
"""The key of a node under which stands what is meant where nothing follows."""

Node = dict[str, Any]
"""Of a tree of phrases: the nodes of what may come next, a word or a class in braces."""


class Token(NamedTuple):
    """A word in small letters; an empty one ends a sentence."""

    word: str
    classes: Classes


class Language(NamedTuple):
    """A table of times.toml, made to look things up in. `capitals` are the classes that a word has
    only with a capital."""

    words: Mapping[str, Classes]
    capitals: Mapping[str, Classes]
    phrases: Node
    bounds: Mapping[str, str]
    articles: frozenset[str]
    fillers: frozenset[str]
    joiners: frozenset[str]
    ranges: frozenset[str]
    counted: frozenset[str]
    ordinals: frozenset[str]


class Phrase(NamedTuple):
    """A phrase that was found: what it means, what its words say, and where it ends."""

    meaning: Mapping[str, Any]
    said: Said
    end: int


def period_of(text: str, now: datetime) -> Period | None:
    """The start and the end, which is not included, in UTC; None where it speaks of no time. Any
    text will do; linear in its length."""
    now = now.astimezone(UTC)
    heard = (_first(text, now, language) for language in _languages())
    return next((period for period in heard if period), None)


def _first(text: str, now: datetime, language: Language) -> Period | None:
    tokens = list(_tokens(text, language))
    at = 0
    while at < len(tokens):
        phrase = _longest(tokens, at, language)
        if phrase and phrase.meaning:
            try:
                period = _heard(tokens, at, phrase, language, now)
            except (ValueError, OverflowError):  # 31 February, 9999 years ago
                period = None
            if period and period[0] < period[1]:
                return period
        at = phrase.end if phrase and not phrase.meaning else at + 1
    return None


def _heard(
    tokens: Sequence[Token], at: int, phrase: Phrase, language: Language, now: datetime
) -> Period | None:
    """What a phrase means where it stands: beside another one, and after a word that bounds it."""
    before = _before(tokens, at, language)
    other = _joined(tokens, phrase, language)
    if not (_may_follow(before, phrase) or (other and before[0] in language.ranges)):
        return None
    period = _period(phrase, now)
    if other:
        later = _period(other, now)
        if later[0] <= period[0]:  # from November to February
            period = _period(phrase, later[0])
        period = min(period[0], later[0]), max(period[1], later[1])
    bound = next((language.bounds[words] for words in before if words in language.bounds), "")
    return BOUNDS[bound](period, now) if bound else period


def _before(tokens: Sequence[Token], at: int, language: Language) -> tuple[str, str, str]:
    """The word before a phrase, the two words before it, and the word before an article."""
    while at and tokens[at - 1].word in language.fillers:
        at -= 1
    last = tokens[at - 1].word if at else ""
    first = tokens[at - 2].word if at > 1 else ""
    return last, f"{first} {last}", first if last in language.articles else ""


def _may_follow(before: Collection[str], phrase: Phrase) -> bool:
    words, never = phrase.meaning.get("words"), phrase.meaning.get("never", ())
    if words is None:
        return True
    return any(one in words for one in before) and not any(one in never for one in before)


def _joined(tokens: Sequence[Token], phrase: Phrase, language: Language) -> Phrase | None:
    """The phrase that this one is joined with: "and June", "to 2022"."""
    if phrase.end < len(tokens) and tokens[phrase.end].word in language.joiners:
        other = _longest(tokens, phrase.end + 1, language)
        return other if other and other.meaning else None
    return None


def _period(phrase: Phrase, now: datetime) -> Period:
    return RULES[phrase.meaning["means"]]({**phrase.meaning, **phrase.said}, now)


def _longest(tokens: Sequence[Token], at: int, language: Language) -> Phrase | None:
    """The longest phrase that begins there; of equally long ones one that means something, then the
    one with the plainest words."""
    if at < len(tokens) and not tokens[at].classes and tokens[at].word not in language.phrases:
        return None  # as for most words: no phrase begins with any word whatever
    best: Phrase | None = None
    waiting: list[tuple[Node, int, Said]] = [(language.phrases, at, {})]
    while waiting:
        node, place, said = waiting.pop()
        if _MEANING in node:
            found = Phrase(node[_MEANING], said, place)
            best = max(best or found, found, key=lambda one: (one.end, bool(one.meaning)))
        if place < len(tokens) and (word := tokens[place].word):
            # The last is looked at first.
            steps = (("{any}", {}), *tokens[place].classes.items(), (word, {}))
            waiting += [
                (node[key], place + 1, {**said, **says}) for key, says in steps if key in node
            ]
    if best and best.meaning.get("uncounted") and best.end < len(tokens):
        return None if tokens[best.end].word in language.counted else best
    return best


def _tokens(text: str, language: Language) -> Iterator[Token]:
    shouted, begins = text.isupper(), True
    for found in _PIECE.finditer(text):
        piece = (found[1] or "").strip("'‘’.:")
        word = piece.lower().removesuffix("'s").removesuffix("’s")
        for part in _parts(word, language) if word else [""]:
            classes = language.words.get(part) or classes_of(part, language.ordinals)
            follows = text[found.end() + 1 : found.end() + 2]
            if piece[:1].isupper() and not shouted and (not begins or follows.isdecimal()):
                classes = {**classes, **language.capitals.get(part, {})}
            yield Token(part, classes)
        begins = not word
        if word and found[0][-1] in ".:" and word not in language.words:  # but "Jan."
            yield Token("", {})
            begins = True


def _parts(word: str, language: Language) -> Iterable[str]:
    """Two of "mid-may", three of "2020-2022"."""
    first, hyphen, rest = word.partition("-")
    if hyphen and first in language.fillers:
        return first, rest
    years = _YEARS.fullmatch(word)
    return (years[1], "–", years[2]) if years else (word,)


@cache
def _languages() -> tuple[Language, ...]:
    import tomllib

    tables = tomllib.loads(Path(__file__).with_name("times.toml").read_text("utf-8"))
    return tuple(map(_language, tables.values()))


def _language(table: Mapping[str, Any]) -> Language:
    words: dict[str, dict[str, Said]] = {}
    capitals: dict[str, dict[str, Said]] = {}
    for name, part, word, value in _words(table):
        words.setdefault(word, {})[f"{{{name}}}"] = {part: value}
        careful = capitals if word in table["also_words"] else words
        careful.setdefault(word, {})[f"{{{name.capitalize()}}}"] = {part: value}
    phrases: Node = {}
    for written, meaning in (*table["phrases"].items(), *table["after"].items()):
        for path in _ways(written):
            node = phrases
            for step in path:
                node = node.setdefault(step, {})
            node[_MEANING] = meaning
    sets = ("articles", "fillers", "joiners", "ranges", "counted", "ordinals")
    return Language(
        words, capitals, phrases, table["bounds"], *(frozenset(table[name]) for name in sets)
    )


def _words(table: Mapping[str, Any]) -> Iterator[tuple[str, str, str, Any]]:
    """Each word of a class: the class, what it says, the word, the value that it then has."""
    for name, start in (("month", 1), ("weekday", 0), ("quarter", 1)):
        for value, spelt in enumerate(table[f"{name}s"], start):
            yield from ((name, name, word, value) for word in spelt)
    for name in ("season", "number"):
        yield from ((name, name, word, value) for word, value in table[f"{name}s"].items())
    for name, units in (("unit", table["units"]), ("calendar", table["calendar"])):
        for unit, spelt in units.items():
            yield from ((name, "unit", word, unit) for word in spelt)


def _ways(written: str) -> Iterator[list[str]]:
    """Every way to say a phrase: "a|b" is either, "a?" may be missing."""
    steps = [
        [*step.removesuffix("?").split("|"), *[""] * step.endswith("?")] for step in written.split()
    ]
    return ([step for step in way if step] for way in product(*steps))
