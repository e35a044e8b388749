"""Hub: a named repository is pulled whole or not at all, from a real server that may be hostile."""

import hashlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pinyon.inference.contract import BrokenModel, ModelError, NoModel
from pinyon.inference.hub import GRAPHS, hub_folder, pull_hub
from pinyon.inference.open import open_embedder
from tests.inference import tiny

NAME = "hf:some-one/tiny.model_v1"
LIST, FILES = "/api/models/some-one/tiny.model_v1", "/some-one/tiny.model_v1/resolve"
FIRST, SECOND = "a" * 40, "b" * 40
GRAPH = "onnx/model.onnx"


@dataclass
class Hub:
    """A hub on this machine: small files come at once, graphs by way of a redirect to a store.

    `replies` stand instead of the good answer for a path (status, headers, body), `short` paths
    break off before their last byte, `names` are listed besides the files.
    """

    url: str = ""
    revision: str = FIRST
    files: dict[str, bytes] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    replies: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    short: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)

    def answer(self, path: str) -> tuple[int, dict[str, str], bytes]:
        if path in self.replies:
            return self.replies[path]
        if path == LIST:
            names = [{"rfilename": name} for name in [*self.files, *self.names]]
            return 200, {}, json.dumps({"sha": self.revision, "siblings": names}).encode()
        resolved = f"{FILES}/{self.revision}/"
        file = path.removeprefix("/store/").removeprefix(resolved)
        if file == path or file not in self.files:
            return 404, {}, b""
        if path.startswith(resolved) and ".onnx" in file:
            digest = hashlib.sha256(self.files[file]).hexdigest()
            linked = {"X-Linked-Size": str(len(self.files[file])), "X-Linked-Etag": f'"{digest}"'}
            return 302, {"Location": f"{self.url}/store/{file}", **linked}, b""
        return 200, {}, self.files[file]


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    hub = Hub(files=repository(tmp_path / "theirs"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(hub))
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield hub
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.proves("P11")
def test_a_pulled_repository_is_a_model_like_any_folder(tmp_path: Path, hub: Hub) -> None:
    hub.names = ["README.md", "onnx/model_quantized.onnx", "model.safetensors"]
    folder = pull_hub(NAME, tmp_path / "cache", endpoint=f"{hub.url}/")
    assert folder == tmp_path / "cache" / "hub" / "some-one--tiny.model_v1"
    assert {name: data for name, data in kept(folder).items() if name != "pulled.json"} == hub.files
    pulled = open_embedder(NAME, tmp_path / "cache", threads=1)
    local = open_embedder(str(tmp_path / "theirs"), tmp_path / "cache", threads=1)
    np.testing.assert_array_equal(pulled.embed_queries(["red"]), local.embed_queries(["red"]))
    assert pulled.name.startswith("some-one--tiny.model_v1@")


def test_a_repository_that_was_not_pulled_says_how_and_asks_nobody(
    tmp_path: Path, hub: Hub
) -> None:
    with pytest.raises(NoModel) as raised:
        open_embedder(NAME, tmp_path)
    assert raised.value.remedy == f"fetch it with `pinyon model pull {NAME}`"
    assert hub.asked == []


def test_what_is_here_in_the_present_revision_is_not_downloaded_again(
    tmp_path: Path, hub: Hub
) -> None:
    pull_hub(NAME, tmp_path, endpoint=hub.url)
    hub.asked.clear()
    pull_hub(NAME.removeprefix("hf:"), tmp_path, endpoint=hub.url)
    assert hub.asked == [LIST]


@pytest.mark.parametrize("damage", [b"", None])
def test_a_damaged_model_is_pulled_again(tmp_path: Path, hub: Hub, damage: bytes | None) -> None:
    path = pull_hub(NAME, tmp_path, endpoint=hub.url) / "tokenizer.json"
    path.unlink() if damage is None else path.write_bytes(damage)
    pull_hub(NAME, tmp_path, endpoint=hub.url)
    assert path.read_bytes() == hub.files["tokenizer.json"]


def test_revisions_with_other_weights_have_other_names(tmp_path: Path, hub: Hub) -> None:
    tiny.write_graph(
        tmp_path / "other.onnx", np.ones((len(tiny.WORDS), 4), "f4"), output="last_hidden_state"
    )
    names = []
    for revision, changed in (
        (FIRST, {}),
        (SECOND, {"README.md": b"a page about it changes no vector"}),
        ("c" * 40, {GRAPH: (tmp_path / "other.onnx").read_bytes()}),
    ):
        hub.revision = revision
        hub.files |= changed
        pull_hub(NAME, tmp_path, endpoint=hub.url)
        names.append(open_embedder(NAME, tmp_path, threads=1).name)
    assert names[0] == names[1] != names[2]


def test_weights_in_a_file_of_their_own_come_along(tmp_path: Path, hub: Hub) -> None:
    hub.files |= {f"{GRAPH}_data": b"weights", f"{GRAPH}_data_1": b"more", f"{GRAPH}.data": b"w"}
    folder = pull_hub(NAME, tmp_path, endpoint=hub.url)
    assert {name for name in kept(folder) if "data" in name} == {
        f"{GRAPH}{end}" for end in ("_data", "_data_1", ".data")
    }


def test_of_two_graphs_the_one_that_is_read_is_taken(tmp_path: Path, hub: Hub) -> None:
    hub.files["model.onnx"] = hub.files[GRAPH]
    folder = pull_hub(NAME, tmp_path, endpoint=hub.url)
    assert {name for name in GRAPHS if (folder / name).is_file()} == {"model.onnx"}


def test_names_that_nobody_asked_for_are_never_fetched_or_written(tmp_path: Path, hub: Hub) -> None:
    honest = {LIST, *(f"{FILES}/{FIRST}/{file}" for file in hub.files), f"/store/{GRAPH}"}
    hub.names = [
        *("../../../evil.json", "/etc/passwd", "C:\\evil", "onnx/../../../config.json"),
        *(f"{GRAPH}_data/../../../evil", f"{GRAPH}_data\n", f"{GRAPH}_data_../x", "pulled.json"),
        *("config.json/", "CONFIG.JSON", "", "hook.py", "model.onnx/../../x"),
    ]
    pull_hub(NAME, tmp_path / "cache", endpoint=hub.url)
    assert set(hub.asked) == honest
    assert set(kept(tmp_path / "cache" / "hub")) == {
        f"some-one--tiny.model_v1/{file}" for file in [*hub.files, "pulled.json"]
    }


@pytest.mark.parametrize(
    ("status", "kind", "problem", "remedy"),
    [
        (404, NoModel, "has no some-one/tiny", "spelling"),
        (401, NoModel, "without a token", "give its folder"),
        (403, NoModel, "without a token", "give its folder"),
        (307, NoModel, "has moved", "as the hub does now"),
        (429, ModelError, "answered 429", "later"),
        (500, ModelError, "answered 500", "later"),
    ],
)
def test_a_repository_that_is_refused_says_what_to_do(
    tmp_path: Path, hub: Hub, status: int, kind: type[ModelError], problem: str, remedy: str
) -> None:
    hub.replies[LIST] = (status, {"Location": f"{hub.url}/elsewhere"}, b"")
    raised = refused(kind, tmp_path, hub)
    assert problem in raised.problem
    assert remedy in raised.remedy
    assert hub.asked == [LIST]


@pytest.mark.parametrize(
    "listing",
    [
        *(b"<html>", b"[]", b"{}", b'{"sha": "main", "siblings": []}', b"[" * 100_000),
        *(b'{"sha": "../../x", "siblings": []}', b'{"sha": 1, "siblings": 2}'),
        *(b'{"sha": "%s", "siblings": %s}' % (b"a" * 40, it) for it in (b"null", b"[1]", b"[{}]")),
    ],
)
def test_a_list_that_is_none_is_refused(tmp_path: Path, hub: Hub, listing: bytes) -> None:
    hub.replies[LIST] = (200, {}, listing)
    assert "something else than a list" in refused(ModelError, tmp_path, hub).problem


@pytest.mark.parametrize(("missing", "problem"), [(GRAPH, "ONNX"), ("tokenizer.json", "tokenizer")])
def test_a_repository_without_what_a_model_needs_is_not_downloaded(
    tmp_path: Path, hub: Hub, missing: str, problem: str
) -> None:
    del hub.files[missing]
    assert problem in refused(NoModel, tmp_path, hub).problem
    assert hub.asked == [LIST]


@pytest.mark.parametrize("path", [f"/store/{GRAPH}", f"{FILES}/{FIRST}/tokenizer.json", LIST])
def test_an_answer_that_breaks_off_leaves_nothing(tmp_path: Path, hub: Hub, path: str) -> None:
    hub.short = {path}
    assert "broke off" in refused(ModelError, tmp_path, hub).problem


@pytest.mark.parametrize(
    ("path", "reply", "kind", "problem"),
    [
        (f"/store/{GRAPH}", (200, {}, b"short"), BrokenModel, "has 5 bytes instead of"),
        ("tokenizer.json", (200, {}, b"<html>Please log in"), BrokenModel, "not JSON"),
        ("tokenizer.json", (404, {}, b""), ModelError, "answered 404"),
        ("tokenizer.json", (302, {"Location": LIST[:4]}, b""), ModelError, "answered 404"),
        (f"/store/{GRAPH}", (503, {}, b""), ModelError, "answered 503"),
        (f"/store/{GRAPH}", (302, {"Location": f"/store/{GRAPH}"}, b""), ModelError, "TooMany"),
        (GRAPH, (302, {"Location": "file:///etc/passwd"}, b""), ModelError, "address"),
    ],
)
def test_a_file_that_is_not_what_the_hub_named_leaves_nothing(
    tmp_path: Path,
    hub: Hub,
    path: str,
    reply: tuple[int, dict[str, str], bytes],
    kind: type[ModelError],
    problem: str,
) -> None:
    hub.replies[path if path.startswith("/") else f"{FILES}/{FIRST}/{path}"] = reply
    assert problem in refused(kind, tmp_path, hub).problem


def test_a_changed_byte_is_seen(tmp_path: Path, hub: Hub) -> None:
    changed = hub.files[GRAPH][:-1] + bytes([hub.files[GRAPH][-1] ^ 1])
    hub.replies[f"/store/{GRAPH}"] = (200, {}, changed)
    assert "SHA-256" in refused(BrokenModel, tmp_path, hub).problem


def test_a_newer_revision_that_breaks_leaves_the_older_one(tmp_path: Path, hub: Hub) -> None:
    pull_hub(NAME, tmp_path, endpoint=hub.url)
    before = kept(tmp_path)
    hub.revision, hub.short = SECOND, {f"/store/{GRAPH}"}
    with pytest.raises(ModelError):
        pull_hub(NAME, tmp_path, endpoint=hub.url)
    assert kept(tmp_path) == before


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, hub: Hub) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelError, match="cannot be kept in") as raised:
        pull_hub(NAME, tmp_path / "file", endpoint=hub.url)
    assert "another cache folder" in raised.value.remedy


