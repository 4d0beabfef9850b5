"""Noisy counts: intervals for the true count, and a formula as it is printed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from fdpedu.claims.checking import require
from fdpedu.claims.mechanisms.discrete_laplace import lower_mass
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import bounds, intersects
from fdpedu.exact import Enclosure, exp_enclosure
from fdpedu.mechanisms import count_interval, discrete_laplace_tail
from fdpedu.sources.vos import equation_4_as_printed

TENTHS = tuple(Fraction(i, 10) for i in range(1, 10))
CONFIDENCES = tuple(Fraction(c) for c in ("1/10", "1/2", "2/3", "0.8", "0.9", "0.95", "0.99", "0.999"))


def interval(alpha: Fraction, confidence: Fraction, simultaneous: int) -> None:
    """The half-width is the smallest with what is claimed, and the coverage exact, by adding up the pmf."""
    miss, inside, t = (1 - confidence) / simultaneous, lower_mass(0, alpha), 0
    while 1 - inside > miss:
        t += 1
        inside += lower_mass(t, alpha) + lower_mass(-t, alpha)
    found = count_interval(7, alpha=alpha, confidence=confidence, simultaneous=simultaneous)
    require((found.low, found.high) == (7 - t, 7 + t), f"the interval is {found.low} to {found.high}, needed is ±{t}")
    require(
        found.coverage == inside == 1 - bounds(discrete_laplace_tail(t, alpha=alpha))[0],
        "the coverage is not the pmf's",
    )


def interval_in_epsilon(epsilon: Fraction, confidence: Fraction, simultaneous: int, sensitivity: int) -> None:
    """With ε given: the tail is small enough at t, and too large at t − 1."""
    miss, rate = (1 - confidence) / simultaneous, epsilon / sensitivity
    found = count_interval(7, epsilon, confidence=confidence, simultaneous=simultaneous, sensitivity=sensitivity)
    alpha, t = exp_enclosure(-rate), found.half_width

    def tail(k: int) -> Enclosure:
        return 2 * exp_enclosure(-rate * (k + 1)) / (1 + alpha)

    require((found.low, found.high) == (7 - t, 7 + t), f"the interval is {found.low} to {found.high}, not 7 ± {t}")
    require(tail(t).upper <= miss, f"Pr[|noise| > {t}] is {tail(t)}, more than {miss}")
    require(t == 0 or tail(t - 1).lower > miss, f"{t - 1} is wide enough")
    require(
        intersects(discrete_laplace_tail(t, epsilon, sensitivity=sensitivity), tail(t)),
        "the shipped tail is another one",
    )


def epsilons(most: int) -> Iterator[tuple[Fraction, Fraction, int, int]]:
    """Five ε, all confidences, 1 to ``most`` counts at once, sensitivity 2."""
    five = (Fraction(x) for x in ("1/100", "1/10", "1/2", "1", "5"))
    return product(five, CONFIDENCES, range(1, most + 1), [2])


def printed_loss(epsilon: Fraction) -> None:
    """Noise 0 and noise 1, one record apart, are within a factor e^ε."""
    zero, one = (equation_4_as_printed(k, epsilon) for k in (0, 1))
    allowed = exp_enclosure(epsilon).upper
    require(zero <= allowed * one, f"Pr[0]/Pr[1] is {zero / one}, and e^ε is {float(allowed):.4f}")


def printed_law(epsilon: int) -> None:
    """Probabilities are positive."""
    printed = [equation_4_as_printed(k, epsilon) for k in range(4)]
    require(all(p > 0 for p in printed), f"the “probabilities” of 0, 1, 2, 3 are {', '.join(map(str, printed))}")


CLAIMS = (
    Claim(
        "lem-count-interval",
        status="proved+checked",
        code=("fdpedu.mechanisms.counts", "fdpedu.mechanisms.counts.count_interval"),
        checks=(
            Check(
                "smallest",
                "exhaustive",
                "α = 1/10 to 9/10, eight confidences, 1 to {size} counts at once, by adding up the pmf",
                interval,
                lambda most: product(TENTHS, CONFIDENCES, range(1, most + 1)),
                3,
                12,
            ),
            Check(
                "in ε",
                "exact",
                "ε from 1/100 to 5: the enclosed tail is small enough at t, and too large at t − 1; {size} counts",
                interval_in_epsilon,
                epsilons,
                2,
                20,
                more=lambda draw: draw.tuples(draw.budgets, draw.shares, draw.integers(1, 9), draw.integers(1, 5)),
            ),
        ),
        assumptions=("the probability is that of the noise; the true count is a fixed number", "integers"),
        uses=("thm-discrete-laplace",),
    ),
    Claim(
        "vos-equation-4-as-printed",
        status="refuted as stated",
        code=("fdpedu.sources.vos.printed.equation_4_as_printed",),
        checks=(
            Check(
                "loss",
                "exact",
                "ε = 1/2, 1/3, … 1/{size}: whether Pr[0] is at most e^ε·Pr[1]",
                printed_loss,
                lambda most: ((Fraction(1, n),) for n in range(2, most + 1)),
                9,
                99,
            ),
            Check(
                "budgets of 1 and more",
                "exact",
                "ε = 1, 2, … {size}: whether all probabilities are positive",
                printed_law,
                lambda most: ((n,) for n in range(1, most + 1)),
                3,
                9,
            ),
        ),
        assumptions=("sensitivity 1",),
        uses=("lem-atoms",),
        corrected_by="thm-discrete-laplace",
    ),
)

TWINS = (
    Broken(
        "one tail",
        "fdpedu.mechanisms.counts.count_interval",
        "_half_width(rate, miss)",
        "_half_width(rate, 2 * miss)",
        "Noise is symmetric, so one side is enough.",
        "lem-count-interval",
        "smallest",
    ),
    Broken(
        "many counts at once",
        "fdpedu.mechanisms.counts.count_interval",
        ' / as_integer(simultaneous, "simultaneous", minimum=1)',
        "",
        "If each interval holds 95 %, so do all of them.",
        "lem-count-interval",
        "smallest",
    ),
)
