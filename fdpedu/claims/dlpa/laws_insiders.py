"""Checks of chapter 6: the noise that insiders leave, what they gain, and what a tree costs them; other ways round."""

from __future__ import annotations

import decimal
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.dlpa.laws import coefficient
from fdpedu.claims.replay import enumerate_law
from fdpedu.dlpa import insider_delta, insider_epsilon, negative_binomial
from fdpedu.dlpa.remainder import Remainder
from fdpedu.exact import Enclosure, Rate, ceil_shift, exp_enclosure, log_enclosure

BITS = 200


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


def log(value: Enclosure) -> Enclosure:
    return Enclosure(log_enclosure(value.lower).lower, log_enclosure(value.upper).upper)


def require_one(found: Enclosure, other: Enclosure, what: str, digits: int = 30) -> None:
    """Two enclosures of one number meet, and what is found is narrow."""
    require(found.lower <= other.upper and other.lower <= found.upper, f"{what} is {other}, not {found}")
    width = (found.upper - found.lower) * 10**digits
    require(width <= max(found.upper, Fraction(1, 10**10)), f"{what}: {found} is too wide")


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


def worst_pair(epsilon: Fraction, n: int, colluders: int, sensitivity: int, lattice: int) -> None:
    """Of all pairs of neighbouring values in a window none is worse than 0 and the sensitivity; that pair is as bad."""
    steps = sensitivity * lattice
    law = summed(Fraction(n - colluders, n), epsilon / steps, 3 * steps + 2)
    stated = insider_epsilon(epsilon, n, colluders, sensitivity=sensitivity, lattice=lattice)
    require_one(stated, log(law[0] / law[steps]), "the loss of 0 against the sensitivity")
    for at, move in product(range(-2 * steps - 2, 2 * steps + 3), range(1, steps + 1)):
        loss = law[abs(at)] / law[abs(at + move)]
        require(loss.lower <= (law[0] / law[steps]).upper, f"{at} against {at + move} is worse: {log(loss)}")


def lattices(most: int) -> Iterator[tuple[Fraction, int, int, int, int]]:
    for steps, c in product(range(1, most + 1), (1, 2, 4)):
        yield Fraction(1), 5, c, steps, 1
        yield Fraction(1, 2), 5, c, 1, steps
    yield Fraction(3), 2, 1, 2, most


def towards_gamma(epsilon: Fraction, n: int, colluders: int, most: int) -> None:
    """On finer and finer lattices an insider's loss grows; it stays below that with gamma shares, and comes near it."""
    losses = [insider_epsilon(epsilon, n, colluders, lattice=10**k) for k in range(most + 1)]
    require(all(a.upper < b.lower for a, b in pairwise(losses)), f"{losses} does not grow")
    limit = insider_epsilon(epsilon, n, colluders, noise="gamma")
    if 2 * (n - colluders) <= n:
        require(limit == math.inf, f"with gamma shares of shape τ ≤ 1/2 the loss is infinite, not {limit}")
        return
    require(isinstance(limit, Enclosure), f"the loss is finite, not {limit}")
    assert isinstance(limit, Enclosure)
    require(losses[-1].upper < limit.lower, f"{losses[-1]} on a lattice, {limit} with gamma shares")
    nearer = (limit - losses[-1]) / (limit - losses[-2])  # the distance decreases like m^{1−2τ}
    require(0 < nearer.lower and nearer.upper < Fraction(9, 10), f"{limit} is not what {losses} tend to")


def fine(most: int) -> Iterator[tuple[Fraction, int, int, int]]:
    return ((Fraction(e), n, c, most) for e in ("1/10", "1", "5") for n, c in ((5, 1), (3, 1), (2, 1), (5, 3), (9, 2)))


def bessel_by_integrals(epsilon: Fraction, n: int, colluders: int) -> None:
    """Γ(ν)·2^{ν−1}/(ε^ν·K_ν(ε)) from two integrals over the line, by sums that are off by less than 10⁻²⁰.

    ∫ e^{νt}·exp(−ε·e^t/2) dt = Γ(ν)·(2/ε)^ν and ∫ e^{νt}·exp(−ε·cosh t) dt = 2K_ν(ε): the steps are 1/24, and both
    functions are analytic where |Im t| ≤ 1, so their sums are off by about e^{−48π}.
    """
    nu = Fraction(n - colluders, n) - Fraction(1, 2)
    with decimal.localcontext(decimal.Context(prec=40)):
        order, rate, step = _decimal(nu), _decimal(epsilon), Decimal(1) / 24
        whole = bessel = Decimal(0)
        for i in range(-int(24 * 60 / nu), 24 * 12):
            t = i * step
            grown = t.exp()
            rising = (order * t).exp()
            whole += rising * (-rate * grown / 2).exp()
            if abs(t) < 12:
                bessel += rising * (-rate * (grown + 1 / grown) / 2).exp()
        stated, found = (whole / bessel).ln(), insider_epsilon(epsilon, n, colluders, noise="gamma")
    require(isinstance(found, Enclosure), "infinite where it is finite")
    assert isinstance(found, Enclosure)
    near = Fraction(stated)
    require(abs(near - found.lower) < Fraction(1, 10**18) > abs(near - found.upper), f"{found}, by sums {stated:.20f}")


def _decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def gamma_cases(size: int) -> Iterator[tuple[Fraction, int, int]]:
    cases = [("1", 5, 1), ("1/10", 5, 2), ("39", 9, 1), ("41", 9, 1), ("1/1000", 7, 2), ("12", 20, 1), ("100", 4, 1)]
    return ((Fraction(e), n, c) for e, n, c in cases[:size])


def delta_by_sums(epsilon: Fraction, n: int, colluders: int, allowed: Fraction, steps: int) -> None:
    """Σ max(0, f(k) − e^{ε'}·f(k+j)) over a window and all moves j: none is larger than δ, and one is as large."""
    tau = Fraction(n - colluders, n)
    most = 15 * steps + 45
    law, factor = summed(tau, epsilon / steps, most + steps), exp_enclosure(allowed, 60)
    stated = insider_delta(epsilon, n, colluders, allowed, lattice=steps)
    for move in range(1, steps + 1):
        gains = (law[abs(k)] - factor * law[abs(k + move)] for k in range(-most, most + 1))
        total = Enclosure.sum(Enclosure(max(gain.lower, Fraction(0)), max(gain.upper, Fraction(0))) for gain in gains)
        beyond = (law[most] / (1 - exp_enclosure(-epsilon / steps))).upper
        require(total.lower <= stated.upper, f"a move by {move} has δ = {total}, stated is {stated}")
    require(total.upper + beyond >= stated.lower, f"the window has {total}, stated is {stated}")
    require(stated.upper - stated.lower <= stated.upper / 500 + Fraction(1, 10**20), f"{stated} is too wide")


def deltas(most: int) -> Iterator[tuple[Fraction, int, int, Fraction, int]]:
    for c, allowed, steps in product((1, 3), ("0", "1/2", "1", "21/20", "6/5", "3"), range(1, most + 1)):
        yield Fraction(1), 5, c, Fraction(allowed), steps
    yield Fraction(1), 5, 2, Fraction(1, 10), most + 1


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
    moments = [coefficient(k, tau) for k in range(most + 1)]
    require(moments[1] == tau and all(a > b for a, b in pairwise(moments)), "they do not decrease from 1")
    for i, j in product(range(most // 2), repeat=2):
        require(moments[2 * i] * moments[2 * j] >= moments[i + j] ** 2, f"no moments: {i}, {j}")
