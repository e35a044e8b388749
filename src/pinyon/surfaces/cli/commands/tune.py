"""tune: fit the weights of a profile to judged questions, show the proof, write a profile."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import click

from pinyon import __version__, settings
from pinyon.model.errors import InvalidInput
from pinyon.model.profile import Profile
from pinyon.profiles import load
from pinyon.profiles.written import written
from pinyon.surfaces.cli.measuring import (
    collection_options,
    filled,
    given_collection,
    judged_questions,
)
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import clean, emit, emit_json, note
from pinyon.surfaces.cli.tuning import Asked, Gain, Tuned, check, tune

DIGITS = 6
LEAST_SHOWN = 0.001
SUFFIX = ".toml"

ALONE = ("--queries", "--qrels")
"""They stand in for what lies in one folder."""

FEEDBACK = "feedback"
"""What the questions of one's own store are called."""


@click.command(
    epilog=examples(
        "pinyon tune my-questions",
        "pinyon tune notes code --profile vault --out vault-mine.toml",
        "pinyon tune --from-feedback",
    )
)
@click.argument("folders", metavar="[DIR]...", nargs=-1)
@click.option(
    "--profile", "name", default="default", metavar="NAME", show_default=True, help="What to tune."
)
@collection_options
@click.option(
    "--from-feedback", is_flag=True, help="Tune by the feedback in your store, instead of a DIR."
)
@click.option(
    "--out",
    metavar="FILE",
    help="The profile to write, instead of profiles/NAME-tuned.toml beside your store.",
)
@click.option("--force", is_flag=True, help="Write over a profile that exists.")
@store_option
@json_option
def command(
    folders: tuple[str, ...],
    name: str,
    limit: int | None,
    from_feedback: bool,
    out: str | None,
    force: bool,
    store: str | None,
    as_json: bool,
    **parts: Any,
) -> None:
    """Fit the weights of a profile to judged questions.

    DIR is a collection as pinyon eval reads it. Its questions are asked, and the weights are fitted
    to what was judged relevant. A fifth of the questions is held back, five times another fifth,
    and asked with the weights that were fitted to the others: that is the gain that is shown. Where
    it is sure, a profile is written that inherits NAME; where it is not, nothing is. Nothing in
    your store is changed.
    """
    _check_usage(folders, from_feedback, parts)
    inherited = load.load(name, _profiles(store))
    place = _free(_given(out) if out else _usual(name, store), force)
    with ExitStack() as opened:
        asked = (
            _from_feedback(opened, inherited, limit, store)
            if from_feedback
            else _from_folders(opened, folders, inherited, limit, store, parts)
        )
        tuned = tune(asked, name)
    if tuned.better:
        _write(place, _text(inherited, tuned))
    if as_json:
        emit_json(_to_json(name, tuned, place))
    else:
        emit("\n".join(map(clean, [*_lines(name, tuned), _outcome(tuned, place, store)])))


def _check_usage(folders: Sequence[str], from_feedback: bool, parts: Mapping[str, Any]) -> None:
    if from_feedback == bool(folders):
        raise click.UsageError("give either a DIR or --from-feedback")
    given = [f"--{name.replace('_', '-')}" for name, value in parts.items() if value]
    if from_feedback and given:
        raise click.UsageError(f"{given[0]} goes with a DIR")
    if len(folders) > 1 and (alone := [each for each in given if each in ALONE]):
        raise click.UsageError(f"{alone[0]} goes with one DIR only")


def _profiles(store: str | None) -> load.Folders:
    return partial(settings.profile_folders, settings.store_path(store))


def _usual(name: str, store: str | None) -> Path:
    """Beside the store, where a search looks first."""
    beside = next(iter(_profiles(store)()))
    return beside / f"{name}-tuned{SUFFIX}"


def _given(out: str) -> Path:
    place = Path(out).expanduser()
    if not place.absolute().parent.is_dir():
        raise InvalidInput(f"{out}: there is no such folder", remedy="make it first")
    return place


def _free(place: Path, force: bool) -> Path:
    """Looked at before the long work, not after it."""
    if place.suffix != SUFFIX or not load.is_name(place.stem):
        raise InvalidInput(
            f"{place}: not the file of a profile",
            remedy=f"name it NAME{SUFFIX}, with letters, digits, - and _ in the name",
        )
    if place.exists() and not force:
        raise InvalidInput(
            f"{place}: exists already", remedy="write over it with --force, or name another: --out"
        )
    return place


