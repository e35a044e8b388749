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

PART_OF_CODE = Given(body=2_000)
"""A piece of code that was cut out of its file, so that its lines are known: name, signature and
comment say what it is for, a long body only repeats names, and its own parts are records too. Code
that is a record as a whole has nobody else to be found by: all of it counts."""

KINDS: Mapping[str, Given] = {
    # What should call a skill up stands in its triggers.
    "skill": Given(head=("title", "aliases", "context")),
}
"""The kinds that are not as usual."""


def given(record: Record) -> Given:
    """What a record of this kind gives."""
    if record.kind == "code" and record.lines:
        return PART_OF_CODE
    return KINDS.get(record.kind, USUAL)
