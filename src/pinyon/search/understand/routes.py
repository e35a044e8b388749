"""Routes: how a question is best asked, told by its looks: by its words, by a name, or by meaning.

- keyword     nothing, all of it in quotes, operators, a date, one or two words (so also a slug)
- identifier  three to thirty words, and a name of code, a path, a code or a quoted text among them
- semantic    any other question of three words or more

What a route changes stands in the profile: `understand.routes`.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from pinyon.model.profile import ROUTES
from pinyon.model.query import FIELDS, Expression
from pinyon.text.prepare import unspaced_run

KEYWORD, SEMANTIC, IDENTIFIER = ROUTES

SHORT = 2
"""Words that are too few to mean much beyond themselves."""

LONG = 30
"""Words: in a longer text a name is said in passing."""

_QUOTES = ('""', "''", "“”", "``")
_MARKS = "?!.,;:()'’"
"""What stands around words in a plain sentence."""


def route_of(text: str, asked: Expression | None) -> str:
    """One of ROUTES. `asked` is the text as an expression, where it is one."""
    length = sum(1 for _ in islice(_words(text), LONG + 1))
    if _quoted(text) or length <= SHORT:
        return KEYWORD
    if asked is not None and _operator().search(_quotation().sub(" ", text)):
        return KEYWORD
    odd = " ".join(_odd(text))
    if not odd:
        return SEMANTIC
    if _date().search(odd):
        return KEYWORD
    if length <= LONG and (_name().search(odd) or _quotation().search(text)):
        return IDENTIFIER
    return SEMANTIC


def _quoted(text: str) -> bool:
    return len(text) > SHORT and text[0] + text[-1] in _QUOTES


def _words(text: str) -> Iterator[str]:
    """As white space divides them; where a script has none, two characters are about a word."""
    for piece in text.split():
        if any(map(str.isalnum, piece)):
            yield piece
            if not piece.isascii():
                for run in unspaced_run().findall(piece):
                    yield from run[2::2]


def _odd(text: str) -> Iterator[str]:
    """The pieces that are no plain words: most questions have none, and need no pattern."""
    for piece in text.split():
        core = piece.strip(_MARKS)
        if piece.endswith("()") or not (
            core.isalpha() and (core.islower() or core[1:].islower() or core.isupper())
        ):
            yield piece


@cache
def _operator() -> re.Pattern[str]:
    return re.compile(
        r"(?<!\S)\(*(?:AND|OR|NOT)(?!\S)|(?<!\w)NEAR\s*\(|\w\*(?!\S)"
        rf"|(?<!\S)\(*(?:{'|'.join(FIELDS)}):[^\s:]"
    )


@cache
def _quotation() -> re.Pattern[str]:
    return re.compile(r'"[^"]+"|`[^`]+`|“[^“”]+”')


@cache
def _date() -> re.Pattern[str]:
    return re.compile(r"(?<!\d)\d{4}([-/])(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?!\d)")


@cache
def _name() -> re.Pattern[str]:
    return re.compile(
        r"""
          (?<!\w)[a-z][a-z0-9]+[A-Z]\w*           # getUserById, and also macOS
        | (?<!\w)(?:[A-Z]+[a-z0-9]+){2,}(?!\w)    # HttpClient, and also GitHub: a name is a name
        | [^\W_]_[^\W_] | (?<!\w)__\w             # user_id, ERR_FOO, __init__
        | (?<!\w)[A-Za-z_]\w+\.[A-Za-z_]\w+       # os.path, prepare.py; not e.g. or 2.0
        | \w\(\) | \w(?:::|->)\w                  # main(), std::vector
        | (?<!\S)--[a-z]                          # --no-fix
        | (?<![^\s(])(?:~|\.{1,2})?/\w            # /etc/hosts, ./run, ~/notes
        | (?<![\w/-])[A-Za-z_][\w-]*(?:/[\w-]+){2} # src/search/rank; not and/or, not 24/7
        | \w:?\\\w | \w://\w                      # C:\Users, https://example.org
        | (?<!\w)[A-Z]{1,6}-?\d{3,}(?!\w)         # E1234, TS2345, ORA-00942, CVE-2021-44228
        | (?<!\w)0[xX][0-9a-fA-F]{2,}(?!\w)       # 0x80070057
        | (?<!\w)(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}(?!\w) # a commit
        """,
        re.VERBOSE,
    )
