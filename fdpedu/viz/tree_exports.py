"""A tree for other programs: as scikit-learn writes trees in text, and as a graph for Graphviz.

Both take the plain data of `fdpedu.viz.tree_nodes`. For the text, a split also says under ``"otherwise"`` what holds on
its right side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fdpedu.printable import one_line
from fdpedu.viz.tree_nodes import Node, percent, read_classes, read_tree

__all__ = ["tree_as_dot", "tree_as_rules"]

MAX_NESTING, MAX_CLASSES = 200, 256


def tree_as_rules(
    root: Mapping[str, Any], classes: Sequence[str], *, decimals: int = 2, show_weights: bool = False
) -> str:
    """Write a tree as ``sklearn.tree.export_text`` does: a line for each side of a split, and one for each leaf.

    Parameters
    ----------
    root, classes
        As in `tree_as_text`; splits have ``otherwise`` beside ``test``.
    decimals
        Of means, and of the counts, if they are shown.
    show_weights
        Whether leaves show their counts.

    Examples
    --------
    >>> print(tree_as_rules({"test": "age <= 50.00", "otherwise": "age >  50.00",
    ...                      "left": {"label": "well", "probabilities": [0.75, 0.25], "counts": [3, 1]},
    ...                      "right": {"label": "ill", "probabilities": [0, 1], "counts": [0, 2]}},
    ...                     ["well", "ill"], show_weights=True))
    |--- age <= 50.00
    |   |--- weights: [3.00, 1.00] class: well
    |--- age >  50.00
    |   |--- weights: [0.00, 2.00] class: ill
    """
    names = read_classes(classes, most=MAX_CLASSES)
    read_tree(_plain(root), names, deepest=MAX_NESTING)
    _require_both_tests(root, "root")
    return "\n".join(_rules(root, "", decimals, show_weights))


def _require_both_tests(node: Mapping[str, Any], where: str) -> None:
    if "label" not in node and "mean" not in node:
        if "otherwise" not in node:
            raise ValueError(f"{where}: 'otherwise' is missing (what holds on the right side of the split)")
        for side in ("left", "right"):
            _require_both_tests(node[side], f"{where}.{side}")


def _plain(data: Any) -> Any:
    """The node without what only the text needs."""
    if not isinstance(data, Mapping):
        return data
    return {key: _plain(value) for key, value in data.items() if key != "otherwise"}


def _rules(node: Mapping[str, Any], indent: str, decimals: int, show_weights: bool) -> Iterator[str]:
    if "mean" in node:
        yield f"{indent}|--- value: [{node['mean']:.{decimals}f}]"
        return
    if "label" in node:
        shown = show_weights and node.get("counts") is not None
        weights = f"weights: [{', '.join(f'{n:.{decimals}f}' for n in node['counts'])}] " if shown else ""
        yield f"{indent}|--- {weights}class: {_line(node['label'])}"
        return
    for side, test in (("left", node["test"]), ("right", node["otherwise"])):
        yield f"{indent}|--- {_line(test)}"
        yield from _rules(node[side], f"{indent}|   ", decimals, show_weights)


def _line(text: object) -> str:
    """On one line; the spaces that scikit-learn sets stay."""
    return one_line(" ".join(str(text).splitlines()))


def tree_as_dot(root: Mapping[str, Any], classes: Sequence[str]) -> str:
    r"""Write a tree in the DOT language, which Graphviz draws: ``dot -Tsvg``.

    Nodes are numbered as scikit-learn numbers them: a node, its left side, its right side.

    Parameters
    ----------
    root, classes
        As in `tree_as_text`.

    Examples
    --------
    >>> print(tree_as_dot({"test": "age ≤ 50", "left": {"label": "well", "probabilities": [0.75, 0.25]},
    ...                    "right": {"label": "ill", "probabilities": [0, 1]}}, ["well", "ill"]))
    digraph Tree {
    node [shape=box, fontname="helvetica"] ;
    edge [fontname="helvetica"] ;
    0 [label="age ≤ 50?"] ;
    1 [label="well\nwell 75%, ill 25%"] ;
    0 -> 1 [label="yes"] ;
    2 [label="ill\nwell 0%, ill 100%"] ;
    0 -> 2 [label="no"] ;
    }
    """
    names = read_classes(classes, most=MAX_CLASSES)
    node = read_tree(_plain(root), names, deepest=MAX_NESTING)
    lines = ["digraph Tree {", 'node [shape=box, fontname="helvetica"] ;', 'edge [fontname="helvetica"] ;']
    number = {id(each): k for k, each in enumerate(node.walk())}
    above = {id(side): (each, answer) for each in node.walk() for side, answer in _sides(each)}
    for each in node.walk():
        k = number[id(each)]
        lines.append(f"{k} [label={_quoted(*_label(each, names))}] ;")
        if id(each) in above:
            parent, answer = above[id(each)]
            lines.append(f"{number[id(parent)]} -> {k} [label={_quoted(answer)}] ;")
    return "\n".join([*lines, "}"])


def _sides(node: Node) -> Iterator[tuple[Node, str]]:
    yield from zip(node.children, ("yes", "no"), strict=False)


def _label(node: Node, classes: Sequence[str]) -> list[str]:
    word = "count" if len(node.counts) == 1 else "counts"
    counts = [f"{word} {', '.join(map(str, node.counts))}"] if node.counts else []
    if node.children:
        return [f"{node.text}?", *counts]
    if not node.probabilities:
        return [node.text, *counts]
    shares = ", ".join(f"{name} {percent(share)}" for name, share in zip(classes, node.probabilities, strict=True))
    return [node.text, shares, *counts]


def _quoted(*lines: str) -> str:
    r"""Lines as one quoted string of DOT: its quotes and backslashes are escaped, and & begins no entity.

    >>> print(_quoted('a "b"', "c\\d & e"))
    "a \"b\"\nc\\d &amp; e"
    """
    escaped = []
    for line in lines:
        escaped.append(line.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"'))
    return '"' + "\\n".join(escaped) + '"'
