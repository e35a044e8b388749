"""A server that is away, slow or none of ours is one clear error; the token is never shown."""

import json
import socket
import time
import traceback

import pytest

import pinyon
from pinyon.model.errors import InvalidInput, NotPermitted, NotRecognised, PinyonError
from pinyon.surfaces.http.client import NoServer
from tests.inference.server import Reply, running

TOKEN = "pin_very-secret-indeed"


def problem(status: int, **said: str) -> Reply:
    return status, {"Content-Type": "application/json"}, json.dumps({"error": said}).encode()


def asked(reply: Reply, *, token: str | None = TOKEN, timeout_s: float = 20.0) -> PinyonError:
    """What a search raises where a server answers like this."""
    with running(script=[reply]) as server:
        url = server.url.removesuffix("/v1")
        with pinyon.connect(url, token, timeout_s=timeout_s) as client:
            with pytest.raises(PinyonError) as caught:
                client.search("tea")
            shown = "".join(traceback.format_exception(caught.value))
            assert TOKEN not in shown + repr(client) + repr(vars(client))
            return caught.value


NONSENSE: dict[str, Reply] = {
    "a page": (200, {"Content-Type": "text/html"}, b"<h1>Hello</h1>"),
    "nothing": (200, {}, b""),
    "a list": (200, {}, b"[1, 2]"),
    "a number": (200, {}, b"7"),
    "half": (200, {}, b'{"hits": ['),
    "no hits": (200, {}, b'{"meta": {}}'),
    "odd hits": (200, {}, b'{"hits": [{"id": 1}], "meta": {}}'),
    "hits that are none": (200, {}, b'{"hits": 5, "meta": {}}'),
    "deep": (200, {}, b"[" * 100_000),
    "not UTF-8": (200, {}, b'"\xff\xfe\xfd'),
    "an error page": (502, {}, b"<h1>Bad gateway</h1>"),
    "an odd error": (500, {}, b'{"error": "boom"}'),
    "an error without a type": (500, {}, b'{"error": {"message": "boom"}}'),
    "an error with an odd type": (500, {}, b'{"error": {"type": 3, "message": "boom"}}'),
    "a redirect": (302, {"Location": "http://127.0.0.1:1/v1/search"}, b""),
}


@pytest.mark.parametrize("reply", NONSENSE.values(), ids=NONSENSE)
def test_an_answer_that_is_none_is_one_error(reply: Reply) -> None:
    error = asked(reply)
    assert isinstance(error, NoServer)
    assert error.remedy
    assert "\n" not in str(error)


def test_a_server_that_is_away_is_said_with_a_remedy() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (
        pinyon.connect(f"http://127.0.0.1:{port}", TOKEN) as client,
        pytest.raises(NoServer, match="pinyon serve") as caught,
    ):
        client.health()
    assert TOKEN not in str(caught.value)


def test_a_server_that_hangs_is_not_waited_for_for_ever() -> None:
    begun = time.monotonic()
    error = asked(None, timeout_s=0.2)
    assert isinstance(error, NoServer)
    assert "0.2 s" in str(error)
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (problem(401, type="NotRecognised", message=f"no token {TOKEN}"), NotRecognised),
        (problem(403, type="NotPermitted", message="may not", remedy=f"not {TOKEN}"), NotPermitted),
        (problem(413, type="TooLarge", message="too large"), InvalidInput),
        (problem(500, type="Whatever", message="boom"), PinyonError),
        (problem(500, type="Iterable", message="boom"), PinyonError),
        (problem(422, type="__doc__", message="boom"), InvalidInput),
    ],
)
def test_an_error_has_the_class_that_the_server_names(reply: Reply, kind: type) -> None:
    assert type(asked(reply)) is kind


def test_an_error_carries_what_errors_carry_and_nothing_else() -> None:
    said = {"type": "UnknownRecord", "message": "no", "ids": ["a", "b"], "__class__": "x", "n": 1}
    reply: Reply = (404, {}, json.dumps({"error": said}).encode())
    assert vars(asked(reply)) == {"problem": "no", "remedy": "", "ids": ("a", "b")}


def test_the_token_goes_into_one_header_and_nothing_is_packed_on_loopback() -> None:
    with running(script=[(200, {}, b'{"hits": [], "meta": {}}')]) as server:
        with pinyon.connect(server.url.removesuffix("/v1"), TOKEN) as client:
            assert client.search("tea").hits == ()
        (headers,) = server.headers
        assert headers["Authorization"] == f"Bearer {TOKEN}"
        assert headers["Accept-Encoding"] == "identity"
        assert TOKEN not in f"{server.paths}{server.asked}"
        assert server.asked == [{"query": "tea"}]


@pytest.mark.parametrize(
    "url",
    ["", "127.0.0.1:7598", "ftp://there", "http://", "http://me:pw@there", "http://there/?t=1"],
)
def test_an_address_that_is_none_is_refused_at_once(url: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        pinyon.connect(url)
    assert "pw" not in str(caught.value)


@pytest.mark.parametrize("token", [f"{TOKEN}\n", f"{TOKEN} x", f"{TOKEN}é"])
def test_a_token_that_cannot_be_one_is_refused_without_showing_it(token: str) -> None:
    with pytest.raises(NotRecognised) as caught:
        pinyon.connect("http://127.0.0.1:1", token)
    assert TOKEN not in str(caught.value)


def test_a_closed_client_says_so_and_can_be_closed_again() -> None:
    client = pinyon.connect("http://127.0.0.1:1")
    client.close()
    client.close()
    with pytest.raises(NoServer, match="closed"):
        client.search("tea")


@pytest.mark.parametrize("value", [float("nan"), object(), {1, object()}])
def test_what_cannot_be_sent_is_refused_before_it_is(value: object) -> None:
    with (
        pinyon.connect("http://127.0.0.1:1") as client,
        pytest.raises(InvalidInput, match="JSON"),
    ):
        client.update("a", extra={"x": value})
