"""How often the split that is truly the best one is chosen from noisy counts: by simulation, with its standard error.

What is chosen is the split of the smallest impurity after Algorithm 4 with clipping, over all features and borders. It
depends on ε, on the number of bins (more bins are more candidates, and more noise in each side), on the number of
features, which share ε, and on the rows: :func:`step_table` makes a population that differs in nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.cart import exact_scaled_half_gini, scaled_half_gini
from fdpedu.cart.split import Counts
from fdpedu.exact import Rate, Rational, as_fraction, as_integer, as_integers, as_list, as_positive_fraction
from fdpedu.mechanisms import discrete_laplace_noise
from fdpedu.randomness import Rng, Source, as_source

MAX_RUNS, MAX_CELLS = 10**6, 2**23  # cells of all runs of one feature


@dataclass(frozen=True)
class BestSplitChance:
    """How often the best split was chosen, and what the others cost.

    Parameters
    ----------
    probability : the share of the runs that chose a split with the least exact impurity
    standard_error : of that share, √(q(1 − q)/runs)
    regret : by how much the exact impurity G of what was chosen exceeds the least, on average over the runs
    runs : how many
    """

    probability: float
    standard_error: float
    regret: float
    runs: int


def probability_of_best_split(
    histograms: Sequence[ArrayLike], epsilon: Rational, runs: int = 1000, rng: Rng = None
) -> BestSplitChance:
    """The probability that noisy counts, clipped, lead to the split that exact counts would lead to.

    In each run every cell gets discrete Laplace noise of rate ε/p. Chosen is the smallest impurity of Algorithm 4,
    clipped, over all features and inner borders, with both sides non-empty; ties go to the first. Where no border
    has two non-empty sides, nothing is chosen, and the regret is that of not splitting at all.

    Parameters
    ----------
    histograms : for each of the p ordered features its exact counts, integers ≥ 0 of shape (bins, C), at least 2 bins
        and 2 classes; the same rows in each
    epsilon : of the node, divided by the p histograms; greater than 0
    runs : from 1 to 10**6; the estimate is within three standard errors of the truth about 997 times of 1000
    rng : None for the operating system's entropy; a generator is for teaching, and warns

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> chances = [probability_of_best_split([step_table(200, 10)], e, rng=Rehearsal(1)) for e in ("1/10", "1")]
    >>> [round(chance.probability, 1) for chance in chances]
    [0.4, 1.0]
    """
    tables, times = _tables(histograms), as_integer(runs, "runs", minimum=1, maximum=MAX_RUNS)
    if times * max(table.size for table in tables) > MAX_CELLS:
        raise ValueError(f"runs must be at most {MAX_CELLS // max(table.size for table in tables)} for these tables")
    rate, source = Rate(rate=as_positive_fraction(epsilon, "epsilon") / len(tables)), as_source(rng)
    truth = [impurity for table in tables for impurity in _exact_impurities(table)]
    noisy = np.hstack([_noisy_impurities(table, rate, times, source) for table in tables])
    chosen = noisy.argmin(axis=1)
    chosen[np.isinf(noisy.min(axis=1))] = len(truth)
    unsplit = exact_scaled_half_gini(tables[0].sum(axis=0).tolist()) / max(1, int(tables[0].sum()))
    regrets = np.array([float(impurity - min(truth)) for impurity in [*truth, unsplit]])[chosen]
    share = float((regrets == 0).mean())
    error = float(np.sqrt(share * (1 - share) / times))
    return BestSplitChance(share, error, float(regrets.mean()), times)


def _exact_impurities(table: Counts) -> list[Fraction]:
    """G at each inner border, from exact counts; an empty side counts 0."""
    n = max(1, int(table.sum()))
    pairs = [(table[:border].sum(axis=0), table[border:].sum(axis=0)) for border in range(1, len(table))]
    return [(exact_scaled_half_gini(a.tolist()) + exact_scaled_half_gini(b.tolist())) / n for a, b in pairs]


def _noisy_impurities(table: Counts, rate: Rate, runs: int, source: Source) -> NDArray[np.float64]:
    """Algorithm 4 with clipping for every run: shape (runs, bins − 1), infinite where a side is empty."""
    noise = discrete_laplace_noise(rate, runs * table.size, source).reshape(runs, *table.shape)
    cells = np.maximum(table + noise, 0)
    left = np.cumsum(cells, axis=1)[:, :-1]
    total = cells.sum(axis=1)[:, None]
    right, n = total - left, np.maximum(total.sum(axis=2), 1)
    found = (scaled_half_gini(left) + scaled_half_gini(right)) / n
    return np.where((left.sum(axis=2) > 0) & (right.sum(axis=2) > 0), found, np.inf)


def _tables(histograms: Sequence[ArrayLike]) -> list[Counts]:
    tables = [as_integers(table, "histograms") for table in as_list(histograms, "histograms")]
    if not tables or any(table.ndim != 2 or min(table.shape) < 2 or table.min() < 0 for table in tables):
        raise ValueError("histograms must be a list of counts ≥ 0 of shape (bins, classes), at least 2 of each")
    if any(table.size * int(table.max()) > 2**53 for table in tables):
        raise ValueError("histograms must have counts that add up to at most 2**53, where floats are whole numbers")
    if any(not np.array_equal(table.sum(axis=0), tables[0].sum(axis=0)) for table in tables):
        raise ValueError("histograms must count the same rows: their class totals differ")
    return tables


def step_table(
    n: int, bins: int, *, step: Rational = "2/5", below: Rational = "4/5", above: Rational = "1/5"
) -> Counts:
    """The expected counts of n rows with a value even on (0, 1], whose class depends on which side of a step it is on.

    The counts of each class are the differences of its cumulative number, rounded, so they are integers ≥ 0 for every
    n. Where ``below`` and ``above`` are equal the feature is useless; (11/25, 11/25) has the class totals of the
    default.

    Parameters
    ----------
    n : rows, from 0 to 10**9
    bins : of equal width, from 2 to 256
    step : strictly between 0 and 1; the best border lies there if it is one of the borders
    below, above : the share of class 1 on the two sides of the step, from 0 to 1

    Returns
    -------
    Integers of shape (bins, 2).

    Examples
    --------
    >>> step_table(100, 5).tolist()
    [[4, 16], [4, 16], [16, 4], [16, 4], [16, 4]]
    """
    rows, count = as_integer(n, "n", minimum=0, maximum=10**9), as_integer(bins, "bins", minimum=2, maximum=256)
    at, low, high = as_fraction(step, "step"), as_fraction(below, "below"), as_fraction(above, "above")
    if not 0 < at < 1 or not 0 <= min(low, high) <= max(low, high) <= 1:
        raise ValueError("step must lie strictly between 0 and 1, below and above between 0 and 1")

    def up_to(x: Fraction) -> tuple[int, int]:
        ones = low * min(x, at) + high * max(x - at, Fraction(0))
        return round(rows * (x - ones)), round(rows * ones)

    ends = [up_to(Fraction(i, count)) for i in range(count + 1)]
    return np.diff(ends, axis=0)
