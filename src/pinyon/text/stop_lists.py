"""Stop lists: words that are left out of questions, never out of the index."""

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "stop"


@cache
def stop_list(name: str) -> frozenset[str]:
    """The words of stop/NAME.txt, in lower case."""
    lines = (_FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def stop_list_names() -> list[str]:
    """The lists that there are."""
    return sorted(path.stem for path in _FOLDER.glob("*.txt"))
