"""What one released tree promises against forged rows, if its splits are public: a certificate.

A tree whose splits looked at rows may have been a lucky draw, and promises nothing by itself. If its splits are public,
only its leaves can be forged at. Their noisy counts tell, with a known confidence for all leaves at once, how far one
class is really ahead in each; and what so many forged rows can do to a leaf then follows from the law of the noise. The
forger divides her rows among the leaves as she likes (:mod:`fdpedu.robust.knapsack`).

What is promised is the mean accuracy on given test rows, over the coins, of a tree whose leaves are counted anew on
forged data. Neighbours: rows added or removed; a row that is changed counts 2. Against a forger who knows everything
but the coins. Arithmetic: integers and fractions, rounded to the safe side.

It costs those nothing whose rows were learnt from: of them it uses what was released. Of the *test* rows it is an exact
function, and no ε covers them: one row more makes another bound. So they are public, or it is for their owner alone.

Claims: thm-one-tree-certificate
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fdpedu.domain import require_classes
from fdpedu.exact import Integers, Rate, Rational, as_fraction, as_integer, require_type, shown
from fdpedu.exact.foreign import require_one_order
from fdpedu.federation import ClassCounts, LeafLabel
from fdpedu.robust.backdoor import rows_in
from fdpedu.robust.knapsack import allocation, best_sums
from fdpedu.robust.labels import Kept, label_drawn, label_of_counts, least_reach
from fdpedu.showing import html_table, text_table
from fdpedu.trees import Tree
from fdpedu.trees.regions import leaves_of
from fdpedu.trees.tree_paid import Paid

MAX_ROWS = 10_000
_ASSUMED = (
    "the splits are a function of what is public: of public coins, or of public rows",
    "the test rows are fixed, and none of the rows that were learnt from",
    "the test rows are public, or only their owner sees this: each bound is an exact function of them, with no ε",
    "rows are added or removed; a row that is changed counts as two",
    "the accuracy is the mean over the coins of a tree that is counted anew on the forged rows",
)


@dataclass(frozen=True)
class Certificate:
    """What a tree promises: after so many forged rows its mean accuracy on the test rows is at least the bound.

    Parameters
    ----------
    bound : of the mean accuracy, rounded down
    rows : x, forged rows; None if not even the clean tree is sure to reach the target
    confidence : over the noise of what was released
    reason : where the bound comes from
    assumptions : what has to be so
    curve : the bounds after 0, 1, …, x rows
    """

    bound: Fraction
    rows: int | None
    confidence: Fraction
    reason: str
    assumptions: tuple[str, ...] = _ASSUMED
    curve: tuple[Fraction, ...] = ()

    def lines(self) -> list[tuple[str, str]]:
        """As a table: numbers, then where they come from."""
        some = sorted({round(k * (len(self.curve) - 1) / 4) for k in range(5)}) if self.curve else []
        return [
            ("forged rows", "none is certified" if self.rows is None else str(self.rows)),
            ("mean accuracy at least", f"{_down(self.bound):.4f}"),
            ("confidence", shown(self.confidence)),
            *((f"after {x} row{'s' * (x != 1)}", f"{_down(self.curve[x]):.4f}") for x in some),
            ("because", self.reason),
            *(("provided that", sentence) for sentence in self.assumptions),
        ]

    def __str__(self) -> str:
        return text_table(self.lines())

    def _repr_html_(self) -> str:
        caption = "What the tree promises against forged rows"
        return html_table([], self.lines(), caption=caption, named=True)


def _down(number: Fraction) -> float:
    return int(number * 10**4) / 10**4


@dataclass(frozen=True)
class _Leaf:
    """A leaf for a forger: its test rows of both classes, the lead of the class that more of them have, and its law.

    ``kept`` says by a lead how likely the label is the better one; ``better`` is that class.
    """

    n_test: tuple[int, int]
    lead: int
    kept: Kept
    better: int

    def values(self, rows: int, unit: int) -> list[int]:
        """What the leaf's extra test rows are worth after 0, …, x forged rows, in units, rounded down."""
        extra = abs(self.n_test[0] - self.n_test[1])
        if not extra:
            return [0] * (rows + 1)
        # rounded probabilities may rise by a unit far out in the tail, where exact ones fall by less
        return list(accumulate((int(extra * unit * self.kept(self.lead - x)) for x in range(rows + 1)), min))


