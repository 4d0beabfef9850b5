"""Choosing one split, and a block of three, at the same ε: how much n·G is left beyond the best choice.

Of each data set the rows are drawn anew in every repetition, and all ways of choosing see the same rows. Where a way
has a law that can be written down, the mean over it is computed, not drawn: the exponential mechanism, permute-and-flip
(its integral, by Gauss's rule of enough nodes to be exact but for rounding), the block. Noisy histograms are drawn.

Losses are in rows, as n·G is; ``share`` is the part of the best split's gain that is lost on average. Scores are in
steps of 1/100 for the trusted aggregator. Floats; all draws are seeded: this measures, and releases nothing.
"""

import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy import Repetition, Task, spread
from fdpedu.cart import CodeSplit, GridSearch
from fdpedu.cart.impurity import scaled_half_gini
from fdpedu.datasets import BENCHMARK
from fdpedu.exact import Rate
from fdpedu.mechanisms.counts import discrete_laplace_noise
from fdpedu.randomness import SeededReleaseWarning, as_source

DATA = ("mixture n=250 p=10 ρ=0.9", "mixture n=1000 p=10 ρ=0.3", "mixture n=1000 p=50 ρ=0.9")
EPSILONS = tuple(map(Fraction, ("1/20", "1/10", "1/5", "1/2", "1", "2", "5")))
DRAWS, LATTICE = 20, 100
ONE = ("noisy histograms", "noisy histograms, shrunk gain", "exponential", "permute-and-flip", "root of a block")
THREE = ("noisy histograms, ε/2 a level", "exponential, ε/2 a level", "block of three splits")
Array = NDArray[np.float64]
Lost = dict[tuple[Fraction, str], tuple[float, float]]  # at ε, by a way: n·G lost, and what could have been gained


def measure(task: Task) -> Lost:
    """Every way at every ε, on the rows of one repetition."""
    warnings.simplefilter("ignore", SeededReleaseWarning)
    rows = Splits(Repetition(task))
    return {
        (epsilon, way): (lost, most)
        for epsilon in EPSILONS
        for way, lost, most in rows.lost(replace(task, epsilon=epsilon))
    }


