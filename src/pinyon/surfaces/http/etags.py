"""ETags: the version of a record as HTTP says it, and what a caller says of the one it knows."""

import re

from pinyon.model.errors import InvalidInput

_TAG = re.compile(r'(W/)?"([0-9]{1,18})"')


def etag(version: int) -> str:
    """The tag of a record at this version."""
    return f'"{version}"'


def known(if_none_match: str | None, version: int) -> bool:
    """Whether the caller has this version already. What cannot be read counts as no."""
    said = (if_none_match or "").strip()
    return said == "*" or str(version) in (tag for _, tag in _TAG.findall(said))


def expected(if_match: str | None) -> int | None:
    """The version that a change is based on; None where any will do. Raises InvalidInput."""
    if if_match is None or if_match.strip() == "*":
        return None
    found = _TAG.fullmatch(if_match.strip())
    if not found or found[1]:  # a weak tag never matches a change (RFC 9110, 13.1.1)
        raise InvalidInput(
            "If-Match must be the ETag of the record", remedy='read the record: it looks like "3"'
        )
    return int(found[2])
