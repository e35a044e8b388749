"""Warm: the store and its model are made ready while an agent still says hello."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread

from pinyon.engine import Engine
from pinyon.model.errors import PinyonError


@contextmanager
def warmed(engine: Engine) -> Iterator[None]:
    """A first search goes on beside what is done inside; nothing waits for it but the end."""
    search = Thread(target=_search, args=(engine,), name="pinyon-warm", daemon=True)
    search.start()
    try:
        yield
    finally:
        search.join()


def _search(engine: Engine) -> None:
    with suppress(PinyonError):  # whoever asks first is told
        engine.search("warm", limit=1, track=False)