@pytest.mark.parametrize("endpoint", ["http://127.0.0.1:1", "ftp://hub", "hub", "http://hub:port"])
def test_a_hub_that_cannot_be_asked_is_named(tmp_path: Path, endpoint: str) -> None:
    with pytest.raises(ModelError) as raised:
        pull_hub(NAME, tmp_path, endpoint=endpoint)
    assert endpoint in raised.value.problem
    assert raised.value.remedy
    assert kept(tmp_path) == {}


@pytest.mark.parametrize(
    "name",
    [
        *("", "hf:", "hf:name", "hf:a/b/c", "hf:../x", "hf:a/..", "hf:a/b--c", "hf:a/b?x"),
        *("hf:a/b .", "hf:a/b\n", "hf:/b", "hf:a/", "hf:a/.b", "hf:a/b.", "hf:ä/b", "hf:a\\b/c"),
        "hf:hf:a/b",
    ],
)
def test_what_is_no_repository_is_refused_before_anybody_is_asked(
    tmp_path: Path, hub: Hub, name: str
) -> None:
    with pytest.raises(NoModel, match="no repository") as raised:
        pull_hub(name, tmp_path, endpoint=hub.url)
    assert raised.value.remedy == "name it as hf:OWNER/NAME"
    assert hub.asked == []


