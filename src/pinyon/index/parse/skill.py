"""Skill: a SKILL.md teaches one thing, so it is one record, found by its triggers too."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from pinyon.index.parse.divide import OF_DOCUMENT, each_once
from pinyon.index.parse.links import MOST_LINKS, Places, links, prose
from pinyon.index.parse.markdown import Outline, understood, without_front_matter
from pinyon.index.parse.origin import NAMES, FrontMatter, Origin, Parsed, line
from pinyon.model.record import Edge, Record


def skill(text: str, origin: Origin) -> Parsed:
    """The name and the description come from the front matter; without a name it is the folder's,
    which by custom is the same. A blank file has no record."""
    front, lines, warning = without_front_matter(text)
    body = "\n".join(lines).strip()
    if not body and not front.given:
        return Parsed((), warning)
    outline = understood("\n".join(lines))
    name = _name(front, outline, origin)
    rest = {key: value for key, value in front.rest.items() if key != "name"}
    record = Record(
        kind="skill",
        id=origin.id,
        title=name,
        aliases=front.aliases,
        body=body,
        context=front.description,
        scope=origin.scope,
        source=origin.id,
        lines=(1, max(1, len(text.rstrip().split("\n")))),
        updated_at=origin.modified_at,
        extra={"front_matter": rest} if rest else {},
    )
    fields = {key: value for key, value in front.shared.items() if key not in OF_DOCUMENT}
    edges = each_once(_edges(outline, name, origin))
    return Parsed((replace(record, **fields),), warning, edges, name)


def _name(front: FrontMatter, outline: Outline, origin: Origin) -> str:
    written = front.rest.get("name")
    given = line(written, "title") if isinstance(written, str) else ""
    folder = line(PurePosixPath(origin.path).parent.name, "title")
    titles = (heading.title for heading in outline.headings if heading.title)
    return given or front.title or folder or next(titles, origin.words)


def _edges(outline: Outline, name: str, origin: Origin) -> Iterator[Edge]:
    """It answers to its own name, not to "SKILL", which all of them are called."""
    places = Places(origin)
    yield Edge(origin.file_id, "contains", origin.id)
    yield from (Edge(origin.id, NAMES, place) for place in (places.note(name), places.own()[1]))
    found = (
        link
        for paragraph in outline.paragraphs
        for link in links(prose(paragraph.text), paragraph.first, outline.references)
    )
    for _, link in zip(range(MOST_LINKS), found, strict=False):
        for place in places.meant(link):
            evidence = f"{origin.path}:{link.line + 1}"
            yield Edge(origin.id, link.relation, place, evidence=evidence)
