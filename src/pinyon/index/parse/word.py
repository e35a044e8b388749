"""Word: what the parts of a DOCX archive say, one small reader a part.

Each is told where an element begins and ends and the text between, and keeps what it understands.
Names are "namespace local"; only the local one counts where no other namespace shares it.
"""

from collections.abc import Mapping
from typing import ClassVar

from pinyon.index.parse.given import clean
from pinyon.index.parse.origin import line
from pinyon.index.parse.sections import Block

_TEXT = ("wordprocessingml/2006/main", "wordprocessingml/main", "/math")
"""How the namespaces end whose elements hold text; the second one is the strict variant's."""

_SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": "\t"}
_LISTS = ("ListBullet", "ListNumber")
_MOST_STYLES = 100
"""The longest chain of styles that are based on each other."""


def local(name: str) -> str:
    return name.rpartition(" ")[2]


def value(attributes: Mapping[str, str], wanted: str = "val") -> str:
    """The attribute of that local name."""
    return next((given for name, given in attributes.items() if local(name) == wanted), "")


class Relations:
    """`main` is the name of the part with the text."""

    def __init__(self) -> None:
        self.main = ""

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        if local(name) == "Relationship" and attributes.get("Type", "").endswith("/officeDocument"):
            self.main = attributes.get("Target", "").lstrip("/")

    def end(self, name: str) -> None:
        """Nothing: relations hold nothing."""

    def text(self, text: str) -> None:
        """Nothing: relations have no text."""


class Properties:
    """`said`: title, creator, created, description by their names, as they are written, up to
    MOST characters and what the parser hands over at once."""

    MOST: ClassVar[int] = 10_000

    def __init__(self) -> None:
        self.said: dict[str, str] = {}
        self._now = ""

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        self._now = local(name)

    def end(self, name: str) -> None:
        self._now = ""

    def text(self, text: str) -> None:
        said = self.said.get(self._now, "")
        if self._now and len(said) < self.MOST:
            self.said[self._now] = said + text


class Styles:
    """Which styles are headings, by name, by outline level, or by what they are based on."""

    def __init__(self) -> None:
        self._own: dict[str, int] = {}
        self._based: dict[str, str] = {}
        self._style = ""

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        match local(name):
            case "style":
                self._style = value(attributes, "styleId")
            case "name" if self._style:
                level = _level(value(attributes))
                if level:
                    self._own[self._style] = level
            case "basedOn" if self._style:
                self._based[self._style] = value(attributes)
            case "outlineLvl" if self._style and value(attributes) in set("012345678"):
                self._own.setdefault(self._style, int(value(attributes)) + 1)

    def end(self, name: str) -> None:
        if local(name) == "style":
            self._style = ""

    def text(self, text: str) -> None:
        """Nothing: styles have no text."""

    def levels(self) -> dict[str, int]:
        """The level of each style that is a heading; Body.TITLE for the title."""
        found = {}
        for style in {*self._own, *self._based}:
            at = style
            for _ in range(_MOST_STYLES):
                if at in self._own or at not in self._based:
                    break
                at = self._based[at]
            if at in self._own:
                found[style] = self._own[at]
        return found


def _level(name: str) -> int:
    """Of a style's name or id, which Word writes in English whatever language it speaks."""
    plain = name.lower().replace(" ", "")
    if plain == "title":
        return Body.TITLE
    number = plain.removeprefix("heading")
    return int(number) if plain != number and number in set("123456789") else 0


class Body:
    """`blocks` are the headings (a title has the level TITLE), paragraphs and tables."""

    TITLE: ClassVar[int] = 100

    def __init__(self, levels: Mapping[str, int]) -> None:
        self.blocks: list[Block] = []
        self.title = ""
        self._levels = levels
        self._paragraphs: list[_Paragraph] = []
        self._cells: list[list[str]] = []  # of the cells that are open, one in another
        self._rows: list[list[str]] = []
        self._tables: list[list[str]] = []
        self._in_text = False
        self._unseen = 0

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        tag = self._tag(name)
        if tag == "Fallback" or self._unseen:  # the same text again, for old readers
            self._unseen += 1
            return
        match tag:
            case "p":
                self._paragraphs.append(_Paragraph())
            case "tbl":
                self._tables.append([])
            case "tr":
                self._rows.append([])
            case "tc":
                self._cells.append([])
            case "t":
                self._in_text = True
            case _ if self._paragraphs:
                self._paragraphs[-1].told(tag, attributes, self._levels)

    def end(self, name: str) -> None:
        if self._unseen:
            self._unseen -= 1
            return
        match self._tag(name):
            case "t":
                self._in_text = False
            case "p" if self._paragraphs:
                self._end_paragraph(self._paragraphs.pop())
            case "tc" if self._cells:
                cell = " ".join(self._cells.pop())
                if self._rows:
                    self._rows[-1].append(cell)
            case "tr" if self._rows:
                row = " | ".join(self._rows.pop())
                if self._tables and row.strip(" |"):
                    self._tables[-1].append(row)
            case "tbl" if self._tables:
                self._put("\n".join(self._tables.pop()), "\n\n")

    def text(self, text: str) -> None:
        if self._in_text and self._paragraphs and not self._unseen:
            self._paragraphs[-1].parts.append(text)

    def _tag(self, name: str) -> str:
        space, _, tag = name.rpartition(" ")
        return tag if space.endswith(_TEXT) or tag == "Fallback" else ""

    def _end_paragraph(self, paragraph: "_Paragraph") -> None:
        text = clean("".join(paragraph.parts)).strip()
        if not paragraph.level or self._cells or not text:
            listed = paragraph.listed and text and not self._cells
            self._put(f"- {text}" if listed else text, "\n" if listed else "\n\n")
            return
        title = line(text, "title")
        if paragraph.level == self.TITLE:
            self.title = self.title or title
        self.blocks.append(Block(title, paragraph.level))

    def _put(self, text: str, gap: str) -> None:
        if text and self._cells:
            self._cells[-1].append(text)
        elif text:
            after_list = self.blocks and self.blocks[-1].text.startswith("- ")
            self.blocks.append(Block(text, gap=gap if after_list else "\n\n"))


class _Paragraph:
    """What is known of a paragraph while it is read."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.level = 0
        self.listed = False

    def told(self, tag: str, attributes: Mapping[str, str], levels: Mapping[str, int]) -> None:
        if tag == "pStyle":
            style = value(attributes)
            self.level = levels.get(style) or _level(style)
            self.listed = self.listed or style.startswith(_LISTS)
        elif tag == "outlineLvl" and value(attributes) in set("012345678"):
            self.level = self.level or int(value(attributes)) + 1
        elif tag == "numPr":
            self.listed = True
        elif tag in _SIGNS:
            # Also where tab stops are declared: a blank at the beginning, which is stripped.
            self.parts.append(_SIGNS[tag])
