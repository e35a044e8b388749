"""Web: which sections a page has, what is left out of it, and that no page takes long."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.index.parse.origin import NAMES, Origin
from pinyon.index.parse.web import web
from pinyon.model.check import recheck
from pinyon.model.record import Record

MAY = datetime(2024, 5, 1, tzinfo=UTC)
FILE = Origin("notes", "site/retry-guide.html", MAY)


def sections(page: str) -> dict[str, tuple[str, str]]:
    """Title and body of each record by what its id adds to that of the file."""
    parsed = web(page, FILE)
    return {r.id.removeprefix(FILE.id): (r.title, r.body) for r in parsed.records}


def test_each_heading_is_a_record_with_its_own_text_and_place() -> None:
    page = (
        "<!DOCTYPE html>\n<html><head><title>Retries &amp; you</title></head><body>\n"
        "<h1>Retries</h1>\n<p>We <b>retry</b>\nthree times.</p>\n"
        "<h2 id=why>Why</h2>\n<p>Because.</p>\n<h3>Really</h3><p>Yes.</p></body></html>\n"
    )

    def section(
        slug: str, title: str, body: str, lines: tuple[int, int], context: str = ""
    ) -> Record:
        return Record(
            kind="doc",
            id=f"notes/site/retry-guide.html{slug}",
            title=title,
            aliases=() if slug else ("Retries",),
            body=body,
            context=context,
            scope="notes/site",
            source="notes/site/retry-guide.html",
            lines=lines,
            updated_at=MAY,
        )

    parsed = web(page, FILE)
    assert parsed.records == (
        section("", "Retries & you", "We retry three times.", (3, 5)),
        section("#why", "Why", "Because.", (6, 7), "Retries & you"),
        section("#really", "Really", "Yes.", (8, 8), "Retries & you > Why"),
    )
    assert (parsed.warning, parsed.outline) == ("", "Retries & you")


def test_the_description_author_and_date_of_a_page_are_kept() -> None:
    page = (
        '<meta name="description" content="All about it"><meta name="author" content="Ada">'
        '<meta property="article:published_time" content="2024-02-03T04:05:06+01:00">'
        '<meta name=keywords content="retry, backoff,,retry"><p>Text.'
    )
    record = web(page, FILE).records[0]
    assert (record.context, record.author, record.tags, record.created_at) == (
        "All about it",
        "Ada",
        ("retry", "backoff"),
        datetime(2024, 2, 3, 3, 5, 6, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>if (a < b) document.write('<p>no</p>')</script>",
        "<STYLE>p { color: red }</STYLE >",
        "<!-- no -->",
        "<nav><ul><li><a href=x>no</a></ul><nav>no</nav></nav>",
        "<div role='navigation'><div>no</div></div>",
        "<template><p>no</p></template><noscript>no</noscript><svg><text>no</text></svg>",
        "<button>no</button><iframe>no</iframe><!doctype no><?no ?></no>",
    ],
)
def test_what_only_moves_or_decorates_a_page_is_left_out(hidden: str) -> None:
    page = f"<p>before</p>{hidden}<p>after</p>"
    assert sections(page) == {"": ("retry guide", "before\n\nafter")}


def test_of_a_page_with_a_main_part_only_that_is_read() -> None:
    page = (
        "<title>T</title><h2>Shortcuts</h2><p>no</p><meta name=author content=Ada>"
        "<main><h1>One</h1><p>yes</p></main><footer>no</footer>"
    )
    assert sections(page) == {"": ("T", "yes")}
    assert web(page, FILE).records[0].author == "Ada"
    assert sections("<p>a<main> </main>b") == {"": ("retry guide", "a\n\nb")}


def test_navigation_that_is_never_closed_does_not_swallow_the_page() -> None:
    assert sections("<nav><p>Home</p><p>Text</p>") == {"": ("retry guide", "Home\n\nText")}


def test_lists_tables_and_code_keep_their_lines() -> None:
    page = (
        "<ul><li>one<li>two</ul><table><tr><th>a<th>b<tr><td>1</td><td>2</td></table>"
        "<pre>\ndef f():\n    return 1\n</pre><p>x<br>y <img alt='a cat'>"
    )
    body = "- one\n- two\n\na | b\n1 | 2\n\ndef f():\n    return 1\n\nx\ny a cat"
    assert sections(page) == {"": ("retry guide", body)}


def test_entities_are_characters() -> None:
    page = f"<p>&lt;b&gt; caf&eacute; &#8364; &#x1F600; &nope; &#{'9' * 9000}; a<b 1 < 2"
    body = "<b> café € 😀 &nope; \ufffd a<b 1 < 2"
    assert sections(page) == {"": ("retry guide", body)}


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("<h1>One<p>text", {"": ("One", "text")}),
        ("<h1><div>One</div></h1>text", {"": ("One", "text")}),
        ("<h2>Same</h2>a<h2>Same</h2>b", {"#same": ("Same", "a"), "#same-1": ("Same", "b")}),
        ("<h1>C#<a href='#c'>¶</a></h1>x", {"": ("C#", "x")}),
        ("<h1><a href='#l'>§</a>Law § 1</h1>x", {"": ("Law § 1", "x")}),
        ("<h1></h1><p>x", {"": ("retry guide", "x")}),
        ("<title>never closed <p>text", {"": ("never closed", "text")}),
        ("<p>x<a href='never", {"": ("retry guide", "x<a href='never")}),
        ("<p>x</p></div></div><p>y", {"": ("retry guide", "x\n\ny")}),
        ("<p>x<script>never closed", {"": ("retry guide", "x")}),
        ("", {}),
        ("<html><body>  </body>", {}),
    ],
)
def test_broken_pages_are_read_as_far_as_they_go(
    page: str, found: dict[str, tuple[str, str]]
) -> None:
    assert sections(page) == found


def test_in_xhtml_a_tag_can_close_itself() -> None:
    page = '<?xml version="1.0"?><html><script src="x.js"/><p>a<br/>b</p><![CDATA[1 < 2]]></html>'
    assert sections(page) == {"": ("retry guide", "a\nb\n\n1 < 2")}


def test_links_to_files_of_the_folder_are_edges_of_their_section() -> None:
    page = (
        "<h1>One</h1>\n<a href='../guide/my%20plan.md#why'>x</a>\n<h2>Two</h2>\n"
        "<a href='other.md?x=1'>x</a> <a href='https://a.org/b.md'>x</a> "
        "<a href='//a.org/b.md'>x</a>"
        "<a href='mailto:a@b.c'>x</a> <a href='../../out.md'>x</a> <a href='#two'>x</a>"
        "<a href='http://['>x</a>"
    )
    links = [edge for edge in web(page, FILE).edges if edge.relation == "links"]
    assert [(edge.from_id, edge.to_id, edge.evidence) for edge in links] == [
        (FILE.id, "@path:notes/guide/my plan", "site/retry-guide.html:2"),
        (f"{FILE.id}#two", "@path:notes/site/other", "site/retry-guide.html:4"),
    ]


def test_sections_answer_to_their_path_heading_and_anchor() -> None:
    edges = web("<h1>One</h1><section id=setup><h2>How to begin</h2>x</section>", FILE).edges
    assert {(e.from_id, e.to_id) for e in edges if e.relation == "contains"} == {
        (FILE.file_id, FILE.id),
        (FILE.id, f"{FILE.id}#how-to-begin"),
    }
    named = {e.to_id: e.from_id for e in edges if e.relation == NAMES}
    assert named["@path:notes/site/retry-guide"] == FILE.id
    assert named["@path:notes/site/retry-guide#one"] == FILE.id
    assert named["@path:notes/site/retry-guide#how-to-begin"] == f"{FILE.id}#how-to-begin"
    assert named["@path:notes/site/retry-guide#setup"] == f"{FILE.id}#how-to-begin"


def test_depth_is_no_obstacle() -> None:
    page = "<div>" * 100_000 + "deep" + "</div>" * 100_000
    assert sections(page) == {"": ("retry guide", "deep")}


@pytest.mark.parametrize(
    "piece",
    [
        "<!--",
        "<a ",
        "</a",
        "<a x='",
        '<a x=">" ',
        "<nav>",
        "<title>",
        "<textarea>",
        "&#",
        "<!",
        "<",
    ],
)
def test_a_page_of_nothing_but_beginnings_is_read_to_its_end(piece: str) -> None:
    """With the parser of the standard library some of them take hours."""
    parsed = web(piece * 50_000, FILE)
    assert len(parsed.records) <= 1


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "<h1>",
                "</h1>",
                "<h2 id='",
                "<p>",
                "<pre>",
                "</pre>",
                "<nav>",
                "</nav>",
                "<a href=x.md>",
                "text ",
                "&amp;",
                "<",
                ">",
                "'",
                '"',
                "<li>",
                "<td>",
                "<title>",
                "</title>",
                "é",
                "<script>",
                "</script>",
                "<!--",
                "-->",
                "/",
                "=",
                "\n",
                "\ud800",
                "\x00",
                "\x0b",
            ]
        ),
        max_size=40,
    )
)
def test_every_page_gives_records_that_can_be_stored(pieces: list[str]) -> None:
    parsed = web("".join(pieces), FILE)
    assert [recheck(record) for record in parsed.records] == list(parsed.records)
    ids = [record.id for record in parsed.records]
    assert len(set(ids)) == len(ids)
    assert {edge.from_id for edge in parsed.edges} <= {*ids, FILE.file_id}
