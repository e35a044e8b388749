"""Links: what a text points at, and the placeholders by which its target is found.

A placeholder is a name inside one folder: "@note:notes:plan" is any note called Plan, wherever it
lies, "@path:notes/team/plan" the file of that path, both without the suffix of a file that Pinyon
reads; "#why" after it means the section of that heading, "#^a1" the block of that id.
"""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import unquote

from pinyon.index.parse import reader
from pinyon.index.parse.origin import Origin, line
from pinyon.model.check import LIMITS

MOST_LINKS = 5_000
"""In one file; what comes after them is only text."""

# Every repetition is possessive and ends at the next mark of its kind: no text is read twice.
_MARK = re.compile(
    r"\\[\s\S]"
    r"|(?P<embed>!?)\[\[(?P<wiki>[^\[\]\n|`]++)(?:\|[^\[\]\n]*+)?\]\]"
    r"|(?P<open>!?\[)"
    r"|\](?:\(\s*+"
    r"(?:<(?P<angled>[^<>\n]*+)>|(?P<bare>[^\s<>()]++(?:\([^\s<>()]*+\)[^\s<>()]*+)?+))"
    r"(?:\s++(?:\"[^\"]*+\"|'[^']*+'|\([^()]*+\)))?+\s*+\))?+"
)
_LONGEST_LABEL = 999
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_TAG = re.compile(r"(?<!\S)#([\w/\-\U0001f300-\U0001faff]+)")
_BLOCK = re.compile(r"(?<!\S)\^([A-Za-z0-9-]{1,100})[ \t]*$", re.MULTILINE)
_TICKS = re.compile(r"`+")
_NOT_TICKED = re.compile(r"[^\n]")
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")


class Link(NamedTuple):
    """As it is written in `line` (from 0). `form` says how the target is to be understood."""

    line: int
    relation: str
    form: str
    target: str


def links(text: str, first: int, references: Mapping[str, str]) -> Iterator[Link]:
    """The links of a paragraph of Markdown that begins in line `first`, without inline code.
    `references` maps the labels that the document defines, in lower case, to their targets."""
    if "[" not in text:
        return
    here, seen = first, 0
    opened: list[tuple[str, int]] = []
    innermost = False
    for match in _MARK.finditer(text):
        begin = match.start()
        here, seen = here + text.count("\n", seen, begin), begin
        if match["wiki"]:
            # In a table the bar before the shown text is written as \|.
            yield Link(here, _relation(match["embed"]), "wiki", match["wiki"].rstrip("\\"))
        elif match["open"]:
            opened.append((match["open"], match.end()))
            innermost = True
        elif match[0][0] == "]" and opened:
            mark, inside = opened.pop()
            target = match["angled"] or match["bare"]
            if not target and innermost and begin - inside <= _LONGEST_LABEL:
                target = references.get(label(text[inside:begin]))
            if target:
                yield Link(here, _relation(mark[:-1]), "path", target)
            innermost = False


def _relation(mark: str) -> str:
    return "embeds" if mark else "links"


def label(written: str) -> str:
    """The name of a reference, as two ways to write it are compared."""
    return " ".join(written.split()).lower()


def tags(text: str) -> Iterator[str]:
    """#plan and #team/plan; not #12, which is a number, nor one that is too long for a tag."""
    if "#" not in text:
        return
    for written in _TAG.findall(text):
        tag = written.strip("/")
        if tag.strip("-_/") and not tag.isdecimal() and len(tag) <= LIMITS["tags"]:
            yield tag


def blocks(text: str, first: int) -> Iterator[tuple[int, str]]:
    """The ids (^a1) that stand at the end of a line, each with its line."""
    here, seen = first, 0
    for match in _BLOCK.finditer(text) if "^" in text else ():
        here, seen = here + text.count("\n", seen, match.start()), match.start()
        yield here, match[1]


