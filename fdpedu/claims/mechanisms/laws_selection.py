"""Checks of chapter 3: choosing one of several candidates, on all small utilities and by replayed tapes.

First what is asked of one law; then the cases, smallest first. Utilities are integers, and α is the base of the coins:
e^ε is α^−2 in general, and α^−1 where utilities are monotone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.mechanisms.laws import Given
from fdpedu.claims.replay import bounds, intersects, require_law
from fdpedu.exact import exp_enclosure
from fdpedu.mechanisms import (
    exponential,
    exponential_pmf,
    permute_and_flip,
    permute_and_flip_pmf,
    report_noisy_max,
    report_noisy_max_pmf,
)

Utilities = tuple[int, ...]
Pmf = Callable[..., list[Any]]
SAMPLERS: dict[str, Any] = {
    "exponential": exponential,
    "permute-and-flip": permute_and_flip,
    "report-noisy-max": report_noisy_max,
}
PMFS: dict[str, Pmf] = {
    "exponential": exponential_pmf,
    "permute-and-flip": permute_and_flip_pmf,
    "report-noisy-max": report_noisy_max_pmf,
}
ALPHAS = (Fraction(1, 2), Fraction(1, 5), Fraction(9, 10))


def exact(pmf: Pmf, utilities: Utilities, alpha: Fraction) -> list[Fraction]:
    """The law for a rational base, which is one of fractions."""
    return [bounds(mass)[0] for mass in pmf(utilities, alpha=alpha)]


def private(name: str, utilities: Utilities, moves: Utilities, alpha: Fraction, one_way: bool) -> None:
    """Moved by at most 1, the law stays within e^ε = α^−2; moved in one direction only, within e^ε = α^−1.

    p ≤ e^ε·q for every candidate, both ways: an inequality of fractions, without any tolerance.
    """
    exp_epsilon = 1 / alpha if one_way else alpha**-2
    p, q = (exact(PMFS[name], u, alpha) for u in (utilities, moved(utilities, moves)))
    require(sum(p) == sum(q) == 1, f"the probabilities add up to {sum(p)} and {sum(q)}")
    for r, (a, b) in enumerate(zip(p, q, strict=True)):
        ratio = max(a / b, b / a)
        require(
            ratio <= exp_epsilon, f"candidate {r} has probability {a} and {b}, a ratio of {ratio}; e^ε is {exp_epsilon}"
        )


def without_two(utilities: Utilities, moves: Utilities, alpha: Fraction) -> None:
    """What the printed intuition claims: moved in any direction, within e^ε = α^−1."""
    private("exponential", utilities, moves, alpha, one_way=True)


def moved(utilities: Utilities, moves: Utilities) -> Utilities:
    """The utilities after their moves."""
    return tuple(u + move for u, move in zip(utilities, moves, strict=True))


def two_is_needed(others: int, alpha: Fraction) -> None:
    """One candidate two below all others rises by 1 and they fall by 1: nearly e^ε = α^−2, never more."""
    low, high = (0, *[2] * others), (1, *[1] * others)
    ratio = exact(exponential_pmf, high, alpha)[0] / exact(exponential_pmf, low, alpha)[0]
    share = ratio * alpha**2
    require(Fraction(others, others + 1) < share < 1, f"the ratio is {float(share):.4f} of e^ε")


def sampled(name: str, utilities: Utilities, given: Given, words: int, slack: Fraction = Fraction(1, 4)) -> None:
    """The shipped sampler has the law of its pmf, up to what is undecided, at most ``slack``."""
    stated = PMFS[name](utilities, **given)
    require_law(lambda tape: int(SAMPLERS[name](utilities, rng=tape, **given)), stated.__getitem__, words, slack)


def orders(utilities: Utilities, alpha: Fraction) -> None:
    """The law of permute-and-flip, by going through all orders with the coins as they are stated."""
    coins, law = [alpha ** (max(utilities) - u) for u in utilities], [Fraction(0)] * len(utilities)
    every = list(permutations(range(len(utilities))))
    for order in every:
        left = Fraction(1, len(every))
        for r in order:
            law[r] += left * coins[r]
            left *= 1 - coins[r]
    stated = exact(permute_and_flip_pmf, utilities, alpha)
    require(stated == law, f"the stated law is {listed(stated)}, by all orders {listed(law)}")


def noisy_sums(utilities: Utilities, alpha: Fraction) -> None:
    """The law of report-noisy-max, by adding up over the winner's noise; what is left out is known."""
    stated, terms = exact(report_noisy_max_pmf, utilities, alpha), 40
    require(sum(stated) == 1, f"the probabilities add up to {sum(stated)}")
    for r, own in enumerate(utilities):
        total = Fraction(0)
        for g in range(terms):
            mass = (1 - alpha) * alpha**g
            for s, other in enumerate(utilities):
                room = own + g - other + (1 if s > r else 0)  # how many values of the other's noise lose to it
                mass *= 1 - alpha ** max(0, room) if s != r else 1
            total += mass
        require(total <= stated[r] <= total + alpha**terms, f"candidate {r} has {float(total):.6f}, not {stated[r]}")


