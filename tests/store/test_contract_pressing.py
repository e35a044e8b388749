"""What a store promises of what matters without a question: Important and Open."""

from datetime import timedelta

import pytest

from pinyon.model.query import STEP, UNDATED, Filters, Important, Open
from pinyon.store.contract import Store
from tests.store.world import LATER, NOW, commit, found, matches, record, save

DAY = timedelta(days=1)


@pytest.mark.proves("X16")
def test_the_most_important_come_first_then_what_was_changed_last(store: Store) -> None:
    save(
        store,
        record("old", importance=5, updated_at=NOW - DAY),
        record("some", importance=4, updated_at=LATER),
        record("new", importance=5),
        record("twin", importance=5),
        record("usual", importance=3, updated_at=LATER),
    )
    assert found(store, Important()) == ["new", "twin", "old", "some"]
    assert found(store, Important(least=5, limit=2)) == ["new", "twin"]
    scores = [match.score for match in matches(store, Important(limit=1))]
    assert scores == [5 * STEP + NOW.timestamp()]


@pytest.mark.proves("X16")
def test_open_tasks_come_by_their_date_then_by_their_last_change(store: Store) -> None:
    save(
        store,
        record("later", kind="task", status="open", due=LATER),
        record("never", kind="task"),
        record("overdue", kind="task", status="open", due=NOW - 400 * DAY),
        record("fresh", kind="task", status="waiting", updated_at=LATER),
        record("done", kind="task", status="done", due=NOW),
        record("dropped", kind="task", status="cancelled"),
        record("note", kind="note", due=NOW),
    )
    assert found(store, Open()) == ["overdue", "later", "fresh", "never"]
    assert found(store, Open(done=("open",), limit=2)) == ["done", "fresh"]
    dated, undated = (matches(store, Open(limit=4))[at].score for at in (1, 3))
    assert (dated, undated) == (-LATER.timestamp(), UNDATED + NOW.timestamp())


def test_what_is_forgotten_or_does_not_pass_the_filters_does_not_matter(store: Store) -> None:
    save(
        store,
        record("kept", kind="task", importance=5, scope="a/b"),
        record("gone", kind="task", importance=5, scope="a/b"),
        record("elsewhere", kind="task", importance=5, scope="c"),
        record("over", kind="task", importance=5, scope="a", valid_until=NOW),
    )
    commit(store, forget=["gone"])
    filters = Filters(scopes=("a",), at=NOW)
    assert found(store, Important(filters)) == found(store, Open(filters)) == ["kept"]


@pytest.mark.parametrize("year", [1, 1969, 9999])
def test_no_date_is_worth_a_step_of_importance(store: Store, year: int) -> None:
    save(
        store,
        record("more", kind="task", importance=5, updated_at=NOW.replace(year=1)),
        record("less", kind="task", importance=4, updated_at=NOW.replace(year=year)),
        record("dated", kind="task", due=NOW.replace(year=year)),
    )
    assert found(store, Important()) == ["more", "less"]
    assert found(store, Open())[0] == "dated"
