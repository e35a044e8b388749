"""Words that no record holds are read as words of the index that are spelt nearly alike."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pinyon.engine import Engine
from pinyon.model.profile import UnderstandSection
from pinyon.model.query import AnyOf, Change, Phrase, Query
from pinyon.search.understand.near import near
from pinyon.search.understand.operators import parse
from pinyon.search.understand.spelling import AS_TYPED, respelt
from pinyon.store.contract import Store
from pinyon.store.memory import MemoryStore
from pinyon.store.sqlite import SqliteStore
from pinyon.text.prepare import prepare
from pinyon.text.stems import words
from pinyon.text.stop_lists import stop_list
from tests.engine.opened import PLACES, opened
from tests.store.world import record, save

BODIES = (
    "How the gateway validates tokens before a request is served.",
    "The validation of tokens: signature, expiry, audience. Tokens are short.",
    "Caroline planted a garden behind the library; the library has a garden wall.",
    "The kidney clinic measures levels every week. Kidney levels are stable.",
    "A casino by the creek, with a restaurant and a government office.",
    "Stopping the machine: press the red button. It happened twice, happily.",
    "Alcohol and drugs, rehabilitation, a group for each of them. Groups meet weekly.",
    "The soup is hot. A step is missing. Post the letter. It was lost in the forest.",
)


@pytest.fixture(params=("memory", "sqlite"))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Some notes."""
    made: Store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "a.pinyon")
    save(made, *(record(f"{n}", body=body) for n, body in enumerate(BODIES)))
    yield made
    made.close()


def asked(text: str) -> Query:
    """A question as it is before its spelling is looked at."""
    stop = stop_list(UnderstandSection().stop)
    found = {stem: Phrase(word, (stem,)) for word, stem in words(prepare(text)) if word not in stop}
    terms = tuple(found.values())[: UnderstandSection().terms]
    return Query(text, parse(text), AnyOf(terms) if terms else None, tuple(text.split()))


def read(store: Store, text: str) -> dict[str, str]:
    """What its words are read as."""
    with store.snapshot() as view:
        return {change.written: change.read for change in respelt(view, asked(text)).changes}


@pytest.mark.proves("S6")
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("validaton", "validation"),  # a slip in the ending spoils the stem
        ("valdiation", "validation"),  # two letters in the wrong order
        ("tokenz", "tokens"),
        ("kindey", "kidney"),
        ("goverment", "government"),  # one missing
        ("restaurannt", "restaurant"),  # one too many
        ("libary", "library"),  # its stem ends in i
        ("stoping", "stopping"),
        ("alchol", "alcohol"),
        ("gruop", "group"),  # short, but with all its letters
        ("rehabilitaiton", "rehabilitation"),
        ("ilbrary", "library"),  # the first two letters
        ("overnment", "government"),  # the first one is missing
        ("Validaton", "validation"),
        ("réstaurannt", "restaurant"),
    ],
)
def test_a_misspelt_word_is_read_as_the_word_that_records_hold(
    store: Store, typed: str, meant: str
) -> None:
    assert read(store, typed) == {typed: meant}


@pytest.mark.proves("S6")
@pytest.mark.parametrize("typed", ["redbutton", "reserved", "prestable", "gardn()", "misgroup"])
def test_a_word_that_is_made_of_known_ones_or_called_as_a_function_stays(
    store: Store, typed: str
) -> None:
    assert read(store, typed) == {}


@pytest.mark.proves("S6")
def test_two_slips_are_forgiven_where_the_word_suits_the_question(store: Store) -> None:
    assert read(store, "alcohol rehabilitaton weekley") == {
        "rehabilitaton": "rehabilitation",
        "weekley": "weekly",
    }
    assert read(store, "alcohol rehabbilitaton") == {"rehabbilitaton": "rehabilitation"}
    assert read(store, "soup rehabbilitaton") == {}


@pytest.mark.proves("S6")
@pytest.mark.parametrize(
    "text",
    [
        "validate tokens",  # known
        "validaton2 t0kens",  # digits
        "validatTokens validat_tokens validat.tokens src/validaton",  # names of code
        'tell "validaton" `kindey` “goverment”',  # quoted
        "KINDEY LIBARY",  # abbreviations
        "abe-1f2e-kindey",  # a code
        "stop pist sop",  # short: another letter makes another word
        "the note of Carola, of Larry and of Tobias",  # names
        "xylophone quantum",  # nothing is near
        "ทดสอบระบบ 検索 검색어",  # scripts without spaces
        "שלום לעולם مرحبا بالعالم",  # from right to left
        "🦊🦊🦊🦊 🐔",
        "the of and",
        "???",
    ],
)
def test_what_may_be_meant_as_it_is_written_stays(store: Store, text: str) -> None:
    query = asked(text)
    with store.snapshot() as view:
        assert respelt(view, query) == query


