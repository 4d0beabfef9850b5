"""Checks of chapter 3: choosing one of several candidates, on all small utilities and by replayed tapes.

First what is asked of one law; then the cases, smallest first; then the checks that the register names. Utilities are
integers, and α is the base of the coins: e^ε is α^−2 in general, and α^−1 where utilities are monotone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from fdpedu.claims.checking import exhaust, explore, need
from fdpedu.claims.replay import ends, meet, need_law
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
ALPHAS = (Fraction(1, 2), Fraction(1, 5), Fraction(9, 10))
PMFS: dict[str, Pmf] = {
    "exponential": exponential_pmf,
    "permute-and-flip": permute_and_flip_pmf,
    "report-noisy-max": report_noisy_max_pmf,
}


def exact(pmf: Pmf, utilities: Utilities, alpha: Fraction) -> list[Fraction]:
    """The law for a rational base, which is one of fractions."""
    return [ends(mass)[0] for mass in pmf(utilities, alpha=alpha)]


def within(pmf: Pmf, utilities: Utilities, moved: Utilities, alpha: Fraction, exp_epsilon: Fraction) -> None:
    """p ≤ e^ε·q for every candidate, both ways: an inequality of fractions, without any tolerance."""
    p, q = exact(pmf, utilities, alpha), exact(pmf, moved, alpha)
    need(sum(p) == sum(q) == 1, f"the probabilities add up to {sum(p)} and {sum(q)}")
    for r, (a, b) in enumerate(zip(p, q, strict=True)):
        ratio = max(a / b, b / a)
        need(
            ratio <= exp_epsilon, f"candidate {r} has probability {a} and {b}, a ratio of {ratio}; e^ε is {exp_epsilon}"
        )


def general(name: str, utilities: Utilities, moves: Utilities, alpha: Fraction) -> None:
    """Moved by at most 1 in any direction, the law stays within e^ε = α^−2."""
    within(PMFS[name], utilities, _moved(utilities, moves), alpha, alpha**-2)


def monotone(name: str, utilities: Utilities, moves: Utilities, alpha: Fraction) -> None:
    """Moved by at most 1, all in one direction, the law stays within e^ε = α^−1."""
    within(PMFS[name], utilities, _moved(utilities, moves), alpha, 1 / alpha)


def without_two(utilities: Utilities, moves: Utilities, alpha: Fraction) -> None:
    """What the printed intuition claims: moved in any direction, within e^ε = α^−1."""
    within(exponential_pmf, utilities, _moved(utilities, moves), alpha, 1 / alpha)


def _moved(utilities: Utilities, moves: Utilities) -> Utilities:
    return tuple(u + move for u, move in zip(utilities, moves, strict=True))


def two_is_needed(others: int, alpha: Fraction) -> None:
    """One candidate two below all others rises by 1 and they fall by 1: nearly e^ε = α^−2, never more."""
    low, high = (0, *[2] * others), (1, *[1] * others)
    ratio = exact(exponential_pmf, high, alpha)[0] / exact(exponential_pmf, low, alpha)[0]
    share = ratio * alpha**2
    need(Fraction(others, others + 1) < share < 1, f"the ratio is {float(share):.4f} of e^ε")


def sampled(sampler: Any, pmf: Pmf, utilities: Utilities, given: tuple[tuple[str, Any], ...], words: int) -> None:
    """The shipped sampler has the law of its pmf, up to what is undecided."""
    options = dict(given)
    stated = pmf(utilities, **options)
    need_law(lambda tape: int(sampler(utilities, rng=tape, **options)), stated.__getitem__, words, Fraction(1, 4))


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
    need(stated == law, f"the stated law is {listed(stated)}, by all orders {listed(law)}")


def noisy_sums(utilities: Utilities, alpha: Fraction) -> None:
    """The law of report-noisy-max, by adding up over the winner's noise; what is left out is known."""
    stated, terms = exact(report_noisy_max_pmf, utilities, alpha), 40
    need(sum(stated) == 1, f"the probabilities add up to {sum(stated)}")
    for r, own in enumerate(utilities):
        total = Fraction(0)
        for g in range(terms):
            mass = (1 - alpha) * alpha**g
            for s, other in enumerate(utilities):
                room = own + g - other + (1 if s > r else 0)  # how many values of the other's noise lose to it
                mass *= 1 - alpha ** max(0, room) if s != r else 1
            total += mass
        need(total <= stated[r] <= total + alpha**terms, f"candidate {r} has {float(total):.6f}, not {stated[r]}")


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
    need(meet(found[1], expected), f"the second candidate has {found[1]}, expected {expected}")


