"""Nothing is sent anywhere unless a server was chosen: a whole session with the default model, and
every key in the environment, in a process that notes each attempt to reach somebody."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from pinyon.inference.models import known
from tests.evaluate.shelf import shelve

_GUARDED = """
import os, sys

WATCHED = ("socket.connect", "socket.bind", "socket.send", "socket.getaddrinfo", "socket.gethost",
           "urllib.Request", "http.client.", "subprocess.Popen", "os.system", "os.exec", "os.spawn",
           "os.posix_spawn", "os.fork", "ftplib.", "smtplib.")

def hook(event, given):
    if event.startswith(WATCHED):
        os.write(2, f"TRIED {event} {given!r}\\n".encode())
        raise RuntimeError(event)

sys.addaudithook(hook)
"""

_SESSION = (
    _GUARDED
    + """
from click.testing import CliRunner
from pinyon.surfaces.cli import main
from pinyon.surfaces.cli.app import cli

for line in open(sys.argv[1]).read().splitlines():
    result = CliRunner().invoke(cli, line.split())
    problem = result.exception if result.exit_code else None
    os.write(2, f"RAN {line.split()[0]} {result.exit_code} {problem!r} {result.output}\\n".encode())
sys.argv[1:] = ["mcp"]
main()
"""
)

COMMANDS = """
save --id a --title fox --body red
index {home}/notes
embed
search fox
search vulpine --channels vector --json
search fox --rerank --reranker late
search oo --mode scan
brief
eval {home}/shelf
model list
stats
doctor
config list
profile list
tier list
export {home}/all.jsonl
backup {home}/copy.pinyon
feedback a accepted --query fox
update a --title wolf
forget a --purge --yes
"""


def call(number: int, tool: str, /, **arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
MESSAGES = (
    {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    call(1, "save", title="badger", body="a striped animal"),
    call(2, "search", query="fox"),
)


def environment(home: Path) -> dict[str, str]:
    """That of a user who has every key and has chosen nothing. The cache of the test run may have
    the graph of the model already."""
    chosen = {key: value for key, value in os.environ.items() if key != "PINYON_MODEL"}
    keys = {one.key: "sk-something" for one in known().providers.values()}
    keys |= {one.key: "sk-something" for one in known().rerankers.values()}
    places = {"PINYON_STORE": str(home / "a.pinyon"), "PINYON_CONFIG": str(home / "config")}
    return {**chosen, **keys, **places}


def guarded(program: str, *words: str, home: Path, input: str = "") -> "tuple[str, str]":
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        input=input,
        capture_output=True,
        text=True,
        timeout=120,
        env=environment(home),
        check=False,
    )
    return done.stdout, done.stderr


def test_a_whole_session_with_the_default_model_reaches_for_nobody(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# Fox\n\nsee [[b]] and https://example.com/fox\n")
    shelve(tmp_path / "shelf")
    (tmp_path / "commands").write_text(COMMANDS.format(home=tmp_path).strip())
    spoken = "".join(f"{json.dumps(message)}\n" for message in MESSAGES)
    answers, said = guarded(_SESSION, str(tmp_path / "commands"), home=tmp_path, input=spoken)
    lines = said.splitlines()
    assert [line for line in lines if line.startswith("TRIED")] == []
    ran = [line.split()[1:3] for line in lines if line.startswith("RAN")]
    assert ran == [[line.split()[0], "0"] for line in COMMANDS.strip().splitlines()], said
    results = {answer["id"]: answer["result"] for answer in map(json.loads, answers.splitlines())}
    assert "badger" in json.dumps(results[1])
    assert "a.md" in json.dumps(results[2])


def test_the_guard_notices_whoever_is_reached_for(tmp_path: Path) -> None:
    """Else the test above could not fail."""
    program = f"{_GUARDED}\nimport httpx\nhttpx.get('http://127.0.0.1:9')"
    assert "TRIED socket." in guarded(program, home=tmp_path)[1]
    chosen = f"""{_GUARDED}
from pinyon.inference.open import open_embedder
from pathlib import Path
open_embedder("openai", Path("."), key="sk").embed_queries(["red"])
"""
    assert "TRIED socket.getaddrinfo" in guarded(chosen, home=tmp_path)[1]


def test_a_key_alone_sends_nothing(tmp_path: Path) -> None:
    """Not even where the store names a server, for somebody else may have chosen it."""
    program = f"""{_GUARDED}
import pinyon
from datetime import UTC, datetime
from pinyon.store.contract import Batch
from pinyon.store.questions import Model
with pinyon.open(background=False) as engine:
    engine.save(pinyon.Record(id="a", body="red"))
    used = Model("openai:x@4", "openai", 4)
    engine._store.commit(Batch(now=datetime.now(UTC), use=used))
    print(engine.search("red").meta["warnings"], engine.models()[0].problem)
    try:
        engine.embed()
    except pinyon.PinyonError as problem:
        print(problem)
"""
    told, said = guarded(program, home=tmp_path)
    assert said == ""
    assert told.count("you have not agreed") == 2
