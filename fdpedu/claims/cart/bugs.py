"""The zoo, chapter 1: plausible bugs in splits and impurity."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

TWINS = (
    Broken(
        "x < t on raw values",
        "fdpedu.cart.split.ThresholdSplit.goes_left",
        "column <= self.threshold",
        "column < self.threshold",
        "A threshold halfway between two values is never equal to a value.",
        "lem-thresholds",
        "columns",
    ),
    Broken(
        "x < t on a grid",
        "fdpedu.domain.features.Numeric.encode",
        'side="left"',
        'side="right"',
        "Whether bins are closed on the left or on the right is a matter of taste.",
        "lem-thresholds",
        "grid",
    ),
    Broken(
        "the other Gini",
        "fdpedu.cart.impurity.scaled_half_gini",
        "(2 * np.where(n > 0, n, 1))",
        "np.where(n > 0, n, 1)",
        "Gini is Gini: a factor of 2 changes no split, so it changes no constant.",
        "def-scaled-impurity",
        "conventions",
    ),
    Broken(
        "sides unweighted",
        "fdpedu.cart.split.Candidate.impurity",
        "exact_scaled_half_gini(self.left) + exact_scaled_half_gini(self.right)",
        "sum(exact_scaled_half_gini(side) / max(1, sum(side)) for side in (self.left, self.right))",
        "The impurity of a split is the sum of the impurities of its sides.",
        "lem-split-never-hurts",
        "splits",
    ),
    Broken(
        "mean of means",
        "fdpedu.cart.federated.federated_impurity",
        "Fraction(positives, n_side)",
        "Fraction(sum(Fraction(b, a + b or 1) for a, b in parties), len(parties))",
        "The average of the parties' averages is the average of all.",
        "lem-pooled-counts",
        "divisions",
    ),
)
