"""Requirements: promises and tests agree, both ways, and every disagreement is seen."""

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.proofs import Collected, Proof, source_of
from tests.requirements import FILE, Requirement, disagreements, read_requirements

TESTS = Path(__file__).resolve().parents[1]
COUNTS = {"V": 17, "B": 15, "S": 22, "P": 11, "G": 11, "X": 19}


def test_every_requirement_is_listed_once_and_none_has_vanished() -> None:
    listed = list(read_requirements(FILE.read_text(encoding="utf-8")))
    assert listed == [f"{letter}{n}" for letter, last in COUNTS.items() for n in range(1, last + 1)]


def test_the_tests_prove_what_is_promised_and_nothing_else(whole_suite: Collected) -> None:
    requirements = read_requirements(FILE.read_text(encoding="utf-8"))
    found = disagreements(requirements, whole_suite.proofs)
    assert found == [], "\n".join(found)


def test_a_claim_without_a_test_is_a_disagreement() -> None:
    assert disagreements({"V1": Requirement("scan and full")}, []) == [
        "V1: no test proves it, and it is not pending"
    ]


def test_each_part_needs_its_own_proof() -> None:
    history = Requirement("history and conflicts", parts=("history", "lifecycle"))
    assert disagreements({"S14": history}, [Proof("S14", "history", "test_a")]) == [
        "S14 (lifecycle): no test proves it, and it is not pending"
    ]


def test_a_pending_part_waits_without_a_test() -> None:
    partly = Requirement("both", parts=("history", "lifecycle"), pending=("lifecycle",))
    assert disagreements({"S14": partly}, [Proof("S14", "history", "test_a")]) == []


def test_what_is_proven_is_no_longer_pending() -> None:
    waiting = {"V6": Requirement("tiers", pending=True)}
    assert disagreements(waiting, [Proof("V6", None, "test_a")]) == [
        "V6: proven by test_a, so it is no longer pending"
    ]


@pytest.mark.parametrize(
    ("proof", "reason"),
    [
        (Proof("V99", None, "test_a"), "test_a names V99: there is no such id"),
        (Proof("V6", "east", "test_a"), "test_a names V6 (east): it has no parts"),
        (Proof("S1", None, "test_a"), "test_a names S1: it has the parts words, graph"),
        (Proof("S1", "sound", "test_a"), "test_a names S1 (sound): it has the parts words, graph"),
    ],
)
def test_a_proof_of_something_unknown_is_a_disagreement(proof: Proof, reason: str) -> None:
    requirements = {
        "V6": Requirement("tiers", pending=True),
        "S1": Requirement("side by side", parts=("words", "graph"), pending=True),
    }
    assert disagreements(requirements, [proof]) == [reason]


@pytest.mark.parametrize(
    "entry",
    [
        "says = 'x'\npending = ['graph']",  # a part that is not listed
        "says = 'x'\nparts = ['graph']\npending = []",
        "says = 'x'\nparts = ['graph']\npending = ['graph']",  # true says the same, more plainly
        "says = ''",
        "says = 'x'\nowner = 'me'",
        "parts = ['graph']",
    ],
)
def test_an_entry_that_does_not_fit_is_refused_with_its_id(entry: str) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^V1: "):
        read_requirements(f"[V1]\n{entry}")


def test_every_function_that_says_it_proves_is_collected(whole_suite: Collected) -> None:
    collected = {source_of(item) for item in whole_suite.items}
    marked = {
        (path, function.name)
        for path in TESTS.rglob("*.py")
        for function in functions_in(path).values()
        if any("mark.proves" in ast.unparse(mark) for mark in function.decorator_list)
    }
    lost = [f"{path.relative_to(TESTS)}: {name}" for path, name in sorted(marked - collected)]
    assert lost == [], "\n".join(lost)


def test_every_proof_asserts_and_none_is_switched_off(whole_suite: Collected) -> None:
    proving = [item for item in whole_suite.items if item.get_closest_marker("proves")]
    switched_off = [
        item.nodeid
        for item in proving
        if item.get_closest_marker("skip") or item.get_closest_marker("xfail")
    ]
    toothless = [item.nodeid for item in proving if not asserts(*source_of(item))]
    assert switched_off == [], "\n".join(switched_off)
    assert toothless == [], "\n".join(toothless)


def test_a_test_that_only_calls_something_counts_as_toothless(tmp_path: Path) -> None:
    path = tmp_path / "test_sample.py"
    path.write_text(
        "def test_calls(): save()\n"
        "def save(): pass\n"
        "def test_asserts(): assert save() is None\n"
        "def test_by_helper(): same(1, 1)\n"
        "def same(a, b): assert a == b\n"
        "def test_raises():\n    with pytest.raises(KeyError): {}[1]\n",
        encoding="utf-8",
    )
    names = ["test_calls", "test_asserts", "test_by_helper", "test_raises"]
    assert [asserts(path, name) for name in names] == [False, True, True, True]


Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def functions_in(path: Path) -> dict[str, Function]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = (node for node in ast.walk(tree) if isinstance(node, Function))
    return {function.name: function for function in found}


def asserts(path: Path, name: str, seen: frozenset[str] = frozenset()) -> bool:
    """Whether the function asserts or expects an error, itself or through a helper.

    A helper of the same file is looked into; one from elsewhere counts when its name begins
    with `assert_`. A test that hypothesis made from a state machine is judged by its whole file.
    """
    functions = functions_in(path)
    if name not in functions:
        return any(asserts(path, other, seen | {name}) for other in functions if other not in seen)
    if any(isinstance(node, ast.Assert) for node in ast.walk(functions[name])):
        return True
    called = {
        ast.unparse(node.func).rpartition(".")[2]
        for node in ast.walk(functions[name])
        if isinstance(node, ast.Call)
    }
    return any(
        other == "raises"
        or other.startswith("assert_")
        or (other in functions and other not in seen and asserts(path, other, seen | {name, other}))
        for other in called
    )
