"""The course of an ensemble: what each round's released sums make of the model, and of the steps of those to come.

Whoever has the released sums can go the same course, and a reader of an ensemble's file does. So nothing in it may
depend on anything but public numbers and released ones.

Claims: def-boosting-round, thm-federated-boosting
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from fdpedu.boosting.interactions import Step
from fdpedu.boosting.marginals import Marginals
from fdpedu.boosting.orders import Floats, leaf_shares, of_leaves, orders_apart
from fdpedu.boosting.outcome import AnyModel, Each
from fdpedu.boosting.rules import STEPS, Rules
from fdpedu.boosting.shares import estimated
from fdpedu.boosting.stepping import MADE_UP, within_limit
from fdpedu.boosting.steps import BACK, SURE, Energy, cosine, coverage, newton, second_step, variances
from fdpedu.domain import Codes, Domain
from fdpedu.exact import Integers, as_indices, sums_at
from fdpedu.gradients import UNIT, AdditiveModel, KnownSums, TreeShapes
from fdpedu.gradients.additive import Questions, WeightedTrees, leaf_of_codes


@dataclass(frozen=True, eq=False)
class Round:
    """What a round has released, and what followed from it.

    Parameters
    ----------
    n_trees : how many there are
    intercept : after them, in units of 1/4096; of several scores one for each
    questions : of each tree
    curvature : h of the model before, by made-up rows, in units of 1/4096; of several scores one for each
    step, second_step : M₁ and M₂, in the same units
    ratio : how far interactions stood out before this round, in the same units
    sums : the pulls of each tree's leaves as released, in steps of 1/64: shape (trees, leaves), and with several scores
        (trees, leaves, scores)
    """

    n_trees: int
    intercept: Each
    questions: int
    curvature: Each
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
        self._known = KnownSums(made_up)
        self._shares = np.tile(np.concatenate(marginals.shares), rules.outcome.n_scores)
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

    def after(self, model: AnyModel, trees: TreeShapes, sums: Integers) -> tuple[WeightedTrees, Round]:
        """The next round's trees with their weights, and what it is kept as.

        Claims: def-boosting-round

        Parameters
        ----------
        model : that was asked with
        trees : that were asked about
        sums : as released, shape (trees, leaves), or (trees, leaves, scores)
        """
        # thm-federated-boosting: all that follows is a function of what was released, and of public coins
        rules, ratio, h = self._rules, self.ratio, self._rules.outcome.curvature(self._known.of(model))
        step = self.step_of(trees, sums, h)
        sides, (mean, main, rest) = step.sides, orders_apart(step.weights, step.sides)
        self._guard(trees, main)
        p = len(self.marginals.shares)
        second = second_step(self._step, ratio, sides.shape[1], p)
        asked = coverage(sides.shape[1], len(trees), p)
        parts = self._step * of_leaves(main) / asked.features + second * rest / asked.pairs
        units = np.clip(
            within_limit(np.rint(parts / rules.rounds)), -rules.outcome.most_weight, rules.outcome.most_weight
        )
        if self._rounds >= rules.watched_from and sides.shape[1] > 1:
            self._energy = self._energy.and_of(rest, step.variances, sides)
        self._rounds += 1
        intercept = self._moved(model, mean, step)
        kept = Round(len(trees), intercept, len(trees.trees[0]), h, self._step, second, ratio, sums)
        # a tree of several scores has them leaf by leaf
        weights = units.reshape(len(trees), self._n_scores, -1).swapaxes(1, 2).reshape(len(trees), -1).tolist()
        return tuple(zip(trees.trees, map(tuple, weights), strict=True)), kept

    def step_of(self, trees: TreeShapes, sums: Integers, curvature: Each) -> Step:
        """The step of each leaf and its variance by noise, if rows have this curvature.

        With several scores a tree stands there for each of them, one after the other.
        """
        n, k = len(trees), self._n_scores
        sides = np.array([[factor.sides for factor in self._factors(questions)] for questions in trees.trees])
        sides = np.repeat(sides, as_indices(k), axis=0)
        each = np.asarray(sums).reshape(n, -1, k).swapaxes(1, 2).reshape(n * k, -1)
        size: dict[str, Any] = {"rows": float(self._rules.nominal_size), "curvature": np.tile(curvature, n)}
        weights = newton(each, sides, **size, steps=STEPS)
        return Step(trees, sides, weights, variances(sides, **size, sigma=self._sigma))

    @property
    def _n_scores(self) -> int:
        return self._rules.outcome.n_scores

    def _moved(self, model: AnyModel, mean: Floats, step: Step) -> Each:
        """The intercept after a round, or that of each score: by what all of its trees say of the whole.

        The more gently, the more noise that has.
        """
        noise = (leaf_shares(step.sides) ** 2 * step.variances).sum(axis=1)
        k, found = self._n_scores, list[int]()
        for score in range(k):
            said, own = mean[score::k], noise[score::k]
            doubt = 1 + 4 * self._rules.rounds * float(own.mean()) / len(said)
            found.append(round(UNIT * float(said.mean()) / doubt))
        if isinstance(model, AdditiveModel):
            return within_limit(model.intercept + found[0]).item()
        return tuple(within_limit(np.array(model.intercepts) + found).tolist())

    def _guard(self, trees: TreeShapes, main: Floats) -> None:
        """Halve the step, from this round on, if the curves of all features together turn back on those before.

        Claims: lem-too-bold
        """
        curves, before = self._curves_of(trees, main), self._curves
        if before is not None and cosine(curves, before, self._shares) < BACK:
            self._step //= 2
        self._curves = curves

    def _curves_of(self, trees: TreeShapes, main: Floats) -> Floats:
        """For each score, feature and code the mean main effect of the trees that ask about it, in a row."""
        k = self._n_scores
        found = [np.zeros((k, len(share))) for share in self.marginals.shares]
        asked = np.zeros(len(found))
        for questions, effects in zip(trees.trees, main.reshape(-1, k, *main.shape[1:]), strict=True):
            for i, factor in enumerate(self._factors(questions)):
                found[factor.feature] += effects[:, i, factor.levels]
                asked[factor.feature] += 1
        return np.concatenate([curve / max(1.0, n) for curve, n in zip(found, asked, strict=True)], axis=1).ravel()

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
