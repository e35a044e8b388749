"""Proofs: which requirement each collected test says that it proves.

A test says it with `@pytest.mark.proves("V1")`, or with `proves("S14", part="history")` where
tests/requirements.toml lists parts. One marker names one requirement; a test may have several.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True, slots=True)
class Proof:
    """`test` says that it proves the requirement `id`, or the `part` of it."""

    id: str
    part: str | None
    test: str


@dataclass(frozen=True, slots=True)
class Collected:
    """Every test of this run, those included that `-m` or `-k` leave out afterwards.

    `missing` says why the run does not see the whole suite, and is empty when it does.
    """

    items: tuple[pytest.Item, ...]
    proofs: tuple[Proof, ...]
    missing: str


def collect(config: pytest.Config, items: Sequence[pytest.Item]) -> Collected:
    """Raises `pytest.UsageError` for a `proves` marker that cannot be read."""
    proofs = tuple(proof for item in items for proof in proofs_of(item))
    return Collected(tuple(items), proofs, missing_from(config))


def proofs_of(item: pytest.Item) -> Iterator[Proof]:
    for marker in item.iter_markers("proves"):
        try:
            yield _proof(item.nodeid, *marker.args, **marker.kwargs)
        except TypeError as problem:
            raise pytest.UsageError(
                f'{item.nodeid}: write proves("V1") or proves("S14", part="history") ({problem})'
            ) from None


def missing_from(config: pytest.Config) -> str:
    """Why this run does not collect the whole suite; empty when it does."""
    root = config.rootpath.resolve()
    named = {(config.invocation_params.dir / argument).resolve() for argument in config.args}
    if not named & {root, root / "tests"}:
        return "only a part of the tests was named"
    for option in ("ignore", "ignore_glob", "lf"):
        if config.getoption(option, default=None):
            return f"--{option.replace('_', '-')} leaves tests out"
    return ""


def source_of(item: pytest.Item) -> tuple[Path, str]:
    """The file and the name of the function that a test runs, seen through hypothesis' `given`.

    Where that function is not ours (a state machine of hypothesis), the file is the test's own.
    """
    function: Any = getattr(item, "function", None) or getattr(item, "obj", None)
    function = getattr(function, "__func__", function)
    inner = getattr(getattr(function, "hypothesis", None), "inner_test", function)
    path = Path(inner.__code__.co_filename).resolve()
    ours = path.is_relative_to(item.config.rootpath.resolve() / "tests")
    return (path if ours else item.path.resolve()), inner.__name__


def _proof(test: str, /, id: str, *, part: str | None = None) -> Proof:
    return Proof(id=id, part=part, test=test)
