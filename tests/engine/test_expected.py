"""An update that says which version it saw changes that version and no other."""

import pytest

import pinyon
from pinyon.model.errors import StaleRecord, UnknownRecord


def test_an_update_of_the_version_that_was_seen_is_done() -> None:
    with pinyon.open(":memory:") as engine:
        engine.save(pinyon.Record(id="a", body="one"))
        assert engine.update("a", expected=1, body="two").version == 2
        assert engine.update("a", expected=2, body="three").body == "three"


def test_an_update_of_an_older_version_changes_nothing_and_says_so() -> None:
    with pinyon.open(":memory:") as engine:
        engine.save(pinyon.Record(id="a", body="one"))
        engine.update("a", body="two")
        with pytest.raises(StaleRecord, match="version 2, not 1"):
            engine.update("a", expected=1, body="three")
        assert engine.get("a")[0].body == "two"
        with pytest.raises(UnknownRecord):
            engine.update("b", expected=1, body="three")
