"""All exercises: found by name, and listed.

Title, level, task and stub of an exercise stand on the page of its chapter. `make statements` copies them into
``fdpedu/exercises/<chapter>/texts.json``, from which they are read here.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from types import ModuleType

from fdpedu.chapters import folders
from fdpedu.exercises.record import Exercise
from fdpedu.showing import html_table, text_table


def _of_chapters() -> Iterator[tuple[Exercise, ...]]:
    """Those of each chapter, in the order that its folder says; a later chapter is loaded when it is asked for."""
    return map(_with_texts, folders("fdpedu.exercises"))


@cache
def _with_texts(folder: ModuleType) -> tuple[Exercise, ...]:
    """The exercises of a chapter, each with what its page says of it."""
    file = Path(next(iter(folder.__path__)), "texts.json")
    texts = json.loads(file.read_text("utf8")) if file.is_file() else {}
    chapter = folder.__name__.rsplit(".", 1)[1]
    for entry in folder.EXERCISES:
        if entry.id not in texts:
            raise ValueError(f"{entry.id} has no task: write it on the page of its chapter, then `make statements`")
    return tuple(replace(entry, chapter=chapter, **texts[entry.id]) for entry in folder.EXERCISES)


@dataclass(frozen=True, repr=False)
class Catalogue:
    """The exercises in the order of the book; iterating gives their records."""

    exercises: tuple[Exercise, ...]

    def __iter__(self) -> Iterator[Exercise]:
        return iter(self.exercises)

    def __len__(self) -> int:
        return len(self.exercises)

    def _rows(self) -> list[tuple[str, ...]]:
        return [(entry.id, entry.chapter, entry.level, entry.kind, entry.title) for entry in self.exercises]

    def __str__(self) -> str:
        return text_table(self._rows())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(("id", "chapter", "level", "kind", "title"), self._rows(), kind="fdpedu fd-catalogue")


def catalogue(chapter: str | None = None) -> Catalogue:
    """List the exercises, of one chapter if it is named.

    >>> print(len(catalogue("cart")))
    8
    """
    if chapter is None:
        return Catalogue(tuple(chain.from_iterable(_of_chapters())))
    for exercises in _of_chapters():
        if exercises[0].chapter == chapter:
            return Catalogue(exercises)
    known = ", ".join(sorted({entry.chapter for entry in catalogue()}))
    raise ValueError(f"chapter must be one that has exercises ({known}), got {chapter!r}")


def find(id: str) -> Exercise:
    """The record with this id; ValueError with the nearest ids if there is none."""
    for entry in chain.from_iterable(_of_chapters()):
        if isinstance(id, str) and entry.id == id:
            return entry
    known = [entry.id for entry in catalogue()]
    near = difflib.get_close_matches(str(id), known, n=3)
    those = f"the nearest: {', '.join(near)}" if near else "none is near"
    raise ValueError(f"id must be an exercise in catalogue(), got {str(id)[:80]!r}; {those}")
