"""Places: what other files call a file, and what they say when they import something.

Both sides write placeholders in the same way, so that the one finds the other. Where a language
imports paths, the folder is in them ("@js:shop/src/cart"); where it imports names, it is not
("@python:shop.cart"): a package may be imported from another folder.
"""

import posixpath
import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from pinyon.index.parse.code.found import Import
from pinyon.index.parse.origin import Origin

_ROOTS = frozenset({"src", "lib", "python", "include", "inc", "app"})
"""Folders below which names begin anew."""

_JS_SUFFIX = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?$")
_GO_VERSION = re.compile(r"v\d+")
_GO_OWNED = frozenset(
    {"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "golang.org", "git.sr.ht"}
)


class Place(NamedTuple):
    """`names` are placeholders of the file itself, the usual one first; `prefixes` what those of
    its symbols begin with. Where prefixes are empty, a symbol's namespace says it."""

    names: tuple[str, ...]
    prefixes: tuple[str, ...] = ()


class Imported(NamedTuple):
    """`targets` are placeholders of what is imported, `bound` what local names stand for, `opened`
    prefixes that names without one may have."""

    targets: tuple[str, ...]
    bound: Mapping[str, str]
    opened: tuple[str, ...] = ()


class Scheme(NamedTuple):
    """How the files of a language are named, and how its imports are read."""

    place: Callable[[Origin], Place]
    read: Callable[[Import, Origin], Imported]


def _python_place(origin: Origin) -> Place:
    names = tuple(f"@python:{'.'.join(each)}" for each in _python_modules(origin))
    return Place(names, names)


def _python_modules(origin: Origin) -> list[tuple[str, ...]]:
    parts = PurePosixPath(origin.path).with_suffix("").parts
    whole = parts[:-1] if parts[-1] == "__init__" else parts
    whole = whole or (origin.folder,)
    return [each for each in dict.fromkeys((_below_root(whole), whole)) if each]


def _python_read(found: Import, origin: Origin) -> Imported:
    dots = len(found.source) - len(found.source.lstrip("."))
    module = found.source.replace(" ", "")
    if dots:
        own = _python_modules(origin)[0]
        package = own if PurePosixPath(origin.path).stem == "__init__" else own[:-1]
        above = package[: len(package) - dots + 1] if dots > 1 else package
        module = ".".join(part for part in (*above, module[dots:]) if part)
    place = f"@python:{module}"
    if found.symbol:
        symbol = f"{place}.{found.symbol}" if module else f"@python:{found.symbol}"
        targets = (place, symbol) if module else (symbol,)
        return Imported(targets, {found.alias or found.symbol: symbol})
    if found.wildcard:
        return Imported((place,), {}, (place,))
    first = module.partition(".")[0]
    return Imported((place,), {found.alias: place} if found.alias else {first: f"@python:{first}"})


def _js_place(origin: Origin) -> Place:
    path = _JS_SUFFIX.sub("", origin.id)
    folder = path.removesuffix("/index")
    return Place(tuple(f"@js:{each}" for each in dict.fromkeys((folder, path))), (f"@js:{folder}",))


def _js_read(found: Import, origin: Origin) -> Imported:
    local = found.source.startswith(".")
    path = _JS_SUFFIX.sub("", _beside(origin, found.source)) if local else found.source
    module = f"@js:{path.removesuffix('/index')}" if local else f"@npm:{path}"
    symbol = f"{module}#{found.symbol}"
    if not found.symbol:
        return Imported((module,), {found.alias: module} if found.alias else {})
    return Imported((module, symbol) if local else (module,), {found.alias or found.symbol: symbol})


def _go_place(origin: Origin) -> Place:
    package = f"@go:{origin.scope}"
    return Place((package,), (package,))


def _go_read(found: Import, origin: Origin) -> Imported:
    """The repository is taken for the folder: its host and owner are not known from inside."""
    parts = found.source.split("/")
    if "." in parts[0]:
        parts = parts[2:] if parts[0] in _GO_OWNED and len(parts) > 2 else parts[1:]
        if len(parts) > 1 and _GO_VERSION.fullmatch(parts[1]):
            del parts[1]
    last = next((each for each in reversed(parts) if not _GO_VERSION.fullmatch(each)), "")
    package = f"@go:{'/'.join(parts)}"
    if found.alias == ".":
        return Imported((package,), {}, (package,))
    return Imported((package,), {found.alias or last: package})


def _rust_place(origin: Origin) -> Place:
    module = f"@rust:{'::'.join(_rust_module(origin))}"
    return Place((module,), (module,))


def _rust_module(origin: Origin) -> tuple[str, ...]:
    """The crate is named after the folder that holds its src."""
    parts = PurePosixPath(origin.id).with_suffix("").parts
    if "src" in parts[1:]:
        at = len(parts) - 1 - parts[::-1].index("src")
        parts = (parts[at - 1], *parts[at + 1 :])
    if len(parts) > 1 and parts[-1] in {"mod", "lib", "main"}:
        parts = parts[:-1]
    return (parts[0].replace("-", "_"), *parts[1:])


def _rust_read(found: Import, origin: Origin) -> Imported:
    own = (*_rust_module(origin), *found.inside)
    if found.how == "child":
        return Imported((f"@rust:{'::'.join((*own, found.source))}",), {})
    targets: dict[str, None] = {}
    bound: dict[str, str] = {}
    opened: list[str] = []
    for written in _rust_paths(found.source):
        path, _, alias = written.partition(" as ")
        parts = _rust_absolute([part.strip() for part in path.split("::") if part.strip()], own)
        last = parts.pop() if len(parts) > 1 else ""
        module = f"@rust:{'::'.join(parts)}"
        targets[module] = None
        if last == "*":
            opened.append(module)
        elif last == "self" or not last:
            bound[alias.strip() or parts[-1]] = module
        else:
            targets[f"{module}::{last}"] = None
            bound[alias.strip() or last] = f"{module}::{last}"
    return Imported(tuple(targets), bound, tuple(opened))


def _rust_paths(written: str) -> list[str]:
    """`a::{b, c::{self, D}}` is a::b, a::c::self, a::c::D."""
    before: list[str] = [""]
    paths: list[str] = []
    piece = ""
    for letter in f"{' '.join(written.split())},":
        if letter == "{":
            before.append((before[-1] + piece.lstrip())[:1_000])
            piece = ""
        elif letter in ",}":
            if piece.strip():
                paths.append(before[-1] + piece.strip())
            piece = ""
            if letter == "}" and len(before) > 1:
                before.pop()
        else:
            piece += letter
    return paths


def _rust_absolute(parts: list[str], own: tuple[str, ...]) -> list[str]:
    if parts[:1] == ["crate"]:
        return [own[0], *parts[1:]]
    here = list(own)
    if parts[:1] == ["self"]:
        return [*here, *parts[1:]]
    up = 0
    while parts[up : up + 1] == ["super"]:
        up += 1
    return [*here[: max(1, len(here) - up)], *parts[up:]] if up else parts


def _java_read(found: Import, origin: Origin) -> Imported:
    path = found.source.replace(" ", "")
    if found.how == "static":
        path = path if found.wildcard else path.rpartition(".")[0] or path
    elif found.wildcard:
        return Imported((f"@java:{path}",), {}, (f"@java:{path}",))
    return Imported((f"@java:{path}",), {path.rpartition(".")[2]: f"@java:{path}"})


def _csharp_read(found: Import, origin: Origin) -> Imported:
    namespace = f"@csharp:{found.source}"
    if found.alias:
        return Imported((namespace,), {found.alias: namespace})
    foreign = found.source.partition(".")[0] in {"System", "Microsoft"}
    return Imported((namespace,), {}, () if foreign else (namespace,))


def _php_read(found: Import, origin: Origin) -> Imported:
    if found.how == "file":
        return Imported((f"@php:{_beside(origin, found.source.lstrip('/'))}",), {})
    parts = (found.source.strip("\\"), found.symbol)
    name = "\\".join(part for part in parts if part)
    return Imported((f"@php:{name}",), {found.alias or name.rpartition("\\")[2]: f"@php:{name}"})


def _c_place(origin: Origin) -> Place:
    parts = PurePosixPath(origin.path).parts
    paths = (origin.id, "/".join(_below_root(parts)), origin.path)
    return Place(tuple(f"@c:{each}" for each in dict.fromkeys(paths)))


def _c_read(found: Import, origin: Origin) -> Imported:
    """A quoted header lies beside the file or below a root, which one is not known here."""
    beside = (_beside(origin, found.source),) if found.how == '"' else ()
    plain = () if found.source.startswith(".") else (found.source,)
    return Imported(tuple(f"@c:{each}" for each in (*beside, *plain)), {})


def _ruby_place(origin: Origin) -> Place:
    parts = PurePosixPath(origin.path).with_suffix("").parts
    whole = PurePosixPath(origin.id).with_suffix("").as_posix()
    return Place(tuple(dict.fromkeys((f"@ruby:{whole}", f"@ruby:{'/'.join(_below_root(parts))}"))))


def _ruby_read(found: Import, origin: Origin) -> Imported:
    path = found.source.removesuffix(".rb")
    beside = found.how == "require_relative" or path.startswith(".")
    return Imported((f"@ruby:{_beside(origin, path) if beside else path}",), {})


def _named_elsewhere(origin: Origin) -> Place:
    """A namespace inside of the file names it."""
    return Place(())


def _php_place(origin: Origin) -> Place:
    return Place((f"@php:{origin.id}",))


def _beside(origin: Origin, path: str) -> str:
    """Where a path leads that is relative to the file; never out of the folder."""
    inside = posixpath.normpath(posixpath.join("/", posixpath.dirname(origin.path), path))
    return f"{origin.folder}/{inside.strip('/')}"


def _below_root(parts: tuple[str, ...]) -> tuple[str, ...]:
    """What follows the last folder of sources, or everything."""
    below = len(parts) - 1
    at = next((n for n in range(below - 1, -1, -1) if parts[n] in _ROOTS), -1)
    return parts[at + 1 :]


SCHEMES = {
    "python": Scheme(_python_place, _python_read),
    "javascript": Scheme(_js_place, _js_read),
    "typescript": Scheme(_js_place, _js_read),
    "tsx": Scheme(_js_place, _js_read),
    "go": Scheme(_go_place, _go_read),
    "rust": Scheme(_rust_place, _rust_read),
    "java": Scheme(_named_elsewhere, _java_read),
    "c": Scheme(_c_place, _c_read),
    "cpp": Scheme(_c_place, _c_read),
    "csharp": Scheme(_named_elsewhere, _csharp_read),
    "ruby": Scheme(_ruby_place, _ruby_read),
    "php": Scheme(_php_place, _php_read),
}
"""By the name of the language."""