def test_opening_models_loads_no_client_and_no_numbers() -> None:
    code = "import sys, pinyon.inference.open; print({*sys.modules} & {'httpx', 'numpy', 'onnx'})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def refused(kind: type[ModelError], cache: Path, hub: Hub) -> ModelError:
    """The error of a pull that leaves nothing behind."""
    with pytest.raises(kind) as raised:
        pull_hub(NAME, cache / "cache", endpoint=hub.url)
    assert not hub_folder(NAME, cache / "cache").exists()
    assert kept(cache / "cache") == {}
    assert raised.value.remedy
    assert "\n" not in str(raised.value)
    return raised.value


def repository(folder: Path) -> dict[str, bytes]:
    tiny.write_folder(
        folder,
        pooling="mean_tokens",
        config={"model_type": "bert"},
        config_sentence_transformers={"prompts": {"query": "query "}},
    )
    return kept(folder)


def kept(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def handler(hub: Hub) -> Callable[..., BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            hub.asked.append(self.path)
            status, headers, content = hub.answer(self.path)
            self.close_connection = True
            self.send_response(status)
            for name, value in {**headers, "Connection": "close"}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[:-1] if self.path in hub.short else content)

        def log_message(self, format: str, *args: Any) -> None:
            """Says nothing: the requests are kept."""

    return Handler
