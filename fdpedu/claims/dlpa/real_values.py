"""Real-valued shares, what rounding after the noise does to them, and rounding before it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.dependence import ALPHA
from fdpedu.claims.dlpa.cycles import coefficient_by_product
from fdpedu.claims.dlpa.shares import own_sources
from fdpedu.claims.mechanisms.words import require_moments
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.dlpa.gamma import gamma_shares, underflow_probability
from fdpedu.dlpa.lattice import lattice_sensitivity, on_lattice
from fdpedu.dlpa.real_noise import rounded_sum_loss
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.randomness import Rehearsal

Series = list[Fraction]


def product_of(one: Series, other: Series) -> Series:
    """The product of two power series, cut off where the first ends."""
    return [sum((one[i] * other[n - i] for i in range(n + 1)), Fraction(0)) for n in range(len(one))]


def laplace_series(m: int, most: int) -> None:
    """((1 − z)(1 + z))^{−1/m}, to the m-th power, is 1 + z² + z⁴ + …: the moments of m shares are those of Laplace.

    With z = ibt the first is the characteristic function of a share, the last that of Laplace noise of scale b.
    """
    gamma = [coefficient_by_product(n, Fraction(1, m)) for n in range(most + 1)]
    share = product_of(gamma, [(-1) ** n * c for n, c in enumerate(gamma)])
    total = [Fraction(n == 0) for n in range(most + 1)]
    for _ in range(m):
        total = product_of(total, share)
    require(total == [Fraction(n % 2 == 0) for n in range(most + 1)], f"the series of {m} shares is {total}")


def gamma_variance(scale: Fraction, n_parties: int, tolerate: int, draws: int) -> None:
    """Any K − c shares have the variance 2b², those of all K/(K − c) times as much; and the mean of |sum| is b."""
    drawn = gamma_shares(n_parties, scale, draws, Rehearsal(29), tolerate=tolerate) / float(scale)
    honest = n_parties - tolerate
    require_moments(drawn[tolerate:].sum(axis=0), 2.0, 1)
    require_moments(drawn.sum(axis=0), 2.0 * n_parties / honest, n_parties / honest)
    size = float(np.abs(drawn[:honest].sum(axis=0)).mean())
    require(abs(size - 1) <= 7 / math.sqrt(draws), f"the mean of |sum| is {size:.4g} scales, and 1 is promised")


def gamma_divisions(draws: int) -> Iterator[tuple[Fraction, int, int, int]]:
    """Scales 1/4 to 1000, 1 to 14 parties, up to two tolerated."""
    yield Fraction(2), 1, 0, draws
    yield Fraction(3), 2, 0, draws
    yield Fraction(1, 4), 5, 1, draws
    yield Fraction(1000), 14, 2, draws


def gamma_words(seed: int) -> None:
    """Each number of a share is made of words of its own, from its party's source."""
    own_sources(lambda source: gamma_shares(3, 2, 4, source, tolerate=1), seed)


def underflows(n_parties: int, draws: int) -> None:
    """Shares that are exactly 0 are as frequent as they should be: both gamma numbers are, within 7 standard errors."""
    drawn, p = gamma_shares(n_parties, 1, draws, Rehearsal(31)), underflow_probability(n_parties) ** 2
    found, spread = float((drawn == 0).mean()), math.sqrt(p * (1 - p) / drawn.size)
    require(abs(found - p) <= 7 * spread, f"{found:.5f} of all shares are 0, expected is {p:.5f} ± {spread:.1g}")


def incomplete_gamma(n_parties: int) -> None:
    """The formula is the regularised incomplete gamma function at the smallest float, taken to half of it."""
    from scipy.special import gammainc

    expected = float(gammainc(1 / n_parties, 2.0**-1074)) * 0.5 ** (1 / n_parties)
    found = underflow_probability(n_parties)
    require(abs(found - expected) <= 1e-11 * expected, f"it is {found!r}, expected {expected!r}")


def loss_within(value: Fraction, other: Fraction, k: int, epsilon: Fraction) -> None:
    """Where one party's value grows by 1, the sum of rounded noisy values loses at most ε."""
    loss = rounded_sum_loss(k, [value, other], [value + 1, other], epsilon)
    require(loss.upper <= epsilon, f"the loss at the sum {k} is {float(loss.lower):.6f}, more than {epsilon}")


