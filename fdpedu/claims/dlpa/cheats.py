"""Parties that add no noise, or send what they like; and a test by cells that are known to be zero."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.dlpa.cycles import coefficient_by_product
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import enumerate_law
from fdpedu.dlpa.cheating import zero_cells_test
from fdpedu.dlpa.shares import count_noise_shares
from fdpedu.exact import Rate
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.privacy import max_ratio
from fdpedu.sampling import negative_binomial

Table = dict[int, Fraction]


def sum_of(one: Table, other: Table) -> Table:
    """The law of the sum of two independent integers."""
    total: Table = defaultdict(Fraction)
    for (a, p), (b, q) in product(one.items(), other.items()):
        total[a + b] += p * q
    return dict(total)


def left_of_the_noise(n: int, tolerate: int, bits: int) -> None:
    """Over all words: what the shares of h = 1, …, n parties add up to is NB(h/(n − tolerate), α)."""
    alpha, m = Fraction(1, 8), count_noise_shares(n, tolerate)
    one, rest = enumerate_law(lambda tape: int(negative_binomial(Rate.of(alpha=alpha), m, 1, tape)[0]), bits, 1)
    total: Table = {0: Fraction(1)}
    for honest in range(1, n + 1):
        total = sum_of(total, one)
        undecided = 1 - (1 - rest) ** honest
        require(undecided < Fraction(1, 10), f"a share of {undecided} is undecided")
        for k, mass in total.items():
            weight = coefficient_by_product(k, Fraction(honest, m)) * alpha**k
            require(total[0] * weight <= mass + undecided, f"Pr[{k}] of {honest} is at most {float(mass + undecided)}")
            require(mass <= (total[0] + undecided) * weight, f"Pr[{k}] of {honest} is at least {float(mass):.5f}")


def cheated_groups(bits: int) -> Iterator[tuple[int, int, int]]:
    """Two or three parties, up to one tolerated."""
    return ((n, t, bits) for n in (2, 3) for t in (0, 1))


def whatever_is_sent(alpha: Fraction, step: int, sent: Table) -> None:
    """A number that does not depend on the record, added to the honest parties' sum, leaves the ratio at e^{ε·step}.

    The honest sum is cut off at ±9, where all that lies beyond is gathered: that only makes it less telling.
    """
    laws = [_gathered(alpha, centre) for centre in (0, step)]
    before, after = max_ratio(*laws), max_ratio(*(sum_of(law, sent) for law in laws))
    require(before == alpha**-step, f"the honest sum has the ratio {before}, not {alpha**-step}")
    require(after <= before, f"what is released has the ratio {after}, the honest sum only {before}")


def _gathered(alpha: Fraction, centre: int, most: int = 9) -> Table:
    law = {k: Fraction(discrete_laplace_pmf(k - centre, alpha=alpha)) for k in range(-most + 1, most)}  # type: ignore[arg-type]
    law[most] = alpha ** (most - centre) / (1 + alpha)
    law[-most] = alpha ** (most + centre) / (1 + alpha)
    return law


def whatever(draw: ModuleType) -> Any:
    """A strategy: α, one step or two, and a law on three numbers that cheats may send."""
    numbers = draw.tuples(draw.integers(-9, -1), draw.integers(0, 1), draw.integers(2, 9))
    sent = draw.tuples(numbers, draw.laws).map(lambda pair: {pair[0][k]: mass for k, mass in pair[1].items()})
    return draw.tuples(draw.alphas, draw.integers(1, 2), sent)


def known_zeros(alpha: Fraction, n: int, tolerate: int, silent: int, cells: int, level: Fraction) -> None:
    """The test's numbers are those of exact sums up to 10⁻⁹, and its threshold is the largest that keeps the level."""
    found = zero_cells_test(alpha=alpha, n_parties=n, tolerate=tolerate, silent=silent, cells=cells, level=level)
    m = n - tolerate
    honest, less = (_squares(alpha, Fraction(shares, m), cells) for shares in (n, n - silent))

    def alarm(law: Table, threshold: int) -> float:
        return sum(float(mass) for square, mass in law.items() if square <= threshold)

    require(abs(found.false_alarm - alarm(honest, found.threshold)) < 1e-9, f"false alarms: {found}")
    require(abs(found.power - alarm(less, found.threshold)) < 1e-9, f"power: {found}")
    following = min(square for square in honest if square > found.threshold)
    require(found.false_alarm <= level < alarm(honest, following), f"another threshold keeps the level: {found}")


