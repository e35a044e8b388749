"""Scripts: a question in any script finds what holds it, and nothing in it is read as something
else. Asked of whole engines, with everything that understanding a question may change."""

import unicodedata

import pytest

from pinyon.engine import Engine
from pinyon.model.record import Record

TEXTS = {
    "chinese": "机器学习改变了搜索引擎",
    "japanese": "全文検索エンジンの仕組み",
    "korean": "검색엔진의구조를설명합니다",
    "thai": "เครื่องมือค้นหาข้อความ",
}
SENTENCES = {
    "chinese": ("我们如何改进搜索引擎？", "机器学习改变了搜索引擎"),
    "japanese": ("検索エンジンとは何ですか。", "全文検索エンジンの仕組み"),
    "korean": ("검색엔진은 어떻게 작동합니까?", "검색엔진의 구조를 설명합니다"),
    "thai": ("เครื่องมือค้นหาคืออะไร", "เครื่องมือค้นหาข้อความ"),
}
LATIN = "A plain English note about foxes, written by hand."


def save(engine: Engine, **bodies: str) -> None:
    for id, body in bodies.items():
        engine.save(Record(id=id, kind="note", title="", body=body))


def found(engine: Engine, text: str) -> list[str]:
    return [hit.id for hit in engine.search(text)]


@pytest.mark.proves("X3", part="questions")
@pytest.mark.parametrize("script", TEXTS)
def test_any_two_characters_that_stand_together_find_their_text(
    engine: Engine, script: str
) -> None:
    save(engine, **TEXTS, latin=LATIN)
    text = unicodedata.normalize("NFC", TEXTS[script])
    pairs = [text[at : at + 2] for at in range(len(text) - 1)]
    assert {pair: found(engine, pair) for pair in pairs} == {pair: [script] for pair in pairs}


@pytest.mark.proves("X3", part="questions")
@pytest.mark.parametrize("script", SENTENCES)
def test_a_question_in_its_own_script_finds_what_shares_its_words(
    engine: Engine, script: str
) -> None:
    save(engine, **{name: body for name, (_, body) in SENTENCES.items()}, latin=LATIN)
    question, _ = SENTENCES[script]
    assert found(engine, question)[0] == script


@pytest.mark.proves("X3", part="questions")
@pytest.mark.parametrize("script", SENTENCES)
def test_nothing_in_such_a_question_is_read_as_something_else(engine: Engine, script: str) -> None:
    save(engine, **TEXTS, latin=LATIN)
    question, _ = SENTENCES[script]
    answer, plain = (
        engine.search(question, fix=fix, expand=fix, track=False) for fix in (True, False)
    )
    assert answer.meta["changed"] == plain.meta["changed"]
    assert [(hit.id, hit.score) for hit in answer] == [(hit.id, hit.score) for hit in plain]


@pytest.mark.proves("X3", part="questions")
@pytest.mark.parametrize(
    "text",
    ["café", "CAFÉ", "cafe", "Cafe\u0301", "ｃａｆｅ", "résumé", "RESUME", "naïve", "NAIVE"],
)
def test_accents_and_case_never_matter(engine: Engine, text: str) -> None:
    save(engine, accents="Le café naïve, un résumé", without="LE CAFE NAIVE, UN RESUME", other="x")
    assert sorted(found(engine, text)) == ["accents", "without"]


@pytest.mark.proves("X3", part="questions")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Python入門", "mixed"),
        ("入門", "mixed"),
        ("python", "mixed"),
        ("how does 検索エンジン rank pages", "japanese"),
        ("API 검색엔진", "korean"),
        ("机器学习 machine learning", "chinese"),
        ("БАЗА данных", "cyrillic"),
        ("βάση", "greek"),
        ("ΒΆΣΗ", "greek"),
        ("שלום", "hebrew"),
        ("مرحبا", "arabic"),
        ("हिन्दी", "hindi"),
    ],
)
def test_a_question_in_several_scripts_finds_what_holds_one(
    engine: Engine, text: str, expected: str
) -> None:
    save(
        engine,
        **TEXTS,
        mixed="Python入門book",
        cyrillic="база данных",
        greek="βάση δεδομένων",
        hebrew="שלום עולם",
        arabic="مرحبا بالعالم",
        hindi="हिन्दी में खोज",
        latin=LATIN,
    )
    assert found(engine, text)[0] == expected


@pytest.mark.proves("X3", part="questions")
def test_operators_and_fields_work_in_every_script(engine: Engine) -> None:
    save(engine, **TEXTS, latin=LATIN)
    assert found(engine, '"搜索引擎"') == ["chinese"]
    assert found(engine, "body:検索 AND 仕組み") == ["japanese"]
    assert sorted(found(engine, "검색 OR ข้อความ")) == ["korean", "thai"]
    assert found(engine, "(搜索 OR 검색) NOT 机器") == ["korean"]


@pytest.mark.parametrize(
    "text", ["字", "ก", "🦊", "🦊🦊 🦊", "\u0301\u0301", "\u202e\u200f", "。？！"]
)
def test_a_single_character_or_a_sign_is_a_question_too(engine: Engine, text: str) -> None:
    save(engine, **TEXTS, latin=LATIN)
    assert engine.search(text).meta["returned"] >= 0