def offsets(parts: int) -> Iterator[tuple[Fraction, Fraction, int, Fraction]]:
    """Values that are multiples of 1/parts, integers first; sums near them."""
    fractions = [Fraction(i, parts) for i in range(parts)]
    pairs = sorted(product(fractions, repeat=2), key=lambda pair: (sum(v != 0 for v in pair), pair))
    return ((one, other, k, Fraction(1)) for one, other in pairs for k in (0, 1, -1))


def floors(value: Fraction, lattice: int) -> None:
    """The lattice's value is the next one below: 0 ≤ F − z/L < 1/L."""
    (z,) = on_lattice([value], lattice).tolist()
    error = value - Fraction(z, lattice)
    require(0 <= error < Fraction(1, lattice), f"{value} becomes {z}/{lattice}, which is off by {error}")


def moves(sensitivity: Fraction, lattice: int, parts: int) -> None:
    """Of all pairs of multiples of 1/parts within Δ of each other, none is more than ⌈LΔ⌉ apart; some pair is so far.

    ``parts`` is a multiple of the denominators of 1/L and of Δ; with one step more than that all residues occur.
    """
    stated = lattice_sensitivity(sensitivity, lattice)
    values = [Fraction(i, parts) for i in range(math.ceil(parts * (sensitivity + 1)) + 1)]
    z = on_lattice(values, lattice).tolist()
    reach = math.floor(sensitivity * parts)
    most = max(abs(b - a) for i, a in enumerate(z) for b in z[i : i + reach + 1])
    require(most <= stated, f"a value moves by {most}, stated are {stated}")
    require(most == stated, f"no value moves by more than {most}, stated are {stated}")
    if (lattice * sensitivity).denominator == 1:
        require(stated == lattice * sensitivity, f"stated are {stated}, and L·Δ is {lattice * sensitivity}")


def movements(most: int) -> Iterator[tuple[Fraction, int, int]]:
    """Δ of 1, 1/2, 1/4, 5/4 and 2/3, lattices from 1."""
    for lattice, delta in product(range(1, most + 1), map(Fraction, ("1", "1/2", "1/4", "5/4", "2/3"))):
        yield delta, lattice, 2 * math.lcm(lattice, delta.denominator)


def lattice_ratio(sensitivity: Fraction, lattice: int, beta: Fraction) -> None:
    """With α = β the noise of neighbours on the lattice has a ratio of at most β^{−⌈LΔ⌉} = e^ε, which occurs."""
    step = lattice_sensitivity(sensitivity, lattice)
    z = on_lattice([0, sensitivity], lattice).tolist()
    laws = [[discrete_laplace_pmf(k - centre, alpha=beta) for k in range(-9, 10)] for centre in z]
    ratios = [a / b for a, b in zip(*laws, strict=True)]
    require(max(ratios) <= beta**-step, f"the ratio is {max(ratios)}, more than {beta**-step}")
    if (lattice * sensitivity).denominator == 1:
        require(max(ratios) == beta**-step, f"the ratio is {max(ratios)} only, not {beta**-step}")


REALS = "ideal reals; the floats that stand for them carry no guarantee"

