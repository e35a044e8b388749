"""Fields: what each field of a record gives to full text, and its stems as they are stored.

The stems of a record are kept as text: one line per field, each stem between spaces of its own, so
that counting one is a plain string count. They are all that BM25 and TF-IDF need of a record.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from pinyon.model.query import FIELDS
from pinyon.model.record import Record
from pinyon.text.kinds import given
from pinyon.text.prepare import prepare
from pinyon.text.stems import stems


def prepared_fields(record: Record) -> tuple[str, ...]:
    """The prepared text of each field, in the order of FIELDS."""
    texts = (
        record.id,
        record.title,
        "\n".join(record.aliases),
        record.body[: given(record).body],
        record.context,
        "\n".join(record.tags),
        record.source,
    )
    return tuple(prepare(text) if text else "" for text in texts)


def stems_of(text: str) -> set[str]:
    """The stems of a text, as full text has them."""
    return set(stems(prepare(text)))


def own_stems(record: Record) -> set[str]:
    """The stems of everything that a record says, also of what full text does not hold."""
    lines = (
        *(record.id, record.title, record.body, record.context, record.source),
        *(*record.aliases, *record.tags, str(dict(record.extra))),
        *(record.domain, record.author, record.scope),
    )
    return {stem for line in lines if line for stem in stems_of(line)}


def stem_lines(prepared: tuple[str, ...]) -> str:
    """The stored form of the stems of prepared fields."""
    return "\n".join(f" {'  '.join(stems(text))} " if text else "" for text in prepared)


def count_terms(lines: str) -> dict[str, dict[str, int]]:
    """From the stored form: field to stem to count; fields without any are left out."""
    return {
        field: dict(Counter(line.split()))
        for field, line in zip(FIELDS, lines.split("\n"), strict=True)
        if line.strip()
    }


def places(fields: Iterable[str]) -> tuple[int, ...]:
    """The lines of the stored form that hold these fields."""
    return tuple(FIELDS.index(field) for field in dict.fromkeys(fields))


def sum_terms(lines: str, places: tuple[int, ...]) -> Counter[str]:
    """From the stored form: stem to count, over some of its lines together."""
    rows = lines.split("\n")
    return Counter(" ".join([rows[at] for at in places]).split())


Needle = tuple[str, str]
"""A stem, and what to look for in the stored form."""


def needles(stems: Iterable[str]) -> list[Needle]:
    """What counts these stems."""
    return [(stem, f" {stem} ") for stem in dict.fromkeys(stems)]


def count_stems(lines: str, asked: Sequence[Needle], places: tuple[int, ...]) -> dict[str, int]:
    """From the stored form: the stems that are asked for and that stand there, over some of its
    lines together. Takes a tenth of the time that counting all of them takes."""
    rows = lines.split("\n")
    text = "".join([rows[at] for at in places])
    return {stem: count for stem, needle in asked if (count := text.count(needle))}


def line_length(line: str) -> int:
    """How many stems a line of the stored form holds."""
    return line.count("  ") + 1 if line.strip() else 0
