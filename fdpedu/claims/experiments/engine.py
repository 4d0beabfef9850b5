"""What an evaluation may do otherwise than a release.

It may draw the noise of all parties at once, skip histograms that nobody asks for, and grow a tree only where rows are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import patched
from fdpedu.exact import Rate
from fdpedu.randomness import ZeroWords
from fdpedu.simulation import noise, saving
from fdpedu.sources.gubler import Faults, Sample, Setting, Variant, choosing, counting, draw_sample, grow_runs
from fdpedu.sources.gubler.budget import Budget

DEGREE = 12  # coefficients of generating functions that are compared
Look = Callable[[int], tuple[Fraction, Fraction]]
BOUNDS = (Fraction(-1), Fraction(1, 2), Fraction(1), Fraction(3, 2))
FAR = 5  # standard errors beyond which a difference is no chance
CLIPPED = Variant("clipped", Faults(), clip=True)
SETTING = Setting(5, 10, 2, 3, "0.3")


# --- the noise of a sum ---


def of_shape(shape: Fraction) -> list[Fraction]:
    """Coefficients of (1 − x)^−shape: what NB(shape, α) has, apart from powers of α and a constant.

    >>> [str(weight) for weight in of_shape(Fraction(1, 2))[:4]]
    ['1', '1/2', '3/8', '5/16']
    """
    weights = [Fraction(1)]
    for k in range(DEGREE):
        weights.append(weights[-1] * (shape + k) / (k + 1))
    return weights


def convolved(a: Sequence[Fraction], b: Sequence[Fraction]) -> list[Fraction]:
    """Coefficients of the product, up to the degree."""
    return [sum((a[i] * b[k - i] for i in range(k + 1)), Fraction(0)) for k in range(DEGREE + 1)]


def parties(most: int) -> Iterator[tuple[int, int]]:
    """All numbers of parties and of colluders among them."""
    return ((k, c) for k in range(1, most + 1) for c in range(k))


def sum_of_shares(n_parties: int, tolerate: int) -> None:
    """What the engine draws for a cell adds up to the noise, and has the generating function of all K shares."""
    rate, shapes = Rate.of(epsilon=1), list[Fraction]()

    def part(shape: Fraction, of: Rate) -> np.ndarray:
        shapes.append(shape)
        require(of is rate, f"a part of the noise has the rate {of}")
        return np.array([float(2 ** len(shapes))])

    parts = {
        "laplace_noise": lambda of, size, source: part(Fraction(1), of),
        "polya_share": lambda of, m, size, source: part(Fraction(1, m), of),
    }
    with patched("fdpedu.simulation.noise", **parts):
        total = noise.summed_noise(rate, n_parties, tolerate, 1, ZeroWords())
    require(total[0] == sum(2.0 ** (k + 1) for k in range(len(shapes))), "the parts do not add up to the noise")
    drawn = reduce(convolved, map(of_shape, shapes))
    shares = reduce(convolved, [of_shape(Fraction(1, n_parties - tolerate))] * n_parties)
    where = next((k for k in range(DEGREE + 1) if drawn[k] != shares[k]), None)
    require(where is None, f"the weights of {where} are {drawn[where or 0]} and, of all shares, {shares[where or 0]}")


def one_real_number(cells: int) -> None:
    """The trees of the figures: one difference of two exponential numbers for a cell, whatever number of parties."""
    first, second = np.arange(1.0, cells + 1, dtype=np.float64), np.full(cells, 0.25)
    drawn = iter([first, second])
    rng: Any = SimpleNamespace(standard_exponential=lambda shape: next(drawn).reshape(shape).copy())
    budget = Budget(1.0, Setting(5, 40, 3, 2, "0.3"), False, Faults(), rng)
    found = budget.noise(np.full(cells, 4.0), (cells, 1))
    require(np.array_equal(found[:, 0], 4 * (first - second)), f"noise of scale 4 is {found[:, 0].tolist()}")
    require(next(drawn, None) is None, "a cell has less than two exponential numbers")


# --- histograms that Algorithm 6 does not ask for ---
TABLES = (  # class × bin, and n·G of the only split; all thresholds are exact as floats
    (((4, 0), (0, 4)), Fraction(0)),
    (((3, 1), (1, 3)), Fraction(3, 2)),
    (((1, 1), (1, 1)), Fraction(1)),
    (((-2, 1), (4, 1)), Fraction(-7, 2)),
)


def asked_one_by_one(bounds: Sequence[Fraction], look: Look, own_totals: bool) -> list[int]:
    """Algorithm 6 as it is written: a histogram is looked at when its feature's turn has come and it is not removed."""
    removed, asked, best = set[int](), list[int](), None
    for j in sorted(range(len(bounds)), key=lambda j: (bounds[j], j)):
        if j in removed:
            continue
        asked.append(j)
        least, n = look(j)
        score = least if own_totals else least / n
        best = score if best is None else min(best, score)
        limit = best if own_totals else n * best
        removed |= {k for k, bound in enumerate(bounds) if bound > limit}
    return asked


