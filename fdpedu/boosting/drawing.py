"""The questions of each round's trees, drawn by public coins from what is public and released: they cost nothing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fdpedu.boosting.marginals import Marginals
from fdpedu.boosting.rules import Rules
from fdpedu.gradients import TreeShapes
from fdpedu.gradients.additive import Question, Questions
from fdpedu.randomness import Source, uniform_below
from fdpedu.trees.subset import shuffled


class Drawing:
    """Draws trees, round after round: features in random permutations, each anew when the last one is used up.

    Parameters
    ----------
    rules : of the ensemble
    marginals : by which numeric features are cut
    coins : public
    """

    def __init__(self, rules: Rules, marginals: Marginals, coins: Source) -> None:
        self._rules, self._marginals, self._coins = rules, marginals, coins
        self._features = self._in_turn()

    def trees(self) -> TreeShapes:
        """The trees of the next round."""
        one = self._tree if self._rules.form == "trees" else self._curve
        return TreeShapes(tuple(one() for _ in range(self._rules.trees_per_round)))

    def _in_turn(self) -> Iterator[int]:
        while True:
            yield from shuffled(range(self._marginals.domain.n_features), self._coins)

    def _tree(self) -> Questions:
        """Each question of another feature, as long as there are others."""
        return tuple(self._question(next(self._features)) for _ in range(self._rules.questions))

    def _question(self, feature: int) -> Question:
        described = self._marginals.domain.features[feature]
        if not described.ordered:
            return feature, self._half(described.n_codes)
        cuts = self._marginals.cuts(feature, self._rules.quantiles)
        (at,) = self._below(len(cuts))
        left = (1 << cuts[at] + 1) - 1
        if described.missing and self._below(2)[0]:  # a coin says to which side missing values go
            left |= 1 << described.n_codes - 1
        return feature, left

    def _curve(self) -> Questions:
        """Questions of one feature: at cuts in ascending order, so that its leaves are intervals.

        Missing values answer left to the first question and right to the next, which no number does: a leaf of their
        own.
        """
        feature = next(self._features)
        described, k = self._marginals.domain.features[feature], self._rules.questions
        if not described.ordered:
            return tuple((feature, self._half(described.n_codes)) for _ in range(k))
        cuts = self._marginals.cuts(feature, self._rules.quantiles)
        chosen = sorted(shuffled(cuts, self._coins)[:k])
        chosen += [chosen[-1]] * (k - len(chosen))
        gap = 1 << described.n_codes - 1 if described.missing else 0
        return tuple((feature, (1 << cut + 1) - 1 | (gap if i == 0 else 0)) for i, cut in enumerate(chosen))

    def _half(self, n_codes: int) -> int:
        """Half of the categories, rounded down, and at least one, each as likely as the others."""
        return sum(1 << code for code in shuffled(range(n_codes), self._coins)[: max(1, n_codes // 2)])

    def _below(self, bound: int) -> list[int]:
        return uniform_below(np.array([bound]), self._coins).tolist()
