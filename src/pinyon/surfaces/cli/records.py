"""Records: one as lines for people, safe for any terminal."""

import json
from typing import Any

from pinyon.model.record import Record
from pinyon.model.wire import record_to_json
from pinyon.surfaces.cli.output import Paint, clean, clean_lines

_APART = ("title", "body", "context", "lines")
"""Shown in a way of their own."""


def record_lines(record: Record, paint: Paint) -> list[str]:
    """Its title, the fields that are not empty, the body."""
    shown = record_to_json(record)
    if record.lines:
        shown["source"] = f"{record.source}:{record.lines[0]}-{record.lines[1]}"
    fields = {name: _text(value) for name, value in shown.items() if name not in _APART}
    widest = max(map(len, fields))
    lines = [paint("title", clean(record.title or record.id))]
    lines += [f"{paint('quiet', name.ljust(widest))}  {text}" for name, text in fields.items()]
    for text in (record.context, record.body):
        if text:
            lines += ["", *clean_lines(text).rstrip().split("\n")]
    return lines


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    if isinstance(value, dict):
        return clean(json.dumps(value, ensure_ascii=False))
    return clean(str(value))