def _squares(alpha: Fraction, shape: Fraction, cells: int) -> Table:
    """The law of Σ z² over the cells, in integers; one cell's is cut off at 27."""
    unit = 10**25
    weights = [int(coefficient_by_product(k, shape) * alpha**k * unit) for k in range(40)]
    cell: dict[int, int] = {}
    for d in range(28):
        mass = sum(a * b for a, b in zip(weights, weights[d:], strict=False)) // unit
        cell[d * d] = mass * (1 + (d > 0))
    total = {0: 1}
    for _ in range(cells):
        following: dict[int, int] = defaultdict(int)
        for (a, p), (b, q) in product(total.items(), cell.items()):
            following[a + b] += p * q
        total = following
    whole = sum(total.values())
    return {square: Fraction(mass, whole) for square, mass in total.items() if mass}


def zero_cells(most: int) -> Iterator[tuple[Fraction, int, int, int, int, Fraction]]:
    """α = 1/3 and 1/5, two to five parties, one or all silent, one to so many cells, two levels."""
    groups = [(2, 0, 1), (3, 1, 1), (5, 1, 5), (4, 2, 2)]
    return (
        (alpha, *group, cells, level)
        for cells in range(1, most + 1)
        for alpha in (Fraction(1, 3), Fraction(1, 5))
        for group in groups
        for level in (Fraction(2, 5), Fraction(1, 20))
    )


CLAIMS = (
    Claim(
        "thm-cheats",
        status="proved+checked",
        code=("fdpedu.dlpa.cheating", "fdpedu.dlpa.cheating.zero_cells_test"),
        checks=(
            Check(
                "what is left",
                "exact",
                "one share over all words of {size} bits, convolved over the honest, two or three parties: the stated "
                "shape",
                left_of_the_noise,
                cheated_groups,
                11,
                13,
                more=[(3, 2, 11)],
            ),
            Check(
                "whatever is sent",
                "property",
                "{size} random distributions on three numbers: the ratio of neighbours after the cheats' number is "
                "added",
                whatever_is_sent,
                whatever,
                25,
                1000,
            ),
            Check(
                "known zeros",
                "exact",
                "one to {size} cells, two to five parties: threshold, false alarms and power against exact sums",
                known_zeros,
                zero_cells,
                3,
                4,
                more=[
                    (Fraction(1, 4), 6, 2, 1, 2, Fraction(1, 10)),
                    (Fraction(1, 4), 6, 2, 2, 1, Fraction(1, 10)),
                    (Fraction(1, 5), 12, 11, 6, 2, Fraction(1, 10)),
                ],
            ),
        ),
        assumptions=(
            "integers; every sampler exact",
            "who cheats and who tells the aggregator of it are counted in c'",
        ),
        uses=("thm-polya-shares", "thm-tolerate"),
    ),
)

TWINS = (
    Broken(
        "a noise of shape one",
        "fdpedu.dlpa.cheating.zero_cells_test",
        "Fraction(shares, m), count) for shares",
        "Fraction(shares, n_parties), count) for shares",
        "All shares together are one noise.",
        "thm-cheats",
        "known zeros",
    ),
    Broken(
        "one value above the level",
        "fdpedu.dlpa.cheating.zero_cells_test",
        'side="right")) - 1',
        'side="right"))',
        "The alarm begins where the level is reached.",
        "thm-cheats",
        "known zeros",
    ),
    Broken(
        "cells of one sign",
        "fdpedu.dlpa.cheating._difference_law",
        "law[1:] *= 2",
        "law[1:] *= 1",
        "Noise of size k has the probability of k.",
        "thm-cheats",
        "known zeros",
    ),
)
