"""What an ensemble learns, as far as rules depend on it: what rows pull, what that costs, and where scores begin.

An outcome is one of a few kinds. Each says what a round asks, how long a row's answer is, which part of the budget is
paid for where scores begin, and how far a step goes. All else of boosting is the same for all of them.

"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from fdpedu.accounting import Cost
from fdpedu.cart.tree import class_array
from fdpedu.domain import Domain, Region
from fdpedu.exact import Integers
from fdpedu.federation import Query
from fdpedu.gradients import AdditiveModel, TreeShapes, VectorModel
from fdpedu.gradients.additive import MAX_WEIGHT, WeightedTrees

Floats = NDArray[np.float64]
AnyModel = AdditiveModel | VectorModel
Each = Any  # an integer; where rows have several scores, a tuple with one for each

STEPS = 64  # m, of probabilities
CLIP = STEPS // 2  # of a pull: a row pulls with 1/2 at most
LEAST_STEP = 0.35
DIVERGING = 5 / 6  # of the rounds: no step is larger


@dataclass(frozen=True)
class Outcome:
    """What is learnt: the base of all kinds, which is free of the domain.

    Claims: thm-boosting-classes

    Parameters
    ----------
    start : what was released of where scores begin; empty before, and where nothing is asked
    """

    start: tuple[int, ...] = ()
    name: ClassVar[str]
    begins: ClassVar[Fraction] = Fraction(0)  # part of the budget
    ends: ClassVar[int] = 0  # questions about the intercept, after the last round
    dearer: ClassVar[int] = 1  # how many times Δ₂² of a round is that of two classes
    most_weight: ClassVar[int] = MAX_WEIGHT  # of a leaf

    @property
    def n_scores(self) -> int:
        """Of a row."""
        return 1

    def require(self, budget: Cost) -> None:
        """Refuse a budget with which this is not boosted; before anything is charged."""

    def begun(self, released: Sequence[int] | Integers, rows: int = 1, variance: float = 0.0) -> Self:
        """The same, with what was released of where scores begin.

        Parameters
        ----------
        released : the answer to the question about it
        rows : N
        variance : of the noise in each number of the answer
        """
        return replace(self, start=tuple(int(one) for one in released))

    def start_question(self, region: Region, cost: Cost) -> Query | None:
        """What is asked once, before the first round, of where scores begin; None if nothing is."""
        return None

    def first(self, rows: int) -> AnyModel:
        """The model before the first round, if there are about so many rows."""
        return self.model((), 0)

    def question(self, region: Region, cost: Cost, model: AnyModel, trees: TreeShapes) -> Query:
        """What a round asks."""
        raise TypeError("ask one of the kinds of outcomes")

    def model(self, trees: WeightedTrees, intercept: Each) -> AnyModel:
        """A model of these trees."""
        return AdditiveModel(trees, intercept)

    def curvature(self, scores: Integers) -> Each:
        """h, how fast pulls change, as a mean over rows with these scores; in units of 1/4096."""
        raise TypeError("ask one of the kinds of outcomes")

    def boldest(self, form: str, nu: float, rounds: int, is_pure: bool) -> float:
        """M, by how far curves stand out of their noise: large where noise is small."""
        if form == "curves":
            wanted = min(nu / 16, 8.0)
        else:
            wanted = min(nu / 30, rounds / 2) if is_pure else min(nu / 4, 30.0)
        return min(max(wanted, LEAST_STEP), DIVERGING * rounds)

    def predicted(self, scores: Integers) -> Integers:
        """The position of the predicted class, from scores in units of 1/4096."""
        raise TypeError("ask one of the kinds of outcomes")

    def probabilities(self, scores: Integers) -> Floats:
        """A share for each class of the domain, in its order; a convention, as the clipped loss is not calibrated."""
        raise TypeError("ask one of the kinds of outcomes")

    def answers(self, scores: Integers, domain: Domain) -> NDArray[Any]:
        """What is predicted, from scores in units of 1/4096."""
        return class_array(domain.classes)[self.predicted(scores)]
