"""The rule of boosting before this one, as far as ensembles that it made need it: they are read, predict, are drawn.

It took one gentle step for all that trees said, weighed classes by released counts, and asked 16 rounds. What its
files' digests rest on stays: the weights of the classes, and models and trees written out in full.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from fdpedu.accounting import Cost
from fdpedu.boosting.marginals import Marginals
from fdpedu.boosting.orders import Floats
from fdpedu.boosting.outcome import Each, Outcome
from fdpedu.boosting.outcomes import TWO_CLASSES
from fdpedu.boosting.rules import CLIP, parts_of, rho_of
from fdpedu.domain import Domain
from fdpedu.exact import Integers
from fdpedu.gradients.additive import Questions
from fdpedu.gradients.table import FULL_WEIGHT

WEIGHTED_FROM = 500  # N·√ρ from which classes were weighted
EARLIER = 0.9  # √ρ of a budget in ε, at least, before ρ was Gaussian, as a part of what it is now


class Batch(NamedTuple):
    """The trees of one round: how many, and the intercept after them, in units of 1/4096."""

    n_trees: int
    intercept: Each


@dataclass(frozen=True)
class FirstRules:
    """What was fixed before the first release.

    Parameters
    ----------
    form, nominal_size, rounds, trees_per_round, questions, quantiles : as of :class:`fdpedu.boosting.Rules`
    step : M, the total step
    weighted : whether the more frequent class weighed less
    clip : c, of a pull in steps of 1/64
    """

    form: str
    nominal_size: int
    rounds: int
    trees_per_round: int
    questions: int
    quantiles: int
    step: float
    weighted: bool
    clip: int = CLIP
    outcome: ClassVar[Outcome] = TWO_CLASSES

    def factor(self, n_features: int) -> float:
        """By what a leaf's weight was multiplied: 3/2·M·p/(k·R·B), with k features a tree."""
        asked = self.questions if self.form == "trees" else 1
        return 1.5 * self.step * n_features / (asked * self.rounds * self.trees_per_round)

    def follow_from(self, round_cost: Cost, n_features: int) -> bool:
        """Whether quantiles, step and weighting are those of the nominal size and of what a round has cost.

        A budget in ε was converted in more than one way over time, so of its step only a narrow interval is known.
        """
        budget = Cost(round_cost.measure, round_cost.value / parts_of(self.rounds)["round"])
        most = self.nominal_size * math.sqrt(rho_of(budget))
        least = most * EARLIER if budget.is_pure else most
        low, high = (min(4.0, max(0.35, signal / n_features / 30)) for signal in (least, most))
        weighted = {least >= WEIGHTED_FROM, most >= WEIGHTED_FROM}
        sound = low <= self.step <= high and self.weighted in weighted
        return sound and self.quantiles == (8 if budget.is_pure else 12)


def marginals_of(domain: Domain, histograms: Integers) -> Marginals:
    """Shares of codes: released counts below 0 became 0."""
    return Marginals(domain, np.maximum(histograms.sum(axis=1), 0))


def class_counts(domain: Domain, histograms: Integers) -> tuple[float, float]:
    """About how many rows each class has: every feature's histogram counts them, those with few codes best."""
    parts = np.split(histograms, np.cumsum([feature.n_codes for feature in domain.features])[:-1])
    weights = [1 / len(part) for part in parts]
    sums = [weight * part.sum(axis=0) for weight, part in zip(weights, parts, strict=True)]
    first, second = np.sum(sums, axis=0) / sum(weights)
    return float(first), float(second)


def class_weights(domain: Domain, histograms: Integers, rules: FirstRules) -> tuple[int, int, float]:
    """The weights of both classes, of 256, and what all rows weighed together: the more frequent one √(n₁/n₀) less."""
    if not rules.weighted:
        return FULL_WEIGHT, FULL_WEIGHT, float(rules.nominal_size)
    counts = [max(1.0, one) for one in class_counts(domain, histograms)]
    least, most = min(counts), max(counts)
    lighter = max(1, round(FULL_WEIGHT * (least / most) ** 0.5))
    weights = [FULL_WEIGHT if one == least else lighter for one in counts]
    share = sum(w * n for w, n in zip(weights, counts, strict=True)) / (FULL_WEIGHT * sum(counts))
    return weights[0], weights[1], rules.nominal_size * share


def step_variances(
    rules: FirstRules, marginals: Marginals, asked: list[Questions], rows: float, sigma: float
) -> Iterator[Floats]:
    """The variance of each leaf's step by noise, tree by tree, as it entered the weights before they were centred."""
    factor = rules.factor(marginals.domain.n_features)
    for questions in asked:
        share = marginals.leaf_shares(questions)
        yield np.where(share > 0, (factor * sigma / (rows / 4 * (share + 0.5 / len(share)))) ** 2, 0.0)