def listed(law: list[Any]) -> str:
    return f"({', '.join(map(str, law))})"


# --- Cases ---


def vectors(most: int, candidates: int) -> Iterator[Utilities]:
    """Integer utilities from 0 to ``most``, the least of them 0; fewest candidates and smallest gaps first."""
    for n in range(2, candidates + 1):
        for top in range(most + 1):
            yield from (u for u in product(range(top + 1), repeat=n) if min(u) == 0 and max(u) == top)


def moved(most: int, steps: tuple[int, ...], *alphas: Fraction) -> Iterator[tuple[Utilities, Utilities, Fraction]]:
    for utilities in vectors(most, 3):
        yield from ((utilities, moves, a) for moves in product(steps, repeat=len(utilities)) for a in alphas or ALPHAS)


def all_moves(name: str, most: int, steps: tuple[int, ...]) -> Iterator[tuple[Any, ...]]:
    return ((name, *case) for case in moved(most, steps))


def check_moves(name: str, most: int) -> int:
    return exhaust(general, all_moves(name, most, (-1, 0, 1))) + exhaust(monotone, all_moves(name, most, (0, 1)))


def explore_general(name: str, examples: int) -> int:
    return explore(
        lambda case, alpha: general(name, case[0], case[1], alpha),
        lambda draw: draw.tuples(draw.moved_utilities(-1), draw.alphas),
        examples,
    )


def explore_one_way(name: str, examples: int) -> int:
    return explore(
        lambda case, alpha: monotone(name, case[0], case[1], alpha),
        lambda draw: draw.tuples(draw.moved_utilities(0), draw.alphas),
        examples,
    )


def check_sampler(sampler: Any, pmf: Pmf, words: int) -> int:
    half, both = (("alpha", "1/2"),), (("epsilon", 2), ("sensitivity", 2), ("monotone", True))
    cases = [((0, 1), half), ((2, 0), (("epsilon", 1),)), ((0, 3), both), ((1, 0, 1), (("alpha", "1/4"),))]
    return exhaust(lambda utilities, given: sampled(sampler, pmf, utilities, given, words), cases)


# --- What the register names ---


def check_exponential_sampler(words: int) -> int:
    return check_sampler(exponential, exponential_pmf, words)


def check_flip_sampler(words: int) -> int:
    return check_sampler(permute_and_flip, permute_and_flip_pmf, words)


def check_noisy_sampler(words: int) -> int:
    return check_sampler(report_noisy_max, report_noisy_max_pmf, words)


def check_exponential(most: int) -> int:
    return exhaust(general, all_moves("exponential", most, (-1, 0, 1)))


def check_monotone(most: int) -> int:
    return exhaust(monotone, all_moves("exponential", most, (0, 1)))


def check_flip(most: int) -> int:
    return check_moves("permute-and-flip", most)


def check_noisy(most: int) -> int:
    return check_moves("report-noisy-max", most)


def explore_exponential(examples: int) -> int:
    return explore_general("exponential", examples)


def explore_monotone(examples: int) -> int:
    return explore_one_way("exponential", examples)


def explore_flip(examples: int) -> int:
    return explore_general("permute-and-flip", examples) + explore_one_way("permute-and-flip", examples)


def explore_noisy(examples: int) -> int:
    return explore_general("report-noisy-max", examples) + explore_one_way("report-noisy-max", examples)


def check_two_is_needed(most: int) -> int:
    return exhaust(two_is_needed, product((9, most), ALPHAS))


def check_without_two(most: int) -> int:
    return exhaust(without_two, moved(most, (-1, 0, 1)))


def check_base(most: int) -> int:
    epsilons, deltas = (tuple(map(Fraction, xs)) for xs in (("1/2", "1", "3"), ("1", "2", "5/2")))
    return exhaust(base, product(PMFS, epsilons, deltas, (False, True), range(most + 1)))


def check_orders(most: int) -> int:
    return exhaust(orders, product(vectors(most, 4), ALPHAS))


def check_noisy_sums(most: int) -> int:
    return exhaust(noisy_sums, product(vectors(most, 4), (Fraction(1, 2), Fraction(1, 5))))
