"""The kinds of outcomes: two classes, with a counted threshold or without, several classes, a number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from fdpedu.accounting import Cost
from fdpedu.boosting.outcome import CLIP, DIVERGING, LEAST_STEP, STEPS, AnyModel, Each, Floats, Outcome
from fdpedu.boosting.shares import halved, on_simplex
from fdpedu.domain import MAX_CODES, Domain, Region, require_target
from fdpedu.exact import Integers, occurrences, quoted
from fdpedu.federation import ClassCounts, GradientSums, PullVectors, Query, ResidualSums, TargetCounts
from fdpedu.gradients import UNIT, AdditiveModel, TreeShapes, VectorModel, positions, probabilities
from fdpedu.gradients.additive import WeightedTrees
from fdpedu.gradients.residuals import MAX_SPREAD
from fdpedu.gradients.table import FULL_WEIGHT
from fdpedu.gradients.vectors import MAX_LEAF, MAX_SCORES, curvatures_of

LEAST_CURVATURE = 328  # .08, in units of 1/4096
TARGET_GROUPS = 64  # of levels, in the histogram of a target
START = Fraction(3, 100)  # part of the budget of where scores begin, where it is asked for
COUNTED = Fraction(1, 100)  # part of the budget of the class counts of which a threshold is made


@dataclass(frozen=True)
class TwoClasses(Outcome):
    """One of two classes: the logistic loss, whose gradients are clipped at 1/2. Scores begin at 0."""

    name: ClassVar[str] = "two classes"
    ends: ClassVar[int] = 2

    def question(self, region: Region, cost: Cost, model: AnyModel, trees: TreeShapes) -> Query:
        assert isinstance(model, AdditiveModel)
        return GradientSums(region, cost, STEPS, model, CLIP, FULL_WEIGHT, FULL_WEIGHT, trees)

    def curvature(self, scores: Integers) -> int:
        return curvature_of(scores)

    def predicted(self, scores: Integers) -> Integers:
        return AdditiveModel.chosen(scores)

    def probabilities(self, scores: Integers) -> Floats:
        second = 1 / (1 + np.exp(-np.clip(scores / UNIT, -500, 500)))
        return np.column_stack([1 - second, second])


TWO_CLASSES = TwoClasses()


@dataclass(frozen=True)
class CountedClasses(TwoClasses):
    """One of two classes, whose counts are released once: of them, and of made-up rows, a threshold is made.

    Parameters
    ----------
    start : the released counts
    variance : of the noise in each
    """

    variance: float = 0.0
    name: ClassVar[str] = "counted"
    begins: ClassVar[Fraction] = COUNTED

    def begun(self, released: Sequence[int] | Integers, rows: int = 1, variance: float = 0.0) -> Self:
        return replace(super().begun(released), variance=variance)

    def start_question(self, region: Region, cost: Cost) -> Query | None:
        return ClassCounts(region, cost)

    def in_words(self, classes: Sequence[Any]) -> str:
        """What was counted of the rarer class, beside its noise, and whether a threshold can be made of it.

        >>> few, many = CountedClasses((291, 21), 1787.0), CountedClasses((2900, 212), 1787.0)
        >>> few.in_words(("no", "yes")).partition(" (")[0]
        'Of class yes 21 ± 85 rows were counted'
        >>> [one.in_words(("no", "yes")).partition("noise), ")[2] for one in (few, many)]
        ['which alone may have made them: choose a threshold yourself', 'and about as many are predicted to be yes']
        """
        (count, name), noise = min(zip(self.start, map(str, classes), strict=True)), 2 * math.sqrt(self.variance)
        counted = f"Of class {name} {count} ± {noise:.0f} rows were counted (two standard deviations of the noise), "
        if count > noise:
            return f"{counted}and about as many are predicted to be {name}"
        return f"{counted}which alone may have made them: choose a threshold yourself"

    def threshold(self, scores: Integers) -> int:
        """The score above which made-up rows have the released share of the second class, as nearly as they can.

        It is a score of one of them, or the unit below all of them; of two as near the lower one. A count below 0 is
        taken for 0, and where both are, the share for one half.

        >>> scores = np.array([10, 20, 30, 40])
        >>> [CountedClasses(counts).threshold(scores) for counts in [(75, 25), (9, -2), (-9, 2), (0, 0), (7, 1)]]
        [30, 40, 9, 20, 30]
        """
        # thm-post-processing: of released counts, and of scores of made-up rows by a released model
        first, second = (max(0, count) for count in self.start) if max(self.start) > 0 else (1, 1)
        levels = np.unique(np.append(scores, scores.min() - 1))
        above = (len(scores) - np.searchsorted(np.sort(scores), levels, side="right")).tolist()
        apart = [abs(many * (first + second) - second * len(scores)) for many in above]
        return int(levels[apart.index(min(apart))])


def curvature_of(scores: Integers) -> int:
    """The mean of P(1 − P) over rows with these scores, at least .08, in units of 1/4096.

    >>> curvature_of(np.zeros(5, dtype=np.int64)), curvature_of(np.full(5, 8 * 4096))
    (1024, 328)
    """
    p = probabilities(UNIT)[positions(scores)]
    whole, n = int((p * (UNIT - p)).sum()), len(scores) * UNIT
    return max(LEAST_CURVATURE, (2 * whole + n) // (2 * n))


@dataclass(frozen=True)
class Classes(Outcome):
    """One of several classes: a score for each, and a pull that is a vector with one clip. Scores begin at counts.

    Claims: thm-pull-vectors

    Parameters
    ----------
    start : the released counts of the classes
    n_classes : from 3 to 32
    """

    n_classes: int = 3
    name: ClassVar[str] = "classes"
    begins: ClassVar[Fraction] = START
    dearer: ClassVar[int] = 2
    most_weight: ClassVar[int] = MAX_LEAF

    @property
    def n_scores(self) -> int:
        return self.n_classes

    def require(self, budget: Cost) -> None:
        if budget.is_pure:
            raise ValueError(
                f"boosting of {self.n_classes} classes is paid in ρ, so give a delta, or grow a tree: in ε a pull that "
                "is divided among several classes would tell colluders more than a whole one"
            )

    def start_question(self, region: Region, cost: Cost) -> Query | None:
        return ClassCounts(region, cost)

    def first(self, rows: int) -> AnyModel:
        """Each class begins with the logarithm of its count, of which 1/200 of the rows is the least.

        >>> Classes((100, 100, -7), 3).first(2000).intercepts  # ln 100, ln 100 and ln 10, less their mean
        (3144, 3144, -6288)
        """
        logs = [math.log(max(count, rows / 200)) for count in self.start]
        mean = sum(logs) / len(logs)
        return VectorModel((), tuple(round(UNIT * (one - mean)) for one in logs))

    def question(self, region: Region, cost: Cost, model: AnyModel, trees: TreeShapes) -> Query:
        assert isinstance(model, VectorModel)
        return PullVectors(region, cost, STEPS, model, trees)

    def model(self, trees: WeightedTrees, intercept: Each) -> AnyModel:
        return VectorModel(trees, (0,) * self.n_classes if isinstance(intercept, int) else intercept)

    def curvature(self, scores: Integers) -> tuple[int, ...]:
        return curvatures_of(scores)

    def boldest(self, form: str, nu: float, rounds: int, is_pure: bool) -> float:
        return super().boldest(form, nu / math.sqrt(max(1.0, self.n_classes / 10)), rounds, is_pure)

    def predicted(self, scores: Integers) -> Integers:
        return VectorModel.chosen(scores)

    def probabilities(self, scores: Integers) -> Floats:
        below = (scores - scores.max(axis=1, keepdims=True)) / UNIT
        powers = np.exp(below)
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))


@dataclass(frozen=True)
class Number(Outcome):
    """A numeric target: residuals with a clip, in units of a spread that is released. Scores begin at the median.

    Claims: lem-residual, lem-target-histogram

    Parameters
    ----------
    start : the released counts of groups of levels
    n_levels : of the target
    rows, variance : N, and that of the noise in these counts

    Examples
    --------
    >>> of_eight = Number(n_levels=8).begun([0, 0, 10, 40, 40, 10, 0, 0], rows=100)
    >>> of_eight.spread, of_eight.first(100).intercept / 4096  # quantiles 3.15 and 4.85; a median of 4 levels
    (2, 4.0)
    """

    n_levels: int = MAX_CODES
    rows: int = 1
    variance: float = 0.0
    name: ClassVar[str] = "number"
    begins: ClassVar[Fraction] = START

    def begun(self, released: Sequence[int] | Integers, rows: int = 1, variance: float = 0.0) -> Self:
        return replace(super().begun(released), rows=rows, variance=variance)

    def start_question(self, region: Region, cost: Cost) -> Query | None:
        return TargetCounts(region, cost, TARGET_GROUPS)

    @cached_property
    def _places(self) -> tuple[int, int]:
        """The spread, in half levels, and the median, in units of 1/4096 of the spread."""
        if not self.start:
            return 1, 0
        groups, n = np.arange(self.n_levels, dtype=np.int64) * len(self.start) // self.n_levels, self.n_levels
        sizes, counts = occurrences(groups, 0), np.array(self.start, dtype=np.float64)
        # lem-target-histogram: a function of released counts, N and the noise's variance; not of rows
        total = min(2.0 * self.rows, max(0.5 * self.rows, float(counts.sum())))
        both = halved(counts, sizes, total, self.variance, missing=False) + on_simplex(counts, total)
        ends = np.rint(np.cumsum((both / sizes)[groups]) / both.sum() * 2**30)
        low, middle, high = (quantile(ends, q) for q in (0.16, 0.5, 0.84))
        spread = min(MAX_SPREAD, max(1, n // 32, round(high - low)))
        return spread, round(UNIT * 2 * middle / spread)

    @property
    def spread(self) -> int:
        """What a score of 1 is, in half levels: half the way between the quantiles .16 and .84, at least 1/64."""
        return self._places[0]

    def first(self, rows: int) -> AnyModel:
        return AdditiveModel((), self._places[1])

    def question(self, region: Region, cost: Cost, model: AnyModel, trees: TreeShapes) -> Query:
        assert isinstance(model, AdditiveModel)
        return ResidualSums(region, cost, STEPS, model, self.spread, trees)

    def curvature(self, scores: Integers) -> int:
        """Of a residual in steps of 1/m, whose clip is 1/2 for a distance of 1: one half, whatever the scores are."""
        return UNIT // 2

    def boldest(self, form: str, nu: float, rounds: int, is_pure: bool) -> float:
        if form == "curves":
            return super().boldest(form, nu, rounds, is_pure)
        return min(max(min(nu / (30 if is_pure else 4), 15.0), LEAST_STEP), DIVERGING * rounds)

    def answers(self, scores: Integers, domain: Domain) -> NDArray[Any]:
        """Numbers, clipped to the target's range."""
        low, high = ends_of(domain)
        return low + (high - low) * np.clip(scores * (self.spread / (2 * self.n_levels * UNIT)), 0, 1)

    def per_score(self, domain: Domain) -> float:
        """How much a score of 1 is, in the target's unit."""
        low, high = ends_of(domain)
        return (high - low) * self.spread / (2 * self.n_levels)


