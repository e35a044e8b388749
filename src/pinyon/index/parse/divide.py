"""Divide: a text of lines, by its headings, into sections; every section is a record.

The first record has the file's own id: it is the section of the heading that the file begins with
where that is of the first level, else what stands before the first heading. What the front matter
says of the document goes there; what it says of everything in it goes to every section. The links,
tags and tasks of a text belong to the section that they stand in.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from pinyon.index.parse.links import MOST_LINKS, Link, Places, Slugs
from pinyon.index.parse.origin import NAMES, FrontMatter, Origin, Parsed, line
from pinyon.index.parse.tasks import MOST_TASKS, Task, task_records
from pinyon.model.check import LIMITS, MOST_VALUES
from pinyon.model.record import Edge, Record

OF_DOCUMENT = frozenset({"kind", "due"})
"""What front matter says of the document alone, and not of each of its sections."""


@dataclass(frozen=True, slots=True)
class Heading:
    """It takes the lines from `first` up to, not including, `after`; both count from 0."""

    level: int
    title: str
    first: int
    after: int


@dataclass(slots=True)
class Marks:
    """What stands in the lines of a text, beside its headings, in their order. `names` are the
    placeholders that a link to this place uses."""

    links: list[Link] = field(default_factory=list)
    names: list[tuple[int, str]] = field(default_factory=list)
    tags: list[tuple[int, str]] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)


@dataclass(slots=True)
class _Section:
    """`parent` is the id of what contains it, `slug` the end of an address of its heading."""

    record: Record
    parent: str
    slug: str
    first: int
    tags: list[str] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)


def divide(
    lines: list[str],
    headings: list[Heading],
    marks: Marks,
    origin: Origin,
    front: FrontMatter,
) -> Parsed:
    """All that is known of the text: its sections and tasks, and how they belong together."""
    sections = _sections(lines, headings, origin, front)
    places = Places(origin)
    edges = [*_named(sections, places, front.aliases), *_placed(sections, marks, places, origin)]
    records: list[Record] = []
    everywhere = {name: value for name, value in front.shared.items() if name not in OF_DOCUMENT}
    for number, section in enumerate(sections):
        fields = everywhere if number else dict(front.shared)
        if section.tags:
            tags = dict.fromkeys((*fields.get("tags", ()), *section.tags))
            fields = fields | {"tags": tuple(tags)[:MOST_VALUES]}
        records.append(replace(section.record, **fields) if fields else section.record)
        if section.tasks:
            tasks = list(task_records(section.record, section.tasks, everywhere))
            records += tasks
            edges += (Edge(section.record.id, "contains", task.id) for task in tasks)
    titles = (heading.title for heading in headings if heading.title)
    outline = next(titles, records[0].title if records else "")
    return Parsed(tuple(records), _too_much(marks), each_once(edges), outline)


def _sections(
    lines: list[str], headings: list[Heading], origin: Origin, front: FrontMatter
) -> list[_Section]:
    """The document and its sections; without those that have neither a title nor any text."""
    top = _at_top(lines, headings)
    document = _document(lines, headings, top, origin, front)
    slugs = Slugs(LIMITS["id"] - len(document.id) - 1)
    found: list[_Section] = []
    if document.body or front.given or (top and top.title):
        found.append(_Section(document, origin.file_id, "", top.first if top else 0))
    root = document.id if found else origin.file_id
    above: list[tuple[Heading, str]] = []
    ends = [*(heading.first for heading in headings[1:]), len(lines)]
    for heading, end in zip(headings, ends, strict=False):  # an end too many where no heading is
        slug = slugs.take(heading.title)
        if heading is top:
            if found:
                found[0].slug = slug
            continue
        while above and above[-1][0].level >= heading.level:
            above.pop()
        parent = above[-1][1] if above else root
        trail = [document.title, *(each.title for each, _ in above)]
        names = [name for name in dict.fromkeys(trail) if name and name != heading.title]
        body, (_, last) = _text(lines, heading.after, end)
        if not heading.title and not body:
            above.append((heading, parent))
            continue
        record = Record(
            kind="doc",
            id=f"{document.id}#{slug}",
            title=heading.title or document.title,
            body=body,
            context=" > ".join(names)[: LIMITS["context"]],
            scope=document.scope,
            source=document.source,
            lines=(heading.first + 1, max(last, heading.after)),
            updated_at=document.updated_at,
        )
        above.append((heading, record.id))
        found.append(_Section(record, parent, slug, heading.first))
    return found


def _at_top(lines: list[str], headings: list[Heading]) -> Heading | None:
    """The heading of the first level that nothing stands before."""
    if not headings or headings[0].level != 1:
        return None
    before = lines[: headings[0].first]
    return None if any(each.strip() for each in before) else headings[0]


def _document(
    lines: list[str],
    headings: list[Heading],
    top: Heading | None,
    origin: Origin,
    front: FrontMatter,
) -> Record:
    """The first record: it has the file's own id, and no section above it."""
    below = headings[1:] if top else headings
    begin = top.after if top else front.lines
    body, (first, last) = _text(lines, begin, below[0].first if below else len(lines))
    if top:
        span = (top.first + 1, max(last, top.after))
    else:
        span = (first + 1, last) if body else (1, max(1, front.lines))
    named = next((heading.title for heading in headings if heading.level == 1), "")
    title = front.title or named or origin.words
    heading = line(top.title, "aliases") if top and top.title != title else ""
    aliases = dict.fromkeys(name for name in (heading, *front.aliases) if name)
    return Record(
        kind="doc",
        id=origin.id,
        title=title,
        aliases=tuple(aliases)[:MOST_VALUES],
        body=body,
        context=front.description,
        scope=origin.scope,
        source=origin.id,
        lines=span,
        updated_at=origin.modified_at,
        extra={"front_matter": front.rest} if front.rest else {},
    )


