"""Decision trees for the eye, the ear and the terminal.

`draw_tree` takes a tree as nested dicts (see `fdpedu.viz.tree_nodes`) and returns HTML: a top-down drawing where the
place is wide enough for it (with the leaves of a split side by side or, narrower, one below the other), an indented
outline where it is not. Each drawing carries its description in words.
`tree_as_text` writes the same tree for a terminal. Chapters 1 and 8 use them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from fdpedu.printable import escape
from fdpedu.viz.page import faces, styled
from fdpedu.viz.tree_drawing import outline, top_down
from fdpedu.viz.tree_marks import svg_document
from fdpedu.viz.tree_nodes import Node, describe, read_classes, read_tree, text_rows

__all__ = ["draw_tree", "tree_as_text"]

NARROW, MEDIUM, MAX_WIDTH = 336, 600, 1600
"""The widths of the two outlines, and of the widest top-down drawing that is made."""


def draw_tree(
    root: Mapping[str, Any], classes: Sequence[str], *, title: str, layout: str = "auto", caption: str | None = None
) -> str:
    """Draw a decision tree as accessible SVG.

    Parameters
    ----------
    root
        The tree as nested dicts: splits with ``test``, ``left`` (the test holds), ``right``; leaves with ``label``
        and ``probabilities``; ``counts``, one integer a class, wherever they are known. Depth 0 to 8. A leaf with a
        ``label`` and nothing else is drawn as its class. In a tree that predicts numbers a leaf has a ``mean``, maybe
        with a ``unit``, and ``counts`` are one integer.
    classes
        The names of the classes, two to six, in the order of probabilities and counts; none of a tree that predicts
        numbers.
    title
        What the tree is, in a few words: its name for those who do not see it.
    layout
        ``"auto"`` gives HTML that shows what fits, ``"top-down"`` or ``"outline"`` one ``<svg>`` that can be a file.
    caption
        With ``"auto"``: what the reader should conclude, shown below.

    Returns
    -------
    str
        HTML, or SVG for a single layout. Text is never smaller than 14 pixels.

    Raises
    ------
    ValueError
        If the layout is unknown, the title is empty, or the tree is not as described; the message says where.

    Examples
    --------
    >>> leaf = {"label": "ill", "probabilities": [0.1, 0.9]}
    >>> svg = draw_tree(leaf, ["well", "ill"], title="One leaf", layout="outline")
    >>> svg[:4], "Node 1 is a leaf: ill (well 10%, ill 90%)." in svg
    ('<svg', True)
    """
    names, words = read_classes(classes), str(title).strip()
    if not words:
        raise ValueError("title: a tree needs a few words that say what it is, got nothing")
    if layout not in ("auto", "top-down", "outline"):
        raise ValueError(f'layout must be "auto", "top-down" or "outline", got {layout!r}')
    if caption is not None and layout != "auto":
        raise ValueError('caption: only layout="auto" has a place for one')
    node = read_tree(root, names)
    story = describe(node, names)
    if layout == "top-down":
        return styled(svg_document(*top_down(node, names), words, story))
    if layout == "outline":
        return styled(svg_document(*outline(node, names, NARROW), words, story))
    drawings = [
        (math.ceil(width), svg_document(body, width, height, words, story))
        for body, width, height in _drawings(node, names)
    ]
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f'<figure class="fdpedu fd-tree mathjax_ignore">{faces(drawings, words)}{below}</figure>'


def _drawings(node: Node, names: tuple[str, ...]) -> list[tuple[str, float, float]]:
    """Draw the tree for each range of widths: of two drawings that fit, the later is the better one."""
    compact, wide = top_down(node, names, compact=True), top_down(node, names)
    drawings = [outline(node, names, NARROW)] if min(wide[1], compact[1]) > NARROW else []
    if min(wide[1], compact[1]) > MEDIUM:
        drawings.append(outline(node, names, MEDIUM))
    if compact[1] < wide[1] and compact[1] <= MAX_WIDTH:
        drawings.append(compact)
    return [*drawings, wide] if wide[1] <= MAX_WIDTH else drawings


def tree_as_text(root: Mapping[str, Any], classes: Sequence[str]) -> str:
    """Write a tree in plain text, with the numbers of the leaves aligned in a column.

    Parameters
    ----------
    root, classes
        As in `draw_tree`; of any depth to 200, and with any number of classes.

    Examples
    --------
    >>> print(tree_as_text({"test": "age ≤ 50", "left": {"label": "well", "probabilities": [0.75, 0.25]},
    ...                     "right": {"label": "ill", "probabilities": [0.1, 0.9]}}, ["well", "ill"]))
    age ≤ 50?
    ├─ yes: well  well 75%, ill 25%
    └─ no:  ill   well 10%, ill 90%
    """
    names = read_classes(classes, most=256)
    rows = text_rows(read_tree(root, names, deepest=200), names)
    column = max((len(left) for left, right in rows if right), default=0)
    return "\n".join(f"{left:<{column}}  {right}".rstrip() for left, right in rows)
