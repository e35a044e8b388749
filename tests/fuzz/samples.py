"""Samples: a good file for each reader, to be damaged, and the words that its format knows."""

import json
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
CODE = HERE.parent / "index" / "parse" / "samples"


class Sample(NamedTuple):
    path: str
    text: str
    words: tuple[str, ...]


FRONT = """---
title: "A \\u00e9 plan"
tags: [one, two]
aliases: {a: b}
date: 2024-05-01
importance_tier: critical
due: 2024-06-01 12:00:00 +0200
unknown: |
  some
  lines
? key
: value
---
"""
MARKDOWN = """# Plan

See [[Other|that]], ![pic](a.png "t"), [x][ref] and <http://a.b>. #tag ^a1

- [ ] do it 📅 2024-05-01 ⏫ @priority(high)
- [x] done [due:: 2024-05-02]

> quote
> > deeper

| a | b |
|---|---|
| c | d |

```py
# no heading
```

Under
-----

[ref]: other.md#why 'title'
"""
WEB = """<!doctype html><html><head><title>A &amp; B</title><base href="/x">
<meta name="keywords" content="a,b"><meta property="article:published_time" content="2024-05-01">
</head><body><nav>menu</nav><main id=m><h1 id="a">Head <a href="#a">#</a></h1><p>Text<br>more
<img alt="pic" src=x><ul><li>one<li>two</ul><table><tr><td>c<td>d</table><pre> code
</pre><script>if (a < b) x</script><!-- no --><![CDATA[ yes ]]></main></body></html>"""
RST = """=====
Title
=====

.. _label:

See :doc:`other <a/b>` and :ref:`label`, ``code``, `x <y.rst>`__.

Part
----

.. code:: python

   Title
   =====
"""
NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "source": ["# One\n", "text"]},
            {
                "cell_type": "code",
                "source": "print(1)",
                "outputs": [
                    {"output_type": "stream", "text": "1"},
                    {"output_type": "error", "ename": "E", "evalue": "v"},
                    {"output_type": "display_data", "data": {"text/plain": ["a"]}},
                ],
            },
            {"cell_type": "heading", "level": 2, "source": "Two"},
        ],
        "metadata": {"title": "T", "kernelspec": {"language": "python"}},
    }
)
TURNS = [
    {"role": "user", "content": "Why?", "timestamp": 1714550000},
    {"author": {"name": "Ada"}, "content": {"parts": ["Because", {"text": "so"}]}, "time": "2024"},
]
CHATS = json.dumps(
    [
        {
            "title": "A",
            "id": "1",
            "current_node": "b",
            "mapping": {
                "a": {"id": "a", "parent": None, "message": {**TURNS[0]}, "children": ["b"]},
                "b": {"id": "b", "parent": "a", "message": {**TURNS[1]}, "children": []},
            },
        },
        {"name": "B", "uuid": "2", "chat_messages": [{"sender": "human", "text": "hi"}]},
        {"messages": TURNS},
    ]
)
LINES = "\n".join(
    [
        json.dumps({"title": "One", "body": "text", "tags": ["a"], "extra": {"a": [1, 2]}}),
        json.dumps({"type": "edge", "from": "a", "relation": "supports", "to": "b"}),
        *map(json.dumps, TURNS),
    ]
)
SKILL = """---
name: mend
description: Mends what is broken
triggers: [fix, mend]
---
# Mend

Do it.
"""

KEYS = (
    *("title", "tags", "date", "due", "importance", "kind", "status", "cells", "source", "data"),
    *("cell_type", "outputs", "metadata", "mapping", "message", "parent", "children", "content"),
    *("parts", "author", "role", "text", "chat_messages", "current_node", "type", "from", "to"),
    *("relation", "body", "extra", "id", "lines", "created_at", "version", "record", "edge"),
)

TEXTS = (
    Sample("a.md", FRONT + MARKDOWN, (*KEYS, "# ", "[[", "]]", "](", "- [ ] ", "> ", "|-")),
    Sample("skill.md", SKILL, KEYS),
    Sample("a.txt", MARKDOWN, ("\n\n",)),
    Sample("a.rst", RST, ("====\n", "----\n", ".. _a:", ":ref:`", "``", ".. code::\n")),
    Sample("a.html", WEB, ("<nav>", "<main>", "</main>", "<h1>", "<a href=", "<pre>", "&#x", "&")),
    Sample("a.xhtml", WEB, ("<script/>", "<title/>", "<?xml ?>", "<![CDATA[")),
    Sample("a.ipynb", NOTEBOOK, KEYS),
    Sample("conversations.json", CHATS, KEYS),
    Sample("a.jsonl", LINES, KEYS),
    Sample("a.sql", MARKDOWN, ()),
)
"""Every reader of text but those of code."""

CODES = tuple(
    Sample(file.stem, file.read_text(encoding="utf-8"), ())
    for file in sorted(CODE.glob("*.txt"))
    if file.name.count(".") == 2
)
"""One of each language that has a grammar."""