def nodes_of(features: int) -> list[tuple[tuple[Fraction, ...], tuple[int, ...]]]:
    """All bounds and all tables of so many features."""
    tables = product(range(len(TABLES)), repeat=features)
    return list(product(product(BOUNDS, repeat=features), tables))


def those_before_the_first(features: int, own_totals: bool) -> None:
    """The features asked for are those of the procedure that looks at nothing else; mended, in both engines."""
    nodes = nodes_of(features)
    bounds = np.array([bounds for bounds, _ in nodes], dtype=float)
    counts = np.array([[TABLES[t][0] for t in tables] for _, tables in nodes], dtype=float)
    found = {"the figures": choosing.choose_and_remove(counts, bounds, Faults(own_totals=own_totals)).visited}
    if own_totals:
        best = np.array([[float(TABLES[t][1]) for t in tables] for _, tables in nodes])
        found["the simulation"] = saving.visited(bounds, best)
    for at, (own, tables) in enumerate(nodes):

        def look(j: int, tables: tuple[int, ...] = tables) -> tuple[Fraction, Fraction]:
            table, least = TABLES[tables[j]]
            return least, Fraction(sum(map(sum, table)))

        asked = asked_one_by_one(own, look, own_totals)
        for where, visited in found.items():
            those = np.flatnonzero(visited[at]).tolist()
            here = f"bounds {[str(b) for b in own]}, tables {tables}"
            require(those == sorted(asked), f"{here}: {where} ask for {those}, one by one {sorted(asked)}")


def labels_of_whole(sample: Sample, setting: Setting, epsilon: float, rng: np.random.Generator) -> np.ndarray:
    """Algorithm 5 on clipped counts, with every node grown, whether a row is in it or not: labels of the test rows."""
    budget = Budget(epsilon, setting, False, CLIPPED.faults, rng)
    ranges, p = counting.public_ranges(1, setting.p), setting.p
    codes, tests = (counting.bins_of(X, *ranges, strict=False) for X in (sample.X, sample.X_test))
    labels = np.full(len(tests), -1)

    def grow(rows: np.ndarray, test: np.ndarray, depth: int) -> None:
        here = np.zeros(len(rows), dtype=np.int64)
        if depth < setting.max_depth:
            counts = counting.histograms(codes[rows], sample.y[rows], here, 1)
            counts = np.maximum(counts + budget.noise(p / np.array([budget.node]), counts.shape), 0)
            chosen = choosing.choose_split(counts, CLIPPED.faults)
            stopped = choosing.stops(counts.sum(axis=3), chosen.visited, CLIPPED.faults, saving=False)
            if chosen.found[0] and not stopped[0]:
                sides = [part[:, chosen.feature[0]] <= chosen.border[0] for part in (codes[rows], tests[test])]
                grow(rows[sides[0]], test[sides[1]], depth + 1)
                return grow(rows[~sides[0]], test[~sides[1]], depth + 1)
        counts = counting.class_counts(sample.y[rows], here, 1)
        noise = budget.noise(1 / np.array([budget.leaf]), counts.shape)
        labels[test] = choosing.leaf_labels(counts + noise, CLIPPED.faults)

    grow(np.arange(len(sample.y), dtype=np.int64), np.arange(len(tests), dtype=np.int64), 0)
    return labels


