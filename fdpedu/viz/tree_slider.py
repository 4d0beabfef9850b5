"""Trees under a slider: which splits survive the noise.

One tree stands for each position, a budget ε say, and one of them is what the others are held against. Of its splits
some are found again at the same place, some with the same feature and another value, and some are lost. Each drawing
marks what was found again, and a table below says it of all positions at once: without JavaScript, on paper and in a
terminal the table is what there is to read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fdpedu.viz.page import asset
from fdpedu.viz.slider import SliderPlot, table_of_positions
from fdpedu.viz.tree import draw_tree
from fdpedu.viz.tree_nodes import MAX_CLASSES, MAX_DEPTH, Node, read_classes, read_tree

__all__ = ["TreeSlider", "noted_trees", "surviving_splits", "tree_slider"]

_SAME, _FEATURE, _LOST = "same", "same feature", "lost"
_NOTES = {_SAME: "✓ the same", _FEATURE: "≈ same feature"}


class TreeSlider(SliderPlot):
    """Trees with a slider; a notebook and the book show it as the last value of a cell. Made by `tree_slider`."""

    def __init__(self, drawings: Sequence[str], table: str, *shown: Any) -> None:
        super().__init__((), *shown)
        self._trees, self._table = tuple(drawings), table

    def _drawing(self, position: int) -> str:
        return self._trees[position]

    def _face(self) -> str:
        """All drawings, each once and with one style sheet for all, of which the script shows the one in question."""
        places: dict[str, list[str]] = {}
        for position, drawing in enumerate(self._trees):
            places.setdefault(drawing, []).append(str(position))
        boxes = [
            f'<div data-frames="{" ".join(at)}"{"" if str(self.start) in at else " hidden"}>{drawing}</div>'
            for drawing, at in places.items()
        ]
        first, *others = boxes
        return first + "".join(others).replace(asset("viz.css"), "")

    def _below(self) -> str:
        return self._table

    def __repr__(self) -> str:
        rows = [self.words(position) for position in range(len(self.values))]
        return "\n".join([f"[trees with a slider: {self.alt}]", *rows])


def surviving_splits(tree: Mapping[str, Any], reference: Mapping[str, Any], classes: Sequence[str]) -> dict[str, str]:
    """The fate of each split of a reference tree, by its place.

    Returns
    -------
    dict
        For each split of the reference its place, ``""`` for the root and ``"LR"`` for left and then right, and
        ``"same"`` (the same test stands there), ``"same feature"`` (a test of the same ``feature``, where splits have
        one) or ``"lost"``.

    Examples
    --------
    >>> leaf = {"label": "ill", "probabilities": [0.1, 0.9]}
    >>> bmi = {"test": "bmi ≤ 30", "feature": "bmi", "left": leaf, "right": leaf}
    >>> was = {"test": "age ≤ 50", "feature": "age", "left": bmi, "right": leaf}
    >>> now = {"test": "age ≤ 40", "feature": "age", "left": leaf, "right": leaf}
    >>> surviving_splits(now, was, ["well", "ill"])
    {'': 'same feature', 'L': 'lost'}
    """
    names = read_classes(classes, most=256)
    found, wanted = (dict(_splits(read_tree(one, names, deepest=200))) for one in (tree, reference))
    return {place: _become(found.get(place), test) for place, test in wanted.items()}


def _splits(node: Node, place: str = "") -> Iterator[tuple[str, Node]]:
    """The splits of a tree with their places, in order of reading."""
    if node.children:
        yield place, node
        for child, side in zip(node.children, "LR", strict=True):
            yield from _splits(child, place + side)


def _become(split: Node | None, was: Node) -> str:
    if split is None:
        return _LOST
    if split.text == was.text:
        return _SAME
    return _FEATURE if split.feature and split.feature == was.feature else _LOST


def _noted(tree: Mapping[str, Any], become: Mapping[str, str], place: str = "") -> dict[str, Any]:
    """The tree with a note at each split that has survived."""
    if "label" in tree:
        return dict(tree)
    sides = {side: _noted(tree[side], become, place + letter) for side, letter in (("left", "L"), ("right", "R"))}
    note = _NOTES.get(become.get(place, _LOST), "")
    return {**tree, **sides, **({"note": note} if note else {})}


def tree_slider(
    trees: Sequence[tuple[object, Mapping[str, Any]]],
    classes: Sequence[str],
    *,
    title: str,
    reference: Mapping[str, Any] | None = None,
    label: str = "budget ε",
    start: int = 0,
    caption: str | None = None,
) -> TreeSlider:
    """Make a figure of trees that the reader moves through, where surviving splits are marked.

    Parameters
    ----------
    trees
        Pairs of a value of the slider, a number or a text, and a tree as `draw_tree` takes it; two or more.
    classes
        The names of the classes, two to six.
    title
        What the trees are, in a few words.
    reference
        The tree whose splits are looked for in all others, of depth 8 at most; the last of `trees` unless given.
    label
        What the slider changes, in a few words.
    start
        The first position, shown before anything is moved and on paper.
    caption
        What the reader should conclude, shown below.

    Raises
    ------
    ValueError
        If there are fewer than two trees, one of them or the reference cannot be drawn, the reference has no split, or
        `start` is no position.

    Examples
    --------
    >>> leaf = {"label": "ill", "probabilities": [0.1, 0.9]}
    >>> split = {"test": "age ≤ 50", "left": leaf, "right": leaf}
    >>> tree_slider([(0.1, leaf), (1, split)], ["well", "ill"], title="Who is ill?")
    [trees with a slider: Who is ill?]
    budget ε = 0.1: 0 of 1 splits the same
    budget ε = 1: 1 of 1 splits the same: age ≤ 50
    """
    pairs = list(trees)
    if len(pairs) < 2 or not all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in pairs):
        raise ValueError(f"trees: two or more pairs of a value and a tree are needed, got {len(pairs)} entries")
    names, held = read_classes(classes, MAX_CLASSES), pairs[-1][1] if reference is None else reference
    splits = dict(_splits(read_tree(held, names, "reference", deepest=MAX_DEPTH)))
    tests = {place: split.text for place, split in splits.items()}
    if not tests:
        raise ValueError("reference: a tree with at least one split is needed to look for")
    values = [f"{value:g}" if isinstance(value, float) else str(value) for value, _ in pairs]
    become = [surviving_splits(tree, held, names) for _, tree in pairs]
    noted = [_noted(tree, states) for (_, tree), states in zip(pairs, become, strict=True)]
    drawn = {text: draw_tree(tree, names, title=title) for text, tree in {repr(tree): tree for tree in noted}.items()}
    drawings = [drawn[repr(tree)] for tree in noted]
    if not 0 <= start < len(pairs):
        raise ValueError(f"start must be a position from 0 to {len(pairs) - 1}, got {start}")
    texts = [_position_in_words(states, tests) for states in become]
    return TreeSlider(
        drawings, _table(label, values, become, tests), str(label), values, texts, str(title), start, caption or ""
    )


def _position_in_words(states: Mapping[str, str], tests: Mapping[str, str]) -> str:
    """One position in words."""
    same = [tests[place] for place, state in states.items() if state == _SAME]
    near = [tests[place] for place, state in states.items() if state == _FEATURE]
    said = f"{len(same)} of {len(tests)} splits the same" + (f": {'; '.join(same)}" if same else "")
    return f"{said}. The same feature with another value: {'; '.join(near)}" if near else said


def _table(label: str, values: Sequence[str], become: Sequence[Mapping[str, str]], tests: Mapping[str, str]) -> str:
    """A row for each split of the reference and a column for each position."""
    marks = {_SAME: "✓", _FEATURE: "≈", _LOST: "–"}
    rows = (("· " * len(at) + test, [marks[states[at]] for states in become]) for at, test in tests.items())
    key = "✓ the same split at the same place, ≈ the same feature with another value, – lost"
    return table_of_positions("Which splits survive", key, label, values, rows)


def noted_trees(
    trees: Sequence[tuple[object, Mapping[str, Any], str]],
    classes: Sequence[str],
    *,
    title: str,
    rows: Sequence[tuple[str, Sequence[object]]],
    label: str,
    start: int = 0,
    caption: str | None = None,
) -> TreeSlider:
    """Make a figure of trees that the reader moves through, with notes of their own at their splits.

    Parameters
    ----------
    trees
        A value of the slider, a tree as `draw_tree` takes it, whose splits may have a ``"note"``, and what the tree
        shows in a few words; two or more.
    classes
        The names of the classes, two to six.
    title
        What the trees are, in a few words.
    rows
        What the table below says of all positions: a name, and something for each tree.
    label
        What the slider changes, in a few words.
    start
        The first position, shown before anything is moved and on paper.
    caption
        What the reader should conclude, shown below.

    Raises
    ------
    ValueError
        If there are fewer than two trees, one of them cannot be drawn, a row has not one cell for each tree, or `start`
        is no position.

    Examples
    --------
    >>> leaf = {"label": "ill"}
    >>> split = {"test": "age ≤ 50", "left": leaf, "right": leaf, "note": "2 of 3 votes"}
    >>> noted_trees([(3, split, "two for age"), (5, leaf, "no split")], ["well", "ill"], title="A vote",
    ...             rows=[("splits", (1, 0))], label="parties")
    [trees with a slider: A vote]
    parties = 3: two for age
    parties = 5: no split
    """
    listed, names = list(trees), read_classes(classes, MAX_CLASSES)
    if len(listed) < 2 or any(len(cells) != len(listed) for _, cells in rows):
        raise ValueError(f"trees and rows: two trees or more, and as many cells a row, got {len(listed)} trees")
    if not 0 <= start < len(listed):
        raise ValueError(f"start must be a position from 0 to {len(listed) - 1}, got {start}")
    values = [str(value) for value, _, _ in listed]
    drawings = [
        draw_tree(tree, names, title=f"{title}: {label} {value}")
        for value, (_, tree, _) in zip(values, listed, strict=True)
    ]
    table = table_of_positions(
        title, "What the trees show", label, values, [(name, [str(c) for c in cells]) for name, cells in rows]
    )
    texts = [said for _, _, said in listed]
    return TreeSlider(drawings, table, str(label), values, texts, str(title), start, caption or "")
