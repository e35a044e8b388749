"""Results: the shapes of what operations give. They describe; nothing is checked twice."""

from typing import Any

from pydantic import BaseModel, Field


class RecordShape(BaseModel):
    """A record. Fields that are empty are left out."""

    kind: str
    id: str
    title: str = ""
    aliases: list[str] = []
    body: str = ""
    context: str = ""
    tags: list[str] = []
    domain: str = ""
    severity: str = ""
    importance: int = 3
    mentions: int = 0
    doc_type: str = ""
    memory_type: str = ""
    author: str = ""
    status: str = ""
    due: str | None = None
    scope: str = ""
    source: str = ""
    lines: list[int] | None = None
    created_at: str | None = None
    updated_at: str | None = None
    valid_from: str | None = None
    valid_until: str | None = None
    half_life: float | None = None
    extra: dict[str, Any] = {}
    version: int = 1
    deleted_at: str | None = None


class HitShape(BaseModel):
    id: str
    kind: str
    title: str
    score: float = Field(description="Compares within this answer only.")
    relevance: float = Field(description="From 0 to 1; compares across answers.")
    signals: dict[str, float] = Field(description="What each signal gave, before its weight.")
    sources: dict[str, int] = Field(description="Each channel that found it, with its rank there.")
    snippet: str = Field(description="Safe HTML: text with <mark> around what matched.")
    domain: str
    tags: list[str]
    scope: str
    source: str
    lines: list[int] | None
    tokens: int = Field(description="About how many tokens the whole record has.")
    via: str = Field(description="By which links it was reached.")
    tier: str
    more: list[str] = Field(description="Ids that this hit stands for as well.")
    record: RecordShape | None = Field(None, description="In mode full.")


class AnswerShape(BaseModel):
    hits: list[HitShape]
    meta: dict[str, Any] = Field(description="How the answer came about; `next` is a cursor.")


class RecordsShape(BaseModel):
    records: list[RecordShape]


class EdgeShape(BaseModel):
    from_id: str = Field(alias="from")
    relation: str
    to: str
    strength: float
    evidence: str = ""
    created_at: str | None = None


class NeighbourShape(BaseModel):
    edge: EdgeShape
    record: RecordShape = Field(description="The record that the link leads to.")
    hops: int


class RelatedShape(BaseModel):
    related: list[NeighbourShape]


class ItemShape(BaseModel):
    id: str
    kind: str
    title: str
    line: str
    why: str
    tokens: int


class SectionShape(BaseModel):
    items: list[ItemShape]
    left: int = Field(description="How many did not fit.")


class BriefShape(BaseModel):
    scope: str
    at: str
    tokens: int
    sections: dict[str, SectionShape]


class WrittenShape(BaseModel):
    id: str
    version: int | None = None


class CorrectedShape(BaseModel):
    id: str = Field(description="The id of the new record.")
    supersedes: str = Field(description="The id of the old one.")


class ForgottenShape(BaseModel):
    forgotten: list[str]
    purged: bool


class LinkedShape(BaseModel):
    edge: EdgeShape


class UnlinkedShape(BaseModel):
    unlinked: EdgeShape


class JudgedShape(BaseModel):
    id: str
    verdict: str
    query: str
    profile: str


class ReportShape(BaseModel):
    folder: str
    added: int
    changed: int
    renamed: int
    removed: int
    unchanged: int
    records: int
    skipped: list[dict[str, str]]
    warnings: list[str]


class StatsShape(BaseModel):
    records: int
    kinds: dict[str, int]
    tags: dict[str, int]
    folders: dict[str, str]
    forgotten: int
    edges: int
    versions: int
    documents: int
    tokens: dict[str, int]
    passages: int
    models: list[dict[str, Any]]
    bytes: int
    revision: int
    queries: dict[str, Any]
