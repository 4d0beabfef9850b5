"""Boosting of a number a second time: what a simulation of classes says otherwise of a target, in NumPy alone.

A row has one of K levels. Its residual takes the place of the pull, its second derivative is known, and a released
histogram of the levels says where scores begin and what they are measured in. No line is the package's.
"""

from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from benchmarks.boosting_pieces import ALL, STEPS, UNIT, Array, Public, Rule, clip, dyadic, onto_simplex, rule_of
from benchmarks.boosting_simulation import Fit, Growth, Noise

GROUPS, PARTS = 64, (0.03, 0.87)  # of the target; the budget's for its histogram, and for all rounds


def number_rule(public: Public, rho: float, form: str = "trees", *, pure: float = 0) -> Rule:
    """The rule for classes, but for the second derivative, and for the step: 15 at most, and 5/6 of the rounds."""
    rule = rule_of(public, rho, form, pure=pure)
    step = rule.step if form == "curves" else int(UNIT * clip(rule.nu / (30 if pure else 4), 0.35, 15))
    return replace(rule, curvature=UNIT // 2, step=min(step, int(5 / 6 * rule.rounds * UNIT)))


class NumberNoise(Noise):
    """Rounds have 87 of 100 parts, and the histogram of the target 3."""

    def __init__(self, rule: Rule, p: int, rng: np.random.Generator | None) -> None:
        super().__init__(rule, p, rng)
        less = 0.84 / PARTS[1]
        if rule.pure:
            self.scale |= {"pulls": self.scale["pulls"] * less, "start": 1 / (PARTS[0] * rule.pure)}
            self.deviation = {kind: sqrt(2 * rule.factor) * scale for kind, scale in self.scale.items()}
        else:
            start = sqrt(rule.factor / (2 * PARTS[0] * rule.rho))
            self.deviation |= {"pulls": self.deviation["pulls"] * sqrt(less), "start": start}


class NumberGrowth(Growth):
    """Rounds of trees, from rows (p, n) and levels 0 … K − 1."""

    noise_of = NumberNoise

    def __init__(self, public: Public, rule: Rule, codes: Array, levels: Array, n_levels: int, *more: Any, **by: Any):
        super().__init__(public, rule, codes, levels.astype(np.int64), *more, **by)
        cells = np.arange(n_levels) * min(GROUPS, n_levels) // n_levels
        counts = self.noise.on(np.bincount(cells[levels], minlength=cells[-1] + 1), "start")
        self.spread, self.fit.intercept = begun(counts, cells, public.size, self.deviation["start"] ** 2)

    def whole(self) -> Fit:
        for t in range(self.rule.rounds):
            self.round(t)
        return self.fit

    def pull_of(self, scores: Array) -> Array:
        off = scores * self.spread - UNIT * (2 * self.labels + 1)  # in units of 1/(4096·C)
        return np.clip((STEPS * off + UNIT * self.spread) // (2 * UNIT * self.spread), -STEPS // 2, STEPS // 2)


def begun(counts: Array, cells: Array, size: int, variance: float) -> tuple[int, int]:
    """Half the distance of two quantiles, in half levels; and the median, in units of 1/4096 of it."""
    n, codes = len(cells), np.bincount(cells)
    rows = clip(float(counts.sum()), size / 2, 2 * size)
    both = dyadic(counts, codes, rows, variance, missing=False) + onto_simplex(counts, rows)
    ends = np.rint(np.cumsum((both / codes)[cells]) / both.sum() * ALL)
    low, middle, high = (quantile(ends, q) for q in (0.16, 0.5, 0.84))
    spread = int(clip(round(high - low), max(1, n // 32), 512))
    return spread, round(UNIT * 2 * middle / spread)


def quantile(ends: Array, q: float) -> float:
    """Where the level lies up to which there is such a share, from 0 to K."""
    k = int(np.flatnonzero(ends >= q * ALL)[0])
    before = ends[k - 1] if k else 0.0
    return float(k + (q * ALL - before) / (ends[k] - before))


def predicted(fit: Fit, spread: int, codes: Array, n_levels: int) -> Array:
    """Where in the range, from 0 to 1."""
    return np.clip(fit.scores(codes) / UNIT * spread / (2 * n_levels), 0, 1)
