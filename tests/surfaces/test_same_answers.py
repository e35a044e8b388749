"""The same question has the same answer, whoever asks: Python, the shell, MCP and HTTP, each over
the same store in a process of its own kind."""

import json
import math
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from anyio.from_thread import start_blocking_portal

import pinyon
from pinyon.surfaces.answers import answer_to_json
from tests.inference.tiny import write_folder
from tests.surfaces.cli.shell import Shell
from tests.surfaces.serving import serving

CORPUS = Path(__file__).parents[1] / "golden" / "corpus.jsonl"
Asked = Mapping[str, Any]
Json = dict[str, Any]
Search = Callable[[Asked], Json]

QUESTIONS: dict[str, Asked] = {
    "words": {"query": "how are tokens checked"},
    "by words alone": {"query": "cache stampede at opening", "profile": "keyword"},
    "by meaning alone": {"query": "red and green", "profile": "vector", "limit": 4},
    "grave and fresh": {"query": "auth in security", "profile": "vault"},
    "memories": {"query": "Anna drinks in the morning", "profile": "brain"},
    "specifications": {"query": "sign-in with passkeys", "profile": "spec"},
    "titles": {"query": "tasting", "profile": "pages"},
    "links": {"query": "invoice rounding", "profile": "graph"},
    "files": {"query": "verify", "profile": "files"},
    "skills": {"query": "what to do in an incident", "profile": "skills"},
    "the beginning of each": {"query": "logging", "mode": "scan"},
    "whole records": {"query": "session cookie", "mode": "full", "limit": 3},
    "kinds": {"query": "tokens", "kinds": ["code", "entry"]},
    "tags": {"query": "checked", "tags": ["auth", "security"]},
    "a scope": {"query": "", "scope": "shop"},
    "some months": {"query": "tea", "since": "2025-06-01", "until": "2026-04-01"},
    "subjects": {"query": "database", "domains": ["backend"], "severities": ["warning"]},
    "an author": {"query": "reports", "authors": ["Mira"]},
    "the past": {"query": "how are tokens checked", "as_of": "2024-01-01"},
    "what is over": {"query": "tokens", "superseded": True, "expired": True},
    "more like one": {"like": "jwt-validation", "limit": 5},
    "two channels": {"query": "password hashing", "channels": ["lexical", "graph"]},
    "a channel": {"query": "green tea", "channels": ["vector"]},
    "operators": {"query": 'title:token* AND NOT "by the tills"'},
    "neighbours": {"query": "NEAR(exponential backoff, 5) OR idempotency"},
    "nothing asked": {"limit": 3, "sort": "date"},
    "off topic": {"query": "lattice quantum chromodynamics", "profile": "keyword"},
    "misspelt": {"query": "idempotancy keyz"},
    "misspelt, as it is": {"query": "idempotancy keyz", "fix": False},
    "han": {"query": "旅行"},
    "cyrillic and arabic": {"query": "чай مرحبا שלום"},
    "signs": {"query": "\"' OR 1=1; <script>alert(1)</script> %00 \\ {}"},
    "the second page": {"query": "the token", "limit": 2, "page": 2},
    "few tokens": {"query": "payments", "max_tokens": 120, "mode": "full"},
    "one hit a file": {"query": "verify tokens", "group": "file"},
    "all that was found": {"query": "gateway", "min_relevance": 0.0, "limit": 50},
    "a wish": {"query": "tokens", "intent": "security_audit"},
    "a time": {"query": "what happened in march 2026", "time": "filter"},
    "other weights": {"query": "anna", "override": {"rank.weights.lexical": 2}},
    "none of these": {"query": "tokens", "kinds": ["resource"], "tags": ["tea"]},
}
OF_AGENTS = {
    *("query", "kinds", "tags", "scope", "tiers", "profile", "mode", "limit", "max_tokens"),
    *("min_relevance", "as_of", "page"),
}
"""What a tool can be asked."""

OPTIONS = {
    "kinds": "--kind",
    "tags": "--tag",
    "domains": "--domain",
    "severities": "--severity",
    "authors": "--author",
}
SWITCHES = {"fix": "--no-fix", "superseded": "--superseded", "expired": "--expired"}

NOW = ("ms", "stages")
"""Of `meta`, what is different each time."""

FADING = ("decay", "recency", "time")
"""Signals that change while the clock goes on."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus of the golden rankings, with vectors. Questions leave nothing behind: a use would
    change the next answer."""
    folder = tmp_path_factory.mktemp("same")
    write_folder(folder / "tiny")
    with (
        pinyon.open(folder / "same.pinyon", background=False) as engine,
        CORPUS.open("rb") as corpus,
    ):
        engine.import_jsonl(corpus)
        engine.use_model(str(folder / "tiny"))
        engine.embed()
        engine.configure("track_use", "false")
        engine.configure("log_queries", "false")
    return folder / "same.pinyon"


