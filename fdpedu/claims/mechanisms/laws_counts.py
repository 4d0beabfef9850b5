"""Checks of chapter 3: noise for counts by its own law, the slow sampler, intervals, and a formula as it is printed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.claims.checking import require
from fdpedu.claims.mechanisms.laws import Given
from fdpedu.claims.replay import bounds, intersects, patched
from fdpedu.exact import Enclosure, exp_enclosure
from fdpedu.mechanisms import count_interval, discrete_laplace_pmf, discrete_laplace_tail, slow_discrete_laplace
from fdpedu.mechanisms.counts import vos_equation_4_as_printed
from fdpedu.randomness import ZeroWords

TENTHS = tuple(Fraction(i, 10) for i in range(1, 10))
CONFIDENCES = tuple(Fraction(c) for c in ("1/10", "1/2", "2/3", "0.8", "0.9", "0.95", "0.99", "0.999"))
_MAX_UNDECIDED = Fraction(1, 4)


class _MoreDraws(Exception):
    """The script ended; ``masses`` are the probabilities of what comes next."""

    def __init__(self, masses: list[Fraction]) -> None:
        super().__init__(masses)
        self.masses = masses


def _scripted(script: tuple[int, ...], coins: bool) -> dict[str, Any]:
    """What the slow sampler draws, played from a script: uniform numbers, or (which is shorter) whole coins."""
    left = list(script)

    def play(masses: list[Fraction]) -> int:
        if not left:
            raise _MoreDraws(masses)
        return left.pop(0)

    def uniform_below(bound: NDArray[np.int64], source: Any) -> NDArray[np.int64]:
        n = int(bound[0])
        return np.array([play([Fraction(1, n)] * n) if n > 1 else 0])

    def coin(p: Fraction, source: Any) -> bool:
        return play([1 - p, p]) == 1 if 0 < p < 1 else p == 1

    return {"uniform_below": uniform_below, "_coin": coin} if coins else {"uniform_below": uniform_below}


def slow_law(given: Given, draws: int) -> None:
    """Over all outcomes of its first draws, the slow sampler has the stated law."""
    decided: dict[int, Fraction] = {}
    undecided = Fraction(0)
    pending: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while pending:
        script, mass = pending.pop()
        try:
            with patched("fdpedu.mechanisms.counts", **_scripted(script, coins="epsilon" in given)):
                output = slow_discrete_laplace(0, rng=ZeroWords(), **given)
            decided[output] = decided.get(output, Fraction(0)) + mass
        except _MoreDraws as more:
            if len(script) == draws:
                undecided += mass
            else:
                pending += [((*script, v), mass * part) for v, part in enumerate(more.masses)]
    require(undecided <= _MAX_UNDECIDED, f"a share of {float(undecided):.3f} is undecided")
    for output, mass in sorted(decided.items()):
        low, high = bounds(discrete_laplace_pmf(output, **given))
        require(
            mass <= high and low <= mass + undecided,
            f"Pr[{output}] is at least {float(mass):.5f}, not {float(high):.5f}",
        )


def parameters(draws: int) -> Iterator[tuple[Given, int]]:
    """Two α, and two ε."""
    for given in ({"alpha": "1/2"}, {"alpha": "1/3"}, {"epsilon": "2"}, {"epsilon": "3/2"}):
        yield given, draws


def vectors(counts: tuple[int, int], other: tuple[int, int], alpha: Fraction) -> None:
    """The worst ratio of two noisy counts is α^(−ℓ₁ distance), and is attained."""
    worst, distance = Fraction(1), sum(abs(a - b) for a, b in zip(counts, other, strict=True))
    for a, b in zip(counts, other, strict=True):
        outputs = range(min(a, b) - 2, max(a, b) + 3)
        worst *= max(_pmf(y - a, alpha) / _pmf(y - b, alpha) for y in outputs)
    require(worst == alpha**-distance, f"the worst ratio is {worst}, at distance {distance}")


def pairs(most: int) -> Iterator[tuple[tuple[int, int], tuple[int, int], Fraction]]:
    """All pairs of two counts up to ``most``, two α."""
    counts = list(product(range(most + 1), range(most + 1)))
    return product(counts, counts, (Fraction(1, 3), Fraction(7, 9)))


def _pmf(k: int, alpha: Fraction) -> Fraction:
    return bounds(discrete_laplace_pmf(k, alpha=alpha))[0]


def interval(alpha: Fraction, confidence: Fraction, simultaneous: int) -> None:
    """The half-width is the smallest with what is claimed, and the coverage exact, by adding up the pmf."""
    miss, inside, t = (1 - confidence) / simultaneous, _pmf(0, alpha), 0
    while 1 - inside > miss:
        t += 1
        inside += _pmf(t, alpha) + _pmf(-t, alpha)
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
    zero, one = (vos_equation_4_as_printed(k, epsilon) for k in (0, 1))
    allowed = exp_enclosure(epsilon).upper
    require(zero <= allowed * one, f"Pr[0]/Pr[1] is {zero / one}, and e^ε is {float(allowed):.4f}")


def printed_law(epsilon: int) -> None:
    """Probabilities are positive."""
    printed = [vos_equation_4_as_printed(k, epsilon) for k in range(4)]
    require(all(p > 0 for p in printed), f"the “probabilities” of 0, 1, 2, 3 are {', '.join(map(str, printed))}")
