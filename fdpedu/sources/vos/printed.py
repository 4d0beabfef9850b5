"""Algorithm 1 of Vos et al., PrivaTree, literally: NOT PRIVATE at the ε that it is told; and equation (4).

It reads raw rows, charges no ledger and has no derivation: it is here to be run, compared, and priced
(:mod:`fdpedu.sources.vos.price`). Quantiles are drawn among the borders of a public fine grid. What else the source
leaves open is decided as in the program of its authors: cells below 0 count as 0; each feature's Gini impurity is by
its own noisy total; a split with a side of no noisy count is none; of several best splits the first is taken; where
there is none, the node is a leaf. In two things it follows the source and not that program: labels are drawn as if
counts were not monotone, and of more than two classes the categories stay in their order.

Claims: thm-printed-price, lem-line-7, lem-tree-alone
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.cart import CodeSplit, Node, Tree, exact_scaled_half_gini
from fdpedu.cart.candidates import Borders
from fdpedu.domain import BY_VOTES, Categorical, Codes, Domain, Numeric, require_classes
from fdpedu.exact import Integers, Rate, Rational, as_integer, as_positive_fraction, occurrences, one_of, require_type
from fdpedu.exact.foreign import require_one_order
from fdpedu.histograms.edges import quantile_places
from fdpedu.mechanisms import discrete_laplace_noise, permute_and_flip
from fdpedu.mechanisms.chain import Chain, joint_sensitivity
from fdpedu.randomness import Rng, Source, as_source
from fdpedu.sources.vos.price import QUANTILES, STOPS, PrintedShares, printed_shares
from fdpedu.trees.designs.privatree.edges import features_to_thin
from fdpedu.trees.designs.privatree.leaf_share import MAX_ERROR

MAX_FULL = 12


def fit_privatree_as_printed(
    X: Any,
    y: Any,
    domain: Domain,
    epsilon: Rational,
    *,
    max_depth: int = 4,
    max_error: Rational = MAX_ERROR,
    edge_bins: int = 10,
    quantiles: str = "joint",
    stop: str = "raw",
    rng: Rng = None,
) -> Tree:
    """A tree by Algorithm 1 as printed: NOT PRIVATE at ``epsilon``; leaves have a 1 at their label, else 0.

    Claims: thm-printed-price, lem-line-7, lem-tree-alone
    Claims: lem-quantiles-in-parallel, lem-quantiles-add-up

    Parameters
    ----------
    X, y : raw rows and their classes, at least one; read as they are, and charged to nothing
    domain : public; its bins are the fine ones among whose borders quantiles are drawn
    epsilon : nominal, greater than 0
    max_depth : d, 1 to 64; at most 12 with ``stop="depth"``, as there may be 2^d leaves
    max_error : the average error that the rule for leaves allows
    edge_bins : how many bins a numeric feature gets, 2 to 256; one that has no more keeps its own
    quantiles : ``joint``, ``raw`` (exact ones: PrivaTree* in the source) or ``none`` (the bins of the domain)
    stop : ``raw`` (line 7), or ``depth`` (a node is a leaf at depth d only)
    rng : None for the operating system's entropy; a generator is for teaching, and warns

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> domain = Domain.from_spec({"features": {"age": [0, 100, 20]}, "classes": ["well", "ill"]})
    >>> ages = [[10 + i % 80] for i in range(400)]
    >>> labels = ["ill" if age > 50 else "well" for (age,) in ages]
    >>> tree = fit_privatree_as_printed(ages, labels, domain, 1, max_depth=1, rng=Rehearsal(1))
    >>> tree.predict([[20], [80]]).tolist()
    ['well', 'ill']
    """
    require_type(domain, Domain, "domain")
    require_classes(domain, "fit_privatree_as_printed", BY_VOTES)
    one_of(STOPS, stop, "stop")
    one_of(QUANTILES, quantiles, "quantiles")
    bins = as_integer(edge_bins, "edge_bins", minimum=2, maximum=256)
    levels = as_integer(max_depth, "max_depth", minimum=1, maximum=64 if stop == "raw" else MAX_FULL)
    require_one_order(X, y, "y")
    codes, labels = domain.encode(X, "X"), domain.encode_labels(y, "y")
    if len(codes) != len(labels) or not len(codes):
        raise ValueError(f"X and y must have as many rows, at least 1; got {len(codes)} and {len(labels)}")
    shares = printed_shares(
        epsilon, len(codes), classes=domain.n_classes, max_depth=levels, max_error=max_error, quantiles=quantiles
    )
    source = as_source(rng)
    borders = _borders(codes, domain, bins, quantiles, shares, source)
    grower = _Grower(domain, codes, labels.astype(np.int64), borders, shares, stop == "raw", source)
    root = grower.fit_tree(np.arange(len(codes), dtype=np.int64), levels)  # Alg. 1, line 18
    return Tree(root, domain.classes, tuple(feature.name for feature in domain.features), domain)


def _borders(codes: Codes, domain: Domain, bins: int, quantiles: str, shares: PrintedShares, source: Source) -> Borders:
    """Alg. 1, lines 3 to 5: the budget of the quantiles, undivided, for every feature."""
    kept: list[tuple[int, ...] | None] = [None] * domain.n_features
    for j in () if quantiles == "none" else features_to_thin(domain, bins):
        feature = domain.features[j]
        assert isinstance(feature, Numeric)
        counts = occurrences(codes[:, j], feature.n_codes)[: feature.n_bins]
        if quantiles == "raw":
            kept[j] = quantile_places(counts, bins)
        else:
            rate = Rate(rate=shares.numeric / (2 * joint_sensitivity(bins)))
            kept[j] = Chain(counts.tolist(), bins, rate).draw(source)
    return Borders(tuple(kept))


@dataclass(frozen=True)
class _Grower:
    """Alg. 1, lines 6 to 17."""

    domain: Domain
    codes: Codes
    labels: Integers
    borders: Borders
    shares: PrintedShares
    looks_at_rows: bool
    source: Source

    def fit_tree(self, rows: NDArray[np.intp], depth: int) -> Node:
        """The node of some rows, with so many levels left."""
        counts = occurrences(self.labels[rows], self.domain.n_classes)
        # Alg. 1, line 7: the tests look at the rows
        if depth == 0 or (self.looks_at_rows and (len(rows) <= 1 or np.count_nonzero(counts) == 1)):
            return self.leaf(counts)
        split = self.best_split([self.noisy(rows, j) for j in range(self.domain.n_features)])
        if split is None:
            return self.leaf(counts)
        left = split.goes_left(self.codes[rows, split.feature])  # Alg. 1, line 13
        sides = self.fit_tree(rows[left], depth - 1), self.fit_tree(rows[~left], depth - 1)  # Alg. 1, line 14
        votes = tuple(a + b for a, b in zip(sides[0].counts, sides[1].counts, strict=True))
        return Node(votes, split, *sides)

    def leaf(self, counts: Integers) -> Node:
        """Alg. 1, lines 8 and 9: coins of e^{−ε_leaf/2}, as if counts were not monotone."""
        label = int(permute_and_flip(counts.tolist(), self.shares.leaf, self.source))
        return Node(tuple(int(k == label) for k in range(self.domain.n_classes)))

    def noisy(self, rows: NDArray[np.intp], j: int) -> Integers:
        """Alg. 1, line 11: a feature's class counts in its bins, with noise for the budget of one histogram."""
        feature, bins = self.domain.features[j], self.bins(j)
        places = np.searchsorted([some[0] for some in bins], self.codes[rows, j], side="right") - 1
        cells = np.zeros((len(bins), self.domain.n_classes), dtype=np.int64)
        np.add.at(cells, (places, self.labels[rows]), 1)
        rate = self.shares.categorical if isinstance(feature, Categorical) else self.shares.numeric
        return cells + discrete_laplace_noise(Rate(rate=rate), cells.size, self.source).reshape(cells.shape)

    def best_split(self, tables: Sequence[Integers]) -> CodeSplit | None:
        """Alg. 1, line 12: the least Gini impurity of what the noisy cells show, in fractions."""
        best: tuple[Fraction, CodeSplit] | None = None
        for j, table in enumerate(tables):
            cells, bins = np.maximum(table, 0), self.bins(j)
            for order in self.orders(j, cells):
                for k, impurity in impurities(cells[order]):
                    if best is None or impurity < best[0]:
                        best = impurity, CodeSplit(j, frozenset(code for at in order[:k] for code in bins[at]))
        return None if best is None else best[1]

    def orders(self, j: int, cells: Integers) -> list[list[int]]:
        """Of the bins of a feature: beginnings of an order go left. A bin of missing values may come last, or first."""
        feature, bins = self.domain.features[j], list(range(len(cells)))
        if isinstance(feature, Categorical):
            return [by_ratio(cells) if self.domain.n_classes == 2 else bins]
        return [bins, [bins[-1], *bins[:-1]]] if feature.missing else [bins]

    def bins(self, j: int) -> list[range]:
        """The codes in each bin of a feature: of each wide one, and of missing values."""
        feature, some = self.domain.features[j], self.borders.kept[j]
        if some is None:
            return [range(code, code + 1) for code in range(feature.n_codes)]
        assert isinstance(feature, Numeric)
        ends = [0, *some, *range(feature.n_bins, feature.n_codes + 1)]
        return [range(a, b) for a, b in pairwise(ends)]


