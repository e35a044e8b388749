"""Meaning at the command line: what is embedded when, how it is asked for, and what is said when it
cannot be had."""

import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from pinyon.inference.models import known
from pinyon.surfaces.cli import catch_up
from pinyon.surfaces.cli.progress import pace_text
from tests.evaluate.shelf import Row, shelve
from tests.inference.server import refusal, running
from tests.inference.tiny import write_folder
from tests.surfaces.cli.shell import Shell, program
from tests.surfaces.cli.test_terminal import needs_a_terminal, on_a_terminal


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    """The folder of a model that knows red, green and blue; all other words mean the same to it."""
    write_folder(tmp_path / "tiny")
    return str(tmp_path / "tiny")


class Heard(list[dict[str, Any]]):
    """The requests that came, and an event for the next one."""

    def __init__(self) -> None:
        super().__init__()
        self.something = threading.Event()

    def append(self, request: dict[str, Any]) -> None:
        super().append(request)
        self.something.set()


def save(shell: Shell, *titles: str, kind: str = "note") -> None:
    lines = (f'{{"id": "{title}", "title": "{title}", "kind": "{kind}"}}\n' for title in titles)
    shell("import", "-", input="".join(lines))


def found(shell: Shell, *words: str) -> list[str]:
    return [hit["id"] for hit in shell.json("search", *words)["hits"]]


@pytest.mark.proves("B12")
def test_what_waits_is_embedded_and_counted_by_kind_and_state(shell: Shell, tiny: str) -> None:
    save(shell, "red", "green")
    save(shell, "blue", kind="task")
    shell("save", input='{"id": "empty", "kind": "task"}')
    shell("model", "use", tiny)
    done = shell.json("embed")
    (model,) = done.pop("models")
    assert done == {"done": 3, "failed": 0, "waiting": 0, "reason": ""}
    assert model["records"] == {"note": {"done": 2}, "task": {"done": 1, "none": 1}}
    assert shell("embed").stdout == (
        f"{model['choice']}: records 3 done (2 note, 1 task), 1 without text (1 task)\n"
    )
    assert shell.json("embed")["done"] == 0


@pytest.mark.proves("B12")
def test_a_run_can_be_cut_short_and_the_rest_waits(shell: Shell, tiny: str) -> None:
    save(shell, *(f"red-{number}" for number in range(40)))
    shell("model", "use", tiny)
    result = shell("embed", "--seconds", "0.000001")
    assert result.stdout.endswith(": records 0 done, 40 waiting (40 note)\n")
    assert result.stderr == "pinyon: 40 passages wait to be embedded\n"
    assert shell.json("embed")["done"] == 40


def test_without_a_model_there_is_nothing_to_embed_with(shell: Shell) -> None:
    save(shell, "red")
    assert shell.problem("embed") == (
        "pinyon: no model is in use (choose one: pinyon model use granite)"
    )
    shell("model", "use", "none")
    assert "no model is in use" in shell.problem("embed")


def test_an_empty_store_has_nothing_to_embed(shell: Shell, tiny: str) -> None:
    save(shell, "red")
    shell("forget", "red")
    assert shell("embed", PINYON_MODEL=tiny).stdout == "nothing to embed: the store is empty\n"


