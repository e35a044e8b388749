"""Every regular expression of Pinyon needs time that grows with the text, and not with its square.

They are found in the source itself: one that is added is attacked without being listed here.
"""

import ast
import re
import time
from collections.abc import Iterator
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import pinyon
from tests.faults.length import LONG
from tests.fuzz.law import in_time

SOURCE = Path(pinyon.__file__).parent
CALLS = frozenset(
    {"compile", "match", "fullmatch", "search", "sub", "split", "findall", "finditer"}
)

BUILT = {
    "index/parse/code/__init__.py": 2,  # of languages.py: the beginning of a name and a signature
    "index/source/secrets.py": 1,  # globs of our own list, asked of the name of a file
    "inference/hub.py": 1,  # an escaped name, then a number of at most four digits
    "text/bm25.py": 1,  # two escaped words with at most one word between them
    "text/snippet.py": 1,  # alternatives without any repetition
    "text/written.py": 1,  # an escaped word, then letters
}
"""Calls of which the pattern is put together from what is asked; the reason why each is linear."""

SINGLES = " \n\taA0_'\"`-!(<[{&#:/.,“^\x1b\\=@*é日"
PAIRS = (
    "a ",
    "\n ",
    "a.",
    "Aa",
    "a1",
    "a-",
    "@a() ",
    "a='",
    "](",
    "[[",
    "a/",
    "<a ",
    "``",
    "&#",
    "|-",
)
SIZES = (32, 128, 512, 2_048, 8_192)
QUICK_S = 0.01
"""Quadratic time is far more than this for the last of SIZES, and exponential for the second."""


class Found(NamedTuple):
    where: str
    pattern: re.Pattern[Any]
    anchored: bool
    """Only asked where a text begins, never searched for in it."""

    def __str__(self) -> str:
        return self.where


def patterns() -> tuple[list[Found], dict[str, int]]:
    """All that can be had, and how many calls of each file build theirs from arguments."""
    found = []
    built: dict[str, int] = {}
    for file in sorted(SOURCE.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if not re.search(r"^ *import re$", text, re.MULTILINE):
            continue
        path = file.relative_to(SOURCE).as_posix()
        for call in calls(ast.parse(text)):
            pattern = written(call, path)
            if pattern is None:
                built[path] = built.get(path, 0) + 1
            else:
                found.append(Found(f"{path}:{call.lineno}", pattern, anchored(call, text)))
    return found, built


def calls(tree: ast.Module) -> Iterator[ast.Call]:
    """Each call of re that is given a pattern."""
    for node in ast.walk(tree):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute) and ast.unparse(called.value) == "re":
            assert isinstance(node, ast.Call)
            if called.attr in CALLS:
                yield node


def written(call: ast.Call, path: str) -> re.Pattern[Any] | None:
    """The pattern of a call, evaluated in its module; None where it depends on arguments."""
    name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    names = {**vars(import_module(f"pinyon.{name}")), "name": "script"}  # a name of an element
    flags = call.args[1:] if ast.unparse(call.func) == "re.compile" else []
    try:
        values = [eval(ast.unparse(each), names) for each in (call.args[0], *flags)]
    except NameError:
        return None
    return re.compile(*values)


def anchored(call: ast.Call, text: str) -> bool:
    """Whether all that is ever asked of it begins where the text does, or at a given place."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr in {"match", "fullmatch"}:
        return True
    lines = text.split("\n")
    made = next(line for line in reversed(lines[: call.lineno]) if line[:1] not in {"", " ", ")"})
    name = made.removeprefix("def ").partition("(" if made.startswith("def ") else " ")[0]
    asked = re.findall(rf"(?<!\w){re.escape(name)}(?:\(\)|\[[^\]]*\])?\.(\w+)\(", text)
    return bool(asked) and {*asked} <= {"match", "fullmatch"}


def attacks(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str, str]]:
    """What stands first, what is repeated, and what stands last so that it does not match."""
    source = (
        pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    )
    words = list(dict.fromkeys(re.findall(r"[A-Za-z@:.]{2,}|[^\w\s\\]{1,2}", source)))[:12]
    pumps = dict.fromkeys((*SINGLES, *PAIRS, *words))
    if LONG:
        singles = (*SINGLES, *(each for each in source if not each.isalnum()))
        own = dict.fromkeys((*" a", *singles[len(SINGLES) :]))
        pumps |= dict.fromkeys((*singles, *map("".join, product([*own][:10], repeat=2))))
    yield from product([""], pumps, ("\x01", "", "a") if LONG else ("\x01", "a"))
    yield from product(words, (" ", "a", "("), ("\x01",))


def taken(found: Found, text: str) -> float:
    """Seconds of computing, to the end of the text."""
    given: Any = text if isinstance(found.pattern.pattern, str) else text.encode("utf-8", "replace")
    begin = time.thread_time()
    if found.anchored:
        found.pattern.match(given)
        found.pattern.fullmatch(given)
    else:
        for _ in found.pattern.finditer(given):
            pass
    return time.thread_time() - begin


def superlinear(found: Found, first: str, pump: str, last: str) -> str:
    """How the time grows, where it grows faster than the text; empty where it does not."""

    def at(size: int) -> float:
        return taken(found, first + pump * (size // len(pump)) + last)

    slow = next((size for size in SIZES[1:] if at(size) > QUICK_S), 0)
    if not slow:
        return ""
    small, large = (min(at(size) for _ in range(3)) for size in (slow // 4, slow))
    if large < 9 * small or large < QUICK_S:  # four times the text: linear is 4, quadratic is 16
        return ""
    return f"{first!r} {pump!r} {last!r}: {large / small:.0f} times as long for 4 times the text"


def test_all_patterns_are_known() -> None:
    found, built = patterns()
    assert len(found) > 90
    assert built == BUILT


@pytest.mark.slow
def test_every_pattern_takes_time_in_proportion_to_the_text() -> None:
    slow = []
    tried = 0
    found, _ = patterns()
    for each in found:
        with in_time():
            for attack in attacks(each.pattern):
                tried += 1
                if grown := superlinear(each, *attack):
                    slow.append(f"{each.where}: {grown}")
                    break
    print(f"patterns: {len(found)}, attacks: {tried:,}")  # noqa: T201
    assert slow == []


@pytest.mark.parametrize("bad", [r"^\s*class", r"“[^”]*”", r"[^\w]*$", r"public\s+[\w ]+\("])
def test_the_attacks_find_what_is_quadratic(bad: str) -> None:
    pattern = Found("here", re.compile(bad, re.MULTILINE), bad.startswith("public"))
    assert any(superlinear(pattern, *attack) for attack in attacks(pattern.pattern))
