"""Periods: what was said of a time in, the days that it means out: [start, end), in UTC.

What is said without a year, or as a day of the week, is the latest one that has begun.
"""

from calendar import monthrange
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

Period = tuple[datetime, datetime]
Said = Mapping[str, Any]
"""The parts that were said, by name: number, unit, day, month, year and so on. With `over` it is
the latest one that has ended."""

FAR_PAST = datetime(1000, 1, 1, tzinfo=UTC)
"""Where a time without a beginning begins."""

_DAY = timedelta(days=1)
_LENGTHS = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": _DAY,
    "night": _DAY,
    "week": 7 * _DAY,
    "weekend": 7 * _DAY,
}
_MONTHS = {"month": 1, "quarter": 3, "season": 3, "year": 12, "decade": 120}
_LEAP = 8
"""Years from one 29 February to the next, at most."""


def date(said: Said, now: datetime) -> Period:
    return _latest(
        lambda year: _unit(datetime(year, said["month"], said["day"], tzinfo=UTC), "day"), said, now
    )


def month(said: Said, now: datetime) -> Period:
    return _latest(lambda year: _from(year, said["month"], "month"), said, now)


def quarter(said: Said, now: datetime) -> Period:
    return _latest(lambda year: _from(year, 3 * said["quarter"] - 2, "quarter"), said, now)


def season(said: Said, now: datetime) -> Period:
    return _latest(lambda year: _from(year, said["season"], "season"), said, now)


def year(said: Said, now: datetime) -> Period:
    return _from(said["year"], 1, "year")


def decade(said: Said, now: datetime) -> Period:
    return _from(said["decade"], 1, "decade")


def weekday(said: Said, now: datetime) -> Period:
    """Of the week that is `weeks` before this one, where that is said."""
    if "weeks" in said:
        days = now.weekday() + 7 * said["weeks"] - said["weekday"]
    else:
        days = (now.weekday() - said["weekday"]) % 7 or 7 * bool(said.get("over"))
    return _unit(_floor(now, "day") - days * _DAY, "day")


def ago(said: Said, now: datetime) -> Period:
    """The unit of the calendar that is so many before the present one; this one is 0 ago."""
    unit = said["unit"]
    start = _add(_floor(now, unit), unit, -said["number"])
    if unit == "weekend":
        return start + 5 * _DAY, start + 7 * _DAY
    if unit == "night":
        return start + _DAY * 3 / 4, start + _DAY * 5 / 4
    return _unit(start, unit)


def past(said: Said, now: datetime) -> Period:
    """So many units up to now."""
    return _add(now, said["unit"], -said["number"]), now


def moment(said: Said, now: datetime) -> Period:
    return now, now


RULES: Mapping[str, Callable[[Said, datetime], Period]] = {
    "date": date,
    "month": month,
    "quarter": quarter,
    "season": season,
    "year": year,
    "decade": decade,
    "weekday": weekday,
    "ago": ago,
    "past": past,
    "now": moment,
}

BOUNDS: Mapping[str, Callable[[Period, datetime], Period]] = {
    "since": lambda period, now: (period[0], now),
    "after": lambda period, now: (period[1], now),
    "before": lambda period, now: (FAR_PAST, period[0]),
    "until": lambda period, now: (FAR_PAST, period[1]),
}
"""What becomes of a time by the word before it."""


def _latest(make: Callable[[int], Period], said: Said, now: datetime) -> Period:
    """Raises ValueError for a day that there is not."""
    if "year" in said:
        return make(said["year"])
    for year in range(now.year, now.year - _LEAP - 1, -1):
        try:
            period = make(year)
        except ValueError:  # 29 February
            continue
        if period[said.get("over", False)] <= now:
            return period
    raise ValueError("no such day")


def _from(year: int, month: int, unit: str) -> Period:
    return _unit(datetime(year, month, 1, tzinfo=UTC), unit)


def _unit(start: datetime, unit: str) -> Period:
    return start, _add(start, unit, 1)


def _floor(moment: datetime, unit: str) -> datetime:
    """The begin of the unit that the moment lies in."""
    if unit == "minute":
        return moment.replace(second=0, microsecond=0)
    if unit == "hour":
        return moment.replace(minute=0, second=0, microsecond=0)
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit in ("week", "weekend"):
        return day - day.weekday() * _DAY
    if unit not in _MONTHS:
        return day
    months = (day.year * 12 + day.month - 1) // _MONTHS[unit] * _MONTHS[unit]
    return day.replace(year=months // 12, month=months % 12 + 1, day=1)


def _add(moment: datetime, unit: str, number: int) -> datetime:
    """Raises ValueError or OverflowError beyond the calendar. From a 31st to the last of a shorter
    month."""
    if unit in _LENGTHS:
        return moment + number * _LENGTHS[unit]
    year, month = divmod(moment.year * 12 + moment.month - 1 + number * _MONTHS[unit], 12)
    last = monthrange(year, month + 1)[1] if 1 <= year <= 9999 else 31
    return moment.replace(year=year, month=month + 1, day=min(moment.day, last))
