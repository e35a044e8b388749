"""Secrets: names of files that hold keys, passwords or tokens. Such a file is never opened."""

import re
from fnmatch import translate
from functools import cache
from importlib.resources import files


def secret(name: str) -> bool:
    """Whether a file of this name may hold secrets; upper and lower case are the same."""
    return bool(_patterns().match(name.lower()))


@cache
def _patterns() -> re.Pattern[str]:
    listed = files("pinyon.index.source").joinpath("secrets.txt").read_text(encoding="utf-8")
    lines = (line.strip() for line in listed.splitlines())
    return re.compile("|".join(translate(line) for line in lines if line and line[0] != "#"))
