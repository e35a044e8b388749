"""Snippet: the stretch around the match, its words marked, safe to put into a page."""

import html
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.text.prepare import prepare
from pinyon.text.snippet import Marker, escape, lead, snippet
from pinyon.text.stems import stems

WORDS = (
    "fox",
    "foxes",
    "hen",
    "<b>",
    "&amp;",
    '"owl"',
    "</mark>",
    "東京都",
    "getFoxById",
    "…",
    "\n\n",
)
any_text = st.text(st.characters(exclude_categories=[]), max_size=80)
texts = st.lists(st.sampled_from(WORDS) | any_text, max_size=80).map(" ".join)
markers = st.builds(
    Marker,
    stems=st.frozensets(st.sampled_from(["fox", "hen", "東京", "京都", "b", "mark"])),
    prefixes=st.sampled_from([(), ("f",), ("ow", "amp")]),
    pieces=st.sampled_from([(), (), ("o",), ("OX", "<"), ("mark>",)]),
)


def marker(asked: str) -> Marker:
    return Marker(frozenset(stems(prepare(asked))))


def marked(shown: str) -> list[str]:
    return [html.unescape(word) for word in re.findall("<mark>(.*?)</mark>", shown)]


def on_one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


@pytest.mark.proves("P4")
def test_the_words_that_match_are_marked() -> None:
    text = "The brown foxes ran. A fox sat."
    shown = "The brown <mark>foxes</mark> ran. A <mark>fox</mark> sat."
    assert snippet(text, marker("fox"), 32) == shown


@pytest.mark.proves("P4")
@settings(max_examples=300, deadline=None)
@given(texts, markers, st.sampled_from([1, 8, 32]))
def test_a_snippet_is_safe_html_and_nothing_but_a_stretch_of_the_text(
    text: str, wanted: Marker, size: int
) -> None:
    shown = snippet(text, wanted, size)
    bare = re.sub("</?mark>", "", shown)
    assert re.findall("</?mark>", shown) == ["<mark>", "</mark>"] * len(marked(shown))
    assert not set("<>\"'") & set(bare)
    assert on_one_line(html.unescape(bare).strip("…")) in on_one_line(text)
    assert bool(shown) == bool(marked(shown))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(["fox", "foxes", "hen", "Foxy", "ox", "東京都"]), max_size=60))
def test_only_words_that_match_are_marked(words: list[str]) -> None:
    shown = snippet(" ".join(words), marker("fox"), 32)
    assert set(marked(shown)) <= {"fox", "foxes"}
    assert bool(shown) == bool({"fox", "foxes"} & set(words))


@pytest.mark.proves("P4")
@pytest.mark.parametrize("place", [0, 3, 200, 399])
def test_a_snippet_has_about_32_words_and_says_where_it_was_cut(place: int) -> None:
    words = [f"w{at}" if at != place else "fox" for at in range(400)]
    shown = snippet(" ".join(words), marker("fox"), 32)
    assert 6 <= len(shown.split()) <= 32
    assert marked(shown) == ["fox"]
    assert shown.startswith("…") == (place > 8)
    assert shown.endswith("…") == (place < 399)


@pytest.mark.proves("P4")
def test_the_stretch_with_the_most_different_matches_is_shown() -> None:
    text = f"fox fox fox {'gap ' * 100} the fox met the hen {'gap ' * 100} hen"
    assert marked(snippet(text, marker("fox hen"), 32)) == ["fox", "hen"]


@pytest.mark.parametrize(
    ("text", "asked", "expected"),
    [
        ("机器学习很有趣", "学习", "机器<mark>学习</mark>很有趣"),
        ("全文検索エンジン", "検索", "全文<mark>検索</mark>エンジン"),
        ("ค้นหาข้อความ", "ข้อความ", "ค้นหา<mark>ข้อความ</mark>"),
        ("calls getUserById(7)", "user", "calls <mark>getUserById</mark>(7)"),
        ("in user_id here", "id", "in user_<mark>id</mark> here"),
        ("the Café opens", "cafe", "the <mark>Café</mark> opens"),
        ("a C++ book", "C++", "a <mark>C</mark>++ book"),
    ],
)
def test_matches_in_every_kind_of_text_are_marked(text: str, asked: str, expected: str) -> None:
    assert snippet(text, marker(asked), 32) == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("python", "<mark>Python</mark>入門book"),
        ("book", "Python入門<mark>book</mark>"),
    ],
)
def test_words_beside_unspaced_text_are_marked_whole(asked: str, expected: str) -> None:
    assert snippet("Python入門book", marker(asked), 32) == expected


def test_beginnings_and_letters_are_marked_where_they_were_asked_for() -> None:
    text = "an Amber lamp"
    assert snippet(text, Marker(prefixes=("am",)), 32) == "an <mark>Amber</mark> lamp"
    assert snippet(text, Marker(pieces=("MB",)), 32) == "an A<mark>mb</mark>er lamp"


def test_a_long_run_without_spaces_is_cut_too() -> None:
    shown = snippet("東" * 500 + "学习" + "京" * 500, marker("学习"), 32)
    assert marked(shown) == ["学习"]
    assert 32 <= len(re.sub("</?mark>|…", "", shown)) <= 64


@pytest.mark.parametrize("piece", ["hen ", "東", "getHenById ", "<b>&", "\u0315\u0300", "x"])
def test_a_match_at_the_end_of_a_megabyte_is_shown(piece: str) -> None:
    shown = snippet(piece * (1_000_000 // len(piece.encode())) + " fox", marker("fox"), 32)
    assert marked(shown) == ["fox"]


def test_text_without_a_match_has_no_snippet_but_a_beginning() -> None:
    assert snippet("the hen sat", marker("fox"), 32) == ""
    assert lead("the <hen>\nsat down", 3) == "the &lt;hen&gt; sat…"


@settings(max_examples=100, deadline=None)
@given(any_text)
def test_escaped_text_is_safe_and_reads_as_it_was(text: str) -> None:
    assert not set("<>\"'") & set(escape(text))
    # Through a page and back; html.unescape replaces what no page may hold.
    printable = re.sub(r"[^ -~\u00a0-\ud7ff]", "", text)
    assert html.unescape(escape(printable)) == printable
