"""Profiles: files that inherit, are checked to the last key, and are read again when changed."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

import pinyon
from pinyon.model.errors import UnknownProfile, UnknownSetting
from pinyon.model.profile import (
    CHANNELS,
    LEARNING,
    SCALES,
    SIGNALS,
    ExpandSection,
    FuseSection,
    LearnSection,
    PresentSection,
    Profile,
    RankSection,
    RelevanceSection,
    RetrieveSection,
    TrackSection,
    UnderstandSection,
)
from pinyon.model.query import FIELDS
from pinyon.model.record import KINDS, SEVERITIES
from pinyon.profiles.load import MOST, SHIPPED, Folders, load, names

SOURCE = Path(pinyon.__file__).parent
SHIPPED_NAMES = (
    *("base", "brain", "default", "files", "graph", "keyword"),
    *("pages", "skills", "spec", "vault", "vector"),
)


def within(*folders: Path) -> Folders:
    """These folders first, then the shipped profiles."""
    return lambda: (*folders, SHIPPED)


def write(folder: Path, name: str, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.toml").write_text(text, encoding="utf-8")


def refused(folder: Path, text: str) -> UnknownSetting:
    write(folder, "mine", text)
    with pytest.raises(UnknownSetting) as error:
        load("mine", within(folder))
    assert str(error.value).startswith("mine: ")
    return error.value


@pytest.mark.proves("V5")
@pytest.mark.parametrize("name", ["base", "keyword"])
def test_the_fields_weigh_as_the_vault_says(name: str) -> None:
    fields = load(name).retrieve.lexical.fields
    vault = {"title": 10, "id": 5, "body": 3, "tags": 2, "context": 1}
    assert {field: fields[field] for field in vault} == vault


@pytest.mark.proves("S3")
def test_bm25_has_the_customary_constants() -> None:
    lexical = load("base").retrieve.lexical
    assert (lexical.k1, lexical.b) == (1.2, 0.75)


@pytest.mark.proves("S2")
@pytest.mark.proves("P7")
def test_ranks_are_fused_with_the_customary_constant_and_a_tenth_for_agreement() -> None:
    fuse = load("base").fuse
    assert (fuse.k, fuse.bonus) == (60, 0.1)


@pytest.mark.proves("P4")
def test_snippets_have_32_words_from_body_else_tags_else_title() -> None:
    present = load("base").present
    assert (present.words, present.cascade, present.lead) == (32, ("body", "tags", "title"), 120)


def test_every_shipped_profile_loads_and_says_what_it_is_for() -> None:
    assert names() == [*SHIPPED_NAMES]
    assert all(load(name).name == name and load(name).about for name in names())


def test_a_child_changes_only_what_it_names(tmp_path: Path) -> None:
    write(tmp_path, "mine", 'inherits = "base"\n[retrieve.lexical]\nk1 = 2\n[present]\nwords = 8')
    base = load("base")
    lexical = base.retrieve.lexical._replace(k1=2.0)
    expected = base._replace(
        name="mine",
        retrieve=base.retrieve._replace(lexical=lexical),
        present=base.present._replace(words=8),
    )
    assert load("mine", within(tmp_path)) == expected


def test_the_fields_of_a_child_replace_its_parents(tmp_path: Path) -> None:
    write(tmp_path, "mine", 'inherits = "base"\n[retrieve.lexical]\nfields = { body = 1 }')
    assert load("mine", within(tmp_path)).retrieve.lexical.fields == {"body": 1.0}


def test_inheritance_goes_on_through_several_files(tmp_path: Path) -> None:
    write(tmp_path, "top", 'inherits = "base"\n[present]\nwords = 8\nlead = 50')
    write(tmp_path, "low", 'inherits = "top"\n[present]\nlead = 60')
    present = load("low", within(tmp_path)).present
    assert (present.words, present.lead, present.cascade) == (8, 60, load("base").present.cascade)


def test_a_users_file_shadows_the_shipped_one_and_can_inherit_it(tmp_path: Path) -> None:
    write(tmp_path, "keyword", 'inherits = "keyword"\n[present]\nwords = 5')
    shipped, own = load("keyword"), load("keyword", within(tmp_path))
    assert own == shipped._replace(present=shipped.present._replace(words=5))


def test_a_users_base_is_what_the_shipped_profiles_inherit(tmp_path: Path) -> None:
    write(tmp_path, "base", 'inherits = "base"\n[present]\nwords = 5')
    assert load("keyword", within(tmp_path)).present.words == 5


def test_the_first_folder_that_has_a_profile_wins(tmp_path: Path) -> None:
    near, far = tmp_path / "near", tmp_path / "far"
    write(far, "mine", 'inherits = "base"\n[present]\nwords = 1\nlead = 1')
    assert load("mine", within(near, far)).present.words == 1
    write(near, "mine", 'inherits = "mine"\n[present]\nwords = 2')
    present = load("mine", within(near, far)).present
    assert (present.words, present.lead) == (2, 1)
    assert names(within(near, far)) == sorted([*SHIPPED_NAMES, "mine"])


@pytest.mark.parametrize("parents", [{"a": "a"}, {"a": "b", "b": "a"}, {"a": "b", "b": "b"}])
def test_a_profile_that_inherits_itself_is_refused(tmp_path: Path, parents: dict[str, str]) -> None:
    for name, parent in parents.items():
        write(tmp_path, name, f'inherits = "{parent}"')
    with pytest.raises(UnknownSetting, match="inherits itself"):
        load("a", within(tmp_path))


@pytest.mark.parametrize("name", ["nobody", "", "a\x00b", "base.toml"])
def test_an_unknown_profile_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownProfile) as error:
        load(name)
    assert error.value.known == SHIPPED_NAMES


def test_an_unknown_parent_is_named(tmp_path: Path) -> None:
    write(tmp_path, "mine", 'inherits = "nobody"')
    with pytest.raises(UnknownProfile, match="nobody"):
        load("mine", within(tmp_path))


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("colour = 1", Profile._fields[1:]),
        ("[present]\nword = 1", PresentSection._fields),
        ("[understand]\nstops = 1", UnderstandSection._fields),
        ("[retrieve]\nchanels = []", RetrieveSection._fields),
        ("[retrieve.graph]\nseeds = 1", ("depth", "top_k")),
        ("[expand]\nhops = 1", ExpandSection._fields),
        ("[retrieve.lexical]\nkk = 1", ("fields", "k1", "b", "half", "substring")),
        ("[retrieve.overfetch]\nmost = 1", ("factor", "least")),
        ("[retrieve.vector]\nmost = 1", ("least", "long")),
        ("[fuse]\nkk = 1", FuseSection._fields),
        ("[fuse.weights]\nmoon = 1", CHANNELS),
        ("[rank]\nweight = 1", RankSection._fields),
        ("[rank.weights]\nmoon = 1", SIGNALS),
        ("[rank.with_vectors]\nmoon = 1", SIGNALS),
        ('[rank]\ntimes = ["moon"]', SIGNALS),
        ('[rank.scale]\nseverity = "raw"', CHANNELS),
        ('[rank.scale]\nlexical = "log"', SCALES),
        ("[rank.severity]\ngrave = 1", SEVERITIES),
        ("[rank.baseline]\ndream = 1", KINDS),
        ("[rank.intent]\nkinds = { dream = 1 }", KINDS),
        ("[rank.intent]\nwishes = {}", ("kinds", "doc_types")),
        ("[relevance]\nmost = 1", RelevanceSection._fields),
        ("[expand]\nwidth = 1", ExpandSection._fields),
        ("[learn]\nrate = 1", LearnSection._fields),
        ('[learn]\nmethod = "guess"', LEARNING),
        ('[learn]\nsignal = "moon"', SIGNALS),
        ("[track]\nall = true", TrackSection._fields),
        ('[retrieve]\nbeside = ["dream"]', KINDS),
        ("[retrieve.lexical]\nfields = { smell = 1 }", FIELDS),
        ("[retrieve.lexical]\nfields = {}", FIELDS),
        ('[retrieve]\nchannels = ["smell"]', CHANNELS),
        ('[present]\ncascade = ["smell"]', FIELDS),
        ('[understand]\nstop = "latin"', ("code", "prose")),
    ],
)
def test_an_unknown_key_or_name_is_refused_with_the_known_ones(
    tmp_path: Path, text: str, known: tuple[str, ...]
) -> None:
    assert refused(tmp_path, f'inherits = "base"\n{text}').known == known


@pytest.mark.parametrize(
    "text",
    [
        "inherits = 1",
        "about = 1",
        "retrieve = 1",
        "[understand]\noperators = 1",
        "[understand]\nshortest = 1.5",
        "[understand]\nshortest = true",
        '[understand]\nterms = "many"',
        '[retrieve]\nchannels = "lexical"',
        "[retrieve]\nchannels = [1]",
        "[retrieve.lexical]\nfields = 1",
        '[retrieve.lexical]\nfields = { body = "much" }',
        "[retrieve.lexical]\nfields = { body = nan }",
        "[retrieve.lexical]\nfields = { body = inf }",
        "[retrieve.lexical]\nfields = { body = -1 }",
        "[retrieve.lexical]\nk1 = -0.1",
        "[retrieve.lexical]\nb = 1.1",
        "[retrieve.vector]\nleast = -0.1",
        "[fuse]\ncomplete = 1.1",
        "[fuse]\nnormalise = 1",
        "[fuse.weights]\nvector = -1",
        "[rank.weights]\nlexical = -1",
        "[rank.weights]\nlexical = nan",
        "[rank.weights]\nlexical = inf",
        "[rank.with_vectors]\nvector = -0.1",
        "[rank]\ntimes = true",
        "[rank.baseline]\nmemory = 1.1",
        "[rank.trust]\neven = 0",
        "[rank.trust]\ndepth = 1",
        "[rank.trust]\nkinds = { code = -1 }",
        "[context]\ndecay = 1.1",
        "[rank.severity]\ncritical = 2",
        "[rank.half_lives]\nworking = -1",
        "[rank]\nhalf_life = nan",
        "[relevance]\nleast = 1.1",
        "[relevance]\noff_topic = -0.1",
        "[learn]\nmost = 1.5",
        "[learn]\nleast = 0.5",
        "[track]\nuse = 1",
        "[present]\nalike = 1.1",
        "[present]\nwords = -1",
        f"[present]\nwords = {MOST + 1}",
        f"[retrieve.overfetch]\nfactor = 1{'0' * 400}",
    ],
)
def test_a_value_of_the_wrong_type_or_size_is_refused(tmp_path: Path, text: str) -> None:
    head = "" if "inherits" in text else 'inherits = "base"\n'
    assert refused(tmp_path, head + text).problem


@pytest.mark.parametrize("text", [b"[present", b"= 1", b"a = 1\na = 2", b"\xff\xfe"])
def test_a_file_that_is_not_toml_is_refused_by_its_path(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(text)
    with pytest.raises(UnknownSetting, match="is not TOML") as error:
        load("mine", within(tmp_path))
    assert str(path) in error.value.problem


def test_weights_that_are_all_0_are_refused_with_what_to_do(tmp_path: Path) -> None:
    error = refused(tmp_path, 'inherits = "base"\n[rank.weights]\nlexical = 0\nvector = 0')
    assert "all 0" in error.problem
    assert "above 0" in error.remedy


@pytest.mark.proves("B6")
def test_a_weight_of_0_that_a_call_gives_is_0() -> None:
    weights = load("brain").rank.weights
    changed = load("brain", override={"rank.weights.recency": 0})
    assert changed.rank.weights == {**weights, "recency": 0.0}


def test_only_a_bias_may_be_below_0(tmp_path: Path) -> None:
    write(tmp_path, "mine", 'inherits = "base"\n[relevance]\nwords = { bias = -2, share = 1 }')
    words = load("mine", within(tmp_path)).relevance.words
    assert words == {"bias": -2.0, "share": 1.0}
    assert refused(tmp_path, 'inherits = "base"\n[relevance]\nwords = { share = -1 }').problem


def test_a_call_overrides_by_path_for_itself_alone() -> None:
    override = {"rank.weights.lexical": 2, "retrieve.lexical.fields.title": 1, "present.words": 9}
    changed = load("base", override=override)
    assert changed.rank.weights == {"lexical": 2.0}
    assert changed.retrieve.lexical.fields == {**load("base").retrieve.lexical.fields, "title": 1}
    assert changed.present == load("base").present._replace(words=9)
    assert load("base").rank.weights == {}


def test_a_whole_section_can_be_given_by_path() -> None:
    changed = load("base", override={"retrieve.lexical.fields": {"body": 1}})
    assert changed.retrieve.lexical.fields == {"body": 1.0}


def test_the_same_path_with_another_value_is_another_profile() -> None:
    words = [load("base", override={"present.words": value}).present.words for value in (1, 2)]
    assert words == [1, 2]
    for value in (1.0, True, "1"):  # equal to 1, or written like it
        with pytest.raises(UnknownSetting, match="whole number"):
            load("base", override={"present.words": value})


def test_a_list_that_was_given_and_changes_later_changes_no_profile() -> None:
    channels = ["lexical"]
    first = load("base", override={"retrieve.channels": channels})
    channels.append("graph")
    second = load("base", override={"retrieve.channels": channels})
    assert (first.retrieve.channels, second.retrieve.channels) == (
        ("lexical",),
        ("lexical", "graph"),
    )


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("", 1),
        ("nothing", 1),
        ("rank.weights.moon", 1),
        ("rank.weights.lexical", "much"),
        ("rank.weights.lexical", float("nan")),
        ("rank.weights.lexical.more", 1),
        ("rank", 1),
        ("present.words.", 1),
        ("retrieve.lexical.fields", None),
        ("retrieve.lexical.fields", {}),
        ("inherits", "keyword"),
    ],
)
def test_an_override_is_checked_like_a_file(path: str, value: Any) -> None:
    with pytest.raises(UnknownSetting, match="base: "):
        load("base", override={path: value})


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    write(tmp_path, "mine", 'inherits = "base"\n[present]\nwords = 1')
    before = load("mine", within(tmp_path))
    write(tmp_path, "mine", 'inherits = "base"\n[present]\nwords = 2')
    # A date of its own, as far as any file system can tell.
    os.utime(tmp_path / "mine.toml", (2_000_000_000, 2_000_000_000))
    assert (before.present.words, load("mine", within(tmp_path)).present.words) == (1, 2)


def test_a_profile_cannot_be_changed() -> None:
    profile = load("base")
    with pytest.raises(AttributeError):
        profile.present.words = 1  # type: ignore[misc]
    for table in (profile.rank.weights, profile.retrieve.lexical.fields):
        with pytest.raises(TypeError):
            table["body"] = 1  # type: ignore[index]


def test_the_names_of_the_sections_are_those_of_the_files() -> None:
    sections = {name for name, value in Profile("x")._asdict().items() if hasattr(value, "_fields")}
    base = (SOURCE / "profiles" / "base.toml").read_text("utf-8")
    assert sections == set(re.findall(r"^\[(\w+)", base, re.MULTILINE))


def test_no_stage_asks_for_the_name_of_a_profile() -> None:
    telling = [name for name in names() if name not in CHANNELS]
    # What a call says by default is no question.
    compared = re.compile(
        r"(==|!=|\bin\b|\bmatch\b)\s*\(?profile\.name|profile\.name\s*(==|!=|\bin\b)"
        rf"|(?<!profile: str = )[\"']({'|'.join(telling)})[\"']"
    )
    guilty = [
        f"{path.relative_to(SOURCE)}: {line.strip()}"
        for folder in ("search", "text", "store")  # indexing knows no profile at all
        for path in sorted((SOURCE / folder).rglob("*.py"))
        for line in path.read_text("utf-8").splitlines()
        if compared.search(line)
    ]
    assert guilty == []
