"""Sections: headings and paragraphs in the order of a document become one record a section.

For formats that are not Markdown, with the same shape: the first record has the file's own id and
is the section of the heading that the document begins with where that is of the first level, else
what stands before the first heading.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pinyon.index.parse.links import Places, Slugs, slug
from pinyon.index.parse.origin import NAMES, FrontMatter, Origin, Parsed, line
from pinyon.model.check import LIMITS, MOST_VALUES
from pinyon.model.record import Edge, Record


class Block(NamedTuple):
    """A heading of `level` 1 or more; at level 0 a piece of text, which `gap` parts from the one
    before it. `first` and `last` are line numbers, 0 where the format has none; `links` are
    placeholders; `anchor` is another name that links give to a heading."""

    text: str
    level: int = 0
    gap: str = "\n\n"
    first: int = 0
    last: int = 0
    links: tuple[str, ...] = ()
    anchor: str = ""


@dataclass(slots=True)
class _Section:
    """A heading and what stands below it, up to the next one. An empty id: no record."""

    heading: Block
    blocks: list[Block] = field(default_factory=list)
    id: str = ""
    slug: str = ""

    @property
    def body(self) -> str:
        parts = [part for block in self.blocks for part in (block.gap, block.text)]
        return "".join(parts[1:])

    @property
    def lines(self) -> tuple[int, int] | None:
        all_of_it = [block for block in (self.heading, *self.blocks) if block.first]
        if not all_of_it:
            return None
        return all_of_it[0].first, max(block.last for block in all_of_it)


def sections(blocks: Iterable[Block], origin: Origin, front: FrontMatter) -> Parsed:
    """`front` is what the document says of itself. A section with more text than a record holds is
    cut, with a warning. Edges: contains, links, and NAMES for the path and each heading."""
    before, headed = _divided(blocks)
    starts_high = bool(headed) and headed[0].heading.level == 1 and not before.blocks
    top = headed[0] if starts_high else before
    named = next((each.heading.text for each in headed if each.heading.level == 1), "")
    title = front.title or named or origin.words
    heading = line(top.heading.text, "aliases") if top.heading.text != title else ""
    document = Record(
        kind="doc",
        id=origin.id,
        title=title,
        aliases=tuple(name for name in (heading, *front.aliases) if name)[:MOST_VALUES],
        context=front.description,
        scope=origin.scope,
        source=origin.id,
        updated_at=origin.modified_at,
        extra={"front_matter": front.rest} if front.rest else {},
    )
    places = Places(origin)
    below = list(_below(headed, top, document))
    records, edges = [], []
    if top.blocks or front.given or top.heading.text:
        top.id = origin.id
        records.append(_filled(document, top))
        edges += [Edge(origin.file_id, "contains", origin.id), *_named(top, places, origin)]
    for section, record, parent in below:
        records.append(_filled(record, section))
        above = parent or top.id or origin.file_id
        edges += [Edge(above, "contains", section.id), *_named(section, places, origin)]
    cut = [record.title for record in records if len(record.body) == LIMITS["body"]]
    return Parsed(
        tuple(replace(record, **front.shared) for record in records),
        f"{cut[0]}: only {LIMITS['body']:,} characters of it fit" if cut else "",
        tuple({(edge.from_id, edge.relation, edge.to_id): edge for edge in edges}.values()),
        title if records else "",
    )


def _divided(blocks: Iterable[Block]) -> tuple[_Section, list[_Section]]:
    """What stands before the first heading, and a section for each heading."""
    found = [_Section(Block(""))]
    for block in blocks:
        if block.level:
            found.append(_Section(block))
        else:
            found[-1].blocks.append(block)
    return found[0], found[1:]


def _below(
    headed: list[_Section], top: _Section, document: Record
) -> Iterator[tuple[_Section, Record, str]]:
    """Each section but the top one, with its record and the id of the one above it."""
    slugs = Slugs(LIMITS["id"] - len(document.id) - 1)
    above: list[_Section] = []
    for section in headed:
        title = line(section.heading.text, "title")
        section.slug = slugs.take(title)
        if section is top:
            continue
        while above and above[-1].heading.level >= section.heading.level:
            above.pop()
        trail = [document.title, *(each.heading.text for each in above)]
        names = [name for name in dict.fromkeys(trail) if name and name != title]
        section.id = f"{document.id}#{section.slug}"
        record = Record(
            kind="doc",
            id=section.id,
            title=title or document.title,
            context=" > ".join(names)[: LIMITS["context"]],
            scope=document.scope,
            source=document.source,
            updated_at=document.updated_at,
        )
        yield section, record, above[-1].id if above else ""
        above.append(section)


def _filled(record: Record, section: _Section) -> Record:
    return replace(record, body=section.body[: LIMITS["body"]], lines=section.lines)


def _named(section: _Section, places: Places, origin: Origin) -> Iterator[Edge]:
    """The names that a section answers to, and the links that begin in it."""
    parts = [f"#{name}" for name in (section.slug, slug(section.heading.anchor)) if name]
    if section.id == origin.id:
        parts.append("")
    for part in dict.fromkeys(parts):
        yield from (Edge(section.id, NAMES, name) for name in places.own(part))
    for block in (section.heading, *section.blocks):
        for link in block.links:
            yield Edge(section.id, "links", link, evidence=f"{origin.path}:{block.first}")
