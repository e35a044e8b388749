"""A purge leaves nothing: not a byte of what was purged is in any file of the store."""

from pathlib import Path
from typing import Any

import pytest

import pinyon
from pinyon.model.record import Record

SECRET = b"xylophonist"


def bytes_of(store: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in store.parent.glob(f"{store.name}*")}


@pytest.mark.proves("P5")
@pytest.mark.parametrize("field", ["id", "title", "aliases", "body", "context", "tags", "source"])
def test_no_byte_of_a_purged_record_is_left_while_the_store_is_open(
    tmp_path: Path, field: str
) -> None:
    path = tmp_path / "secret.pinyon"
    secret = SECRET.decode()
    held = (secret,) if field in ("aliases", "tags") else secret
    with pinyon.open(path) as engine:
        for at in range(50):
            engine.save(Record(id=f"other-{at}", body=f"words of another record {at} " * 20))
        id = engine.save(Record(**{"id": "it", field: held}))  # type: ignore[arg-type]
        engine.update(id, importance=5)
        emptied: dict[str, Any] = {field: "" if isinstance(held, str) else ()}
        engine.update(id, **(emptied if field != "id" else {}))
        engine.link(id, "caused", "other-1", evidence=f"the {secret} said so")
        assert any(SECRET in content for content in bytes_of(path).values())
        engine.forget(id, purge=True)
        left = [name for name, content in bytes_of(path).items() if SECRET[:9] in content]
        assert left == []
        assert engine.stats().documents == 50
        assert engine.examine() == []


def test_what_was_only_forgotten_is_still_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "secret.pinyon"
    with pinyon.open(path) as engine:
        engine.save(Record(id="it", body=SECRET.decode()))
        engine.forget("it")
        assert any(SECRET in content for content in bytes_of(path).values())
        assert engine.history("it")[0].record.body == SECRET.decode()


def test_a_purge_reaches_what_was_forgotten_before(tmp_path: Path) -> None:
    path = tmp_path / "secret.pinyon"
    with pinyon.open(path) as engine:
        engine.save(Record(id="it", body=SECRET.decode()))
        engine.forget("it")
        engine.forget("it", purge=True)
    assert [name for name, content in bytes_of(path).items() if SECRET in content] == []
