"""JSON Lines: conversations, records, or neither."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.index.parse.jsonl import jsonl
from pinyon.index.parse.origin import Origin, Parsed
from pinyon.model.check import recheck
from pinyon.model.record import Edge, Record

MAY = datetime(2024, 5, 1, tzinfo=UTC)
FILE = Origin("data", "talks/team_chat.jsonl", MAY)


def read(*lines: Any) -> Parsed:
    return jsonl(
        "\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines), FILE
    )


def test_turns_are_memories_by_session_in_the_order_of_the_file() -> None:
    parsed = read(
        {"speaker": "Ann", "text": "Hi", "time": "2024-02-03", "session": "D1"},
        {"speaker": "Bob", "text": "Yo", "session": "D2"},
        "",
        {"speaker": "Bob", "text": "Hello", "session": "D1"},
    )
    assert [(r.id, r.title, r.body, r.scope, r.lines) for r in parsed.records] == [
        (f"{FILE.id}#d1-1", "D1: Ann", "Hi", "data/talks/d1", (1, 1)),
        (f"{FILE.id}#d1-2", "D1: Bob", "Hello", "data/talks/d1", (4, 4)),
        (f"{FILE.id}#d2-1", "D2: Bob", "Yo", "data/talks/d2", (2, 2)),
    ]
    assert parsed.records[0].created_at == datetime(2024, 2, 3, tzinfo=UTC)
    follows = [edge for edge in parsed.edges if edge.relation == "follows"]
    assert follows == [Edge(f"{FILE.id}#d1-2", "follows", f"{FILE.id}#d1-1")]


def test_turns_without_a_session_are_one() -> None:
    parsed = read(
        {"role": "user", "content": "a", "id": 1}, {"role": "bot", "content": "b", "id": 2}
    )
    assert [record.id for record in parsed.records] == [
        f"{FILE.id}#team-chat-1",
        f"{FILE.id}#team-chat-2",
    ]


def test_an_id_that_turns_share_is_their_session() -> None:
    turn = {"role": "user", "content": "a"}
    parsed = read({**turn, "id": "x"}, {**turn, "id": "y"}, {**turn, "id": "x"})
    assert [record.scope for record in parsed.records] == [
        "data/talks/x",
        "data/talks/x",
        "data/talks/y",
    ]


def test_the_log_of_an_agent_is_a_conversation() -> None:
    message = {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}
    parsed = read(
        {"type": "summary", "summary": "x"},
        {"type": "assistant", "message": message, "sessionId": "s1", "timestamp": "2024-02-03"},
    )
    assert [(r.author, r.body, r.scope) for r in parsed.records] == [
        ("assistant", "Done.", "data/talks/s1")
    ]
    assert parsed.warning == "line 1: not a turn; left out"


def test_a_line_can_be_a_whole_conversation() -> None:
    turns = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]
    parsed = read({"messages": turns}, {"messages": turns}, {"other": 1})
    assert [(r.id.removeprefix(FILE.id), r.body, r.lines) for r in parsed.records] == [
        ("#line-1-1", "q", (1, 1)),
        ("#line-1-2", "a", (1, 1)),
        ("#line-2-1", "q", (2, 2)),
        ("#line-2-2", "a", (2, 2)),
    ]
    assert parsed.warning == "line 3: not a conversation; left out"


def test_records_keep_what_they_say_under_the_id_of_the_file() -> None:
    parsed = read(
        {"type": "record", "id": "a", "kind": "note", "title": "A", "scope": "team", "version": 4},
        {"title": "B", "source": "https://a.org"},
        {"type": "edge", "from": "a", "relation": "causes", "to": "@note:data:b"},
        {"type": "version", "anything": 1},
    )
    first = Record(
        kind="note",
        id=f"{FILE.id}#a",
        title="A",
        scope="data/talks/team",
        source=FILE.id,
        lines=(1, 1),
        updated_at=MAY,
    )
    second = Record(
        id=f"{FILE.id}#line-2",
        title="B",
        scope="data/talks",
        source="https://a.org",
        updated_at=MAY,
    )
    assert parsed == Parsed(
        (first, second),
        "",
        (
            Edge(FILE.file_id, "contains", first.id),
            Edge(FILE.file_id, "contains", second.id),
            Edge(first.id, "causes", "@note:data:b"),
        ),
        "A, B",
    )


def test_a_bad_line_is_named_and_the_rest_is_read() -> None:
    parsed = read(
        {"title": "good"},
        "{broken",
        "[1]",
        {"title": "x", "colour": "red"},
        "[" * 200_000,
    )
    assert [record.title for record in parsed.records] == ["good"]
    for number in (2, 3, 4, 5):
        assert f"line {number}: " in parsed.warning


def test_of_two_records_with_one_id_the_first_is_kept() -> None:
    parsed = read(
        {"id": "a", "title": "1"}, {"id": "a", "title": "2"}, {"id": "b" * 490, "body": "x"}
    )
    assert [record.title for record in parsed.records] == ["1"]
    assert parsed.warning.startswith("line 2: its id stands further up already; line 3: id: longer")


def test_an_edge_of_records_elsewhere_is_named() -> None:
    parsed = read(
        {"id": "a", "title": "1"}, {"type": "edge", "from": "a", "relation": "x", "to": "z"}
    )
    assert parsed.warning == "line 2: an edge of records that are not in the file"
    assert [edge.relation for edge in parsed.edges] == ["contains"]


def test_a_record_that_was_forgotten_stays_so() -> None:
    assert read({"id": "a", "title": "1", "deleted_at": "2024-01-01"}).records == ()


@pytest.mark.parametrize("lines", [[{"x": 1}, {"y": 2}], [{"text": "no speaker"}]])
def test_lines_of_something_else_are_not_read(lines: list[Any]) -> None:
    parsed = read(*lines)
    assert parsed == Parsed((), "neither turns of a conversation nor records; nothing is read")


def test_an_empty_file_has_nothing_to_say() -> None:
    assert jsonl("\n\n", FILE) == Parsed(())


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["text", "role", "parts"]), inner, max_size=2)
    ),
    max_leaves=4,
)
_KEYS = st.sampled_from(
    [
        "speaker",
        "role",
        "text",
        "content",
        "message",
        "time",
        "session",
        "id",
        "type",
        "title",
        "body",
        "kind",
        "messages",
        "mapping",
        "chat_messages",
        "current_node",
        "name",
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.dictionaries(_KEYS, _VALUES, max_size=5), max_size=5))
def test_every_file_gives_records_that_can_be_stored(lines: list[dict[str, Any]]) -> None:
    parsed = read(*lines)
    assert [recheck(record) for record in parsed.records] == list(parsed.records)
    ids = [record.id for record in parsed.records]
    assert len(set(ids)) == len(ids)
    assert {edge.from_id for edge in parsed.edges} <= {*ids, FILE.file_id}
