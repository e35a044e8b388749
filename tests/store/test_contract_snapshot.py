"""What a view promises: one moment, whole, whatever others commit meanwhile."""

import threading
from concurrent.futures import ThreadPoolExecutor

from pinyon.model.facts import Facts, microseconds
from pinyon.model.query import Recent
from pinyon.model.record import Edge
from pinyon.store.contract import Store
from pinyon.store.questions import History, Size
from tests.store.world import LATER, NOW, ask, commit, found, record, save


def test_a_view_does_not_see_what_is_committed_after_it_was_opened(store: Store) -> None:
    save(store, record("fox", body="brown"), record("hen", body="brown"))
    with store.snapshot() as view:
        save(store, record("fox", body="grey"), record("owl", body="brown"), purge=["hen"])
        commit(store, edges=[Edge("fox", "sees", "owl")])
        assert [match.id for match in view.retrieve([ask("brown")])[0].matches] == ["fox", "hen"]
        assert view.retrieve([ask("grey")])[0].matches == ()
        assert list(view.records()) == [record("fox", body="brown"), record("hen", body="brown")]
        assert view.survey(History("fox")) == []
        assert view.survey(Size()).documents == 2
        assert list(view.all_edges()) == []
        assert view.revision == 1
    assert found(store, "brown") == ["owl"]


def test_a_view_knows_the_revision_of_its_moment(store: Store) -> None:
    with store.snapshot() as empty:
        assert empty.revision == 0
    receipt = save(store, record("fox"))
    with store.snapshot() as view:
        assert view.revision == receipt.revision == 1


def test_two_views_may_be_open_at_different_moments(store: Store) -> None:
    save(store, record("fox"))
    with store.snapshot() as before:
        save(store, record("hen"))
        with store.snapshot() as after:
            counts = [len(list(view.records())) for view in (before, after)]
    assert counts == [1, 2]


def test_requests_are_answered_one_by_one_in_their_order(store: Store) -> None:
    save(store, record("fox", body="brown"), record("hen", body="white"))
    with store.snapshot() as view:
        lists = view.retrieve([ask("white"), Recent(limit=1), ask("brown"), ask("green")])
        assert view.retrieve([]) == []
    answers = [(ranked.channel, [match.id for match in ranked.matches]) for ranked in lists]
    assert answers == [
        ("lexical", ["hen"]),
        ("recent", ["fox"]),
        ("lexical", ["fox"]),
        ("lexical", []),
    ]


def test_records_come_ordered_by_id(store: Store) -> None:
    save(store, *map(record, ["b", "ä", "a", "Z", "東"]))
    commit(store, forget=["a"])
    with store.snapshot() as view:
        assert [item.id for item in view.records()] == ["Z", "b", "ä", "東"]
        assert [item.id for item in view.records(forgotten=True)] == ["Z", "a", "b", "ä", "東"]


def test_fetch_leaves_out_what_is_unknown_or_forgotten(store: Store) -> None:
    save(store, record("fox"), record("hen"))
    commit(store, forget=["hen"], now=LATER)
    gone = record("hen", version=2, deleted_at=LATER)
    with store.snapshot() as view:
        assert view.fetch(["hen", "yeti", "fox"]) == {"fox": record("fox")}
        asked = view.fetch(["hen", "yeti", "fox"], forgotten=True)
        assert asked == {"hen": gone, "fox": record("fox")}


def test_facts_are_what_ranking_needs_without_a_look_at_the_text(store: Store) -> None:
    save(
        store,
        record(
            "fox",
            kind="note",
            title="Running foxes",
            body="the fox runs, the hen runs",
            tags=("wild",),
            domain="animals",
            severity="warning",
            importance=4,
            mentions=2,
            doc_type="plan",
            memory_type="episodic",
            author="Reynard",
            scope="farm/yard",
            updated_at=LATER,
            valid_from=NOW,
            valid_until=LATER,
            half_life=7.0,
        ),
    )
    expected = Facts(
        id="fox",
        kind="note",
        domain="animals",
        severity="warning",
        importance=4,
        mentions=2,
        doc_type="plan",
        memory_type="episodic",
        author="Reynard",
        scope="farm/yard",
        created_us=microseconds(NOW),
        updated_us=microseconds(LATER),
        valid_from_us=microseconds(NOW),
        valid_until_us=microseconds(LATER),
        half_life=7.0,
        tags=("wild",),
    )
    with store.snapshot() as view:
        assert view.facts(["fox", "nobody"]) == {"fox": expected}


def test_commits_of_many_threads_are_all_there(store: Store) -> None:
    with ThreadPoolExecutor(4) as pool:
        receipts = list(pool.map(lambda number: save(store, record(f"r{number}")), range(16)))
    with store.snapshot() as view:
        assert {item.id for item in view.records()} == {f"r{number}" for number in range(16)}
    assert sorted(receipt.revision for receipt in receipts) == list(range(1, 17))


def test_no_view_sees_half_a_commit(store: Store) -> None:
    done = threading.Event()
    save(store, record("left"), record("right"))

    def write() -> None:
        try:
            for count in range(1, 25):
                save(store, record("left", mentions=count), record("right", mentions=count))
        finally:
            done.set()

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(write)
        finished = False
        while not finished:
            finished = done.is_set()
            with store.snapshot() as view:
                left = view.fetch(["left"])["left"].mentions
                right = view.facts(["right"])["right"].mentions
            assert left == right
        writing.result()
    assert left == 24
