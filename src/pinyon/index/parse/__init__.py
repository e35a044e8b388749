"""Parse: the content of a file becomes records and edges. READERS says what reads which file.

A reader is imported when the first of its files comes: most folders need only a few of them.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import PurePosixPath
from typing import NamedTuple, cast

from pinyon.index.parse.file import file_record
from pinyon.index.parse.origin import Origin, Parsed

VERSION = 2
"""Raised when a reader gives other records or edges for the same file: then all are read again."""


MOST_BYTES = 2_000_000
"""A larger file of text is not read: it is data or a log, hardly something that a person wrote."""


class Reader(NamedTuple):
    """A module of this folder whose function of the same name (its last part) reads files. One that
    is `binary` is given bytes, any other text. A file of more than `most_bytes` is not read."""

    module: str
    binary: bool = False
    most_bytes: int = MOST_BYTES


NAMED: dict[str, Reader] = {
    "conversations.json": Reader("conversation", most_bytes=50_000_000),
    "skill.md": Reader("skill"),
}
"""By the whole name, in lower case; asked before the suffix."""

READERS: dict[str, Reader] = {
    ".md": Reader("markdown"),
    ".markdown": Reader("markdown"),
    ".mdx": Reader("markdown"),
    ".txt": Reader("plain"),
    ".text": Reader("plain"),
    ".rst": Reader("rst"),
    ".html": Reader("web"),
    ".htm": Reader("web"),
    ".xhtml": Reader("web"),
    ".ipynb": Reader("notebook"),
    ".jsonl": Reader("jsonl"),
    ".pdf": Reader("pdf", binary=True, most_bytes=50_000_000),
    ".docx": Reader("docx", binary=True, most_bytes=50_000_000),
    ".org": Reader("plain"),
    ".adoc": Reader("plain"),
    # By tree-sitter.
    **dict.fromkeys(
        [
            ".py",
            ".pyi",
            ".pyw",
            ".js",
            ".jsx",
            ".mjs",
            ".cjs",
            ".ts",
            ".mts",
            ".cts",
            ".tsx",
            ".go",
            ".rs",
            ".java",
            ".c",
            ".h",
            ".cc",
            ".cpp",
            ".cxx",
            ".hh",
            ".hpp",
            ".hxx",
            ".inl",
            ".ipp",
            ".cs",
            ".rb",
            ".rake",
            ".gemspec",
            ".php",
        ],
        Reader("code"),
    ),
    # Code without a grammar here, by windows of lines.
    **dict.fromkeys(
        [
            ".kt",
            ".kts",
            ".swift",
            ".scala",
            ".lua",
            ".sh",
            ".bash",
            ".zsh",
            ".fish",
            ".ps1",
            ".sql",
            ".r",
            ".dart",
            ".ex",
            ".exs",
            ".erl",
            ".hrl",
            ".hs",
            ".ml",
            ".mli",
            ".zig",
            ".clj",
            ".cljs",
            ".jl",
            ".pl",
            ".pm",
            ".groovy",
            ".gradle",
            ".m",
            ".mm",
            ".vb",
            ".fs",
            ".fsx",
            ".nim",
            ".v",
            ".sol",
            ".proto",
            ".graphql",
            ".tf",
            ".hcl",
            ".nix",
            ".vue",
            ".svelte",
            ".astro",
            ".css",
            ".scss",
            ".less",
            ".el",
            ".lisp",
            ".scm",
            ".asm",
            ".s",
            ".vhd",
            ".f90",
            ".pas",
            ".cu",
            ".cmake",
            ".mk",
            ".bat",
        ],
        Reader("code.windows"),
    ),
}
"""By the suffix of the name, in lower case."""

PLAIN_NAMES = frozenset(
    {
        "authors",
        "changelog",
        "changes",
        "contributing",
        "copying",
        "history",
        "install",
        "license",
        "news",
        "notes",
        "notice",
        "readme",
        "todo",
    }
)
"""Names without a suffix, in lower case, that are plain text by custom."""


def reader(path: str) -> Reader | None:
    """What reads a file of this name, if anything."""
    name = PurePosixPath(path).name.lower()
    suffix = PurePosixPath(name).suffix
    if name in NAMED:
        return NAMED[name]
    if not suffix and name in PLAIN_NAMES:
        return Reader("plain")
    return READERS.get(suffix)


def most_bytes(name: str) -> int:
    """How large a file of this name may be; one that nothing reads is only known by its path."""
    found = reader(name)
    return found.most_bytes if found else sys.maxsize


def parse(content: str | bytes, origin: Origin) -> Parsed:
    """The record of the file itself, then those of its text in their order. Without a reader the
    content is not looked at."""
    chosen = reader(origin.path)
    if chosen is None:
        return Parsed((file_record(origin, ""),))
    module = import_module(f"pinyon.index.parse.{chosen.module}")
    function = getattr(module, chosen.module.rpartition(".")[2])
    parsed = cast("Callable[[str | bytes, Origin], Parsed]", function)(content, origin)
    return replace(parsed, records=(file_record(origin, parsed.outline), *parsed.records))
