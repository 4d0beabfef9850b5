"""What forged rows do to a tree whose splits and labels are paid for apart: less than the curve alone says.

For given splits a forged row is in one leaf. So the forger divides her rows among the leaves, and the label of each
leaf has a curve of its own. What the splits themselves cost is one more curve, around the whole.

Neighbours: rows added or removed; against a forger who knows everything but the coins. Integers and fractions, rounded
down.

Claims: thm-structured-poisoning
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from fdpedu.exact import Rational, as_integer, as_list
from fdpedu.robust.curve import as_epsilon, as_share, curve_table, poisoning_curve
from fdpedu.robust.knapsack import best_sums

MAX_ROWS = 10_000
_BITS = 40


def structured_bound(
    leaves: Sequence[tuple[int, int, Rational]],
    epsilon_leaf: Rational,
    rows: int,
    *,
    epsilon_structure: Rational = 0,
) -> Fraction:
    """At least so large stays the mean accuracy of a tree after x forged rows; rounded down.

    With private splits, what the leaves are worth after x rows must be at most its mean over the splits of the clean
    data; that of one tree need not be. Where the law of the splits is known, average this bound, with
    ``epsilon_structure`` 0, over it, and put the average into :func:`~fdpedu.robust.poisoning_curve`. Leaves of
    several trees must never be passed together: each of the trees has a forger with x rows of her own.

    Claims: thm-structured-poisoning

    Parameters
    ----------
    leaves : for each leaf (a, b, q): how many test rows of either class it has, and the probability, on the clean data,
        of the label that is right more often, 0 ≤ q ≤ 1 and not too large
    epsilon_leaf : what a label costs, at least 0
    rows : x, from 0 to 10,000; a row that is changed counts 2
    epsilon_structure : what all splits of a path cost together; 0 for public splits

    Examples
    --------
    >>> leaves = [(90, 10, "0.999"), (20, 80, "0.999")]
    >>> [round(float(structured_bound(leaves, "1/5", x)), 3) for x in (0, 10, 40)]
    [0.849, 0.847, 0.483]
    >>> round(float(structured_bound(leaves, "1/5", 10, epsilon_structure="1/10")), 3)
    0.583
    """
    read = _as_leaves(leaves)
    cost, outer = as_epsilon(epsilon_leaf, "epsilon_leaf"), as_epsilon(epsilon_structure, "epsilon_structure")
    x = as_integer(rows, "rows", minimum=0, maximum=MAX_ROWS)
    n = sum(a + b for a, b, _ in read)
    tables = [[abs(a - b) * kept for kept in curve_table(q, cost, x, _BITS)] for a, b, q in read]
    least, _ = best_sums(np.array(tables, dtype=np.int64))
    always = sum(min(a, b) for a, b, _ in read)  # right with either label
    inner = Fraction((always << _BITS) + int(least[x]), n << _BITS)
    return poisoning_curve(inner, outer, x) if outer else inner


def _as_leaves(leaves: object) -> list[tuple[int, int, Fraction]]:
    read = list[tuple[int, int, Fraction]]()
    for leaf in as_list(leaves, "leaves"):
        if not isinstance(leaf, (tuple, list)) or len(leaf) != 3:
            raise ValueError("leaves must be triples (a, b, q): test rows of either class, and a probability")
        a, b = (as_integer(n, "leaves", minimum=0, maximum=2**21) for n in leaf[:2])
        read.append((a, b, as_share(leaf[2], "leaves")))
    if not 0 < sum(a + b for a, b, _ in read) <= 2**21:
        raise ValueError("leaves must have a test row at least, and two million at most")
    return read
