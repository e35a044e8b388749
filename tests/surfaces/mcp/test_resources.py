"""Resources and prompts, read by the SDK's own client."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError

import pinyon
from tests.surfaces.mcp.agents import OLD, Agent, over_stdio

pytestmark = pytest.mark.proves("P10")

STRANGE = "a/b c?d#e%2F知/related"


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    store = tmp_path_factory.mktemp("store") / "agents.pinyon"
    _fill(store)
    with over_stdio(store, mode=OLD) as found:
        yield found


def _fill(store: Path) -> None:
    with pinyon.open(store) as engine:
        for number in range(3):
            engine.save(pinyon.Record(id=f"r{number}", kind="note", body=f"We retry {number}."))
        engine.save(pinyon.Record(id=STRANGE, kind="task", title="Odd", body="Strange id."))
        engine.save(pinyon.Record(id="top", kind="memory", body="Matters.", importance=5))


def test_templates_tell_what_can_be_read(agent: Agent) -> None:
    listed = agent.portal.call(agent.client.list_resource_templates).resource_templates
    assert {each.name: each.mime_type for each in listed} == {
        "search": "application/json",
        "record": "application/json",
        "brief": "application/json",
    }
    (brief,) = agent.portal.call(agent.client.list_resources).resources
    assert json.loads(agent.read(brief.uri))["sections"]["important"]["items"][0]["id"] == "top"


def test_a_search_is_read_with_its_filters(agent: Agent) -> None:
    answer = json.loads(agent.read("pinyon://search?q=retry&kinds=note&kinds=task&limit=2"))
    same = agent.given("search", query="retry", kinds=["note", "task"], limit=2)
    assert answer["hits"] == same["hits"]
    assert len(answer["hits"]) == 2
    assert len(json.loads(agent.read("pinyon://search?kinds=task"))["hits"]) == 1


def test_a_record_is_read_by_any_id(agent: Agent) -> None:
    record = json.loads(agent.read(f"pinyon://record/{quote(STRANGE, safe='')}"))
    assert (record["id"], record["body"]) == (STRANGE, "Strange id.")


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("pinyon://record/nope", "no record has the id 'nope'"),
        ("pinyon://record/..%2F..%2Fetc%2Fpasswd", "no record has the id"),
        ("pinyon://record/", "there is no resource"),
        ("pinyon://nothing", "there is no resource"),
        ("file:///etc/passwd", "there is no resource"),
        ("pinyon://search?colour=red", "colour: there is no such argument"),
        ("pinyon://search?q=x&limit=many", "limit: should be a valid integer"),
        ("pinyon://brief?max_tokens=-1", "max_tokens: should be greater than or equal to 0"),
    ],
)
def test_what_is_not_there_is_a_clear_error(agent: Agent, uri: str, said: str) -> None:
    with pytest.raises(MCPError, match=said) as caught:
        agent.read(uri)
    assert caught.value.code == types.INVALID_PARAMS


def test_a_prompt_has_the_question_and_the_way(agent: Agent) -> None:
    prompts = agent.portal.call(agent.client.list_prompts).prompts
    assert [prompt.name for prompt in prompts] == ["scan_then_get", "start_task"]
    arguments = {"question": "what is $HOME?", "max_tokens": "900"}
    got = agent.portal.call(agent.client.get_prompt, "scan_then_get", arguments)
    (message,) = got.messages
    assert isinstance(message.content, types.TextContent)
    assert "what is $HOME?" in message.content.text
    assert "at most 900 tokens" in message.content.text
    order = [message.content.text.index(word) for word in ("search", "get with", "feedback")]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("nope", {}, "there is no prompt 'nope'"),
        ("scan_then_get", {}, "question: it is needed"),
        ("scan_then_get", {"question": "x", "size": "1"}, "size: there is no such argument"),
    ],
)
def test_a_prompt_that_cannot_be_given_says_why(
    agent: Agent, name: str, arguments: dict[str, str], said: str
) -> None:
    with pytest.raises(MCPError, match=said):
        agent.portal.call(agent.client.get_prompt, name, arguments)
