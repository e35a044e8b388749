"""Nearest: the records whose passages mean most nearly the same, by packed codes, then exactly.

Three steps, each over less: the distance between codes (a bit a dimension) for every passage, the
question itself against the codes of the best thousand, and the vectors of the best of those.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import apsw
import numpy as np

from pinyon.model.errors import InvalidInput
from pinyon.model.query import Filters, Match, Nearest, RankedList
from pinyon.store.sqlite import rows
from pinyon.store.sqlite.blocks import width
from pinyon.store.sqlite.filters import OUTDATED, condition, outdated_values

if TYPE_CHECKING:
    from pinyon.store.sqlite.view import SqliteView

    Array = np.ndarray[Any, Any]

EXACT = 220
"""Passages whose vectors are read, at least; three times the records that are asked for."""

ROUGH = 8
"""For each of those, passages whose codes the question itself is held against."""

LONG = 60
"""Where long records lose, so many of the nearest are looked at, at least; twice as many as are
asked for. What is further behind does not reach the first ranks by being short."""

_MOST_MASKS = 100


class Block(NamedTuple):
    """A row of `code`."""

    changed: int
    passages: "Array"
    rows: "Array"
    codes: "Array"


class Codes:
    """The codes of one model at one moment: what is scanned."""

    def __init__(self, blocks: dict[int, Block], dims: int) -> None:
        self.blocks = blocks
        parts = [blocks[number] for number in sorted(blocks)]
        none = np.zeros(0, np.int64)
        self.passages: Array = np.concatenate([none, *(part.passages for part in parts)])
        self.rows: Array = np.concatenate([none, *(part.rows for part in parts)])
        empty = np.zeros((0, width(dims)), np.uint8)
        self.codes: Array = np.concatenate([empty, *(part.codes for part in parts)])
        self._most = int(self.rows.max(initial=0)) + 1
        # Word by word: adding up columns is five times as fast as adding up rows.
        self._columns: Array = np.ascontiguousarray(self.codes.view(np.uint64).T)

    def of(self, rows: "Array") -> "Array":
        """The places of the passages of these records."""
        wanted = np.zeros(self._most, bool)
        wanted[rows[rows < self._most]] = True
        return np.flatnonzero(wanted[self.rows])

    def near(self, code: "Array", among: "Array | None", count: int) -> "Array":
        """The places of about the `count` nearest codes, in no order; of all, or of those given."""
        total = len(self.rows) if among is None else len(among)
        if total <= count:
            return np.arange(total) if among is None else among
        distance = np.zeros(total, np.uint16)
        for column, word in zip(self._columns, code.view(np.uint64), strict=True):
            part = column if among is None else column[among]
            distance += np.bitwise_count(part ^ word)
        enough = int(np.searchsorted(np.cumsum(np.bincount(distance)), count))
        found = np.flatnonzero(distance <= enough)
        return found if among is None else among[found]


def load(view: "SqliteView", model: int, dims: int, before: Codes | None) -> Codes:
    """Only the blocks that another revision wrote are read again."""
    listed = dict(view.rows("SELECT block, changed FROM code WHERE model = ?", (model,)).fetchall())
    known = before.blocks if before else {}
    blocks = {
        number: known[number]
        for number, changed in listed.items()
        if number in known and known[number].changed == changed
    }
    if before and len(blocks) == len(listed) == len(known):
        return before
    for number in listed.keys() - blocks.keys():
        changed, passages, owners, codes = view.rows(
            "SELECT changed, passages, rows, codes FROM code WHERE model = ? AND block = ?",
            (model, number),
        ).fetchall()[0]
        blocks[number] = Block(
            changed,
            np.frombuffer(passages, np.int64),
            np.frombuffer(owners, np.int64),
            np.frombuffer(codes, np.uint8).reshape(-1, width(dims)),
        )
    return Codes(blocks, dims)


def nearest(view: "SqliteView", request: Nearest) -> RankedList:
    """See the contract."""
    found = view.rows(
        "SELECT number, dims, mean FROM model WHERE name = ?", (request.model,)
    ).fetchall()
    if not found:
        return RankedList("vector", ())
    model, dims, mean = found[0]
    if len(request.vector) != dims * 4:
        raise InvalidInput(
            f"a vector of {request.model} has {len(request.vector)} bytes instead of {dims * 4}"
        )
    if not dims:
        return RankedList("vector", ())
    asked = np.frombuffer(request.vector, np.float32)
    centred = asked if mean is None else asked - np.frombuffer(mean, np.float32)
    codes = view.memory.codes.get(model)
    if codes is None:
        codes = load(view, model, dims, view.memory.codes_before.get(model))
        view.memory.codes[model] = codes
    scan = _Scan(view, model, codes, asked, centred)
    if request.among is not None:
        return scan.judge(request)
    return scan.find(request)


class _Scan(NamedTuple):
    view: "SqliteView"
    model: int
    codes: Codes
    asked: "Array"
    centred: "Array"

    def find(self, request: Nearest) -> RankedList:
        filters = self.view.timely(request.filters)
        allowed, outdated = self._allowed(filters._replace(at=None)), self._outdated(filters)
        total = len(self.codes.rows) if allowed is None else len(allowed)
        exact = max(EXACT, 3 * request.limit)
        while True:
            places = self._places(allowed, outdated, exact)
            best = self._best_per_record(places)
            if len(best) >= request.limit or exact >= total:
                return self._list(best, request, request.limit)
            exact *= 4

    def judge(self, request: Nearest) -> RankedList:
        """Those that are named: of each record the passages whose codes promise most."""
        where, values = condition(self.view.timely(request.filters))
        narrowed = f"AND {where}" if where else ""
        found = self.view.rows(
            f"SELECT row FROM record WHERE id IN (SELECT value FROM json_each(?)) {narrowed}",
            (rows.to_ids(request.among or ()), *values),
        ).fetchall()
        wanted = np.array([row for (row,) in found], np.int64)
        places = self.codes.of(wanted)
        if len(places) > EXACT:
            owners = self.codes.rows[places]
            order = np.lexsort((-self._promise(places), owners))
            places, owners = places[order], owners[order]
            starts = np.flatnonzero(np.r_[True, owners[1:] != owners[:-1]])
            rank = np.arange(len(places)) - np.repeat(starts, np.diff(np.r_[starts, len(places)]))
            places = places[rank < 3]
        return self._list(self._best_per_record(places), request, len(wanted))

    def _places(self, allowed: "Array | None", outdated: "Array | None", exact: int) -> "Array":
        """The places of the `exact` passages that promise most."""
        signs = np.packbits(self.centred > 0)
        code = np.zeros(self.codes.codes.shape[1], np.uint8)
        code[: len(signs)] = signs
        places = self.codes.near(code, allowed, ROUGH * exact)
        if outdated is not None:
            # Taken off here, not masked: the mask would change with every search.
            places = places[~np.isin(self.codes.rows[places], outdated)]
        if len(places) <= exact:
            return places
        promise = self._promise(places)
        return places[np.argpartition(-promise, exact)[:exact]]

    def _promise(self, places: "Array") -> "Array":
        """The question itself against the codes, read as plus and minus one."""
        bits = np.unpackbits(self.codes.codes[places], axis=1, count=len(self.asked))
        promise: Array = bits.astype(np.float32) @ self.centred
        return promise

    def _best_per_record(self, places: "Array") -> dict[int, tuple[float, int]]:
        """Row to its best cosine and the passage that has it."""
        if not len(places):
            return {}
        owners = dict(
            zip(self.codes.passages[places].tolist(), self.codes.rows[places].tolist(), strict=True)
        )
        found = self.view.rows(
            "SELECT passage, vector FROM vector"
            " WHERE model = ? AND passage IN (SELECT value FROM carray(?))",
            (self.model, apsw.carray(self.codes.passages[places])),
        ).fetchall()
        if not found:
            return {}
        numbers, vectors = zip(*found, strict=True)
        table = np.frombuffer(b"".join(vectors), np.float32).reshape(len(numbers), -1)
        best: dict[int, tuple[float, int]] = {}
        cosines = np.clip(table @ self.asked, -1, 1)  # float32 may say a little more than 1
        for number, cosine in zip(numbers, cosines.tolist(), strict=True):
            row = owners[number]
            if row not in best or (cosine, -number) > (best[row][0], -best[row][1]):
                best[row] = cosine, number
        return best

    def _list(self, best: dict[int, tuple[float, int]], request: Nearest, limit: int) -> RankedList:
        """The records with ids and spans, best first, ties by id."""
        order = sorted(best.values(), key=lambda found: -found[0])
        most = max(2 * limit, LONG) if request.long else limit
        if len(order) > most > 0:
            order = [found for found in order if found[0] >= order[most - 1][0]]
        cosines = {number: cosine for cosine, number in order if cosine >= request.least}
        found = self.view.rows(
            "SELECT number, id, first, last, kind,"
            " (SELECT count(*) FROM passage AS own WHERE own.row = record.row)"
            " FROM passage JOIN record USING (row)"
            " WHERE number IN (SELECT value FROM json_each(?))",
            (rows.to_numbers(cosines),),
        )
        matches = [
            Match(
                id,
                cosines[number] - request.long.get(kind, 0.0) * math.log2(passages),
                max(0.0, cosines[number]),
                (first, last) if last else None,
            )
            for number, id, first, last, kind, passages in found
        ]
        matches.sort(key=lambda match: (-match.score, match.id))
        return RankedList("vector", tuple(matches[:limit]))

    def _allowed(self, filters: Filters) -> "Array | None":
        """The places of the passages whose records pass, or None where all do."""
        where, values = condition(filters)
        if not where:
            return None
        known = self.view.memory.places
        key = (self.model, filters)
        places: Array | None = known.get(key)
        if places is None:
            if len(known) >= _MOST_MASKS:
                known.clear()
            places = self.codes.of(self._rows(f"SELECT row FROM record WHERE {where}", values))
            known[key] = places
        return places

    def _outdated(self, filters: Filters) -> "Array | None":
        """The rows of what is not valid at the moment that is asked about, or None."""
        return self._rows(OUTDATED, outdated_values(filters.at)) if filters.at else None

    def _rows(self, query: str, values: Sequence[Any]) -> "Array":
        # As one text: a row for each record would take ten times as long to hand over.
        found = self.view.rows(f"SELECT group_concat(row) FROM ({query})", values)
        text = found.fetchall()[0][0]
        return np.array(text.split(",") if text else [], np.int64)
