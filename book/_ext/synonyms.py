"""The words of the page "Find it" lead a search to their place: an index entry is put there while the book is built."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = "book/find"
ROW = re.compile(r"^\| ([^|]+) \| [^|]*?\]\(([\w/]+)\.md(?:#([\w-]+))?\)[^|]*\|$", re.M)


def places(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """Of each row of the page's table: page and section that its first link leads to, and the words."""
    for words, page, anchor in ROW.findall(text):
        yield posixpath.join(posixpath.dirname(PAGE), page), anchor, [word.strip() for word in words.split(";")]


def slug(title: str) -> str:
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def place(source: str, anchor: str) -> int:
    """Where a section begins, or the line below the page's title if none is named."""
    headings = re.finditer(r"^(#+) (.*)\n", source, re.M)
    fits = [
        found.start() if anchor else found.end()
        for found in headings
        if (slug(found[2]) == anchor if anchor else found[1] == "#")
    ]
    if not fits:
        raise ValueError(f"{PAGE}: there is no section {anchor or 'title'}")
    return fits[0]


def marked(docname: str, source: str, table: str) -> str:
    """The source of a page with an index entry for each of its words, before its section or below the page's title."""
    for page, anchor, words in places(table):
        if page != docname:
            continue
        block = "".join(f"\n```{{index}} ! {word}\n```\n" for word in words) + "\n"
        source = source[: (at := place(source, anchor))] + block + source[at:]
    return source


def read_source(app: Any, docname: str, source: list[str]) -> None:
    source[0] = marked(docname, source[0], (Path(app.srcdir) / f"{PAGE}.md").read_text("utf8"))
