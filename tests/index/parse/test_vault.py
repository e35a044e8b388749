"""A vault: what links, embeds, names and tags of notes become."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.index.parse.links import MOST_LINKS
from pinyon.index.parse.markdown import markdown
from pinyon.index.parse.origin import NAMES, Origin, Parsed
from pinyon.index.parse.rst import rst
from pinyon.model.check import MOST_VALUES, check_edge, recheck
from pinyon.model.record import Edge
from pinyon.model.wire import edge_to_json

MAY = datetime(2024, 5, 1, tzinfo=UTC)
FILE = Origin("vault", "team/Plan.md", MAY)


def edges(text: str, *relations: str) -> list[tuple[str, str, str]]:
    """From, relation, to; the folder of the file is left out of the ids."""
    return [
        (edge.from_id.replace(FILE.id, "Plan"), edge.relation, edge.to_id.replace(FILE.id, "Plan"))
        for edge in markdown(text, FILE).edges
        if edge.relation in relations
    ]


def targets(text: str) -> list[str]:
    return [target for _, _, target in edges(text, "links", "embeds")]


@pytest.mark.proves("X13")
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("[[Budget]]", ["@note:vault:budget"]),
        ("[[Budget|the money]]", ["@note:vault:budget"]),
        ("| [[Budget\\|the money]] |", ["@note:vault:budget"]),
        ("[[Budget.md]]", ["@note:vault:budget"]),
        ("[[Budget 2.0]]", ["@note:vault:budget 2.0"]),
        ("[[chart.png]]", ["@note:vault:chart.png"]),
        ("[[Budget#How *much*?]]", ["@note:vault:budget#how-much"]),
        ("[[Budget#Sums#How much]]", ["@note:vault:budget#how-much"]),
        ("[[Budget#^a1]]", ["@note:vault:budget#^a1"]),
        ("[[#Goals]]", ["@path:vault/team/Plan#goals"]),
        ("[[money/Budget]]", ["@path:vault/team/money/Budget", "@path:vault/money/Budget"]),
        ("[[../money/Budget#Sums]]", ["@path:vault/money/Budget#sums"]),
        ("[[/money/Budget]]", ["@path:vault/money/Budget"]),
        ("[[Gru\u0308n]]", ["@note:vault:grün"]),
        ("[sums](budget.md)", ["@path:vault/team/budget"]),
        ("[sums](../money/my%20budget.md#how-much)", ["@path:vault/money/my budget#how-much"]),
        ('[sums](<my budget.md> "all of it")', ["@path:vault/team/my budget"]),
        ("[sums](budget_(2024).md)", ["@path:vault/team/budget_(2024)"]),
        ("[sums](/budget.md?raw=1)", ["@path:vault/budget"]),
        ("[the\nsums](budget.md)", ["@path:vault/team/budget"]),
        ("[here](#goals)", ["@path:vault/team/Plan#goals"]),
        ("[sums][b] and [B]\n\n[b]: budget.md", ["@path:vault/team/budget"]),
        (
            "[![chart](chart.png)](budget.md)",
            ["@path:vault/team/chart.png", "@path:vault/team/budget"],
        ),
        ("[a [b] \\] c](<budget.md>\n'(all)')", ["@path:vault/team/budget"]),
        ("> - see [[Budget]]", ["@note:vault:budget"]),
    ],
)
def test_a_link_is_an_edge_to_what_it_names(written: str, meant: list[str]) -> None:
    assert targets(written) == meant


@pytest.mark.proves("X13")
@pytest.mark.parametrize(
    "written",
    [
        "`[[Budget]]`",
        "``a ` [[Budget]]``",
        "```\n[[Budget]]\n```",
        "    [[Budget]]",
        "- x\n\n  ~~~\n  [sums](budget.md)\n  ~~~",
        "<!-- [[Budget]] -->",
        "\\[[Budget]]",
        "[[]] [[ ]] [[|x]] [[a\nb]] [[a",
        "[sums](https://example.org/budget.md) [m](mailto:a@b) [n](//example.org)",
        "[sums](../../outside.md) [here](..) [x]() sums](budget.md)",
        "[sums] [sums][none] [ ](a b.md",
    ],
)
def test_what_is_code_or_leads_elsewhere_is_no_link(written: str) -> None:
    assert targets(written) == []


@pytest.mark.proves("X13")
def test_links_begin_at_their_section_and_say_in_which_line_they_stand() -> None:
    text = (
        "---\ntitle: T\n---\n# Plan\n\n[[A]]\n\n## Sums [[B]]\n\nx\n![[C#^d]] [[B]]\n![e](f.md)\n"
    )
    found = [each for each in markdown(text, FILE).edges if each.relation in ("links", "embeds")]
    sums = f"{FILE.id}#sums-b"
    assert found == [
        Edge(FILE.id, "links", "@note:vault:a", evidence="team/Plan.md:6"),
        Edge(sums, "links", "@note:vault:b", evidence="team/Plan.md:8"),
        Edge(sums, "embeds", "@note:vault:c#^d", evidence="team/Plan.md:11"),
        Edge(sums, "embeds", "@path:vault/team/f", evidence="team/Plan.md:12"),
    ]


@pytest.mark.proves("X13")
def test_a_note_answers_to_its_name_its_path_its_aliases_and_its_headings() -> None:
    text = "---\naliases: [The Plan, Idea]\n---\n# Goals\n\n## Why\n\nBecause. ^r1\n\n## Why\n"
    assert edges(text, NAMES) == [
        ("Plan", NAMES, "@note:vault:plan"),
        ("Plan", NAMES, "@path:vault/team/Plan"),
        ("Plan", NAMES, "@note:vault:the plan"),
        ("Plan", NAMES, "@note:vault:idea"),
        ("Plan", NAMES, "@note:vault:plan#goals"),
        ("Plan", NAMES, "@path:vault/team/Plan#goals"),
        ("Plan#why", NAMES, "@note:vault:plan#why"),
        ("Plan#why", NAMES, "@path:vault/team/Plan#why"),
        ("Plan#why-1", NAMES, "@note:vault:plan#why-1"),
        ("Plan#why-1", NAMES, "@path:vault/team/Plan#why-1"),
        ("Plan#why", NAMES, "@note:vault:plan#^r1"),
        ("Plan#why", NAMES, "@path:vault/team/Plan#^r1"),
    ]


@pytest.mark.proves("X13")
@pytest.mark.parametrize(
    "link", ["[[Plan#Why not?]]", "[x](Plan.md#why-not)", "[[team/Plan#Why not?]]"]
)
def test_a_link_and_the_heading_that_it_means_meet(link: str) -> None:
    named = {target for _, _, target in edges("# Plan\n\n## Why not?\n", NAMES)}
    assert set(targets(link)) & named


def test_notes_that_link_in_a_circle_and_to_themselves_are_read() -> None:
    assert targets("[[Plan]] [[Plan#Plan]]") == ["@note:vault:plan", "@note:vault:plan#plan"]


def test_folders_do_not_mix() -> None:
    other = markdown("[[Plan]] [x](Plan.md)", Origin("other", "team/a.md", MAY))
    assert [edge.to_id for edge in other.edges if edge.relation == "links"] == [
        "@note:other:plan",
        "@path:other/team/Plan",
    ]


def test_the_file_contains_the_document_and_each_section_those_below_it() -> None:
    file = FILE.file_id.replace(FILE.id, "Plan")
    assert edges("# A\n\n## B\n\n#### C\n\n## D\n\n# E\n", "contains") == [
        (file, "contains", "Plan"),
        ("Plan", "contains", "Plan#b"),
        ("Plan#b", "contains", "Plan#c"),
        ("Plan", "contains", "Plan#d"),
        ("Plan", "contains", "Plan#e"),
    ]
    assert edges("## B\n\n###\n\n#### C\n\n## D\n", "contains") == [
        (file, "contains", "Plan#b"),
        ("Plan#b", "contains", "Plan#c"),
        (file, "contains", "Plan#d"),
    ]


@pytest.mark.proves("X13")
def test_a_tag_belongs_to_the_section_that_it_stands_in() -> None:
    text = "---\ntags: [team]\n---\n# Plan\n\n#draft\n\n## Sums #money\n\nsee #money and #q/2024\n"
    assert [record.tags for record in markdown(text, FILE).records] == [
        ("team", "draft"),
        ("team", "money", "q/2024"),
    ]


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("#one, (#two) #three.", ("one", "three")),
        ("#größe #日本 #2024-05 #🎉", ("größe", "日本", "2024-05", "🎉")),
        ("#12 # x ## a#b [a](#c) http://x/#d #-- \\#e", ()),
        ("`#code` ``#code``", ()),
        ("```\n#code\n```", ()),
        (f"#{'x' * 101} #{'y' * 100}", ("y" * 100,)),
        ("#a/ #a #a/b/", ("a", "a/b")),
    ],
)
def test_what_is_a_tag(written: str, tags: tuple[str, ...]) -> None:
    assert markdown(written, FILE).records[0].tags == tags


def test_no_more_tags_than_fit_are_kept() -> None:
    text = " ".join(f"#t{number}" for number in range(MOST_VALUES + 5))
    assert markdown(text, FILE).records[0].tags == tuple(f"t{n}" for n in range(MOST_VALUES))


def test_links_beyond_the_limit_are_text_and_said_so() -> None:
    text = " ".join(f"[[n{number}]]" for number in range(MOST_LINKS + 1))
    assert len(targets(text)) == MOST_LINKS
    assert markdown(text, FILE).warning == "5,001 links; the first 5,000 are followed"


READ: dict[str, Callable[[str, Origin], Parsed]] = {"markdown": markdown, "rst": rst}
PIECES = st.sampled_from(
    [
        *(
            "[[",
            "]]",
            "[",
            "](",
            ")",
            "|",
            "#",
            "# ",
            "## ",
            "^a",
            "`",
            "``",
            "```\n",
            "\n",
            "\n\n",
        ),
        *(
            "- [ ] ",
            "- [x] ",
            "  ",
            "> ",
            "📅 2024-05-01",
            "due: 2024-02-30",
            "[a]: b\n",
            "\\",
            "!",
        ),
        *("===\n", "---\n", "::\n", ".. _a:\n", ":doc:`a`", ":ref:`b <c>`", "word", "../", "/"),
    ]
)


@pytest.mark.parametrize("reader", READ)
@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(PIECES, st.text(max_size=6)), max_size=40).map("".join))
def test_any_text_can_be_stored_and_no_line_of_it_is_lost(reader: str, text: str) -> None:
    text = text.replace("\r", "\n").replace("\x00", "").encode("utf-8", "replace").decode()
    parsed = READ[reader](text, FILE)
    assert [recheck(record) for record in parsed.records] == list(parsed.records)
    ids = [record.id for record in parsed.records]
    assert len(set(ids)) == len(ids)
    for edge in parsed.edges:
        assert check_edge(edge_to_json(edge)) == edge
        assert edge.from_id in (*ids, FILE.file_id)
        assert edge.to_id in ids or edge.to_id.startswith("@")
    if not text.startswith("---"):
        spans = [record.lines for record in parsed.records if record.lines]
        kept = {number for first, last in spans for number in range(first, last + 1)}
        # Markup without any text, such as [](x), is no title: nothing is found by it.
        said = [
            number
            for number, line in enumerate(text.split("\n"), start=1)
            if "word" in line and "](" not in line and "<" not in line
        ]
        assert kept.issuperset(said)


@pytest.mark.parametrize("reader", READ)
@pytest.mark.parametrize(
    "piece",
    [
        "[[",
        "#",
        "[",
        "![",
        "](",
        "[[a|",
        "[a](",
        "`",
        "`` ` ",
        " ^a",
        '[a](b "',
        "[a](b (",
        "[]",
        "[a",
        "]",
        "#a ",
        "due: ",
        ":doc:`a <",
    ],
)
def test_time_grows_with_the_length_of_the_text_not_with_its_square(
    reader: str, piece: str
) -> None:
    def cost_s(repeated: int) -> float:
        begun = time.process_time()
        READ[reader](piece * repeated, FILE)
        return time.process_time() - begun

    cost_s(10)
    # Sixteen times the text: linear is 16 times the cost, quadratic 256 times.
    small = min(cost_s(1_000) for _ in range(3))
    assert min(cost_s(16_000) for _ in range(2)) < 64 * small + 0.05
