"""Tuning: judged questions asked with a profile, its weights fitted to them, and the proof of it.

Every figure is that of real answers: the weights that were fitted without a question are asked it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from pinyon.engine import Engine
from pinyon.evaluate.collection import Question
from pinyon.evaluate.metrics import mean
from pinyon.evaluate.paired import SURE, difference
from pinyon.evaluate.run import Outcome, evaluate
from pinyon.learn.tune import FOLDS, LEAST_QUESTIONS, Case, Found, folds, told_apart, tuned
from pinyon.learn.weighed import Weighed, changes, parts, weighed
from pinyon.model.errors import InvalidInput
from pinyon.model.hit import Answer
from pinyon.model.profile import Profile
from pinyon.surfaces.cli.measuring import ask
from pinyon.surfaces.cli.output import note
from pinyon.surfaces.cli.progress import bar

MEASURE = "ndcg@10"


@dataclass(frozen=True, slots=True)
class Asked:
    """The judged questions of one collection, and the engine that holds its documents."""

    name: str
    questions: Sequence[Question]
    engine: Engine


@dataclass(frozen=True, slots=True)
class Gain:
    """Means of nDCG@10 over so many questions, what the second has more, the interval that holds
    the true gain with a confidence of 95 %, and how likely such a difference is by chance."""

    questions: int
    before: float
    after: float
    gain: float
    low: float
    high: float
    p: float


@dataclass(frozen=True, slots=True)
class Share:
    """What one collection gained: on its questions that were held back, and by weights that were
    fitted to the other collections alone, None where there are no others."""

    collection: str
    held_back: Gain
    by_others: Gain | None


@dataclass(frozen=True, slots=True)
class Tuned:
    """The table of weights `before` and `after`, what all questions gained when they were held
    back, and each collection of its own. `profile` is the one with the weights after."""

    before: Weighed
    after: Weighed
    held_back: Gain
    shares: Sequence[Share]
    profile: Profile

    @property
    def better(self) -> bool:
        """Surely so."""
        gain = self.held_back
        return gain.gain > 0 and gain.p < SURE and self.after != self.before


@dataclass(frozen=True, slots=True)
class _Run:
    """What came of the questions of one collection: a case, and the nDCG, for each of them."""

    asked: Asked
    cases: Sequence[Case]
    vectors: bool
    ndcg: Sequence[float]


def check(profile: Profile, questions: int) -> None:
    """What can be known before the long work. Raises InvalidInput where there are too few
    questions, or where only one thing decides."""
    if questions < LEAST_QUESTIONS:
        raise InvalidInput(
            f"{questions:,} judged questions are too few to tune by",
            remedy=f"judge at least {LEAST_QUESTIONS}, better some hundred",
        )
    table = weighed(profile, vectors=True)
    _fittable(profile, list(table.weights), table)


def tune(asked: Sequence[Asked], name: str) -> Tuned:
    """Raises InvalidInput where the answers leave nothing to fit."""
    profile = asked[0].engine.profile(name)
    runs = [_first(each, profile) for each in asked]
    cases = [case for run in runs for case in run.cases]
    table = weighed(profile, vectors=any(run.vectors for run in runs))
    _fittable(profile, told_apart(cases, list(table.weights)), table)

    def fit(some: Sequence[Case]) -> Weighed:
        return table._replace(weights=tuned(some, table.weights, profile.learn.towards))

    without, after = _fits(cases, fit)
    held = [_again(run, profile, without, "held back") for run in runs]
    others = [_by_others(run, runs, profile, fit) if len(runs) > 1 else None for run in runs]
    return Tuned(
        before=table,
        after=after,
        held_back=_gain([one for run in runs for one in run.ndcg], [*chain(*held)]),
        shares=[
            Share(run.asked.name, _gain(run.ndcg, again), by_others)
            for run, again, by_others in zip(runs, held, others, strict=True)
        ],
        profile=asked[0].engine.profile(name, changes(profile, after)),
    )


def _fittable(profile: Profile, names: Sequence[str], table: Weighed) -> None:
    if len(names) > 1 and any(table.weights[name] > 0 for name in names):
        return
    told = f"only {names[0]} tells" if names else "nothing tells"
    raise InvalidInput(
        f"{profile.name}: {told} one hit from another, so there is nothing to fit",
        remedy=f"tune a profile that weighs several things in {table.path}, where they are known",
    )


def _first(asked: Asked, profile: Profile) -> _Run:
    """Every question as the profile answers it now."""
    answers: dict[str, Answer] = {}

    def put(question: Question) -> Answer:
        answers[question.id] = ask(asked.engine, question, profile.name)
        return answers[question.id]

    outcome = _evaluated(asked, put, profile.name)
    for remark, count in outcome.remarks.items():
        note(f"{asked.name}: {remark} ({count:,} of {outcome.queries:,} queries)")
    return _Run(
        asked=asked,
        cases=[_case(each, answers[each.id], profile) for each in asked.questions],
        vectors=any("vector" in answer.meta["channels"] for answer in answers.values()),
        ndcg=_ndcg(asked, outcome),
    )


def _case(question: Question, answer: Answer, profile: Profile) -> Case:
    numbers = {hit.id: parts(hit, profile) for hit in answer}
    return Case(
        # Asked twice, of two scopes say, it is one question: it must not stand on both sides.
        key=" ".join(question.text.casefold().split()),
        hits=[
            Found(id, found, question.labels.get(id, 0))
            for id, found in numbers.items()
            if found is not None
        ],
        labels=tuple(question.labels.values()),
    )


def _fits(
    cases: Sequence[Case], fit: Callable[[Sequence[Case]], Weighed]
) -> tuple[dict[str, Weighed], Weighed]:
    """By question, the weights that were fitted without it; and those that were fitted to all."""
    without: dict[str, Weighed] = {}
    with bar("fitting") as advance:
        for done, held in enumerate(folds([case.key for case in cases]), 1):
            weights = fit([case for case in cases if case.key not in held])
            without |= dict.fromkeys(held, weights)
            advance(done, FOLDS + 1, "")
        return without, fit(cases)


def _again(run: _Run, profile: Profile, weights: Mapping[str, Weighed], label: str) -> list[float]:
    """Every question asked once more, with the weights that its key has."""
    keys = {one.id: case.key for one, case in zip(run.asked.questions, run.cases, strict=True)}

    def put(question: Question) -> Answer:
        override = changes(profile, weights[keys[question.id]])
        return ask(run.asked.engine, question, profile.name, override)

    return _ndcg(run.asked, _evaluated(run.asked, put, label))


def _by_others(
    run: _Run, runs: Sequence[_Run], profile: Profile, fit: Callable[[Sequence[Case]], Weighed]
) -> Gain:
    rest = fit([case for other in runs if other is not run for case in other.cases])
    alone = dict.fromkeys((case.key for case in run.cases), rest)
    return _gain(run.ndcg, _again(run, profile, alone, "by the others"))


def _evaluated(asked: Asked, put: Callable[[Question], Answer], label: str) -> Outcome:
    with bar(f"{asked.name}: {label}") as advance:
        return evaluate(asked.questions, put, progress=lambda done, total: advance(done, total, ""))


def _ndcg(asked: Asked, outcome: Outcome) -> list[float]:
    return [outcome.each[question.id][MEASURE] for question in asked.questions]


def _gain(before: Sequence[float], after: Sequence[float]) -> Gain:
    """From the values of the same questions, in the same order."""
    gains = [new - old for old, new in zip(before, after, strict=True)]
    likely = mean(gains)
    first, second = (sum(values) / len(values) for values in (before, after))
    p = difference(gains).p
    return Gain(len(gains), first, second, likely.value, likely.low, likely.high, p)
