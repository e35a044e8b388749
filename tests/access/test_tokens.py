"""Tokens: made once, kept as a digest, limited to one store, and gone when they are revoked."""

import json
import os
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pinyon.access import Permit
from pinyon.access.tokens import Tokens, expiry
from pinyon.model.errors import InvalidInput, NotRecognised
from tests.store.world import NOW

HERE = Path(__file__).resolve().parents[2]


class Watch:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def tokens(tmp_path: Path, watch: Watch) -> Tokens:
    return of(tmp_path, "notes.pinyon", watch)


def of(folder: Path, store: str, watch: Watch | None = None) -> Tokens:
    return Tokens(folder / store, folder=folder / "config", clock=watch or Watch())


@pytest.mark.proves("X11")
def test_a_token_permits_what_it_was_made_for(tokens: Tokens) -> None:
    made = tokens.create("agent", ["write", "search"], scopes=["team/api/"], tiers=["team"])
    assert tokens.permit(made) == Permit(
        "agent", frozenset({"search", "write"}), ("team",), ("team/api",)
    )


def test_only_a_digest_is_kept_and_only_the_owner_can_read_it(
    tokens: Tokens, tmp_path: Path
) -> None:
    secret = tokens.create("agent", ["search"]).split("_", 2)[2]
    file = tmp_path / "config" / "tokens.json"
    assert secret not in file.read_text("utf-8")
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(secret) >= 43  # 32 bytes


def test_a_token_opens_no_other_store(tokens: Tokens, tmp_path: Path) -> None:
    made = tokens.create("agent", ["search"])
    other = of(tmp_path, "other.pinyon")
    assert other.all() == []
    with pytest.raises(NotRecognised):
        other.permit(made)
    other.create("agent", ["search"])  # a name is taken in one store only


def test_a_store_has_its_tokens_by_every_name(tokens: Tokens, tmp_path: Path) -> None:
    (tmp_path / "notes.pinyon").touch()
    (tmp_path / "link.pinyon").symlink_to(tmp_path / "notes.pinyon")
    (tmp_path / "hard.pinyon").hardlink_to(tmp_path / "notes.pinyon")
    made = tokens.create("agent", ["search"])
    for name in ("link.pinyon", "hard.pinyon", "x/../notes.pinyon"):
        assert of(tmp_path, name).permit(made).name == "agent"


def test_what_is_not_the_token_does_not_count(tokens: Tokens) -> None:
    made = tokens.create("agent", ["search"])
    prefix, id, secret = made.split("_", 2)
    for wrong in (
        *("", "_", "__", prefix, f"{prefix}_{id}", f"{prefix}_{id}_", f"{prefix}__{secret}"),
        *(f"x_{id}_{secret}", made[:-1], f"{made}x", made.upper(), f"{made}é\ud800"),
        f"{prefix}_{id}_{tokens.all()[0].sha256}",
    ):
        with pytest.raises(NotRecognised):
            tokens.permit(wrong)


def test_a_token_expires(tokens: Tokens, watch: Watch) -> None:
    made = tokens.create("agent", ["search"], expires_at=NOW + timedelta(days=1))
    watch.now = NOW + timedelta(days=1, seconds=-1)
    assert tokens.permit(made).name == "agent"
    watch.now = NOW + timedelta(days=1)
    with pytest.raises(NotRecognised, match="'agent' has expired"):
        tokens.permit(made)
    assert [each.name for each in tokens.all()] == ["agent"]


def test_a_revoked_token_is_refused_at_once_also_by_another_process(
    tokens: Tokens, tmp_path: Path
) -> None:
    made, stays = (tokens.create(name, ["search"]) for name in ("agent", "stays"))
    server = of(tmp_path, "notes.pinyon")
    assert server.permit(made).name == "agent"
    tokens.revoke("agent")
    with pytest.raises(NotRecognised):
        server.permit(made)
    assert server.permit(stays).name == "stays"
    with pytest.raises(InvalidInput, match="known: stays"):
        tokens.revoke("agent")


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"name": ""}, "letters"),
        ({"name": "a b"}, "letters"),
        ({"name": "a\nb"}, "letters"),
        ({"name": "x" * 65}, "letters"),
        ({"capabilities": ["search", "fly"]}, "known: search, write, admin"),
        ({"capabilities": []}, "give it search"),
        ({"scopes": ["a//b"]}, "empty part"),
        ({"scopes": ["/"]}, "leave it out"),
        ({"scopes": ["a\nb"]}, "control character"),
        ({"tiers": ["../x"]}, "letters"),
        ({"expires_at": NOW}, "time to come"),
    ],
)
def test_what_cannot_be_a_token_is_refused_with_the_remedy(
    tokens: Tokens, how: dict[str, object], said: str
) -> None:
    with pytest.raises(InvalidInput, match=said):
        tokens.create(**{"name": "agent", "capabilities": ["search"], **how})  # type: ignore[arg-type]
    assert tokens.all() == []


