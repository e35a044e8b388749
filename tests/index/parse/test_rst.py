"""reStructuredText: which sections a text has, and what it links to."""

from datetime import UTC, datetime

import pytest

from pinyon.index.parse.origin import NAMES, Origin
from pinyon.index.parse.rst import rst

MAY = datetime(2024, 5, 1, tzinfo=UTC)
FILE = Origin("docs", "guide/setup.rst", MAY)


def sections(text: str) -> list[tuple[str, str, str, str]]:
    """What the id adds to that of the file, the title, the text and the headings above."""
    return [
        (record.id.removeprefix(FILE.id), record.title, record.body, record.context)
        for record in rst(text, FILE).records
    ]


def links(text: str) -> list[str]:
    return [edge.to_id for edge in rst(text, FILE).edges if edge.relation == "links"]


def test_each_way_to_mark_a_title_is_a_level() -> None:
    text = (
        "=======\n Setup\n=======\n\nIntro.\n\nInstall\n=======\n\nRun it.\n\nLinux\n-----\n\n"
        ".. note::\n\n   Stays text.\n\nUse\n===\nNow.\n"
    )
    assert sections(text) == [
        ("", "Setup", "Intro.", ""),
        ("#install", "Install", "Run it.", "Setup"),
        ("#linux", "Linux", ".. note::\n\n   Stays text.", "Setup > Install"),
        ("#use", "Use", "Now.", "Setup"),
    ]
    assert [record.lines for record in rst(text, FILE).records] == [
        (1, 5),
        (7, 10),
        (12, 17),
        (19, 21),
    ]
    contained = [(e.from_id, e.to_id) for e in rst(text, FILE).edges if e.relation == "contains"]
    assert contained == [
        (FILE.file_id, FILE.id),
        (FILE.id, f"{FILE.id}#install"),
        (f"{FILE.id}#install", f"{FILE.id}#linux"),
        (FILE.id, f"{FILE.id}#use"),
    ]


def test_a_text_without_a_title_is_one_record_called_after_its_file() -> None:
    assert sections("just\n\ntext\n") == [("", "setup", "just\n\ntext", "")]


@pytest.mark.parametrize(
    "inside",
    [
        "::\n\n  no\n  ==",
        "text\nno\n==",
        "no, not this\n--",
        "before\n\n----------\n\nafter",
        "=====  =====\nno     no\n=====  =====",
        "+----+\n| no |\n+----+",
        "no::\n\n  text",
        "====\n====\n====",
    ],
)
def test_what_only_looks_like_a_title_is_text(inside: str) -> None:
    assert sections(f"Title\n*****\n\n{inside}\n") == [("", "Title", inside, "")]


def test_the_markup_of_a_title_is_not_in_it() -> None:
    text = ":mod:`queue` and ``put`` *now*\n==============================\n"
    assert [title for _, title, _, _ in sections(text)] == ["queue and put now"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (":doc:`install`", ["@path:docs/guide/install"]),
        (":doc:`the way <../why/index>`", ["@path:docs/why/index"]),
        (":doc:`/start`", ["@path:docs/start"]),
        (":ref:`First Steps`", ["@label:docs:first steps"]),
        (":ref:`here <first-steps>`", ["@label:docs:first-steps"]),
        ("`here <other.rst>`_", ["@path:docs/guide/other"]),
        ("`here <https://example.org>`_ ``:doc:`x``` :func:`a <b>`", []),
        (".. code-block:: rst\n\n   :doc:`x`\n\n:doc:`y`", ["@path:docs/guide/y"]),
        ("Like this::\n\n   :doc:`x`\n   :doc:`z`\n\n:doc:`y`", ["@path:docs/guide/y"]),
        (".. note::\n\n   :doc:`x`", ["@path:docs/guide/x"]),
    ],
)
def test_roles_that_name_a_place_are_links(written: str, meant: list[str]) -> None:
    assert links(written) == meant


def test_a_label_means_the_section_that_it_stands_before() -> None:
    text = "Title\n=====\n\n.. _first-steps:\n.. _`Second Name`:\n\nSteps\n-----\n\n.. _end:\n"
    named = [(e.from_id, e.to_id) for e in rst(text, FILE).edges if e.to_id.startswith("@label")]
    assert named == [
        (f"{FILE.id}#steps", "@label:docs:first-steps"),
        (f"{FILE.id}#steps", "@label:docs:second name"),
        (f"{FILE.id}#steps", "@label:docs:end"),
    ]


def test_a_document_answers_to_its_path_and_its_headings() -> None:
    edges = rst("Title\n=====\n\nSteps\n-----\n", FILE).edges
    assert [(e.from_id.removeprefix(FILE.id), e.to_id) for e in edges if e.relation == NAMES] == [
        ("", "@note:docs:setup"),
        ("", "@path:docs/guide/setup"),
        ("", "@note:docs:setup#title"),
        ("", "@path:docs/guide/setup#title"),
        ("#steps", "@note:docs:setup#steps"),
        ("#steps", "@path:docs/guide/setup#steps"),
    ]