def base(name: str, epsilon: Fraction, sensitivity: Fraction, one_way: bool, gap: int) -> None:
    """With ε given, the pmf is that of coins of base e^(−ε/Δ) if utilities are monotone, else e^(−ε/2Δ)."""
    coin = exp_enclosure(-epsilon * gap / (sensitivity * (1 if one_way else 2)))
    found = PMFS[name]((gap, 0), epsilon, sensitivity=sensitivity, monotone=one_way)
    if name == "exponential":
        expected = coin / (1 + coin)
    elif name == "permute-and-flip":
        expected = coin / 2
    else:  # the second wins iff its noise is larger than the gap and the other's noise
        expected = coin * exp_enclosure(-epsilon / (sensitivity * (1 if one_way else 2)))
        expected = expected / (1 + expected / coin)
    require(intersects(found[1], expected), f"the second candidate has {found[1]}, expected {expected}")


def listed(law: list[Any]) -> str:
    return f"({', '.join(map(str, law))})"


# --- Cases ---


def vectors(most: int, candidates: int) -> Iterator[Utilities]:
    """Integer utilities from 0 to ``most``, the least of them 0; fewest candidates and smallest gaps first."""
    for n in range(2, candidates + 1):
        for top in range(most + 1):
            yield from (u for u in product(range(top + 1), repeat=n) if min(u) == 0 and max(u) == top)


def small_utilities(most: int) -> Iterator[tuple[Utilities, Fraction]]:
    """All utilities of up to 4 candidates, and three α."""
    return product(vectors(most, 4), ALPHAS)


def small_moves(most: int, one_way: bool) -> Iterator[tuple[Utilities, Utilities, Fraction]]:
    """All utilities of up to 3 candidates, all moves by at most 1, and three α."""
    steps = (0, 1) if one_way else (-1, 0, 1)
    for utilities in vectors(most, 3):
        yield from product([utilities], product(steps, repeat=len(utilities)), ALPHAS)


def all_moves(name: str, most: int, one_way: Iterable[bool] = (False, True)) -> Iterator[tuple[Any, ...]]:
    """Small moves for one mechanism, in any direction and then in one."""
    return ((name, *case, way) for way in one_way for case in small_moves(most, way))


def random_moves(name: str, draw: Any, one_way: Iterable[bool] = (False, True)) -> Any:
    """Random utilities of up to 6 candidates, moves by at most 1 and α, for one mechanism."""

    def cases(way: bool) -> Any:
        found = draw.tuples(draw.moved_utilities(0 if way else -1), draw.alphas)
        return found.map(lambda case: (name, *case[0], case[1], way))

    return draw.st.one_of([cases(way) for way in one_way])


def small_choices(name: str, words: int) -> Iterator[tuple[str, Utilities, Given, int]]:
    """Two or three candidates for one mechanism, α or ε given."""
    yield name, (0, 1), {"alpha": "1/2"}, words
    yield name, (2, 0), {"epsilon": 1}, words
    yield name, (0, 3), {"epsilon": 2, "sensitivity": 2, "monotone": True}, words
    yield name, (1, 0, 1), {"alpha": "1/4"}, words


def bases(most: int) -> Iterator[tuple[str, Fraction, Fraction, bool, int]]:
    """All three mechanisms, three ε, three Δ, monotone or not, and gaps up to ``most``."""
    epsilons, deltas = (map(Fraction, numbers) for numbers in (("1/2", "1", "3"), ("1", "2", "5/2")))
    return product(PMFS, epsilons, deltas, (False, True), range(most + 1))
