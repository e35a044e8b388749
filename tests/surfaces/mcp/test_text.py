"""Text and schemas: what a record holds never leaves the place where it is quoted."""

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from pinyon.surfaces.mcp.schema import slim, without_null
from pinyon.surfaces.mcp.text import FORMS, fenced, quoted

ANY = st.text(st.sampled_from(list('ab`"\\\n\r\x85\u2028 ~')), max_size=40)
LINES = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


@given(ANY)
def test_what_is_quoted_is_one_line_and_can_be_read_back(text: str) -> None:
    assert LINES.search(quoted(text)) is None
    assert json.loads(quoted(text)) == text


@given(ANY)
def test_what_is_fenced_ends_with_its_own_fence_only(text: str) -> None:
    fence, *lines, last = fenced(text).split("\n")
    assert "\n".join(lines) == text
    assert fence == last
    assert set(fence) == {"`"}
    assert fence not in text


@given(ANY, ANY, ANY)
def test_a_record_cannot_add_a_hit(id: str, title: str, snippet: str) -> None:
    hit = {"id": id, "kind": "note", "title": title, "snippet": snippet, "tokens": 1}
    meta = {"warnings": [], "next": ""}
    said = FORMS["search"]({"hits": [{**hit, "relevance": 0.5}], "meta": meta})
    assert len([line for line in LINES.split(said) if line.startswith("- ")]) == 1


def test_a_schema_loses_titles_but_no_field_of_that_name() -> None:
    schema = {
        "title": "Save",
        "properties": {
            "title": {"title": "Title", "anyOf": [{"type": "string"}, {"type": "null"}]},
            "limit": {"title": "Limit", "type": "integer", "default": None},
        },
        "$defs": {"Hit": {"title": "Hit", "items": [{"title": "x", "type": "string"}]}},
    }
    slimmed = slim(schema)
    assert slimmed == {
        "properties": {
            "title": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "limit": {"type": "integer"},
        },
        "$defs": {"Hit": {"items": [{"type": "string"}]}},
    }
    assert without_null(slimmed)["properties"]["title"] == {"type": "string"}
