"""The noise that insiders leave, and what one of them gains from a release."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.dlpa.cycles import coefficient_by_product
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import enumerate_law
from fdpedu.dlpa import insider_epsilon, negative_binomial
from fdpedu.dlpa.remainder import Remainder
from fdpedu.exact import Enclosure, Rate, ceil_shift, exp_enclosure, log_enclosure

BITS = 200


def insider_loss(epsilon: Fraction, n: int, colluders: int) -> None:
    """ln(Pr[0]/Pr[1]) of the remaining noise, by exact sums at two rational α around e^{−ε}; no loss is larger."""
    alpha, tau = exp_enclosure(-epsilon, 12), Fraction(n - colluders, n)
    ends = [Fraction(round(end * 10**6) + step, 10**6) for end, step in ((alpha.lower, -1), (alpha.upper, 1))]
    low, high = [], []
    for end in ends:
        pmf = _difference(tau, end)
        losses = [Enclosure(a.lower / b.upper, a.upper / b.lower) for a, b in pairwise(pmf)]
        require(all(loss.upper <= losses[0].lower for loss in losses[1:]), f"at α = {end} a loss beyond 0 is larger")
        low.append(log_enclosure(losses[0].lower).lower)
        high.append(log_enclosure(losses[0].upper).upper)
    stated = insider_epsilon(epsilon, n, colluders)
    require(min(low) <= stated.lower and stated.upper <= max(high), f"{stated} is not in {float(min(low))}…")
    require(max(high) - min(low) < Fraction(1, 1000), "the bracket is too wide to tell")


def insiders(most: int) -> Iterator[tuple[Fraction, int, int]]:
    """Three ε, up to so many parties, and one to all but one of them who collude."""
    return ((Fraction(e), n, c) for n in range(2, most + 1) for c in range(1, n) for e in ("1/4", "1", "3"))


def _difference(shape: Fraction, alpha: Fraction) -> list[Enclosure]:
    """Pr[0..4] of NB(shape, α) − NB(shape, α) up to a factor: Σ w_k·w_{k+d}, with a geometric bound for the rest."""
    bits = 10**40
    w, terms = [Fraction(1)], 40
    while w[-1] * w[-1] * 10**12 > 1 - alpha * alpha or len(w) < terms:
        w.append(Fraction(int(w[-1] * alpha * (shape + len(w) - 1) / len(w) * bits), bits))  # rounded down by 1e-40
    rest = w[-1] ** 2 / (1 - alpha * alpha) + Fraction(len(w), 10**38)
    sums = [sum((a * b for a, b in zip(w, w[d:], strict=False)), Fraction(0)) for d in range(5)]
    return [Enclosure(total, total + rest) for total in sums]


def summed(tau: Fraction, rate: Fraction, most: int) -> list[Enclosure]:
    """Pr[0], …, Pr[most] of the difference of two NB(τ, e^{−rate}) numbers: Σ_i p_i·p_{i+k}, term by term."""
    alpha = exp_enclosure(-rate, 70)
    ends = []
    for value, up in ((alpha.lower, 0), (alpha.upper, 1)):
        step, weights = (value.numerator << BITS) // value.denominator + up, [1 << BITS]
        while len(weights) < most + 3 or weights[-1] >> 60:
            k = len(weights) - 1
            grown = weights[-1] * step * (tau.numerator + k * tau.denominator)
            divisor = (k + 1) * tau.denominator << BITS
            weights.append(-(-grown // divisor) if up else grown // divisor)
        tail = weights[-1] * weights[-1 - most] // ((1 << BITS) - step) * up  # pairs of which one is not there
        zeros = [0] * (most + 1)
        pairs = [sum(map(int.__mul__, weights, [*weights[k:], *zeros])) for k in range(most + 1)]
        ends.append([(ceil_shift(pair, BITS) if up else pair >> BITS) + tail for pair in pairs])
    mass = power(1 - alpha, 2 * tau)
    return [mass * Enclosure(Fraction(a, 1 << BITS), Fraction(b, 1 << BITS)) for a, b in zip(*ends, strict=True)]


def power(base: Enclosure, exponent: Fraction) -> Enclosure:
    """base^exponent for an exponent greater than 0."""
    low, high = (log_enclosure(end, 60) * exponent for end in (base.lower, base.upper))
    return Enclosure(exp_enclosure(low.lower, 60).lower, exp_enclosure(high.upper, 60).upper)


def require_one(found: Enclosure, other: Enclosure, what: str, digits: int = 30) -> None:
    """Two enclosures of one number meet, and what is found is narrow."""
    require(found.lower <= other.upper and other.lower <= found.upper, f"{what} is {other}, not {found}")
    width = (found.upper - found.lower) * 10**digits
    require(width <= max(found.upper, Fraction(1, 10**10)), f"{what}: {found} is too wide")


def joint_moves(numbers: int, rate: Fraction, parties: int, steps: int) -> None:
    """Less one of the shares, numbers that all move by up to so many steps lose their number times what one loses.

    No outcome of one number is worse than 0 against ``steps``; and the library says the same, more than to an outsider.
    """
    law = summed(Fraction(parties - 1, parties), rate, 4 * steps)
    window, moved = range(-3 * steps, 3 * steps + 1), range(-steps, steps + 1)
    worst, one = max((law[abs(k)] / law[abs(k + n)]).lower for k in window for n in moved), law[0] / law[steps]
    require(worst <= one.upper, f"a number has the ratio {float(worst)}, at 0 it is {one}")
    stated = insider_epsilon(rate * steps, parties, 1, lattice=steps) * numbers
    low, high = (log_enclosure(end, 40) * numbers for end in (one.lower, one.upper))
    require(low.lower <= stated.upper and stated.lower <= high.upper, f"the loss is {low}, stated {stated}")
    require(stated.lower > numbers * steps * rate, f"the loss is {stated}, no more than an outsider's")


def remainder(tau: Fraction, rate: Fraction, most: int) -> None:
    """The law of what is left is that of the sums term by term, and f(k), f(k+1), f(k+2) are as of moments."""
    left, stated = Remainder(tau, rate), summed(tau, rate, most)
    law = [left.pmf(k) for k in range(most + 1)]
    for k, (found, value) in enumerate(zip(law, stated, strict=True)):
        require_one(found, value, f"Pr[{k}]")
    for k, (a, b, c) in enumerate(zip(law, law[1:], law[2:], strict=False)):
        require((a * c).lower >= (b * b).lower, f"the law is not log-convex at {k}")
        require((a * exp_enclosure(-rate, 60)).lower > b.upper, f"Pr[{k + 1}] is more than α·Pr[{k}]")


def remainders(most: int) -> Iterator[tuple[Fraction, Fraction, int]]:
    """Shapes from 1/100 to 99/100, rates on both sides of where the other series is taken."""
    rates = ("1/30", "1/3", "334/1000", "2", "30")
    return ((Fraction(t), Fraction(r), most) for t in ("1/100", "1/3", "4/5", "99/100") for r in rates)


def neighbours_of_tiny_rates(tau: Fraction, rate: Fraction, most: int) -> None:
    """(k−1+τ)·f(k−1) + (k+1−τ)·f(k+1) = 2k·cosh(rate)·f(k), whatever the rate."""
    left = Remainder(tau, rate)
    cosh = (exp_enclosure(rate, 70) + exp_enclosure(-rate, 70)) / 2
    for k in range(1, most + 1):
        a, b, c = (left.weight(i) for i in (k - 1, k, k + 1))
        difference = a * (k - 1 + tau) + c * (k + 1 - tau) - cosh * b * (2 * k)
        require(difference.lower <= 0 <= difference.upper, f"the recursion fails at {k} by {float(difference)}")
        require((difference.upper - difference.lower) * 10**50 < b.lower, f"at {k} too wide to tell")


def tiny_rates(most: int) -> Iterator[tuple[Fraction, Fraction, int]]:
    return ((Fraction(t), Fraction(1, 10**e), most) for t in ("1/50", "2/5", "3/5", "49/50") for e in (1, 6, 30))


def between_bounds(epsilon: Fraction, n: int, colluders: int) -> None:
    """ε + max(0, ln((1−τ)/τ)) ≤ e(ε) ≤ ε + ln(1/τ); and e(ε) − ε does not decrease."""
    tau, loss = Fraction(n - colluders, n), insider_epsilon(epsilon, n, colluders)
    floor = max(Fraction(0), log_enclosure((1 - tau) / tau).lower)
    require(loss.upper >= epsilon + floor, f"{loss} is less than ε + {float(floor):.6f}")
    require(loss.lower <= epsilon + log_enclosure(1 / tau).upper, f"{loss} is more than ε + ln(1/τ)")
    gain, more = loss - epsilon, insider_epsilon(2 * epsilon, n, colluders) - 2 * epsilon
    require(more.upper >= gain.lower, f"at 2ε the gain is {more}, at ε {gain}")
    tenth = insider_epsilon(epsilon / 10**6, n, colluders)
    require(tenth.upper >= floor, f"a small ε goes below the floor: {tenth}")


def small_and_large(most: int) -> Iterator[tuple[Fraction, int, int]]:
    for n in range(2, most + 1):
        for c, e in product(range(1, n), ("1/1000000", "1/20", "1", "7")):
            yield Fraction(e), n, c


def played(n: int, colluders: int, bits: int) -> None:
    """The game: a count of 0 or 1, shares of the shipped sampler over all its tapes, and c of the n parties look.

    They subtract their own shares; then the odds of any outcome are what the loss says, and no outcome of theirs has
    larger ones. As e^{−ε} = 1/8 is no rational rate, ε is taken a little below ln 8 and a little above.
    """
    one, undecided = enumerate_law(lambda tape: int(negative_binomial(Rate.of(alpha="1/8"), n, 1, tape)[0]), bits, 1)
    honest = {0: Fraction(1)}
    for sign in (1, -1) * (n - colluders):
        following: dict[int, Fraction] = defaultdict(Fraction)
        for (k, mass), (step, weight) in product(honest.items(), one.items()):
            following[k + sign * step] += mass * weight
        honest = following
    low, high = (Fraction(round(math.log(8) * 10**6) + end, 10**6) for end in (-1, 1))
    odds = [exp_enclosure(insider_epsilon(end, n, colluders).upper).upper for end in (low, high)]
    rest = 1 - (1 - undecided) ** (2 * (n - colluders))
    require(rest < Fraction(1, 10), f"a share of {rest} is undecided")
    require(honest[0] / (honest[1] + rest) <= odds[1], f"the odds of 0 are at least {float(honest[0] / honest[1]):.4f}")
    require(odds[0] <= (honest[0] + rest) / honest[1], f"the odds of 0 are at most {float(honest[0] / honest[1]):.4f}")
    for k in honest:
        if honest.get(k + 1, 0) > 100 * rest:
            require(honest[k] <= odds[1] * (honest[k + 1] + rest), f"{k} tells more than 0 does")


def games(bits: int) -> Sequence[Any]:
    return [(2, 1, bits), (3, 1, bits), (3, 2, bits)]


def coefficients_are_moments(tau: Fraction, most: int) -> None:
    """(τ)_k/k! as moments of Beta(τ, 1−τ): each Hankel determinant of two rows is positive, the first moment is τ."""
    moments = [coefficient_by_product(k, tau) for k in range(most + 1)]
    require(moments[1] == tau and all(a > b for a, b in pairwise(moments)), "they do not decrease from 1")
    for i, j in product(range(most // 2), repeat=2):
        require(moments[2 * i] * moments[2 * j] >= moments[i + j] ** 2, f"no moments: {i}, {j}")


HONEST = "parties are honest but curious"
EXACT = "integers; every sampler exact"

CLAIMS = (
    Claim(
        "lem-remainder",
        status="proved+checked",
        code=("fdpedu.dlpa.remainder", "fdpedu.dlpa.remainder.Remainder"),
        checks=(
            Check(
                "moments",
                "exact",
                "the coefficients (τ)_k/k! as moments, k to {size}, six shapes",
                coefficients_are_moments,
                lambda most: ((Fraction(t), most) for t in ("1/100", "1/3", "1/2", "2/3", "4/5", "99/100")),
                20,
                60,
            ),
            Check(
                "term by term",
                "exact",
                "both series against sums term by term, k to {size}, four shapes, rates 1/30 to 30; convexity",
                remainder,
                remainders,
                6,
                20,
            ),
            Check(
                "tiny rates",
                "exact",
                "the recursion of three neighbours, k to {size}, at rates 1/10, 10⁻⁶ and 10⁻³⁰",
                neighbours_of_tiny_rates,
                tiny_rates,
                4,
                30,
            ),
        ),
    ),
    Claim(
        "thm-insider-polya",
        status="proved+checked",
        code=("fdpedu.dlpa.insiders", "fdpedu.dlpa.insiders.insider_epsilon"),
        checks=(
            Check(
                "bracket",
                "exact",
                "up to {size} parties, three ε: between exact sums at two rational α; the loss at 0 is the largest "
                "of four",
                insider_loss,
                insiders,
                4,
                7,
            ),
            Check(
                "bounds",
                "exact",
                "up to {size} parties, ε from 10⁻⁶ to 7: the gain lies between its bounds and does not decrease",
                between_bounds,
                small_and_large,
                4,
                8,
            ),
            Check(
                "played",
                "exact",
                "the shipped sampler over all words of {size} bits: the odds of each outcome that an insider can see",
                played,
                games,
                12,
                13,
            ),
        ),
        assumptions=(EXACT, HONEST, "one release of sensitivity 1"),
        uses=("thm-polya-shares", "lem-remainder"),
    ),
)

TWINS = (
    Broken(
        "an insider is an outsider",
        "fdpedu.dlpa.insiders.insider_epsilon",
        "if tau >= 1:",
        "if tau > 0:",
        "To subtract one's own noise is a small potential privacy loss.",
        "thm-insider-polya",
        "bracket",
    ),
    Broken(
        "the others add all of the noise",
        "fdpedu.dlpa.insiders._left",
        "Fraction(n_parties - colluders, ",
        "Fraction(n_parties, ",
        "Someone who knows a share still does not know the sum of the others.",
        "thm-insider-polya",
        "played",
    ),
    Broken(
        "weights for probabilities",
        "fdpedu.dlpa.remainder.Remainder.pmf",
        "self._mass * self.weight(k)",
        "self.weight(k)",
        "Only ratios of the probabilities matter, so a common factor may be left out.",
        "lem-remainder",
        "term by term",
    ),
)