def ends_of(domain: Domain) -> tuple[float, float]:
    """The range of the target."""
    target = require_target(domain, "a number")
    return target.edges[0], target.edges[-1]


def quantile(ends: Floats, share: float) -> float:
    """How many levels have such a share of the rows, from 0 to all, within a level in proportion.

    Parameters
    ----------
    ends : for each level what share lies up to it, in units of 2⁻³⁰
    share : above 0, at most 1
    """
    wanted = share * ends[-1]
    k = int(np.searchsorted(ends, wanted))
    before = float(ends[k - 1]) if k else 0.0
    return k + (wanted - before) / (float(ends[k]) - before)


def outcome_of(domain: Domain, threshold: str | None = None) -> Outcome:
    """What is learnt of records of this domain.

    Parameters
    ----------
    domain : what is public
    threshold : ``"counted"``: class counts are paid for, of which a threshold is made

    Raises
    ------
    ValueError
        For more than 32 classes, and for a threshold of anything but two.
    """
    if threshold is not None:
        if not isinstance(threshold, str) or threshold != CountedClasses.name:
            raise ValueError(f"threshold must be None or 'counted', got {quoted(threshold)}: a score is for predict")
        require_two(domain)
        return CountedClasses()
    if domain.target is not None:
        return Number(n_levels=domain.n_classes)
    if domain.n_classes > MAX_SCORES:
        raise ValueError(
            f"boosting is for 2 to {MAX_SCORES} classes, and the domain has {domain.n_classes}: grow a tree instead, "
            "or put rare classes together"
        )
    return TWO_CLASSES if domain.n_classes == 2 else Classes(n_classes=domain.n_classes)


def require_two(domain: Domain, name: str = "threshold") -> None:
    """Refuse a threshold of anything but two classes, or what is as much in vain."""
    if domain.target is not None or domain.n_classes != 2:
        what = "a target" if domain.target is not None else domain.n_classes
        raise ValueError(f"{name} must be left out: it is for two classes, and the domain has {what}")
