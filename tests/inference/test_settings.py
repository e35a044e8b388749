"""Settings of models: where they lie, which one a store begins with, and consent."""

import json
import stat
import sys
from pathlib import Path

import pytest

from pinyon import settings
from pinyon.inference.models import known
from pinyon.model.errors import InvalidInput

OPENAI = "https://api.openai.com/v1"


def test_the_folders_can_be_named_in_the_environment(tmp_path: Path) -> None:
    environment = {"PINYON_CACHE": str(tmp_path / "c"), "PINYON_CONFIG": str(tmp_path / "s")}
    assert settings.cache_folder(environment=environment) == tmp_path / "c"
    assert settings.config_folder(environment=environment) == tmp_path / "s"
    assert list(settings.profile_folders(tmp_path / "a.pinyon", environment=environment))[-1] == (
        tmp_path / "s" / "profiles"
    )
    assert settings.cache_folder(environment={}) != settings.config_folder(environment={})


@pytest.mark.parametrize(
    ("environment", "model"),
    [
        ({}, known().default),
        ({"PINYON_MODEL": " "}, known().default),
        ({"PINYON_MODEL": "minilm"}, "minilm"),
        ({"PINYON_MODEL": "none"}, "none"),
    ],
)
def test_a_store_that_names_no_model_gets_the_user_s_default(
    environment: dict[str, str], model: str
) -> None:
    assert settings.default_model(environment=environment) == model


@pytest.mark.proves("S12")
def test_a_key_in_the_environment_does_not_change_the_default() -> None:
    keys = {provider.key: "secret" for provider in known().providers.values()}
    assert settings.default_model(environment=keys) == known().default


@pytest.mark.proves("S12")
def test_auto_takes_the_provider_whose_key_is_set_and_else_the_default() -> None:
    def chosen(**environment: str) -> str:
        return settings.automatic_model(environment=environment)

    assert chosen(VOYAGE_API_KEY="secret") == "voyage"
    assert chosen(OPENAI_API_KEY="secret") == "openai"
    assert chosen(OPENAI_API_KEY=" ") == known().default
    assert chosen(PINYON_MODEL="minilm") == "minilm"


def test_a_provider_s_key_is_read_from_its_own_variable() -> None:
    environment = {"VOYAGE_API_KEY": " secret\n", "OPENAI_API_KEY": ""}
    keys = [
        settings.provider_key(name, environment=environment)
        for name in ("voyage", "openai", "compatible", "nobody")
    ]
    assert keys == ["secret", None, None, None]


@pytest.mark.proves("S12")
def test_nothing_is_allowed_until_the_user_allows_it(tmp_path: Path) -> None:
    mine = {"PINYON_CONFIG": str(tmp_path / "mine")}
    other = {"PINYON_CONFIG": str(tmp_path / "other")}
    assert not settings.allowed(OPENAI, environment=mine)
    settings.allow(OPENAI, environment=mine)
    settings.allow("http://localhost:11434/v1", environment=mine)
    assert settings.allowed(OPENAI, environment=mine)
    assert settings.allowed("http://localhost:11434/v1", environment=mine)
    assert not settings.allowed("http://localhost:11435/v1", environment=mine)
    assert not settings.allowed(OPENAI, environment=other)


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("https://API.openai.com/v1/", True),
        ("HTTPS://api.openai.com/v1", True),
        ("http://api.openai.com/v1", False),
        ("https://api.openai.com/V1", False),
        ("https://api.openai.com.evil.example/v1", False),
        ("https://api.openai.com/v1/other", False),
        ("", False),
    ],
)
def test_consent_is_for_one_address_only(tmp_path: Path, url: str, same: bool) -> None:
    environment = {"PINYON_CONFIG": str(tmp_path)}
    settings.allow(OPENAI, environment=environment)
    assert settings.allowed(url, environment=environment) is same


@pytest.mark.parametrize("content", ["", "{broken", '"https://api.openai.com/v1"', "{}", "[7]"])
def test_a_broken_list_allows_nothing_and_can_be_written_anew(tmp_path: Path, content: str) -> None:
    environment = {"PINYON_CONFIG": str(tmp_path)}
    (tmp_path / settings.ALLOWED).write_text(content, encoding="utf-8")
    assert not settings.allowed(OPENAI, environment=environment)
    settings.allow(OPENAI, environment=environment)
    assert json.loads((tmp_path / settings.ALLOWED).read_text("utf-8")) == [OPENAI]
    assert [path.name for path in tmp_path.iterdir()] == [settings.ALLOWED]


@pytest.mark.skipif(sys.platform == "win32", reason="has other permissions")
def test_only_the_user_can_read_the_list(tmp_path: Path) -> None:
    settings.allow(OPENAI, environment={"PINYON_CONFIG": str(tmp_path / "deep" / "down")})
    mode = (tmp_path / "deep" / "down" / settings.ALLOWED).stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def test_a_list_that_cannot_be_kept_is_an_error_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InvalidInput) as refused:
        settings.allow(OPENAI, environment={"PINYON_CONFIG": str(tmp_path / "file" / "in")})
    assert "PINYON_CONFIG" in refused.value.remedy
