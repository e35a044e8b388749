"""Reranking: what a second reading does to the scores, the order and nothing else."""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.inference.contract import ModelError
from pinyon.model.hit import Candidate
from pinyon.model.profile import RERANK, RerankSection
from pinyon.model.record import Record
from pinyon.model.trace import Trace
from pinyon.search.rerank import Reading, blended, rerank, signals, text_of
from pinyon.text.passages import passages
from pinyon.text.snippet import Marker

HOW = RerankSection(model="mine")
NOTHING = Marker()

scores = st.floats(-10, 10) | st.sampled_from([0.0, 0.5, 1.0])
weights = st.floats(0, 1)


@st.composite
def ranked(draw: st.DrawFn) -> list[Candidate]:
    """Candidates as the stages before give them: best first, ties by id."""
    drawn = draw(st.lists(scores, min_size=1, max_size=12))
    found = [
        Candidate(f"r{at}", score, 0.5, {"lexical": score}, {"lexical": 1})
        for at, score in enumerate(drawn)
    ]
    return sorted(found, key=lambda one: (-one.score, one.id))


def read_of(values: Mapping[str, float]) -> Reading:
    return Reading(list(values.values()), "mine", 1.0)


@pytest.mark.proves("S7")
@settings(deadline=None)
@given(ranked(), st.integers(1, 15), weights, st.data())
def test_nothing_that_was_not_read_passes_what_was(
    candidates: list[Candidate], most: int, weight: float, data: st.DataObject
) -> None:
    how = HOW._replace(candidates=most, weight=weight)
    records = {one.id: Record(id=one.id, body="text " * 30) for one in candidates}

    def read(question: str, texts: Mapping[str, str]) -> Reading:
        assert list(texts) == [one.id for one in candidates[:most]]
        return read_of({id: data.draw(scores) for id in texts})

    after, told = rerank(candidates, records, "q", NOTHING, how, read, Trace())
    chosen = {one.id for one in candidates[:most]}
    rest = candidates[most:]
    assert {one.id for one in after[:most]} == chosen
    assert [one.id for one in after[most:]] == [one.id for one in rest]
    assert [one.score for one in after] == sorted((one.score for one in after), reverse=True)
    before = {one.id: one for one in candidates}
    for one in after:
        old = before[one.id]
        assert one.score == (1 - weight) * old.score + weight * one.signals[RERANK]
        assert one == old._replace(score=one.score, signals=one.signals)
        assert one.signals == {**old.signals, RERANK: one.signals[RERANK]}
        assert 0 <= one.signals[RERANK] <= (one.id in chosen)
    assert told["candidates"] == len(chosen)
    assert told["moved"] == sum(
        one.id != old.id for one, old in zip(after, candidates, strict=True)
    )


@settings(deadline=None)
@given(st.lists(scores, min_size=1, max_size=20))
def test_the_signal_goes_from_0_to_1_over_what_was_read(given: list[float]) -> None:
    heard = signals(given, [HOW.short] * len(given), HOW)
    low, high = min(given), max(given)
    expected = [(score - low) / (high - low) if high > low else 1.0 for score in given]
    assert heard == expected
    assert max(heard) == 1.0


@pytest.mark.proves("S8")
@pytest.mark.parametrize("size", [1, 50, 99, 100, 101, 5_000])
def test_a_short_text_has_less_of_the_signal(size: int) -> None:
    (heard,) = signals([3.0], [size], HOW)
    assert heard == pytest.approx(0.8 + 0.2 * size / 100 if size < 100 else 1.0)
    (halved,) = signals([3.0], [size], HOW._replace(short=2 * size))
    assert halved == pytest.approx(0.9)


@pytest.mark.proves("S8")
def test_the_length_is_that_of_the_body_and_without_one_of_what_is_read() -> None:
    records = {
        "long": Record(id="long", title="T", body="b" * 100),
        "half": Record(id="half", title="a title that does not count", body="b" * 50),
        "bare": Record(id="bare", title="t" * 25),
    }
    candidates = [Candidate(id, 1.0, 0.5, {}, {}) for id in records]
    after, _ = rerank(
        candidates, records, "q", NOTHING, HOW, lambda q, t: read_of(dict.fromkeys(t, 7.0)), Trace()
    )
    heard = {one.id: one.signals[RERANK] for one in after}
    assert heard == pytest.approx({"long": 1.0, "half": 0.9, "bare": 0.85})


def test_equal_scores_are_ordered_by_id_but_not_past_what_was_read() -> None:
    candidates = [Candidate(id, 0.0, 0.5, {}, {}) for id in ("d", "c", "b", "a")]
    after = blended(candidates, {"d": 0.0, "c": 0.0}, HOW)
    assert [one.id for one in after] == ["c", "d", "b", "a"]


PARTS = [f"Part {at} is about {word}. " + "It goes on. " * 60 for at, word in enumerate("xyz")]
LONG = Record(id="long", title="Head", body="\n".join(PARTS))


def test_a_record_is_read_by_the_passage_that_meaning_found() -> None:
    found = passages(LONG)
    assert len(found) > 2
    for passage in found:
        candidate = Candidate("long", 1, 1, {}, {}, span=(passage.start, passage.end))
        assert text_of(candidate, LONG, NOTHING) == passage.text
        near = candidate._replace(span=(passage.start + 5, passage.end - 5))
        assert text_of(near, LONG, NOTHING) == passage.text
    assert all(passage.text.startswith("Head\n") for passage in found)


def test_else_by_the_passage_with_most_of_what_was_asked_for_else_by_the_first() -> None:
    candidate = Candidate("long", 1, 1, {}, {})
    first, *others = [passage.text for passage in passages(LONG)]
    (about_z,) = [text for text in others if "about z" in text]
    assert text_of(candidate, LONG, Marker(frozenset({"part", "z"}))) == about_z
    assert text_of(candidate, LONG, Marker(pieces=("ABOUT Z",))) == about_z
    assert text_of(candidate, LONG, NOTHING) == first
    assert text_of(candidate, Record(id="bare", tags=("a",)), NOTHING) == "bare"


def test_where_it_cannot_be_read_the_first_ranking_stands_and_it_is_said_once() -> None:
    def read(question: str, texts: Mapping[str, str]) -> Reading:
        raise ModelError("it is away", remedy="wait")

    candidates = [Candidate(id, score, 0.5, {}, {}) for id, score in (("a", 2.0), ("b", 1.0))]
    records = {id: Record(id=id, body="x") for id in ("a", "b")}
    trace = Trace()
    after, told = rerank(candidates, records, "q", NOTHING, HOW, read, trace)
    assert (after, told) == (candidates, {})
    assert trace.warnings == ["not reranked: it is away (wait)"]
