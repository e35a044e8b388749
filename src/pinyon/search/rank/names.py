"""Names: who a question names, of those whom the store knows: authors, and entities by any name.

Only whole names count, and one that is also a word only where it is written like a name.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pinyon.text.prepare import prepare
from pinyon.text.stems import words
from pinyon.text.stop_lists import stop_list

if TYPE_CHECKING:
    from pinyon.store.contract import View

MOST = 50
"""Entities that one question can mean; one that names more means none in particular."""

_WORD = re.compile(r"(^|[.?!:;])?[\s\"'“‘(]{0,4}(\w+)")
"""A word, and whether a sentence begins with it, where a capital says nothing."""


class Called(NamedTuple):
    """The authors that are meant, by any name that the store has for them, and the entities."""

    authors: frozenset[str]
    entities: frozenset[str]


def called(view: "View", text: str, given: Sequence[str] = ()) -> Called:
    """Whom the text names. Authors that are `given` stand over those that are named."""
    from pinyon.store.questions import Named

    if given:
        return Called(frozenset(given), frozenset())
    asked = frozenset(stem for _, stem in words(prepare(text)))
    if not asked:
        return Called(frozenset(), frozenset())
    authors = set(_meant(view.survey(Named("author", asked)), text))
    ids = view.survey(Named("entity", asked))
    known = view.fetch(ids) if 0 < len(ids) <= MOST else {}
    entities = set()
    for id, entity in known.items():
        names = (entity.title, *entity.aliases)
        if _meant([name for name in names if _whole(name, asked)], text):
            entities.add(id)
            authors.update(names)
    return Called(frozenset(filter(None, authors)), frozenset(entities))


def _meant(names: Iterable[str], text: str) -> list[str]:
    """Those of the names that are no word of every day, or that are written with a capital."""
    return [name for name in names if not (parts := _every_day(name)) or parts <= _capitals(text)]


def _every_day(name: str) -> frozenset[str]:
    """The words of a name, in small letters, where all of them are also words; else none."""
    parts = frozenset(word.lower() for word, _ in words(prepare(name)))
    return parts if parts <= _also_words() | stop_list("prose") else frozenset()


def _capitals(text: str) -> frozenset[str]:
    """The words that are written with a capital for their own sake, in small letters."""
    return frozenset(
        found[2].lower()
        for found in _WORD.finditer("" if text.isupper() else text)
        if found[2][0].isupper() and found[1] is None
    )


def _whole(name: str, asked: frozenset[str]) -> bool:
    stems = {stem for _, stem in words(prepare(name))}
    return bool(stems) and stems <= asked


@cache
def _also_words() -> frozenset[str]:
    import tomllib

    data = tomllib.loads(Path(__file__).with_name("names.toml").read_text("utf-8"))
    return frozenset(word for group in data.values() for word in group)
