"""Edges: what contains, extends, implements, imports and calls what, and what it is called."""

import re
from collections.abc import Iterator, Sequence

from pinyon.index.parse.code.found import CONTAINERS, Base, Call, Found, Symbol
from pinyon.index.parse.code.languages import Language
from pinyon.index.parse.code.places import SCHEMES, Imported, Place
from pinyon.index.parse.code.records import Lines, Named
from pinyon.index.parse.origin import NAMES, Origin
from pinyon.model.check import LIMITS
from pinyon.model.record import Edge

_AFTER_NAME = re.compile(r"[<\[({\s].*", re.DOTALL)
_SEPARATOR = re.compile(r"::|[.\\]")


def edges_of(
    found: Found,
    named: Sequence[Named],
    language: Language,
    origin: Origin,
    lines: Lines,
    outside: bool,
) -> Iterator[Edge]:
    """Each once, the first place that says it as its evidence; none from a thing to itself."""
    place = SCHEMES[language.name].place(origin)
    imported = [SCHEMES[language.name].read(each, origin) for each in found.imports]
    own = {*place.names, *place.prefixes}
    seen: set[tuple[str, str, str]] = set()

    def stated() -> Iterator[tuple[str, str, str, int]]:
        yield from _names(found, named, language, origin, place)
        if outside:
            yield origin.file_id, "contains", origin.id, 0
        for each in named:
            parent = each.symbol.parent
            around = named[parent].id if parent >= 0 else origin.file_id
            yield around, "contains", each.id, each.symbol.head
        for written, what in zip(found.imports, imported, strict=True):
            for target in what.targets:
                if target not in own:
                    yield origin.file_id, "imports", target, written.at
        scopes = _Names(named, imported, language, place)
        for base in found.bases:
            for start, end in scopes.base(base):
                yield start, base.relation, end, base.at
        for call in found.calls:
            target = scopes.called(call)
            if target:
                yield named[call.symbol].id, "calls", target, call.at

    for start, relation, end, at in stated():
        fits = end[0] != "@" or (len(end) <= LIMITS["id"] and end.isprintable() and " " not in end)
        identity = (start, relation, end)
        if fits and start != end and identity not in seen:
            seen.add(identity)
            yield Edge(start, relation, end, evidence=f"{origin.path}:{lines.at(at)}")


def _names(
    found: Found, named: Sequence[Named], language: Language, origin: Origin, place: Place
) -> Iterator[tuple[str, str, str, int]]:
    """What the file and its symbols are called elsewhere."""
    for name in place.names:
        yield origin.file_id, NAMES, name, 0
    if not language.scheme:
        return
    for namespace in found.namespaces:
        if language.name != "cpp":  # nothing imports a namespace of C++: headers are included
            yield origin.file_id, NAMES, _prefix(language, namespace), 0
    for each in named:
        symbol = each.symbol
        if not _can_be_named(symbol, named, language):
            continue
        for prefix in place.prefixes or (_prefix(language, symbol.namespace),):
            yield each.id, NAMES, _joined(prefix, symbol.names, language), symbol.head
            if symbol.exported or (found.default and symbol.names == (found.default,)):
                yield each.id, NAMES, f"{prefix}{language.join}default", symbol.head


def _can_be_named(symbol: Symbol, named: Sequence[Named], language: Language) -> bool:
    """Types always, functions where single ones can be imported; members are reached through what
    contains them."""
    if symbol.kind in CONTAINERS or symbol.kind in {"type", "macro"}:
        return True
    parent = named[symbol.parent].symbol if symbol.parent >= 0 else None
    alone = parent is None or parent.kind == "module"
    return symbol.kind == "function" and alone and not language.climbs


def _prefix(language: Language, namespace: Sequence[str]) -> str:
    return f"@{language.scheme}:{language.inner.join(namespace)}"


def _joined(prefix: str, names: Sequence[str], language: Language) -> str:
    inner = language.inner.join(names)
    if prefix.endswith(":"):
        return f"{prefix}{inner}"
    joiner = language.inner if language.join in prefix and language.join == "#" else language.join
    return f"{prefix}{joiner}{inner}"


class _Names:
    """What a name means inside of one file: through its imports, then among its own symbols, then
    as something that a neighbour declares."""

    def __init__(
        self,
        named: Sequence[Named],
        imported: Sequence[Imported],
        language: Language,
        place: Place,
    ) -> None:
        self._named = named
        self._language = language
        self._place = place
        self._bound = {name: to for each in imported for name, to in each.bound.items()}
        self._opened = tuple(dict.fromkeys(to for each in imported for to in each.opened))
        self._types: dict[tuple[str, ...], str] = {}
        self._callable: dict[tuple[str, ...], list[str]] = {}
        for each in named:
            if each.symbol.kind in CONTAINERS or each.symbol.kind in {"type", "concept"}:
                self._types.setdefault(each.symbol.names, each.id)
            self._callable.setdefault(each.symbol.names, []).append(each.id)

    def base(self, base: Base) -> Iterator[tuple[str, str]]:
        """From the type that says it, to each thing that may be meant."""
        number = base.symbol
        start = self._named[number].id if number >= 0 else self._type(base.names, ())
        written = _AFTER_NAME.sub("", base.text.strip().lstrip("&*?"))
        parts = tuple(part for part in _SEPARATOR.split(written) if part)
        if not start or not parts:
            return
        absolute = written.startswith(("\\", "::"))
        known = "" if absolute else self._type(parts, base.names[:-1])
        if parts[0] in self._bound and not absolute:
            bound = self._bound[parts[0]]
            yield start, _joined(bound, parts[1:], self._language) if parts[1:] else bound
        elif known and known != start:
            yield start, known
        else:
            yield from ((start, each) for each in self._elsewhere(base, parts, absolute))

    def called(self, call: Call) -> str:
        """The one symbol of the file that is called, or nothing."""
        around = self._named[call.symbol].symbol.names[:-1]
        own = self._callable.get((*around, call.text), []) if around else []
        plain = self._callable.get((call.text,), [])
        if call.own:
            meant = own
        elif call.text in self._bound:
            meant = []
        else:
            meant = own or plain if self._language.bare else plain
        return meant[0] if len(meant) == 1 else ""

    def _type(self, parts: tuple[str, ...], around: tuple[str, ...]) -> str:
        for depth in range(len(around), -1, -1):
            found = self._types.get((*around[:depth], *parts))
            if found:
                return found
        return ""

    def _elsewhere(self, base: Base, parts: tuple[str, ...], absolute: bool) -> Iterator[str]:
        language = self._language
        plain = f"@{language.scheme}:"
        if not language.scheme:
            return
        if absolute:
            yield _joined(plain, parts, language)
            return
        own = (_prefix(language, base.namespace), *self._opened)
        if language.climbs:
            around = base.namespace or base.names[:-1]
            levels = [around[:depth] for depth in range(len(around), -1, -1)]
            own = (*(_prefix(language, level) for level in levels), *self._opened)
        elif len(parts) > 1 and parts[0].islower() and language.scheme != "php":
            own = (plain,)  # the whole path of a package
        elif self._place.prefixes:
            own = (self._place.prefixes[0], *self._opened)
        for prefix in dict.fromkeys(own):
            yield _joined(prefix, parts, language)
