"""Places: what one file imports or extends is what the other file is called."""

from datetime import UTC, datetime

import pytest

from pinyon.index.parse.code import code
from pinyon.index.parse.origin import NAMES, Origin, Parsed

MAY = datetime(2024, 5, 1, tzinfo=UTC)

PAIRS = {
    "python": (
        ("src/shop/base.py", "class Entity:\n    pass\n"),
        ("src/shop/cart.py", "from shop.base import Entity\nclass Cart(Entity):\n    pass\n"),
    ),
    "python, relative": (
        ("lib/shop/base/__init__.py", "class Entity:\n    pass\n"),
        ("lib/shop/a/cart.py", "from ..base import Entity as E\nclass Cart(E):\n    pass\n"),
    ),
    "python, module": (
        ("shop/base.py", "class Entity:\n    pass\n"),
        ("shop/cart.py", "import shop.base\nclass Cart(shop.base.Entity):\n    pass\n"),
    ),
    "javascript": (
        ("src/base/index.js", "export class Entity {}\n"),
        ("src/shop/cart.js", 'import { Entity } from "../base";\nclass Cart extends Entity {}\n'),
    ),
    "javascript, default": (
        ("base.js", "class Entity {}\nexport default Entity;\n"),
        ("cart.js", 'import E from "./base.js";\nclass Cart extends E {}\n'),
    ),
    "javascript, required": (
        ("base.js", "class Entity {}\nmodule.exports = { Entity };\n"),
        ("cart.js", 'const base = require("./base");\nclass Cart extends base.Entity {}\n'),
    ),
    "typescript": (
        ("src/base.ts", "export abstract class Entity<T> {}\n"),
        ("src/cart.tsx", 'import * as b from "./base";\nclass Cart extends b.Entity<X> {}\n'),
    ),
    "go": (
        ("base/entity.go", "package base\ntype Entity struct {\n}\n"),
        (
            "cart/cart.go",
            'package cart\nimport "github.com/acme/shop/base"\n'
            "type Cart struct {\n\tbase.Entity\n}\n",
        ),
    ),
    "rust": (
        ("src/base/mod.rs", "pub trait Entity {}\n"),
        (
            "src/shop/cart.rs",
            "use crate::base::{self, Entity as E};\npub struct Cart;\nimpl E for Cart {}\n",
        ),
    ),
    "java": (
        ("base/Entity.java", "package com.acme.base;\nclass Entity {}\n"),
        (
            "shop/Cart.java",
            "package com.acme.shop;\nimport com.acme.base.*;\nclass Cart extends Entity<Long> {}\n",
        ),
    ),
    "cpp": (
        ("include/base/entity.hpp", "namespace acme {\nclass Entity {};\n}\n"),
        (
            "src/cart.cpp",
            "#include <base/entity.hpp>\nnamespace acme::shop {\nclass Cart : Entity {};\n}\n",
        ),
    ),
    "csharp": (
        ("Base/Entity.cs", "namespace Acme.Base;\npublic class Entity { }\n"),
        (
            "Shop/Cart.cs",
            "using Acme.Base;\nnamespace Acme.Shop;\npublic class Cart : Entity { }\n",
        ),
    ),
    "ruby": (
        ("lib/base/entity.rb", "module Base\n  class Entity\n  end\nend\n"),
        ("lib/cart.rb", 'require "base/entity"\nclass Cart < Base::Entity\nend\n'),
    ),
    "php": (
        ("src/Entity.php", "<?php\nnamespace App\\Base;\nclass Entity\n{\n}\n"),
        (
            "src/Cart.php",
            "<?php\nnamespace App\\Shop;\nuse App\\Base\\Entity as E;\nclass Cart extends E {}\n",
        ),
    ),
}


@pytest.mark.proves("G11")
@pytest.mark.proves("G9")
@pytest.mark.parametrize("pair", PAIRS)
def test_a_class_finds_its_base_and_a_file_what_it_imports(pair: str) -> None:
    (base_path, base_text), (cart_path, cart_text) = PAIRS[pair]
    base, base_origin = read(base_path, base_text)
    cart, cart_origin = read(cart_path, cart_text)
    called = {edge.to_id: edge.from_id for edge in base.edges if edge.relation == NAMES}
    reached = {
        (edge.from_id, edge.relation, called[edge.to_id])
        for edge in cart.edges
        if edge.to_id in called and edge.relation != NAMES
    }
    entity = next(record.id for record in base.records if record.title.endswith("Entity"))
    inherits = "implements" if pair == "rust" else "extends"
    assert (f"{cart_origin.id}#Cart", inherits, entity) in reached
    imported = {to for start, relation, to in reached if relation == "imports"}
    assert imported <= {entity, base_origin.file_id}
    assert imported


@pytest.mark.proves("G11")
def test_a_header_is_found_beside_the_file_and_below_a_root() -> None:
    header, origin = read("src/base/entity.h", "struct entity { int id; };\n")
    names = {edge.to_id for edge in header.edges if edge.relation == NAMES}
    for path, line in {
        "src/base/entity.c": '#include "entity.h"\n',
        "src/cart/cart.c": '#include "../base/entity.h"\n',
        "src/cart/other.c": '#include "base/entity.h"\n',
        "tests/cart.c": "#include <base/entity.h>\n",
    }.items():
        imports = {edge.to_id for edge in read(path, line)[0].edges if edge.relation == "imports"}
        assert imports & names, path
    assert origin.file_id in {edge.from_id for edge in header.edges}


def test_a_path_never_leads_out_of_the_folder() -> None:
    parsed, _ = read("a/cart.js", 'import "../../../../etc/passwd";\n')
    assert [edge.to_id for edge in parsed.edges if edge.relation == "imports"] == [
        "@js:shop/etc/passwd"
    ]


@pytest.mark.proves("G9")
def test_what_is_not_in_the_project_is_a_placeholder_and_never_a_record() -> None:
    parsed, _ = read("cart.py", "import numpy as np\nclass Cart(np.ndarray):\n    pass\n")
    targets = {edge.to_id for edge in parsed.edges if edge.relation in {"imports", "extends"}}
    assert targets == {"@python:numpy", "@python:numpy.ndarray"}
    assert not any(record.id.startswith("@") for record in parsed.records)


def test_a_rust_list_of_imports_is_taken_apart() -> None:
    parsed, _ = read("src/lib.rs", "use a::{b::{self, C as D}, e::*};\nuse self::x::Y;\n")
    assert [edge.to_id for edge in parsed.edges if edge.relation == "imports"] == [
        "@rust:a::b",
        "@rust:a::b::C",
        "@rust:a::e",
        "@rust:shop::x",
        "@rust:shop::x::Y",
    ]


def test_a_call_is_an_edge_only_where_one_symbol_of_the_file_is_meant() -> None:
    text = (
        "from m import far\ndef twice(): pass\ndef twice(): pass\ndef once(): pass\n"
        "def f(x):\n    far()\n    twice()\n    x.once()\n    once()  # twice\n    return f(x)\n"
    )
    parsed, origin = read("a.py", text)
    calls = [(edge.from_id, edge.to_id) for edge in parsed.edges if edge.relation == "calls"]
    assert calls == [(f"{origin.id}#f", f"{origin.id}#once")]


def read(path: str, text: str) -> tuple[Parsed, Origin]:
    origin = Origin("shop", path, MAY)
    return code(text, origin), origin