def test_what_was_written_is_embedded_without_being_asked(
    shell: Shell, tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINYON_MODEL", tiny)
    saved = shell("save", "--id", "a", "--title", "red")
    shell("update", "a", "--title", "green")
    shell("import", "-", input='{"id": "b", "title": "blue"}')
    folder = shell.store.parent / "notes"
    folder.mkdir()
    (folder / "c.txt").write_text("crimson", encoding="utf-8")
    shell("index", str(folder))
    (model,) = shell.json("stats")["models"]
    assert (saved.stdout, saved.stderr) == ("a\n", "")
    assert (model["vectors"], model["waiting"]) == (4, 0)  # the file's own record as well
    assert found(shell, "--channels", "vector", "green")[0] == "a"


def test_what_is_left_after_a_moment_is_said(
    shell: Shell, tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINYON_MODEL", tiny)
    monkeypatch.setattr(catch_up, "SECONDS", 0.0)
    first = shell("save", "--id", "a", "--title", "red")
    second = shell("save", "--id", "b", "--title", "green")
    assert first.stderr == "pinyon: 1 passage waits to be embedded (pinyon embed)\n"
    assert second.stderr == "pinyon: 2 passages wait to be embedded (pinyon embed)\n"


def test_a_search_embeds_no_record(shell: Shell, tiny: str) -> None:
    save(shell, "red")
    shell("model", "use", tiny)
    assert found(shell, "red") == ["red"]
    assert shell.json("stats")["models"][0]["waiting"] == 1


@pytest.mark.proves("B11")
def test_meaning_alone_gives_the_nearest_first_and_nothing_else(shell: Shell, tiny: str) -> None:
    save(shell, "red", "green", "blue", "crimson")
    shell("model", "use", tiny)
    shell("embed")
    for how in (["--channels", "vector"], ["--profile", "vector"]):
        hits = shell.json("search", "scarlet", *how)["hits"]
        cosines = [hit["signals"]["vector"] for hit in hits]
        assert hits[0]["id"] == "crimson"  # to this model, both are words that it does not know
        assert cosines == sorted(cosines, reverse=True)
        assert [hit["sources"] for hit in hits] == [{"vector": n + 1} for n in range(len(hits))]
        assert all(list(hit["signals"]) == ["vector"] for hit in hits)


@pytest.mark.proves("G1")
def test_a_search_runs_as_hybrid_vector_or_keyword(shell: Shell, tiny: str) -> None:
    save(shell, "red", "green", "crimson")
    shell("model", "use", tiny)
    shell("embed")
    asked = {
        profile: shell.json("search", "red", "--profile", profile)
        for profile in ("default", "vector", "keyword")
    }
    assert {profile: answer["meta"]["channels"] for profile, answer in asked.items()} == {
        "default": ["lexical", "vector"],
        "vector": ["vector"],
        "keyword": ["lexical"],
    }
    assert {profile: answer["hits"][0]["sources"] for profile, answer in asked.items()} == {
        "default": {"lexical": 1, "vector": 1},
        "vector": {"vector": 1},
        "keyword": {"lexical": 1},
    }


@pytest.mark.proves("S11")
@pytest.mark.parametrize("channel", ["lexical", "vector"])
def test_a_channel_goes_on_when_the_other_is_switched_off(
    shell: Shell, tiny: str, channel: str
) -> None:
    save(shell, "red", "green")
    shell("model", "use", tiny)
    shell("embed")
    answer = shell.json("search", "red", "--channels", channel)
    assert answer["hits"][0]["id"] == "red"
    assert {name for hit in answer["hits"] for name in hit["sources"]} == {channel}
    assert answer["meta"]["warnings"] == []


def test_an_explanation_shows_both_channels_with_ranks_and_signals(shell: Shell, tiny: str) -> None:
    save(shell, "red", "green")
    shell("model", "use", tiny)
    shell("embed")
    lines = shell("search", "red", "--explain").stdout.splitlines()
    assert [line.split()[0] for line in lines[3:6]] == ["lexical", "vector", "relevance"]
    assert "found by lexical at rank 1, vector at rank 1; 2 of 2" in lines[5]
    assert any(line.endswith("asked lexical, vector") for line in lines)


@pytest.mark.proves("X17")
def test_more_like_a_record_is_asked_by_its_id(shell: Shell, tiny: str) -> None:
    save(shell, "crimson", "scarlet", "green")
    shell("model", "use", tiny)
    shell("embed")
    assert found(shell, "--like", "crimson")[0] == "scarlet"
    assert "crimson" not in found(shell, "--like", "crimson")
    assert "no record has the id 'nope'" in shell.problem("search", "--like", "nope")
    both = shell("search", "red", "--like", "crimson", status=2)
    assert "give a query or --like, not both" in both.stderr


@pytest.mark.proves("P8", part="degradation")
def test_a_model_that_is_gone_leaves_words_and_a_warning(shell: Shell, tiny: str) -> None:
    save(shell, "red")
    shell("model", "use", tiny)
    shell("embed")
    shutil.rmtree(tiny)
    searched = shell.program("search", "red")
    saved = shell.program("save", "--id", "late", "--title", "late")
    assert (searched.returncode, saved.returncode) == (0, 0)
    assert b"red" in searched.stdout
    (warning,) = searched.stderr.splitlines()
    assert warning.startswith(b"pinyon: ")
    assert saved.stdout.split() == [b"late"]
    (line,) = saved.stderr.splitlines()
    assert line.startswith(b"pinyon: not embedded: ")
    assert line.endswith(b"; found by words only")
    assert found(shell, "late", "--channels", "lexical") == ["late"]


@pytest.mark.proves("P8", part="degradation")
@pytest.mark.proves("S12")
def test_a_server_that_fails_costs_a_warning_and_no_record(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINYON_EMBED_KEY", "secret-key")
    with running() as server:
        shell("model", "use", "compatible", "--url", server.url, "--model", "bad", "--dims", "4")
        server.script = [refusal(401, "bad key secret-key")] * 20
        saved = shell("save", "--id", "red", "--title", "red")
        failed = shell.problem("embed", "--retry")
        server.script.clear()
        shell("embed", "--retry")
        server.script = [refusal(401)]
        searched = shell("search", "red")
    assert saved.stdout == "red\n"
    assert "refused the key (401)" in saved.stderr
    assert saved.stderr.count("\n") == 1
    assert failed.startswith("pinyon: nothing was embedded: compatible refused the key (401)")
    assert "secret-key" not in saved.stderr + failed
    assert "1. red" in searched.stdout
    assert searched.stderr.count("refused the key (401)") == 1


@pytest.mark.proves("B12")
def test_one_text_that_fails_does_not_take_the_others_with_it(shell: Shell) -> None:
    save(shell, "red", "green")
    with running() as server:
        shell("model", "use", "compatible", "--url", server.url, "--model", "one", "--dims", "4")
        server.script = [refusal(400, "too long")] * 2  # both texts at once, then the first of them
        result = shell("embed")
        again = shell("embed", "--retry")
    name = f"compatible one {server.url}"
    assert result.stdout.startswith(f"{name}: records 1 done (1 note), 1 waiting (1 note): ")
    assert result.stderr.startswith("pinyon: 1 passage failed: compatible answered 400: too long")
    assert again.stdout == f"{name}: records 2 done (2 note)\n"


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_the_id_is_out_before_anything_is_embedded_and_ctrl_c_ends_that_quietly(
    shell: Shell,
) -> None:
    with running(asked=(heard := Heard())) as server:
        shell("model", "use", "compatible", "--url", server.url, "--model", "two", "--dims", "4")
        server.script = [None] * 20
        heard.something.clear()
        with subprocess.Popen(
            program("save", "--title", "Retries"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            env=shell.environment(),
        ) as child:
            assert child.stdout is not None
            assert child.stderr is not None
            line = child.stdout.readline()
            assert heard.something.wait(60)
            child.send_signal(signal.SIGINT)
            assert (line.split(), child.stderr.read(), child.wait(60)) == ([b"retries"], b"", 0)
    assert found(shell, "retries", "--channels", "lexical") == ["retries"]


def test_without_a_model_nothing_is_said_and_no_model_code_is_loaded(shell: Shell) -> None:
    listing = (
        "import sys\n"
        "from pinyon.surfaces.cli.app import cli\n"
        "cli.main(['save', '--title', 'One'], standalone_mode=False)\n"
        "print(' '.join(sys.modules), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", listing], capture_output=True, check=True, env=shell.environment()
    )
    assert done.stdout.split() == [b"one"]
    (modules,) = done.stderr.decode().splitlines()
    assert {"numpy", "onnxruntime", "tokenizers", "httpx"} & set(modules.split()) == set()


def test_stats_say_how_far_the_model_is(shell: Shell, tiny: str) -> None:
    save(shell, "red", "green")
    assert "model      none" in shell("stats").stdout
    shell("model", "use", tiny)
    assert "0 passages embedded, 2 waiting" in shell("stats").stdout
    shell("embed")
    (line,) = [text for text in shell("stats").stdout.splitlines() if text.startswith("model")]
    assert line.endswith("tiny, 2 passages embedded")
    assert shell.json("stats")["passages"] == 2


def test_a_profile_that_asks_for_meaning_is_measured_with_it(shell: Shell, tiny: str) -> None:
    documents: list[Row] = [{"_id": word, "text": word} for word in ("red", "green", "crimson")]
    queries: list[Row] = [{"_id": "q", "text": "scarlet"}]
    folder = shelve(shell.store.parent / "hues", documents, queries, ["q\tcrimson\t1"])
    words = ("eval", str(folder), "--profile", "vector", "--profile", "keyword", "--json")
    result = shell(*words, PINYON_MODEL=tiny)
    assert '"vector": {"ndcg@10": 1.0' in result.stdout
    assert '"keyword": {"ndcg@10": 0.0' in result.stdout


def test_a_model_that_cannot_be_used_is_said_once_and_words_are_measured(shell: Shell) -> None:
    folder = str(shelve(shell.store.parent / "trees"))
    result = shell("eval", folder, "--json", PINYON_MODEL="no-such-model")
    assert '"recall@10"' in result.stdout
    assert result.stderr.count("no model 'no-such-model'") == 1


@needs_a_terminal
def test_embedding_shows_a_bar_with_the_rate_on_a_terminal(shell: Shell, tiny: str) -> None:
    save(shell, "red", "green")
    shell("model", "use", tiny)
    shown = on_a_terminal(shell, "embed", TERM="xterm")
    assert "2/2" in shown
    assert "a second, 0 s left" in shown
    assert "records 2 done (2 note)" in shown


@pytest.mark.parametrize(
    ("left", "rate", "text"),
    [
        (100, 0.0, ""),
        (0, 39.4, "39 a second, 0 s left"),
        (780, 39.0, "39 a second, 20 s left"),
        (4_680, 39.0, "39 a second, 2 min left"),
        (1_000_000, 39.0, "39 a second, 7 h left"),
        (5_000, 1_250.0, "1,250 a second, 4 s left"),
    ],
)
def test_the_time_that_is_left_is_told_in_the_unit_that_fits(
    left: int, rate: float, text: str
) -> None:
    assert pace_text(left, rate) == text


def test_the_model_that_comes_with_pinyon_finds_what_was_meant(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINYON_MODEL", known().default)
    for title, body in {
        "Anna": "Prefers green tea, no sugar.",
        "Deploys": "Fridays never.",
        "Retries": "Three times, with exponential backoff.",
    }.items():
        shell("save", "--title", title, "--body", body)
    assert found(shell, "what does she like to drink")[0] == "anna"
