"""Over-fetch: the ranking sees more than is shown, so that what words put far down can rise."""

import pytest

from pinyon.engine import Engine
from pinyon.model.record import Record

UNGUARDED = {"retrieve.small": 0}
"""The guard of small stores asks for more, and shows more."""


@pytest.mark.proves("V7")
def test_three_times_the_limit_reach_the_ranking_but_at_least_30(engine: Engine) -> None:
    for at in range(60):
        engine.save(Record(id=f"{at:02}", kind="entry", title=f"Amber {at}", body="amber"))
    for limit in (1, 5, 10, 12, 15):
        answer = engine.search("amber", profile="vault", limit=limit, override=UNGUARDED)
        assert (len(answer), answer.meta["candidates"]) == (limit, max(3 * limit, 30))


@pytest.mark.proves("V7")
def test_what_is_grave_rises_from_far_down(engine: Engine) -> None:
    for at in range(60):
        # The longer a text, the less a word of it counts: their order by words is that of the ids.
        words = "amber " + "filler " * at
        grave = "critical" if at == 29 else ""
        engine.save(Record(id=f"{at:02}", kind="entry", body=words, severity=grave))
    by_words = engine.search("amber", profile="keyword", limit=60)
    assert [hit.id for hit in by_words] == [f"{at:02}" for at in range(60)]
    override = {**UNGUARDED, "rank.weights.severity": 0.9}
    (first,) = engine.search("amber", profile="vault", limit=1, override=override)
    assert (first.id, first.sources) == ("29", {"lexical": 30})