def test_a_name_is_taken_until_it_is_revoked(tokens: Tokens) -> None:
    tokens.create("agent", ["search"])
    with pytest.raises(InvalidInput, match="pinyon token revoke agent"):
        tokens.create("agent", ["search"])
    tokens.revoke("agent")
    tokens.create("agent", ["search"])


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("30d", NOW + timedelta(days=30)),
        ("12h", NOW + timedelta(hours=12)),
        ("8w", NOW + timedelta(weeks=8)),
        ("2027-01-01", datetime(2027, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_time_to_expire_can_be_a_span_or_a_date(text: str, moment: datetime) -> None:
    assert expiry(text, NOW) == moment


@pytest.mark.parametrize("text", ["", "d", "30", "-1d", "30 d", "1y", "tomorrow", "999999d"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="30d, 12h, 8w"):
        expiry(text, NOW)


BROKEN = [
    b"",
    b"{",
    b"[]",
    b'{"tokens": {}}',
    b'{"tokens": [1]}',
    b'{"tokens": [{"name": "agent"}]}',
    b"\xff\xfe",
    b"[" * 100_000,
]


@pytest.mark.parametrize("raw", BROKEN)
def test_a_file_that_cannot_be_read_opens_nothing_and_is_not_written_over(
    tokens: Tokens, tmp_path: Path, raw: bytes
) -> None:
    made = tokens.create("agent", ["search"])
    file = tmp_path / "config" / "tokens.json"
    file.write_bytes(raw)
    for call in (
        tokens.all,
        lambda: tokens.permit(made),
        lambda: tokens.create("other", ["search"]),
        lambda: tokens.revoke("agent"),
    ):
        with pytest.raises(InvalidInput, match="repair the file"):
            call()
    assert file.read_bytes() == raw


@pytest.mark.parametrize("field", ["capabilities", "scopes", "tiers", "expires_at", "store"])
def test_a_token_that_lost_a_limit_is_not_one_without_it(
    tokens: Tokens, tmp_path: Path, field: str
) -> None:
    tokens.create("agent", ["search"], scopes=["team"])
    file = tmp_path / "config" / "tokens.json"
    listed = json.loads(file.read_text("utf-8"))
    del listed["tokens"][0][field]
    file.write_text(json.dumps(listed), "utf-8")
    with pytest.raises(InvalidInput, match="cannot be read"):
        tokens.all()


def test_a_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("a file")
    with pytest.raises(InvalidInput, match=r"cannot be (kept|read)"):
        of(tmp_path, "notes.pinyon").create("agent", ["search"])


MAKER = """
import sys
from pathlib import Path
from pinyon.access.tokens import Tokens
tokens = Tokens(Path(sys.argv[1]), folder=Path(sys.argv[2]))
for number in range(20):
    tokens.create(f"{sys.argv[3]}-{number}", ["search"])
"""


def test_two_processes_that_create_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    store, config = str(tmp_path / "notes.pinyon"), str(tmp_path / "config")
    makers = [
        subprocess.Popen([sys.executable, "-c", MAKER, store, config, name], cwd=HERE)
        for name in ("one", "two")
    ]
    assert [maker.wait(60) for maker in makers] == [0, 0]
    names = {each.name for each in of(tmp_path, "notes.pinyon").all()}
    assert names == {f"{name}-{number}" for name in ("one", "two") for number in range(20)}
    assert sorted(each.name for each in (tmp_path / "config").iterdir()) == [
        "tokens.json",
        "tokens.lock",
    ]
