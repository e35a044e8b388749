"""Gate: who calls is the owner, the holder of a token, or nobody."""

from pathlib import Path

import pytest

from pinyon.access import OWNER
from pinyon.access.gate import Gate
from pinyon.model.errors import InvalidInput, NotPermitted, NotRecognised


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "notes.pinyon"


def gate_of(store: Path, *, required: bool = False) -> Gate:
    return Gate(store, required=required, folder=store.parent / "config")


@pytest.mark.proves("X11")
def test_where_there_is_no_token_the_local_user_is_the_owner(store: Path) -> None:
    gate = gate_of(store)
    assert gate.permit(None) == OWNER
    assert not gate.required
    gate.check()


@pytest.mark.proves("X11")
def test_once_there_is_a_token_every_request_needs_one(store: Path) -> None:
    gate = gate_of(store)
    token = gate.tokens.create("agent", ["search"])
    with pytest.raises(NotRecognised, match="must show a token"):
        gate.permit(None)
    assert gate.permit(f"Bearer {token}").name == "agent"
    assert gate.permit(f"bearer  {token} ").name == "agent"


def test_what_was_required_once_stays_so_until_the_process_ends(store: Path) -> None:
    gate = gate_of(store)
    token = gate.tokens.create("agent", ["search"])
    with pytest.raises(NotRecognised):
        gate.permit(None)
    gate.tokens.revoke("agent")
    for shown in (None, f"Bearer {token}"):
        with pytest.raises(NotRecognised):
            gate.permit(shown)


def test_a_token_from_before_the_start_counts_as_one(store: Path) -> None:
    gate_of(store).tokens.create("agent", ["search"])
    gate = gate_of(store)
    gate.tokens.revoke("agent")
    with pytest.raises(NotRecognised):
        gate.permit(None)


def test_a_token_that_does_not_count_is_no_owner_where_none_is_needed(store: Path) -> None:
    token = gate_of(store).tokens.create("agent", ["search"])
    gate_of(store).tokens.revoke("agent")
    gate = gate_of(store)  # after a restart
    assert gate.permit(None) == OWNER
    with pytest.raises(NotRecognised, match="does not count"):
        gate.permit(f"Bearer {token}")


@pytest.mark.parametrize("shown", ["", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "pinyon_1_2"])
def test_nothing_else_than_a_token_is_taken(store: Path, shown: str) -> None:
    with pytest.raises(NotRecognised):
        gate_of(store).permit(shown)


def test_where_tokens_are_required_one_must_be_there_that_counts(store: Path) -> None:
    gate = gate_of(store, required=True)
    with pytest.raises(NotRecognised):
        gate.permit(None)
    with pytest.raises(InvalidInput, match="pinyon token create"):
        gate.check()
    gate.tokens.create("agent", ["search"])
    gate.check()


def test_an_invitation_is_of_the_owner_and_of_this_process_alone(store: Path) -> None:
    gate = gate_of(store, required=True)
    first, second = gate.invite(), gate.invite()
    assert gate.permit(f"Bearer {first}") == gate.permit(f"Bearer {second}") == OWNER
    with pytest.raises(NotRecognised):
        gate_of(store, required=True).permit(f"Bearer {first}")
    assert gate.tokens.all() == []


def test_tokens_that_cannot_be_read_let_nobody_in_and_show_no_path(
    store: Path, caplog: pytest.LogCaptureFixture
) -> None:
    gate = gate_of(store)
    file = store.parent / "config" / "tokens.json"
    file.parent.mkdir()
    file.write_text("{")
    for shown in (None, "Bearer pinyon_1_2"):
        with pytest.raises(NotPermitted) as refused:
            gate.permit(shown)
        assert str(file) not in str(refused.value)
    assert str(file) in caplog.text
    with pytest.raises(InvalidInput, match="repair the file"):
        gate_of(store)
