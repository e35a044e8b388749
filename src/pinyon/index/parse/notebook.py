"""Notebook: the cells of a Jupyter notebook as one Markdown text, and its sections as records.

Code stands in fences below the heading before it, with the first characters of what it printed.
Images are left out.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pinyon.index.parse.given import clean, from_json, summed
from pinyon.index.parse.markdown import markdown
from pinyon.index.parse.origin import Origin, Parsed, line
from pinyon.model.errors import InvalidInput

MOST_OUTPUT = 1_000
"""Characters of what one cell printed: enough for a number or an error, too few for a table."""

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_TICKS = re.compile(r"`{3,}")
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_LANGUAGE = re.compile(r"[\w+#.-]{1,40}")


def notebook(content: str | bytes, origin: Origin) -> Parsed:
    """Raises InvalidInput for what is not JSON, or has no cells."""
    given = from_json(content if isinstance(content, str) else content.decode("utf-8", "replace"))
    cells = _cells(given)
    about = given.get("metadata")
    about = about if isinstance(about, dict) else {}
    language = _language(about)
    parts: list[str] = []
    warnings: list[str] = []
    for number, cell in enumerate(cells, start=1):
        try:
            parts += _cell(cell, language)
        except InvalidInput as problem:
            warnings.append(f"cell {number}: {problem}")
    parsed = markdown("\n\n".join(parts), origin)
    title = line(_text(about.get("title", "")), "title")
    extra = {"language": language} if language else {}
    records = tuple(
        replace(
            record,
            title=title if title and record.title == origin.words else record.title,
            lines=None,
            extra={**record.extra, **extra},
        )
        for record in parsed.records
    )
    return replace(
        parsed, records=records, warning=summed([*warnings, *filter(None, [parsed.warning])])
    )


def _cells(given: Any) -> list[Any]:
    if isinstance(given, dict):
        sheets = given.get("worksheets")  # as it was until 2014
        sheet = sheets[0] if isinstance(sheets, list) and sheets else given
        cells = sheet.get("cells") if isinstance(sheet, dict) else None
        if isinstance(cells, list):
            return cells
    raise InvalidInput("not a notebook: it has no cells")


def _language(about: Mapping[str, Any]) -> str:
    for section, key in (("language_info", "name"), ("kernelspec", "language")):
        part = about.get(section)
        name = part.get(key) if isinstance(part, dict) else None
        if isinstance(name, str) and _LANGUAGE.fullmatch(name):
            return name.lower()
    return ""


def _cell(cell: Any, language: str) -> Iterator[str]:
    """The Markdown of a cell; blank ones give none."""
    if not isinstance(cell, dict):
        raise InvalidInput("not an object; left out")
    source = _text(cell.get("source", cell.get("input", ""))).strip("\n")
    kind = cell.get("cell_type")
    if kind == "code":
        if source.strip():
            yield _fenced(source, language)
        printed = "\n".join(_outputs(cell.get("outputs"))).strip()
        if printed:
            yield _fenced(printed[:MOST_OUTPUT], "text")
    elif kind == "heading":
        level = cell.get("level")
        marks = "#" * level if isinstance(level, int) and 1 <= level <= 6 else "#"
        yield f"{marks} {line(source, 'title')}"
    elif source.strip():
        yield _closed(source)


def _outputs(outputs: Any) -> Iterator[str]:
    for output in outputs if isinstance(outputs, list) else ():
        if not isinstance(output, dict):
            continue
        data = output.get("data")
        if output.get("output_type") == "error":
            shown = f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"
        elif isinstance(data, dict):
            image = any(name.startswith("image/") for name in data)
            shown = "" if image else _text(data.get("text/plain") or data.get("text/markdown"))
        else:
            shown = _text(output.get("text"))
        if shown.strip():
            yield _COLOURS.sub("", shown[: 2 * MOST_OUTPUT]).rstrip()


def _text(value: Any) -> str:
    """Text is written as one string or as a list of lines."""
    if isinstance(value, list):
        value = "".join(each for each in value if isinstance(each, str))
    return clean(value).replace("\r\n", "\n").replace("\r", "\n") if isinstance(value, str) else ""


def _fenced(text: str, language: str) -> str:
    """Between fences that are longer than any inside."""
    longest = max((len(found) for found in _TICKS.findall(text)), default=2)
    ticks = "`" * (longest + 1)
    return f"{ticks}{language}\n{text}\n{ticks}"


def _closed(text: str) -> str:
    """A fence that is open at the end of a cell must not swallow the next one."""
    fence = ""
    for each in text.split("\n"):
        found = _FENCE.match(each)
        if not found:
            continue
        ticks, rest = found.groups()
        if not fence:
            fence = "" if ticks[0] == "`" and "`" in rest else ticks
        elif ticks.startswith(fence) and not rest.strip():
            fence = ""
    return f"{text}\n{fence}" if fence else text
