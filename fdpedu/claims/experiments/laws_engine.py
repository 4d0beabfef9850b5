"""Checks of chapter 10: noise drawn at once for all parties, and histograms that are drawn and not looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.replay import patched
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Rate
from fdpedu.experiments import Faults, Setting, choosing
from fdpedu.experiments.budget import Budget
from fdpedu.randomness import ZeroWords
from fdpedu.simulation import noise
from fdpedu.simulation.methods import Parameters, plan_of
from fdpedu.simulation.saving import Saving

DEGREE = 12  # coefficients of generating functions that are compared
Look = Callable[[int], tuple[Fraction, Fraction]]

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
    first, second = np.arange(1.0, cells + 1), np.full(cells, 0.25)
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
BOUNDS = (Fraction(-1), Fraction(1, 2), Fraction(1), Fraction(3, 2))


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
    """In both engines the features asked for are those of the procedure that looks at nothing else."""
    nodes = nodes_of(features)
    bounds = np.array([bounds for bounds, _ in nodes], dtype=float)
    counts = np.array([[TABLES[t][0] for t in tables] for _, tables in nodes], dtype=float)
    figures = choosing.choose_and_remove(counts, bounds, Faults(own_totals=own_totals)).visited
    engine = visited_by_the_engine(nodes, bounds, own_totals=own_totals)
    for at, (own, tables) in enumerate(nodes):

        def look(j: int, tables: tuple[int, ...] = tables) -> tuple[Fraction, Fraction]:
            table, least = TABLES[tables[j]]
            return least, Fraction(sum(map(sum, table)))

        asked = asked_one_by_one(own, look, own_totals)
        for visited, where in ((figures, "the figures"), (engine, "the simulation")):
            found = np.flatnonzero(visited[at]).tolist()
            told = (
                f"bounds {[str(b) for b in own]}, tables {tables}: {where} ask for {found}, one by one {sorted(asked)}"
            )
            require(found == sorted(asked), told)


def visited_by_the_engine(nodes: Sequence[Any], bounds: np.ndarray, *, own_totals: bool) -> np.ndarray:
    """The same from :mod:`fdpedu.simulation`."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 2, 2) for j in range(bounds.shape[1])], (0, 1))
    plan: Any = plan_of("algorithm-6" if own_totals else "algorithm-6-as-printed", domain, 1, Fraction(1), Parameters())
    best = np.array([[float(TABLES[t][1]) for t in tables] for _, tables in nodes])
    n = np.array([[float(sum(map(sum, TABLES[t][0]))) for t in tables] for _, tables in nodes])
    rank = np.argsort(np.argsort(bounds, axis=1, kind="stable"), axis=1)
    sides: Any = SimpleNamespace(best=best, n_left=n[None])
    return np.asarray(Saving.visited(plan, bounds, rank, sides))