@pytest.mark.proves("S6")
def test_operators_mean_what_they_say(store: Store) -> None:
    assert read(store, "kindey levels") == {"kindey": "kidney"}
    assert read(store, "kindey AND levels") == {}


@pytest.mark.proves("S6")
def test_the_reading_takes_the_place_of_what_was_typed_which_stays_with_less_weight(
    store: Store,
) -> None:
    with store.snapshot() as view:
        query = respelt(view, asked("measure kindey levels"))
    assert query.plain == AnyOf(
        (
            Phrase("measure", ("measur",)),
            Phrase("kidney", ("kidnei",)),
            Phrase("levels", ("level",)),
            Phrase("kindey", ("kindei",), weight=AS_TYPED),
        )
    )
    assert query.changes == (Change("kindey", "kidney", "spelling"),)
    assert (query.text, query.pieces) == ("measure kindey levels", ("measure", "kindey", "levels"))


def test_a_word_that_is_also_spelt_right_is_asked_for_once(store: Store) -> None:
    with store.snapshot() as view:
        query = respelt(view, asked("kidney kindey"))
    assert query.plain == AnyOf(
        (Phrase("kidney", ("kidnei",)), Phrase("kindey", ("kindei",), weight=AS_TYPED))
    )


@pytest.mark.proves("S6")
def test_a_misspelt_stop_word_is_read_as_one_and_not_asked_for(store: Store) -> None:
    with store.snapshot() as view:
        query = respelt(view, asked("wich kidney"))
    assert query.changes == (Change("wich", "which", "spelling"),)
    assert query.plain == AnyOf(
        (Phrase("kidney", ("kidnei",)), Phrase("wich", ("wich",), weight=AS_TYPED))
    )


@pytest.mark.proves("S6")
def test_of_two_words_that_are_equally_near_the_one_that_suits_the_question_is_read() -> None:
    store = MemoryStore()
    save(store, record("1", body="a metal taste"), record("2", body="a mental state"))
    assert read(store, "mental state of metla") == {"metla": "metal"}
    assert read(store, "taste of meetal") == {"meetal": "metal"}
    save(store, record("3", body="a planet in space"), record("4", body="a planer for wood"))
    assert read(store, "planee space") == {"planee": "planet"}
    assert read(store, "planee wood") == {"planee": "planer"}
    assert read(store, "planee") == {}


@pytest.mark.proves("S6")
def test_of_two_words_that_are_equally_near_the_one_that_is_far_more_usual_is_read() -> None:
    store = MemoryStore()
    save(store, *(record(f"{n}", body="planet") for n in range(5)), record("x", body="planer"))
    assert read(store, "planee") == {"planee": "planet"}
    save(store, record("y", body="planer"))
    assert read(store, "planee") == {}


def test_a_word_that_the_endings_would_make_but_nobody_wrote_is_not_read() -> None:
    store = MemoryStore()
    save(store, record("1", body="consume less"), record("2", body="the consumer"))
    assert read(store, "consumetion") == {}
    save(store, record("3", body="consumation"))
    assert read(store, "consumetion") == {"consumetion": "consumation"}


def test_at_most_some_words_of_a_question_are_looked_at(store: Store) -> None:
    many = ["kindey", "libary", "goverment", "alchol", "restaurannt", "validaton", "tokenz"]
    many += ["rehabilitaiton", "stoping", "gateawy"]
    assert len(read(store, " ".join(many))) == 8
    assert len(read(store, " ".join(f"{word}" for word in many * 1_000))) == 8


def test_a_store_without_words_changes_nothing() -> None:
    assert read(MemoryStore(), "kindey levels") == {}


def test_near_words_are_found_however_the_stem_is_cut() -> None:
    known = dict.fromkeys(sorted(("valid", "librari", "stop", "addit", "us"), key=len), 1)
    found = {
        word: [(one.stem, one.form) for one in near(word, known, 1)]
        for word in ("validaton", "libary", "stoping", "addiiton", "uesd", "zzzz")
    }
    assert found == {
        "validaton": [("valid", "validation")],
        "libary": [("librari", "library")],
        "stoping": [("stop", "stopping")],
        "addiiton": [("addit", "addition")],
        "uesd": [("us", "used")],
        "zzzz": [],
    }


@pytest.mark.proves("S6")
@pytest.mark.parametrize("place", PLACES)
def test_a_search_finds_what_was_meant_says_so_and_can_be_told_not_to(
    place: str, tmp_path: Path
) -> None:
    with opened(place, tmp_path) as engine:
        _fill(engine)
        answer = engine.search("how do we validate jwt tokenz")
        assert answer[0].id == "jwt"
        assert "searched for tokens; search instead for tokenz" in answer.meta["changed"]
        plain = engine.search("tokenz", fix=False)
        assert len(plain) == 0
        assert plain.meta["changed"] == []


def _fill(engine: Engine) -> None:
    engine.save(record("jwt", title="JWT", body="The gateway validates JWT tokens."))
    engine.save(record("hens", title="Hens", body="Hens lay eggs; we count them."))
