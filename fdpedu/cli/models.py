"""A model's file: a tree or an ensemble, known by its schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdpedu.files import read_text

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


def read_model(text: str, where: str) -> Tree | Ensemble:
    """The model of a document; what is neither is refused as no tree."""
    from fdpedu.boosting import Ensemble
    from fdpedu.trees import Tree

    return Ensemble.from_json(text, where) if holds(text, "ensemble") else Tree.from_json(text, where)


def name_of(model: Tree | Ensemble) -> str:
    """What it is, in a word."""
    from fdpedu.trees import Tree

    return "tree" if isinstance(model, Tree) else "ensemble"


def load_model(file: str) -> Tree | Ensemble:
    """The model of a file."""
    return read_model(read_text(file), file)