def paged(search: Search) -> Search:
    """A page is asked for by the cursor of the one before."""

    def asked(given: Asked) -> Json:
        how = dict(given)
        for _ in range(how.pop("page", 1) - 1):
            how["cursor"] = search(how)["meta"]["next"]
        return search(how)

    return asked


@pytest.fixture(scope="module")
def python(store: Path) -> Iterator[Search]:
    with pinyon.open(store, background=False) as engine:
        yield lambda asked: plain(answer_to_json(engine.search(**asked)))


@pytest.fixture(scope="module")
def shell(store: Path) -> Search:
    return lambda asked: dict(Shell(store).json("search", *words(asked)))


@pytest.fixture(scope="module")
def url(store: Path) -> Iterator[str]:
    with serving(store) as server:
        yield server.url


@pytest.fixture(scope="module")
def http(url: str) -> Iterator[Search]:
    with httpx.Client(base_url=url) as client:
        yield lambda asked: dict(client.post("/v1/search", json=asked).raise_for_status().json())


@pytest.fixture(scope="module")
def client(url: str) -> Iterator[Search]:
    with pinyon.connect(url) as connected:
        yield lambda asked: plain(answer_to_json(connected.search(**asked)))


@pytest.fixture(scope="module")
def mcp(store: Path) -> Iterator[Search]:
    """The SDK's client over standard input and output."""
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "pinyon", "mcp", "--store", str(store)],
        env=dict(os.environ),
    )
    with Path(os.devnull).open("w") as quiet, start_blocking_portal() as portal:
        agent = Client(stdio_client(server, errlog=quiet))
        with portal.wrap_async_context_manager(agent):

            def search(asked: Asked) -> Json:
                told = {"mode": "match", **asked, "explain": True}
                result = portal.call(agent.call_tool, "search", told)
                assert not result.is_error, result.content
                return dict(result.structured_content or {})

            yield search


def words(asked: Asked) -> Iterator[str]:
    """A question as the words of a command."""
    if asked.get("query"):
        yield asked["query"]
    for name, value in asked.items():
        match name:
            case "query":
                pass
            case "channels":
                yield f"--channels={','.join(value)}"
            case "override":
                yield from (f"--set={path}={json.dumps(new)}" for path, new in value.items())
            case _ if name in SWITCHES:
                yield SWITCHES[name]
            case _ if name in OPTIONS:
                yield from (f"{OPTIONS[name]}={each}" for each in value)
            case _:
                yield f"--{name.replace('_', '-')}={value}"


def plain(answer: Json) -> Json:
    return dict(json.loads(json.dumps(answer)))


def timeless(answer: Json) -> Json:
    meta = {name: value for name, value in answer["meta"].items() if name not in NOW}
    meta["filters"] = {name: value for name, value in meta["filters"].items() if name != "at"}
    return {"hits": answer["hits"], "meta": meta}


def nearly(one: Any, other: Any) -> bool:
    """Equal but for what some seconds do to a number."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(nearly(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(nearly, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-4)
    return bool(one == other)


def askable(surface: str) -> list[str]:
    names = [name for name, asked in QUESTIONS.items() if asked.keys() <= OF_AGENTS]
    return names if surface == "mcp" else list(QUESTIONS)


@pytest.mark.proves("P10")
@pytest.mark.parametrize(
    ("surface", "name"),
    [(each, name) for each in ("shell", "http", "client", "mcp") for name in askable(each)],
)
def test_every_surface_gives_the_answer_of_the_engine(
    python: Search, surface: str, name: str, request: pytest.FixtureRequest
) -> None:
    question = QUESTIONS[name]
    expected = timeless(paged(python)(question))
    answer = timeless(paged(request.getfixturevalue(surface))(question))
    fading = any(expected["meta"]["weights"].get(signal) for signal in FADING)
    assert nearly(answer, expected) if fading else answer == expected


def test_the_questions_ask_for_much_and_find_something(python: Search) -> None:
    answers = {name: paged(python)(asked) for name, asked in QUESTIONS.items()}
    empty = {name for name, answer in answers.items() if not answer["hits"]}
    assert {"off topic", "none of these"} <= empty
    assert empty <= {"off topic", "none of these", "signs", "cyrillic and arabic"}
    channels = {each for answer in answers.values() for each in answer["meta"]["channels"]}
    assert channels == {"lexical", "vector", "graph"}
    assert len(askable("http")) >= 30
    assert len(askable("mcp")) >= 20