def _text(lines: list[str], first: int, after: int) -> tuple[str, tuple[int, int]]:
    """The lines as they are written, without blank ones at both ends, and where they lie."""
    while first < after and not lines[after - 1].strip():
        after -= 1
    while first < after and not lines[first].strip():
        first += 1
    return "\n".join(lines[first:after]), (first, after)


def _named(sections: Sequence[_Section], places: Places, aliases: Sequence[str]) -> Iterator[Edge]:
    """What contains each section, and the placeholders that mean it."""
    for number, section in enumerate(sections):
        id = section.record.id
        yield Edge(section.parent, "contains", id)
        names = [] if number else [*places.own(), *map(places.note, aliases)]
        names += places.own(f"#{section.slug}") if section.slug else []
        yield from (Edge(id, NAMES, name) for name in names)


def _placed(
    sections: Sequence[_Section], marks: Marks, places: Places, origin: Origin
) -> Iterator[Edge]:
    """Gives each section its tags and tasks; the edges are its links, and the names inside it."""
    starts = [section.first for section in sections]

    def at(number: int) -> Sequence[_Section]:
        found = bisect_right(starts, number)
        return sections[found - 1 : found] if found else ()

    for number, tag in marks.tags:
        for section in at(number):
            section.tags.append(tag)
    for task in marks.tasks[:MOST_TASKS]:
        for section in at(task.first):
            section.tasks.append(task)
    for number, name in marks.names[:MOST_LINKS]:
        yield from (Edge(section.record.id, NAMES, name) for section in at(number))
    for link in marks.links[:MOST_LINKS]:
        evidence = f"{origin.path}:{link.line + 1}"
        for section in at(link.line):
            for place in places.meant(link):
                yield Edge(section.record.id, link.relation, place, evidence=evidence)


def _too_much(marks: Marks) -> str:
    said = []
    if len(marks.links) > MOST_LINKS:
        said.append(f"{len(marks.links):,} links; the first {MOST_LINKS:,} are followed")
    if len(marks.tasks) > MOST_TASKS:
        said.append(f"{len(marks.tasks):,} tasks; the first {MOST_TASKS:,} are kept as tasks")
    return "; ".join(said)


def each_once(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Of several with the same ends and relation, the first."""
    found: dict[tuple[str, str, str], Edge] = {}
    for edge in edges:
        found.setdefault((edge.from_id, edge.relation, edge.to_id), edge)
    return tuple(found.values())
