"""What every test may ask for: the whole collection of this run, and what it says it proves.

No test loads a model or touches the user's folders unless it says so.
"""

import signal
from collections.abc import Iterator

import pytest

from tests.proofs import Collected, collect

COLLECTED = pytest.StashKey[Collected]()


def pytest_configure() -> None:
    """Tests press Ctrl-C in programs that they start, and those ignore it where this one does: a
    shell starts what it puts into the background like that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)  # before -m and -k take tests away
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.stash[COLLECTED] = collect(config, items)


@pytest.fixture(scope="session", autouse=True)
def _nothing_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One cache for the run: building a real model's graph takes a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINYON_MODEL", "none")
        for name in ("PINYON_CACHE", "PINYON_CONFIG"):
            patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
        for key in ("OPENAI_API_KEY", "VOYAGE_API_KEY", "PINYON_EMBED_KEY"):
            patch.delenv(key, raising=False)
        yield


@pytest.fixture
def whole_suite(request: pytest.FixtureRequest) -> Collected:
    """Every test that there is; skips where only a part of them was collected."""
    collected = request.config.stash[COLLECTED]
    if collected.missing:
        pytest.skip(f"needs the whole suite: {collected.missing}")
    return collected
