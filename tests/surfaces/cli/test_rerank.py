"""Reranking at the command line: the options, what is explained, and to whom text is sent."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pinyon import reranking, settings
from pinyon.inference.models import known
from tests.search.readers import Likes, Opening
from tests.surfaces.cli import test_explain
from tests.surfaces.cli.shell import Shell


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Likes]:
    """What can be asked: one on this machine, and two servers."""
    monkeypatch.setenv("PINYON_CONFIG", str(tmp_path / "mine"))
    monkeypatch.setenv("PINYON_CACHE", str(tmp_path / "cache"))
    for server in known().rerankers.values():
        monkeypatch.delenv(server.key, raising=False)
    found = {name: Likes("oolong", name) for name in ("late", "voyage", "cohere")}
    monkeypatch.setattr(reranking, "SHARED", reranking.Reranking(Opening(**found)))
    return found


@pytest.fixture
def tea(shell: Shell) -> Shell:
    for id, body in {"a": "tea is green", "b": "tea is black", "c": "tea is oolong"}.items():
        shell("save", "--id", id, "--title", "Tea", "--body", body)
    return shell


def ids(found: dict[str, list[dict[str, str]]]) -> list[str]:
    return [hit["id"] for hit in found["hits"]]


def test_a_flag_reads_the_best_again_and_a_name_chooses_by_whom(tea: Shell) -> None:
    assert ids(tea.json("search", "tea")) == ["a", "b", "c"]
    for option in (["--rerank"], ["--reranker", "cohere"], ["--rerank", "--reranker", "voyage"]):
        found = tea.json("search", "tea", *option)
        assert ids(found) == ["c", "a", "b"]
        name = option[-1] if option[-1] in known().rerankers else "late"
        assert found["meta"]["rerank"]["model"] == name


def test_an_explanation_says_what_the_second_reading_did(tea: Shell) -> None:
    lines = tea("search", "tea", "--rerank", "--explain").stdout.splitlines()
    (told,) = [line for line in lines if line.startswith("reranked: ")]
    assert told.startswith("reranked: 3 read again by late, ")
    assert told.endswith(" ms; 3 changed place")
    weights = next(line for line in lines if line.startswith("weights: "))
    assert weights.endswith(", rerank 0.3")
    signal = next(line.split() for line in lines if line.strip().startswith("rerank "))
    assert signal[0:2] + signal[3:] == ["rerank", "0.826", "weight", "0.3,", "adds", "0.248"]
    again = tea("search", "tea", "--rerank", "--explain").stdout
    assert "read again by late, as it said before; 3 changed place" in again
    assert "reranked" not in tea("search", "tea", "--explain").stdout


def test_what_is_multiplied_is_told_from_what_is_read_again() -> None:
    score = 0.6 * test_explain.SCORE + 0.4 * 0.5
    hit = replace(test_explain.HIT, score=score, signals={**test_explain.SIGNALS, "rerank": 0.5})
    weights = {"lexical": 0.45, "vector": 0.15, "rerank": 0.4}
    added = [line.rpartition("adds ")[2] for line in test_explain.lines(hit, weights=weights)]
    assert [text for text in added if text.startswith("0.")] == ["0.360", "0.060", "0.200"]


@pytest.mark.proves("S7")
def test_a_server_in_a_profile_is_asked_only_after_the_user_set_it_himself(
    tea: Shell, models: dict[str, Likes]
) -> None:
    url = known().rerankers["voyage"].url
    profiles = tea.store.parent / "profiles"
    profiles.mkdir()
    (profiles / "theirs.toml").write_text(
        'inherits = "default"\n[rerank]\nuse = true\nmodel = "voyage"\n', encoding="utf-8"
    )
    refused = tea("search", "tea", "--profile", "theirs", VOYAGE_API_KEY="secret-key")
    assert f"voyage reads on {url}, and you have not agreed" in refused.stderr
    assert "pinyon config set profiles.theirs.rerank.model voyage" in refused.stderr
    assert models["voyage"].asked == []
    chosen = tea("config", "set", "profiles.theirs.rerank.model", "voyage")
    assert chosen.stderr == (
        f"pinyon: from now on a search that reranks sends its question and best hits to {url}\n"
    )
    allowed = json.loads((settings.config_folder() / settings.ALLOWED).read_text("utf-8"))
    assert allowed == [url]
    assert tea("search", "tea", "--profile", "theirs").stderr == ""
    assert len(models["voyage"].asked) == 1


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("profiles.default.rerank.model", "late"),
        ("profiles.default.rerank.model", "auto"),
        ("profiles.default.rerank.use", "true"),
        ("profiles.default.about", "voyage"),
    ],
)
def test_other_settings_agree_to_nothing(tea: Shell, key: str, value: str) -> None:
    assert tea("config", "set", key, value).stderr == ""
    assert not (settings.config_folder() / settings.ALLOWED).exists()


def test_a_reranker_says_what_it_still_needs(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def ready() -> dict[str, bool]:
        listed = shell.json("model", "list")["rerankers"]
        return {each["name"]: each["ready"] for each in listed}

    assert ready() == dict.fromkeys(("voyage", "cohere", "cross-encoder", "late"), False)
    text = shell("model", "list").stdout
    for server in known().rerankers.values():
        assert f"{server.model}, sends text to {server.url}; set {server.key} first" in text
    assert "to fetch: pinyon model pull hf:cross-encoder/ms-marco-MiniLM-L-6-v2" in text
    assert text.count("pinyon model pull minilm") == 2
    monkeypatch.setenv("COHERE_API_KEY", "secret-key")
    assert ready()["cohere"]
    assert "secret-key" not in shell("model", "list").stdout
