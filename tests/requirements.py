"""Requirements: what tests/requirements.toml promises, and what of it the tests do not keep."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.proofs import Proof

FILE = Path(__file__).with_name("requirements.toml")


@dataclass(frozen=True, slots=True)
class Requirement:
    """`pending` is True for the whole requirement, or names the parts that are not built yet."""

    says: str
    parts: tuple[str, ...] = ()
    pending: bool | tuple[str, ...] = False

    def __post_init__(self) -> None:
        if not self.says or "\n" in self.says:
            raise ValueError("`says` must be one line")
        if self.pending is not True and self.pending is not False:
            unknown = set(self.pending) - set(self.parts)
            if unknown or not self.pending:
                raise ValueError(f"`pending` names {sorted(unknown)}, known are {self.parts}")
            if set(self.pending) == set(self.parts):
                raise ValueError("`pending` names every part: write true")

    @property
    def claims(self) -> tuple[str | None, ...]:
        """What a test can prove: each part, or the requirement itself (None) when it has none."""
        return self.parts or (None,)

    def waits(self, part: str | None) -> bool:
        """Whether this claim is still pending."""
        return self.pending if isinstance(self.pending, bool) else part in self.pending


def read_requirements(text: str) -> dict[str, Requirement]:
    """Raises ValueError or TypeError, with the id, for an entry that does not fit."""
    return {id: _requirement(id, entry) for id, entry in tomllib.loads(text).items()}


def disagreements(requirements: Mapping[str, Requirement], proofs: Iterable[Proof]) -> list[str]:
    """One line for each claim without a proof, each proof of something unknown, each pending
    claim that is proven; empty when the promises and the tests agree."""
    said: dict[tuple[str, str | None], str] = {}
    for proof in proofs:
        said.setdefault((proof.id, proof.part), proof.test)
    claims = {(id, part): one for id, one in requirements.items() for part in one.claims}
    return [
        *(
            f"{_name(claim)}: no test proves it, and it is not pending"
            for claim, one in claims.items()
            if claim not in said and not one.waits(claim[1])
        ),
        *(
            f"{_name(claim)}: proven by {said[claim]}, so it is no longer pending"
            for claim, one in claims.items()
            if claim in said and one.waits(claim[1])
        ),
        *(
            f"{test} names {_name(claim)}: {_known(requirements, claim[0])}"
            for claim, test in said.items()
            if claim not in claims
        ),
    ]


def _requirement(id: str, entry: object) -> Requirement:
    if not isinstance(entry, dict):
        raise TypeError(f"{id}: not a table")
    fields: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()
    }
    try:
        return Requirement(**fields)
    except (TypeError, ValueError) as problem:
        raise type(problem)(f"{id}: {problem}") from None


def _name(claim: tuple[str, str | None]) -> str:
    id, part = claim
    return id if part is None else f"{id} ({part})"


def _known(requirements: Mapping[str, Requirement], id: str) -> str:
    if id not in requirements:
        return "there is no such id"
    parts = requirements[id].parts
    return f"it has the parts {', '.join(parts)}" if parts else "it has no parts"
