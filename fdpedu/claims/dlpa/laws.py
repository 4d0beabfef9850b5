"""Checks of chapter 6: one share, the sum of shares, tolerated colluders, and what an insider gains; exact laws."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise, product
from types import ModuleType
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.replay import enumerate_law
from fdpedu.dlpa import (
    count_noise_shares,
    insider_epsilon,
    negative_binomial,
    negative_binomial_by_cycles,
    polya_share,
    polya_shares,
)
from fdpedu.exact import Enclosure, Integers, Rate, exp_enclosure, log_enclosure
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.randomness import Rehearsal, Source

Sampler = Callable[[Rate, int, int, Source], Integers]


def coefficient(k: int, shape: Fraction) -> Fraction:
    """Γ(k+shape)/(k!·Γ(shape)), a product of fractions."""
    value = Fraction(1)
    for i in range(1, k + 1):
        value *= (i - 1 + shape) / i
    return value


def cycles_are_an_urn(m: int, most: int) -> None:
    """The coloured cycles of a random permutation of g things number k with the Beta-binomial law of 1/m and 1 − 1/m.

    The sampler's loop as an exact recursion: the first cycle is uniform on 1..g, and ours with probability 1/m.
    """
    law = [[Fraction(1)]]
    for g in range(1, most + 1):
        row = [Fraction(0)] * (g + 1)
        for cycle in range(1, g + 1):
            for k, mass in enumerate(law[g - cycle]):
                row[k + cycle] += mass * Fraction(1, g * m)
                row[k] += mass * Fraction(m - 1, g * m)
        law.append(row)
        stated = [coefficient(k, Fraction(1, m)) * coefficient(g - k, 1 - Fraction(1, m)) for k in range(g + 1)]
        require(row == stated, f"for g = {g} the distribution is {row}")


def replayed_share(alpha: Fraction, m: int, bits: int, words: int, sampler: Sampler = negative_binomial) -> None:
    """All tapes through a sampler: Pr[k]/Pr[0] is the NB(1/m) coefficient times α^k, save the undecided."""
    decided, undecided = enumerate_law(lambda tape: int(sampler(Rate.of(alpha=alpha), m, 1, tape)[0]), bits, words)
    require(undecided < Fraction(1, 10), f"a share of {undecided} is undecided")
    zero = decided[0]
    for k, mass in decided.items():
        weight = coefficient(k, Fraction(1, m)) * alpha**k
        require(zero * weight <= mass + undecided, f"Pr[{k}] is at most {mass + undecided}")
        require(mass <= (zero + undecided) * weight, f"Pr[{k}] is at least {mass}")


def small_shares(words: int) -> Iterator[tuple[Fraction, int, int, int, Sampler]]:
    """Three pairs of α and m, for tapes of so many 4-bit words through the sampler by cycles."""
    pairs = [(Fraction(1, 3), 2), (Fraction(1, 5), 3), (Fraction(1, 7), 4)]
    return ((alpha, m, 4, words, negative_binomial_by_cycles) for alpha, m in pairs)


def shares_make_a_geometric(m: int, most: int) -> None:
    """The m-fold convolution of the NB(1/m) coefficients is 1 for every k: m shares make a geometric number."""
    total = [Fraction(1)] + [Fraction(0)] * most
    for _ in range(m):
        total = [
            sum((total[i] * coefficient(k - i, Fraction(1, m)) for i in range(k + 1)), Fraction(0))
            for k in range(most + 1)
        ]
    require(total == [1] * (most + 1), f"the convolution is {total}")


def replayed_sum(n: int, tolerate: int, bits: int) -> None:
    """The law of one share, over all tapes of one word, convolved over any n − tolerate parties: discrete Laplace."""
    alpha = Fraction(1, 8)
    n_noise_shares = count_noise_shares(n, tolerate)
    one, undecided = enumerate_law(
        lambda tape: int(negative_binomial(Rate.of(alpha=alpha), n_noise_shares, 1, tape)[0]), bits, 1
    )
    total = {0: Fraction(1)}
    for sign in (1, -1) * (n - tolerate):
        following: dict[int, Fraction] = defaultdict(Fraction)
        for (k, mass), (step, weight) in product(total.items(), one.items()):
            following[k + sign * step] += mass * weight
        total = following
    rest = 1 - (1 - undecided) ** (2 * (n - tolerate))
    require(rest < Fraction(1, 10), f"a share of {rest} is undecided")
    for k, mass in total.items():
        stated = discrete_laplace_pmf(k, alpha=alpha)
        assert isinstance(stated, Fraction)
        require(mass <= stated <= mass + rest, f"Pr[{k}] is at least {float(mass):.5f}, stated {float(stated):.5f}")


def own_shares(n: int, tolerate: int, size: int, seed: int) -> None:
    """``polya_shares`` is one ``polya_share`` a party for n − tolerate, each from its own stretch of words."""
    rate, source = Rate.of(epsilon="1/9"), Rehearsal(seed)
    expected = [polya_share(rate, n - tolerate, size, source).tolist() for _ in range(n)]
    got = polya_shares(n, "1/9", size, Rehearsal(seed), tolerate=tolerate).tolist()
    require(got == expected, f"the shares are {got}, not {expected}")
    require(len({tuple(row) for row in got}) == n, "two parties have the same share")


def tolerated(epsilon: Fraction, n: int, tolerate: int) -> None:
    """Of n parties up to ``tolerate`` < n colluders face exactly ε, one more gains."""
    for c in range(tolerate + 1):
        loss = insider_epsilon(epsilon, n, c, tolerate=tolerate)
        require(loss.lower == loss.upper == epsilon, f"{c} colluders face {loss}")
    if tolerate + 1 < n:
        loss = insider_epsilon(epsilon, n, tolerate + 1, tolerate=tolerate)
        require(loss.lower > epsilon, f"{tolerate + 1} colluders face {loss}")


def tolerances(most: int) -> Iterator[tuple[Fraction, int, int]]:
    """Three ε, up to so many parties, and any number of colluders that they tolerate."""
    return ((Fraction(e), n, c) for n in range(2, most + 1) for e in ("1/10", "1", "3") for c in range(n))


def random_tolerances(draw: ModuleType) -> Any:
    """A strategy: ε, 2 to 8 parties, and any number of colluders that they tolerate."""
    numbers = draw.tuples(draw.epsilons, draw.integers(2, 8), draw.integers(0, 7))
    return numbers.map(lambda case: (case[0], case[1], case[2] % case[1]))


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
