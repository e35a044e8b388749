"""Written: a profile as the text of a file of its own, which says only what it changes."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pinyon.model.profile import Profile


def written(inherited: Profile, profile: Profile, *, remarks: Sequence[str] = ()) -> str:
    """The file that makes `profile` out of the one that it inherits, with remarks above, a line
    each. What it is about always stands there: the other's words do not fit."""
    lines = [f"# {remark}" for remark in remarks]
    lines += [f"about = {toml(profile.about)}", f"inherits = {toml(inherited.name)}"]
    for section, values in _differing("", inherited, profile):
        lines += ["", f"[{section}]", *(f"{name} = {toml(each)}" for name, each in values.items())]
    return "\n".join(lines) + "\n"


def toml(value: Any) -> str:
    """A value of a profile on one line."""
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(name)} = {toml(each)}" for name, each in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    # Texts, numbers and booleans are written alike in JSON and in TOML.
    return json.dumps(value, ensure_ascii=False)


def _differing(path: str, before: Any, after: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each section with what it has otherwise, those inside of it after it."""
    values, sections = {}, []
    for name in after._fields:
        old, new = getattr(before, name), getattr(after, name)
        if hasattr(new, "_fields"):
            sections.append((f"{path}.{name}" if path else name, old, new))
        elif old != new:
            values[name] = new
    if path and values:
        yield path, values
    for section in sections:
        yield from _differing(*section)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name, re.ASCII) else json.dumps(name, ensure_ascii=False)
