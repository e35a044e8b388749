"""Meaning: the models of a store: which one searches, which ones embed, and opening them.

What a store names is only a choice; whether text may be sent to a server is this user's to say.
"""

import json
import os
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pinyon import settings
from pinyon.index.embed import Embedded, Pace, Worker, embed_waiting, ignore, register
from pinyon.inference.contract import Embedder, ModelError, NoModel
from pinyon.inference.remember import (
    TOKENS_FILE,
    VECTORS_FILE,
    Remembered,
    RememberingEmbedder,
)
from pinyon.model.errors import InvalidInput
from pinyon.store.contract import Batch, Store
from pinyon.store.questions import GivenUp, Model, Models, Progress, Waiting

if TYPE_CHECKING:
    from pinyon.store.contract import View

NONE = "none"
"""The choice that stands for no model: records are found by words only."""

AUTO = "auto"
"""The choice that takes the first provider whose key is set, else the default model."""

CATCH_UP_S = 2.0
"""How long closing an engine waits for what was just written to be embedded."""

FORGET_S = 30.0
"""How long a purge waits for a batch that is being embedded."""

YET = "nothing is embedded yet (run: pinyon embed)"

_OPEN: dict[tuple["Choice", Path, str | None, bool], Embedder] = {}
_OPENING = threading.Lock()


