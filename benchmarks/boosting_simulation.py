"""Boosting a second time, on rows in one place: what the package's rule is checked by, and taken apart.

It shares nothing with the package. What the rule says in units of 1/4096 is an integer here as well, so without noise
and on the same trees both give the same model. Noise is real-valued, of the variance that the shares of K parties have,
and rounded.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import comb, log1p, sqrt

import numpy as np

from benchmarks.boosting_pieces import (
    BOLD,
    LEAST_CURVATURE,
    MADE_UP,
    MOST,
    STEPS,
    TURN,
    UNIT,
    Array,
    Drawing,
    Levels,
    Public,
    Rule,
    apart,
    cells_of,
    clip,
    digit,
    made_up_rows,
    noise_of_interactions,
    products,
    shares_of,
)


def logistic_table(m: int) -> Array:
    """m·logistic(s) to the nearest integer, for s = −8, −8 + 1/64, …, 8."""
    return np.rint(m / (1 + np.exp(-np.arange(-512, 513) / 64))).astype(np.int64)


P64, P4096 = logistic_table(STEPS), logistic_table(UNIT)


def at(scores: Array) -> Array:
    """Where scores stand in the tables."""
    return np.clip((scores + 32) // 64, -512, 512) + 512


@dataclass
class Fit:
    """A model: trees with their weights in units of 1/4096, intercept and scale; and what each round has decided."""

    trees: list[tuple[Levels, Array]] = field(default_factory=list)
    intercept: int = 0
    scale: int = 16
    decided: list[dict[str, float]] = field(default_factory=list)

    def sums(self, codes: Array) -> Array:
        found = np.zeros(codes.shape[1], dtype=np.int64)
        for trees, weights in self.trees:
            for b in range(len(weights)):
                found += weights[b][trees.of(codes, b)]
        return found

    def scores(self, codes: Array) -> Array:
        return self.sums(codes) * self.scale // 16 + self.intercept


class Noise:
    """What is added to sums: of each kind of release a real number of the right variance, rounded; or nothing."""

    def __init__(self, rule: Rule, p: int, rng: np.random.Generator | None) -> None:
        self.rule, self.p, self.rng = rule, p, rng
        bound, pulls = STEPS // 2, rule.trees * (STEPS // 2) ** 2
        each = 0.84 / rule.rounds
        if rule.pure:  # by ℓ₁: Laplace noise of p, B·m/2 and m/2 + m/4
            norms = {"counts": p / 0.1, "pulls": rule.trees * bound / each, "last": (bound + STEPS // 4) / 0.03}
            self.scale = {kind: norm / rule.pure for kind, norm in norms.items()}
            self.deviation = {kind: sqrt(2 * rule.factor) * scale for kind, scale in self.scale.items()}
        else:
            squares = {"counts": p / 0.1, "pulls": pulls / each, "last": (bound**2 + (STEPS // 4) ** 2) / 0.03}
            self.deviation = {kind: sqrt(rule.factor * s / 2 / rule.rho) for kind, s in squares.items()}

    def on(self, exact: Array, kind: str) -> Array:
        if self.rng is None:
            return exact
        if not self.rule.pure:
            drawn = self.rng.normal(scale=self.deviation[kind], size=exact.shape)
        else:  # so many shares make it whole, and each party adds one
            parts = self.rng.gamma(self.rule.factor, self.scale[kind], size=(2, *exact.shape))
            drawn = parts[0] - parts[1]
        return exact + np.rint(drawn).astype(np.int64)


@dataclass
class Energy:
    """Of the rounds since the first quarter: interactions in released weights, and what noise alone would give."""

    signal: float = 0
    noise: float = 0
    degrees: int = 0
    pairs: int = 0
    rounds: int = 0

    def ratio(self, rule: Rule, p: int) -> int:
        """How far interactions stand out, in units of 1/4096."""
        if not self.rounds or p == 1 or not self.noise:
            return 0
        beyond = max(0.0, self.signal / self.noise - 1 - rule.doubt * sqrt(2 / self.degrees))
        scaled = rule.rounds * rule.trees * self.pairs / self.rounds / comb(p, 2) * beyond
        return int(min(np.rint(UNIT * scaled), 2**40))


Draw = Callable[[int], Levels]


class Growth:
    """Rounds of trees, from rows (p, n) and labels 0 or 1.

    ``draw`` gives the trees of a round, by their number of questions; ``deviation`` that of each kind of release, where
    noise is taken for that of others.
    """

    noise_of: Callable[..., Noise] = Noise

    def __init__(
        self,
        public: Public,
        rule: Rule,
        codes: Array,
        labels: Array,
        noise: np.random.Generator | None,
        coins: np.random.Generator | None = None,
        draw: Draw | None = None,
        deviation: dict[str, float] | None = None,
    ) -> None:
        self.public, self.rule, self.codes, self.labels = public, rule, codes, labels
        self.noise, self.fit = self.noise_of(rule, public.p, noise), Fit()
        self.deviation = deviation or self.noise.deviation
        cells = cells_of(public, rule.groups)
        exact = [np.bincount(cells[j][codes[j]], minlength=cells[j].max() + 1) for j in range(public.p)]
        self.released = [self.noise.on(one, "counts") for one in exact]
        self.shares = shares_of(public, self.released, rule, self.deviation["counts"] ** 2)
        self.draw = draw or Drawing(self.shares, rule, coins or np.random.default_rng(0))
        self.made_up = made_up_rows(self.shares, self.released)
        self.sums = np.zeros(len(labels), dtype=np.int64), np.zeros(MADE_UP, dtype=np.int64)
        self.step, self.before, self.energy = rule.step, None, Energy()
        self.every = [self.shares.of(j) for j in range(public.p)]

    def whole(self) -> Fit:
        """All rounds, the enlarging, and twice the intercept."""
        for t in range(self.rule.rounds):
            self.round(t)
        self.enlarge()
        for _ in range(2):
            self.intercept()
        return self.fit

    @property
    def early(self) -> int:
        return self.rule.rounds // 4

    def round(self, t: int) -> None:
        rule, p = self.rule, self.public.p
        ratio = self.energy.ratio(rule, p)
        k = rule.most_questions if ratio >= BOLD else rule.questions
        h = rule.curvature or (UNIT // 4 if t == 0 else self.curvature())
        trees = self.draw(k)
        sides = self.shares.sides(trees)
        mu = products(sides)
        leaves = np.array([trees.of(self.codes, b) for b in range(rule.trees)])
        pulled = self.noise.on(self.pulls(leaves, trees.leaves), "pulls")
        expected = self.public.size * (h / UNIT) * (mu + rule.penalty / trees.leaves)
        w = np.where(mu > 0, -pulled / STEPS / expected, 0.0)
        v = np.where(mu > 0, (self.deviation["pulls"] / STEPS / expected) ** 2, 0.0)
        mean, mains, w2 = apart(w, sides)
        self.guard(t, trees, mains)
        second = self.second_step(t, k, ratio)
        units = self.weights(trees, mains, w2, second)
        damping = 1 + 4 * rule.rounds * (mu**2 * v).sum(axis=1).mean() / rule.trees if rule.damped else 1.0
        self.fit.intercept += int(np.rint(UNIT * mean.mean() / damping))
        self.fit.intercept = int(clip(self.fit.intercept, -MOST, MOST))
        self.fit.trees.append((trees, units))
        for b in range(rule.trees):
            self.sums[0][:] += units[b].take(leaves[b])
            self.sums[1][:] += units[b][trees.of(self.made_up, b)]
        self.fit.decided.append({"questions": k, "curvature": h, "step": self.step, "second_step": second,
                                 "ratio": ratio, "intercept": self.fit.intercept})  # fmt: skip
        if t >= self.early and p > 1 and not rule.levels:
            e = self.energy
            e.signal += float((mu * w2**2).sum(axis=1).mean())
            e.noise += float(noise_of_interactions(v, sides).mean())
            e.degrees += rule.trees * (trees.leaves - 1 - k)
            e.pairs, e.rounds = e.pairs + comb(k, 2), e.rounds + 1

    def curvature(self) -> int:
        found = P4096[at(self.sums[1] + self.fit.intercept)]
        total, n = int((found * (UNIT - found)).sum()), MADE_UP
        return max(LEAST_CURVATURE, (2 * total + n * UNIT) // (2 * n * UNIT))

    def pulls(self, leaves: Array, n_leaves: int) -> Array:
        """Exact sums of clipped pulls, of each leaf of each tree."""
        pull = self.pull_of(self.sums[0] + self.fit.intercept).astype(np.float64)
        return np.array([np.rint(np.bincount(leaf, pull, n_leaves)).astype(np.int64) for leaf in leaves])

    def pull_of(self, scores: Array) -> Array:
        return np.clip(P64[at(scores)] - STEPS * self.labels, -STEPS // 2, STEPS // 2)

    def guard(self, t: int, trees: Levels, mains: Array) -> None:
        """Halve the step where the whole of the main effects turns against that of the round before."""
        found = []
        for j, n in enumerate(self.public.n_codes):
            mine = [mains[b, i][trees.level[b, i, :n]] for b, i in np.argwhere(trees.features == j)]
            found.append(np.mean(mine, axis=0) if mine else np.zeros(n))
        if self.before is not None and self.rule.guarded:
            products_of = [[(s * x * y).sum() for s, x, y in zip(self.every, a, b, strict=True)]
                           for a, b in ((found, self.before), (found, found), (self.before, self.before))]  # fmt: skip
            both, now, then = map(sum, products_of)
            cosine = both / sqrt(now * then) if now > 0 and then > 0 else 0.0
            if np.rint(UNIT * cosine) < TURN:
                self.step //= 2
        self.before = found

    def second_step(self, t: int, k: int, ratio: int) -> int:
        p = self.public.p
        small = self.step * (k - 1) / (p - 1) if p > 1 else 0.0
        bold = min(self.step, BOLD * log1p(ratio / UNIT)) if t >= self.early else 0.0
        return int(np.rint(max(small, bold)))

    def weights(self, trees: Levels, mains: Array, w2: Array, second: int) -> Array:
        rule, p, f = self.rule, self.public.p, trees.features.shape[1]
        first: Array = np.sum([mains[:, i, :][:, digit(f, trees.levels, i)] for i in range(f)], axis=0)
        one = max(1.0, rule.trees * f / p) if rule.covered else 1.0
        two = max(1.0, rule.trees * comb(f, 2) / comb(p, 2)) if rule.covered and p > 1 else 1.0
        if not rule.split:
            second, two = self.step, one
        scaled = self.step / UNIT * first / (rule.rounds * one) + second / UNIT * w2 / (rule.rounds * two)
        return np.clip(np.rint(UNIT * scaled), -MOST, MOST).astype(np.int64)

    def enlarge(self) -> None:
        spread = max(float(np.std(self.sums[1] + self.fit.intercept)) / UNIT, 1 / 4)
        self.fit.scale = int(clip(round(16 / spread), 16, 64))

    def intercept(self) -> None:
        scores = self.sums[0] * self.fit.scale // 16 + self.fit.intercept
        found = P64[at(scores)]
        exact = np.array([self.pull_of(scores).sum(), (found * (STEPS - found) // STEPS).sum()])
        pulled, curved = self.noise.on(exact, "last")
        step = -pulled / (max(curved, 0.02 * self.public.size * STEPS) + 2 * self.deviation["last"])
        moved = np.rint((self.fit.intercept / UNIT + clip(step, -2, 2)) * UNIT)
        self.fit.intercept = int(clip(moved, -MOST, MOST))
