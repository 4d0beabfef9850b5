"""A tree as plain data: reading it, checking it, and telling it in words.

A split is ``{"test": "age ≤ 50", "left": node, "right": node}``; the test holds on the left. A leaf is
``{"label": "ill", "probabilities": [0.1, 0.9]}``, one probability a class. Both may carry ``"counts"``, one integer a
class, shown as they are given; nothing here makes them add up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["MAX_DEPTH", "Node", "describe", "percent", "read_classes", "read_tree", "text_rows"]

MAX_DEPTH, MAX_CLASSES = 8, 6  # of what is drawn
_SPLIT_KEYS, _LEAF_KEYS = {"test", "left", "right", "counts"}, {"label", "probabilities", "counts"}


@dataclass(frozen=True)
class Node:
    """One checked node: a split has children, a leaf has a label and probabilities."""

    text: str
    children: tuple[Node, ...] = ()
    probabilities: tuple[float, ...] = ()
    counts: tuple[int, ...] = ()
    depth: int = field(default=0)

    @property
    def height(self) -> int:
        """The number of questions on the longest way down from here."""
        return 1 + max(child.height for child in self.children) if self.children else 0

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it, left before right."""
        yield self
        for child in self.children:
            yield from child.walk()


def read_classes(classes: Sequence[str], most: int = MAX_CLASSES) -> tuple[str, ...]:
    """Check the names of the classes: at least two, all different."""
    names = tuple(str(name) for name in classes)
    if isinstance(classes, str) or not 2 <= len(names) <= most or len(set(names)) != len(names):
        raise ValueError(f"classes: 2 to {most} different names are needed, got {classes!r}")
    return names


def read_tree(
    data: Mapping[str, Any], classes: tuple[str, ...], where: str = "root", depth: int = 0, deepest: int = MAX_DEPTH
) -> Node:
    """Check a node and all below it; an error says where in the tree it is, as in ``root.left.right``."""
    if not isinstance(data, Mapping):
        raise ValueError(f"{where}: a node is a dict, got {type(data).__name__}")
    wanted = _LEAF_KEYS if "label" in data else _SPLIT_KEYS
    if unknown := [key for key in data if key not in wanted]:
        raise ValueError(f"{where}: a {'leaf' if 'label' in data else 'split'} has no {unknown[0]!r}")
    if missing := sorted(wanted - {"counts"} - set(data)):
        raise ValueError(f"{where}: {missing[0]!r} is missing (a split has test, left, right; a leaf has label, "
                         "probabilities)")  # fmt: skip
    if depth > deepest:
        raise ValueError(f"{where}: a tree of depth at most {deepest} can be shown, this one is deeper")
    counts = _counts(data, len(classes), where)
    if "label" in data:
        return Node(_label(data, classes, where), (), _probabilities(data, len(classes), where), counts, depth)
    children = tuple(
        read_tree(data[side], classes, f"{where}.{side}", depth + 1, deepest) for side in ("left", "right")
    )
    return Node(" ".join(str(data["test"]).split()), children, (), counts, depth)


def _label(data: Mapping[str, Any], classes: tuple[str, ...], where: str) -> str:
    if str(data["label"]) not in classes:
        raise ValueError(f"{where}: label {data['label']!r} is none of the classes {list(classes)}")
    return str(data["label"])


def _probabilities(data: Mapping[str, Any], n_classes: int, where: str) -> tuple[float, ...]:
    shares = tuple(float(share) for share in data["probabilities"])
    if len(shares) != n_classes or not all(0 <= share <= 1 for share in shares) or abs(sum(shares) - 1) > 1e-6:
        raise ValueError(f"{where}: probabilities must be {n_classes} numbers in [0, 1] of sum 1, got {list(shares)}")
    return shares


def _counts(data: Mapping[str, Any], n_classes: int, where: str) -> tuple[int, ...]:
    given = data.get("counts")
    counts = () if given is None else tuple(int(count) for count in given)
    if given is not None and (len(counts) != n_classes or any(a != b for a, b in zip(counts, given, strict=True))):
        raise ValueError(f"{where}: counts must be {n_classes} integers, got {list(given)}")
    return counts


def percent(share: float) -> str:
    """Print a share in whole percents, and never print 0 or 100 for what is neither.

    Examples
    --------
    >>> [percent(share) for share in (0, 0.001, 0.9, 0.9999, 1)]
    ['0%', '<1%', '90%', '>99%', '100%']
    """
    if 0 < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= share < 1 else f"{100 * share:.0f}%"


def _leaf_words(node: Node, classes: tuple[str, ...]) -> str:
    shares = ", ".join(f"{name} {percent(share)}" for name, share in zip(classes, node.probabilities, strict=True))
    return f"{shares}; counts {', '.join(map(str, node.counts))}" if node.counts else shares


def describe(root: Node, classes: tuple[str, ...]) -> str:
    """Tell the tree in numbered sentences that can be followed by ear.

    Examples
    --------
    >>> leaf = {"label": "ill", "probabilities": [0.1, 0.9]}
    >>> describe(read_tree(leaf, ("well", "ill")), ("well", "ill"))
    'A decision tree of depth 0 with 1 leaf. Node 1 is a leaf: ill (well 10%, ill 90%).'
    """
    nodes = list(root.walk())
    number = {id(node): k for k, node in enumerate(nodes, 1)}
    leaves = sum(not node.children for node in nodes)
    words = [f"A decision tree of depth {root.height} with {leaves} {'leaf' if leaves == 1 else 'leaves'}."]
    for k, node in enumerate(nodes, 1):
        if node.children:
            left, right = (number[id(child)] for child in node.children)
            words.append(f"Node {k} asks: {node.text}? If yes, go to node {left}; if no, to node {right}.")
        else:
            words.append(f"Node {k} is a leaf: {node.text} ({_leaf_words(node, classes)}).")
    return " ".join(words)


def text_rows(root: Node, classes: tuple[str, ...]) -> list[tuple[str, str]]:
    """Give each node's row of a plain-text tree: what stands left (branches and text), and the leaf's numbers."""
    rows: list[tuple[str, str]] = []

    def visit(node: Node, lead: str, below: str, answer: str) -> None:
        question = "?" if node.children else ""
        rows.append((f"{lead}{answer}{node.text}{question}", "" if node.children else _leaf_words(node, classes)))
        for child, branch, rail, word in zip(node.children, "├└", "│ ", ("yes: ", "no:  "), strict=False):
            visit(child, f"{below}{branch}─ ", f"{below}{rail}  ", word)

    visit(root, "", "", "")
    return rows
