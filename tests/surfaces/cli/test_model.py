"""Models at the command line: which there are, how one takes over from another, and to whom text is
sent: to nobody whom this user did not choose."""

import json
from pathlib import Path

import pytest

from pinyon import settings
from pinyon.inference.models import known
from tests.inference import test_hub
from tests.inference.server import running
from tests.inference.tiny import write_folder
from tests.surfaces.cli.shell import Shell

hub = test_hub.hub


@pytest.fixture(autouse=True)
def _own_consent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINYON_CONFIG", str(tmp_path / "mine"))


def model(folder: Path, name: str) -> str:
    write_folder(folder / name)
    return str(folder / name)


def in_store(shell: Shell) -> dict[str, str]:
    """The state of each model of the store, by the last part of its path."""
    listed = shell.json("model", "list")["store"]
    return {Path(each["choice"]).name: each["state"] for each in listed}


def test_what_can_be_chosen_is_listed_before_there_is_a_store(shell: Shell) -> None:
    listed = shell.json("model", "list")
    names = [*known().packaged, *known().providers]
    assert listed["store"] == []
    assert [each["name"] for each in listed["known"]] == names
    rerankers = [each["name"] for each in listed["rerankers"]]
    assert rerankers == [*known().rerankers, "cross-encoder", "late"]
    lines = shell("model", "list").stdout.splitlines()
    shown = [line.split()[0] for line in lines if line.startswith(" ")]
    assert shown == [*names, *rerankers]
    assert not shell.store.exists()


def test_a_listed_model_says_what_it_still_needs(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = {each["name"]: each["ready"] for each in shell.json("model", "list")["known"]}
    assert ready == {
        "granite": True,
        "minilm": False,
        "openai": False,
        "voyage": False,
        "compatible": True,
    }
    text = shell("model", "list").stdout
    assert "84 MB to fetch: pinyon model pull minilm" in text
    assert "sends text to https://api.openai.com/v1; set OPENAI_API_KEY first" in text
    monkeypatch.setenv("OPENAI_API_KEY", "secret-key")
    keyed = shell("model", "list").stdout
    assert "OPENAI_API_KEY" not in keyed
    assert "secret-key" not in keyed


def test_the_models_of_the_store_come_first_and_the_active_one_is_marked(
    shell: Shell, tmp_path: Path
) -> None:
    shell("save", "--id", "red", "--title", "red")
    shell("model", "use", model(tmp_path, "one"))
    first, *others = shell("model", "list").stdout.splitlines()
    assert first.split()[:3] == ["*", str(tmp_path / "one"), "active"]
    assert first.endswith("4 dimensions, 0 passages embedded, 1 waiting")
    assert not any(line.startswith(("*", "+")) for line in others)


@pytest.mark.proves("X6")
def test_another_model_takes_over_when_it_has_embedded_everything(
    shell: Shell, tmp_path: Path
) -> None:
    one, two = model(tmp_path, "one"), model(tmp_path, "two")
    for word in ("red", "green"):
        shell("save", "--id", word, "--title", word)
    assert shell("model", "use", one).stdout == (
        f"{one} is in use; 2 passages wait to be embedded: pinyon embed\n"
    )
    shell("embed")
    assert shell("model", "use", two).stdout == (
        f"searching goes on with {one} until {two} has embedded 2 passages: pinyon embed\n"
    )
    assert in_store(shell) == {"one": "active", "two": "filling"}
    assert shell("model", "list").stdout.splitlines()[1].startswith(f"+ {two}")
    meanwhile = shell.json("search", "red", "--channels", "vector")
    shell("embed")
    assert in_store(shell) == {"two": "active", "one": "idle"}
    afterwards = shell.json("search", "red", "--channels", "vector")
    for answer in (meanwhile, afterwards):
        assert answer["hits"][0]["id"] == "red"
        assert answer["meta"]["warnings"] == []
    assert shell("model", "use", one).stdout == f"{one} is in use\n"  # its vectors were kept


def test_no_model_is_a_choice(shell: Shell, tmp_path: Path) -> None:
    shell("save", "--id", "red", "--title", "red")
    shell("model", "use", model(tmp_path, "one"))
    shell("embed")
    assert shell("model", "use", "none").stdout == (
        "no model is in use: records are found by words only\n"
    )
    result = shell("search", "red")
    assert ("1. red" in result.stdout, result.stderr) == (True, "")
    assert shell("save", "--id", "blue", "--title", "blue").stderr == ""


def test_a_dropped_model_leaves_with_its_vectors(shell: Shell, tmp_path: Path) -> None:
    one = model(tmp_path, "one")
    shell("save", "--id", "red", "--title", "red")
    shell("model", "use", one)
    shell("embed")
    name = shell.json("model", "list")["store"][0]["name"]
    assert shell("model", "drop", one).stdout == f"dropped {name} with 1 vector\n"
    assert in_store(shell) == {}
    assert "the store has no model" in shell.problem("model", "drop", one)


def test_a_server_s_model_is_dropped_by_the_word_that_it_was_chosen_by(shell: Shell) -> None:
    with running() as server:
        for name in ("m", "n"):
            shell("model", "use", "compatible", "--url", server.url, "--model", name)
    m, n = (f"compatible:{name} {server.url}" for name in ("m", "n"))
    assert shell.problem("model", "drop", "compatible") == (
        f"pinyon: 'compatible' stands for several models (it has: {n}, {m})"
    )
    assert shell.json("model", "drop", m) == {"dropped": m, "vectors": 0}
    assert shell.json("model", "drop", "compatible") == {"dropped": n, "vectors": 0}


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("nobody", "no model 'nobody' (known: granite, minilm, openai"),
        ("minilm", "the weights of minilm are not on this machine (fetch them with `pinyon model"),
        ("openai", "openai needs a key (set OPENAI_API_KEY)"),
        ("compatible", "compatible needs the address of a server"),
        ("hf:owner/name", "the model hf:owner/name is not on this machine"),
    ],
)
def test_a_model_that_cannot_be_used_is_refused_and_nothing_changes(
    shell: Shell, name: str, problem: str
) -> None:
    shell("save", "--id", "red", "--title", "red")
    assert problem in shell.problem("model", "use", name)
    assert in_store(shell) == {}


