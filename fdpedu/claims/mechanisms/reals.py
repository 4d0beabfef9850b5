"""Laplace noise over the reals, what floats make of it, and its distribution on a public grid."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from fdpedu.claims.checking import as_case, require
from fdpedu.claims.frequencies import require_uniform
from fdpedu.claims.mechanisms.discrete_laplace import Given
from fdpedu.claims.mechanisms.words import nothing_repeats, rates_are_divided, values_do_not_matter, words_are_own
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import intersects, require_joint_law, require_law
from fdpedu.exact import Enclosure, Rational, exp_enclosure, occurrences
from fdpedu.mechanisms import laplace, laplace_logpdf, numpy_laplace_value, reachable, snapped_laplace
from fdpedu.mechanisms.reals import snapped_laplace_pmf
from fdpedu.randomness import Rehearsal

_ROUNDING = 1e-12
HALF = Fraction(1, 2)


def on_a_grid(value: Fraction, epsilon: Fraction, sensitivity: int, words: int) -> None:
    """Two calls for a number on the grid of the integers."""
    given: Given = {"grid": 1, "sensitivity": sensitivity}
    require_joint_law(
        lambda tape: [int(snapped_laplace(value, epsilon, tape, **given)) for _ in range(2)],
        [lambda k: snapped_laplace_pmf(k, value, epsilon, **given)] * 2,
        words,
        slack=Fraction(3, 4),
    )


def log_densities(epsilon: float, a: int, b: int, x: int) -> None:
    """With Δ = 2: the loss at x is at most ε|a − b|/2, is that beyond a, and the density at 0 is ε/4."""
    loss = float(
        laplace_logpdf(float(x - a), epsilon, sensitivity=2) - laplace_logpdf(float(x - b), epsilon, sensitivity=2)
    )
    most, beyond = epsilon * abs(a - b) / 2, x <= a if a < b else x >= a
    require(loss <= most + _ROUNDING, f"the loss is {loss}, more than {most}")
    require(not beyond or abs(loss - most) <= _ROUNDING, f"the loss is {loss}, expected is {most}")
    peak = math.exp(float(laplace_logpdf(0.0, epsilon, sensitivity=2)))
    require(abs(peak - epsilon / 4) <= _ROUNDING, f"the density at 0 is {peak}")


def outputs(most: int) -> Iterator[tuple[float, int, int, int]]:
    """Three ε, and all values and outputs up to ``most``."""
    return product((0.25, 1.0, 2.0), range(most + 1), range(most + 1), range(-most, most + 1))


def cells(draws: int) -> None:
    """Draws with ε = 1/2 and Δ = 3, so b = 6, lie in each of 16 cells of equal probability equally often."""
    drawn = laplace(np.full(draws, 5.0), "1/2", Rehearsal(7), sensitivity=3)
    eighths = -6 * np.log(np.arange(1, 8, dtype=np.int64) / 8)  # where |y| has the tails 1/8, …, 7/8
    edges = 5 + np.concatenate([-np.sort(eighths)[::-1], [0.0], np.sort(eighths)])
    require_uniform(occurrences(np.searchsorted(edges, drawn), 16), alpha=1e-9)


def both_can_give(numerator: int, parts: int) -> None:
    """What the value 0 gives for a uniform number, the value 1 can give for another one."""
    output = numpy_laplace_value(0.0, 1.0, numerator / parts)
    require(reachable(output, 0.0, 1.0), f"the output {output!r} is not even found for the value 0")
    require(reachable(output, 1.0, 1.0), f"the output {output!r} can come from the value 0, and never from 1")


def some_largest_is_shared(most: int) -> None:
    """For some ε = 2^k with k from −47 on, the largest output of the value 1 can come from the value 0 too."""
    for k in range(-47, most + 1):
        scale = 2.0**-k
        output = numpy_laplace_value(1.0, scale, 1 - 2.0**-53)
        require(reachable(output, 1.0, scale), f"for ε = 2^{k} the output {output!r} is not even found for the value 1")
        if reachable(output, 0.0, scale):
            return
    require(False, f"for all ε = 2^−47, …, 2^{most} the largest output of the value 1 can never come from 0")


def most_are_shared(value: float, other: float, outputs: int) -> None:
    """Of many outputs for one value at least half can come from the other value too, as far as chance can tell."""
    words = Rehearsal(11).words(outputs) >> np.uint64(11)
    shared = sum(reachable(numpy_laplace_value(value, 1.0, int(j) * 2.0**-53), other, 1.0) for j in words)
    margin = math.sqrt(math.log(1e9) * outputs / 2)  # by Hoeffding's inequality, for false alarms of 10⁻⁹
    require(shared >= outputs / 2 - margin, f"of {outputs} outputs only {shared} can come from the other value too")


def snapped_law(value: Fraction, epsilon: Fraction, grid: Fraction, steps: int) -> None:
    """With Δ = 2: each probability is that of its interval under Laplace noise; with both tails they are 1."""
    centre = round(value / grid)
    masses = {}
    for k in range(centre - steps, centre + steps + 1):
        mass = snapped_laplace_pmf(k, value, epsilon, grid=grid, sensitivity=2)
        low, high = ((x * grid - value) * epsilon / 2 for x in (k - HALF, k + HALF))
        require(
            intersects(mass, _below(high) - _below(low)), f"Pr[{k}·grid] is {mass}, not {_below(high) - _below(low)}"
        )
        require(intersects(mass, _stated(k, value, epsilon / 2, grid)), f"Pr[{k}·grid] is {mass}, not as stated")
        require(
            0 < mass.lower and mass.upper - mass.lower < Fraction(1, 10**20), f"Pr[{k}·grid] is known as {mass} only"
        )
        masses[k] = mass
    left, right = ((x * grid - value) * epsilon / 2 for x in (min(masses) - HALF, max(masses) + HALF))
    require(
        1 in Enclosure.sum(masses.values()) + _below(left) + (1 - _below(right)), "the probabilities do not add up to 1"
    )


def on_and_off_the_grid(steps: int) -> Iterator[tuple[Fraction, Fraction, Fraction, int]]:
    """Five values, two ε, two grids."""
    values = (Fraction(x) for x in ("0", "1/4", "1/2", "-7/10", "10/3"))
    return product(values, (Fraction(1), Fraction(2, 3)), (Fraction(1), HALF), [steps])


def _below(x: Fraction) -> Enclosure:
    """The distribution function of Laplace noise of scale 1."""
    half = HALF * exp_enclosure(-abs(x))
    return half if x <= 0 else 1 - half


def _stated(k: int, value: Fraction, rate: Fraction, grid: Fraction) -> Enclosure:
    """The formula of the claim, with rate = 1/b."""
    up, down = (exp_enclosure(sign * rate * grid / 2) for sign in (1, -1))
    centre, rest = round(value / grid), value - round(value / grid) * grid
    if k == centre:
        return 1 - down * HALF * (exp_enclosure(rate * rest) + exp_enclosure(-rate * rest))
    return HALF * (up - down) * exp_enclosure(-rate * abs(k * grid - value))


def snapped_ratios(a: Fraction, b: Fraction, epsilon: Fraction, grid: Fraction) -> None:
    """With Δ = 1: no probability under a exceeds e^(ε|a − b|) times that under b, as far as enclosures can tell."""
    factor = exp_enclosure(epsilon * abs(a - b))
    for k in range(math.floor(min(a, b) / grid) - 2, math.ceil(max(a, b) / grid) + 3):
        p, q = (snapped_laplace_pmf(k, value, epsilon, grid=grid) for value in (a, b))
        require(p.lower <= (factor * q).upper, f"Pr[{k}·grid] is {p} against {q}, and e^(ε|a − b|) is {factor}")


def quarters(most: int) -> Iterator[tuple[Fraction, Fraction, Fraction, Fraction]]:
    """All pairs of values in steps of 1/4 up to ``most``, ε = 1, two grids."""
    values = [Fraction(i, 4) for i in range(-4 * most, 4 * most + 1)]
    return product(values, values, (Fraction(1),), (HALF, Fraction(1)))


def snapped_sampler(value: Rational, epsilon: Rational, grid: Fraction, sensitivity: int, words: int) -> None:
    """The shipped sampler has the law of the pmf."""
    parameters: dict[str, Rational] = {"grid": grid, "sensitivity": sensitivity}
    require_law(
        lambda tape: int(snapped_laplace(value, epsilon, tape, **parameters) / grid),
        lambda k: snapped_laplace_pmf(k, value, epsilon, **parameters),
        words,
    )


def grids(words: int) -> Iterator[tuple[Fraction, Fraction, Fraction, int, int]]:
    """Values on and off three grids, with three ε."""
    yield Fraction(0), Fraction(1), Fraction(2), 1, words
    yield Fraction(1, 3), Fraction(2), Fraction(1), 2, words
    yield Fraction(-3, 4), Fraction(3), HALF, 1, words


LAPLACE = (
    words_are_own("laplace"),
    nothing_repeats("laplace"),
    rates_are_divided("laplace"),
)


SNAPPED_LAPLACE = (
    Check(
        "two calls",
        "exact",
        "two calls, Δ = 2, over all tapes of {size} 3-bit words: the product of their distributions",
        on_a_grid,
        lambda words: [(Fraction(1, 3), Fraction(3), 2, words)],
        3,
        4,
    ),
    rates_are_divided("on a grid"),
    values_do_not_matter("on a grid"),
)


IDEAL = "ideal real numbers, which no program has"
CALLER = r"neighbours: those for which $\Delta$ was computed"

CLAIMS = (
    Claim(
        "thm-laplace",
        status="proved+checked",
        code=("fdpedu.mechanisms.reals", "fdpedu.mechanisms.reals.laplace"),
        checks=(
            Check(
                "log-densities",
                "exhaustive",
                "all values and outputs up to {size}, ε = 1/4, 1, 2: the loss is at most ε|a − b|/Δ, and attains it",
                log_densities,
                outputs,
                4,
                12,
            ),
            Check(
                "scale",
                "statistical",
                "chi-square of {size} rehearsed draws in 16 cells of equal probability, two-sided, ε = 1/2, Δ = 3",
                cells,
                as_case,
                40_000,
                1_000_000,
                alpha=1e-9,
            ),
            *LAPLACE,
        ),
        assumptions=(CALLER, IDEAL, "an outsider, who sees the outputs"),
        uses=("def-dp", "def-sensitivity"),
    ),
    Claim(
        "float-laplace-as-coded",
        status="refuted as stated",
        code=("fdpedu.mechanisms.reals", "fdpedu.mechanisms.reals.reachable"),
        checks=(
            Check(
                "reachable doubles",
                "exact",
                "values 0 and 1, ε = 1, outputs of the uniform numbers 1/{size}, 2/{size}, …: can both give them?",
                both_can_give,
                lambda parts: ((numerator, parts) for numerator in range(1, parts)),
                16,
                64,
            ),
            Check(
                "largest output",
                "exact",
                "values 0 and 1, ε = 2^k for k from −47 to {size}: can 0 give the largest output of 1, for any k?",
                some_largest_is_shared,
                as_case,
                20,
                200,
            ),
            Check(
                "most outputs",
                "statistical",
                "values 0 and 1, ε = 1, {size} rehearsed outputs of each: can both give at least half of them?",
                most_are_shared,
                lambda outputs: [(0.0, 1.0, outputs), (1.0, 0.0, outputs)],
                400,
                4000,
                alpha=1e-9,
            ),
        ),
        assumptions=("double precision", "NumPy's formula, bit for bit"),
        uses=("lem-atoms",),
        corrected_by="thm-discrete-laplace",
    ),
    Claim(
        "thm-snapped-laplace",
        status="proved+checked",
        code=("fdpedu.mechanisms.reals", "fdpedu.mechanisms.reals.snapped_laplace"),
        checks=(
            Check(
                "law",
                "exact",
                "values on and off the grid: the pmf is that of rounded Laplace noise, and adds up, {size} steps "
                "each way",
                snapped_law,
                on_and_off_the_grid,
                5,
                20,
            ),
            Check(
                "replayed law",
                "exact",
                "the shipped sampler over all tapes of {size} 4-bit words",
                snapped_sampler,
                grids,
                3,
                4,
            ),
            Check(
                "inequality",
                "exhaustive",
                "values in steps of 1/4 up to {size}, two grids: all ratios are at most e^(ε|a − b|/Δ)",
                snapped_ratios,
                quarters,
                1,
                3,
            ),
            *SNAPPED_LAPLACE,
        ),
        assumptions=(CALLER, "the value is read as a rational number; rounding before that is the caller's"),
        uses=("thm-laplace", "thm-post-processing", "thm-alias-table"),
    ),
)

TWINS = (
    Broken(
        "rate for scale",
        "fdpedu.mechanisms.reals._scale",
        'as_positive_fraction(sensitivity, "sensitivity") / as_positive_fraction(epsilon, "epsilon")',
        'as_positive_fraction(epsilon, "epsilon") / as_positive_fraction(sensitivity, "sensitivity")',
        "The parameter of a Laplace distribution is ε/Δ, as it stands in the exponent.",
        "thm-laplace",
        "scale",
    ),
    Broken(
        "near enough",
        "fdpedu.mechanisms.reals.reachable",
        "_numpy_value(where, spread, j * _UNIT) == seen",
        "abs(_numpy_value(where, spread, j * _UNIT) - seen) < 1e-9",
        "Nobody looks at the last digits.",
        "float-laplace-as-coded",
        "reachable doubles",
    ),
    Broken(
        "snapped downwards",
        "fdpedu.mechanisms.reals._snapping",
        "round(number / step)",
        "math.floor(number / step)",
        "The nearest grid point is the one below.",
        "thm-snapped-laplace",
        "law",
    ),
    Broken(
        "one word for all real numbers",
        "fdpedu.mechanisms.reals.laplace",
        "as_source(rng).words(values.size)",
        "np.repeat(as_source(rng).words(1), values.size)",
        "A vector is one query, so it needs one noise.",
        "thm-laplace",
        "own words",
    ),
)
