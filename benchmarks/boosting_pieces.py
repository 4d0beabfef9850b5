"""Boosting a second time: rules, shares of codes, trees, and the orders of their weights, in NumPy alone.

Trees of a round are arrays: of each of the f factors of a tree the feature, and the level 0 … l−1 of each code. A tree
that asks k features has k factors of two levels, one of a curve a single factor of L levels. :class:`Rule` has what can
be changed to see what it is worth. :mod:`benchmarks.boosting_simulation` grows a model of it; no line is the package's.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
UNIT, STEPS, ALL = 4096, 64, 2**30
MADE_UP, LEAST_CURVATURE, MOST = 2000, 328, 2**20
DOUBT, BOLD, TURN = 4.0, 5 * UNIT, -1638


class Levels(NamedTuple):
    """Some trees: the feature of each factor (B, f), the level of each code (B, f, 256), and the number of levels."""

    features: Array
    level: Array
    levels: int

    @property
    def leaves(self) -> int:
        return int(self.levels ** self.features.shape[1])

    def of(self, codes: Array, tree: int) -> Array:
        """The leaf of each row in one tree; ``codes`` are (p, n)."""
        found = np.zeros(codes.shape[1], dtype=np.uint8)
        for feature, level in zip(self.features[tree], self.level[tree], strict=True):
            found *= np.uint8(self.levels)
            found += level.take(codes[feature])
        return found


@dataclass(frozen=True)
class Public:
    """N, and for each feature the number of its codes, whether they are ordered, whether the last says "missing"."""

    size: int
    n_codes: tuple[int, ...]
    ordered: tuple[bool, ...]
    missing: tuple[bool, ...]

    @property
    def p(self) -> int:
        return len(self.n_codes)


@dataclass(frozen=True)
class Rule:
    """What is fixed before the first release. ``step`` is M in units of 1/4096."""

    rho: float
    nu: float
    rounds: int
    trees: int
    questions: int
    most_questions: int
    levels: int  # of a curve; 0 for trees
    step: int
    groups: int
    quantiles: int
    pure: float = 0  # ε, of a budget in ε
    factor: float = 1.25  # K/(K − c), by which variances are larger
    # what can be changed
    guarded: bool = True
    split: bool = True  # a step of its own for interactions
    covered: bool = True
    damped: bool = True
    curvature: int = 0  # in place of h
    penalty: float = 1.0
    estimate: str = "both"
    doubt: float = DOUBT


def clip(x: float, low: float, high: float) -> float:
    return max(low, min(high, x))


def rule_of(public: Public, rho: float, form: str = "trees", *, pure: float = 0) -> Rule:
    """The rule for public numbers; in ε with the ρ by which its steps are chosen."""
    p, nu = public.p, public.size * sqrt(rho) / public.p
    common: dict[str, Any] = {"rho": rho, "nu": nu, "pure": pure, "groups": 2 ** int(clip(round(log2(nu)), 5, 8))}
    quantiles, few, some = int(clip(4 * 2 ** clip(round(log2(nu) / 2), 1, 4), 8, 64)), min(p, 3), min(p, 5)
    if form == "curves":
        levels = 2 ** int(max(clip(round(log2(nu) / 2 - 1), 1, 4), 2 if nu > 5 else 1))
        shape, step = (36, min(p, 113), 1, 1, levels), clip(nu / 16, 0.35, 8)
    elif pure:
        shape, step = (8, 6, some, some, 0), clip(nu / 30, 0.35, 4)
    else:
        shape, step = (36, 25, few, some, 0), clip(nu / 4, 0.35, 30)
    named = dict(zip(("rounds", "trees", "questions", "most_questions", "levels"), shape, strict=True))
    return Rule(**common, **named, step=int(step * UNIT), quantiles=quantiles)


def cells_of(public: Public, groups: int) -> list[Array]:
    """For each feature the cell of each of its codes."""
    found = []
    for n, ordered, missing in zip(public.n_codes, public.ordered, public.missing, strict=True):
        bins = n - missing
        g = min(bins, groups) if ordered else bins
        found.append(np.append(np.arange(bins) * g // bins, np.full(int(missing), g)))
    return found


def onto_simplex(counts: Array, total: float) -> Array:
    """The nearest to ``counts`` among what is nowhere below 0 and adds up to ``total``."""
    ordered = np.sort(counts)[::-1]
    taken = (np.cumsum(ordered) - total) / np.arange(1, len(counts) + 1)
    return np.maximum(counts - taken[np.flatnonzero(ordered > taken)[-1]], 0.0)


def dyadic(counts: Array, codes: Array, total: float, variance: float, *, missing: bool) -> Array:
    """Halves of halves, each difference shrunk by what it would be without data and without noise."""
    found = np.zeros(len(counts))

    def divide(a: int, e: int, t: float, first: int | None = None) -> None:
        if e - a == 1:
            found[a] = t
            return
        at = a + (e - a) // 2 if first is None else first
        left, right = counts[a:at].sum(), counts[at:e].sum()
        n_left, n_right = codes[a:at].sum(), codes[at:e].sum()
        expected, prior = t * (n_left - n_right) / (n_left + n_right), t * t / 3
        weight = prior / (prior + (e - a) * variance) if prior else 0.0
        d = clip(expected + (left - right - expected) * weight, -t, t)
        divide(a, at, (t + d) / 2)
        divide(at, e, (t - d) / 2)

    divide(0, len(counts), total, len(counts) - 1 if missing else None)
    return found


def shrunk(counts: Array, total: float, variance: float) -> Array:
    """Categories: towards equal counts, by how much they differ beyond their noise."""
    beyond = max(float(counts.var()) - variance, 0.0)
    weight = beyond / (beyond + variance) if beyond else 0.0
    return onto_simplex(total / len(counts) + (counts - counts.mean()) * weight, total)


@dataclass(frozen=True)
class Shares:
    """Of each feature the share of its codes, added up, in units of 2⁻³⁰."""

    public: Public
    cumulated: tuple[Array, ...]

    def of(self, feature: int) -> Array:
        return np.diff(self.cumulated[feature], prepend=0) / ALL

    def cuts(self, feature: int, quantiles: int) -> list[int]:
        """The codes at which a number is cut."""
        bins = self.public.n_codes[feature] - self.public.missing[feature]
        within = [int(x) for x in self.cumulated[feature][:bins]]
        parts = range(1, quantiles)
        found = {next(c for c in range(bins) if quantiles * (within[c] + 1) >= i * within[-1]) for i in parts}
        found -= {bins - 1}
        return sorted(found) if found and within[-1] else list(range(bins - 1))

    def sides(self, trees: Levels) -> Array:
        """The share of the rows at each level of each factor, (B, f, l)."""
        found = np.zeros((*trees.features.shape, trees.levels))
        units = [np.diff(one, prepend=0) for one in self.cumulated]
        for b, row in enumerate(trees.features):
            for i, feature in enumerate(row):
                level = trees.level[b, i, : self.public.n_codes[feature]]
                found[b, i] = np.bincount(level, units[feature], trees.levels) / ALL
        return found


def shares_of(public: Public, released: Sequence[Array], rule: Rule, variance: float) -> Shares:
    """From the released cells, in the way that the rule names: both estimates, or one, or none."""
    lengths = np.array([len(counts) for counts in released])
    rows = max(1.0, float(sum(c.sum() / n for c, n in zip(released, lengths, strict=True)) / (1 / lengths).sum()))
    cumulated = []
    for j, (counts, cells) in enumerate(zip(released, cells_of(public, rule.groups), strict=True)):
        codes = np.bincount(cells)
        if rule.estimate == "clipped":
            kept = np.maximum(counts, 0).astype(float)
            estimate = kept if kept.any() else np.ones(len(kept))
        else:
            smooth = (
                dyadic(counts, codes, rows, variance, missing=public.missing[j])
                if public.ordered[j]
                else shrunk(counts, rows, variance)
            )
            estimate = {"dyadic": smooth, "simplex": onto_simplex(counts, rows)}.get(
                rule.estimate, (smooth + onto_simplex(counts, rows)) / 2
            )
        each = (estimate / codes)[cells]
        whole = np.rint(np.cumsum(each / each.sum()) * ALL).astype(np.int64)
        whole[-1] = ALL
        cumulated.append(whole)
    return Shares(public, tuple(cumulated))


def made_up_rows(shares: Shares, released: Sequence[Array]) -> Array:
    """2000 rows, each feature by itself, from a stream that the released counts seed."""
    seed = b"fdpedu made-up rows\0" + np.concatenate(list(released)).astype("<i8").tobytes()
    words = np.frombuffer(hashlib.shake_256(seed).digest(8 * MADE_UP * shares.public.p), dtype="<u8")
    drawn = (words >> np.uint64(34)).astype(np.int64).reshape(shares.public.p, MADE_UP)
    return np.array([np.searchsorted(c, w, side="right") for c, w in zip(shares.cumulated, drawn, strict=True)])


class Drawing:
    """Trees by public coins: features one after the other, none twice in a tree."""

    def __init__(self, shares: Shares, rule: Rule, rng: np.random.Generator) -> None:
        self.shares, self.rule, self.rng, self.queue = shares, rule, rng, list[int]()
        ordered = np.flatnonzero(shares.public.ordered)
        self.cuts = {feature: shares.cuts(feature, rule.quantiles) for feature in ordered.tolist()}

    def __call__(self, questions: int) -> Levels:
        """As many trees as a round has."""
        n, f = self.rule.trees, 1 if self.rule.levels else questions
        features, level = np.zeros((n, f), dtype=int), np.zeros((n, f, 256), dtype=np.uint8)
        for b in range(n):
            for i in range(f):
                features[b, i] = self.next_without(set(features[b, :i].tolist()))
                one = self.curve(features[b, i]) if self.rule.levels else self.question(features[b, i])
                level[b, i, : len(one)] = one
        return Levels(features, level, self.rule.levels or 2)

    def next_without(self, asked: set[int]) -> int:
        if not set(self.queue) - asked:
            self.queue += self.rng.permutation(self.shares.public.p).tolist()
        at = next(i for i, feature in enumerate(self.queue) if feature not in asked)
        return self.queue.pop(at)

    def question(self, feature: int) -> Array:
        public, n = self.shares.public, self.shares.public.n_codes[feature]
        right = np.ones(n, dtype=np.uint8)
        if not public.ordered[feature]:
            right[self.rng.permutation(n)[: max(1, n // 2)]] = 0
            return right
        right[: self.rng.choice(self.cuts[feature]) + 1] = 0
        if public.missing[feature] and self.rng.integers(2):
            right[-1] = 0
        return right

    def curve(self, feature: int) -> Array:
        public, n, many = self.shares.public, self.shares.public.n_codes[feature], self.rule.levels
        if not public.ordered[feature]:
            found = np.zeros(n, dtype=np.uint8)
            found[self.rng.permutation(n)] = np.arange(n) * min(many, n) // n
            return found
        gap = public.missing[feature]
        chosen = np.sort(self.rng.permutation(self.cuts[feature])[: many - 1 - (gap and many > 2)])
        found = np.searchsorted(chosen, np.arange(n), side="left").astype(np.uint8)
        if gap:
            found[-1] = many - 1 if many > 2 else self.rng.integers(2)
        return found


def products(sides: Array) -> Array:
    """The share of each leaf, if features are independent: (B, L)."""
    found = np.ones((len(sides), 1))
    for i in range(sides.shape[1]):
        found = (found[:, :, None] * sides[:, i, None, :]).reshape(len(sides), -1)
    return found


def digit(f: int, levels: int, i: int) -> Array:
    """The level of each leaf at factor i."""
    return np.arange(levels**f) // levels ** (f - 1 - i) % levels


def apart(w: Array, sides: Array) -> tuple[Array, Array, Array]:
    """Mean w₀ (B,), main effects (B, f, l), and what is left w₂ (B, L), under the product of the shares."""
    mu, (_, f, levels) = products(sides), sides.shape
    mean, mains = (mu * w).sum(axis=1), np.zeros(sides.shape)
    left = w - mean[:, None]
    for i in range(f):
        which = digit(f, levels, i)
        for level in range(levels):
            inside = which == level
            weight = mu[:, inside].sum(axis=1)
            sums = (mu[:, inside] * w[:, inside]).sum(axis=1)
            mains[:, i, level] = np.where(weight > 0, sums / np.where(weight > 0, weight, 1) - mean, 0.0)
        left = left - mains[:, i, :][:, which]
    return mean, mains, np.where(mu > 0, left, 0.0)


def noise_of_interactions(v: Array, sides: Array) -> Array:
    """What Σ μ·w₂² is in expectation where w is noise alone, of the variance v: (B,)."""
    mu, (_, f, levels) = products(sides), sides.shape
    kept = 1 - mu
    for i in range(f):
        own = sides[:, i, :][:, digit(f, levels, i)]
        others = [sides[:, j, :][:, digit(f, levels, j)] for j in range(f) if j != i]
        kept = kept - (1 - own) * np.prod(others, axis=0)
    return np.asarray((mu * v * kept).sum(axis=1))
