"""Page: what was on the pages before, as a short text that goes with the question.

A cursor holds a digest of each record that was shown, and no more. So no page is kept anywhere, and
no record is shown twice, even where records come and go between two pages.
"""

from binascii import Error, a2b_base64, b2a_base64, crc32
from collections.abc import Iterable

from pinyon.model.errors import InvalidInput

MOST_SEEN = 1_000
"""Records that a cursor can hold; then the pages end."""

_DIGEST = 4
"""Bytes. Among a hundred thousand records, in one case of forty, a thousand that were seen hide
another one with them."""

_URL_SAFE = bytes.maketrans(b"+/", b"-_")
_STANDARD = str.maketrans("-_", "+/")


class Seen:
    """The records of the pages before, by id."""

    __slots__ = ("digests",)

    def __init__(self, digests: frozenset[bytes] = frozenset()) -> None:
        self.digests = digests

    def __len__(self) -> int:
        return len(self.digests)

    def __contains__(self, id: str) -> bool:
        return _digest(id) in self.digests


NOTHING = Seen()


def seen_before(cursor: str) -> Seen:
    """What a cursor says was shown. Raises InvalidInput for what is no cursor."""
    if not cursor:
        return NOTHING
    try:
        raw = a2b_base64(cursor.translate(_STANDARD) + "=" * (-len(cursor) % 4), strict_mode=True)
    except (Error, ValueError):
        raw = b""
    digests = frozenset(raw[at : at + _DIGEST] for at in range(0, len(raw), _DIGEST))
    if not digests or len(raw) % _DIGEST or len(raw) > _DIGEST * MOST_SEEN:
        raise InvalidInput(
            f"{cursor[:40]!r} is no cursor", remedy="give meta.next of the page before, as it is"
        )
    return Seen(digests)


def following(seen: Seen, shown: Iterable[str]) -> str:
    """The cursor for what comes after `seen` and `shown`; empty where it could not hold them."""
    digests = seen.digests.union(map(_digest, shown))
    if not digests or len(digests) > MOST_SEEN:
        return ""
    text = b2a_base64(b"".join(sorted(digests)), newline=False)
    return text.translate(_URL_SAFE).rstrip(b"=").decode()


def _digest(id: str) -> bytes:
    # Not hashlib: to load it takes as long as a search.
    return crc32(id.encode("utf-8", "replace")).to_bytes(_DIGEST, "big")
