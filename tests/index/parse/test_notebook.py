"""Notebook: what becomes of its cells, and what of a broken one."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from pinyon.index.parse.notebook import MOST_OUTPUT, notebook
from pinyon.index.parse.origin import Origin
from pinyon.model.check import recheck
from pinyon.model.errors import InvalidInput

MAY = datetime(2024, 5, 1, tzinfo=UTC)
FILE = Origin("lab", "sales_2024.ipynb", MAY)


def written(*cells: Any, **metadata: Any) -> str:
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4})


def text(*lines: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": list(lines)}


def code(source: str, *outputs: Any) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "outputs": outputs}


def test_headings_open_sections_and_code_belongs_to_the_one_before_it() -> None:
    python = {"kernelspec": {"language": "python"}}
    content = written(
        text("# Sales\n", "\n", "How they grew."),
        code("total = 1\n# not a heading", {"output_type": "stream", "text": ["loaded\n"]}),
        text("## By month"),
        code("plot()"),
        **python,
    )
    parsed = notebook(content, FILE)
    body = "How they grew.\n\n```python\ntotal = 1\n# not a heading\n```\n\n```text\nloaded\n```"
    assert [(r.id, r.title, r.body, r.lines) for r in parsed.records] == [
        ("lab/sales_2024.ipynb", "Sales", body, None),
        ("lab/sales_2024.ipynb#by-month", "By month", "```python\nplot()\n```", None),
    ]
    assert {r.kind for r in parsed.records} == {"doc"}
    assert [r.extra["language"] for r in parsed.records] == ["python", "python"]
    assert parsed.warning == ""


def test_outputs_are_short_and_never_images() -> None:
    image = {"image/png": "iVBORw0KGgo" * 1000, "text/plain": "<Figure size 640x480>"}
    content = written(
        code("a", {"output_type": "display_data", "data": image}),
        code("b", {"output_type": "execute_result", "data": {"text/plain": ["42"]}}),
        code("c", {"output_type": "error", "ename": "KeyError", "evalue": "\x1b[31m'x'\x1b[0m"}),
        code("d", {"output_type": "stream", "text": "y" * 50_000}),
    )
    assert [r.body for r in notebook(content, FILE).records] == [
        "```\na\n```\n\n```\nb\n```\n\n```text\n42\n```"
        "\n\n```\nc\n```\n\n```text\nKeyError: 'x'\n```"
        f"\n\n```\nd\n```\n\n```text\n{'y' * MOST_OUTPUT}\n```"
    ]


def test_a_fence_that_a_cell_leaves_open_ends_with_it() -> None:
    content = written(
        text("# One\n```sh\nls"), text("## Two"), code("x = '````'"), text("## Three")
    )
    assert [r.title for r in notebook(content, FILE).records] == ["One", "Two", "Three"]


def test_a_notebook_can_say_its_title() -> None:
    parsed = notebook(written(text("no heading"), title="Sales of 2024"), FILE)
    assert parsed.records[0].title == "Sales of 2024"


def test_notebooks_of_before_2014_are_read() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Old"]},
        {"cell_type": "code", "input": ["print 1"], "outputs": []},
    ]
    parsed = notebook(json.dumps({"worksheets": [{"cells": cells}]}), FILE)
    assert [(r.title, r.body) for r in parsed.records] == [("Old", "```\nprint 1\n```")]


def test_a_broken_cell_is_named_and_the_others_are_read() -> None:
    parsed = notebook(written("no cell", text("fine \ud800"), {"source": 7}, 3), FILE)
    assert [recheck(record).body for record in parsed.records] == ["fine ?"]
    assert parsed.warning == "cell 1: not an object; left out; cell 4: not an object; left out"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "not JSON"),
        ('{"cells": [', "not JSON: .* in line 1"),
        ("[" * 200_000, "not JSON: nested too deeply"),
        ("[]", "not a notebook"),
        ('{"cells": 3}', "not a notebook"),
        ('{"worksheets": [3]}', "not a notebook"),
        (f"[{'9' * 5000}]", "not JSON"),
    ],
)
def test_what_is_no_notebook_is_refused_with_the_reason(content: str, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        notebook(content, FILE)
