"""Text: what the record of a symbol says, and what becomes of the text outside of symbols."""

from datetime import UTC, datetime

import pytest

from pinyon.index.parse.code import code
from pinyon.index.parse.origin import Origin
from pinyon.model.check import recheck
from pinyon.model.record import Record

MAY = datetime(2024, 5, 1, tzinfo=UTC)


def read(text: str, path: str = "src/shop/cart.py") -> dict[str, Record]:
    """The records of a file by their title."""
    return {record.title: record for record in code(text, Origin("shop", path, MAY)).records}


@pytest.mark.proves("G6")
def test_a_method_has_its_name_signature_doc_comment_and_whole_body() -> None:
    text = (
        'class Cart:\n    def add(self, n: int) -> int:\n        """Put in."""\n        return n\n'
    )
    assert read(text)["Cart.add"] == Record(
        kind="code",
        id="shop/src/shop/cart.py#Cart.add",
        title="Cart.add",
        body='def add(self, n: int) -> int:\n        """Put in."""\n        return n',
        context="def add(self, n: int) -> int | Put in.",
        scope="shop/src/shop",
        source="shop/src/shop/cart.py",
        lines=(2, 4),
        updated_at=MAY,
        extra={
            "language": "python",
            "symbol": "method",
            "signature": "def add(self, n: int) -> int",
        },
    )


def test_a_class_has_its_own_text_and_only_the_signatures_of_its_methods() -> None:
    text = (
        "/** A cart. */\nclass Cart {\n  size = 1;\n\n  /** In. */\n  add(n) {\n    n++;\n  }\n}\n"
    )
    assert read(text, "cart.js")["Cart"].body == (
        "/** A cart. */\nclass Cart {\n  size = 1;\n\n  add(n)\n}"
    )


def test_a_type_shows_the_methods_that_stand_apart_from_it() -> None:
    text = "type Cart struct {\n\tn int\n}\n\nfunc (c *Cart) Add() {\n\tc.n++\n}\n"
    assert read(text, "cart.go")["Cart"].body == (
        "type Cart struct {\n\tn int\n}\nfunc (c *Cart) Add()"
    )


def test_decorators_and_the_comment_above_belong_to_a_symbol_but_not_to_its_signature() -> None:
    text = "# Quick.\n@cached(\n    size=1,\n)\ndef price():\n    return 1\n"
    record = read(text)["price"]
    assert (record.body, record.lines) == (text.strip(), (1, 6))
    assert record.context == "def price() | Quick."


def test_a_comment_after_code_or_before_a_blank_line_is_not_about_the_next_symbol() -> None:
    text = "x = 1  # one\ndef a():\n    pass\n\n# apart\n\ndef b():\n    pass\n"
    assert {title: record.context for title, record in read(text).items()} == {
        "a": "def a()",
        "b": "def b()",
    }


def test_a_signature_of_many_lines_is_one_line_and_a_comment_ends_it() -> None:
    text = (
        "def price(\n    article: str,\n    tax: float,\n) -> float:\n    # net\n    return tax\n"
    )
    assert read(text)["price"].context == "def price(article: str, tax: float) -> float"


def test_what_has_no_doc_comment_says_what_it_is_inside_of() -> None:
    cart = "// A cart.\nclass Cart {\n  int size() { return 1; }\n};\n"
    text = f"namespace shop {{\n{cart}int tax() {{ return 2; }}\n}}\n"
    records = read(text, "cart.cpp")
    assert records["Cart::size"].context == "int size() | in Cart: A cart."
    assert records["tax"].context == "int tax() | in shop"


def test_a_context_leaves_room_for_the_text_it_goes_with() -> None:
    names = ", ".join(f"parameter_{n}" for n in range(50))
    record = read(f'def f({names}):\n    """{"Long. " * 100}"""\n')["f"]
    assert len(record.context) <= 200
    assert record.extra["signature"] == f"def f({names})"


def test_text_outside_of_symbols_is_a_record_with_the_files_own_id() -> None:
    text = '"""The shop."""\nimport os\n\nA = 1\nB = 2\n\n\ndef f():\n    pass\n\n\nC = 3\nf()\n'
    record = read(text)["cart.py"]
    assert record.id == "shop/src/shop/cart.py"
    assert record.body == '"""The shop."""\nimport os\n\nA = 1\nB = 2\n\nC = 3\nf()'
    assert (record.context, record.lines) == ("The shop.", (1, 13))


def test_imports_and_a_few_lines_are_no_record_of_their_own() -> None:
    imports = "".join(f"import m{n}\n" for n in range(20))
    assert list(read(f"{imports}\nA = 1\n\ndef f():\n    pass\n")) == ["f"]


def test_a_file_without_symbols_is_one_record_however_short() -> None:
    assert read("A = 1\n")["cart.py"].body == "A = 1"
    assert read("# only this\n")["cart.py"].body == "# only this"


def test_nothing_is_made_of_an_empty_file() -> None:
    assert read("") == read("\n \n") == {}


def test_what_stands_inside_of_a_function_is_its_text() -> None:
    text = "def f():\n    class A:\n        def g(self): pass\n    def h(): pass\n    return h\n"
    assert {title: record.body for title, record in read(text).items()} == {"f": text.strip()}


def test_symbols_of_the_same_name_are_told_apart() -> None:
    text = "@property\ndef x(): pass\n@x.setter\ndef x(): pass\ndef x(): pass\n"
    parsed = code(text, Origin("shop", "a.py", MAY))
    assert [record.id for record in parsed.records] == [
        "shop/a.py#x",
        "shop/a.py#x~2",
        "shop/a.py#x~3",
    ]


def test_names_that_are_too_long_still_make_records_that_can_be_kept() -> None:
    name = "x" * 600
    parsed = code(f"def {name}(): pass\ndef {name}(): pass\n", Origin("shop", "a.py", MAY))
    assert len({recheck(record).id for record in parsed.records}) == 2


def test_the_outline_has_public_names_and_imported_modules() -> None:
    text = "import os.path\nfrom .rules import Rule\n\ndef pay(): pass\ndef _hide(): pass\n"
    assert code(text, Origin("shop", "a.py", MAY)).outline == "pay os.path rules"
    go = 'package a\nimport "fmt"\nfunc Pay() {}\nfunc hide() {}\n'
    assert code(go, Origin("shop", "a.go", MAY)).outline == "Pay fmt"


def test_letters_beyond_ascii_do_not_shift_what_is_cut_out() -> None:
    text = "ä = 'ö'\n\n\nclass Ü:\n    # 日本\n    def größe(self):\n        return '€'\n"
    assert read(text)["Ü.größe"].body == "# 日本\n    def größe(self):\n        return '€'"