def certify(
    tree: Tree,
    X: Any,
    y: ArrayLike,
    *,
    rows: int | None = None,
    target: Rational | None = None,
    confidence: Rational = "19/20",
) -> Certificate:
    """What a tree of public splits with noisy counts promises against forged rows: of the test rows an exact function.

    Claims: thm-one-tree-certificate

    Parameters
    ----------
    tree : released, of two classes, with public splits and class counts of its leaves (of ``fit_privatree``: a public
        tree or ``random`` as splits, ``leaves="counts"``)
    X, y : test rows and their classes, at least one, none of them learnt from; public, or the result is for their owner
        alone
    rows : x, from 0 to 10,000: how many forged rows it is to stand
    target : in place of ``rows``, the mean accuracy that is to be left, in (0, 1]: then the most rows that leave it
    confidence : over the noise that was released, strictly between 0 and 1, for all leaves at once

    Raises
    ------
    ValueError
        If the splits looked at rows, of leaves only labels were released, or there are other than two classes.

    Examples
    --------
    >>> from fdpedu.accounting import Ledger
    >>> from fdpedu.cart import fit_cart
    >>> from fdpedu.domain import Domain
    >>> from fdpedu.federation import Party
    >>> from fdpedu.trees import fit_privatree
    >>> from fdpedu.randomness import Rehearsal
    >>> domain = Domain.from_spec({"features": {"age": [0, 100, 4]}, "classes": ["well", "ill"]})
    >>> ages = [[i % 100] for i in range(400)]
    >>> labels = ["ill" if age > 50 else "well" for (age,) in ages]
    >>> public = fit_cart(ages[:100], labels[:100], grid=domain, max_depth=1)
    >>> owner = Party(ages[100:300], domain, labels=labels[100:300])
    >>> tree = fit_privatree(owner, Ledger(1), splits=public, leaves="counts", rng=Rehearsal(1))
    >>> found = certify(tree, ages[300:], labels[300:], rows=20)
    >>> float(found.bound) > 0.9, certify(tree, ages[300:], labels[300:], target="9/10").rows > 20
    (True, True)
    """
    level = as_fraction(confidence, "confidence")
    if not 0 < level < 1:
        raise ValueError(f"confidence must lie strictly between 0 and 1, got {shown(level)}")
    if (rows is None) == (target is None):
        raise ValueError("rows and target: give one of them, how many rows are forged, or what is to be left")
    x = None if rows is None else as_integer(rows, "rows", minimum=0, maximum=MAX_ROWS)
    least = Fraction(0) if target is None else _as_target(target)
    require_certifiable(tree)
    leaves = _released_leaves(tree, X, y, level)
    reason = (
        f"public splits; noisy counts of {len(leaves)} leaves; which class is ahead by how many rows is known for all "
        f"of them at once with a confidence of {shown(level)}"
    )
    if x is not None:
        bounds = _bounds(leaves, x)
        return Certificate(bounds[-1], x, level, reason, curve=tuple(bounds))
    found = _rows_for(leaves, least)
    if not found:
        clean = _bounds(leaves, 0)
        return Certificate(clean[0], None, level, f"{reason}; even without forged rows the target is not sure")
    return Certificate(found[-1], len(found) - 1, level, reason, curve=tuple(found))


def require_certifiable(tree: Tree) -> None:
    """Refuse a tree that promises nothing by itself, by name.

    Claims: prop-one-private-tree
    """
    require_type(tree, Tree, "tree")
    require_classes(tree.domain, "a certificate")
    if tree.design is None or not tree.design.public_splits:
        raise ValueError(
            "tree has splits that looked at rows, so it may be a lucky draw and certifies nothing: take splits that "
            "are public, from a tree on public rows or from public coins"
        )
    if tree.design.leaf_type != ClassCounts.type or not tree.leaf_releases:
        raise ValueError("tree has labels only, which do not say how firm they are: fit it with leaves='counts'")
    _require_two_classes(tree)


