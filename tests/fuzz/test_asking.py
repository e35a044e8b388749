"""Any question, filter, cursor and setting is answered or refused; and snippets are safe HTML."""

from collections.abc import Iterator
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pinyon
from pinyon.access import Permitted
from pinyon.access.tokens import Tokens, expiry
from pinyon.engine import Engine
from pinyon.index.parse.given import moment
from pinyon.index.source.ignore import NO_RULES, rules_of
from pinyon.model.check import check_date
from pinyon.model.record import Record
from pinyon.profiles.configured import check_setting, typed
from pinyon.profiles.load import SHIPPED, load, shipped
from pinyon.search.given import given_date
from pinyon.search.present.page import seen_before
from pinyon.surfaces.operations import OPERATIONS, shapes
from tests.fuzz.law import fuzzing, tried
from tests.fuzz.made import ANY, damaged, documents, mixed, shaped

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SIGNS = (
    *(
        "AND",
        "OR",
        "NOT",
        "NEAR(",
        "NEAR(a b, 3)",
        '"red fox"',
        "fo*",
        "title:fox",
        "body:",
        "tags:x",
    ),
    *(
        "fox",
        "red",
        "getUserById",
        "last week",
        "in May 2024",
        "since 2020",
        "2024-05",
        "3 days ago",
    ),
    *(
        "what is",
        "API",
        "how do I",
        "rowid",
        "{title body}:",
        "^fox",
        "-fox",
        "+fox",
        "a.b()",
        "E1234",
    ),
)
DATES = ("2024-05-01", "T12:00", "+99:99", "Z", "9999-12-31", "0001-01-01", "W52-7", "24:00")
HTML = (
    "<mark>",
    "</mark>",
    "<script>",
    "<img src=x onerror=y>",
    "&lt;",
    "&#60;",
    "<!--",
    "fox",
    "red",
)
WRITTEN = ("[rank]\n", "[a.b]\n", "weights = {}\n", "inherits = 'mine'\n", "1979-05-27", "0.5")
PROFILES = [file.read_text("utf-8") for file in sorted(SHIPPED.glob("*.toml"))]
KNOWN = st.sampled_from(
    ("fox", "b", "supports", "useful", "keep", "a/b", "default", "default", "x", *DATES)
)
FIELDS = sorted({name for each in OPERATIONS.values() for name in each.takes.model_fields})


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with pinyon.open(":memory:", clock=lambda: NOW) as engine:
        engine.save(
            Record(id="fox", title="The <red> fox", body='"C++ & rm" AND left 🦊', tags=("x",))
        )
        engine.save(Record(id="b", body="getUserById(42) API stands for a thing", scope="a/b"))
        yield engine


@fuzzing(150, 2_500)
@given(question=mixed(SIGNS, 12), cursor=st.just("") | st.just("") | ANY)
def test_any_question_is_answered(engine: Engine, question: str, cursor: str) -> None:
    tried("question", engine.search, question, cursor=cursor)


def searches() -> st.SearchStrategy[dict[str, Any]]:
    """Bodies of the right shape, and some that have one thing that is not."""
    right = shaped(shapes.SearchAll.model_json_schema(), KNOWN)
    wrong = st.dictionaries(st.sampled_from(FIELDS), documents(FIELDS), max_size=1)
    return st.tuples(right, st.just({}) | wrong).map(lambda both: both[0] | both[1])


@fuzzing(80, 1_200)
@given(searches())
def test_any_body_of_a_search_is_answered_or_refused(engine: Engine, body: dict[str, Any]) -> None:
    shape = tried("body of search", shapes.SearchAll.model_validate, body)
    if shape is not None:
        asked = shape.model_dump(exclude_unset=True)
        tried("search by body", Permitted(engine).search, **asked)


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name != "index"])
def test_any_body_of_an_operation_is_done_or_refused(name: str) -> None:
    operation = OPERATIONS[name]
    right = shaped(operation.takes.model_json_schema(), KNOWN)
    wrong = st.dictionaries(st.sampled_from((*FIELDS, "x")), documents(FIELDS), max_size=4)
    with pinyon.open(":memory:", clock=lambda: NOW) as engine:
        engine.save(Record(id="fox", title="fox"))
        engine.save(Record(id="b", body="b"))
        permitted = Permitted(engine)

        @fuzzing(25, 350)
        @given(right | wrong)
        def law(body: dict[str, Any]) -> None:
            asked = tried(f"body of {name}", operation.takes.model_validate, body)
            given = asked and tried(f"{name}, done", operation.run, permitted, asked)
            if given is not None:
                operation.gives.model_validate(given)

        law()


