"""When a node is split no further: the noise of its counts, and a confident decision."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

from fdpedu.claims.checking import as_case, require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.exact import Rate
from fdpedu.mechanisms import discrete_laplace, discrete_laplace_pmf
from fdpedu.randomness import Rehearsal
from fdpedu.trees.stopping import Level, noise_deviation


def variance(alpha: Fraction, n_parties: int, n_noise_shares: int) -> None:
    """The variance of a cell's noise: K shares, m of which are a discrete Laplace number with Σ k²·Pr[k]."""
    one = sum(2 * k * k * float(discrete_laplace_pmf(k, alpha=alpha)) for k in range(1, 800))
    found = noise_deviation(Rate.of(alpha=alpha), n_parties, n_noise_shares) ** 2
    require(abs(found / (one * n_parties / n_noise_shares) - 1) < 1e-9, f"it is given as {found}, one number has {one}")


def stops(draws: int, seed: int = 0) -> None:
    """Of that many nodes with as many rows as are asked for, 2.5 to 8 % stop for few rows, at three rates of noise.

    A bound of level 95 % misses so. If a sum of 64 noises misses with a probability of 5 ± .5 %, then of 4,000 nodes or
    more a share outside has a probability below 10⁻⁸.
    """
    p, codes = 4, 8
    for rate, rows in product(("1/2", "1/10", "1/100"), (2, 10)):
        noise = discrete_laplace(np.zeros((draws, p * codes, 2), dtype=np.int64), rate, Rehearsal(seed))
        noise[:, ::codes] += np.array([rows // 2, rows - rows // 2])  # all rows in the first bin of every feature
        inside = np.ones((draws, p * codes), dtype=bool)
        level = Level(noise, inside, np.arange(p, dtype=np.int64) * codes, noise_deviation(Rate.of(epsilon=rate), 1, 1))
        few = level.bounds(level.totals().sum(axis=1), 2) < rows
        require(0.025 < few.mean() < 0.08, f"at rate {rate}, of nodes with {rows} rows {few.mean():.1%} stop")


CLAIMS = (
    Claim(
        "lem-confident-stopping",
        status="checked",
        code=("fdpedu.trees.stopping.confident", "fdpedu.trees.stopping.noise_deviation"),
        checks=(
            Check(
                "variance",
                "exact",
                "two α, K = 1, 5 and 100, m = 1 and 4: the variance of the distribution itself, summed",
                variance,
                lambda _: product((Fraction(1, 3), Fraction(9, 10)), (1, 5, 100), (1, 4)),
            ),
            Check(
                "stops",
                "statistical",
                "{size} nodes of just enough rows, at each of three rates and two numbers of rows: 2.5 to 8 % stop",
                stops,
                as_case,
                4_000,
                40_000,
                alpha=6e-8,
            ),
        ),
        assumptions=("a sum of 20 or more independent noises is close to normal",),
        uses=("thm-polya-shares",),
    ),
)

TWINS = (
    Broken(
        "the noise of one party",
        "fdpedu.trees.stopping.noise_deviation",
        "2 * n_parties / n_noise_shares",
        "2 / n_noise_shares",
        "The noise of a cell is what one party adds to it.",
        "lem-confident-stopping",
        "variance",
    ),
)
