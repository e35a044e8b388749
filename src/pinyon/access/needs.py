"""Needs: which capabilities each thing takes that can be done with a store."""

from collections.abc import Mapping

from pinyon.access.permit import Permit
from pinyon.model.errors import NotPermitted

NEEDS: Mapping[str, tuple[str, ...]] = {
    "search": ("search",),
    "override": ("search", "admin"),  # it can name a server that texts are sent to
    "brief": ("search",),
    "get": ("search",),
    "history": ("search",),
    "related": ("search",),
    "conflicts": ("search",),
    "values": ("search",),
    "whole": ("search",),
    "profiles": ("search",),
    "tiers": ("search",),
    "save": ("write",),
    "update": ("search", "write"),  # they show what was there
    "correct": ("search", "write"),
    "forget": ("write",),
    "purge": ("write", "admin"),
    "link": ("write",),
    "unlink": ("write",),
    "feedback": ("write",),
    "index": ("admin",),
    "embed": ("admin",),
    "config": ("admin",),
    "configure": ("admin",),
}
"""`whole` is what speaks of the whole store."""

HARMLESS = (
    *("expand.top_k", "expand.max_results", "expand.min_score", "expand.override"),
    *("rank.weights.", "track.use"),
)
"""How the paths begin that any search may change in a profile: they choose among what is found."""


def check(permit: Permit, what: str) -> None:
    """Raises NotPermitted."""
    missing = [each for each in NEEDS[what] if each not in permit.capabilities]
    if missing:
        raise NotPermitted(
            f"{permit.name} may not {what}: it lacks {missing[0]}",
            remedy=f"use a token that can {', '.join(NEEDS[what])}",
        )


def harmless(path: str, permit: Permit) -> bool:
    """Whether this part of a profile may be changed without the capability. How far links are
    followed is not for a caller with scopes to say: they would lead through what it cannot see."""
    return path.startswith(HARMLESS) or (path == "expand.depth" and not permit.scopes)
