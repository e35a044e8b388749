"""Page: what was on the pages before, as a short text that goes with the question.

A cursor holds a digest of the question and one of each record that was shown, and no more. So no
page is kept anywhere, and no record is shown twice, even where records come and go between two
pages.
"""

from binascii import Error, a2b_base64, b2a_base64, crc32
from collections.abc import Iterable
from typing import TYPE_CHECKING

from pinyon.model.errors import InvalidInput

if TYPE_CHECKING:
    from pinyon.model.ask import Ask

MOST_SEEN = 1_000
"""Records that a cursor can hold; then the pages end."""

_DIGEST = 4
"""Bytes. Among a hundred thousand records, in one case of forty, a thousand that were seen hide
another one with them."""

_URL_SAFE = bytes.maketrans(b"+/", b"-_")
_STANDARD = str.maketrans("-_", "+/")


class Seen:
    """The records of the pages before, by id, and the digest of the question."""

    __slots__ = ("digests", "question")

    def __init__(self, question: bytes, digests: frozenset[bytes] = frozenset()) -> None:
        self.question = question
        self.digests = digests

    def __len__(self) -> int:
        return len(self.digests)

    def __contains__(self, id: str) -> bool:
        return _digest(id) in self.digests


def seen_before(cursor: str, ask: "Ask | None" = None) -> Seen:
    """What a cursor says was shown. Raises InvalidInput for what is no cursor, or one of another
    question."""
    question = _digest(repr((ask.text, ask.like, ask.filters, ask.as_of)) if ask else "")
    if not cursor:
        return Seen(question)
    try:
        raw = a2b_base64(cursor.translate(_STANDARD) + "=" * (-len(cursor) % 4), strict_mode=True)
    except (Error, ValueError):
        raw = b""
    known, *digests = [raw[at : at + _DIGEST] for at in range(0, len(raw), _DIGEST)] or [b""]
    if not digests or len(raw) % _DIGEST or len(digests) > MOST_SEEN:
        raise InvalidInput(
            f"{cursor[:40]!r} is no cursor", remedy="give meta.next of the page before, as it is"
        )
    if known != question:
        raise InvalidInput(
            "the cursor belongs to another question",
            remedy="ask as for the page before, or begin without a cursor",
        )
    return Seen(question, frozenset(digests))


def following(seen: Seen, shown: Iterable[str]) -> str:
    """The cursor for what comes after `seen` and `shown`; empty where it could not hold them."""
    digests = seen.digests.union(map(_digest, shown))
    if not digests or len(digests) > MOST_SEEN:
        return ""
    text = b2a_base64(b"".join([seen.question, *sorted(digests)]), newline=False)
    return text.translate(_URL_SAFE).rstrip(b"=").decode()


def _digest(text: str) -> bytes:
    # Not hashlib: to load it takes as long as a search.
    return crc32(text.encode("utf-8", "replace")).to_bytes(_DIGEST, "big")
