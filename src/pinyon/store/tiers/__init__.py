"""Several stores that are asked as one."""

from pinyon.store.tiers.members import Member
from pinyon.store.tiers.view import TieredView

__all__ = ["Member", "TieredView"]
