"""The command: judged questions in, the proof of a gain out, a profile only where there is one."""

import tempfile
import tomllib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

import pinyon
from tests.evaluate.shelf import Row, shelve
from tests.surfaces.cli.shell import Shell

TOPICS = [f"zu{first}{second}" for first in "bdfgk" for second in "bdfgklmn"]

FRESH = """\
about = "What is new first."
inherits = "default"
[rank]
with_vectors = {}
[rank.weights]
lexical = 0.3
recency = 0.7
graph = 0.1
"""
"""Of the two documents of a topic it puts the newer one first."""

WORTH = 1 / 1.584962500721156  # 1 / log2(3): nDCG of a relevant document in the second place

Choice = Callable[[int], str]


def old(number: int) -> str:
    """What holds the word more often is always right."""
    return "old"


def either(number: int) -> str:
    """Now the old one is right and now the new one: no weights can know."""
    return ("old", "new")[number % 2]


@pytest.fixture
def fresh(shell: Shell) -> Path:
    """The profile of that name, beside the user's store."""
    profiles = shell.store.parent / "profiles"
    profiles.mkdir(parents=True)
    (profiles / "fresh.toml").write_text(FRESH, encoding="utf-8")
    return profiles


def collection(folder: Path, right: Choice, topics: Sequence[str] = TOPICS) -> str:
    """Two documents a topic: an old one that holds its word twice, and a new one that hardly does;
    a question for each topic."""
    documents: list[Row] = []
    for topic in topics:
        dates = {"old": "2023-01-01", "new": "2025-03-01"}
        texts = {"old": f"{topic} {topic}", "new": f"{topic} and many words about something else"}
        documents += (
            {"_id": f"{topic}-{age}", "text": texts[age], "metadata": {"date": date}}
            for age, date in dates.items()
        )
    queries: list[Row] = [{"_id": topic, "text": topic} for topic in topics]
    qrels = [f"{topic}\t{topic}-{right(number)}\t1" for number, topic in enumerate(topics)]
    return str(shelve(folder, documents, queries, qrels))


@pytest.mark.proves("X8", part="tuning")
def test_weights_that_were_wrong_are_tuned_proven_and_written(
    shell: Shell, fresh: Path, tmp_path: Path
) -> None:
    folder = collection(tmp_path / "trees", old)
    found = shell.json("tune", folder, "--profile", "fresh")
    written = fresh / "fresh-tuned.toml"
    gain = found["held_back"]
    assert (found["profile"], found["collections"], found["questions"]) == ("fresh", ["trees"], 40)
    assert gain["before"] == pytest.approx(WORTH, abs=1e-6)
    assert gain["after"] == 1
    assert gain["low"] <= gain["gain"] <= gain["high"]
    assert gain["gain"] == pytest.approx(1 - WORTH, abs=1e-6)
    assert gain["p"] < 0.001
    before, after = found["weights"]["before"], found["weights"]["after"]
    assert before == {"lexical": 0.3, "recency": 0.7, "graph": 0.1}
    assert after["lexical"] > before["lexical"]
    assert after["recency"] < before["recency"]
    assert after["graph"] == before["graph"]  # no question says anything of it
    assert found["written"] == str(written)

    # The same figure comes from measuring the profile that was written.
    measured = shell.json("eval", folder, "--profile", "fresh", "--profile", "fresh-tuned")
    figures = {name: each["ndcg@10"] for name, each in measured["profiles"].items()}
    assert figures == {"fresh": gain["before"], "fresh-tuned": 1}
    assert tomllib.loads(written.read_text("utf-8")) == {
        "about": "fresh, its weights fitted to trees.",
        "inherits": "fresh",
        "rank": {"weights": after},
    }


@pytest.mark.proves("X8", part="tuning")
def test_the_user_searches_with_what_was_tuned(shell: Shell, fresh: Path, tmp_path: Path) -> None:
    text = shell("tune", collection(tmp_path / "trees", old), "--profile", "fresh").stdout
    place = fresh / "fresh-tuned.toml"
    assert f"written to {place} (to use it: pinyon search --profile fresh-tuned)" in text
    assert "0.631 to 1.000, +0.369 (+0.369 to +0.369), p < 0.001" in text
    heading = place.read_text("utf-8").split("about =")[0]
    assert f"pinyon tune {pinyon.__version__} on 2" in heading
    assert "fitted\n# to 40 judged questions (trees)" in heading
    assert "0.631 to 1.000" in heading
    shell("save", "--id", "new", "--body", "cedar and many words about something else")
    shell("save", "--id", "best", "--body", "cedar cedar")
    hits = shell.json("search", "cedar", "--profile", "fresh-tuned")["hits"]
    assert [hit["id"] for hit in hits] == ["best", "new"]
    assert "fresh-tuned" in [each["name"] for each in shell.json("profile", "list")]


@pytest.mark.proves("X8", part="tuning")
def test_where_nothing_is_better_nothing_is_written(
    shell: Shell, fresh: Path, tmp_path: Path
) -> None:
    folder = collection(tmp_path / "trees", either)
    found = shell.json("tune", folder, "--profile", "fresh")
    assert found["held_back"]["p"] >= 0.05
    assert found["written"] is None
    assert "better: nothing is written" in shell("tune", folder, "--profile", "fresh").stdout
    assert [path.name for path in fresh.iterdir()] == ["fresh.toml"]


