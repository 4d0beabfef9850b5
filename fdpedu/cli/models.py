"""A model's file: a tree or an ensemble, known by its schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from fdpedu.files import FileRefused, read_object, read_text

if TYPE_CHECKING:
    from fdpedu.boosting import Ensemble
    from fdpedu.trees import Tree

_HEAD = 200  # characters by which a document is known


def holds(text: str, kind: str) -> bool:
    """Whether a text begins as a document of this kind, of whatever version.

    >>> holds('{"schema": "fdpedu-tree/1"', "tree"), holds('{"schema": "fdpedu-tree/1"', "ensemble")
    (True, False)
    """
    return f'"fdpedu-{kind}/' in text[:_HEAD]


def is_answer(text: str) -> bool:
    """Whether a text is a JSON document that a command printed, and no file of the package: it has no schema.

    >>> is_answer('{"epsilon": "1", "spent": "1"}'), is_answer('{"schema": "fdpedu-derivation/7"}'), is_answer("{")
    (True, False, False)
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, list) or (isinstance(found, dict) and "schema" not in found)


def read_model(text: str, where: str) -> Tree | Ensemble:
    """The model of a document.

    Raises
    ------
    FileRefused
        If it is of neither kind, or is not what it says.
    """
    from fdpedu.boosting import Ensemble
    from fdpedu.trees import Tree

    schema = str(read_object(text, where).get("schema", "no schema"))
    kind = schema.partition("/")[0]
    if kind not in ("fdpedu-tree", "fdpedu-ensemble"):
        raise FileRefused(f"{where}: expected a tree or an ensemble, as fdpedu fit --out writes them, got {schema:.60}")
    return Tree.from_json(text, where) if kind == "fdpedu-tree" else Ensemble.from_json(text, where)


def name_of(model: Tree | Ensemble) -> str:
    """What it is, in a word."""
    from fdpedu.trees import Tree

    return "tree" if isinstance(model, Tree) else "ensemble"


def load_model(file: str) -> Tree | Ensemble:
    """The model of a file."""
    return read_model(read_text(file), file)
