"""Fit a tree by secret sums, or one party's own beside it; who gives what, and what is refused.

Claims: lem-selection
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fdpedu.domain import BY_VOTES, Domain, require_classes
from fdpedu.exact import as_integer, as_list, one_of, require_type
from fdpedu.randomness import Rng, Source, as_source
from fdpedu.sources.elzein.counting import Order, Report, Step, Sum, wire_bytes
from fdpedu.sources.elzein.growing import RULES, Growth
from fdpedu.sources.elzein.local import IMPURITIES, MAX_BY_VALIDATION, Rows, own_depth, read_rows
from fdpedu.sources.elzein.selection import MAX_PARTIES, shared_totals
from fdpedu.sources.elzein.tree import SharedTree
from fdpedu.sources.raw_rows import require_filled

MAX_DEPTH = 32


def fit_shared_tree(
    parties: Any,
    domain: Domain,
    *,
    rule: str = "mended",
    criterion: str = "entropy",
    max_depth: int | None = None,
    rng: Rng = None,
) -> SharedTree:
    """Grow a tree by secret sums among at least two parties, in one process. No ε.

    Claims: lem-selection, lem-mean-threshold, lem-own-middle, lem-pooled-cart

    Parameters
    ----------
    parties : of each a pair of its raw rows and their classes
    domain : public: ranges, categories and classes; without codes for missing values
    rule : a name of :data:`RULES`
    criterion : ``entropy`` for information gain, or ``gini``
    max_depth : from 0 to 32; None for the source's first phase: each party finds the best depth for its own tree by
        five-fold cross-validation, and the mean is taken by a secret sum
    rng : of shares, folds and coins; None for the operating system. A generator is for teaching, and warns

    Raises
    ------
    ValueError
        If there are fewer than two parties, a party has no rows or bad ones, or an option is not known.

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> domain = Domain.from_spec({"features": {"age": [0, 100, 10]}, "classes": ["well", "ill"]})
    >>> one = [[10], [20], [60], [70]], ["well", "well", "ill", "ill"]
    >>> other = [[10], [30], [50], [90]], ["well", "well", "ill", "ill"]
    >>> tree = fit_shared_tree([one, other], domain, max_depth=1, rng=Rehearsal(1))
    >>> print(tree.to_text())
    age ≤ 40: class well
    age > 40: class ill
    """
    _require_fitting(domain)
    one_of(RULES, rule, "rule")
    one_of(IMPURITIES, criterion, "criterion")
    depth = None if max_depth is None else as_integer(max_depth, "max_depth", minimum=0, maximum=MAX_DEPTH)
    listed = as_list(parties, "parties")
    if not 2 <= len(listed) <= MAX_PARTIES:
        raise ValueError(f"parties must be 2 to {MAX_PARTIES}, got {len(listed)}: see fit_local_tree for one")
    on_edges = RULES[rule].joined != "mean"
    rows = [_rows_of(pair, domain, k, on_edges) for k, pair in enumerate(listed)]
    source = as_source(rng)
    before, depths = list[Step](), tuple[int, ...]()
    if depth is None:
        depths = tuple(
            own_depth(own, criterion, coins) for own, coins in zip(rows, source.spawn(len(rows)), strict=True)
        )
        depth = mean_depth(depths, source)
        before = [Sum("depths", wire_bytes(MAX_BY_VALIDATION * len(rows) + 1, 1)), Report("mean depth")]
    root = Growth(rows, domain, RULES[rule], criterion, depth, source).grown()
    return SharedTree(root, domain, rule, len(rows), depth, depths, tuple(before), (Order("stop", 1),))


def fit_local_tree(
    X: Any, y: Any, domain: Domain, *, criterion: str = "entropy", max_depth: int | None = None, rng: Rng = None
) -> SharedTree:
    """The same tree of one party's rows, or of all rows in one place: nothing is sent. Not private.

    Parameters
    ----------
    X, y : raw rows and their classes
    domain, criterion : as for :func:`fit_shared_tree`
    max_depth : None for five-fold cross-validation
    rng : of folds

    Examples
    --------
    >>> domain = Domain.from_spec({"features": {"age": [0, 100, 10]}, "classes": ["well", "ill"]})
    >>> tree = fit_local_tree([[10], [20], [60]], ["well", "well", "ill"], domain, max_depth=2)
    >>> tree, tree.predict([[35], [45]]).tolist(), len(tree.messages)
    (SharedTree(alone, 1 parties, 3 nodes; no ε: every total and every threshold is an exact function of the rows), \
['well', 'ill'], 0)
    """
    _require_fitting(domain)
    one_of(IMPURITIES, criterion, "criterion")
    depth = None if max_depth is None else as_integer(max_depth, "max_depth", minimum=0, maximum=MAX_DEPTH)
    rows, source = _rows_of((X, y), domain, 0, False), as_source(rng)
    depth = own_depth(rows, criterion, source) if depth is None else depth
    root = Growth([rows], domain, RULES["mended"], criterion, depth, source).grown()
    return SharedTree(root, domain, "alone", 1, depth)


def mean_depth(depths: Sequence[int], source: Source) -> int:
    """The mean of the parties' depths, rounded half up, by a secret sum: one more thing that is known of them.

    >>> from fdpedu.randomness import Rehearsal
    >>> mean_depth([2, 3], Rehearsal(1))
    3
    """
    n = len(depths)
    (total,) = shared_totals(np.array(depths, dtype=np.int64)[:, None], MAX_BY_VALIDATION * n + 1, source)
    return int((2 * total + n) // (2 * n))


def _require_fitting(domain: Domain) -> None:
    require_type(domain, Domain, "domain")
    require_classes(domain, "a tree by secret sums", BY_VOTES)
    require_filled(domain)


def _rows_of(pair: Any, domain: Domain, k: int, on_edges: bool) -> Rows:
    both = as_list(pair, f"party {k}")
    if len(both) != 2:
        raise ValueError(f"party {k} must be a pair of raw rows and their classes, got {len(both)} things")
    rows = read_rows(both[0], both[1], domain, f"party {k}", on_edges=on_edges)
    if not len(rows):
        raise ValueError(f"party {k} must have at least one row")
    return rows
