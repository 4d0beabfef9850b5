"""Rows in a domain of every kind of feature, trees that one owner grows on them, and what they are grown by."""

from fractions import Fraction
from itertools import product

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.cart import fit_cart
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Party
from fdpedu.randomness import Rehearsal
from fdpedu.trees import fit_privatree

MIXED = Domain(
    [
        Numeric.grid("x", 0, 8, bins=8),
        Numeric.grid("z", 0, 6, bins=6, missing=True),
        Categorical("w", ("A", "B", "C")),
        Numeric.grid("v", 0, 2, bins=2),
    ],
    ("a", "b", "c"),
)
PLAIN = Domain([Numeric.grid("x", 0, 4, bins=4), Numeric.grid("z", 0, 4, bins=4)], ("a", "b"))


def rows(n=200, domain=MIXED, seed=0):
    """Rows with a label that depends on two of the features."""
    rng = np.random.default_rng(seed)
    found = []
    for i in range(n):
        values = [
            (None if feature.missing and i % 7 == 0 else float(rng.uniform(0, feature.n_bins)))
            if isinstance(feature, Numeric)
            else feature.categories[rng.integers(len(feature.categories))]
            for feature in domain.features
        ]
        label = int(values[0] > 2) + int(values[-1] is not None and values[-1] > 1) if i % 9 else i
        found.append([*values, domain.classes[label % domain.n_classes]])
    return found


def fitted(table=None, *, domain=MIXED, budget=1, seed=1, rng=None, **options):
    """A tree and the ledger that paid for it."""
    ledger = Ledger(budget)
    table = rows(domain=domain) if table is None else table
    tree = fit_privatree(Party(table, domain), ledger, rng=rng or Rehearsal(seed), **options)
    return tree, ledger


def on_public_rows(domain=MIXED, depth=2, n=60):
    """A tree that was grown on public rows, on the grid of the domain."""
    table = rows(n, domain, seed=5)
    return fit_cart([row[:-1] for row in table], [row[-1] for row in table], grid=domain, max_depth=depth)


EVERY = [
    {"splits": splits, "edges": edges, "leaves": leaves, "edge_bins": bins, "leaf_share": share}
    for splits, edges, leaves, (bins, share) in product(
        ("choice", "histograms", "random", "public"),
        ("public", "joint", "histogram"),
        ("labels", "counts"),
        ((3, Fraction(1, 5)), (4, Fraction(1, 3))),
    )
    if edges == "public" or splits in ("choice", "histograms")
]
"""All combinations of options, each twice."""


def spelled(options, depth=2):
    """The options with a tree in place of its name."""
    return {**options, "splits": on_public_rows(depth=depth) if options["splits"] == "public" else options["splits"]}


def named(options):
    """A name for a test."""
    return "-".join(str(options[name]) for name in ("splits", "edges", "leaves", "edge_bins"))