class Choice(NamedTuple):
    """A model as the user names it; the rest is for a provider, each instead of the table's."""

    name: str
    url: str = ""
    model: str = ""
    dims: int = 0

    def text(self) -> str:
        """As a store keeps it."""
        return json.dumps(self._asdict()) if any(self[1:]) else self.name

    def words(self) -> str:
        """As people read it."""
        return " ".join(filter(None, (self.name, self.model, self.url)))

    def command(self) -> str:
        """As it is chosen in the shell."""
        options = (("--url", self.url), ("--model", self.model), ("--dims", self.dims))
        given = [f"{option} {value}" for option, value in options if value]
        return " ".join(["pinyon model use", self.name, *given])

    @classmethod
    def of(cls, text: str) -> "Choice":
        try:
            values = json.loads(text) if text.startswith("{") else {"name": text}
            return cls(**values)
        except (ValueError, TypeError):
            raise NoModel(
                f"the store names a model in a way that is not understood: {text[:100]}",
                remedy="choose one with: pinyon model use NAME",
            ) from None


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model of a store. `vectors`, `waiting` and `failed` count passages; `records` goes from
    kind to state to number, for a model that is active or fills. `problem` says why it cannot be
    used."""

    name: str
    choice: str
    state: str
    dims: int
    vectors: int
    waiting: int = 0
    failed: int = 0
    reason: str = ""
    records: dict[str, dict[str, int]] = field(default_factory=dict)
    problem: str = ""


class Searcher(NamedTuple):
    """The active model, for one search."""

    model: str
    embedder: Embedder

    def vector(self, text: str) -> bytes:
        """Raises ModelError."""
        vector: bytes = self.embedder.embed_queries([text])[0].tobytes()
        return vector


class Meaning:
    """The models of one store. With `background` a thread embeds behind the saves."""

    def __init__(self, store: Store, clock: Callable[[], datetime], *, background: bool) -> None:
        self._store = store
        self._clock = clock
        self._owner = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._worker = Worker(lambda stop: self.embed(stop=stop)) if background else None
        self._turn = threading.Lock()

    # searching

    def searcher(self, view: "View") -> Searcher | str:
        """What embeds a question for this moment of the store, or the reason why nothing can; ""
        where that is wished."""
        active = next((each for each in view.survey(Models()) if each.state == "active"), None)
        if active is None:
            return "" if settings.default_model() == NONE else YET
        if not active.dims:
            return ""
        if not active.vectors:
            return YET
        try:
            embedder = open_choice(Choice.of(active.choice))
            if embedder.name != active.name:
                raise NoModel(
                    f"{active.choice} is now {embedder.name}, but {active.name} embedded the store",
                    remedy=f"embed it again: {Choice.of(active.choice).command()}",
                )
        except ModelError as error:
            return str(error)
        return Searcher(active.name, embedder)

    # embedding

    def wake(self) -> None:
        """Something was written."""
        if self._worker:
            self._worker.wake()

    def embed(
        self,
        *,
        seconds: float | None = None,
        retry: bool = False,
        stop: threading.Event | None = None,
        progress: Callable[[Pace], None] = ignore,
    ) -> Embedded:
        """Embed what waits, for the active model and then for one that fills.

        Raises ModelError when a model cannot be opened and nothing was embedded; what a model says
        later is the `reason` of the result.
        """
        # One at a time: what the worker of this process holds would else be nobody's for a while.
        mine = self._turn.acquire(timeout=-1 if seconds is None else seconds)
        try:
            return self._embed(seconds, retry, stop, progress)
        finally:
            if mine:
                self._turn.release()

    def _embed(
        self,
        seconds: float | None,
        retry: bool,
        stop: threading.Event | None,
        progress: Callable[[Pace], None],
    ) -> Embedded:
        done = failed = waiting = 0
        reason = ""
        problem: ModelError | None = None
        for model in self._in_use():
            if retry:
                self._store.commit(Batch(now=self._clock(), retry=[model.name]))
            if not self._waits(model.name):
                continue
            try:
                made = embed_waiting(
                    self._store,
                    open_choice(Choice.of(model.choice), hurried=seconds is not None),
                    clock=self._clock,
                    owner=self._owner,
                    seconds=seconds,
                    stop=stop,
                    progress=progress,
                )
            except ModelError as error:
                problem = error
                waiting += self._waits(model.name)
                continue
            done += made.done
            failed += made.failed
            waiting += made.waiting
            reason = made.reason or reason
        if problem and not done:
            raise problem
        return Embedded(done, failed, waiting, reason or (str(problem) if problem else ""))

    def close(self) -> None:
        """Let what was just written be embedded for a moment; the rest waits in the store."""
        if self._worker:
            self._worker.close(CATCH_UP_S)

    def forget_texts(self) -> None:
        """Leave nothing of any text in what is remembered outside of the store. Nobody knows which
        of it came of earlier texts of a file, so it all goes: it costs time to make it again. Waits
        for what is being embedded. Raises ModelError where it cannot be done."""
        mine = self._turn.acquire(timeout=FORGET_S)
        try:
            for file in (VECTORS_FILE, TOKENS_FILE):
                remembered = Remembered(settings.cache_folder() / file)
                remembered.clear()
                remembered.close()
        except OSError as problem:
            raise ModelError(
                f"what is remembered of texts cannot be removed: {problem}",
                remedy=f"remove {settings.cache_folder()} yourself",
            ) from None
        finally:
            if mine:
                self._turn.release()

    def _in_use(self) -> list[Model]:
        """The active model and the one that fills; a store with records and no model gets one."""
        with self._store.snapshot() as view:
            known = [each for each in view.survey(Models()) if each.state != "idle"]
            empty = not known and next(view.records(), None) is None
        if known or empty:
            return [each for each in known if each.dims]
        choice = Choice(settings.default_model())
        if choice.name == NONE:
            return []
        register(self._store, open_choice(choice), choice.text(), now=self._clock())
        return self._in_use()

    def _waits(self, model: str) -> int:
        with self._store.snapshot() as view:
            return sum(view.survey(Waiting(model)).values())

    # choosing

    def models(self) -> list[ModelInfo]:
        """The models of the store, the active one first."""
        with self._store.snapshot() as view:
            return [_info(view, model) for model in view.survey(Models())]

    def use(self, choice: Choice) -> ModelInfo:
        """Search with this model, as soon as it has embedded everything. Naming a provider is the
        consent to send it text. Raises ModelError, and changes nothing, when it cannot be used."""
        if choice.name == AUTO:
            choice = choice._replace(name=settings.automatic_model())
        if choice.name == NONE:
            wanted = Model(NONE, NONE, 0)
        else:
            if Path(choice.name).is_dir():
                choice = choice._replace(name=str(Path(choice.name).resolve()))
            embedder = open_choice(choice, agreed=True)
            embedder.embed_queries(["a question, to see that it works"])
            wanted = Model(embedder.name, choice.text(), embedder.dims)
            if url := server(choice):
                settings.allow(url)
        self._store.commit(Batch(now=self._clock(), use=wanted))
        self.wake()
        return next(each for each in self.models() if each.name == wanted.name)

    def drop(self, name: str) -> None:
        """Take a model and its vectors away; by its name or by what it was chosen by."""
        known = self.models()
        names = [
            each.name
            for each in known
            if name in (each.name, each.choice, each.choice.partition(" ")[0])
        ]
        if not names:
            listed = ", ".join(each.name for each in known) or "none"
            raise InvalidInput(f"the store has no model {name!r}", remedy=f"it has: {listed}")
        self._store.commit(Batch(now=self._clock(), drop=names))


def _info(view: "View", model: Model) -> ModelInfo:
    lost = view.survey(GivenUp(model.name))
    waiting = view.survey(Waiting(model.name))
    problem = ""
    choice = model.choice
    if model.dims:
        try:
            choice = Choice.of(model.choice).words()
            open_choice(Choice.of(model.choice))
        except ModelError as error:
            problem = str(error)
    reasons = lost or {reason: count for reason, count in waiting.items() if reason}
    return ModelInfo(
        name=model.name,
        choice=choice,
        state=model.state,
        dims=model.dims,
        vectors=model.vectors,
        waiting=sum(waiting.values()),
        failed=sum(lost.values()),
        reason=max(reasons, key=lambda reason: reasons[reason], default=""),
        records=view.survey(Progress(model.name)) if model.state != "idle" and model.dims else {},
        problem=problem,
    )


def open_choice(choice: Choice, *, agreed: bool = False, hurried: bool = False) -> Embedder:
    """The embedder of a choice, one for the whole process. Raises ModelError; NoModel where it is a
    server that this user has not agreed to send text to, unless `agreed`. `hurried` does not wait
    for a server that is slow."""
    url = server(choice)
    if url and not agreed and not settings.allowed(url):
        raise NoModel(
            f"this store is embedded by {choice.words()}, and you have not agreed to send it text",
            remedy=f"agree with: {choice.command()}, or choose another model",
        )
    cache = settings.cache_folder()
    key = settings.provider_key(choice.name)
    with _OPENING:
        known = _OPEN.get((choice, cache, key, hurried and bool(url)))
        if known is None:
            from pinyon.inference.open import open_embedder

            known = RememberingEmbedder(
                open_embedder(
                    choice.name,
                    cache,
                    key=key,
                    url=choice.url,
                    model=choice.model,
                    dims=choice.dims,
                    hurried=hurried,
                ),
                Remembered(cache / VECTORS_FILE),
            )
            _OPEN[(choice, cache, key, hurried and bool(url))] = known
        return known


def server(choice: Choice) -> str:
    """The address that text is sent to, "" for a model on this machine."""
    from pinyon.inference.models import known

    provider = known().providers.get(choice.name)
    return (choice.url or provider.url) if provider else ""
