"""Each test says at its end how many inputs it tried: `make faults` shows it."""

from collections.abc import Iterator

import pytest

from tests.fuzz.law import TRIED


@pytest.fixture(autouse=True)
def _tell() -> Iterator[None]:
    TRIED.clear()
    yield
    for target in sorted({name for name, _ in TRIED}):
        answered, refused = TRIED[target, "answered"], TRIED[target, "refused"]
        print(f"{target}: {answered + refused:,} inputs, {refused:,} refused")  # noqa: T201
