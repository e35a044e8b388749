"""Languages: which grammar and queries read a file, and the few facts that queries cannot say.

A grammar is imported, and its queries are compiled, when the first file of its language comes.
"""

import re
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import tree_sitter


class Language(NamedTuple):
    """`grammar` and `entry` are a package and its function; `query` is a file of queries/.

    - `scheme`: how placeholders of its symbols begin; without one they have none
    - `join`: stands between a module and a symbol in a placeholder, `inner` between names in names
    - `member`: stands before the name of a method in a title
    - `bare`: a plain call inside a class may mean its own method
    - `climbs`: a name is looked for in each enclosing namespace, outward
    - `macros`: a preprocessor reads it first, so that much of it fits no grammar
    - `shown`: what is found in the name and signature of a public symbol, `hidden` what is not
    """

    name: str
    grammar: str
    query: str
    scheme: str
    entry: str = "language"
    join: str = "."
    inner: str = "."
    member: str = "."
    bare: bool = False
    climbs: bool = False
    macros: bool = False
    shown: str = ""
    hidden: str = r"\A[_#]|\A\S+ (?:private|protected|internal)\b"


class Tools(NamedTuple):
    """What is made once a language. `kinds` remembers the capture that each pattern is about."""

    grammar: "tree_sitter.Language"
    query: "tree_sitter.Query"
    errors: "tree_sitter.Query"
    kinds: dict[int, str]


_STATIC = r"\A_|\A\S+ static\b"

LANGUAGES = {
    each.name: each
    for each in (
        Language("python", "python", "python", "python"),
        Language("javascript", "javascript", "javascript", "js", join="#"),
        Language(
            "typescript", "typescript", "typescript", "js", entry="language_typescript", join="#"
        ),
        Language("tsx", "typescript", "typescript", "js", entry="language_tsx", join="#"),
        Language("go", "go", "go", "go", shown=r"\A[A-Z]"),
        Language(
            "rust",
            "rust",
            "rust",
            "rust",
            join="::",
            inner="::",
            member="::",
            shown=r"\A\S+ (?:pub|macro_rules!|trait)\b",
        ),
        Language("java", "java", "java", "java", bare=True),
        Language("c", "c", "c", "", macros=True, hidden=_STATIC),
        Language(
            "cpp",
            "cpp",
            "cpp",
            "cpp",
            join="::",
            inner="::",
            member="::",
            bare=True,
            climbs=True,
            macros=True,
            hidden=_STATIC,
        ),
        Language("csharp", "c_sharp", "csharp", "csharp", bare=True, climbs=True),
        Language(
            "ruby",
            "ruby",
            "ruby",
            "ruby",
            join="::",
            inner="::",
            member="#",
            bare=True,
            climbs=True,
        ),
        Language(
            "php", "php", "php", "php", entry="language_php", join="\\", inner="\\", member="::"
        ),
    )
}

SUFFIXES = {
    ".py": "python",
    ".pyi": "python",
    ".pyw": "python",
    ".js": "javascript",
    ".jsx": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
    ".go": "go",
    ".rs": "rust",
    ".java": "java",
    ".c": "c",
    ".h": "c",
    ".cc": "cpp",
    ".cpp": "cpp",
    ".cxx": "cpp",
    ".hh": "cpp",
    ".hpp": "cpp",
    ".hxx": "cpp",
    ".inl": "cpp",
    ".ipp": "cpp",
    ".cs": "csharp",
    ".rb": "ruby",
    ".rake": "ruby",
    ".gemspec": "ruby",
    ".php": "php",
}
"""By the suffix of the name, in lower case."""

_CPLUSPLUS = re.compile(
    r"^[ \t]*(?:class|namespace|template|using|public:|private:)\b|\w::\w", re.M
)


def language_of(path: str, text: str) -> Language | None:
    """By its name; a header is C++ where it says something that C cannot."""
    name = SUFFIXES.get(PurePosixPath(path).suffix.lower())
    if name == "c" and path.lower().endswith(".h") and _CPLUSPLUS.search(text):
        name = "cpp"
    return LANGUAGES[name] if name else None


@cache
def tools(language: Language) -> Tools:
    """Its grammar and its queries."""
    import tree_sitter

    package = import_module(f"tree_sitter_{language.grammar}")
    grammar = tree_sitter.Language(getattr(package, language.entry)())
    queries = files("pinyon.index.parse.code").joinpath("queries", f"{language.query}.scm")
    query = tree_sitter.Query(grammar, queries.read_text(encoding="utf-8"))
    return Tools(grammar, query, tree_sitter.Query(grammar, "[(ERROR) (MISSING)] @error"), {})
