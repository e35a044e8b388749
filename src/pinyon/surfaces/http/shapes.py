"""Shapes: what only HTTP takes and gives; the others are those of the operations."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pinyon.surfaces.operations import results, shapes


class Query(BaseModel):
    """What stands behind the question mark of an address: text, so types are read out of it."""

    model_config = ConfigDict(extra="forbid")


class Several(Query):
    id: list[shapes.Id] = Field(min_length=1, max_length=1_000, description="Ids of records.")


class Around(Query):
    relation: list[str] = Field([], description="Only links of these names.")
    depth: int = Field(1, ge=1, le=5, description="How many links away.")
    limit: int = Field(100, ge=1, le=10_000, description="The most links.")


class Purging(Query):
    purge: bool = Field(False, description="Leave nothing of it in the file. Cannot be undone.")


class Forgetting(Several, Purging):
    """Several records, and how: all of them or none."""


class Ends(Query):
    from_id: shapes.Id = Field(alias="from")
    relation: str = Field(min_length=1, description="How they are linked.")
    to_id: shapes.Id = Field(alias="to")


class Briefly(Query):
    scope: str = Field("", description="Only here and below.")
    max_tokens: int = Field(2_000, ge=0, description="The most that it may hold.")
    kind: list[shapes.Kind] = Field([], description="Only records of these kinds.")


class Within(Query):
    scope: str = Field("", description="Only here and below.")


class Correction(shapes.Fields):
    """What is different in the new record."""

    why: str = Field("", description="What was wrong.")


class IndexJob(shapes.Shape):
    """Read a folder, or what changed in it."""

    job: Literal["index"]
    path: str = Field(
        min_length=1, max_length=4_096, description="A folder or a file of the server's machine."
    )


class EmbedJob(shapes.Shape):
    """Embed what waits to be found by meaning."""

    job: Literal["embed"]
    retry: bool = Field(False, description="Also what failed before and was given up.")
    seconds: float | None = Field(None, gt=0, description="End after this time; the rest waits.")


AnyJob = Annotated[IndexJob | EmbedJob, Field(discriminator="job")]


class Value(shapes.Shape):
    value: str = Field(description="As `pinyon config set` takes it.")


class ErrorShape(BaseModel):
    """`type` is a name to decide by, `message` a sentence."""

    model_config = ConfigDict(extra="allow")

    type: str
    message: str
    remedy: str = Field("", description="What to do about it.")
    request: str = Field("", description="The id of the request, as in X-Request-Id.")


class ProblemShape(BaseModel):
    error: ErrorShape


class VersionShape(BaseModel):
    change: str
    changed_at: str
    record: results.RecordShape = Field(description="As it was before the change.")


class HistoryShape(BaseModel):
    versions: list[VersionShape] = Field(description="The oldest first.")


class ConflictShape(BaseModel):
    one: str
    other: str
    why: str
    linked: bool = Field(description="Whether a link says so; else it was found.")


class ConflictsShape(BaseModel):
    conflicts: list[ConflictShape]


class ValuesShape(BaseModel):
    values: dict[str, int] = Field(description="Each value with the number of its records.")


class ProfileShape(BaseModel):
    name: str
    about: str


class ProfilesShape(BaseModel):
    profiles: list[ProfileShape]


class TierShape(BaseModel):
    name: str
    path: str
    priority: float
    state: str = Field(description="open, or why it is not searched.")
    records: int
    problem: str


class TiersShape(BaseModel):
    tiers: list[TierShape]


class PermitShape(BaseModel):
    name: str
    capabilities: list[str]
    tiers: list[str] = Field(description="None: all of them.")
    scopes: list[str] = Field(description="None: every scope.")


class JobShape(BaseModel):
    id: str
    job: Literal["index", "embed"]
    target: str = Field(description="The folder, where there is one.")
    state: Literal["waiting", "running", "done", "failed", "cancelled"]
    done: int
    total: int
    path: str = Field(description="What comes next.")
    result: dict[str, Any] | None
    error: ErrorShape | None
    began_at: str | None
    ended_at: str | None


class JobsShape(BaseModel):
    jobs: list[JobShape] = Field(description="The newest first.")


class ConfigShape(BaseModel):
    config: dict[str, str]


class SetShape(BaseModel):
    key: str
    value: str | None = Field(description="None: what holds without it counts again.")
    note: str = Field(description="What should be known of it.")


class HealthShape(BaseModel):
    status: Literal["ok"]
    version: str
