"""A change that loses a race begins again, until it wins or nobody would wait any longer."""

from datetime import UTC, datetime

import pytest

from pinyon.index import changes
from pinyon.index.changes import Changes
from pinyon.model.errors import StaleRecord
from pinyon.model.record import Record
from pinyon.store.contract import Batch, Receipt
from pinyon.store.memory import MemoryStore

NOW = datetime(2024, 5, 1, tzinfo=UTC)


class Contested(MemoryStore):
    """Somebody else is faster, so many times."""

    races = 0

    def commit(self, batch: Batch) -> Receipt:
        if self.races:
            self.races -= 1
            raise StaleRecord("fox", 1, 2)
        return super().commit(batch)


def test_a_change_wins_after_fifty_lost_races() -> None:
    store = Contested()
    made = Changes(store, lambda: NOW)
    made.save(Record(id="fox", body="red"), overwrite=False)
    store.races = 50
    assert made.tag("fox", ["wild"], []).tags == ("wild",)
    store.races = 50
    assert made.update("fox", {"body": "grey"}).body == "grey"
    assert store.races == 0


def test_a_change_that_never_wins_gives_up_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "INSIST_S", 0.05)
    store = Contested()
    made = Changes(store, lambda: NOW)
    made.save(Record(id="fox", body="red"), overwrite=False)
    store.races = 1_000_000
    with pytest.raises(StaleRecord, match="read it again"):
        made.tag("fox", ["wild"], [])
