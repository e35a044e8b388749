"""Code: one record a class, function and method, and the edges between them, by tree-sitter.

One engine for all languages. What a language looks like is data: a file of queries/ and a line of
LANGUAGES; what its imports mean is a pair of functions in places.py.
"""

import re
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

from pinyon.index.parse.code.edges import edges_of
from pinyon.index.parse.code.found import Found
from pinyon.index.parse.code.languages import Language, Tools, language_of, tools
from pinyon.index.parse.code.records import Lines, Named, name_symbols, records_of
from pinyon.index.parse.code.symbols import find
from pinyon.index.parse.code.windows import LONGEST_LINE, windows
from pinyon.index.parse.origin import Origin, Parsed, line

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node

MOST_CHARACTERS = 2_000_000
"""Longer code was made by a machine, and a tree of it takes a hundred times its size."""

LONGEST_S = 10.0
"""Of parsing one file. Two million characters of real code take a second or two; of code that is
broken in thousands of places 50,000 can take minutes."""

FEW_CHARACTERS = 2_000
"""So little is always parsed."""

DENSE = 200
"""Characters a line, on average, that nobody writes."""

REPEATED = 20
"""How often each line stands there, on average, where nobody wrote them."""

LONGEST_OUTLINE = 4_000
_NO_PATH = re.compile(r"[^\w./:@\\-]+")


def code(text: str, origin: Origin) -> Parsed:
    """What cannot be understood is left out of the symbols, never of the text around them; the
    warning says the first line of it."""
    language = language_of(origin.path, text)
    if language is None or len(text) > MOST_CHARACTERS or _made_by_machine(text):
        return windows(text, origin)
    source = text.encode("utf-8", "replace")
    its = tools(language)
    root = _tree(source, its.grammar)
    if root is None:
        return replace(windows(text, origin), warning="takes too long to parse; read as lines")
    found = find(source, root, language, its)
    lines = Lines(source)
    named = name_symbols(source, found, language, origin)
    records = tuple(records_of(source, found, named, language, origin, lines))
    outside = bool(records) and records[0].id == origin.id
    edges = tuple(edges_of(found, named, language, origin, lines, outside))
    excused = language.macros and bool(named)
    warning = "" if excused else _not_understood(root, its, lines)
    return Parsed(records, warning, edges, _outline(found, named, language))


def _tree(source: bytes, grammar: "Grammar") -> "Node | None":
    """None where it takes too long."""
    import tree_sitter

    with warnings.catch_warnings():
        # What is to take its place is not called for bytes, and kills Python for anything else.
        warnings.simplefilter("ignore", DeprecationWarning)
        parser = tree_sitter.Parser(grammar, timeout_micros=int(LONGEST_S * 1e6))
    try:
        return parser.parse(source).root_node
    except ValueError:  # that it failed is all that it says
        return None


def _made_by_machine(text: str) -> bool:
    """Most of it stands in lines that nobody could read, or is the same line again and again: the
    parser needs minutes and gigabytes for some of those."""
    if len(text) <= FEW_CHARACTERS:
        return False
    lines = text.split("\n")
    long = sum(len(each) for each in lines if len(each) > LONGEST_LINE)
    dense = len(text) > DENSE * len(lines)
    return dense or long > len(text) / 2 or len(set(lines)) * REPEATED < len(lines)


def _not_understood(root: "Node", its: Tools, lines: Lines) -> str:
    if not root.has_error:
        return ""
    from tree_sitter import QueryCursor

    nodes = QueryCursor(its.errors).captures(root).get("error", [root])
    # Not by start_point: tree-sitter 0.26.0 frees its numbers once too often, and Python dies.
    first = min(node.start_byte for node in nodes)
    return f"line {lines.at(first)}: not understood"


def _outline(found: Found, named: tuple[Named, ...], language: Language) -> str:
    """The names that others can use, then what is imported, as one line of words."""
    hidden = re.compile(language.hidden)
    shown = re.compile(language.shown)
    names = []
    for each in named:
        told = f"{each.symbol.name} {each.signature[:200]}"
        if shown.search(told) and not hidden.search(told):
            names.append(each.symbol.name)
    sources = [_NO_PATH.sub(" ", each.source).strip("./ ") for each in found.imports]
    words = " ".join(dict.fromkeys([*names, *sources]))
    return line(words[:LONGEST_OUTLINE], "context")
