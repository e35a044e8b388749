"""Keys and tokens go where they must and nowhere else: not into an output, not into a file, and
what is written only its owner can read."""

import io
import json
import logging
import os
import stat
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

import pinyon
from pinyon import settings
from pinyon.engine import Engine
from pinyon.inference.contract import ModelError, NoModel
from pinyon.inference.models import known
from pinyon.inference.open import open_embedder
from pinyon.inference.rerank.open import open_reranker
from pinyon.model.record import Record
from pinyon.surfaces.cli.app import cli
from tests.faults.remains import remains
from tests.inference.server import Reply, Server, running
from tests.inference.tiny import write_folder
from tests.surfaces.serving import serving

VARIABLES = {
    **{one.key: one.name for one in known().providers.values()},
    **{one.key: one.name for one in known().rerankers.values()},
}
KEYS = {variable: f"sk-{name}-Zq7vXw91Lk" for variable, name in VARIABLES.items()}
SECRETS = ["Zq7vXw", "7vXw91Lk", *(f"{key[:10]}" for key in KEYS.values())]
"""The ends and the beginnings of all keys."""


@dataclass
class Indiscreet(Server):
    """Says in every place what it was given. `status` 200 is a good answer."""

    status: int = 200

    def good(self, body: dict[str, object]) -> Reply:
        key = self.headers[-1].get("Authorization", "").removeprefix("Bearer ")
        if self.status == 200:
            return super().good(body)
        said = f"Bearer {key} is bad: it begins with {key[:12]}, and ends with '{key[-8:]}'."
        field = ("error", "detail", "message")[len(self.asked) % 3]
        headers = {"X-Seen": key, "Retry-After": "900", "Location": f"/{key}"}
        content = {field: {"message": said} if field == "error" else said, "data": key}
        return self.status, headers, json.dumps(content).encode()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every key is set, and everything that is written lies below one folder."""
    for variable, key in KEYS.items():
        monkeypatch.setenv(variable, key)
    for folder in ("cache", "config"):
        monkeypatch.setenv(f"PINYON_{folder.upper()}", str(tmp_path / "home" / folder))
    monkeypatch.setenv("PINYON_STORE", str(tmp_path / "home" / "data" / "a.pinyon"))
    return tmp_path / "home"


COMMANDS = """
save --id a --title fox --body red
save --id b --body green
model use {name} --url {url} --model m --dims 4
save --id c --body blue
!
embed
embed --json
model list
model list --json
model use {name} --url {url} --model n --dims 4
model use auto --url {url}
model use {name} --url http://name:{key}@127.0.0.1:9/v1 --model m
model use {name} --url http://127.0.0.1:9/v1?key={key} --model m
search red
search red --explain --json
search red --rerank
search red --channels vector --json
brief
stats --json
doctor --json
config list --json
profile show default
tier list
token list --json
get a --json
history a
export {home}/all.jsonl
export
backup {home}/copy.pinyon
eval {home}/nothing
model drop {name}
forget a --purge --yes
"""


@pytest.mark.parametrize("status", [302, 400, 401, 500])
@pytest.mark.parametrize("name", known().providers)
def test_no_command_says_or_writes_a_key_whatever_the_server_does(
    home: Path, caplog: pytest.LogCaptureFixture, name: str, status: int
) -> None:
    caplog.set_level(logging.INFO)  # Pinyon itself shows errors only
    key = KEYS[known().providers[name].key]
    said: list[str] = []
    with running(Indiscreet) as server:
        assert isinstance(server, Indiscreet)
        for line in COMMANDS.strip().splitlines():
            if line == "!":
                server.status = status
                continue
            words = line.format(name=name, url=server.url, key=key, home=home).split()
            result = CliRunner().invoke(cli, words)
            said.append(result.output)
            if result.exception:
                said += traceback.format_exception(result.exception)
        sent = {given.get("Authorization") for given in server.headers}
        waiting = json.loads(CliRunner().invoke(cli, ["stats", "--json"]).stdout)
    assert waiting["documents"] == 2
    assert f"Bearer {key}" in sent
    assert "answered" in "".join(said) or "refused the key" in "".join(said)
    assert [each for each in SECRETS if each in "".join(said) + caplog.text] == []
    assert remains([home], SECRETS) == []


@pytest.mark.parametrize("status", [302, 400, 403, 500])
@pytest.mark.parametrize("name", known().rerankers)
def test_no_reranker_says_a_key(name: str, status: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)  # Pinyon itself shows errors only
    key = KEYS[known().rerankers[name].key]
    with running(Indiscreet, status=status) as server:
        reranker = open_reranker(name, Path("nowhere"), key=key, url=server.url)
        with pytest.raises(ModelError) as raised:
            reranker.score("red", ["fox"])
        reranker.close()
    whole = "".join(traceback.format_exception(raised.value))
    said = f"{whole} {reranker!r} {vars(raised.value)} {caplog.text}"
    assert server.headers[0]["Authorization"] == f"Bearer {key}"
    assert [each for each in SECRETS if each in said] == []


@pytest.mark.parametrize("address", ["http://me:{}@127.0.0.1:9", "http://127.0.0.1:9/v1?k={}"])
def test_an_address_with_a_secret_in_it_is_refused_for_addresses_are_shown(address: str) -> None:
    key = KEYS["PINYON_EMBED_KEY"]
    with pytest.raises(NoModel, match="put the key into PINYON_EMBED_KEY") as raised:
        open_embedder("compatible", Path("nowhere"), url=address.format(key), model="m")
    assert key not in str(raised.value)


def test_no_model_shows_its_key(home: Path) -> None:
    key = KEYS["PINYON_EMBED_KEY"]
    embedder = open_embedder("compatible", home, key=key, url="http://127.0.0.1:9", model="m")
    assert key not in f"{embedder!r} {embedder} {embedder.name}"
    embedder.close()


def test_a_token_is_said_once_and_is_in_no_file_argument_answer_or_line(home: Path) -> None:
    """The real server, asked well and badly, with a browser that writes down what it is given."""
    store = settings.store_path()
    with pinyon.open(store, background=False) as engine:
        engine.save(Record(id="a", body="red"))
    created = CliRunner().invoke(cli, ["token", "create", "agent", "--can", "search,write"])
    token = created.stdout.strip()
    secret = token.rpartition("_")[2]
    wrong = f"{token[:-4]}0000"
    browser = home / "browser.py"
    browser.write_text(f"import sys; open({str(home / 'seen')!r}, 'w').write(repr(sys.argv))")
    words = ("--verbose", "--open")
    answers: list[str] = []
    with serving(store, *words, BROWSER=f"{sys.executable} {browser} %s") as server:
        for shown in (token, wrong, "", f"{token} {token}"):
            headers = {"Authorization": f"Bearer {shown}"} if shown else {}
            with httpx.Client(base_url=server.url, headers=headers, timeout=30) as http:
                for method, path, body in (
                    ("GET", "/metrics", b""),
                    ("GET", "/v1/nothing", b""),
                    ("POST", "/v1/search", b'{"query": "red"}'),
                    ("POST", "/v1/search", b'{"query": 7, "token": "x"}'),
                    ("POST", "/mcp", b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'),
                    ("POST", "/mcp", b"{"),
                ):
                    answer = http.request(method, path, content=body)
                    answers.append(f"{answer.status_code} {answer.headers} {answer.text}")
    assert any(answer.startswith("200") for answer in answers)
    assert any(answer.startswith("401") for answer in answers)
    outputs = ["".join(answers), b"".join(server.said).decode()]
    outputs += [
        CliRunner().invoke(cli, ["token", "list", *more]).output for more in ([], ["--json"])
    ]
    assert [output for output in outputs if secret in output or wrong in output] == []
    assert remains([home], [secret]) == []
    seen = (home / "seen").read_text()
    page = (home / "cache" / "page.html").read_text()
    invited = page.partition("#token=")[2].partition('"')[0]
    assert "page.html" in seen
    assert len(invited) > 30
    assert invited not in seen + "".join(outputs)


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.usefixtures("umask")
@pytest.mark.skipif(sys.platform == "win32", reason="files have no mode there")
def test_only_their_owner_can_read_what_is_written(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_folder(tmp_path / "model")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# Red\n\ngreen\n")
    monkeypatch.setenv("PINYON_MODEL", str(tmp_path / "model"))
    settings.allow("http://127.0.0.1:9")
    with pinyon.open(background=False) as engine:
        engine.index(tmp_path / "notes")
        engine.embed()
        engine.search("red")
        engine.backup(home / "copies" / "deep" / "copy.pinyon")
        CliRunner().invoke(cli, ["token", "create", "agent"])
        CliRunner().invoke(cli, ["export", str(home / "all.jsonl")])
        watched(engine, tmp_path / "notes")
        modes = {path.name: mode(path) for path in home.rglob("*")}
    assert modes.keys() >= {"a.pinyon", "a.pinyon-wal", "a.pinyon-shm", "vectors.db", "tokens.json"}
    assert modes.keys() >= {"allowed.json", "all.jsonl", "copy.pinyon", "data", "cache", "deep"}
    open_to_others = {name: oct(found) for name, found in modes.items() if found & 0o077}
    # They hold nothing, and nobody else comes into their folder.
    locks = {name for name in open_to_others if name.endswith(".lock")}
    assert open_to_others.keys() - locks == set()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def watched(engine: Engine, folder: Path) -> None:
    """Until the first report."""
    import threading

    stop = threading.Event()
    engine.watch([folder], on_report=lambda report: stop.set(), stop=stop)


def test_an_export_over_a_file_that_others_could_read_is_the_owner_s_alone(home: Path) -> None:
    with pinyon.open(background=False) as engine:
        engine.save(Record(id="a", body="red"))
        lines = io.StringIO("".join(f"{line}\n" for line in engine.export()))
    target = home / "all.jsonl"
    target.write_text("old")
    target.chmod(0o644)
    assert CliRunner().invoke(cli, ["export", str(target)]).exit_code == 0
    assert (target.read_text(), mode(target)) == (lines.getvalue(), 0o600)
