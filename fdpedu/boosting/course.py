"""The course of an ensemble: what each round's released sums make of the model, and of the steps of those to come.

Whoever has the released sums can go the same course, and a reader of an ensemble's file does. So nothing in it may
depend on anything but public numbers and released ones.

Claims: def-boosting-round, thm-federated-boosting
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fdpedu.boosting.interactions import Step
from fdpedu.boosting.marginals import Marginals
from fdpedu.boosting.orders import Floats, leaf_shares, of_leaves, orders_apart
from fdpedu.boosting.rules import STEPS, Rules
from fdpedu.boosting.shares import estimated
from fdpedu.boosting.stepping import MADE_UP, within_limit
from fdpedu.boosting.steps import BACK, SURE, Energy, cosine, coverage, curvature_of, newton, second_step, variances
from fdpedu.domain import Codes, Domain
from fdpedu.exact import Integers, sums_at
from fdpedu.gradients import UNIT, AdditiveModel, KnownSums, TreeShapes
from fdpedu.gradients.additive import Questions, WeightedTrees, leaf_of_codes


@dataclass(frozen=True, eq=False)
class Round:
    """What a round has released, and what followed from it.

    Parameters
    ----------
    n_trees : how many there are
    intercept : after them, in units of 1/4096
    questions : of each tree
    curvature : h of the model before, by made-up rows, in units of 1/4096
    step, second_step : M₁ and M₂, in the same units
    ratio : how far interactions stood out before this round, in the same units
    sums : the pulls of each tree's leaves as released, in steps of 1/64: shape (trees, leaves)
    """

    n_trees: int
    intercept: int
    questions: int
    curvature: int
    step: int
    second_step: int
    ratio: int
    sums: Integers


class Factor(NamedTuple):
    """One of those whose product a tree's leaves are: for each code of a feature its level, and each level's share."""

    feature: int
    levels: Integers
    sides: Floats


class Course:
    """Goes from round to round.

    Parameters
    ----------
    rules : of the ensemble
    marginals : of the released histograms
    made_up : rows by which the curvature of a model is estimated, and its spread
    sigma : the standard deviation of the noise in a sum of pulls, that of all parties, in steps of 1/64
    """

    def __init__(self, rules: Rules, marginals: Marginals, made_up: Codes, sigma: float) -> None:
        self._rules, self.marginals, self.made_up, self._sigma = rules, marginals, made_up, sigma / STEPS
        self._known, self._shares = KnownSums(made_up), np.concatenate(marginals.shares)
        self._step, self._energy, self._rounds = rules.step, Energy(), 0
        self._curves: Floats | None = None

    @classmethod
    def of(cls, rules: Rules, domain: Domain, released: Integers, variance: float, sigma: float) -> Course:
        """The course that begins with released histograms, whose counts have noise of this variance."""
        marginals = Marginals(domain, estimated(domain, released, rules.groups, variance))
        return cls(rules, marginals, marginals.rows(MADE_UP, released.astype("<i8").tobytes()), sigma)

    @property
    def ratio(self) -> int:
        """How far interactions stand out by the rounds so far, in units of 1/4096."""
        return self._energy.ratio(self._rules, len(self.marginals.shares))

    @property
    def questions(self) -> int:
        """How many questions each tree of the next round asks."""
        return self._rules.most_questions if self.ratio >= SURE * UNIT else self._rules.questions

    def after(self, model: AdditiveModel, trees: TreeShapes, sums: Integers) -> tuple[WeightedTrees, Round]:
        """The next round's trees with their weights, and what it is kept as.

        Claims: def-boosting-round

        Parameters
        ----------
        model : that was asked with
        trees : that were asked about
        sums : as released, shape (trees, leaves)
        """
        # thm-federated-boosting: all that follows is a function of what was released, and of public coins
        rules, ratio, h = self._rules, self.ratio, curvature_of(self._known.of(model))
        step = self.step_of(trees, sums, h)
        sides, (mean, main, rest) = step.sides, orders_apart(step.weights, step.sides)
        self._guard(trees, main)
        p = len(self.marginals.shares)
        second = second_step(self._step, ratio, sides.shape[1], p)
        asked = coverage(sides.shape[1], len(trees), p)
        parts = self._step * of_leaves(main) / asked.features + second * rest / asked.pairs
        units = within_limit(np.rint(parts / rules.rounds)).tolist()
        intercept = within_limit(model.intercept + self._of_intercept(mean, step)).item()
        if self._rounds >= rules.watched_from and sides.shape[1] > 1:
            self._energy = self._energy.and_of(rest, step.variances, sides)
        self._rounds += 1
        kept = Round(len(trees), intercept, len(trees.trees[0]), h, self._step, second, ratio, sums)
        return tuple(zip(trees.trees, map(tuple, units), strict=True)), kept

    def step_of(self, trees: TreeShapes, sums: Integers, curvature: int) -> Step:
        """The step of each leaf and its variance by noise, if rows have this curvature."""
        sides = np.array([[factor.sides for factor in self._factors(questions)] for questions in trees.trees])
        rows = float(self._rules.nominal_size)
        weights = newton(sums, sides, rows=rows, curvature=curvature, steps=STEPS)
        return Step(trees, sides, weights, variances(sides, rows=rows, curvature=curvature, sigma=self._sigma))

    def _of_intercept(self, mean: Floats, step: Step) -> int:
        """What all trees of a round say of the whole, the more gently the more noise it has; in units of 1/4096."""
        noise = float((leaf_shares(step.sides) ** 2 * step.variances).sum(axis=1).mean()) / len(mean)
        return round(UNIT * float(mean.mean()) / (1 + 4 * self._rules.rounds * noise))

    def _guard(self, trees: TreeShapes, main: Floats) -> None:
        """Halve the step, from this round on, if the curves of all features together turn back on those before.

        Claims: lem-too-bold
        """
        curves, before = self._curves_of(trees, main), self._curves
        if before is not None and cosine(curves, before, self._shares) < BACK:
            self._step //= 2
        self._curves = curves

    def _curves_of(self, trees: TreeShapes, main: Floats) -> Floats:
        """For each feature and code the mean main effect of the trees that ask about it: the features in a row."""
        found = [np.zeros(len(share)) for share in self.marginals.shares]
        asked = np.zeros(len(found))
        for questions, effects in zip(trees.trees, main, strict=True):
            for factor, effect in zip(self._factors(questions), effects, strict=True):
                found[factor.feature] += effect[factor.levels]
                asked[factor.feature] += 1
        return np.concatenate([curve / max(1.0, n) for curve, n in zip(found, asked, strict=True)])

    def _factors(self, questions: Questions) -> list[Factor]:
        """What a tree's leaves are the product of: two sides a question, or the intervals of one feature."""
        if self._rules.form == "curves":
            return [self._factor(questions, 1 << len(questions))]
        return [self._factor((question,), 2) for question in questions]

    def _factor(self, questions: Questions, n_levels: int) -> Factor:
        feature = questions[0][0]
        share = self.marginals.shares[feature]
        levels = leaf_of_codes(questions, len(share))
        return Factor(feature, levels, sums_at(levels, share, n_levels))
