"""Languages: a real-looking file of each becomes the records and edges that its .graph file lists.

A line of it is `title | symbol | lines` for a record and `from relation to @line` for an edge. Ids
are shortened: the file's own record is `file`, a symbol is what follows the # of its id, and the
record of the text outside of symbols is `outside`.
"""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pinyon.index.parse.code import code
from pinyon.index.parse.origin import Origin, Parsed

SAMPLES = Path(__file__).with_name("samples")
PATHS = {
    "cart.py": "src/shop/cart.py",
    "cart.js": "src/shop/cart.js",
    "cart.ts": "src/cart.ts",
    "view.tsx": "src/view.tsx",
    "cart.go": "internal/cart/cart.go",
    "cart.rs": "src/cart.rs",
    "Cart.java": "src/main/java/com/acme/shop/Cart.java",
    "cart.c": "src/cart.c",
    "cart.cpp": "src/cart.cpp",
    "Cart.cs": "Shop/Cart.cs",
    "cart.rb": "lib/shop/cart.rb",
    "Cart.php": "src/Cart.php",
}


@pytest.mark.proves("G11")
@pytest.mark.parametrize("sample", PATHS)
def test_a_file_becomes_its_symbols_and_what_holds_them_together(sample: str) -> None:
    origin = Origin("shop", PATHS[sample], datetime(2024, 5, 1, tzinfo=UTC))
    parsed = code((SAMPLES / f"{sample}.txt").read_text("utf-8"), origin)
    assert parsed.warning == ""
    expected = (SAMPLES / f"{sample}.graph").read_text("utf-8").splitlines()
    assert shown(parsed, origin) == expected


def shown(parsed: Parsed, origin: Origin) -> list[str]:
    def short(id: str) -> str:
        if id in {origin.file_id, origin.id}:
            return "file" if id == origin.file_id else "outside"
        return id.removeprefix(f"{origin.id}#")

    records = [
        f"{record.title} | {record.extra['symbol']} | {'-'.join(map(str, record.lines or ()))}"
        for record in parsed.records
    ]
    edges = [
        f"{short(edge.from_id)} {edge.relation} {short(edge.to_id)} "
        f"@{edge.evidence.removeprefix(f'{origin.path}:')}"
        for edge in parsed.edges
    ]
    return [*records, *edges]
