"""Written: texts and a stem in, the words out that it stands for there."""

import re
import unicodedata
from collections.abc import Iterable

from pinyon.text.stems import stems

READ = 10_000
"""Characters of each text that are looked through."""

TEXTS = 20
"""Records of a stem that a store looks through: a word has few forms, and they soon show."""


def forms(texts: Iterable[str], stem: str) -> set[str]:
    """The words of these texts that have the stem, in small letters without accents. Names of code
    are not taken apart."""
    text = "\n".join(text[:READ] for text in texts).lower()
    # Most texts write it without accents: folding all of it takes longer than everything else.
    return _found(text, stem) or (set() if text.isascii() else _found(folded(text), stem))


def _found(text: str, stem: str) -> set[str]:
    # The pattern begins with its letters, not with a border: that is searched for much faster.
    begin = re.compile(rf"{re.escape(stem[:-1])}[^\W\d_]*")  # only the last letter may differ
    found = {
        match[0]
        for match in begin.finditer(text)
        if not match.start() or not text[match.start() - 1].isalnum()
    }
    return {folded(form) for form in found if stems(form) == [stem]}


def folded(text: str) -> str:
    """Without accents, as the index has its words."""
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFD", text)
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
