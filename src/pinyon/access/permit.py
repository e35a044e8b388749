"""Permit: what a caller may do, in which tiers and scopes."""

from dataclasses import dataclass

CAPABILITIES = ("search", "write", "admin")
"""search: ask and read; write: change records; admin: folders, models, settings, tiers, purging.
None holds another one."""


@dataclass(frozen=True, slots=True)
class Permit:
    """Without `tiers` all of them are open, without `scopes` every scope; a scope means everything
    below it too."""

    name: str
    capabilities: frozenset[str]
    tiers: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()

    def inside(self, scope: str) -> bool:
        """Whether what lies in this scope can be seen."""
        return not self.scopes or any(f"{scope}/".startswith(f"{each}/") for each in self.scopes)


OWNER = Permit("owner", frozenset(CAPABILITIES))
"""The person whose store it is: no token was asked for."""

NOBODY = Permit("nobody", frozenset())
"""Whoever asks for what everybody may have."""
