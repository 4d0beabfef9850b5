"""Notebooks that are handed out, and those that come back."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from fdpedu.exact import require_type
from fdpedu.files import FileRefused, Location, read_object, read_text
from fdpedu.teaching.sets import ExerciseSet
from fdpedu.teaching.sheets import heading
from fdpedu.teaching.texts import plain

MOST_CELLS = 10_000
_HOW = (
    "Write your answers into the cells, run them, save the file and hand it in. It needs the package `fdpedu`: if "
    "`import fdpedu` fails, run `%pip install FILE` in a cell, where FILE is the wheel that you got with this sheet."
)


def answer_notebook(chosen: ExerciseSet) -> str:
    """The notebook of a set, in which answers are written and handed in: tasks and stubs, as JSON."""
    require_type(chosen, ExerciseSet, "chosen")
    cells = [_cell(f"# {chosen.title}\n\n{_HOW}"), _cell("import math\nfrom fractions import Fraction", code=True)]
    for number, item in enumerate(chosen.items, start=1):
        cells += [_cell(f"{heading(number, item)}\n\n{plain(item.exercise.task)}")]
        cells += [_cell(str(item.exercise.stub_source()), code=True)]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    language = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    content = {"cells": cells, "metadata": language, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _cell(source: str, code: bool = False) -> dict[str, Any]:
    more: dict[str, Any] = {"execution_count": None, "outputs": []} if code else {}
    return {"cell_type": "code" if code else "markdown", "metadata": {}, **more, "source": source}


def read_notebook(path: Location) -> tuple[str, ...]:
    """The code cells of a notebook in the form of Jupyter, version 4.

    Raises
    ------
    FileRefused
        If it is no such notebook, or one of another language than Python; the message says which part of it is wrong.
    """
    content = read_object(read_text(path), str(path))
    if type(content.get("nbformat")) is not int or content["nbformat"] != 4:
        raise FileRefused(f"{path}: expected a notebook of nbformat 4, got {content.get('nbformat', 'none')!r:.20}")
    if (language := _language(content.get("metadata"))) != "python":
        raise FileRefused(f"{path}: expected a notebook in Python, got one in {language!r:.20}")
    cells = content.get("cells")
    if not isinstance(cells, list) or len(cells) > MOST_CELLS:
        raise FileRefused(f"{path}: a notebook must have a list of at most {MOST_CELLS:,} cells")
    return tuple(
        source
        for number, cell in enumerate(cells, start=1)
        if (source := _source(cell, f"{path}: cell {number}")) is not None
    )


def _language(metadata: Any) -> str:
    """What a notebook says of its language; one that says nothing is in Python."""
    said = metadata if isinstance(metadata, dict) else {}
    for part, name in (("language_info", "name"), ("kernelspec", "language")):
        if isinstance(said.get(part), dict) and isinstance(language := said[part].get(name), str):
            return language.lower()
    return "python"


def _source(cell: Any, where: str) -> str | None:
    """The code of a cell; None if it is one of text."""
    if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
        raise FileRefused(f"{where}: it must be an object with a cell_type")
    if cell["cell_type"] != "code":
        return None
    source = cell.get("source")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        raise FileRefused(f"{where}: its source must be text, or a list of lines")
    return source


def names_of(paths: tuple[Path, ...]) -> tuple[str, ...]:
    """What each notebook is called in a table: its name, with as many of its folders as tell all of them apart."""
    parts = [(*path.absolute().parts[1:-1], path.stem) for path in paths]
    depths = range(1, max(map(len, parts), default=1) + 1)
    named = [tuple("-".join(part[-depth:]) for part in parts) for depth in depths]
    named.append(tuple("-".join((*part[:-1], path.name)) for part, path in zip(parts, paths, strict=True)))
    return next((names for names in named if len(set(names)) == len(names)), named[-1])


def require_different(paths: tuple[Path, ...]) -> None:
    """Refuse a notebook that is named twice, in whatever way."""
    seen: dict[str, Path] = {}
    for path in paths:
        if (first := seen.setdefault(os.path.realpath(path), path)) is not path:
            raise ValueError(f"notebooks must be different files, and {first} and {path} are one")
