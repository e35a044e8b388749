"""Exact: every vector of a store in one table, scanned with numpy."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pinyon.model.query import Match
from pinyon.store.sqlite.view import SqliteView

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

TOP = 10
TIE = 1e-6
"""A cosine that is this much lower is the same one, added up in another order."""


class Table(NamedTuple):
    """`vectors` has a row for each passage, `owners` the row of its record."""

    vectors: "Array"
    owners: "Array"

    def scan(self, asked: "Array", limit: int) -> "Array":
        """The places of the nearest passages, in no order: what the store is measured against."""
        import numpy as np

        return np.argpartition(-(self.vectors @ asked), limit)[:limit]

    def best(self, asked: "Array", allowed: "Array | None" = None) -> list[float]:
        """The cosines of the TOP nearest records, best first; of those allowed, by owner."""
        import numpy as np

        cosines = self.vectors @ asked
        if allowed is not None:
            cosines[~np.isin(self.owners, allowed)] = -2
        most = min(len(cosines), 100 * TOP)  # far more passages than a record has
        near = np.argpartition(-cosines, most - 1)[:most]
        found: dict[int, float] = {}
        for place in near[np.argsort(-cosines[near])].tolist():
            if cosines[place] < -1 - TIE or len(found) == TOP:
                break
            found.setdefault(int(self.owners[place]), float(cosines[place]))
        return list(found.values())


def read_table(view: SqliteView, model: str) -> Table:
    """All vectors of a model, as they stand in the file."""
    import numpy as np

    number, dims, count = view.rows(
        "SELECT number, dims, vectors FROM model WHERE name = ?", (model,)
    ).fetchall()[0]
    vectors = np.empty((count, dims), np.float32)
    owners = np.empty(count, np.int64)
    found = view.rows(
        "SELECT row, vector FROM vector JOIN passage ON passage.number = passage"
        " WHERE model = ? ORDER BY passage",
        (number,),
    )
    for at, (row, vector) in enumerate(found):
        vectors[at] = np.frombuffer(vector, np.float32)
        owners[at] = row
    return Table(vectors, owners)


def agreement(ours: Sequence[Match], right: Sequence[float]) -> float:
    """The share of the right ones that ours has; another record that is just as near counts."""
    if not right:
        return 1.0
    near_enough = sum(match.score >= right[-1] - TIE for match in ours[: len(right)])
    return near_enough / len(right)
