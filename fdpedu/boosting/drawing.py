"""The questions of each round's trees, drawn by public coins from what is public and released: they cost nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fdpedu.boosting.marginals import Marginals
from fdpedu.boosting.rules import Rules
from fdpedu.domain import Categorical
from fdpedu.gradients import TreeShapes
from fdpedu.gradients.additive import Question, Questions, questions_of
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
        self._waiting = list[int]()  # features, in the order in which they are asked about

    def trees(self, questions: int) -> TreeShapes:
        """The trees of the next round, each of so many questions."""
        one = self._tree if self._rules.form == "trees" else self._curve
        return TreeShapes(tuple(one(questions) for _ in range(self._rules.trees_per_round)))

    def _next(self, asked: Sequence[int] = ()) -> int:
        """The feature whose turn it is, of those that this tree has not asked about."""
        while all(feature in asked for feature in self._waiting):
            self._waiting += shuffled(range(self._marginals.domain.n_features), self._coins)
        # lem-orders-apart: no feature twice in a tree, so its leaves' shares are products
        return self._waiting.pop(next(i for i, feature in enumerate(self._waiting) if feature not in asked))

    def _tree(self, questions: int) -> Questions:
        """Each question of another feature."""
        found = list[Question]()
        for _ in range(questions):
            found.append(self._question(self._next([feature for feature, _ in found])))
        return tuple(found)

    def _question(self, feature: int) -> Question:
        described = self._marginals.domain.features[feature]
        if not described.ordered:
            half = shuffled(range(described.n_codes), self._coins)[: max(1, described.n_codes // 2)]
            return feature, sum(1 << code for code in half)
        cuts = self._marginals.cuts(feature, self._rules.quantiles)
        left = (1 << cuts[self._below(len(cuts))] + 1) - 1
        if described.missing and self._below(2):  # a coin says to which side missing values go
            left |= 1 << described.n_codes - 1
        return feature, left

    def _curve(self, questions: int) -> Questions:
        """Questions of one feature, whose leaves are intervals: each question asks for a binary digit of their number.

        Intervals are numbered by Gray's code, so that neighbours differ in one digit: sides are of few pieces, and a
        request is shorter.
        """
        feature = self._next()
        leaves = [interval ^ interval >> 1 for interval in self._intervals(feature, 1 << questions)]
        return questions_of(feature, leaves, questions)

    def _intervals(self, feature: int, most: int) -> list[int]:
        """The interval of each code, of so many at most: parts of the categories; or between random cuts.

        Missing values have an interval of their own, if there are four; else a coin says where they go.
        """
        described = self._marginals.domain.features[feature]
        if isinstance(described, Categorical):
            order, n = shuffled(range(described.n_codes), self._coins), described.n_codes
            part = {code: i * min(most, n) // n for i, code in enumerate(order)}
            return [part[code] for code in range(n)]
        cuts = self._marginals.cuts(feature, self._rules.quantiles)
        alone = described.missing and most > 2
        chosen = sorted(shuffled(cuts, self._coins)[: most - 1 - alone])
        found = np.searchsorted(chosen, np.arange(described.n_bins, dtype=np.int64)).tolist()
        if described.missing:
            found.append(most - 1 if alone else self._below(2))
        return [int(interval) for interval in found]

    def _below(self, bound: int) -> int:
        return int(uniform_below(np.array([bound]), self._coins)[0])
