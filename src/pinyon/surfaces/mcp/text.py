"""Text: what a tool gives, for an agent that reads text.

Records are what others wrote, and may hold anything. One line of it stands in quotes, as JSON
writes them; more stands between fences that are longer than any in it. Neither can be left by what
stands inside.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from html import unescape
from typing import Any

Json = Mapping[str, Any]

_MARK = re.compile("</?mark>")
_FENCE = re.compile("`{3,}")


def as_json(given: Json) -> str:
    return json.dumps(given, ensure_ascii=False, separators=(",", ":"))


def quoted(text: str) -> str:
    """One line, whatever it holds."""
    line = json.dumps(text, ensure_ascii=False)
    # Some readers end a line here as well.
    return re.sub("[\x7f-\x9f\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", line)


def fenced(text: str) -> str:
    longest = max(map(len, _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{text}\n{fence}"


def _answer(given: Json) -> str:
    return "\n".join(_answer_lines(given))


def _answer_lines(given: Json) -> Iterator[str]:
    hits, meta = given["hits"], given["meta"]
    yield f"Found {len(hits)}, best first: relevance, kind, id, title, size."
    for hit in hits:
        yield f"- {hit['relevance']:.2f} {_head(hit)}, {hit['tokens']} tokens"
        yield from (f"  {line}" for line in _hit_lines(hit))
    for name in ("warnings", "changed"):
        for each in meta.get(name, ()):
            yield f"{name}: {quoted(each) if isinstance(each, str) else as_json(each)}"
    if meta.get("left_out"):
        yield f"left out: {as_json(meta['left_out'])}"
    if meta.get("hint"):
        yield f"hint: {meta['hint']}"
    if meta.get("next"):
        yield f"next page: cursor {meta['next']}"


def _hit_lines(hit: Json) -> Iterator[str]:
    if hit.get("record"):
        yield from fenced(_whole(hit["record"])).split("\n")
    elif hit["snippet"]:
        yield quoted(unescape(_MARK.sub("", hit["snippet"])))
    if hit.get("more"):
        yield f"the same: {', '.join(map(quoted, hit['more']))}"


def _records(given: Json) -> str:
    return "\n\n".join(
        f"{_head(record)}, version {record.get('version', 1)}\n{fenced(_whole(record))}"
        for record in given["records"]
    )


def _whole(record: Json) -> str:
    """Everything of a record but what its heading says."""
    fields = {
        name: value
        for name, value in record.items()
        if name not in ("id", "kind", "title", "body", "version")
    }
    lines = [f"{name}: {as_json(value)}" for name, value in fields.items()]
    return "\n".join([*lines, *([""] if lines else []), record.get("body", "")])


def _related(given: Json) -> str:
    lines = (
        f"- {_edge(each['edge'])}: {_head(each['record'])}, {each['hops']} away"
        for each in given["related"]
    )
    return "\n".join([f"Links: {len(given['related'])}", *lines])


def _edge(edge: Json) -> str:
    return " ".join(quoted(edge[end]) for end in ("from", "relation", "to"))


def _brief(given: Json) -> str:
    return "\n".join(_brief_lines(given))


def _brief_lines(given: Json) -> Iterator[str]:
    yield f"What matters now, as of {given['at']}: kind, id, title, why, size."
    for name, section in given["sections"].items():
        if section["items"] or section["left"]:
            yield f"{name}:"
        for item in section["items"]:
            yield f"- {_head(item)}, {quoted(item['why'])}, {item['tokens']} tokens"
            if item["line"]:
                yield f"  {quoted(item['line'])}"
        if section["left"]:
            yield f"- and {section['left']} more"


def _head(record: Json) -> str:
    title = record.get("title", "")
    return f"{record['kind']} {quoted(record['id'])}" + (f" {quoted(title)}" if title else "")


FORMS: Mapping[str, Callable[[Json], str]] = {
    "search": _answer,
    "get": _records,
    "related": _related,
    "brief": _brief,
}
"""The text of what these tools give; what the others give is short enough as JSON."""
