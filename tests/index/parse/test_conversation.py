"""Conversation: turns as memories in their order, from the exports that people have."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from pinyon.index.parse.conversation import conversation
from pinyon.index.parse.origin import Origin, Parsed
from pinyon.model.check import recheck
from pinyon.model.errors import InvalidInput
from pinyon.model.record import Edge, Record

MAY = datetime(2024, 5, 1, tzinfo=UTC)
FILE = Origin("chats", "export/conversations.json", MAY)
NOON = datetime(2024, 2, 3, 12, tzinfo=UTC)


def read(*conversations: Any) -> Parsed:
    return conversation(json.dumps(conversations), FILE)


def said(parsed: Parsed) -> list[tuple[str, str]]:
    return [(record.author, record.body) for record in parsed.records]


def node(role: str, text: str, parent: str | None, **more: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    message = {"author": {"role": role}, "create_time": None, "content": content, **more}
    return {"message": message, "parent": parent, "children": []}


def test_each_turn_is_a_memory_that_follows_the_one_before_it() -> None:
    messages = [
        {"sender": "human", "text": "Where to?", "created_at": "2024-02-03T13:00:00+01:00"},
        {"sender": "assistant", "text": "", "created_at": "2024-02-03T12:00:01Z"},
        {
            "sender": "assistant",
            "text": "old",
            "content": [{"type": "text", "text": "To"}, {"type": "text", "text": "Rome."}],
            "created_at": "2024-02-03T12:00:00Z",
        },
    ]
    parsed = read({"uuid": "3f2a9c1d-77", "name": "A trip", "chat_messages": messages})

    def turn(number: int, speaker: str, body: str) -> Record:
        return Record(
            kind="memory",
            id=f"chats/export/conversations.json#a-trip-3f2a9c1d-{number}",
            title=f"A trip: {speaker}",
            body=body,
            memory_type="episodic",
            author=speaker,
            scope="chats/export/a-trip-3f2a9c1d",
            source="chats/export/conversations.json",
            created_at=NOON,
            updated_at=NOON,
        )

    first, second = turn(1, "human", "Where to?"), turn(2, "assistant", "To\n\nRome.")
    assert parsed == Parsed(
        (first, second),
        "",
        (Edge(FILE.file_id, "contains", first.id), Edge(second.id, "follows", first.id)),
        "A trip",
    )


def test_of_a_tree_the_branch_that_was_last_seen_is_read() -> None:
    tree = {
        "root": {"message": None, "parent": None},
        "a": node("system", "be kind", "root"),
        "b": node("user", "first try", "a"),
        "c": node("user", "second try", "a", create_time=NOON.timestamp()),
        "d": node("assistant", "search(...)", "c", recipient="browser"),
        "e": node("tool", "pages of results", "d"),
        "f": node("assistant", "the answer", "e"),
    }
    parsed = read({"title": "Tries", "id": "x1", "mapping": tree, "current_node": "f"})
    assert said(parsed) == [("user", "second try"), ("assistant", "the answer")]
    assert parsed.records[0].created_at == NOON
    assert parsed.records[0].scope == "chats/export/tries-x1"


@pytest.mark.parametrize("current", [None, "unknown", 7])
def test_without_a_current_node_the_newest_message_is_the_end(current: Any) -> None:
    tree = {
        "a": node("user", "q", None, create_time=1.0),
        "b": node("assistant", "new", "a", create_time=3.0),
        "c": node("assistant", "old", "a", create_time=2.0),
        "d": node("assistant", "broken", "a", create_time=float("nan")),
    }
    assert said(read({"mapping": tree, "current_node": current})) == [
        ("user", "q"),
        ("assistant", "new"),
    ]


def test_a_tree_that_bites_its_tail_ends() -> None:
    tree = {"a": node("user", "x", "b"), "b": node("user", "y", "a")}
    assert said(read({"mapping": tree, "current_node": "a"})) == [("user", "y"), ("user", "x")]


def test_parts_that_are_no_text_are_left_out() -> None:
    turn = node("user", "", None)
    turn["message"]["content"]["parts"] = [{"asset_pointer": "file"}, "look", {"text": "heard"}]
    parsed = read({"mapping": {"a": turn}, "current_node": "a"})
    assert said(parsed) == [("user", "look\n\nheard")]


def test_a_plain_list_of_turns_is_one_session() -> None:
    parsed = read({"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"})
    assert [record.id for record in parsed.records] == [
        f"{FILE.id}#conversations-1",
        f"{FILE.id}#conversations-2",
    ]
    assert said(parsed) == [("user", "hello"), ("assistant", "hi")]


def test_sessions_of_the_same_name_stay_apart() -> None:
    chat = {"name": "New chat", "chat_messages": [{"sender": "human", "text": "x"}]}
    parsed = read(chat, chat, {**chat, "uuid": "abc"})
    assert len({record.id for record in parsed.records}) == 3
    assert len({record.scope for record in parsed.records}) == 3


@pytest.mark.parametrize(
    "date",
    ["yesterday", float("inf"), 1e300, -1e300, 10**400, True, ["x"], "0001-01-01T00:00+23:00"],
)
def test_a_date_that_is_none_is_named_and_the_turn_is_kept(date: Any) -> None:
    parsed = read({"role": "user", "content": "hello", "time": date})
    assert [(record.created_at, record.updated_at) for record in parsed.records] == [(None, MAY)]
    assert "is not a date" in parsed.warning


@pytest.mark.parametrize("date", [1706961600, 1706961600.0, 1706961600000, "2024-02-03 12:00:00"])
def test_dates_are_read_as_people_write_them(date: Any) -> None:
    parsed = read({"role": "user", "content": "hello", "time": date})
    assert [record.created_at for record in parsed.records] == [NOON]


def test_what_is_no_conversation_is_named_and_the_rest_is_read() -> None:
    good = {"name": "Good", "chat_messages": [7, {"sender": "human", "text": "x\ud800\x00"}]}
    parsed = read(3, {"no": "chat"}, good)
    assert [recheck(record).body for record in parsed.records] == ["x?"]
    assert parsed.warning == (
        "conversation 1: not one that is known; left out; "
        "conversation 2: not one that is known; left out; Good: turn 1: not a turn; left out"
    )


def test_many_warnings_are_counted() -> None:
    assert read(*range(100)).warning.endswith("; and 95 more")


@pytest.mark.parametrize("content", ["", "{", "[" * 200_000])
def test_what_is_not_json_is_refused(content: str) -> None:
    with pytest.raises(InvalidInput, match="not JSON"):
        conversation(content, FILE)


@pytest.mark.parametrize("content", ["3", '"text"', "null", "{}", "[]"])
def test_json_of_something_else_has_no_record(content: str) -> None:
    assert conversation(content, FILE).records == ()
