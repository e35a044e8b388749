"""Parse: the text of one file becomes records. PARSERS says which parser reads which file."""

from collections.abc import Callable
from pathlib import PurePosixPath

from pinyon.index.parse.markdown import markdown
from pinyon.index.parse.origin import Origin, Parsed
from pinyon.index.parse.plain import plain

Parser = Callable[[str, Origin], Parsed]

PARSERS: dict[str, Parser] = {
    ".md": markdown,
    ".markdown": markdown,
    ".mdx": markdown,
    ".txt": plain,
    ".text": plain,
    ".rst": plain,
    ".org": plain,
    ".adoc": plain,
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


def readable(name: str) -> bool:
    """Whether Pinyon reads a file of this name."""
    suffix = PurePosixPath(name).suffix.lower()
    return suffix in PARSERS or (not suffix and name.lower() in PLAIN_NAMES)


def parse(text: str, origin: Origin) -> Parsed:
    """The records of one file, in the order of its text; without a parser it is plain text."""
    parser = PARSERS.get(PurePosixPath(origin.path).suffix.lower(), plain)
    return parser(text, origin)