def test_what_is_for_servers_only_is_wrong_usage_elsewhere(shell: Shell) -> None:
    result = shell("model", "use", "granite", "--url", "http://localhost", status=2)
    assert "--url is for a server only: openai, voyage, compatible" in result.stderr


def test_a_model_that_is_here_is_not_fetched(shell: Shell) -> None:
    result = shell("model", "pull", "granite")
    assert (result.stdout, result.stderr) == ("granite is here (pinyon model use granite)\n", "")
    assert not shell.store.exists()


def test_a_repository_is_pulled_from_a_hub_and_used(
    shell: Shell, hub: test_hub.Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    pulled = shell("model", "pull", test_hub.NAME)
    shell("save", "--id", "red", "--title", "red")
    shell("model", "use", test_hub.NAME)
    shell("embed")
    assert pulled.stdout == f"{test_hub.NAME} is here (pinyon model use {test_hub.NAME})\n"
    assert pulled.stderr == f"pinyon: fetching {test_hub.NAME}\n"
    assert shell.json("search", "red", "--channels", "vector")["hits"][0]["id"] == "red"


@pytest.mark.parametrize("name", ["openai", "nobody", "hf:no-owner"])
def test_what_cannot_be_fetched_is_refused(shell: Shell, name: str) -> None:
    result = shell("model", "pull", name, status=1)
    assert result.stdout == ""
    assert name.removeprefix("hf:") in result.stderr


@pytest.mark.proves("S12")
def test_a_chosen_server_gets_the_texts_with_the_key(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINYON_EMBED_KEY", "secret-key")
    with running() as server:
        chosen = shell("model", "use", "compatible", "--url", server.url, "--model", "m")
        shell("save", "--id", "red", "--title", "a red thing")
        hits = shell.json("search", "a red thing", "--channels", "vector")["hits"]
    assert f"from now on text is sent to {server.url}\n" in chosen.stderr
    assert settings.allowed(server.url)
    assert [hit["id"] for hit in hits] == ["red"]
    assert server.asked[-1] == {"model": "m", "input": ["a red thing"]}
    assert {headers["Authorization"] for headers in server.headers} == {"Bearer secret-key"}


@pytest.mark.proves("S12")
def test_a_key_in_the_environment_sends_nothing(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    for provider in known().providers.values():
        monkeypatch.setenv(provider.key, "secret-key")
    shell("save", "--id", "red", "--title", "red")
    shell("search", "red")
    named = shell("save", "--id", "green", "--title", "green", PINYON_MODEL="openai")
    assert "you have not agreed to send it text" in named.stderr
    assert in_store(shell) == {}
    assert not (settings.config_folder() / settings.ALLOWED).exists()


@pytest.mark.proves("S12")
def test_a_store_of_somebody_else_cannot_make_this_machine_send_text(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINYON_EMBED_KEY", "secret-key")
    with running() as server:
        shell("model", "use", "compatible", "--url", server.url, "--model", "theirs")
        shell("save", "--id", "red", "--title", "red")
        sent = len(server.asked)
        monkeypatch.setenv("PINYON_CONFIG", str(tmp_path / "somebody-else"))
        searched = shell("search", "red")
        saved = shell("save", "--id", "green", "--title", "green")
        embedded = shell.problem("embed")
        listed = shell("model", "list")
        assert len(server.asked) == sent
        monkeypatch.setenv("PINYON_CONFIG", str(tmp_path / "mine"))
        shell("embed")
        assert len(server.asked) > sent
    assert "1. red" in searched.stdout
    assert saved.stdout == "green\n"
    for text in (searched.stderr, saved.stderr, embedded, listed.stdout):
        assert text.count("you have not agreed to send it text") == 1


@pytest.mark.proves("S12")
def test_consent_holds_for_one_address_and_not_for_another_server(
    shell: Shell, tmp_path: Path
) -> None:
    with running() as chosen, running() as other:
        shell("model", "use", "compatible", "--url", chosen.url, "--model", "shared")
        theirs = Shell(tmp_path / "theirs.pinyon")
        theirs("save", "--id", "red", "--title", "red")
        theirs("model", "use", "compatible", "--url", other.url, "--model", "shared")
        allowed = json.loads((settings.config_folder() / settings.ALLOWED).read_text("utf-8"))
        assert sorted(allowed) == sorted([chosen.url, other.url])
        (settings.config_folder() / settings.ALLOWED).write_text(json.dumps([chosen.url]))
        sent = len(other.asked)
        theirs("save", "--id", "green", "--title", "green")
        theirs("search", "green")
        assert len(other.asked) == sent
