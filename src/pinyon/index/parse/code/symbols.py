"""Symbols: what the queries of a language capture in a tree becomes symbols that know their place.

Captures mean the same in every language. One that is a symbol (`found.SYMBOLS`) comes with @name
and, where it has one, @body; @owner names the type that it belongs to. The others belong to the
symbol around them, by where they stand:

- @namespace, with @name: gives symbols a longer name elsewhere; without @body it holds to the end
- @scope, with @owner: its members belong to a type that is declared elsewhere (impl of Rust)
- @outer, @decorated: a statement around a symbol, and one that is no part of the signature
- @default, @default_name: a statement around the default export, or its name
- @comment, @attribute, @doc: above a symbol, and the text at the beginning of its body
- @extends, @implements, @base: names of types (@base: the name itself tells which it is)
- @import, with @from, @symbol, @alias, @default_alias, @wildcard, @static, @how, @file, @child
- @call, @self_call: the name of what is called, on nothing or on the object itself

What stands inside of a function is its text: it has no symbols of its own.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from pinyon.index.parse.code.found import (
    CONTAINERS,
    MEMBERS,
    SYMBOLS,
    Base,
    Call,
    Found,
    Import,
    Symbol,
)
from pinyon.index.parse.code.languages import Language, Tools

if TYPE_CHECKING:
    from tree_sitter import Node

_FIRST = {"namespace": 0, "scope": 0, "default": 1, "outer": 1, "decorated": 1}
"""Of two captures of the same stretch, which one comes first; all others follow."""

_GENERIC = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
_OPERATOR = re.compile(r"(.*?)\b(operator\b\s*(?:\(\)|[^(]*)).*", re.DOTALL)
_CALLS = frozenset({"call", "self_call"})
_INTERFACE = re.compile(r"I[A-Z]")
_LONGEST_NAME = 500
_DEEPEST = 50
"""Types and namespaces, one in another; what is inside of more is text, as inside of a function."""

_SOURCES = ("from", "file", "child")
_QUOTES = "\"'`<>"

Captures = dict[str, list["Node"]]


class _Open(NamedTuple):
    """A stretch that is not over yet: a symbol with its number, a scope or a namespace (-1)."""

    end: int
    kind: str
    number: int
    names: tuple[str, ...]
    namespace: tuple[str, ...]


class _Around(NamedTuple):
    """A statement that may be the whole of the symbol inside of it."""

    start: int
    end: int
    head: bool
    default: bool
    above: tuple[int, int] | None


def find(source: bytes, root: "Node", language: Language, tools: Tools) -> Found:
    """In the order of the text. Costs less than parsing it."""
    import tree_sitter

    walk = _Walk(source, language)
    events = []
    calls = []
    matches = tree_sitter.QueryCursor(tools.query).matches(root)
    for number, (pattern, captures) in enumerate(matches):
        kind = tools.kinds.get(pattern)
        if kind is None:
            kind = tools.kinds[pattern] = next(each for each in captures if each in walk.known)
        node = captures[kind][0]
        if kind in _CALLS:
            calls.append((node, kind == "self_call"))
        else:
            order = _FIRST.get(kind, 2)
            events.append((node.start_byte, -node.end_byte, order, number, kind, captures))
    events.sort()  # no two have the same number: captures are never compared
    for start, minus_end, _, _, kind, captures in events:
        walk.take(kind, start, -minus_end, captures)
    found = walk.found()
    found.calls.extend(_calls(source, calls, found.symbols))
    return found


def _calls(
    source: bytes, nodes: list[tuple["Node", bool]], symbols: list[Symbol]
) -> Iterator[Call]:
    """Those of a name that a symbol of the file has. There are many calls: all others are dropped
    before anything is done with them."""
    known = {symbol.name.encode() for symbol in symbols}
    callers = [n for n, symbol in enumerate(symbols) if symbol.kind in MEMBERS]
    starts = [symbols[n].head for n in callers]
    for node, own in nodes:
        at = node.start_byte
        text = source[at : node.end_byte]
        if text in known:
            place = bisect_right(starts, at) - 1
            if place >= 0 and at < symbols[callers[place]].end:
                yield Call(callers[place], text.decode(), own, at)


class _Walk:
    """Goes once through the captures of a file."""

    def __init__(self, source: bytes, language: Language) -> None:
        self._source = source
        self._inner = language.inner
        self._indented = language.name in {"python", "ruby"}
        self._open: list[_Open] = []
        self._around: list[_Around] = []
        self._above: tuple[int, int] | None = None
        self._namespace: tuple[str, ...] = ()
        self._namespaces: set[tuple[str, ...]] = set()
        self._seen: set[tuple[int, int]] = set()
        self._owned: dict[int, tuple[str, ...]] = {}
        self._bodies: dict[int, int] = {}
        self._found = Found([], {}, [], [], [], [], [], [], "")
        self._default = ""
        self.takers: dict[str, Callable[[str, int, int, Captures], None]] = {
            **dict.fromkeys(SYMBOLS, self._symbol),
            **dict.fromkeys(("comment", "attribute"), self._comment),
            **dict.fromkeys(("outer", "decorated", "default"), self._statement),
            **dict.fromkeys(("extends", "implements", "base"), self._base),
            "doc": self._doc,
            "import": self._import,
            "namespace": self._enter_namespace,
            "scope": self._enter_scope,
            "default_name": self._default_name,
        }
        self.known = self.takers.keys() | _CALLS

    def take(self, kind: str, start: int, end: int, captures: Captures) -> None:
        while self._open and self._open[-1].end <= start:
            self._open.pop()
        self.takers[kind](kind, start, end, captures)

    def found(self) -> Found:
        """Members that stand apart from their type are given to it."""
        symbols = self._found.symbols
        types: dict[tuple[str, ...], int] = {}
        for number, symbol in enumerate(symbols):
            if symbol.kind in CONTAINERS or symbol.kind == "type":
                types.setdefault(symbol.names, number)
        for number, owner in self._owned.items():
            parent = types.get(owner, types.get(owner[-1:], -1))
            if parent >= 0:
                names = (*symbols[parent].names, symbols[number].name)
                symbols[number] = symbols[number]._replace(parent=parent, names=names)
        return self._found._replace(default=self._default)

    def _symbol(self, kind: str, start: int, end: int, captures: Captures) -> None:
        if self._inside_function() or (start, end) in self._seen:
            return
        self._seen.add((start, end))
        around = self._take_around(start, end)
        exported = bool(around and around.default)
        name = self._text(captures, "name") or ("default" if exported else "")
        parts = self._parts(name)
        if not parts:
            return
        owner = self._parts(self._text(captures, "owner")) or parts[:-1]
        top = self._open[-1] if self._open else None
        names = (*(top.names if top else ()), *owner, parts[-1])
        number = len(self._found.symbols)
        in_scope = top is not None and top.kind == "scope"
        if (owner and kind not in CONTAINERS) or in_scope:
            self._owned[number] = names[:-1]
        parent = next((each.number for each in reversed(self._open) if each.number >= 0), -1)
        if kind == "function" and (number in self._owned or self._in_class(parent)):
            kind = "method"
        elif kind == "method" and parent < 0 and number not in self._owned:
            kind = "function"
        body = captures["body"][0].start_byte if "body" in captures else end
        above = around.above if around else self._comment_above(start)
        whole = around.start if around else start
        head = around.start if around and around.head else start
        symbol = Symbol(
            kind,
            names,
            above[0] if above else whole,
            head,
            self._signature_end(head, body) if self._indented else body,
            around.end if around else end,
            parent,
            top.namespace if top else self._namespace,
            above,
            exported,
        )
        self._found.symbols.append(symbol)
        self._bodies[number] = body
        self._open.append(_Open(end, kind, number, names, symbol.namespace))

    def _statement(self, kind: str, start: int, end: int, captures: Captures) -> None:
        if not self._inside_function():
            self._around = [each for each in self._around if each.end > start]
            above = self._comment_above(start)
            self._around.append(_Around(start, end, kind != "decorated", kind == "default", above))

    def _take_around(self, start: int, end: int) -> _Around | None:
        """The outermost statement that holds nothing else than this symbol."""
        fitting = [
            each
            for each in self._around
            if each.start <= start
            and end <= each.end <= end + 8
            and not self._source[end : each.end].strip(b"; \t\n")
        ]
        self._around = []
        if not fitting:
            return None
        default = any(each.default for each in fitting)
        return fitting[0]._replace(default=default, head=all(each.head for each in fitting))

    def _comment(self, kind: str, start: int, end: int, captures: Captures) -> None:
        if self._inside_function():
            return
        source = self._source
        if source[end - 1 : end] == b"\n":
            end -= 1
        line = source.rfind(b"\n", 0, start) + 1
        if source[line:start].strip():
            self._above = None  # it stands behind something: not about what follows
        elif self._above and _adjacent(source[self._above[1] : start]):
            self._above = (self._above[0], end)
        else:
            self._above = (start, end)

    def _comment_above(self, start: int) -> tuple[int, int] | None:
        above, self._above = self._above, None
        return above if above and _adjacent(self._source[above[1] : start]) else None

    def _doc(self, kind: str, start: int, end: int, captures: Captures) -> None:
        if not self._open:
            self._found.docs.setdefault(-1, (start, end))
            return
        number = self._open[-1].number
        if self._bodies.get(number) == start:
            self._found.docs[number] = (start, end)

    def _base(self, kind: str, start: int, end: int, captures: Captures) -> None:
        if not self._open or self._inside_function():
            return
        top = self._open[-1]
        text = self._text(captures, kind)
        if top.kind not in CONTAINERS and top.kind != "scope":
            return
        if kind == "base":
            named = self._parts(text)[-1:] or ("",)
            of_class = top.kind in {"class", "record"} and not _INTERFACE.match(named[0])
            kind = "extends" if of_class or top.kind == "interface" else "implements"
        self._found.bases.append(Base(top.number, top.names, top.namespace, kind, text, start))

    def _import(self, kind: str, start: int, end: int, captures: Captures) -> None:
        if not self._open or self._open[-1].kind == "namespace":
            self._found.quiet.append((start, end))
        said = {name: self._text(captures, name) for name in captures if name != kind}
        written = next((said[name] for name in _SOURCES if name in said), "")
        source = written.strip().strip(_QUOTES)
        if not source:
            return
        default = said.get("default_alias", "")
        how = next((name for name in ("child", "file", "static") if name in said), "")
        self._found.imports.append(
            Import(
                source,
                "default" if default else said.get("symbol", ""),
                default or said.get("alias", ""),
                how or said.get("how", written[:1]),
                "wildcard" in said,
                self._open[-1].names if self._open else (),
                start,
            )
        )

    def _enter_namespace(self, kind: str, start: int, end: int, captures: Captures) -> None:
        if self._inside_function():
            return
        named = self._parts(self._text(captures, "name"))
        if "body" in captures:
            before = self._open[-1].namespace if self._open else ()
            whole = (*before, *named)
            self._open.append(_Open(end, "namespace", -1, (), whole))
            self._found.headers.append((start, captures["body"][0].start_byte))
        else:
            self._namespace = whole = named
            self._found.quiet.append((start, end))
        if whole not in self._namespaces:
            self._namespaces.add(whole)
            self._found.namespaces.append(whole)

    def _enter_scope(self, kind: str, start: int, end: int, captures: Captures) -> None:
        if self._inside_function():
            return
        top = self._open[-1] if self._open else None
        names = (*(top.names if top else ()), *self._parts(self._text(captures, "owner"))[-1:])
        namespace = top.namespace if top else self._namespace
        self._comment_above(start)
        self._open.append(_Open(end, "scope", -1, names, namespace))
        self._found.headers.append((start, captures["body"][0].start_byte))

    def _default_name(self, kind: str, start: int, end: int, captures: Captures) -> None:
        self._default = self._text(captures, kind)

    def _inside_function(self) -> bool:
        if not self._open:
            return False
        top = self._open[-1]
        return len(self._open) >= _DEEPEST or (top.number >= 0 and top.kind not in CONTAINERS)

    def _in_class(self, parent: int) -> bool:
        return parent >= 0 and self._found.symbols[parent].kind != "module"

    def _text(self, captures: Captures, name: str) -> str:
        nodes = captures.get(name)
        if not nodes:
            return ""
        return self._source[nodes[0].start_byte : nodes[0].end_byte].decode()

    def _parts(self, written: str) -> tuple[str, ...]:
        """`Cart<T>::touch` is Cart, touch."""
        if self._inner == "." and "." not in written and "<" not in written:
            name = _line(written)
            return (name,) if name else ()
        operator = _OPERATOR.fullmatch(written) if self._inner == "::" else None
        plain = (operator[1] if operator else written)[:_LONGEST_NAME]
        while (shorter := _GENERIC.sub("", plain)) != plain:
            plain = shorter
        parts = [_line(each.lstrip("&*")) for each in plain.split(self._inner)]
        if operator:
            parts.append(_line(operator[2]))
        return tuple(each for each in parts if each)

    def _signature_end(self, head: int, body: int) -> int:
        """The end of the line, or of the one that closes its brackets. Comments may stand between
        it and the body."""
        if self._source[head:body].rstrip().endswith(b":"):
            return body
        depth = 0
        for at in range(head, body):
            letter = self._source[at : at + 1]
            depth += (letter in b"([{") - (letter in b")]}")
            if depth <= 0 and letter in b";\n":
                return at
        return body


def _adjacent(between: bytes) -> bool:
    """Nothing but blanks, and no blank line."""
    return not between.strip() and between.count(b"\n") <= 1


def _line(text: str) -> str:
    return " ".join(text.split())