def impurities(cells: Integers) -> Iterator[tuple[int, Fraction]]:
    """How many of the bins go left, and the weighted impurity that this leaves, where each side has a count.

    >>> [(k, str(impurity)) for k, impurity in impurities(np.array([[3, 0], [1, 0], [0, 4]]))]
    [(1, '1/10'), (2, '0')]
    """
    lefts, whole = np.cumsum(cells, axis=0), cells.sum(axis=0)
    for k, left in enumerate(lefts[:-1], 1):
        if left.sum() and (whole - left).sum():
            both = exact_scaled_half_gini(left.tolist()) + exact_scaled_half_gini((whole - left).tolist())
            yield k, both / int(whole.sum())


def by_ratio(cells: Integers) -> list[int]:
    """The categories by the share of the second of two classes, a half where there is no count.

    >>> by_ratio(np.array([[1, 3], [0, 0], [4, 0]]))
    [2, 1, 0]
    """
    counts = cells.tolist()
    shares = [Fraction(b, a + b) if a + b else Fraction(1, 2) for a, b in counts]
    return sorted(range(len(shares)), key=lambda code: shares[code])


def equation_4_as_printed(k: int, epsilon: Rational) -> Fraction:
    """(1−ε)/(1+ε)·ε^|k|, as Vos et al. print their equation (4): ε stands where α = e^{−ε/Δ} is meant.

    For ε > 1 these "probabilities" are negative, and for ε < 1 they are those of another budget, ln(1/ε).

    Claims: vos-equation-4-as-printed

    >>> equation_4_as_printed(0, 2)
    Fraction(-1, 3)
    """
    printed, exponent = as_positive_fraction(epsilon, "epsilon"), abs(as_integer(k, "k", minimum=-(2**63)))
    if exponent > 10_000:
        raise ValueError(f"k must be at most 10,000 in size, got {k}")
    return (1 - printed) / (1 + printed) * printed**exponent
