"""Stems: what Python counts is what the index counts, and offsets point into the text."""

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.text.prepare import prepare
from pinyon.text.stems import TOKENIZER, spans, stems, words
from pinyon.text.stop_lists import stop_list, stop_list_names

any_text = st.text(st.characters(exclude_categories=[]), max_size=60)


@pytest.mark.proves("V3")
@pytest.mark.parametrize(
    ("word", "stem"),
    [("running", "run"), ("Retries", "retri"), ("retry", "retri"), ("Überprüfung", "uberprufung")],
)
def test_words_are_folded_and_stemmed_by_porter(word: str, stem: str) -> None:
    assert stems(prepare(word)) == [stem]


@pytest.mark.proves("V3")
@settings(max_examples=100, deadline=None)
@given(any_text)
def test_python_and_the_index_make_the_same_words_of_a_text(text: str) -> None:
    prepared = prepare(text.replace("\x00", " "))
    arguments = " ".join(f"'{part}'" if " " in part else part for part in TOKENIZER)
    database = apsw.Connection(":memory:")
    database.execute(f'CREATE VIRTUAL TABLE words USING fts5(text, tokenize = "{arguments}")')
    database.execute("CREATE VIRTUAL TABLE found USING fts5vocab(words, instance)")
    database.execute("INSERT INTO words VALUES (?)", (prepared,))
    indexed = [term for (term,) in database.execute('SELECT term FROM found ORDER BY "offset"')]
    assert indexed == stems(prepared)


@settings(max_examples=200, deadline=None)
@given(any_text)
def test_spans_cut_the_words_out_of_the_text(text: str) -> None:
    found = spans(text)
    cut = [text[start:end] for start, end, _ in found]
    raw = text.encode("utf-8", "replace").decode()
    assert cut == [word for word, _ in words(raw)]
    assert [stem for _, _, stem in found] == stems(raw)
    assert all(0 <= start < end <= len(text) for start, end, _ in found)


@pytest.mark.proves("G5")
def test_the_list_for_code_keeps_the_words_that_mean_something_in_code() -> None:
    kept = {"for", "do", "if", "not", "is", "has", "can"}
    assert kept & stop_list("code") == set()
    assert kept <= stop_list("prose")


def test_there_is_a_stop_list_for_prose_and_one_for_code() -> None:
    assert stop_list_names() == ["code", "prose"]
    assert {"the", "of", "and"} <= stop_list("prose") & stop_list("code")
    assert all(word == word.lower() for name in stop_list_names() for word in stop_list(name))
