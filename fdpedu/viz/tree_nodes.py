"""A tree as plain data: reading it, checking it, and telling it in words.

A split is ``{"test": "age ≤ 50", "left": node, "right": node}``; the test holds on the left. A leaf is
``{"label": "ill", "probabilities": [0.1, 0.9]}``, one probability a class. Both may carry ``"counts"``, one integer a
class, shown as they are given; nothing here makes them add up. A leaf may carry ``"intervals"``, for each class two
integers ``[low, high]`` between which its true count is said to lie, and a split a ``"note"``, a few words of its own.

A leaf of which nothing but its class is known is ``{"label": "ill"}``. It is shown as its class, without shares or
bars, and has no counts and no intervals.

A tree that predicts numbers has no classes. Its leaves are ``{"mean": 12.5, "unit": "days"}``, and ``"counts"`` of its
nodes is one integer, the number of rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fdpedu.printable import one_line

__all__ = ["MAX_DEPTH", "Node", "class_row", "describe", "percent", "read_classes", "read_tree", "text_rows"]

MAX_DEPTH, MAX_CLASSES = 8, 6  # of what is drawn
_SPLIT_KEYS, _LEAF_KEYS, _LABEL_KEYS = {"test", "left", "right"}, {"label", "probabilities"}, {"label"}
_FREE_SPLIT_KEYS, _FREE_LEAF_KEYS = {"counts", "note", "feature"}, {"counts", "intervals"}
_NUMBER_KEYS, _FREE_NUMBER_KEYS = {"mean"}, {"unit", "counts", "shown"}


@dataclass(frozen=True)
class Node:
    """One checked node: a split has children, and maybe a note; a leaf a label, its class's position, maybe numbers.

    The leaf of a tree that predicts numbers has no class: its ``kind`` is None.
    """

    text: str
    children: tuple[Node, ...] = ()
    probabilities: tuple[float, ...] = ()
    counts: tuple[int, ...] = ()
    depth: int = field(default=0)
    intervals: tuple[tuple[int, int], ...] = ()
    note: str = ""
    kind: int | None = 0
    feature: str = ""

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
    """Check the names of the classes: at least two, all different; or none, of a tree that predicts numbers."""
    names = tuple(map(one_line, classes))
    if not names and not isinstance(classes, str):
        return names
    if isinstance(classes, str) or not 2 <= len(names) <= most or len(set(names)) != len(names):
        raise ValueError(f"classes: 2 to {most} different names are needed, got {classes!r}")
    return names


def read_tree(
    data: Mapping[str, Any], classes: tuple[str, ...], where: str = "root", depth: int = 0, deepest: int = MAX_DEPTH
) -> Node:
    """Check a node and all below it; an error says where in the tree it is, as in ``root.left.right``."""
    if not isinstance(data, Mapping):
        raise ValueError(f"{where}: a node is a dict, got {type(data).__name__}")
    leaf = "label" in data or "mean" in data
    if "mean" in data:
        wanted, free = _NUMBER_KEYS, _FREE_NUMBER_KEYS
    else:
        wanted, free = (_LEAF_KEYS, _FREE_LEAF_KEYS) if leaf else (_SPLIT_KEYS, _FREE_SPLIT_KEYS)
    if unknown := [key for key in data if key not in wanted | free]:
        raise ValueError(f"{where}: a {'leaf' if leaf else 'split'} has no {unknown[0]!r}")
    if (missing := sorted(wanted - set(data))) and set(data) != _LABEL_KEYS:
        raise ValueError(f"{where}: {missing[0]!r} is missing (a split has test, left, right; a leaf has label, "
                         "probabilities, or a label and nothing else)")  # fmt: skip
    if depth > deepest:
        raise ValueError(f"{where}: a tree of depth at most {deepest} can be shown, this one is deeper")
    if leaf and ("mean" in data) == bool(classes):
        raise ValueError(f"{where}: a leaf has a mean where there are no classes, and else a label")
    counts = _counts(data, len(classes) or 1, where)
    if "mean" in data:
        return Node(_number(data, where), (), (), counts, depth, kind=None)
    if leaf:
        shares, spans = _probabilities(data, len(classes), where), _intervals(data, len(classes), where)
        label = _label(data, classes, where)
        return Node(label, (), shares, counts, depth, spans, kind=classes.index(label))
    children = tuple(
        read_tree(data[side], classes, f"{where}.{side}", depth + 1, deepest) for side in ("left", "right")
    )
    note = _words(data.get("note") or "")
    return Node(_words(data["test"]), children, (), counts, depth, note=note, feature=_words(data.get("feature") or ""))


def _number(data: Mapping[str, Any], where: str) -> str:
    """The mean of a leaf with its unit."""
    mean, unit = data["mean"], _words(data.get("unit") or "")
    if isinstance(mean, bool) or not isinstance(mean, (int, float)) or not math.isfinite(mean):
        raise ValueError(f"{where}: mean must be a finite number, got {mean!r:.40}")
    return f"{_words(data.get('shown') or f'{mean:.6g}')} {unit}".rstrip()


def _label(data: Mapping[str, Any], classes: tuple[str, ...], where: str) -> str:
    if one_line(data["label"]) not in classes:
        raise ValueError(f"{where}: label {data['label']!r} is none of the classes {list(classes)}")
    return one_line(data["label"])


def _words(text: object) -> str:
    """A text on one line, in which all blanks are alike."""
    return one_line(" ".join(str(text).split()))


def _probabilities(data: Mapping[str, Any], n_classes: int, where: str) -> tuple[float, ...]:
    if set(data) == _LABEL_KEYS:
        return ()
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


def _intervals(data: Mapping[str, Any], n_classes: int, where: str) -> tuple[tuple[int, int], ...]:
    given = data.get("intervals")
    if given is None:
        return ()
    pairs = list(given) if isinstance(given, (list, tuple)) else []
    if len(pairs) != n_classes or not all(map(_is_interval, pairs)):
        raise ValueError(
            f"{where}: intervals must be {n_classes} pairs of integers [low, high] with low ≤ high, got {given!r:.80}"
        )
    return tuple((low, high) for low, high in pairs)


def _is_interval(pair: Any) -> bool:
    if not isinstance(pair, (list, tuple)) or len(pair) != 2 or not all(type(end) is int for end in pair):
        return False
    return bool(pair[0] <= pair[1])


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
    """The numbers of a leaf; of one that is a label only there are none."""
    if node.kind is None and node.counts:
        return f"count {node.counts[0]}"
    if not node.probabilities:
        return ""
    shares = ", ".join(f"{name} {percent(share)}" for name, share in zip(classes, node.probabilities, strict=True))
    said = f"{shares}; counts {', '.join(map(str, node.counts))}" if node.counts else shares
    spans = ", ".join(f"{low} to {high}" for low, high in node.intervals)
    return f"{said}; intervals {spans}" if spans else said


def class_row(node: Node, k: int) -> str:
    """The text for one class of a leaf with intervals: its share, its count, and the ends of its interval.

    Examples
    --------
    >>> class_row(Node("ill", (), (0.1, 0.9), (2, 18), 0, ((0, 6), (12, 23))), 1)
    '90%: 18 (12–23)'
    """
    low, high = node.intervals[k]
    count = f"{node.counts[k]} " if node.counts else ""
    return f"{percent(node.probabilities[k])}: {count}({low}–{high})"


def describe(root: Node, classes: tuple[str, ...]) -> str:
    """Tell the tree in numbered sentences that can be followed by ear.

    Examples
    --------
    >>> leaf = {"label": "ill", "probabilities": [0.1, 0.9]}
    >>> describe(read_tree(leaf, ("well", "ill")), ("well", "ill"))
    'A decision tree of depth 0 with 1 leaf. Node 1 is a leaf: ill (well 10%, ill 90%).'
    >>> describe(read_tree({"label": "ill"}, ("well", "ill")), ("well", "ill"))
    'A decision tree of depth 0 with 1 leaf. Node 1 is a leaf: ill.'
    """
    nodes = list(root.walk())
    number = {id(node): k for k, node in enumerate(nodes, 1)}
    leaves = sum(not node.children for node in nodes)
    words = [f"A decision tree of depth {root.height} with {leaves} {'leaf' if leaves == 1 else 'leaves'}."]
    for k, node in enumerate(nodes, 1):
        if node.children:
            left, right = (number[id(child)] for child in node.children)
            noted = f" ({node.note})" if node.note else ""
            words.append(f"Node {k} asks{noted}: {node.text}? If yes, go to node {left}; if no, to node {right}.")
        else:
            numbers = _leaf_words(node, classes)
            words.append(f"Node {k} is a leaf: {node.text}{f' ({numbers})' if numbers else ''}.")
    return " ".join(words)


def text_rows(root: Node, classes: tuple[str, ...]) -> list[tuple[str, str]]:
    """Give each node's row of a plain-text tree: what stands left (branches and text), and the leaf's numbers."""
    rows: list[tuple[str, str]] = []

    def visit(node: Node, lead: str, below: str, answer: str) -> None:
        question = f"?{f' ({node.note})' if node.note else ''}" if node.children else ""
        rows.append((f"{lead}{answer}{node.text}{question}", "" if node.children else _leaf_words(node, classes)))
        for child, branch, rail, word in zip(node.children, "├└", "│ ", ("yes: ", "no:  "), strict=False):
            visit(child, f"{below}{branch}─ ", f"{below}{rail}  ", word)

    visit(root, "", "", "")
    return rows