def same_law(epsilon: str, runs: int) -> None:
    """Correct test rows, their squares, and rows in regions without training rows: the means agree, two-sided."""
    sample = draw_sample(SETTING, CLIPPED.faults, np.random.default_rng(8))
    far = sample._replace(X_test=np.full((2, 2), 3.9), y_test=np.array([0, 0]))  # where hardly a row is
    for seed, rows in enumerate((sample, far)):
        rng = np.random.default_rng([seed, 1])
        whole = [int((labels_of_whole(rows, SETTING, float(epsilon), rng) == rows.y_test).sum()) for _ in range(runs)]
        rng = np.random.default_rng([seed, 2])
        grown = grow_runs([rows] * runs, SETTING, CLIPPED, saving=False, epsilon=epsilon, rng=rng).correct
        for power in (1, 2):
            a, b = np.array(whole) ** power, grown**power
            error = np.sqrt((a.var(ddof=1) + b.var(ddof=1)) / runs)
            apart = (a.mean() - b.mean()) / error
            require(abs(apart) < FAR, f"means of correct rows{'²' * (power - 1)} are {apart:.1f} errors apart")


NOT_RELEASED = "no privacy: nothing is released"

CLAIMS = (
    Claim(
        "lem-summed-noise",
        status="proved+checked",
        code=("fdpedu.sources.gubler.budget.Budget.noise",),
        checks=(
            Check(
                "shares added up",
                "exact",
                "up to {size} parties, all numbers of colluders: what simulation.noise.summed_noise draws for a cell "
                "has the generating function of all shares, to degree 12",
                sum_of_shares,
                parties,
                6,
                12,
            ),
            Check(
                "one number",
                "exact",
                "{size} cells of real-valued noise: each is one difference of two exponential numbers",
                one_real_number,
                lambda cells: [(cells,)],
                5,
                100,
            ),
        ),
        assumptions=(NOT_RELEASED, "shares of the parties independent of each other"),
        uses=("thm-polya-shares", "lem-laplace-divisible"),
    ),
    Claim(
        "lem-unvisited",
        status="proved+checked",
        code=("fdpedu.sources.gubler.choosing.choose_and_remove",),
        checks=(
            Check(
                "one by one",
                "exhaustive",
                "up to {size} features, each with one of four bounds and one of four tables: the figures' code as "
                "printed and mended, the simulation's mended, beside a procedure that looks at no other histogram",
                those_before_the_first,
                lambda most: product(range(1, most + 1), (False, True)),
                3,
                4,
            ),
        ),
        assumptions=(NOT_RELEASED, "noise of different features independent", "features in the order of their bounds"),
    ),
    Claim(
        "lem-lazy-expansion",
        status="proved+checked",
        code=("fdpedu.sources.gubler.growing.grow_runs",),
        checks=(
            Check(
                "grown whole",
                "statistical",
                "ε = 2 and 8, {size} trees of each kind on ten rows: means of correct test rows and of their squares "
                "agree within five standard errors",
                same_law,
                lambda runs: [("2", runs), ("8", runs)],
                300,
                3000,
                alpha=1e-5,
            ),
        ),
        assumptions=(
            "no privacy: nothing is released",
            "fresh noise at each node; no estimates that add up over the tree",
            "real-valued noise",
        ),
    ),
)

TWINS = (
    Broken(
        "a K-th of the noise from each colluder",
        "fdpedu.simulation.noise.summed_noise",
        "polya_share(rate, honest, size, source)",
        "polya_share(rate, n_parties, size, source)",
        "There are K parties, so the share of each is a K-th of the noise.",
        "lem-summed-noise",
        "shares added up",
    ),
    Broken(
        "the best of histograms that nobody asked for",
        "fdpedu.sources.gubler.choosing.choose_and_remove",
        "asked = bounds[every, j] <= limit",
        "asked = bounds[every, j] <= np.minimum(limit, scores.min(axis=1))",
        "All histograms are drawn anyway, so the best of them all may say which features are worth asking for.",
        "lem-unvisited",
        "one by one",
    ),
    Broken(
        "a leaf without records needs no noise",
        "fdpedu.sources.gubler.growing._Forest._finish",
        "right = labels[",
        "labels = np.where(counts.any(axis=1), labels, 0); right = labels[",
        "Where there is no training row, there is nothing to hide, so the label may be the first class.",
        "lem-lazy-expansion",
        "grown whole",
    ),
)