def _from_folders(
    opened: ExitStack,
    folders: Sequence[str],
    profile: Profile,
    limit: int | None,
    store: str | None,
    parts: Mapping[str, Any],
) -> list[Asked]:
    collections = [given_collection(folder, **parts) for folder in folders]
    check(profile, sum(len(each.questions[:limit]) for each in collections))
    return [
        Asked(
            each.name,
            each.questions[:limit],
            opened.enter_context(filled(each, [profile.name], store, None)),
        )
        for each in collections
    ]


def _from_feedback(
    opened: ExitStack, profile: Profile, limit: int | None, store: str | None
) -> list[Asked]:
    engine = opened.enter_context(reading(store))
    given = judged_questions(engine)
    for remark in given.remarks:
        note(remark)
    questions = given.questions[:limit]
    check(profile, len(questions))
    return [Asked(FEEDBACK, questions, engine)]


def _text(inherited: Profile, tuned: Tuned) -> str:
    names = ", ".join(clean(share.collection) for share in tuned.shares)
    gain = tuned.held_back
    return written(
        inherited,
        tuned.profile._replace(about=f"{inherited.name}, its weights fitted to {names}."),
        remarks=(
            f"Written by pinyon tune {__version__} on {datetime.now(UTC):%Y-%m-%d}: the weights of"
            f" {inherited.name}, fitted",
            f"to {gain.questions:,} judged questions ({names}).",
            f"On questions that were held back, nDCG@10 {_figures(gain)}.",
        ),
    )


def _write(place: Path, text: str) -> None:
    """Whole or not at all."""
    place.parent.mkdir(parents=True, exist_ok=True)
    near = place.with_name(f".{place.name}.new")
    try:
        near.write_text(text, encoding="utf-8")
        near.replace(place)
    finally:
        near.unlink(missing_ok=True)


def _to_json(name: str, tuned: Tuned, place: Path) -> dict[str, Any]:
    return {
        "profile": name,
        "collections": [share.collection for share in tuned.shares],
        "questions": tuned.held_back.questions,
        "weights": {
            "path": tuned.before.path,
            "before": dict(tuned.before.weights),
            "after": dict(tuned.after.weights),
        },
        "held_back": _rounded(tuned.held_back),
        "each": [
            {
                "collection": share.collection,
                "held_back": _rounded(share.held_back),
                "by_others": _rounded(share.by_others) if share.by_others else None,
            }
            for share in tuned.shares
        ],
        "written": str(place) if tuned.better else None,
    }


def _rounded(gain: Gain) -> dict[str, float]:
    return {name: round(value, DIGITS) for name, value in asdict(gain).items()}


def _lines(name: str, tuned: Tuned) -> Iterator[str]:
    several = len(tuned.shares) > 1
    yield f"nDCG@10 of {name} on {tuned.held_back.questions:,} questions, when they are held back:"
    rows = [("all", tuned.held_back)] if several else []
    for share in tuned.shares:
        rows.append((share.collection, share.held_back))
        if share.by_others:
            rows.append((f"{share.collection}, fitted to the others", share.by_others))
    widest = max(len(title) for title, _ in rows)
    yield from (f"  {title:<{widest}}  {_figures(gain)}" for title, gain in rows)
    before, after = tuned.before.weights, tuned.after.weights
    widest = max(len(tuned.before.path), *map(len, before))
    yield f"{tuned.before.path:<{widest}}  before   after"
    yield from (f"{each:<{widest}}  {before[each]:6.3f}  {after[each]:6.3f}" for each in before)


def _figures(gain: Gain) -> str:
    chance = f"p {gain.p:.3f}" if gain.p >= LEAST_SHOWN else f"p < {LEAST_SHOWN}"
    return (
        f"{gain.before:.3f} to {gain.after:.3f},"
        f" {gain.gain:+.3f} ({gain.low:+.3f} to {gain.high:+.3f}), {chance}"
    )


def _outcome(tuned: Tuned, place: Path, store: str | None) -> str:
    if not tuned.better:
        why = "no better" if tuned.held_back.gain <= 0 else "not surely better"
        return f"{why}: nothing is written"
    found = place.absolute().parent in [each.absolute() for each in _profiles(store)()]
    use = f"pinyon search --profile {place.stem}" if found else "put it into a folder of profiles"
    return f"written to {place} (to use it: {use})"
