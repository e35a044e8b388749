"""Digest: one short name for all the numbers of a profile, so that two runs can be told apart."""

import json
from hashlib import sha256

from pinyon.model.profile import Profile
from pinyon.profiles.configured import plain


def digest(profile: Profile) -> str:
    """The SHA-256 of the whole profile as JSON, with sorted keys and without blanks. The order in
    which a table was written does not count, anything else does: also its name."""
    text = json.dumps(plain(profile), sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()
