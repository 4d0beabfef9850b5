"""The zoo, chapter 9: plausible bugs in the choice of one split, and in the chance that noise removes a feature."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

LOSS, RULE = "fdpedu.bounds.scored.ScoredRows._loss", "fdpedu.bounds.choosing._rule"
CHANCE = "fdpedu.bounds.pruning.pruning_probability"

TWINS = (
    Broken(
        "right less wrong without a two",
        LOSS,
        "int(left.sum() - left.max() + right.sum() - right.max())",
        "int(left.sum() - 2 * left.max() + right.sum() - 2 * right.max())",
        "A record changes the number of right predictions less the number of wrong ones by 1 as well, so the price is "
        "the same, although some splits gain 1 and others lose 1.",
        "thm-private-split",
        "neighbours",
    ),
    Broken(
        "an ε for each feature",
        RULE,
        '"sensitivity": rows.lattice',
        '"sensitivity": f"{rows.lattice}/{len(rows.sizes)}"',
        "Features are different questions, asked side by side, so each of them has the whole budget.",
        "thm-private-split",
        "neighbours at ε",
    ),
    Broken(
        "steps of 1/m at the price of 1",
        RULE,
        '"sensitivity": rows.lattice',
        '"sensitivity": 1',
        "The sensitivity of n·G is 1, in whatever unit it is written.",
        "thm-private-split",
        "neighbours at ε",
    ),
    Broken(
        "splits with an empty side are none",
        LOSS,
        "return math.floor(self.lattice * both)",
        "return math.floor(self.lattice * both) if left.any() and right.any() else 2 * len(self.labels) * self.lattice",
        "A split that divides nothing is of no use, so it is given a loss beyond all others.",
        "thm-private-split",
        "neighbours",
    ),
    Broken(
        "the field's Gini at the price of the report's",
        LOSS,
        "math.floor(self.lattice * both)",
        "math.floor(self.lattice * 2 * both)",
        "Gini impurity is Gini impurity.",
        "thm-private-split",
        "neighbours",
    ),
    Broken(
        "every feature like the first",
        "fdpedu.bounds.scored.ScoredRows._lefts",
        "self.codes[rows, j]",
        "self.codes[rows, 0] % self.sizes[j]",
        "The column of a feature is known from the outer loop.",
        "thm-private-split",
        "law",
    ),
    Broken(
        "the splits in another order",
        "fdpedu.bounds.choosing.private_split",
        "rows.splits[draw(",
        "sorted(rows.splits, key=lambda split: split[::-1])[draw(",
        "In which order splits are listed does not matter, if it is always the same.",
        "thm-private-split",
        "tapes",
    ),
    Broken(
        "all of ε_bounds for each bound",
        CHANCE,
        "(features * steps)",
        "steps",
        "Bounds are made of sums over records, like histograms' cells: one ε serves them all.",
        "lem-pruning-probability",
        "drawn",
    ),
    Broken(
        "removed in a draw",
        CHANCE,
        "_tail(rate, above + 1)",
        "_tail(rate, max(above, 1))",
        "Whether equal numbers remove or not is a question of taste.",
        "lem-pruning-probability",
        "summed",
    ),
)