def _require_two_classes(tree: Tree) -> None:
    if len(tree.classes) != 2:
        raise ValueError(f"tree must have two classes, got {len(tree.classes)}")


def worst_case(tree: Tree, X: Any, y: ArrayLike, train_X: Any, train_y: ArrayLike, rows: int) -> Fraction:
    """The least mean accuracy that so many forged rows can reach, for known training rows: exact, but rounded down.

    Of a tree of public splits, whose leaves have noisy counts, or labels that permute-and-flip draws. It looks at the
    training rows, so it is for the owner and for measuring, and is not to be published.

    Claims: thm-structured-poisoning

    Parameters
    ----------
    tree : of two classes, with public splits
    X, y : test rows and their classes
    train_X, train_y : the clean rows that were learnt from; there may be none
    rows : x, from 0 to 10,000
    """
    return worst_case_curve(tree, X, y, train_X, train_y, rows)[-1]


def worst_case_curve(
    tree: Tree, X: Any, y: ArrayLike, train_X: Any, train_y: ArrayLike, rows: int
) -> tuple[Fraction, ...]:
    """:func:`worst_case` of 0, 1, …, x forged rows.

    Claims: thm-structured-poisoning

    Parameters
    ----------
    tree, X, y, train_X, train_y, rows : as for :func:`worst_case`
    """
    x = as_integer(rows, "rows", minimum=0, maximum=MAX_ROWS)
    return tuple(_bounds(_true_leaves(tree, X, y, train_X, train_y), x))


def best_attack(
    tree: Tree, X: Any, y: ArrayLike, train_X: Any, train_y: ArrayLike, rows: int
) -> tuple[list[list[Any]], list[Any]]:
    """The forged rows and their classes, to be added, that lower the mean accuracy on the test rows most.

    Claims: thm-structured-poisoning

    Parameters
    ----------
    tree, X, y, train_X, train_y, rows : as for :func:`worst_case`
    """
    x = as_integer(rows, "rows", minimum=0, maximum=MAX_ROWS)
    leaves = _true_leaves(tree, X, y, train_X, train_y)
    _, choices = best_sums(np.array([leaf.values(x, _unit(leaves)) for leaf in leaves], dtype=np.int64))
    forged, labels = list[list[Any]](), list[Any]()
    regions = [region for _, region, _ in leaves_of(tree.root, tree.domain)]
    for leaf, region, n in zip(leaves, regions, allocation(choices, x), strict=True):
        forged += rows_in(region, tree.domain, n)
        labels += [tree.classes[1 - leaf.better]] * n
    return forged, labels


# --- leaves --------------------------------------------------------------------------------------------------------


def _class_counts(tree: Tree, X: Any, y: ArrayLike, name: str, least: int = 1) -> Integers:
    """How many rows of each class reach each leaf, shape (leaves, 2)."""
    require_one_order(X, y, name)
    at, labels = tree.apply(X), tree.domain.encode_labels(y, name)
    if len(at) != len(labels) or len(labels) < least:
        some = ", and at least one" * least
        raise ValueError(f"{name} must have a class for each row{some}; got {len(labels)} and {len(at)}")
    found = np.zeros((len(tree.leaves()), 2), dtype=np.int64)
    np.add.at(found, (at, labels.astype(np.int64)), 1)
    return found


def _leaf(n_test: Sequence[int], counts: Sequence[int], kept: tuple[Kept, Kept], less: int = 0) -> _Leaf:
    better = int(n_test[1] > n_test[0])
    lead = int(counts[better]) - int(counts[1 - better]) - less
    return _Leaf((int(n_test[0]), int(n_test[1])), lead, kept[better], better)


