"""Learnt acronyms: what the records of a store say that an acronym stands for.

They are read when they are asked for, the few best ones that hold the acronym. Nothing is kept, so
there is nothing to keep up to date.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from pinyon.model.query import AnyOf, Lexical, Phrase
from pinyon.search.understand.definitions import definition, initials
from pinyon.search.understand.known_acronyms import small_words
from pinyon.store.questions import Vocabulary
from pinyon.text.prepare import prepare
from pinyon.text.stems import stems

if TYPE_CHECKING:
    from pinyon.model.record import Record
    from pinyon.store.contract import View

Run = tuple[str, ...]
"""Words of a question in a row, in lower case."""

MOST = 2
"""Acronyms that records are asked for, each way."""

RUNS = 40
"""Runs of words whose initials are looked up."""

READ = 5
"""Records that are read for an acronym."""

COMMON = 100
"""A word that stands in more records is not learnt: to find the right ones among them would take
longer than a search."""

FIELDS: Mapping[str, float] = {"title": 1.0, "body": 1.0}


def expansions_in(view: "View", acronyms: Sequence[str]) -> dict[str, str]:
    """What each acronym stands for, as most of the records that were read say it; those of which
    none says it are left out."""
    stem_of = {acronym: whole(acronym).stems[0] for acronym in acronyms}
    df = view.survey(Vocabulary(tuple(stem_of.values())))
    few = [acronym for acronym, stem in stem_of.items() if 0 < df[stem] <= COMMON]
    said = _said(view, few[:MOST])
    return {
        acronym: min(meanings, key=lambda meant: (-meanings[meant], meant))
        for acronym, meanings in said.items()
    }


def acronyms_in(view: "View", runs: Iterable[Run]) -> dict[Run, str]:
    """The acronym of each run of words that a record says there is one for."""
    stem_of = _initials_of(runs)
    df = view.survey(Vocabulary(tuple(dict.fromkeys(stem_of.values()))))
    known = [pair for pair, stem in stem_of.items() if 0 < df[stem] <= COMMON]
    # The longest first: two letters are a word of many stores, by chance.
    likely = sorted(known, key=lambda pair: (-len(pair[0]), pair))[:MOST]
    said = _said(view, [acronym for _, acronym in likely])
    return {
        run: acronym
        for run, acronym in likely
        for meant in said.get(acronym, ())
        if side_by_side(meant).stems == side_by_side(" ".join(run)).stems
    }


def _said(view: "View", acronyms: Sequence[str]) -> dict[str, Counter[str]]:
    """What records say of each acronym, and how many of those that were read say it. They are
    asked for by the acronym alone: to look for what it may stand for as well costs FTS5 a walk
    through all records that hold those words."""
    if not acronyms:
        return {}
    requests = [Lexical(AnyOf((whole(acronym),)), FIELDS, limit=READ) for acronym in acronyms]
    lists = view.retrieve(requests)
    records = view.fetch(sorted({match.id for found in lists for match in found.matches}))
    said = {
        acronym: Counter(
            meant for match in found.matches for meant in _definitions(records[match.id], acronym)
        )
        for acronym, found in zip(acronyms, lists, strict=True)
    }
    return {acronym: meanings for acronym, meanings in said.items() if meanings}


def side_by_side(text: str) -> Phrase:
    """All words of a text, in lower case."""
    prepared = prepare(text.lower())
    return Phrase(prepared, tuple(stems(prepared)))


def whole(word: str) -> Phrase:
    """A word without its parts, which the index has beside it: k8s, not k, 8 and s."""
    return Phrase(word.lower(), tuple(stems(prepare(word.lower()))[-1:]))


def _definitions(record: "Record", acronym: str) -> Iterable[str]:
    texts = (record.title, record.body)
    return filter(None, (definition(text, acronym, small_words()) for text in texts))


def _initials_of(runs: Iterable[Run]) -> dict[tuple[Run, str], str]:
    """By a run and its initials, with those of small words and without, in capitals: the stem that
    they make. Letters only."""
    small = small_words()
    made = {
        (run, letters): None
        for run, _ in zip(runs, range(RUNS), strict=False)
        for letters in (initials(run), initials([word for word in run if word not in small]))
        if len(letters) > 1 and letters.isalpha()
    }
    # All at once: one call for each would take longer than everything else here.
    found = stems(" ".join(letters for _, letters in made))
    pairs = zip(made, found, strict=True) if len(found) == len(made) else ()
    return {(run, letters.upper()): stem for (run, letters), stem in pairs}
