"""Threads: the turns of one exported conversation in the order in which they were seen.

ChatGPT keeps a tree, in which an edited question is a branch; Claude keeps a list.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pinyon.index.parse.given import moment

_SHOWN = ("user", "assistant")


def chatgpt(given: Mapping[str, Any]) -> list[Any]:
    """The branch that ends at `current_node`, or else at the newest message."""
    mapping = given["mapping"]
    at = given.get("current_node")
    if not isinstance(at, str) or at not in mapping:
        at = max(mapping, key=lambda id: _time(mapping[id]), default=None)
    found: list[Any] = []
    seen: set[str] = set()
    while isinstance(at, str) and at in mapping and at not in seen:
        seen.add(at)  # a parent that is its own grandchild must not hold us up
        node = mapping[at] if isinstance(mapping[at], dict) else {}
        turn = _shown(node.get("message"))
        if turn:
            found.append(turn)
        at = node.get("parent")
    return found[::-1]


def claude(messages: Sequence[Any]) -> list[Any]:
    """Each message with the text of its parts, where it has any."""
    found = []
    for message in messages:
        parts = message.get("content") if isinstance(message, dict) else None
        if not isinstance(parts, list):
            found.append(message)
            continue
        texts = [
            part["text"]
            for part in parts
            if isinstance(part, dict)
            and part.get("type") == "text"
            and isinstance(part.get("text"), str)
        ]
        whole = "\n\n".join(texts) or message.get("text") or ""
        found.append({**message, "text": whole})
    return found


def _shown(message: Any) -> dict[str, Any] | None:
    """A message as a turn; None where the user never saw it: instructions, calls of tools and what
    these answered."""
    if not isinstance(message, dict):
        return None
    author, hidden = message.get("author"), message.get("metadata")
    role = author.get("role") if isinstance(author, dict) else None
    if role not in _SHOWN or message.get("recipient", "all") not in (None, "all"):
        return None
    if isinstance(hidden, dict) and hidden.get("is_visually_hidden_from_conversation"):
        return None
    content = message.get("content")
    if not isinstance(content, dict) or content.get("content_type") == "user_editable_context":
        return None
    return {"role": role, "content": content, "time": message.get("create_time")}


def _time(node: Any) -> float:
    message = node.get("message") if isinstance(node, dict) else None
    time = message.get("create_time") if isinstance(message, dict) else None
    date = moment(time)
    return date.timestamp() if date else float("-inf")
