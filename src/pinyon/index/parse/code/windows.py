"""Windows: code that no grammar reads, as stretches of lines that overlap a little."""

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from pinyon.index.parse.origin import Origin, Parsed
from pinyon.model.record import Edge, Record

LINES = 60
OVERLAP = 10
MOST_CHARACTERS = 6_000
"""A window ends early where it would be longer, so that lines of data do not make it huge."""

LONGEST_LINE = 5_000
"""More of a line than this was not written to be read: the rest of it is left out."""


def windows(text: str, origin: Origin) -> Parsed:
    """Each window begins with the last lines of the one before it."""
    whole = text.split("\n")
    lines = [each[:LONGEST_LINE] for each in whole]
    spans = list(_spans(lines))
    records = tuple(
        _record(lines, span, number, len(spans), origin)
        for number, span in enumerate(spans, start=1)
    )
    edges = tuple(
        Edge(origin.file_id, "contains", record.id, evidence=f"{origin.path}:{first + 1}")
        for record, (first, _) in zip(records, spans, strict=True)
    )
    return Parsed(records, _warning(whole), edges)


def _spans(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """From 0, without blank lines at both ends; a blank window is none."""
    begin, end = 0, len(lines)
    while begin < end:
        after, size = begin, 0
        while after < min(begin + LINES, end):
            size += len(lines[after]) + 1
            if size > MOST_CHARACTERS and after > begin:
                break
            after += 1
        first, last = begin, after
        while first < last and not lines[first].strip():
            first += 1
        while first < last and not lines[last - 1].strip():
            last -= 1
        if first < last:
            yield first, last
        if after >= end:
            return
        begin = max(begin + 1, after - OVERLAP) if after - begin == LINES else after


def _record(
    lines: Sequence[str], span: tuple[int, int], number: int, of: int, origin: Origin
) -> Record:
    first, last = span
    name = PurePosixPath(origin.path).name
    return Record(
        kind="code",
        id=origin.id if number == 1 else f"{origin.id}#{number}",
        title=name if of == 1 else f"{name} {first + 1}-{last}",
        body="\n".join(lines[first:last]),
        scope=origin.scope,
        source=origin.id,
        lines=(first + 1, last),
        updated_at=origin.modified_at,
        extra={"language": PurePosixPath(name).suffix.lower()[1:], "symbol": "lines"},
    )


def _warning(lines: Sequence[str]) -> str:
    """Which line is the first that was not read to its end."""
    long = (number for number, each in enumerate(lines, start=1) if len(each) > LONGEST_LINE)
    number = next(long, 0)
    return f"line {number}: only its first {LONGEST_LINE:,} characters are read" if number else ""