def prose(text: str) -> str:
    """The same text with inline code made unreadable; every line stays where it is."""
    if "`" not in text:
        return text
    runs = [match.span() for match in _TICKS.finditer(text)]
    later: dict[int, list[int]] = {}
    for number in range(len(runs) - 1, -1, -1):
        later.setdefault(runs[number][1] - runs[number][0], []).append(number)
    pieces: list[str] = []
    at = number = 0
    while number < len(runs):
        begin, end = runs[number]
        same = later[end - begin]
        while same and same[-1] <= number:
            same.pop()
        if same and text[begin - 1 : begin] != "\\":
            number = same[-1]
            end = runs[number][1]
            pieces += (text[at:begin], _NOT_TICKED.sub("`", text[begin:end]))
            at = end
        number += 1
    return "".join((*pieces, text[at:]))


def slug(title: str) -> str:
    """A heading as the end of an address, as GitHub makes it; empty where nothing is left."""
    return _NOT_IN_SLUG.sub("", title.lower()).replace(" ", "-")


class Slugs:
    """Slugs that are told apart: a repeated one gets -1, -2 and so on."""

    def __init__(self, most: int) -> None:
        self._most = most - len("-999999")
        self._taken: dict[str, int] = {}

    def take(self, title: str, otherwise: str = "section") -> str:
        bare = slug(title)[: self._most] or otherwise
        taken = bare
        while taken in self._taken:
            self._taken[bare] += 1
            taken = f"{bare}-{self._taken[bare]}"
        self._taken[taken] = 0
        return taken


class Places:
    """The placeholders that one file uses: for itself, and for what its links mean."""

    def __init__(self, origin: Origin) -> None:
        self._folder = origin.folder
        self._above = posixpath.dirname(origin.path)
        self._own = posixpath.splitext(origin.path)[0]
        self._stem = posixpath.basename(self._own)
        self._forms: dict[str, Callable[[str], list[str]]] = {
            "wiki": self._wiki,
            "path": self._relative,
            "label": lambda target: [self.label(target)],
        }

    def meant(self, link: Link) -> list[str]:
        """None where the link leaves the folder; several where it can be understood so."""
        return self._forms[link.form](link.target)

    def own(self, part: str = "") -> list[str]:
        """What the file answers to: its name and its path."""
        return [self.note(self._stem, part), self._path(self._own, part)]

    def note(self, name: str, part: str = "") -> str:
        return _fitting(f"@note:{self._folder}:{name.lower()}{part}")

    def label(self, name: str) -> str:
        """Of what is named in the text itself, as in reStructuredText."""
        return _fitting(f"@label:{self._folder}:{label(name)}")

    def _wiki(self, target: str) -> list[str]:
        name, _, heading = target.partition("#")
        name, part = name.strip(), _part(heading)
        if not name:
            return self._relative(f"#{heading}") if part else []
        if "/" not in name:
            return [self.note(_bare(name), part)]
        # Vaults write paths from their top as well as from where the note lies.
        tops = [self._above] if name.startswith(".") else [self._above, ""]
        found = [self._resolved(top, name, part) for top in tops]
        return list(dict.fromkeys(place for place in found if place))

    def _relative(self, target: str) -> list[str]:
        if _SCHEME.match(target):
            return []
        path, _, heading = target.partition("#")
        path, part = unquote(path.partition("?")[0]), _part(unquote(heading))
        if not path:
            return [self._path(self._own, part)] if part else []
        place = self._resolved(self._above, path, part)
        return [place] if place else []

    def _resolved(self, above: str, path: str, part: str) -> str:
        """Empty for what lies outside of the folder, and for the folder itself."""
        whole = path.lstrip("/") if path.startswith("/") else posixpath.join(above, path)
        whole = posixpath.normpath(whole)
        if whole in {".", ".."} or whole.startswith("../"):
            return ""
        return self._path(_bare(whole), part)

    def _path(self, path: str, part: str) -> str:
        return _fitting(f"@path:{self._folder}/{path}{part}")


def _part(heading: str) -> str:
    """Of a trail of headings (#Plan#Why) the last one counts."""
    last = heading.rpartition("#")[2].strip()
    if last.startswith("^"):
        return f"#{last.lower()}"
    bare = slug(last)
    return f"#{bare}" if bare else ""


def _bare(path: str) -> str:
    """Without the suffix, if it is one: "Plan 2.0" has none."""
    return posixpath.splitext(path)[0] if reader(path) else path


def _fitting(placeholder: str) -> str:
    # Some systems keep the names of files with their accents apart from the letters.
    return line(normalize("NFC", placeholder), "id")
