"""Passages: every character of a text stands in one, none is too long, and an end is a good end."""

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pinyon.model.record import Record
from pinyon.text.passages import OVERLAP, SHORT, SIZE, Passage, digest, passages, pieces

WORDS = (
    "fox",
    "The hen ran.",
    "Who? ",
    'He said "no." ',
    "東京都に住む。",
    "검색",
    "e.g.",
    "3.14",
    "\n",
    "\n\n",
    " " * 50,
    "x" * 900,
    "東" * 500,
    "\ud800",
)
any_text = st.text(st.characters(exclude_categories=[]), max_size=60)
texts = st.lists(st.sampled_from(WORDS) | any_text, max_size=120).map(" ".join)
long_texts = st.lists(st.sampled_from(WORDS[:10]), min_size=150, max_size=400).map(" ".join)
records = st.builds(
    Record,
    title=st.just("") | any_text,
    context=st.just("") | texts,
    body=texts | long_texts,
)


def size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def line(word: str) -> str:
    """Half a piece: no sentence ends in it."""
    return word.ljust(SIZE // 2 - 1, "-") + "\n"


@pytest.mark.proves("B15")
@settings(max_examples=150, deadline=None)
@given(texts | long_texts)
@example("x" * 100_000)
@example("東" * 30_000)
@example(("word " * 40 + ". ") * 200)
def test_every_character_stands_in_a_piece(text: str) -> None:
    covered = set[int]()
    for start, end in pieces(text):
        assert 0 <= start < end <= len(text)
        covered.update(range(start, end))
    left_out = [text[at] for at in range(len(text)) if at not in covered]
    assert "".join(left_out).strip() == ""


@pytest.mark.proves("B15")
@settings(max_examples=150, deadline=None)
@given(texts | long_texts)
@example("x" * 100_000)
@example("東" * 30_000)
def test_no_piece_is_blank_or_much_longer_than_a_model_reads(text: str) -> None:
    for start, end in pieces(text):
        assert text[start:end].strip()
        assert size(text[start:end]) <= 1.25 * SIZE


@settings(max_examples=150, deadline=None)
@given(texts | long_texts)
def test_pieces_go_forward_and_repeat_little(text: str) -> None:
    spans = pieces(text)
    for (start, end), (next_start, next_end) in pairwise(spans):
        assert start < next_start
        assert end < next_end
        assert size(text[next_start:end]) <= OVERLAP


@pytest.mark.proves("B15")
@settings(max_examples=100, deadline=None)
@given(records)
def test_what_a_model_is_given_holds_the_whole_record(record: Record) -> None:
    found = passages(record)
    for start, end, text in found:
        assert text == text.strip() != ""
        assert text.startswith(record.title.strip())
        assert record.body[start:end].strip() in text
    assert [(start, end) for start, end, _ in found if end] == pieces(record.body)
    everywhere = all(record.context.strip() in text for _, _, text in found)
    context = [record.context[start:end].strip() for start, end in pieces(record.context)]
    apart = [text for start, end, text in found if not end]
    assert everywhere or all(part in text for part, text in zip(context, apart, strict=True))


def test_a_short_record_is_one_passage_with_its_title_and_context() -> None:
    record = Record(title="Fox", body="It ran.", context="in winter")
    assert passages(record) == [Passage(0, 7, "Fox\nin winter\nIt ran.")]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (Record(), []),
        (Record(title=" ", body="\n", context=" ", tags=("wild",)), []),
        (Record(title="Fox"), [Passage(0, 0, "Fox")]),
        (Record(context="in winter"), [Passage(0, 0, "in winter")]),
        (Record(body=" fox "), [Passage(0, 5, "fox")]),
    ],
)
def test_a_record_has_passages_where_it_has_text(record: Record, expected: list[Passage]) -> None:
    assert passages(record) == expected


def test_a_long_context_has_passages_of_its_own() -> None:
    context = "c" * (SHORT + 1)
    record = Record(title="Fox", body="It ran.", context=context)
    assert passages(record) == [Passage(0, 7, "Fox\nIt ran."), Passage(0, 0, f"Fox\n{context}")]


def test_a_piece_ends_with_a_line() -> None:
    lines = [line(word) for word in ("fox", "hen", "owl", "cow")]
    body = "".join(lines)
    assert [body[start:end] for start, end in pieces(body)] == [
        "".join(lines[:2]),
        "".join(lines[2:]),
    ]


def test_a_piece_ends_with_a_sentence_and_the_next_repeats_it() -> None:
    sentence = "The quick brown fox jumps over the lazy dog. "
    body = sentence * 60
    spans = pieces(body)
    assert len(spans) > 1
    assert all(body[start:end].startswith("The quick") for start, end in spans)
    assert all(body[start:end].endswith("dog. ") for start, end in spans)
    repeated = [end - start for (_, end), (start, _) in pairwise(spans)]
    assert repeated == [len(sentence) * (OVERLAP // len(sentence))] * (len(spans) - 1)


def test_a_sentence_without_end_is_cut_at_words() -> None:
    body = "word " * 1000
    for start, end in pieces(body):
        assert body[start:end].startswith("word")
        assert body[start:end].endswith("word ")


def test_what_is_appended_leaves_the_passages_before_it() -> None:
    body = "".join(line(word) for word in ("fox", "hen", "owl", "cow"))
    longer = body + line("yak") + line("bee")
    before = passages(Record(title="Zoo", body=body))
    assert passages(Record(title="Zoo", body=longer))[: len(before)] == before


@given(any_text, any_text)
def test_a_digest_stands_for_one_text(one: str, other: str) -> None:
    assert (digest(one) == digest(other)) == (one == other)
    assert len(digest(one)) == 16
