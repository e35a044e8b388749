"""Blocks: packed codes as they lie in the file, about a thousand a row.

A block holds the passages that share all but the last bits of their number, sorted by it.
"""

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

BLOCK_BITS = 10


def width(dims: int) -> int:
    """Bytes of one code: a bit a dimension, in whole words of 64."""
    return -(-dims // 64) * 8


def put_codes(
    db: Any, model: int, dims: int, codes: Mapping[int, tuple[int, bytes]], revision: int
) -> None:
    """Write the row and the code of each passage, over what was known of it."""
    for block, numbers in _by_block(codes).items():
        known = _read(db, model, dims, block)
        known.update((number, codes[number]) for number in numbers)
        _write(db, model, block, known, revision)


def take_codes(db: Any, model: int, dims: int, numbers: Sequence[int]) -> None:
    """Take the codes of these passages away, in the revision that is being written."""
    revision = db.execute("SELECT number + 1 FROM revision").fetchall()[0][0]
    for block, gone in _by_block(numbers).items():
        known = _read(db, model, dims, block)
        left = {number: code for number, code in known.items() if number not in gone}
        if len(left) < len(known):
            _write(db, model, block, left, revision)


def read_codes(db: Any, model: int, dims: int) -> dict[int, tuple[int, bytes]]:
    """The row and the code of every passage that has one."""
    blocks = db.execute("SELECT block FROM code WHERE model = ?", (model,)).fetchall()
    codes: dict[int, tuple[int, bytes]] = {}
    for (block,) in blocks:
        codes |= _read(db, model, dims, block)
    return codes


def _by_block(numbers: Sequence[int] | Mapping[int, Any]) -> dict[int, set[int]]:
    blocks: dict[int, set[int]] = {}
    for number in numbers:
        blocks.setdefault(number >> BLOCK_BITS, set()).add(number)
    return blocks


def _read(db: Any, model: int, dims: int, block: int) -> dict[int, tuple[int, bytes]]:
    found = db.execute(
        "SELECT passages, rows, codes FROM code WHERE model = ? AND block = ?", (model, block)
    ).fetchall()
    if not found:
        return {}
    passages, rows, codes = found[0]
    size = width(dims)
    pairs = zip(array("q", passages), array("q", rows), strict=True)
    return {
        number: (row, codes[at * size : (at + 1) * size]) for at, (number, row) in enumerate(pairs)
    }


def _write(
    db: Any, model: int, block: int, codes: Mapping[int, tuple[int, bytes]], revision: int
) -> None:
    if not codes:
        db.execute("DELETE FROM code WHERE model = ? AND block = ?", (model, block))
        return
    numbers = sorted(codes)
    db.execute(
        "INSERT OR REPLACE INTO code VALUES (?, ?, ?, ?, ?, ?)",
        (
            model,
            block,
            revision,
            array("q", numbers).tobytes(),
            array("q", (codes[number][0] for number in numbers)).tobytes(),
            b"".join(codes[number][1] for number in numbers),
        ),
    )