@pytest.mark.proves("X8", part="tuning")
def test_of_several_collections_each_is_also_left_out(
    shell: Shell, fresh: Path, tmp_path: Path
) -> None:
    alike = collection(tmp_path / "alike", old, TOPICS[:20])
    contrary = collection(tmp_path / "contrary", lambda number: "new", TOPICS[20:])
    found = shell.json("tune", alike, contrary, "--profile", "fresh")
    assert found["collections"] == ["alike", "contrary"]
    first, second = found["each"]
    assert first["collection"] == "alike"
    # The other collection says that all is well as it is; this one, that all should change.
    assert first["by_others"]["gain"] == 0
    assert second["by_others"]["after"] == pytest.approx(WORTH, abs=1e-6)
    assert second["by_others"]["before"] == 1
    both = first["held_back"]["before"] + second["held_back"]["before"]
    assert found["held_back"]["before"] == pytest.approx(both / 2, abs=1e-6)
    text = shell("tune", alike, contrary, "--profile", "fresh").stdout
    assert "contrary, fitted to the others  1.000 to 0.631" in text


@pytest.mark.proves("X8", part="tuning")
def test_feedback_in_the_store_is_tuned_by_too(shell: Shell, fresh: Path) -> None:
    judge(shell, TOPICS[:25])
    shell("config", "set", "profiles.fresh.fuse.k", "30")
    before = shell("export").stdout
    found = shell.json("tune", "--from-feedback", "--profile", "fresh")
    assert (found["collections"], found["questions"]) == (["feedback"], 25)
    assert found["held_back"]["after"] == 1
    assert found["held_back"]["p"] < 0.001
    # Nothing was left in the store; what is configured there is in the new profile too.
    assert shell("export").stdout == before
    table = tomllib.loads((fresh / "fresh-tuned.toml").read_text("utf-8"))
    assert table["fuse"] == {"k": 30}
    assert table["rank"] == {"weights": found["weights"]["after"]}


def test_too_little_feedback_is_said(shell: Shell, fresh: Path) -> None:
    judge(shell, TOPICS[:19])
    result = shell("tune", "--from-feedback", status=1)
    assert "19 judged questions are too few to tune by (judge at least 20" in result.stderr


def judge(shell: Shell, topics: Sequence[str]) -> None:
    """A store in which the older of two notes was the right one for each topic."""
    long_ago = datetime(2023, 1, 1, tzinfo=UTC)
    with pinyon.open(shell.store, background=False) as engine:
        for topic in topics:
            engine.save(pinyon.Record(id=f"{topic}-new", kind="note", body=f"{topic} and so on"))
            engine.save(
                pinyon.Record(
                    id=f"{topic}-old",
                    kind="note",
                    body=f"{topic} {topic}",
                    created_at=long_ago,
                    updated_at=long_ago,
                )
            )
            engine.feedback(f"{topic}-old", "accepted", query=topic, profile="fresh")


def test_a_profile_that_exists_is_written_over_only_by_force(
    shell: Shell, fresh: Path, tmp_path: Path
) -> None:
    words = ("tune", collection(tmp_path / "trees", old), "--profile", "fresh")
    (fresh / "fresh-tuned.toml").write_text("about = 'dear to me'\n", encoding="utf-8")
    assert "fresh-tuned.toml: exists already (write over it with --force" in shell.problem(*words)
    assert (fresh / "fresh-tuned.toml").read_text("utf-8") == "about = 'dear to me'\n"
    shell(*words, "--out", str(tmp_path / "other.toml"))
    assert 'inherits = "fresh"' in (tmp_path / "other.toml").read_text("utf-8")
    shell(*words, "--force")
    assert 'inherits = "fresh"' in (fresh / "fresh-tuned.toml").read_text("utf-8")


def test_ctrl_c_leaves_nothing_half_written(
    shell: Shell, fresh: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(self: Path, target: Path) -> None:
        raise KeyboardInterrupt

    folder = collection(tmp_path / "trees", old)
    (place := tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    monkeypatch.setattr(Path, "replace", interrupted)
    shell("tune", folder, "--profile", "fresh", status=130)
    assert [path.name for path in fresh.iterdir()] == ["fresh.toml"]
    assert list(place.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--profile", "nobody"], "no profile 'nobody' (known: "),
        (["--limit", "19"], "19 judged questions are too few to tune by (judge at least 20"),
        (["--profile", "keyword"], "keyword: only lexical tells one hit from another"),
        (["--profile", "default"], "default: only lexical tells one hit from another"),
        (["--profile", "spec"], "several things in fuse.weights, where they are known"),
        (["--out", "a.txt"], "a.txt: not the file of a profile (name it NAME.toml"),
        (["--out", "a.b.toml"], "a.b.toml: not the file of a profile"),
        (["--out", "no/folder/a.toml"], "no/folder/a.toml: there is no such folder"),
    ],
)
def test_what_cannot_be_tuned_is_said_in_one_line(
    shell: Shell, tmp_path: Path, words: list[str], problem: str
) -> None:
    assert problem in shell.problem("tune", collection(tmp_path / "trees", old), *words)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ([], "give either a DIR or --from-feedback"),
        (["oaks", "--from-feedback"], "give either a DIR or --from-feedback"),
        (["--from-feedback", "--scope-by", "conv"], "--scope-by goes with a DIR"),
        (["oaks", "pines", "--queries", "file"], "--queries goes with one DIR only"),
        (["oaks", "pines", "--qrels", "file"], "--qrels goes with one DIR only"),
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(
    shell: Shell, words: list[str], problem: str
) -> None:
    assert problem in shell("tune", *words, status=2).stderr
