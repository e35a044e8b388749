"""Access: who may do what, with which part of a store. Checked before the store is touched."""

from pinyon.access.needs import NEEDS
from pinyon.access.permit import CAPABILITIES, NOBODY, OWNER, Permit
from pinyon.access.permitted import Permitted

__all__ = ["CAPABILITIES", "NEEDS", "NOBODY", "OWNER", "Permit", "Permitted"]
