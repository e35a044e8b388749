"""Shapes: what is asked of an operation, field by field. Programs and agents read the descriptions;
the engine checks the values."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pinyon.model.profile import INTENTS, TIMES
from pinyon.model.record import KINDS, SEVERITIES
from pinyon.search.given import MOST_HITS

# Types made of data: a checker that reads the text alone cannot know them.
Kind = Literal[KINDS]  # type: ignore[valid-type]
Severity = Literal[SEVERITIES]  # type: ignore[valid-type]
Id = Annotated[str, Field(min_length=1, description="The id of a record.")]
Date = Annotated[str, Field(description="A date like 2024-05-01 or 2024-05-01T12:30:00Z.")]


class Shape(BaseModel):
    """Nothing is guessed: a wrong type or an unknown field is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Search(Shape):
    """What an agent asks: the least that it must hold in its head."""

    query: str = Field("", description="Words or a sentence; empty lists what passes the filters.")
    kinds: list[Kind] = Field([], description="Only records of these kinds.")
    tags: list[str] = Field([], description="Only records with all of these tags.")
    scope: str | list[str] = Field("", description="Only here and below, like team/api.")
    tiers: list[str] = Field([], description="Only these stores, by the names of their tiers.")
    profile: str = Field("default", description="How to rank: the name of a profile.")
    mode: Literal["match", "scan", "full"] = Field(
        "match",
        description="match: what matched; scan: the beginning of each text; full: whole records.",
    )
    limit: int = Field(10, ge=1, le=MOST_HITS, description="The most hits.")
    max_tokens: int = Field(0, ge=0, description="The best answer that fits; 0 for no limit.")
    min_relevance: float | None = Field(
        None, ge=0, le=1, description="Leave out what is less relevant than this, from 0 to 1."
    )
    as_of: Date | None = Field(None, description="Ask what was known at this date.")


class SearchAll(Search):
    """What a program can ask."""

    channels: list[Literal["lexical", "vector", "graph"]] | None = Field(
        None, min_length=1, description="Ask only these."
    )
    domains: list[str] = Field([], description="Only records of these domains.")
    severities: list[Severity] = Field([], description="Only records of these severities.")
    authors: list[str] = Field([], description="Only records by these authors.")
    since: Date | None = Field(None, description="Only what was made then or later.")
    until: Date | None = Field(None, description="Only what was made before.")
    superseded: bool = Field(False, description="Also what was replaced.")
    expired: bool = Field(False, description="Also what holds no more, or not yet.")
    like: Id | None = Field(None, description="Instead of a query: more like this record.")
    fix: bool = Field(True, description="Whether words may be taken for misspelt.")
    expand: bool = Field(True, description="Whether acronyms are expanded.")
    intent: Literal["", *INTENTS] = Field("", description="What the wish is.")  # type: ignore[valid-type]
    time: Literal["", *TIMES] = Field(  # type: ignore[valid-type]
        "", description="What a time in the question does."
    )
    rerank: bool = Field(False, description="Read the best again, by the profile's reranker.")
    group: Literal["", "file", "record"] = Field("", description="One hit for each.")
    sort: Literal["score", "date"] = Field("score", description="Best first, or newest first.")
    cursor: str = Field("", description="`meta.next` of the page before.")
    track: bool = Field(True, description="Whether the search is counted and logged.")
    override: dict[str, Any] = Field({}, description="Changes of the profile, by path.")


class Get(Shape):
    ids: list[Id] = Field(min_length=1, max_length=1_000, description="Ids, as hits have them.")


class Relate(Shape):
    id: Id
    relations: list[str] = Field([], description="Only links of these names.")
    depth: int = Field(1, ge=1, le=5, description="How many links away.")
    limit: int = Field(100, ge=1, le=10_000, description="The most links.")


class Brief(Shape):
    scope: str = Field("", description="Only here and below.")
    max_tokens: int = Field(2_000, ge=0, description="The most that it may hold.")
    kinds: list[Kind] = Field([], description="Only records of these kinds.")


class Fields(Shape):
    """The fields of a record that can be written; those that are left out stay as they are."""

    kind: Kind | None = Field(None, description="What it is; a memory if not given.")
    title: str | None = Field(None, description="The title, one line.")
    body: str | None = Field(None, description="The text.")
    tags: list[str] | None = Field(None, description="Tags.")
    aliases: list[str] | None = Field(None, description="Other names.")
    scope: str | None = Field(None, description="Where it belongs, like team/api.")
    context: str | None = Field(None, description="What explains it, beside the body.")
    domain: str | None = Field(None, description="The field of knowledge.")
    severity: Severity | None = Field(None, description="How serious it is.")
    importance: int | None = Field(None, ge=1, le=5, description="From 1 to 5; 3 if not given.")
    mentions: int | None = Field(None, ge=0, description="How often it was mentioned.")
    doc_type: str | None = Field(None, description="The type of a document.")
    memory_type: str | None = Field(None, description="The type of a memory.")
    author: str | None = Field(None, description="Who wrote or said it.")
    status: str | None = Field(None, description="How far it is, like open or done.")
    due: Date | None = Field(None, description="When it is due.")
    source: str | None = Field(None, description="The path or address that it comes from.")
    lines: list[int] | None = Field(
        None, min_length=2, max_length=2, description="The first and the last line there, from 1."
    )
    created_at: Date | None = Field(None, description="When it came to be; now if not given.")
    updated_at: Date | None = Field(None, description="When it was changed; now if not given.")
    valid_from: Date | None = Field(None, description="From when on it holds.")
    valid_until: Date | None = Field(None, description="Until when it holds.")
    half_life: float | None = Field(None, gt=0, description="In days: how fast it loses weight.")
    extra: dict[str, Any] | None = Field(None, description="Anything else.")


class Save(Fields):
    id: str = Field("", description="Its id; made from the title if not given.")
    replace: bool = Field(False, description="Write over a record with the same id.")
    duplicates: Literal["keep", "refuse", "merge", "supersede"] = Field(
        "keep", description="What to do where others say the same."
    )


class Update(Fields):
    id: Id
    expected: int | None = Field(
        None, ge=1, description="Change it only if it is still at this version."
    )


class Correct(Fields):
    id: Id
    why: str = Field("", description="What was wrong.")


class Forget(Shape):
    ids: list[Id] = Field(min_length=1, max_length=1_000, description="What to forget.")
    purge: bool = Field(False, description="Leave nothing of them in the file. Cannot be undone.")


class Link(Shape):
    from_id: Id
    relation: str = Field(min_length=1, description="Like supports, caused_by, supersedes.")
    to_id: Id
    strength: float = Field(1.0, gt=0, le=1, description="How strong it is.")
    evidence: str = Field("", description="What it rests on.")


class Unlink(Shape):
    from_id: Id
    relation: str = Field(min_length=1)
    to_id: Id


class Feedback(Shape):
    id: Id
    verdict: Literal["accepted", "modified", "dismissed"] = Field(
        description="accepted: it was right; modified: nearly; dismissed: wrong."
    )
    query: str = Field("", description="The question that the hit answered.")
    profile: str = Field("default", description="The profile that found it.")


class Index(Shape):
    path: str = Field(min_length=1, description="A folder or a file of the engine's machine.")


class Nothing(Shape):
    """Takes no arguments."""
