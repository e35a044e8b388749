"""Digits: what a word of digits may be in a time: a date, a month, a year, a day, a number."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from typing import Any

Classes = Mapping[str, Mapping[str, Any]]
"""What a word may be, each with what it then says."""

_YEAR = r"((?:19|20)\d\d)"
_ORDINAL = re.compile(r"(\d\d?)([^\W\d_]+)")


def classes_of(word: str, ordinals: Collection[str]) -> Classes:
    """By class; none for what is no number. `ordinals` are the ends of "1st" and "2nd"."""
    if not word[:1].isdecimal():
        return {}
    for pattern, read in _READERS:
        if found := pattern.fullmatch(word):
            return read(*found.groups())
    found = _ORDINAL.fullmatch(word)
    if found and found[2] in ordinals:
        day = _day(int(found[1]))
        return {**day, "{nth}": day["{day}"]} if day else {}
    return {}


def _date(year: str, _: str, month: str, day: str) -> Classes:
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return {}
    return {"{date}": {"year": found.year, "month": found.month, "day": found.day}}


def _slashed(one: str, two: str, year: str) -> Classes:
    """Either order is in use: only what can be read in one way is a date."""
    if min(int(one), int(two)) > 12 or (max(int(one), int(two)) <= 12 and int(one) != int(two)):
        return {}
    month, day = sorted((one, two), key=int)
    return _date(year, "/", month, day)


def _year_month(year: str, month: str) -> Classes:
    within = 1 <= int(month) <= 12
    return {"{year_month}": {"year": int(year), "month": int(month)}} if within else {}


def _month_year(month: str, year: str) -> Classes:
    return _year_month(year, month)


def _decade(year: str) -> Classes:
    return {"{decade}": {"decade": int(year)}}


def _number(digits: str) -> Classes:
    number = int(digits)
    year = {"{year}": {"year": number}} if 1900 <= number < 2100 else {}
    return {"{number}": {"number": number}, **year, **_day(number)}


def _day(number: int) -> Classes:
    return {"{day}": {"day": number}} if 1 <= number <= 31 else {}


_READERS: Sequence[tuple[re.Pattern[str], Callable[..., Classes]]] = (
    (re.compile(r"(\d{1,4})"), _number),
    (re.compile(r"([12]\d{3})([-/])(\d\d?)\2(\d\d?)(?:t[\d:.]+(?:z|[+-]\d\d:?\d\d)?)?"), _date),
    (re.compile(rf"(\d\d?)/(\d\d?)/{_YEAR}"), _slashed),
    (re.compile(rf"{_YEAR}-(\d\d)"), _year_month),
    (re.compile(rf"(\d\d?)/{_YEAR}"), _month_year),
    (re.compile(r"((?:19|20)\d0)s"), _decade),
)
