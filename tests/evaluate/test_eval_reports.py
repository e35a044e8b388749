"""What `pinyon eval` says beyond the means: differences, slices, single questions, a plot."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import pinyon
from pinyon.evaluate.feedback import LEAST, ONLY_SHOWN
from pinyon.profiles.digest import digest
from pinyon.profiles.load import load
from tests.evaluate.shelf import Row, shelve
from tests.surfaces.cli.shell import Shell

TITLES = 'about = "Titles."\ninherits = "keyword"\n[retrieve.lexical]\nfields = { title = 1 }\n'
"""A profile that finds nothing in bodies."""


def words(at: int) -> str:
    return f"cedar{'abcdefghijkl'[at]}"


def forest(folder: Path, *, titled: bool) -> Path:
    """Twelve documents with a word of their own, in the title or only in the body."""
    documents: list[Row] = [
        {"_id": f"d{at}", "title": words(at) if titled else "", "text": words(at)}
        for at in range(12)
    ]
    queries: list[Row] = [
        {
            "_id": f"q{at}",
            "text": words(at) if at < 8 else f"what is the use of a {words(at)}",
            "metadata": {"category": "plain" if at % 2 else "odd"},
        }
        for at in range(12)
    ]
    return shelve(folder, documents, queries, [f"q{at}\td{at}\t1" for at in range(12)])


@pytest.fixture
def both(shell: Shell) -> tuple[str, ...]:
    """Options that compare `titles` with `keyword`."""
    profiles = shell.store.parent / "profiles"
    profiles.mkdir(parents=True)
    (profiles / "titles.toml").write_text(TITLES, encoding="utf-8")
    return ("--profile", "keyword", "--profile", "titles")


@pytest.mark.proves("X8", part="measuring")
def test_a_real_difference_is_told_from_none(
    shell: Shell, tmp_path: Path, both: tuple[str, ...]
) -> None:
    folders = [
        str(forest(tmp_path / name, titled=titled))
        for name, titled in (("bodies", False), ("titles", True))
    ]
    said = shell("eval", *folders, *both).stdout.split("\n\n")[1].splitlines()
    assert said == [
        "bodies: titles is worse than keyword: -1.000 nDCG@10 (p < .001), -1.000 recall@10"
        " (p < .001)",
        "titles: no real difference between titles and keyword: +.000 nDCG@10 (p 1), +.000"
        " recall@10 (p 1)",
        "titles against keyword over 2 collections: -.500 nDCG@10 in the mean; better on 0, worse"
        " on 1, no real difference on 1",
    ]
    alone = shell("eval", folders[0], "--profile", "titles", "--profile", "keyword").stdout
    assert "\nkeyword is better than titles: +1.000 nDCG@10 (p < .001)" in alone


def test_the_means_over_collections_count_each_as_one(
    shell: Shell, tmp_path: Path, both: tuple[str, ...]
) -> None:
    folders = [str(forest(tmp_path / name, titled=name == "two")) for name in ("one", "two")]
    rows = [line.split() for line in shell("eval", *folders, *both).stdout.splitlines()]
    means = [row for row in rows if row[:2] == ["mean", "of"]]
    assert means == [
        ["mean", "of", "2", "keyword", "1.000", "1.000", "1.000", "1.000", "24"],
        ["mean", "of", "2", "titles", "0.500", "0.500", "0.500", "0.500", "24"],
    ]


@pytest.mark.proves("X8", part="measuring")
def test_json_has_comparisons_slices_hashes_and_the_version(
    shell: Shell, tmp_path: Path, both: tuple[str, ...]
) -> None:
    document = shell.json("eval", str(forest(tmp_path / "bodies", titled=False)), *both)
    worse = {"difference": -1.0, "p": 2 / 2**12}
    assert document["comparisons"] == [
        {"profile": "titles", "with": "keyword", "ndcg@10": worse, "recall@10": worse}
    ]
    assert (document["version"], document["model"]) == (pinyon.__version__, "")
    numbers = document["profiles"]["keyword"]
    assert numbers["hash"] == digest(load("keyword"))
    assert counted(numbers["slices"]) == {
        "category": {"odd": 6, "plain": 6},
        "length": {"1-3 words": 8, "4-8 words": 4},
        "route": {"keyword": 8, "semantic": 4},
    }
    assert numbers["slices"]["category"]["odd"]["ndcg@10"] == 1
    assert "each" not in numbers


def counted(slices: dict[str, Any]) -> dict[str, dict[str, int]]:
    return {by: {name: one["queries"] for name, one in of.items()} for by, of in slices.items()}


def test_the_figures_of_every_question_are_there_on_request(
    shell: Shell, tmp_path: Path, both: tuple[str, ...]
) -> None:
    folder = str(forest(tmp_path / "bodies", titled=False))
    each = shell.json("eval", folder, *both, "--each", "--limit", "3")["profiles"]["titles"]["each"]
    assert {question: values["ndcg@10"] for question, values in each.items()} == {
        "q0": 0,
        "q1": 0,
        "q2": 0,
    }
    assert "--each goes with --json" in shell("eval", folder, "--each", status=2).stderr


def test_slices_stand_below_their_row(shell: Shell, tmp_path: Path) -> None:
    folder = str(forest(tmp_path / "bodies", titled=False))
    plain = shell("eval", folder).stdout.splitlines()
    sliced = shell("eval", folder, "--slices").stdout.splitlines()
    assert (len(plain), len(sliced)) == (2, 2 + 6)
    assert [line.split()[:3] for line in sliced[2:4]] == [
        ["category:", "odd", "default"],
        ["category:", "plain", "default"],
    ]
    at = sliced[0].index("queries") + len("queries")
    assert [line[:at].split()[-1] for line in sliced[1:]] == ["12", "6", "6", "8", "4", "8", "4"]


@pytest.mark.proves("X8", part="measuring")
def test_a_plot_has_a_point_for_each_collection_and_profile(
    shell: Shell, tmp_path: Path, both: tuple[str, ...]
) -> None:
    folders = [str(forest(tmp_path / name, titled=False)) for name in ("one", "two")]
    path = tmp_path / "both.svg"
    shell("eval", *folders, *both, "--plot", str(path))
    titles = [
        each.text for each in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}title")
    ]
    assert [str(title).partition(" [")[0] for title in titles[1:]] == [
        "keyword: 1.000",
        "titles: 0.000",
    ] * 2


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        ("plot.png", "plot.png: only SVG can be drawn (name a file that ends in .svg)"),
        ("no/folder/plot.svg", "no/folder/plot.svg: there is no such folder"),
    ],
)
def test_what_cannot_be_drawn_is_said_before_the_work(
    shell: Shell, file: str, problem: str
) -> None:
    assert problem in shell.problem("eval", "nowhere", "--plot", file)


@pytest.fixture
def judged(shell: Shell) -> Shell:
    """A store whose user accepted the right hit of enough questions, and dismissed a wrong one."""
    for at in range(LEAST):
        shell("save", "--id", f"r{at}", "--body", f"{words(at)} tree")
        shell("feedback", f"r{at}", "accepted", "--query", words(at))
    shell("feedback", "r1", "dismissed", "--query", words(0))
    return shell


@pytest.mark.proves("X8", part="measuring")
def test_feedback_measures_the_user_s_own_store(judged: Shell, both: tuple[str, ...]) -> None:
    result = judged("eval", "--from-feedback", *both)
    rows = [line.split() for line in result.stdout.splitlines()]
    assert [row[:3] for row in rows[1:3]] == [
        ["notes", "keyword", "1.000"],
        ["notes", "titles", "0.000"],
    ]
    assert "titles is worse than keyword: -1.000 nDCG@10 (p .002)" in result.stdout
    assert f"pinyon: notes: {ONLY_SHOWN}\n" in result.stderr
    judged("feedback", "r3", "modified", "--query", "tree", "--profile", "vault")
    document = judged.json("eval", "--from-feedback")
    assert document["profiles"]["default"]["queries"] == LEAST + 1  # whichever profile showed it
    assert document["remarks"] == [ONLY_SHOWN]


def test_measuring_by_feedback_leaves_no_traces(judged: Shell) -> None:
    def traces() -> tuple[Any, Any, str]:
        with pinyon.open(judged.store) as engine:
            return engine.questions(), engine.use("r0", "r1"), "\n".join(engine.export())

    before = traces()
    judged("eval", "--from-feedback")
    assert traces() == before


def test_a_profile_that_learnt_from_the_feedback_is_named(judged: Shell) -> None:
    for at in range(30):
        judged("feedback", f"r{at % LEAST}", "accepted", "--profile", "vault", "--query", f"x{at}")
    judged("profile", "learn", "vault")
    told = judged("eval", "--from-feedback", "--profile", "default", "--profile", "vault").stderr
    assert "vault learnt from this feedback, and looks too good" in told
    assert "default learnt" not in told


def test_too_little_feedback_is_said_with_the_remedy(shell: Shell) -> None:
    shell("save", "--id", "r", "--body", "cedar")
    shell("feedback", "r", "accepted", "--query", "cedar")
    problem = shell.problem("eval", "--from-feedback")
    assert f"right for 1 questions; {LEAST} are needed (give some: pinyon feedback" in problem


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ([], "give either a DIR or --from-feedback"),
        (["trees", "--from-feedback"], "give either a DIR or --from-feedback"),
        (["--from-feedback", "--scope-by", "conv"], "--scope-by goes with a DIR"),
        (["--from-feedback", "--whole-files"], "--whole-files goes with a DIR"),
        (["--from-feedback", "--keep", "a.pinyon"], "--keep goes with a DIR"),
    ],
)
def test_what_does_not_go_together_is_wrong_usage(
    shell: Shell, options: list[str], problem: str
) -> None:
    assert problem in shell("eval", *options, status=2).stderr
