"""Configured: what the settings of a store change in a profile, and what a setting may be.

`profiles.NAME.PATH` is one value of a profile, `learned.NAME` what feedback made of it: an object
whose "override" maps paths to values. What is configured stands over what was learnt, and what one
call says over both. `acronyms.RRF` is what RRF stands for; an empty text: for nothing.
"""

import math
from collections.abc import Mapping
from typing import Any

from pinyon.model.errors import InvalidInput, UnknownSetting
from pinyon.model.profile import Profile
from pinyon.profiles.load import Folders, load

PROFILES = "profiles."
LEARNED = "learned."
ACRONYMS = "acronyms."

SWITCHES = ("true", "false")
PLAIN: Mapping[str, str] = {
    "log_queries": "true",
    "track_use": "true",
    "log_days": "90",
    "log_most": "10000",
}
"""The other settings, with what holds where they are not set: whether questions are logged, whether
use is counted, for how many days questions are kept, and how many at most."""

KEYS = (*PLAIN, "profiles.NAME.PATH", "acronyms.NAME")

LONGEST = 9
"""Digits of a whole number."""

LONGEST_ACRONYM, LONGEST_EXPANSION = 12, 120
"""Characters of an acronym, and of what it stands for."""


def configured(settings: Mapping[str, str], name: str) -> dict[str, Any]:
    """The changes to the profile NAME that a store holds, by path, in the order in which they are
    made. Raises InvalidInput, with the key to unset, where one cannot be read."""
    return over(learnt(settings, name).get("override", {}), chosen(settings, name))


def chosen(settings: Mapping[str, str], name: str) -> dict[str, Any]:
    """What somebody configured of the profile NAME, by path."""
    prefix = f"{PROFILES}{name}."
    # A path sorts before those that go on from it, so a whole table comes before its parts.
    return {
        key.removeprefix(prefix): _read(key, settings[key])
        for key in sorted(settings)
        if key.startswith(prefix)
    }


def learnt(settings: Mapping[str, str], name: str) -> dict[str, Any]:
    """What feedback made of the profile NAME, with its proof; empty where nothing was learnt."""
    key = f"{LEARNED}{name}"
    if key not in settings:
        return {}
    found = _read(key, settings[key])
    if not isinstance(found, dict) or not isinstance(found.get("override", {}), dict):
        raise _broken(key)
    return found


def over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Both, each in its order, those above last: changes are made one after the other, so a table
    that is given whole must not come before a part of the same table from below."""
    return {**{path: value for path, value in below.items() if path not in above}, **above}


def value_at(profile: Profile, path: str) -> Any:
    """One value of a profile, as plain data. Raises UnknownSetting where there is none."""
    found: Any = profile
    for key in path.split("."):
        table = found._asdict() if hasattr(found, "_asdict") else found
        if not isinstance(table, Mapping) or key not in table:
            known = table if isinstance(table, Mapping) else ()
            raise UnknownSetting(f"{profile.name}: no setting {path}", known)
        found = table[key]
    return plain(found)


def plain(value: Any) -> Any:
    """Sections and tables as dictionaries, tuples as lists."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    return list(value) if isinstance(value, tuple) else value


def check_setting(
    key: str, value: str, settings: Mapping[str, str], folders: Folders
) -> tuple[str, str]:
    """The value as it is kept, and what should be said of it. Raises UnknownSetting, or
    UnknownProfile, where there is no such key or the value does not fit it."""
    if key.startswith(PROFILES):
        return _checked_profile(key, value, settings, folders)
    if key.startswith(ACRONYMS):
        return _checked_acronym(key, value), ""
    if key not in PLAIN:
        raise UnknownSetting(f"no setting {key!r}", KEYS)
    if PLAIN[key] in SWITCHES:
        if value not in SWITCHES:
            raise UnknownSetting(f"{key} must be true or false, not {value!r}", SWITCHES)
    elif not (value.isascii() and value.isdigit() and len(value) <= LONGEST):
        raise UnknownSetting(
            f"{key} must be a whole number, not {value!r}", remedy=f"for example {PLAIN[key]}"
        )
    return value, ""


def check_removal(key: str, settings: Mapping[str, str]) -> None:
    """Raises UnknownSetting where the key is neither set nor one that could be."""
    ours = [known for known in settings if known.startswith((PROFILES, LEARNED, ACRONYMS))]
    if key not in PLAIN and key not in ours:
        raise UnknownSetting(f"{key!r} is not set", [*PLAIN, *ours])


def _checked_profile(
    key: str, value: str, settings: Mapping[str, str], folders: Folders
) -> tuple[str, str]:
    """By loading the profile with the change on top of all others."""
    import json

    name, _, path = key.removeprefix(PROFILES).partition(".")
    if not path:
        load(name, folders)
        fields = [field for field in Profile._fields if field != "name"]
        raise UnknownSetting(f"{key}: which setting of {name}?", fields)
    parsed = typed(value)
    kept = json.dumps(parsed, ensure_ascii=False)
    profile = load(name, folders, configured({**settings, key: kept}, name))
    return kept, _shares(profile, path)


def _checked_acronym(key: str, value: str) -> str:
    import json

    acronym = key.removeprefix(ACRONYMS)
    if not (acronym.isalnum() and 2 <= len(acronym) <= LONGEST_ACRONYM):
        raise UnknownSetting(
            f"{key}: an acronym is one word of 2 to {LONGEST_ACRONYM} letters and digits",
            remedy='for example pinyon config set acronyms.RRF "reciprocal rank fusion"',
        )
    given = typed(value)
    expansion = " ".join((given if isinstance(given, str) else value).split())
    if len(expansion) > LONGEST_EXPANSION:
        raise UnknownSetting(
            f"{key}: what it stands for has at most {LONGEST_EXPANSION} characters",
            remedy="give the words alone",
        )
    return json.dumps(expansion, ensure_ascii=False)


def typed(value: str) -> Any:
    """A value of JSON or TOML, or a number that begins with its point, else the text itself: nobody
    should have to quote twice in a shell."""
    import json
    import tomllib

    for text in (value, f"0{value}" if value.startswith(".") else value):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            continue
    try:
        table = tomllib.loads(f"value = {value}")
        json.dumps(table)
    except (ValueError, RecursionError, TypeError):  # also a date of TOML, which JSON does not know
        return value
    return table["value"] if len(table) == 1 else value


def _shares(profile: Profile, path: str) -> str:
    """Weights need not sum to 1; whoever sets one is told what they count then."""
    weights = dict(profile.rank.weights)
    if path.startswith("rank.with_vectors"):
        weights |= profile.rank.with_vectors
    elif path.removeprefix("rank.weights.") in profile.rank.with_vectors:
        return f"where vectors answer, rank.with_vectors of {profile.name} stands over it"
    elif not path.startswith("rank.weights"):
        return ""
    total = math.fsum(weights.values())
    if not weights or math.isclose(total, 1, abs_tol=1e-9):
        return ""
    counted = ", ".join(f"{name} {weight / total:.3g}" for name, weight in weights.items())
    return f"the weights of {profile.name} sum to {total:.3g}; as shares of 1 they count {counted}"


def _read(key: str, text: str) -> Any:
    import json

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise _broken(key) from None


def _broken(key: str) -> InvalidInput:
    return InvalidInput(f"the setting {key} is broken", remedy=f"pinyon config unset {key}")
