"""Algorithm 1 of Vos et al., PrivaTree, literally: NOT PRIVATE at the ε that it is told.

It reads raw rows, charges no ledger and has no derivation: it is here to be run, priced (:mod:`fdpedu.privatree.price`)
and compared. What the source leaves open is decided so: quantiles are drawn among the borders of a public fine grid;
cells below 0 count as 0 before the Gini impurity is computed, each feature's by its own total; of several best splits
the first is taken.

Claims: thm-printed-price, lem-line-7
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.cart import Node, Tree
from fdpedu.cart.candidates import Borders
from fdpedu.domain import Codes, Domain, Numeric
from fdpedu.exact import Integers, Rate, Rational, as_integer, require_type
from fdpedu.histograms.edges import quantile_places
from fdpedu.mechanisms import discrete_laplace_noise, permute_and_flip
from fdpedu.mechanisms.chain import Chain, joint_sensitivity
from fdpedu.privatree.edges import features_to_thin
from fdpedu.privatree.names import one_of
from fdpedu.privatree.price import MAX_ERROR, QUANTILES, STOPS, PrintedShares, printed_shares
from fdpedu.privatree.search import best_noisy_split
from fdpedu.randomness import Rng, Source, as_source


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

    Claims: thm-printed-price, lem-line-7

    Parameters
    ----------
    X, y : raw rows and their classes, at least one; read as they are, and charged to nothing
    domain : public; its bins are the fine ones among whose borders quantiles are drawn
    epsilon : nominal, greater than 0
    max_depth : d, 1 to 64
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
    one_of(STOPS, stop, "stop")
    one_of(QUANTILES, quantiles, "quantiles")
    bins = as_integer(edge_bins, "edge_bins", minimum=2, maximum=256)
    codes, labels = domain.encode(X, "X"), domain.encode_labels(y, "y")
    if len(codes) != len(labels) or not len(codes):
        raise ValueError(f"X and y must have as many rows, at least 1; got {len(codes)} and {len(labels)}")
    shares = printed_shares(
        epsilon, len(codes), classes=domain.n_classes, max_depth=max_depth, max_error=max_error, quantiles=quantiles
    )
    source = as_source(rng)
    borders = _borders(codes, domain, bins, quantiles, shares, source)
    grower = _Grower(domain, codes, labels.astype(np.int64), borders, shares, stop == "raw", source)
    root = grower.fit_tree(np.arange(len(codes)), max_depth)  # Alg. 1, line 18
    return Tree(root, domain.classes, tuple(feature.name for feature in domain.features), domain)


def _borders(codes: Codes, domain: Domain, bins: int, quantiles: str, shares: PrintedShares, source: Source) -> Borders:
    """Alg. 1, lines 3 to 5: the budget of the quantiles, undivided, for every feature."""
    kept: list[tuple[int, ...] | None] = [None] * domain.n_features
    for j in () if quantiles == "none" else features_to_thin(domain, bins):
        feature = domain.features[j]
        assert isinstance(feature, Numeric)
        counts = np.bincount(codes[:, j], minlength=feature.n_codes)[: feature.n_bins]
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
        counts = np.bincount(self.labels[rows], minlength=self.domain.n_classes)
        # Alg. 1, line 7: the tests look at the rows
        if depth == 0 or (self.looks_at_rows and (len(rows) <= 1 or np.count_nonzero(counts) == 1)):
            return self.leaf(counts)
        split = best_noisy_split(self.noisy(rows), self.domain, self.domain.everything, "gini", self.borders)
        if split is None:  # no cell has a count left
            return self.leaf(counts)
        left = split.goes_left(self.codes[rows, split.feature])
        sides = self.fit_tree(rows[left], depth - 1), self.fit_tree(rows[~left], depth - 1)
        votes = tuple(a + b for a, b in zip(sides[0].counts, sides[1].counts, strict=True))
        return Node(votes, split, *sides)

    def leaf(self, counts: Integers) -> Node:
        """Alg. 1, lines 8 and 9: coins of e^{−ε_leaf/2}, as if counts were not monotone."""
        label = int(permute_and_flip(counts.tolist(), self.shares.leaf, self.source))
        return Node(tuple(int(k == label) for k in range(self.domain.n_classes)))

    def noisy(self, rows: NDArray[np.intp]) -> Integers:
        """Alg. 1, line 11: noise for one histogram's budget in the cells of all histograms.

        A wide bin's count stands at the first of its fine bins.
        """
        tables = []
        for j, feature in enumerate(self.domain.features):
            cells = np.zeros((feature.n_codes, self.domain.n_classes), dtype=np.int64)
            first = self.first_codes(j)
            places = np.searchsorted(first, self.codes[rows, j], side="right") - 1
            np.add.at(cells, (np.array(first)[places], self.labels[rows]), 1)
            numeric = isinstance(feature, Numeric)
            rate = Rate(rate=self.shares.numeric if numeric else self.shares.categorical)
            noise = discrete_laplace_noise(rate, len(first) * self.domain.n_classes, self.source)
            cells[first] += noise.reshape(len(first), self.domain.n_classes)
            tables.append(cells)
        return np.concatenate(tables)

    def first_codes(self, j: int) -> Sequence[int]:
        """The first fine code of each wide bin of a feature, and that of missing values."""
        feature, some = self.domain.features[j], self.borders.kept[j]
        if some is None:
            return range(feature.n_codes)
        assert isinstance(feature, Numeric)
        return [0, *some, *range(feature.n_bins, feature.n_codes)]