class Splits:
    """All splits of the rows of one repetition, what each leaves, and what each leaves on each side of each other."""

    def __init__(self, repetition: Repetition) -> None:
        table, _ = repetition.codes
        codes, self.domain = table.codes, repetition.domain
        self.p, self.bins = codes.shape[1], int(codes.max()) + 1
        self.bins = max(self.bins, *(feature.n_codes for feature in self.domain.features))
        self.cells = np.arange(self.p) * self.bins + codes  # of each row, one in each feature
        self.labels = table.labels
        self.splits = [(j, border) for j in range(self.p) for border in range(self.bins - 1)]
        self.whole = self._counted(np.ones(len(codes), bool))
        below = [codes[:, j] <= border for j, border in self.splits]
        self.sides = np.array([[self._counted(rows), self._counted(~rows)] for rows in below])
        self.losses, self.side_losses = self._left_over(self.whole), self._left_over(self.sides)
        totals = self.whole.reshape(self.p, self.bins, -1)[0].sum(axis=0)
        self.node = float(scaled_half_gini(totals))
        self.best = float(self.losses.min())
        self.best_block = float(self.side_losses.min(axis=2).sum(axis=1).min())

    def _counted(self, rows: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Class × bin counts of all features, one below the other."""
        flat = self.cells[rows] * 2 + self.labels[rows, None]
        return np.bincount(flat.ravel(), minlength=2 * self.p * self.bins).reshape(-1, 2)

    def _left_over(self, tables: NDArray[np.int64]) -> Array:
        """n·G of every split, in the last dimension."""
        cells = tables.reshape(*tables.shape[:-2], self.p, self.bins, 2)
        left = np.cumsum(cells, axis=-2)
        right = left[..., -1:, :] - left
        both = scaled_half_gini(left) + scaled_half_gini(right)
        return np.asarray(both[..., :-1].reshape(*tables.shape[:-2], -1))

    def lost(self, task: Task) -> Iterator[tuple[str, float, float]]:
        """Each way with what it loses on average at the task's ε, and the gain of the best choice."""
        e, steps = float(task.epsilon), np.floor(LATTICE * self.losses + 1e-6) / LATTICE
        inner = np.floor(LATTICE * self.side_losses + 1e-6) / LATTICE
        roots = [self.drawn_root(task, way) for way in ONE[:2]]
        roots += [float(law(steps, e) @ self.losses) for law in (exponential, permute_and_flip)]
        weights = log_sums(inner, e).sum(axis=1)
        root = np.exp(weights - weights.max())
        root /= root.sum()
        roots.append(float(root @ self.losses))
        for way, left in zip(ONE, roots, strict=True):
            yield way, left - self.best, self.node - self.best
        half, both = exponential(steps, e / 2), [self.drawn_block(task)]
        for law, rate in ((half, e / 2), (root, e)):
            means = np.einsum("rst,rst->r", exponential(inner, rate), self.side_losses)
            both.append(float(law @ means))
        for way, left in zip(THREE, both, strict=True):
            yield way, left - self.best_block, self.node - self.best_block

    def drawn_root(self, task: Task, way: str) -> float:
        """The mean n·G of splits chosen by noisy histograms at ε/p each."""
        rng, rate = task.rng(way), Rate(rate=task.epsilon / self.p)
        return float(np.mean([self._of(at, self.losses, self.node) for at in self._chosen(rng, rate, way, DRAWS)]))

    def drawn_block(self, task: Task) -> float:
        """The mean n·G of four leaves, where each of two levels has half of ε, and histograms decide."""
        rng, rate = task.rng(THREE[0]), Rate(rate=task.epsilon / 2 / self.p)
        found = []
        for at in self._chosen(rng, rate, ONE[0], DRAWS):
            if at is None:
                found.append(self.node)
                continue
            left = 0.0
            for side in (0, 1):
                table = self.sides[at, side]
                (chosen,) = self._chosen(rng, rate, ONE[0], 1, table)
                node = float(scaled_half_gini(table[: self.bins].sum(axis=0)))
                left += self._of(chosen, self.side_losses[at, side], node)
            found.append(left)
        return float(np.mean(found))

    def _chosen(
        self, rng: np.random.Generator, rate: Rate, way: str, draws: int, table: NDArray[np.int64] | None = None
    ) -> list[int | None]:
        """Places of the splits that clipped noisy histograms choose: by G, as in Algorithm 5, or by the shrunk gain."""
        table = self.whole if table is None else table
        noise = discrete_laplace_noise(rate, draws * table.size, as_source(rng)).reshape(draws, *table.shape)
        alpha = math.exp(-float(rate))
        deviation = math.sqrt(2 * alpha) / (1 - alpha)
        rules: dict[str, Any] = {"shrink": 3 * deviation} if way == ONE[1] else {"relative": True}
        found = GridSearch(self.domain).best_splits(np.maximum(table + noise, 0), **rules)
        return [None if best is None else self._place(best.split) for best in found]

    def _place(self, split: CodeSplit) -> int:
        return split.feature * (self.bins - 1) + max(split.left)

    @staticmethod
    def _of(at: int | None, losses: Array, node: float) -> float:
        return node if at is None else float(losses[at])


def exponential(losses: Array, epsilon: float) -> Array:
    """Pr ∝ e^{−ε·loss}, over the last dimension."""
    weights = np.exp(-epsilon * (losses - losses.min(axis=-1, keepdims=True)))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def permute_and_flip(losses: Array, epsilon: float) -> Array:
    """w_r·∫₀¹ Π_{s≠r} (1 − t·w_s) dt, a polynomial in t: exact with half as many nodes as there are splits."""
    weights = np.exp(-epsilon * (losses - losses.min()))
    nodes, shares = np.polynomial.legendre.leggauss(len(weights) // 2 + 1)
    logs = np.log1p(-np.outer((nodes + 1) / 2, weights))
    law = weights * (shares / 2 @ np.exp(logs.sum(axis=1, keepdims=True) - logs))
    if abs(law.sum() - 1) > 1e-9:
        raise ArithmeticError(f"the law of permute-and-flip adds up to {law.sum()}")
    return np.asarray(law)


def log_sums(losses: Array, epsilon: float) -> Array:
    """ln Σ e^{−ε·loss} over the last dimension."""
    least = losses.min(axis=-1)
    return np.asarray(np.log(np.exp(-epsilon * (losses - least[..., None])).sum(axis=-1)) - epsilon * least)


def records(tasks: Sequence[Task], measured: Sequence[Lost]) -> list[dict[str, Any]]:
    """For each data set, ε and way: mean n·G lost, its standard error over repetitions, and the share of the gain."""
    rows = []
    for position in dict.fromkeys(task.data for task in tasks):
        of = [lost for task, lost in zip(tasks, measured, strict=True) if task.data == position]
        for epsilon, way in of[0]:
            pairs = np.array([lost[epsilon, way] for lost in of])
            data = BENCHMARK[position]
            rows.append(
                {
                    **{"data": data.name, "n": data.size, "features": data.domain.n_features},
                    **{"epsilon": str(epsilon), "way": way, "splits": 1 if way in ONE else 3, "runs": len(of)},
                    **{"lost": float(pairs[:, 0].mean()), "se": spread(pairs[:, 0])},
                    "share": float(pairs[:, 0].mean() / pairs[:, 1].mean()),
                }
            )
    return rows
