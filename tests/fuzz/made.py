"""Made: inputs to attack with: good ones, damaged; pieces of a format in any order; noise."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, TypeVar

from hypothesis import strategies as st

Text = TypeVar("Text", str, bytes)

ANY = st.text(st.characters(exclude_categories=[]), max_size=20)
"""Also NUL, halves of surrogate pairs and what no font shows."""

NASTY = (
    *("\x00", "\ud800", "\ufeff", "\u202e", "\u2028", "\x1b[2J", "\r", "\n\n", "\t", "\xa0"),
    *("{", "}", "[", "]", "(", ")", "<", ">", '"', "'", "`", "```", "---\n", "...", "\\", "|"),
    *("&", "*", "%", "#", "@", "!", "?", ":", ": ", "- ", "~", "^", "$", "=", "<!--", "]]>"),
    *("null", "true", "NaN", "Infinity", "-1", "1e999", "9" * 400, "0" * 5_000, "1" * 5_000),
    *("9999-12-31", "0000-00-00", "0001-01-01", "2024-02-30T25:61:61Z", "²", "٣", "½"),
    *("[" * 300, '{"a":' * 300, "(" * 50, "a\u0301" * 40, "é", "日本", "👩‍👩‍👧", "\U0010ffff"),
    *("\\ud800", "\\UFFFFFFFF", "\\x", "%YAML 1.1\n", "!!python/object:os.system ", "&a ", "*a"),
    *("{{7*7}}", "${x}", "%s%n", "'; DROP TABLE records; --", "../../etc/passwd", "file:///"),
)
"""What parsers have stumbled over before."""


@st.composite
def damaged(draw: st.DrawFn, good: Text, words: Sequence[str] = ()) -> Text:
    """A sample with some of it taken out, repeated or replaced."""
    text = good
    for _ in range(draw(st.integers(1, 6))):
        begin = draw(st.integers(0, len(text)))
        end = min(len(text), begin + draw(st.integers(0, 40)))
        piece = draw(st.sampled_from(("", "twice", "nasty", "any")))
        if piece == "twice":
            put = text[begin:end] * draw(st.integers(2, 5))
        elif isinstance(text, bytes):
            noise = st.binary(max_size=20)
            put = draw(noise) if piece == "any" else _bytes(draw(st.sampled_from(NASTY)))
        else:
            put = draw(ANY) if piece == "any" else draw(st.sampled_from((*words, *NASTY)))
        text = text[:begin] + (put if piece else text[:0]) + text[end:]
    return text


def mixed(words: Sequence[str], most: int = 40) -> st.SearchStrategy[str]:
    """Words of a format, nasty ones and noise, in any order."""
    piece = st.sampled_from(words) | st.sampled_from((*words, *NASTY)) | ANY
    return st.lists(piece, max_size=most).flatmap(
        lambda pieces: st.sampled_from(("", " ", "\n")).map(lambda gap: gap.join(pieces))
    )


def documents(keys: Sequence[str]) -> st.SearchStrategy[Any]:
    """Any JSON, most of it with the keys that somebody looks for."""
    named = st.sampled_from(tuple(keys)) | ANY
    leaf = (
        st.none()
        | st.booleans()
        | st.integers(-(2**70), 2**70)
        | st.floats()
        | ANY
        | st.sampled_from((*NASTY, *keys))
    )
    return st.recursive(
        leaf,
        lambda inner: st.lists(inner, max_size=5) | st.dictionaries(named, inner, max_size=6),
        max_leaves=25,
    )


@st.composite
def tampered(draw: st.DrawFn, good: Any, keys: Sequence[str]) -> Any:
    """A JSON document with other values somewhere inside of it."""
    whole = {"": deepcopy(good)}
    for _ in range(draw(st.integers(1, 3))):
        holder: Any = whole
        place: Any = ""
        while isinstance(holder[place], (list, dict)) and holder[place] and draw(st.integers(0, 4)):
            holder = holder[place]
            places = sorted(holder) if isinstance(holder, dict) else range(len(holder))
            place = draw(st.sampled_from(places))
        holder[place] = draw(documents(keys))
    return whole[""]


def shaped(schema: dict[str, Any], known: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """What a JSON schema describes, as far as types go; texts are mostly `known` ones."""
    defined = schema.get("$defs", {})

    def of(part: dict[str, Any]) -> st.SearchStrategy[Any]:
        part = defined[part["$ref"].rpartition("/")[2]] if "$ref" in part else part
        if "enum" in part:
            return st.sampled_from(part["enum"])
        if "anyOf" in part:
            return st.one_of(*map(of, part["anyOf"]))
        return kinds.get(part.get("type", ""), lambda part: documents(("a",)))(part)

    def fields(part: dict[str, Any]) -> st.SearchStrategy[Any]:
        needed = part.get("required", ())
        given = {name: of(each) for name, each in part.get("properties", {}).items()}
        return st.fixed_dictionaries(
            {name: given[name] for name in given if name in needed},
            optional={name: given[name] for name in given if name not in needed},
        )

    kinds = {
        "string": lambda part: known | ANY,
        "integer": lambda part: st.integers(0, 200) | st.integers(-(2**70), 2**70),
        "number": lambda part: st.floats(0, 1) | st.floats(),
        "boolean": lambda part: st.booleans(),
        "null": lambda part: st.none(),
        "array": lambda part: st.lists(of(part.get("items", {})), max_size=4),
        "object": fields,
    }
    return of(schema)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
