"""Ignore: the rules of `.gitignore` and `.pinyonignore`, as git reads them.

A rule counts below the folder that its file is in. Among those that match, the last one of the
deepest file decides, and `!` takes a file back in. Where both files are, `.pinyonignore` has the
last word.
"""

import warnings
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

IGNORE_FILES = (".gitignore", ".pinyonignore")
MOST_BYTES = 1_000_000
MOST_DEPTHS = 3
"""How often a line may say `**`: each one multiplies the time that it takes."""

_ANY = "[^/]*"
"""What pathspec makes of a star."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of an ignore file that stands in `base`, a path with a slash at its end, or ""."""

    base: str
    pattern: "GitIgnoreSpecPattern"
    exclude: bool
    only_folders: bool


@dataclass(frozen=True, slots=True)
class Rules:
    """Every rule that counts in a folder, the strongest last."""

    rules: tuple[Rule, ...] = ()

    def ignore(self, path: str, *, folder: bool) -> bool:
        """Whether the path is left out. Asked of a folder before anything in it: what is in an
        ignored folder cannot be taken back in."""
        for rule in reversed(self.rules):
            if (folder or not rule.only_folders) and _matches(rule, path):
                return rule.exclude
        return False


NO_RULES = Rules()


def rules_of(folder: str, root: Path, names: Collection[str], above: Rules) -> Rules:
    """The rules inside `folder`: those above it and those of its own ignore files, if it has any.

    An ignore file that cannot be read has no rules.
    """
    base = f"{folder}/" if folder else ""
    own = [
        rule
        for name in IGNORE_FILES
        if name in names
        for line in _lines_of(root / folder / name)
        if (rule := _rule(base, line))
    ]
    return Rules((*above.rules, *own)) if own else above


def _lines_of(file: Path) -> list[str]:
    if file.is_symlink() or not file.is_file():
        return []
    try:
        with file.open("rb") as opened:
            text = opened.read(MOST_BYTES).decode("utf-8-sig", "replace")
    except OSError:
        return []
    return text.replace("\r\n", "\n").split("\n")


def _rule(base: str, line: str) -> Rule | None:
    bare = line.rstrip()
    only_folders = bare.endswith("/")
    if bare.count("**/") > MOST_DEPTHS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # [[:alpha:]] will mean something else
            pattern = _pattern()(bare[:-1] if only_folders else line)
    except (ValueError, RecursionError):  # git leaves out a line that makes no sense, too
        return None
    if pattern.include is None:
        return None
    return Rule(base, pattern, pattern.include, only_folders)


@cache
def _pattern() -> "Callable[[str], GitIgnoreSpecPattern]":
    # Imported here: only an index run needs it, and only where there is an ignore file.
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    class Linear(GitIgnoreSpecPattern):
        """What stands between two stars is taken where it comes first, and never looked for again:
        else `*a*a*a*a*b` takes minutes for one long name."""

        @staticmethod
        def _translate_segment_glob(pattern: str, range_error: Any) -> str:
            whole = GitIgnoreSpecPattern._translate_segment_glob(pattern, range_error)
            first, *between = whole.split(_ANY)
            if not between:
                return first
            *between, last = between
            return first + "".join(f"(?>{_ANY}?{each})" for each in between if each) + _ANY + last

    return cast("Callable[[str], GitIgnoreSpecPattern]", Linear)


def _matches(rule: Rule, path: str) -> bool:
    """Whether the rule names this very path. pathspec also matches what is below a path that the
    rule names, and captures the slash when it does; but the folders above were asked already."""
    if not path.startswith(rule.base):
        return False
    found = rule.pattern.match_file(path[len(rule.base) :])
    return found is not None and found.match.lastgroup is None
