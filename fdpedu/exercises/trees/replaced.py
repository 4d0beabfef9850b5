"""An exercise to implement: what a tree costs a record that takes another's place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.trees.shapes import CODES, Split, split_trees, splits
from fdpedu.exercises.values import number

NODE, LEAF, DEPTH = Fraction(1, 2), Fraction(1, 3), 2
Cells = dict[Any, Fraction]


@cache
def replacements() -> Sequence[Case]:
    """Small trees, and all pairs of records of two features and two classes; fewest splits first."""
    records = [list(record) for record in product(*map(range, CODES), range(2))]
    pairs = list(combinations_with_replacement(records, 2))
    some = [tree for i, tree in enumerate(split_trees()) if splits(tree) < 2 or i % 3 == 0]
    return tuple((tree, old, new, DEPTH, NODE, LEAF) for tree in some for old, new in pairs)


def cost(tree: Any, old: Sequence[int], new: Sequence[int], max_depth: int, node: Any, leaf: Any) -> Any:
    """Each cell that counts one of the two records and not the other costs its rate."""
    moved = set[tuple[object, ...]]()
    for *codes, label in (old, new):
        cells, path, here = set[tuple[object, ...]](), "", tree
        while here is not None:
            feature, left_codes, left, right = here
            cells |= {(path, j, code, label) for j, code in enumerate(codes)}
            yes = codes[feature] in left_codes
            path, here = path + ("L" if yes else "R"), left if yes else right
        if len(path) < max_depth:
            cells |= {(path, j, code, label) for j, code in enumerate(codes)}
        moved ^= cells | {(path, label)}
    return sum(node / len(codes) if len(cell) == 4 else leaf for cell in moved)


def _cells(
    tree: Split, record: Sequence[int], most: int, node: Fraction, leaf: Fraction, counted: Sequence[int] | None = None
) -> Cells:
    """The cells that count a record, or those that would count another one on its way, with their rates."""
    *codes, _ = record
    shown, path = counted or record, ""
    found: Cells = {}
    while True:
        if tree is not None or len(path) < most:
            found |= {(path, j, shown[j], shown[-1]): node / len(codes) for j in range(len(codes))}
        if tree is None:
            return found | {(path, "counts", shown[-1]): leaf}
        feature, left_codes, left, right = tree
        yes = codes[feature] in left_codes
        path, tree = path + ("L" if yes else "R"), left if yes else right


def _moved(one: Cells, other: Cells) -> Fraction:
    both = one | other
    return sum((both[cell] for cell in one.keys() ^ other.keys()), Fraction(0))


def _from_cells(judge: Callable[[Cells, Cells], Fraction]) -> Callable[..., Fraction]:
    """An answer that is made from the cells of both records."""
    return lambda tree, old, new, most, node, leaf: judge(
        _cells(tree, old, most, node, leaf), _cells(tree, new, most, node, leaf)
    )


def _without_class(cells: Cells) -> Cells:
    return {(cell if "counts" in cell else cell[:-1]): rate for cell, rate in cells.items()}


def _whole_nodes(one: Cells, other: Cells) -> Fraction:
    """As if all histograms of a node moved as soon as one of them does."""
    places = {(cell[0], "counts" in cell) for cell in one.keys() ^ other.keys()}
    rates = [rate for cells in (one, other) for cell, rate in cells.items() if (cell[0], "counts" in cell) in places]
    return sum(rates, Fraction(0))


def _total(cells: Cells) -> Fraction:
    return sum(cells.values(), Fraction(0))


REPLACED = Exercise(
    id="tree-replaced",
    kind="implement",
    hint="Collect for each record the names of the cells that count it, in a set. A cell of a histogram is named by "
    "its node, its feature, the code and the class. Which cells are in one set only?",
    domain="small trees of up to three splits on two features, all pairs of twelve records; fewest splits first",
    cases=replacements,
    size=lambda tree, old, new, max_depth, node, leaf: splits(tree),
    reference=cost,
    read=number,
    explanation=(
        "A cell that counts both records does not move, and costs nothing: there they have the same code and the same "
        "class in the same node. All other cells that count one of them move by 1.\n"
        "Two records that go to different sides of the root and share no cell there cost twice what one path costs, "
        "because a replacement is a removal and an addition. Two records that differ in a feature without any split "
        "are still in different cells of its histograms. The guarantee is 2ε, for every tree."
    ),
    wrong=(
        Misconception(
            "always pays for both",
            _from_cells(lambda one, other: _total(one) + _total(other)),
            "This is the most that it can cost. But cells that count both records do not move, and cost nothing.",
        ),
        Misconception(
            "pays once",
            _from_cells(lambda one, other: _total(one)),
            "The old record leaves its cells, and the new one enters others, so the cells of both move. Only a cell "
            "that counts both does not.",
        ),
        Misconception(
            "counts each moved histogram once",
            _from_cells(lambda one, other: _moved(one, other) / 2),
            "If one record takes another's place in a histogram, two cells move, one down and one up, and each costs "
            "the rate.",
        ),
        Misconception(
            "forgets that classes have cells of their own",
            _from_cells(lambda one, other: _moved(_without_class(one), _without_class(other))),
            "The histograms are class × bin: with another class the record is in another cell, even in the same bin.",
        ),
        Misconception(
            "charges whole nodes",
            _from_cells(_whole_nodes),
            "A node's features have histograms of their own. One in which both records have the same bin and class "
            "does not move.",
        ),
        Misconception(
            "follows the old record only",
            lambda tree, old, new, most, node, leaf: _moved(
                _cells(tree, old, most, node, leaf), _cells(tree, old, most, node, leaf, counted=new)
            ),
            "The new record goes its own way down the tree. Below the node where they part, other nodes count it.",
        ),
        Misconception(
            "forgets the leaves",
            _from_cells(
                lambda one, other: _moved(
                    *({c: r for c, r in cells.items() if "counts" not in c} for cells in (one, other))
                )
            ),
            "The class counts of the leaves are releases, too.",
        ),
    ),
)
