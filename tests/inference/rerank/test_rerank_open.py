"""Open: which reranker a choice stands for, and which one is there."""

from pathlib import Path

import pytest

from pinyon.inference.contract import NoModel
from pinyon.inference.hub import hub_folder
from pinyon.inference.models import known, pulled_folder
from pinyon.inference.onnx import build
from pinyon.inference.rerank.open import (
    REPOSITORY,
    first_available,
    open_reranker,
    reranker_server,
)


@pytest.fixture(autouse=True)
def _no_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model counts as here only when the test puts it into the cache."""
    monkeypatch.setattr(build, "find_spec", lambda name: None)


def put_minilm(cache: Path) -> None:
    model = known().packaged["minilm"]
    for file in model.files:
        path = pulled_folder(model, cache) / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


@pytest.mark.parametrize("choice", ["cohre", "", "folder/that/is/not"])
def test_an_unknown_name_lists_the_known_ones(tmp_path: Path, choice: str) -> None:
    with pytest.raises(NoModel, match="no reranker") as raised:
        open_reranker(choice, tmp_path)
    assert "voyage, cohere, cross-encoder, late, hf:OWNER/NAME" in raised.value.remedy


def test_late_needs_the_weights_of_minilm(tmp_path: Path) -> None:
    with pytest.raises(NoModel) as raised:
        open_reranker("late", tmp_path)
    assert raised.value.remedy == "fetch them with `pinyon model pull minilm`"
    put_minilm(tmp_path)
    assert open_reranker("late", tmp_path).name == "late:minilm-l6-v2@53aa5117+signs"


@pytest.mark.proves("S7")
def test_only_a_server_is_sent_text(tmp_path: Path) -> None:
    choices = ["voyage", "cohere", "late", "cross-encoder", "hf:a/b", str(tmp_path)]
    assert [reranker_server(choice) for choice in choices] == [
        "https://api.voyageai.com/v1",
        "https://api.cohere.com/v2",
        *[""] * 4,
    ]


@pytest.mark.proves("S7")
def test_the_first_that_can_be_used_is_a_server_then_the_better_model(tmp_path: Path) -> None:
    assert first_available(tmp_path, []) == ""
    put_minilm(tmp_path)
    assert first_available(tmp_path, []) == "late"
    hub_folder(REPOSITORY, tmp_path).mkdir(parents=True)
    assert first_available(tmp_path, []) == "cross-encoder"
    assert first_available(tmp_path, ["cohere"]) == "cohere"
    assert first_available(tmp_path, ["cohere", "voyage"]) == "voyage"