@fuzzing(60, 1_000)
@given(damaged('{"query":"fox","limit":3,"tags":["a"],"as_of":"2024-05-01"}', tuple(FIELDS)))
def test_any_bytes_of_a_body_are_read_or_refused(text: str) -> None:
    body = text.encode("utf-8", "surrogatepass")
    tried("bytes of a body", shapes.SearchAll.model_validate_json, body)


@fuzzing(60, 1_000)
@given(mixed(DATES, 4), documents(DATES))
def test_any_date_is_one_or_refused(text: str, given: Any) -> None:
    for whole_day in (True, False):
        tried("date", given_date, "since", text, whole_day=whole_day)
    tried("date", check_date, "since", given)
    assert tried("moment", lambda: [moment(given), moment(text)]) is not None
    tried("expiry", expiry, text, NOW)


@fuzzing(60, 1_000)
@given(ANY | st.text("ABCabc019-_=", max_size=60))
def test_any_cursor_and_token_is_known_or_refused(text: str) -> None:
    tried("cursor", seen_before, text)
    tried("token", Tokens(Path("none.pinyon"), folder=Path("/nowhere")).permit, text)


@pytest.fixture(scope="module")
def folder_of_tokens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tokens")
    Tokens(folder / "notes.pinyon", folder=folder).create("a", ["search"], scopes=["a/b"])
    (folder / "good.json").write_bytes((folder / "tokens.json").read_bytes())
    return folder


@fuzzing(30, 600)
@given(st.data())
def test_any_file_of_tokens_is_read_or_refused(folder_of_tokens: Path, data: st.DataObject) -> None:
    good = folder_of_tokens / "good.json"
    (folder_of_tokens / "tokens.json").write_bytes(data.draw(damaged(good.read_bytes())))
    tokens = Tokens(folder_of_tokens / "notes.pinyon", folder=folder_of_tokens)
    tried("file of tokens", tokens.all)
    tried("file of tokens", tokens.permit, "pin_abc")


@fuzzing(60, 1_000)
@given(st.sampled_from(PROFILES).flatmap(lambda each: damaged(each, WRITTEN)))
def test_any_profile_is_loaded_or_refused(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    folder = tmp_path_factory.mktemp("profiles")
    (folder / "mine.toml").write_bytes(text.encode("utf-8", "surrogatepass"))
    tried("profile", load, "mine", lambda: (folder, *shipped()))


@fuzzing(60, 1_000)
@given(
    ANY
    | st.sampled_from(("profiles.default.rank.weights.lexical", "acronyms.API", "history.days")),
    ANY | mixed(("1", "0.5", "true", "[", "a = 1", '"x"', "1979-05-27"), 4),
    documents(("rank.weights.lexical", "fuse.k", "present.cascade", "rank")),
)
def test_any_setting_is_kept_or_refused(key: str, value: str, given: Any) -> None:
    tried("setting", check_setting, key, value, {}, shipped)
    tried("typed", typed, value)
    tried("profile name", load, key)
    for path in ("rank.weights.lexical", "fuse.k", "present.cascade", "rank", key):
        tried("override", load, "default", override={path: given})


@fuzzing(80, 1_000)
@given(mixed(("*", "**/", "?", "[a-z]", "[!a]", "[[:alpha:]]", "/", "!", "#", "\\", "a"), 20), ANY)
def test_any_rules_of_an_ignore_file_are_followed(
    tmp_path_factory: pytest.TempPathFactory, text: str, name: str
) -> None:
    folder = tmp_path_factory.mktemp("ignore")
    (folder / ".gitignore").write_bytes(text.encode("utf-8", "surrogatepass"))
    rules = tried("ignore file", rules_of, "", folder, {".gitignore"}, NO_RULES)
    assert rules is not None
    for path in (name, "a" * 250, "a/" * 100, f"a/b/{name}"):
        tried("ignored path", rules.ignore, path, folder=False)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[object] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.found.append((tag, attrs))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(f"/{tag}")

    def handle_comment(self, data: str) -> None:
        self.found.append(("comment", data))

    def handle_decl(self, decl: str) -> None:
        self.found.append(("declaration", decl))


@fuzzing(60, 1_000)
@given(mixed(HTML, 20), mixed(HTML, 8), st.sampled_from(("match", "scan", "full")))
def test_a_snippet_holds_no_tag_but_marks_whatever_a_record_says(
    body: str, title: str, mode: str
) -> None:
    with pinyon.open(":memory:", clock=lambda: NOW) as engine:
        plain = [
            text.replace("\x00", "").encode("utf-8", "replace").decode() for text in (body, title)
        ]
        engine.save(Record(id="a", body=f"fox {plain[0]}", aliases=(), context=plain[1]))
        answer = tried("snippet", engine.search, "fox red", mode=mode)
        assert answer is not None
        for hit in answer:
            tags = Tags()
            tags.feed(hit.snippet)
            tags.close()
            assert tags.found == [("mark", []), "/mark"] * (len(tags.found) // 2)
