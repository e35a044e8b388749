"""Plot: a picture that any viewer can read, with every point in its panel."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.evaluate.plot import HEIGHT, LEFT, SHAPES, TOP, WIDTH, Point, plot

SVG = "{http://www.w3.org/2000/svg}"
SHARES = st.floats(0, 1)
POINTS = st.lists(
    st.builds(
        lambda collection, profile, ms, shares: Point(
            collection, profile, ms, sorted(shares)[1], sorted(shares)[0], sorted(shares)[2]
        ),
        st.sampled_from(["trees", "a <b> & 'c'", "x" * 80]),
        st.sampled_from(["default", "keyword", "vault"]),
        st.floats(0, 1e5),
        st.tuples(SHARES, SHARES, SHARES),
    ),
    min_size=1,
    max_size=8,
)


def drawn(points: list[Point]) -> ElementTree.Element:
    return ElementTree.fromstring(plot(points, "recall@10"))


def marks(svg: ElementTree.Element) -> list[tuple[float, float]]:
    """Where each point stands in its panel."""
    places = []
    for group in svg.iter(f"{SVG}g"):
        if group.find(f"{SVG}title") is not None:
            inner = group.find(f"{SVG}g")
            assert inner is not None
            x, y = map(float, re.findall(r"-?[\d.]+", inner.attrib["transform"]))
            places.append((x, y))
    return places


@settings(deadline=None, max_examples=60)
@given(POINTS)
def test_every_point_stands_inside_its_panel(points: list[Point]) -> None:
    places = marks(drawn(points))
    assert len(places) == len(points)
    assert all(LEFT <= x <= LEFT + WIDTH and TOP <= y <= TOP + HEIGHT for x, y in places)


@pytest.mark.proves("X8", part="measuring")
def test_faster_is_further_left_and_better_is_higher() -> None:
    fast, good = marks(
        drawn(
            [
                Point("trees", "keyword", 2, 0.4, 0.3, 0.5),
                Point("trees", "default", 20, 0.6, 0.5, 0.7),
            ]
        )
    )
    assert fast[0] < good[0]
    assert fast[1] > good[1]


def test_there_is_a_panel_a_collection_and_one_legend_for_all() -> None:
    names = [(c, p) for c in ("oaks", "pines & firs") for p in ("default", "keyword")]
    svg = drawn([Point(c, p, 5, 0.5, 0.4, 0.6) for c, p in names])
    texts = ["".join(text.itertext()) for text in svg.iter(f"{SVG}text")]
    assert [text for text in texts if text in {name for pair in names for name in pair}] == [
        "oaks",
        "pines & firs",
        "default",
        "keyword",
    ]
    assert texts.count("recall@10") == texts.count("p50, ms a question") == 2


def test_the_axes_are_numbered() -> None:
    svg = drawn([Point("trees", "a", 2, 0.42, 0.4, 0.5), Point("trees", "b", 30, 0.55, 0.5, 0.6)])
    texts = ["".join(text.itertext()) for text in svg.iter(f"{SVG}text")]
    assert {"2", "5", "10", "20", "0.4", "0.5", "0.6"} <= set(texts)


def test_it_has_colours_for_light_and_dark() -> None:
    style = drawn([Point("trees", "a", 1, 0, 0, 0)]).findtext(f"{SVG}style")
    assert style is not None
    assert "prefers-color-scheme: dark" in style


def test_profiles_differ_in_shape_as_well_as_in_colour() -> None:
    text = plot([Point("t", f"p{n}", 1, 0.5, 0.5, 0.5) for n in range(3)], "recall@10")
    assert all(shape in text for shape in SHAPES[:3])
