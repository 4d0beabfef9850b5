"""The pages of the library: one for each public module of the package, and an index in the order of the tiers."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import Any

from sphinx.application import Sphinx

import fdpedu.sources
from fdpedu.chapters import CHAPTERS, TIERS

INDEX, FOLDER, PLACE = "book/api", "book/api/", "% Here the module's names follow."
LIST = "% Here the modules follow, one line each."
NOT_A_LIBRARY = {"cli", "__main__"}
MODULE = """
```{{eval-rst}}
.. automodule:: fdpedu.{room}
   :members:
   :exclude-members: set_fit_request, set_score_request
```
"""  # what is left out scikit-learn makes: its texts point to its own glossary


def rooms() -> list[str]:
    """The modules in the order in which they may use each other; the drawings, which any may use, come last.

    Of what reproduces the sources each document has a page of its own.
    """
    documents = {"sources": ["sources", *(f"sources.{name}" for name in fdpedu.sources.DOCUMENTS)]}
    listed = [room for tier in TIERS for room in tier if room not in NOT_A_LIBRARY] + ["viz"]
    return [name for room in listed for name in documents.get(room, [room])]


def page_of(room: str) -> str:
    return FOLDER + room.replace(".", "_")


def listed() -> str:
    """A line for each module: its page, its chapter, and the first sentence of its docstring."""
    chapters = {module: f" (chapter {chapter.number})" for chapter in CHAPTERS for module in chapter.library}
    lines = []
    for room in rooms():
        first = str(importlib.import_module(f"fdpedu.{room}").__doc__).split("\n\n")[0]
        words = re.sub(r"^Chapter \d+[^.]*\. ", "", " ".join(first.split()))
        page = page_of(room).removeprefix("book/")
        lines.append(f"- [`fdpedu.{room}`]({page}.md){chapters.get(room, '')}: {words}")
    return "\n".join(lines)


def read_source(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the list of modules, and what a module offers, where the pages say so."""
    if docname == INDEX:
        source[0] = source[0].replace(LIST, listed())
    for room in rooms() if docname.startswith(FOLDER) else ():
        if docname == page_of(room):
            source[0] = source[0].replace(PLACE, MODULE.format(room=room))


def made_pages(app: Sphinx, env: Any, added: set[str], changed: set[str], removed: set[str]) -> Iterator[str]:
    """They are read in each build: what they show does not stand in their files."""
    return (name for name in env.found_docs if name.startswith(INDEX))