CLAIMS = (
    Claim(
        "lem-laplace-divisible",
        status="proved+checked",
        code=("fdpedu.dlpa.gamma", "fdpedu.dlpa.gamma.gamma_shares"),
        checks=(
            Check(
                "series",
                "exact",
                "the characteristic functions of 1 to 12 shares and of their sum, as power series to z^{size}",
                laplace_series,
                lambda most: product(range(1, 13), [most]),
                16,
                40,
            ),
            Check(
                "variance",
                "statistical",
                "1 to 14 parties, scales 1/4 to 1000, {size} rehearsed cells: mean square and mean size of K − c "
                "shares, and of all",
                gamma_variance,
                gamma_divisions,
                10_000,
                400_000,
                alpha=ALPHA,
            ),
            Check(
                "own words",
                "exact",
                "{size} tapes of 64-bit words, altered half by half: each number has words of its own, from its "
                "party's source",
                gamma_words,
                lambda seeds: [(seed,) for seed in range(seeds)],
                1,
                20,
            ),
        ),
        assumptions=(REALS, "parties are honest but curious"),
    ),
    Claim(
        "lem-gamma-underflow",
        status="proved+checked",
        code=("fdpedu.dlpa.gamma.underflow_probability",),
        checks=(
            Check(
                "incomplete gamma",
                "exact",
                "1 to {size} parties, against SciPy's function, to eleven digits",
                incomplete_gamma,
                lambda most: ((n,) for n in (1, 2, 3, 5, 20, 100, 200, 500, most)),
                10_000,
                1_000_000,
            ),
            Check(
                "zeros",
                "statistical",
                "how many of {size} rehearsed shares of each of 200, 500 and 1,000 parties are exactly 0",
                underflows,
                lambda draws: product((200, 500, 1000), [draws]),
                40,
                2000,
                alpha=ALPHA,
            ),
        ),
    ),
    Claim(
        "rounding-after-the-noise",
        status="refuted as stated",
        code=("fdpedu.dlpa.real_noise", *(f"fdpedu.dlpa.real_noise.rounded_sum_{name}" for name in ("pmf", "loss"))),
        checks=(
            Check(
                "loss",
                "exact",
                "two parties, ε = 1, values that are multiples of 1/{size}, integers first: enclosures of the loss "
                "at the sums 0, 1, −1",
                loss_within,
                offsets,
                5,
                10,
            ),
        ),
        assumptions=("two parties; ideal reals until they are rounded",),
        corrected_by="thm-lattice-first",
    ),
    Claim(
        "thm-lattice-first",
        status="proved+checked",
        code=("fdpedu.dlpa.lattice", "fdpedu.dlpa.lattice.on_lattice", "fdpedu.dlpa.lattice.lattice_sensitivity"),
        checks=(
            Check(
                "lower bound",
                "exact",
                "multiples of 1/24 from −2 to 2, lattices to {size}: not above the value, and less than 1/L below",
                floors,
                lambda most: product([Fraction(i, 24) for i in range(-48, 49)], range(1, most + 1)),
                12,
                60,
            ),
            Check(
                "sensitivity",
                "exhaustive",
                "five Δ, lattices to {size}, all pairs of values on a finer lattice: by how much they move at most",
                moves,
                movements,
                10,
                24,
            ),
            Check(
                "ratio",
                "exact",
                "three Δ, lattices to {size}, three rational e^{{ε/⌈LΔ⌉}}: the largest ratio of two neighbours' "
                "distributions",
                lattice_ratio,
                lambda most: product(
                    map(Fraction, ("1", "5/4", "2")), range(1, most + 1), map(Fraction, ("1/2", "2/3", "9/10"))
                ),
                4,
                9,
            ),
        ),
        assumptions=("integers after the rounding", "parties are honest but curious", "the caller answers for Δ"),
        uses=("thm-polya-shares", "thm-discrete-laplace"),
    ),
)

TWINS = (
    Broken(
        "shape K",
        "fdpedu.dlpa.gamma.gamma_shares",
        "1 / count_noise_shares(n_parties, tolerate)",
        "count_noise_shares(n_parties, tolerate)",
        "K parties, so the shape is K.",
        "lem-laplace-divisible",
        "variance",
    ),
    Broken(
        "a rate for a scale",
        "fdpedu.dlpa.gamma.gamma_shares",
        "_share(shape, spread, size, source)",
        "_share(shape, 1 / spread, size, source)",
        "The report's Gamma(1/K, ε) is NumPy's gamma(1/K, ε).",
        "lem-laplace-divisible",
        "variance",
    ),
    Broken(
        "one gamma number",
        "fdpedu.dlpa.gamma._share",
        "scale * _gamma(shape, size, source) - scale * _gamma(shape, size, source)",
        "(drawn := scale * _gamma(shape, size, source)) - drawn.mean()",
        "Only the mean has to be taken off a gamma number.",
        "lem-laplace-divisible",
        "variance",
    ),
    Broken(
        "rounded to the nearest",
        "fdpedu.dlpa.lattice.on_lattice",
        "m * number.numerator // number.denominator",
        "round(m * number)",
        "The nearest point of the lattice is the best one.",
        "thm-lattice-first",
        "lower bound",
    ),
    Broken(
        "sensitivity before the lattice",
        "fdpedu.dlpa.lattice.lattice_sensitivity",
        '_lattice(lattice) * as_positive_fraction(sensitivity, "sensitivity")',
        'as_positive_fraction(sensitivity, "sensitivity")',
        "Rounding does not change what a record can do.",
        "thm-lattice-first",
        "sensitivity",
    ),
    Broken(
        "lattice sensitivity rounded down",
        "fdpedu.dlpa.lattice.lattice_sensitivity",
        "math.ceil(",
        "math.floor(",
        "Data that are rounded down move by less.",
        "thm-lattice-first",
        "sensitivity",
    ),
    Broken(
        "the smallest float is not reached by rounding",
        "fdpedu.dlpa.gamma.underflow_probability",
        "(_SMALLEST_BITS + 1)",
        "_SMALLEST_BITS",
        "A number below the smallest float is 0.",
        "lem-gamma-underflow",
        "incomplete gamma",
    ),
)
