"""Pages of a store: what a program gets that asks page after page, over each store."""

from datetime import timedelta
from typing import Any

import pytest

from pinyon.engine import Engine
from pinyon.model.errors import InvalidInput
from pinyon.model.record import Record
from tests.store.world import NOW


def pages(engine: Engine, **asked: Any) -> list[list[str]]:
    found: list[list[str]] = []
    cursor = ""
    while not found or cursor:
        answer = engine.search("amber", cursor=cursor, **asked)
        found.append([hit.id for hit in answer])
        cursor = answer.meta["next"]
    return found


@pytest.mark.proves("X18")
def test_the_pages_are_one_long_answer_cut_into_pieces(engine: Engine) -> None:
    for at in range(45):
        engine.save(Record(id=f"r{at:02}", body="amber " * (1 + at % 7) + "word " * (at % 5)))
    whole = [hit.id for hit in engine.search("amber", limit=100)]
    found = pages(engine, limit=10)
    assert [len(page) for page in found] == [10, 10, 10, 10, 5]
    assert [id for page in found for id in page] == whole


@pytest.mark.proves("X18")
def test_a_record_that_comes_or_goes_between_two_pages_makes_none_show_twice(
    engine: Engine,
) -> None:
    for at in range(20):
        engine.save(Record(id=f"r{at:02}", body="amber"))
    first = engine.search("amber", limit=10)
    engine.forget("r03", "r15")
    engine.save(Record(id="a", body="amber"))
    rest = engine.search("amber", limit=30, cursor=first.meta["next"])
    shown = [hit.id for hit in (*first, *rest)]
    assert sorted(shown) == ["a", *(f"r{at:02}" for at in range(20) if at != 15)]


@pytest.mark.parametrize("other", [{"query": "word"}, {"tags": ["x"]}, {"as_of": "2020-01-01"}])
def test_the_cursor_of_another_question_is_refused(engine: Engine, other: dict[str, Any]) -> None:
    for at in range(3):
        engine.save(Record(id=f"r{at}", body="amber word", tags=("x",)))
    first = engine.search("amber", limit=1)
    assert len(engine.search("amber", limit=5, mode="full", cursor=first.meta["next"])) == 2
    with pytest.raises(InvalidInput, match="another question"):
        engine.search(**{"query": "amber", "cursor": first.meta["next"], **other})


@pytest.mark.proves("X18")
def test_a_file_with_many_hits_takes_one_place(engine: Engine) -> None:
    for at in range(12):
        engine.save(Record(id=f"a#{at:02}", body="amber amber", source="a.md"))
    for name in "bcd":
        engine.save(Record(id=name, body="amber in a longer text", source=f"{name}.md"))
    answer = engine.search("amber", group="file", limit=4)
    assert [(hit.id, len(hit.more)) for hit in answer] == [
        ("a#00", 11),
        ("b", 0),
        ("c", 0),
        ("d", 0),
    ]


@pytest.mark.proves("X4")
def test_the_best_answer_fits_into_the_tokens_that_it_may_have(engine: Engine) -> None:
    for at, word in enumerate(("apple", "berry", "cherry")):
        engine.save(Record(id=f"r{at}", body=f"{word} " * 300 + "amber" + f" {word}" * 300))
    sizes = []
    for tokens in (100, 400, 1_600):
        hits = engine.search("amber", max_tokens=tokens)
        sizes.append(sum(len(hit.id) + len(hit.title) + len(hit.snippet) for hit in hits))
        assert len(hits) == 3
        assert sizes[-1] <= 4 * tokens
    assert sizes == sorted(set(sizes))


def test_sorting_by_date_keeps_to_the_best(engine: Engine) -> None:
    for at in range(6):
        made = NOW - timedelta(days=10 * at)
        engine.save(Record(id=f"r{at}", body="amber " * (1 + at), created_at=made))
    best = [hit.id for hit in engine.search("amber", limit=3, profile="keyword")]
    dated = [hit.id for hit in engine.search("amber", limit=3, profile="keyword", sort="date")]
    assert dated == sorted(best)
