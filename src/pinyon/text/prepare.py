"""Prepare: text in, the words that the index's tokenizer shall see out.

The one function is used for what is indexed and for what is asked, so the two always meet:

- `getUserById` becomes `get User By Id getUserById`, `sha256` becomes `sha 256 sha256`: the parts
  are found, and so is the whole. (The tokenizer itself splits snake_case, paths, `{{age:34}}`.)
- `C++`, `C#` and the like get a name, because the tokenizer drops the signs.
- Scripts that are written without spaces become overlapping pairs of characters, so that every
  substring of two characters is a word.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

MOST_PARTS = 8
"""A word of more parts is a digest or a code, and its parts would only be noise."""

_CLASSES = bytes(
    ord("0" if char.isdecimal() else "A" if char.isupper() else "a" if char.isalpha() else " ")
    for char in map(chr, range(256))
)
_CAPITALS = (b"aA", b"AAa")
_DIGITS = (b"a0", b"A0", b"0a", b"0A")
"""Where a word has parts: the classes of its letters, small (a), capital (A), digit (0)."""
_SIGNS = {"++": "plusplus", "#": "sharp"}
UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    r"\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
)
"""Thai, Lao, Burmese, Khmer, Japanese, Chinese, Korean; as the inside of a character class."""
_STACK = re.compile(r"(?:[^\w\s\x00-\x7f]|[\uff9e\uff9f]){32}")
"""Accents on one letter, beyond any word. Sorting them takes the square of their number."""
_LOOSE_ACCENTS = re.compile(r"[\u0300-\u0331]+")
"""Those that no letter took. The tokenizer folds them away, and one that stands alone would become
an empty word."""


def prepare(text: str) -> str:
    """Any text will do; what UTF-8 cannot hold is replaced. Linear in the length of the text."""
    if not text.isascii():
        text = _STACK.sub(r"\g<0> ", text.encode("utf-8", "replace").decode())
        text = _LOOSE_ACCENTS.sub("", unicodedata.normalize("NFKC", text))
        text = unspaced_run().sub(_pairs, text)
    if "++" in text or "#" in text:
        text = _signed().sub(lambda found: f"{found[0]} {found[1]}{_SIGNS[found[2]]}", text)
    splits = boundaries(text)
    return _split_compounds(text, splits) if splits else text


def boundaries(text: str) -> list[int]:
    """Places just before which, or at which, a word has parts, in order."""
    # Class by class and with plain searches, because a pattern over all characters costs as much as
    # everything else that a commit does. Letters beyond Latin-1 have no class: they are not split.
    classes = text.encode("latin-1", "replace").translate(_CLASSES)
    borders = _CAPITALS + _DIGITS if b"0" in classes else _CAPITALS
    return sorted(at for border in borders if border in classes for at in _places(border, classes))


# Patterns are compiled when they are first needed: compiling one takes as long as a search.


@cache
def unspaced_run() -> re.Pattern[str]:
    """A run of characters of scripts without spaces."""
    return re.compile(f"[{UNSPACED}]+")


@cache
def _signed() -> re.Pattern[str]:
    return re.compile(r"(?<![^\W_])([A-Za-z])(\+\+|#)(?![^\W_])")


@cache
def _part() -> re.Pattern[str]:
    return re.compile(
        r"[A-Z]+s(?![^\W_])"  # plurals of acronyms stay whole: URLs
        r"|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W_A-Za-z0-9]+|[A-Z]"
    )


def _pairs(run: re.Match[str]) -> str:
    text = run[0]
    if len(text) == 1:
        return f" {text} "
    return f" {' '.join(text[at : at + 2] for at in range(len(text) - 1))} "


def _places(part: bytes, whole: bytes) -> Iterator[int]:
    at = whole.find(part)
    while at >= 0:
        yield at
        at = whole.find(part, at + 1)


LONGEST_KEPT = 100
"""Characters of a word that is kept with its parts; a longer one is hardly seen again."""


@lru_cache(maxsize=10_000)  # code has few names and many uses of them
def _with_parts(word: str) -> str:
    parts = _part().findall(word)
    return f"{' '.join(parts)} {word}" if 1 < len(parts) <= MOST_PARTS else word


def _split_compounds(text: str, boundaries: Sequence[int]) -> str:
    pieces: list[str] = []
    done = 0
    for at in boundaries:
        if at < done:
            continue
        start = end = at
        while start > done and text[start - 1].isalnum():
            start -= 1
        while end < len(text) and text[end].isalnum():
            end += 1
        split = _with_parts if end - start <= LONGEST_KEPT else _with_parts.__wrapped__
        pieces += text[done:start], split(text[start:end])
        done = end
    pieces.append(text[done:])
    return "".join(pieces)
