"""Operators: a question with AND, OR, NOT, NEAR, "phrases", prefix* or field:word as an expression.

NOT binds tighter than AND, AND tighter than OR, and words side by side are joined by AND. Whatever
does not parse is no expression: it is asked as plain words.
"""

import re
from functools import cache

from pinyon.model.query import FIELDS, AllOf, AnyOf, Expression, Near, Phrase, Without
from pinyon.text.prepare import prepare
from pinyon.text.stems import words

DEEPEST = 20
"""Nested brackets; more are no question that a person asks."""

_SIGNS = ('"', "*", ":", "AND", "OR", "NOT", "NEAR")
"""A text without any of these is no expression: most questions are told apart by this alone."""


def parse(text: str) -> Expression | None:
    """The expression that the text is, or None."""
    if len(text) > 2 and text[0] == text[-1] == "'":
        text = f'"{text[1:-1]}"'
    if not any(sign in text for sign in _SIGNS) or not _looks_asked().search(text):
        return None
    try:
        return _Parser(text).whole()
    except _NoExpression:
        return None


@cache
def _looks_asked() -> re.Pattern[str]:
    return re.compile(
        r'"|(?<!\S)\(*(?:AND|OR|NOT)(?!\S)|(?<!\w)NEAR\s*\(|\w\*(?!\S)'
        rf"|(?<!\S)\(*(?:{'|'.join(FIELDS)}):[^\s:]"
    )


@cache
def _token() -> re.Pattern[str]:
    return re.compile(
        r"\s*(?:(?P<open>\()|(?P<close>\))|(?P<comma>,)|(?P<near>NEAR(?=\s*\())"
        r"|(?P<operator>(?:AND|OR|NOT)(?![^\s()]))"
        rf"|(?P<field>{'|'.join(FIELDS)}):(?=[^\s:])"
        r'|"(?P<quoted>[^"]*)"(?P<quoted_prefix>\*?)|(?P<word>[^\s()",*]+)(?P<prefix>\*?))'
    )


class _NoExpression(Exception):
    pass


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str, bool]] = []
        at = 0
        text = text.rstrip()
        while at < len(text):
            found = _token().match(text, at)
            if not found:
                raise _NoExpression
            kind = next(
                name
                for name in (
                    "open",
                    "close",
                    "comma",
                    "near",
                    "operator",
                    "field",
                    "quoted",
                    "word",
                )
                if found[name] is not None
            )
            prefix = bool(found["quoted_prefix"] or found["prefix"])
            self.tokens.append((kind, found[kind], prefix))
            at = found.end()
        self.at = 0
        self.depth = 0

    def whole(self) -> Expression:
        expression = self.any_of()
        if self.at < len(self.tokens):
            raise _NoExpression
        return expression

    def any_of(self) -> Expression:
        parts = [self.all_of()]
        while self.take("operator", "OR"):
            parts.append(self.all_of())
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def all_of(self) -> Expression:
        parts = [self.one()]
        dropped: list[Expression] = []
        while True:
            if self.take("operator", "NOT"):
                dropped.append(self.one())
            elif self.take("operator", "AND"):
                if self.take("operator", "NOT"):
                    dropped.append(self.one())
                else:
                    parts.append(self.one())
            elif self.peek() in ("open", "near", "field", "quoted", "word"):
                parts.append(self.one())
            else:
                break
        kept = parts[0] if len(parts) == 1 else AllOf(tuple(parts))
        if not dropped:
            return kept
        return Without(kept, dropped[0] if len(dropped) == 1 else AnyOf(tuple(dropped)))

    def one(self) -> Expression:
        if self.take("open"):
            self.depth += 1
            if self.depth > DEEPEST:
                raise _NoExpression
            inner = self.any_of()
            self.expect("close")
            self.depth -= 1
            return inner
        if self.take("near"):
            return self.near()
        field = self.expect("field")[1] if self.peek() == "field" else ""
        return self.phrase(field)

    def near(self) -> Expression:
        self.expect("open")
        phrases: list[Phrase] = []
        while self.peek() in ("quoted", "word"):
            _, text, prefix = self.expect(self.peek())
            phrases.append(_phrase(text, prefix, ""))
        distance = 10
        if self.take("comma"):
            number = self.expect("word")[1]
            if not number.isdecimal() or len(number) > 4:
                raise _NoExpression
            distance = int(number)
        self.expect("close")
        if not phrases:
            raise _NoExpression
        return Near(tuple(phrases), distance)

    def phrase(self, field: str) -> Expression:
        if self.peek() == "quoted":
            _, text, prefix = self.expect("quoted")
            return _phrase(text, prefix, field)
        _, text, prefix = self.expect("word")
        whole = _phrase(text, prefix, field)
        if len(whole.stems) > 1 and text.isalnum() and not prefix:
            # An identifier such as getUserById: its parts side by side, or the whole.
            found = words(prepare(text))
            if found[-1][0] == text:
                parts = _joined(found[:-1], False, field)
                return AnyOf((parts, _joined(found[-1:], False, field)))
        return whole

    def peek(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def take(self, kind: str, text: str = "") -> bool:
        if self.peek() != kind or (text and self.tokens[self.at][1] != text):
            return False
        self.at += 1
        return True

    def expect(self, kind: str) -> tuple[str, str, bool]:
        if self.peek() != kind:
            raise _NoExpression
        self.at += 1
        return self.tokens[self.at - 1]


def _phrase(text: str, prefix: bool, field: str) -> Phrase:
    found = words(text if prefix and text.isascii() else prepare(text))
    if not found:
        raise _NoExpression
    return _joined(found, prefix, field)


def _joined(found: list[tuple[str, str]], prefix: bool, field: str) -> Phrase:
    text = " ".join(word for word, _ in found)
    return Phrase(text, tuple(stem for _, stem in found), prefix, field)
