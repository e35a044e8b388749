"""Conversation: what was said, one record a turn, each behind the one before it.

Reads the conversations.json that ChatGPT and Claude export, and lists of turns by anyone. A turn is
an object that says who spoke and what; JSON Lines of them come through jsonl.py.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pinyon.index.parse.given import clean, from_json, moment, summed
from pinyon.index.parse.links import Slugs
from pinyon.index.parse.origin import Origin, Parsed, line
from pinyon.index.parse.threads import chatgpt, claude
from pinyon.model.check import LIMITS
from pinyon.model.record import Edge, Record

SPEAKER = ("speaker", "role", "author", "sender", "from")
TEXT = ("text", "content", "message", "value")
TIME = ("time", "timestamp", "date", "created_at", "create_time")
SESSION = ("session", "session_id", "sessionId", "conversation", "conversation_id", "thread")

_MOST_TITLE = 120
_MOST_SLUG = 90


class Session(NamedTuple):
    """`key` tells it from others with the same title; `turns` are objects, with the number of the
    line that each stands in, or 0."""

    title: str
    key: str
    turns: Sequence[tuple[int, Any]]


def conversation(content: str | bytes, origin: Origin) -> Parsed:
    """Raises InvalidInput for what is not JSON. What is no conversation is left out, with a
    warning."""
    given = from_json(content if isinstance(content, str) else content.decode("utf-8", "replace"))
    if isinstance(given, dict):
        lists = (given[key] for key in ("conversations", "chats") if key in given)
        given = next((each for each in lists if isinstance(each, list)), [given])
    if not isinstance(given, list):
        return Parsed((), "no conversation that is known")
    if any(is_turn(each) for each in given[:20]):
        return turns_of([Session(origin.words, "", [(0, each) for each in given])], origin)
    sessions, unknown = [], []
    for number, each in enumerate(given, start=1):
        session = session_of(each)
        if session:
            sessions.append(session)
        else:
            unknown.append(f"conversation {number}: not one that is known; left out")
    return turns_of(sessions, origin, unknown)


def session_of(given: Any, line_number: int = 0) -> Session | None:
    """A whole conversation in one object, as far as it is known how to read it."""
    if not isinstance(given, dict):
        return None
    if isinstance(given.get("mapping"), dict):
        turns: Iterable[Any] = chatgpt(given)
    elif isinstance(given.get("chat_messages"), list):
        turns = claude(given["chat_messages"])
    else:
        lists = (given.get(key) for key in ("messages", "turns", "conversations"))
        turns = next((each for each in lists if isinstance(each, list)), ())
        if not turns:
            return None
    title = first(given, ("title", "name")) or ""
    key = first(given, ("conversation_id", "uuid", "id", *SESSION)) or ""
    return Session(
        clean(title) if isinstance(title, str) else "",
        clean(str(key)) if isinstance(key, (str, int)) else "",
        [(line_number, turn) for turn in turns],
    )


def is_turn(given: Any) -> bool:
    return isinstance(given, dict) and bool(_speaker(given)) and first(given, TEXT) is not None


def turns_of(sessions: Iterable[Session], origin: Origin, warnings: Sequence[str] = ()) -> Parsed:
    """The records of all sessions; turns without a word are left out."""
    found = list(warnings)
    slugs = Slugs(_MOST_SLUG)
    records: list[Record] = []
    edges: list[Edge] = []
    for number, session in enumerate(sessions, start=1):
        slug = slugs.take(_name(session, number, origin))
        room = LIMITS["scope"] - len(slug) - 1
        scope = f"{origin.scope[:room].rstrip('/')}/{slug}"
        before = ""
        for record in _turns(session, slug, scope, origin, found):
            if before:
                edges.append(Edge(record.id, "follows", before))
            else:
                edges.append(Edge(origin.file_id, "contains", record.id))
            before = record.id
            records.append(record)
    outline = ", ".join(dict.fromkeys(record.title.rpartition(":")[0] for record in records))
    return Parsed(tuple(records), summed(found), tuple(edges), outline[:2_000])


def _name(session: Session, number: int, origin: Origin) -> str:
    """What the slug is made of: the title to be read, some of the key to stay the same when other
    conversations come or go."""
    title = line(session.title, "title")[:60].strip()
    if title == origin.words and not session.key:
        return title
    if title and session.key != title:
        return f"{title} {line(session.key, 'title')[:8]}".strip()
    return line(session.key, "title") or title or str(number)


def _turns(
    session: Session, slug: str, scope: str, origin: Origin, warnings: list[str]
) -> Iterator[Record]:
    title = (line(session.title, "title") or line(session.key, "title") or origin.words).strip()
    kept = 0
    for place, (number, given) in enumerate(session.turns, start=1):
        where = f"line {number}" if number else f"{title[:40]}: turn {place}"
        if not is_turn(given):
            warnings.append(f"{where}: not a turn; left out")
            continue
        text = clean(spoken(first(given, TEXT))).strip()
        if not text:
            continue
        if len(text) > LIMITS["body"]:
            warnings.append(f"{where}: only {LIMITS['body']:,} characters of it fit")
        kept += 1
        said = first(given, TIME)
        time = moment(said)
        if time is None and said not in (None, ""):
            warnings.append(f"{where}: {str(said)[:40]!r} is not a date")
        speaker = line(_speaker(given), "author")
        yield Record(
            kind="memory",
            id=f"{origin.id}#{slug}-{kept}",
            title=f"{title[:_MOST_TITLE].strip()}: {speaker}",
            body=text[: LIMITS["body"]],
            memory_type="episodic",
            author=speaker,
            scope=scope,
            source=origin.id,
            lines=(number, number) if number else None,
            created_at=time,
            updated_at=time or origin.modified_at,
        )


def _speaker(given: Mapping[str, Any]) -> str:
    """Who spoke: a name, or an object with one; it may stand beside the text or around it."""
    said = first(given, SPEAKER)
    message = given.get("message")
    if said is None and isinstance(message, dict):
        said = first(message, SPEAKER)
    if isinstance(said, dict):
        said = first(said, ("name", "role"))
    return said.strip() if isinstance(said, str) else ""


def spoken(value: Any) -> str:
    """The text of a turn: a string, an object around one, or a list of parts of which some are."""
    if isinstance(value, dict):
        value = first(value, ("parts", *TEXT))
    parts = value if isinstance(value, list) else [value]
    texts = (part.get("text") if isinstance(part, dict) else part for part in parts)
    return "\n\n".join(text for text in texts if isinstance(text, str) and text.strip())


def first(given: Mapping[str, Any], keys: Iterable[str]) -> Any:
    """The value of the first of the keys that has one."""
    return next((given[key] for key in keys if given.get(key) is not None), None)
