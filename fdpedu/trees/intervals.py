"""How many training rows a leaf really has, as far as its noisy counts tell: exact intervals, at no cost.

Of a leaf there is a fresh release: its true class counts plus noise whose law is public. So the noise lies within ±t
with a known probability, and then the true count lies within ±t of the released one. The noise is independent of all
that made the leaf what it is, so this holds for every leaf of the grown tree. Of a merged leaf the releases of the
leaves in it add up, and so do their noises (:mod:`fdpedu.trees.noise_law`): this holds for every node of the grown
tree. Which of them a pruned tree shows depends on labels, hence on the same noise; what is to hold for those that it
shows must hold for all nodes at once, classes · (2·leaves − 1) of the grown tree.

What an interval covers is the number of rows that the tree was grown from, in that leaf, of that class. It is none for
the share of a class in the population, and none for how often the tree is right: those rows were used to grow it.

An interval holds for one class of one leaf. Several at once (Bonferroni) need ``simultaneous``.

Claims: thm-count-interval
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fdpedu.exact import Rational, require_type
from fdpedu.trees.count_interval import CountInterval, intervals_of
from fdpedu.trees.tree import Tree


@dataclass(frozen=True)
class ShareInterval:
    """The share of a class among the training rows of a leaf lies in [low, high], at least with the stated confidence.

    It comes from intervals for all classes of the leaf that hold at once (Bonferroni). An empty leaf has no shares;
    where it may be empty, every share is possible.
    """

    leaf: int
    label: Any
    low: Fraction
    high: Fraction
    confidence: Fraction


def count_intervals(tree: Tree, confidence: Rational = "19/20", *, simultaneous: int = 1) -> list[CountInterval]:
    """For each leaf and each class an interval for its true number of training rows, leaf by leaf.

    Claims: thm-count-interval

    Parameters
    ----------
    tree : grown with fresh leaves, pruned or not
    confidence : strictly between 0 and 1
    simultaneous : how many of the intervals are to hold at once with that confidence (Bonferroni), ≥ 1: the number of
        classes for all counts of one leaf, times the number of leaves for all counts of the tree; for the leaves that a
        pruned tree shows, times the number of all nodes before pruning

    Raises
    ------
    ValueError
        If the leaves have no releases of their own: a histogram that was chosen by its noise covers nothing.

    Examples
    --------
    >>> from fdpedu.claims.federations import AGE, federate
    >>> from fdpedu.randomness import Rehearsal
    >>> from fdpedu.trees import fit_federated_tree
    >>> federation = federate([[[30, "well"]] * 40, [[70, "ill"]] * 50], AGE, 2, Rehearsal(2))
    >>> for interval in count_intervals(fit_federated_tree(federation, max_depth=1)):
    ...     print(interval)
    leaf 0 holds 35 to 43 training rows of class well, with a confidence of at least 95 %
    leaf 0 holds 0 to 5 training rows of class ill, with a confidence of at least 95 %
    leaf 1 holds 0 to 1 training rows of class well, with a confidence of at least 95 %
    leaf 1 holds 46 to 54 training rows of class ill, with a confidence of at least 95 %
    """
    require_type(tree, Tree, "tree")
    return intervals_of(tree.classes, tree.noise_shares(), tree.releases_by_leaf(), confidence, simultaneous)


def share_intervals(tree: Tree, confidence: Rational = "19/20") -> list[ShareInterval]:
    """For each leaf and each class an interval for its share among the leaf's training rows, leaf by leaf.

    The intervals of all classes of a leaf hold at once: its counts are joined by Bonferroni.

    Claims: thm-count-interval

    Parameters
    ----------
    tree : as for :func:`count_intervals`
    confidence : strictly between 0 and 1, for each leaf

    Examples
    --------
    >>> from fdpedu.claims.federations import AGE, federate
    >>> from fdpedu.randomness import Rehearsal
    >>> from fdpedu.trees import fit_federated_tree
    >>> federation = federate([[[30, "well"]] * 40, [[70, "ill"]] * 50], AGE, 2, Rehearsal(2))
    >>> share = share_intervals(fit_federated_tree(federation, max_depth=1))[0]
    >>> share.label, str(share.low), str(share.high)
    ('well', '17/20', '1')
    """
    require_type(tree, Tree, "tree")
    counts, classes = count_intervals(tree, confidence, simultaneous=len(tree.classes)), len(tree.classes)
    found = list[ShareInterval]()
    for start in range(0, len(counts), classes):
        of_leaf = counts[start : start + classes]
        low, high = sum(c.low for c in of_leaf), sum(c.high for c in of_leaf)
        for c in of_leaf:
            least, most = c.low + high - c.high, c.high + low - c.low
            ends = Fraction(c.low, least) if least else Fraction(0), Fraction(c.high, most) if most else Fraction(1)
            found.append(ShareInterval(c.leaf, c.label, *ends, c.confidence))
    return found
