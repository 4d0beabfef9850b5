"""The exact law of a whole small tree, and what one record more or less changes in it.

Counts get discrete Laplace noise with a rational α and are clamped to low, …, high: that is post-processing, and makes
all laws finite. Every decision, whether a node is split and how, is a function of the node's own fresh histograms, and
what a release costs depends on the path only: the *plain* tree, which shows its splits and the class counts of its
leaves as they were released. So the probability of a tree is a product of those of its decisions and of its leaves'
counts. A record is in one branch; the other factors are the same with it and without it. Hence a recursion:

    worst ratio at a node = max over decisions of (ratio of the decision's probability) × (that of the record's side).

The *transcript*, all clamped counts, obeys the same recursion, with the worst ratio of a table that leads to the
decision in the place of the decision's ratio. So it never tells less than the tree.

What is made of the transcript in another way (counts that add up, histograms read again at the leaves, pruned trees) is
an image of it: it tells at most as much as the transcript, and may tell more or less than the plain tree.

Claims: thm-tree-law, lem-tree-transcript
"""

from __future__ import annotations

from fdpedu.domain import Domain, Rows
from fdpedu.exact import Rational
from fdpedu.privacy import Law
from fdpedu.trees.designs.counts import Design
from fdpedu.trees.small_trees import SmallTrees, Split, Transcript, TreeLoss

__all__ = ["SmallTrees", "Split", "Transcript", "TreeLoss", "tree_law", "tree_loss"]


def tree_law(
    rows: Rows,
    domain: Domain,
    alpha: Rational,
    max_depth: int,
    *,
    low: int,
    high: int,
    leaf_steps: int = 1,
    min_samples_split: int = 0,
    design: str | Design = "averaged",
) -> Law:
    """The probability of every plain tree on these rows, as :meth:`SmallTrees.law`.

    Claims: thm-tree-law

    Parameters
    ----------
    rows : records, feature values and class
    domain, alpha, max_depth, low, high, leaf_steps, min_samples_split, design : of :class:`SmallTrees`

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> age = Domain([Numeric.grid("age", 0, 100, bins=2)], ("well", "ill"))
    >>> law = tree_law([[20, "ill"]], age, "1/2", 0, low=0, high=1)
    >>> {leaf: str(mass) for leaf, mass in law.items()}
    {(0, 0): '2/9', (0, 1): '4/9', (1, 0): '1/9', (1, 1): '2/9'}
    """
    options = {"leaf_steps": leaf_steps, "min_samples_split": min_samples_split}
    return SmallTrees(domain, alpha, max_depth, low=low, high=high, design=design, **options).law(rows)


def tree_loss(
    rows: Rows,
    other: Rows,
    domain: Domain,
    alpha: Rational,
    max_depth: int,
    *,
    low: int,
    high: int,
    leaf_steps: int = 1,
    min_samples_split: int = 0,
    design: str | Design = "averaged",
) -> TreeLoss:
    """The largest ratios by the recursion along the branch that differs, as :meth:`SmallTrees.loss`.

    Claims: thm-tree-law, lem-tree-transcript, lem-substitution-tree

    Parameters
    ----------
    rows, other : records, feature values and class
    domain, alpha, max_depth, low, high, leaf_steps, min_samples_split, design : of :class:`SmallTrees`

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> age = Domain([Numeric.grid("age", 0, 100, bins=2)], ("well", "ill"))
    >>> tree_loss([[20, "ill"]], [], age, "1/2", 0, low=0, high=1).tree
    Fraction(2, 1)
    """
    options = {"leaf_steps": leaf_steps, "min_samples_split": min_samples_split}
    return SmallTrees(domain, alpha, max_depth, low=low, high=high, design=design, **options).loss(rows, other)
