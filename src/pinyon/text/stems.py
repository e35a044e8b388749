"""Stems: what full text makes of words, by FTS5's own tokenizer, so the two always agree."""

import threading
from typing import cast

import apsw

TOKENIZER = ("porter", "unicode61", "remove_diacritics", "2", "categories", "L* N* Co Mn Mc")
"""Marks are letters here: in the scripts of India and of Thailand they are part of the word."""

_LONGEST = 32_768
"""FTS5 cuts longer tokens off, in bytes."""

_local = threading.local()


def stems(prepared: str) -> list[str]:
    """The stems of text that went through `prepare`, in order."""
    tokens = cast(
        list[str],
        _tokenizer()(
            prepared.encode(),
            apsw.FTS5_TOKENIZE_DOCUMENT,
            None,
            include_offsets=False,
            include_colocated=False,
        ),
    )
    return tokens if len(prepared) < _LONGEST // 4 else [_cut(token) for token in tokens]


def words(prepared: str) -> list[tuple[str, str]]:
    """Each word as it stands in the text, with its stem."""
    raw = prepared.encode()
    found = cast(
        list[tuple[int, int, str]],
        _tokenizer()(raw, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_colocated=False),
    )
    return [(raw[start:end].decode(), _cut(stem)) for start, end, stem in found]


def spans(text: str) -> list[tuple[int, int, str]]:
    """Each word of a text that was not prepared: where it begins and ends, and its stem."""
    raw = text.encode("utf-8", "replace")
    found = cast(
        list[tuple[int, int, str]],
        _tokenizer()(raw, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_colocated=False),
    )
    if len(raw) == len(text):
        return found
    spans, bytes_done, done = [], 0, 0
    for start, end, stem in found:
        first = done + len(raw[bytes_done:start].decode())
        done = first + len(raw[start:end].decode())
        bytes_done = end
        spans.append((first, done, stem))
    return spans


def _cut(token: str) -> str:
    return token.encode()[:_LONGEST].decode("utf-8", "ignore")


def _tokenizer() -> apsw.FTS5Tokenizer:
    # One connection per thread: a connection serves one thread at a time.
    try:
        return _local.tokenizer  # type: ignore[no-any-return]  # local() is untyped
    except AttributeError:
        _local.connection = apsw.Connection(":memory:")
        _local.tokenizer = _local.connection.fts5_tokenizer(TOKENIZER[0], list(TOKENIZER[1:]))
        return _local.tokenizer  # type: ignore[no-any-return]  # local() is untyped
