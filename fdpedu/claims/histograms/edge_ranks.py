"""How far the ranks of private edges are from those that were asked for."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate, product
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import all_tables
from fdpedu.claims.records import Check, Claim
from fdpedu.histograms import prefix_error, quantile_edges


def ranks(counts: tuple[int, ...], noise: tuple[int, ...], bins: int) -> None:
    """If no prefix is off by more than B, each target i/b has an edge within 2(1 + i/b)B of the best that there is."""
    true = list(accumulate(counts, initial=0))
    largest = max(map(abs, accumulate(noise)))
    edges = quantile_edges([c + z for c, z in zip(counts, noise, strict=True)], range(len(counts) + 1), bins)
    for share in (Fraction(i, bins) for i in range(1, bins)):
        best, found = (
            min(abs(true[int(k)] - share * true[-1]) for k in places) for places in (range(1, len(counts)), edges[1:-1])
        )
        require(best <= max(counts), f"no inner edge is nearer than {best} to a share of {share}")
        allowed = best + 2 * (1 + share) * largest
        require(found <= allowed, f"the nearest of {edges} to {share} misses by {found} records, more than {allowed}")


def small_noise(most: int) -> Iterator[tuple[Any, ...]]:
    """All counts up to 3 of three fine bins and up to 1 of four, noise within ±``most`` in each, up to 4 bins."""
    for cells, highest in ((3, 3), (4, 1)):
        errors = product(range(-most, most + 1), repeat=cells)
        yield from product(all_tables(cells, highest), errors, range(2, 5))


def prefix_noise(cells: int, failure: Fraction, shares: int) -> None:
    """Pr[some prefix is off by more than B] ≤ β, exactly, for α = 1/2; and a fifth of B would not do.

    69/100 is less than ln 2, so B is stated for slightly more noise than there is. With K parties of which K − 1 are
    tolerated, K shares of full size are in each cell.
    """
    bound = prefix_error("69/100", cells, failure, n_parties=shares, tolerate=shares - 1)
    outside = _leaves(cells, shares, bound)
    require(outside <= failure, f"a prefix is off by more than {bound} with probability {float(outside):.4f}")
    fifth = _leaves(cells, shares, bound // 5)
    require(fifth > failure, f"{bound // 5} would do, with probability {float(fifth):.4f} of more")


def _leaves(cells: int, shares: int, bound: int) -> Fraction:
    """The probability that a walk of so many steps leaves [−bound, bound]; a step is the sum of ``shares`` draws.

    A draw is discrete Laplace, α = 1/2: Pr[z] = 2^−|z|/3. All is counted in units of one longest walk, as integers. In
    the midst of a step the walk may be anywhere, but what is far beyond the bound is cut; it counts as outside.
    """
    reach = bound + (40 if shares > 1 else 0)
    width = range(-reach, reach + 1)
    unit = 2 * reach
    step = {z: 1 << (unit - abs(z)) for z in range(-unit, unit + 1)}  # in units of 1/(3·2^unit)
    walk = {0: 1}
    for _ in range(cells):
        for _ in range(shares):
            walk = {k: sum(mass * step[k - at] for at, mass in walk.items()) for k in width}
        walk = {k: mass for k, mass in walk.items() if abs(k) <= bound}
    return 1 - Fraction(sum(walk.values()), (3 << unit) ** (cells * shares))


CLAIMS = (
    Claim(
        "lem-edge-ranks",
        status="proved+checked",
        code=(
            "fdpedu.histograms.edges",
            "fdpedu.histograms.edges.quantile_edges",
            "fdpedu.histograms.edges.quantile_places",
            "fdpedu.histograms.edges.prefix_error",
        ),
        checks=(
            Check(
                "ranks",
                "exhaustive",
                "three and four fine bins, small counts, noise up to {size} in each cell, 2 to 4 bins",
                ranks,
                small_noise,
                1,
                2,
                more=lambda draw: draw.lists(draw.tuples(draw.integers(0, 30), draw.integers(-20, 20)), 2, 12).flatmap(
                    lambda cells: draw.integers(2, 9).map(lambda bins: (*zip(*cells, strict=True), bins))
                ),
            ),
            Check(
                "prefixes",
                "exact",
                "up to {size} cells, one share of noise and two in each: the probability that a prefix is beyond B is "
                "at most β, and that of a fifth of B is not",
                prefix_noise,
                lambda most: product((1, 2, 5, most), (Fraction(1, 2), Fraction(1, 20), Fraction(1, 1000)), (1, 2)),
                12,
                16,
                more=[(3, Fraction(1, 10), 3)],
            ),
        ),
        assumptions=("integers", "the shares of noise are independent"),
        uses=("thm-tolerate",),
    ),
)

TWINS = (
    Broken(
        "one share of noise",
        "fdpedu.histograms.edges.prefix_error",
        "Fraction(parties, honest) * ",
        "",
        "The noise in a cell is one discrete Laplace number, however many colluders it withstands.",
        "lem-edge-ranks",
        "prefixes",
    ),
    Broken(
        "the first edge that reaches its share",
        "fdpedu.histograms.edges._places",
        "abs(bins * rising[k] - i * rising[-1])",
        "(bins * rising[k] < i * rising[-1]) * len(totals) + k",
        "The quantile is the first edge at which the share is reached, on a coarse grid, too.",
        "lem-edge-ranks",
        "ranks",
    ),
)
