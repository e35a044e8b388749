"""Keeping: the methods of an engine that look after a whole store: folders, models, repair."""

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from pinyon import settings
from pinyon.engine.writing import Writing

if TYPE_CHECKING:
    from pinyon.index.embed import Embedded, Pace
    from pinyon.index.pipeline import Progress, Report
    from pinyon.index.transfer import Imported
    from pinyon.meaning import ModelInfo
    from pinyon.store.contract import Finding


class Keeping(Writing):
    """See Engine."""

    def embed(
        self,
        *,
        seconds: float | None = None,
        retry: bool = False,
        progress: "Callable[[Pace], None] | None" = None,
    ) -> "Embedded":
        """Embed what waits, for at most so many seconds; with `retry` also what was given up.
        Raises ModelError when there is no model to do it."""
        from pinyon.index.embed import ignore

        watch = progress or ignore
        return self._meaning.embed(seconds=seconds, retry=retry, progress=watch)

    def models(self) -> "list[ModelInfo]":
        """The models that the store knows, the active one first."""
        return self._meaning.models()

    def use_model(
        self, choice: str, *, url: str = "", model: str = "", dims: int = 0
    ) -> "ModelInfo":
        """Search with another model, as soon as it has embedded everything: a name of the table,
        the path of a folder, hf:OWNER/NAME, "none" or "auto". For a provider, this is the consent
        to send text to it."""
        from pinyon.meaning import Choice

        return self._meaning.use(Choice(choice, url, model, dims))

    def drop_model(self, name: str) -> None:
        """Take a model away, with its vectors."""
        self._meaning.drop(name)

    def config(self) -> dict[str, str]:
        """What is configured in this store, and what was learnt: key to value."""
        with self._store.snapshot() as view:
            return dict(view.settings())

    def configure(self, key: str, value: str | None) -> str:
        """Set a key, or with None unset it; it counts from the next search on, of every engine over
        this store. Gives what should be said of it. Raises UnknownSetting for what does not fit."""
        from pinyon.profiles.configured import check_removal, check_setting
        from pinyon.store.contract import Batch

        known, note = self.config(), ""
        if value is None:
            check_removal(key, known)
        else:
            value, note = check_setting(key, value, known, self._profile_folders)
        self._store.commit(Batch(now=self._clock(), settings={key: value}))
        return note

    def index(
        self, path: str | Path, *, progress: "Callable[[Progress], None] | None" = None
    ) -> "Report":
        """Bring the records of a folder, or of one file, up to date with what is on the disk."""
        from pinyon.index import pipeline

        watch = progress or pipeline.ignore
        report = pipeline.index_folder(self._store, Path(path), now=self._clock(), progress=watch)
        self._written()
        return report

    def watch(
        self,
        paths: Sequence[str | Path],
        *,
        on_report: "Callable[[Report], None]",
        on_trouble: Callable[[Path, str], None] = lambda root, reason: None,
        stop: "threading.Event | None" = None,
    ) -> None:
        """Index folders (or single files), and again after every change, until `stop` is set. What
        is told to `on_report` and `on_trouble` stands in `index.watch`."""
        from pinyon.index import pipeline
        from pinyon.index.watch import Claims, watch

        watch(
            [Path(path) for path in paths],
            self.index,
            on_report=on_report,
            on_trouble=on_trouble,
            stop=stop or threading.Event(),
            wanted=pipeline.noticed,
            claims=Claims(settings.cache_folder() / "watching", self._name or str(id(self))),
        )

    def import_jsonl(
        self,
        file: BinaryIO,
        *,
        name: str = "the import",
        replace: bool = False,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> "Imported":
        """Read JSON Lines as `export` writes them. All lines are checked before any is written."""
        from pinyon.index import transfer

        imported = transfer.import_file(
            self._store,
            file,
            name=name,
            now=self._clock(),
            new_id=self._changes.new_id,
            replace_known=replace,
            progress=progress,
        )
        self._written()
        return imported

    def export(self) -> Iterator[str]:
        """Everything as JSON Lines: records, versions, edges. One moment, however long it takes."""
        from pinyon.index import transfer

        with self._store.snapshot() as view:
            yield from transfer.export_lines(view)

    def backup(
        self,
        target: str | Path,
        *,
        replace: bool = False,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        """Copy the store to the file `target` while it is in use: a store as it is at one moment,
        whole or not there at all. Raises InvalidInput where a file is there already, unless
        `replace`."""
        self._store.backup(Path(target).expanduser(), replace=replace, progress=progress)

    def examine(self) -> "list[Finding]":
        """Everything that is wrong with the store; nothing when it is sound."""
        return self._store.examine()

    def rebuild(self) -> None:
        """Make everything that is derived from the records anew."""
        self._store.rebuild()
