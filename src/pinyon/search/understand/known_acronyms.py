"""Known acronyms: the lists of what stands for what, the user's own and ours."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from pinyon.profiles.configured import ACRONYMS
from pinyon.search.understand.definitions import initials


class Acronyms(NamedTuple):
    """Acronym to expansion, both in lower case, and by the initials of the expansion the acronyms
    that may have it. An empty expansion: it is switched off."""

    expansions: Mapping[str, str]
    by_initials: Mapping[str, Sequence[str]]


def own(settings: Mapping[str, str]) -> Acronyms:
    """Those that the settings of a store name: `acronyms.RRF` is the expansion of RRF, as JSON."""
    return _read(tuple(item for item in settings.items() if item[0].startswith(ACRONYMS)))


@lru_cache(maxsize=8)  # by what they say: reading a thousand takes as long as a search
def _read(settings: tuple[tuple[str, str], ...]) -> Acronyms:
    import json

    expansions = {}
    for key, text in settings:
        try:
            expansion = json.loads(text)
        except (ValueError, RecursionError):  # it did not come through `config set`
            continue
        if isinstance(expansion, str):
            expansions[key.removeprefix(ACRONYMS).lower()] = expansion.strip().lower()
    return _listed(expansions)


@cache
def shipped() -> Acronyms:
    """Those of acronyms.toml."""
    return _listed(_table()["expansions"])


@cache
def small_words() -> frozenset[str]:
    """Words that need not have a letter in an acronym."""
    return frozenset(_table()["small"])


@cache
def _table() -> dict[str, Any]:
    import tomllib

    return tomllib.loads((Path(__file__).parent / "acronyms.toml").read_text("utf-8"))


def _listed(expansions: Mapping[str, str]) -> Acronyms:
    by_initials: dict[str, list[str]] = {}
    for acronym, expansion in expansions.items():
        if words := expansion.replace("-", " ").split():
            by_initials.setdefault(initials(words), []).append(acronym)
    return Acronyms(expansions, by_initials)
