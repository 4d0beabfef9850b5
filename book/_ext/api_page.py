"""The page of the library: a section for each public room of the package, in the order of its tiers."""

from __future__ import annotations

from sphinx.application import Sphinx

import fdpedu.sources
from fdpedu.chapters import CHAPTERS, TIERS

PAGE, PLACE = "book/api", "% Here the modules follow, one section each."
NOT_A_LIBRARY = {"cli", "__main__"}
SECTION = """
## `fdpedu.{room}`{chapter}

```{{eval-rst}}
.. automodule:: fdpedu.{room}
   :members:
   :exclude-members: {left_out}
```
"""
MADE_BY_SCIKIT_LEARN = "set_fit_request, set_score_request"  # their texts point to its own glossary


def rooms() -> list[str]:
    """The rooms in the order in which they may use each other; the drawings, which any may use, come last.

    Of what reproduces the sources each document has a section of its own.
    """
    documents = {"sources": ["sources", *(f"sources.{name}" for name in fdpedu.sources.DOCUMENTS)]}
    listed = [room for tier in TIERS for room in tier if room not in NOT_A_LIBRARY] + ["viz"]
    return [name for room in listed for name in documents.get(room, [room])]


def sections() -> str:
    """All of them as Markdown; the module of a chapter names its chapter."""
    chapters = {module: f" (chapter {chapter.number})" for chapter in CHAPTERS for module in chapter.library}
    told = {"left_out": MADE_BY_SCIKIT_LEARN}
    return "".join(SECTION.format(room=room, chapter=chapters.get(room, ""), **told) for room in rooms())


def read_source(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the sections where the page says so."""
    if docname == PAGE:
        source[0] = source[0].replace(PLACE, sections())
