"""Kinds: what a kind of record gives to full text and to embedding, where it is not all."""

from collections.abc import Mapping
from typing import NamedTuple

from pinyon.model.record import Record


class Given(NamedTuple):
    """`body` is how many characters of it full text takes, None for all; `head` are the fields that
    go with each passage."""

    body: int | None = None
    head: tuple[str, ...] = ("title", "context")


USUAL = Given()

KINDS: Mapping[str, Given] = {
    # The name, the signature and the comment say what code is for; a long body only repeats names.
    "code": Given(body=2_000),
    # What should call a skill up stands in its triggers.
    "skill": Given(head=("title", "aliases", "context")),
}
"""The kinds that are not as usual."""


def given(record: Record) -> Given:
    """What a record of this kind gives."""
    return KINDS.get(record.kind, USUAL)