def _released_leaves(tree: Tree, X: Any, y: ArrayLike, confidence: Fraction) -> list[_Leaf]:
    """Leads as far as what was released tells, for all leaves at once."""
    releases = tree.releases_by_leaf()
    if tree.noise_shares() != (1, 1) or any(len(found) != 1 for found in releases):
        raise ValueError("tree must be of one owner, with a release of its own for each leaf")
    if not all(release.cost.is_pure for (release,) in releases):
        raise ValueError("tree must have class counts that were paid for in ε: of others the law is not known here")
    # thm-one-tree-certificate: the leads of all leaves are to hold at once
    miss = (1 - confidence) / len(releases)
    for leaf, (release,) in zip(tree.leaves(), releases, strict=True):
        if leaf.label != int(release.counts[1] > release.counts[0]):
            raise ValueError("tree must have in each leaf the label of its larger released count, the first in a tie")
    found = []
    for n_test, (release,) in zip(_class_counts(tree, X, y, "y"), releases, strict=True):
        rate = Rate(rate=release.epsilon)
        kept = label_of_counts(rate, first=True), label_of_counts(rate, first=False)
        found.append(_leaf(n_test.tolist(), release.counts, kept, least_reach(rate, miss)))
    return found


def _true_leaves(tree: Tree, X: Any, y: ArrayLike, train_X: Any, train_y: ArrayLike) -> list[_Leaf]:
    """Leads as they are."""
    require_type(tree, Tree, "tree")
    require_classes(tree.domain, "a certificate")
    if tree.design is None or not tree.design.public_splits:
        raise ValueError("tree must have public splits: forged rows move the others, too")
    _require_two_classes(tree)
    rate = Rate(rate=_leaf_epsilon(tree))
    kept = (
        (label_drawn(rate),) * 2
        if tree.design.leaf_type == LeafLabel.type
        else (label_of_counts(rate, first=True), label_of_counts(rate, first=False))
    )
    tests, counts = _class_counts(tree, X, y, "y"), _class_counts(tree, train_X, train_y, "train_y", least=0)
    return [_leaf(a.tolist(), b.tolist(), kept) for a, b in zip(tests, counts, strict=True)]


def _leaf_epsilon(tree: Tree) -> Fraction:
    """What each leaf was paid, as the derivation has it; one number for all."""
    paid = Paid.by(tree.derivation, tree.domain, tree.paid_in)
    kind = LeafLabel if tree.design and tree.design.leaf_type == LeafLabel.type else ClassCounts
    found = [paid.costs_of(kind(region, Fraction(1))) for _, region, _ in leaves_of(tree.root, tree.domain)]
    costs = set().union(*found)
    if len(costs) != 1 or not all(found) or not all(cost.is_pure for cost in costs):
        raise ValueError("tree must have leaves that were each paid for in ε, and all cost the same")
    epsilon: Fraction = costs.pop().epsilon
    return epsilon


# --- bounds --------------------------------------------------------------------------------------------------------


def _unit(leaves: Sequence[_Leaf]) -> int:
    """Parts of a test row in which values are counted, so that sums fit into 62 bits."""
    return 1 << (61 - sum(map(sum, (leaf.n_test for leaf in leaves))).bit_length())


def _bounds(leaves: Sequence[_Leaf], rows: int) -> list[Fraction]:
    """The least mean accuracy after 0, 1, …, x forged rows, rounded down."""
    unit, n = _unit(leaves), sum(sum(leaf.n_test) for leaf in leaves)
    least, _ = best_sums(np.array([leaf.values(rows, unit) for leaf in leaves], dtype=np.int64))
    always = sum(min(leaf.n_test) for leaf in leaves)  # right with either label
    return [Fraction(always * unit + value, n * unit) for value in least.tolist()]


def _rows_for(leaves: Sequence[_Leaf], target: Fraction) -> list[Fraction]:
    """The bounds up to the last one that reaches the target; empty if the first does not."""
    always, n = sum(min(leaf.n_test) for leaf in leaves), sum(sum(leaf.n_test) for leaf in leaves)
    if target <= Fraction(always, n):
        raise ValueError(
            f"target must be greater than {always}/{n}, the share of the test rows that are right with any labels: no "
            "number of forged rows goes below it"
        )
    tried = 16
    while True:
        bounds = [bound for bound in _bounds(leaves, tried) if bound >= target]
        if len(bounds) <= tried or tried >= MAX_ROWS:
            return bounds
        tried = min(4 * tried, MAX_ROWS)


def _as_target(target: Rational | None) -> Fraction:
    level = as_fraction(target, "target")
    if not 0 < level <= 1:
        raise ValueError(f"target must be greater than 0 and at most 1, got {shown(level)}")
    return level
