"""What a forger can do, counted by hand: iterates of one row, all data within reach, and laws of leaves.

Nothing here calls what it is compared with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product

from fdpedu.exact import Enclosure, exp_enclosure
from fdpedu.mechanisms import permute_and_flip_pmf

ADD_REMOVE = "neighbours: one record added or removed; a record that is changed counts 2"
FORGER = "the forger knows everything but the coins; test rows are fixed, and none of them is learnt from"
MEAN = "of the mean over the coins of the mechanism"
NEAR = Fraction(1, 2**40)
Counts = tuple[int, ...]
Pairs = tuple[tuple[int, int], ...]  # for each leaf two numbers


def iterated(level: Fraction, alpha: Fraction, rows: int) -> Fraction:
    """What so many steps leave, in fractions: p falls to αp, or its error grows by 1/α, whichever leaves more."""
    for _ in range(rows):
        level = max(alpha * level, 1 - (1 - level) / alpha)
    return level


def enclosed(level: Fraction, epsilon: Fraction, rows: int, delta: Fraction = Fraction(0)) -> Enclosure:
    """The same at a rational ε, and with δ."""
    *_, last = path(level, epsilon, rows, delta)
    return last


def path(level: Fraction, epsilon: Fraction, rows: int, delta: Fraction = Fraction(0)) -> Iterator[Enclosure]:
    """After 0, 1, …, x steps: a step rises with p and with α, so that the ends give the ends."""
    alpha, unit = exp_enclosure(-epsilon, 80), 2**300
    low = high = level
    yield Enclosure(low, high)
    for _ in range(rows):
        low, high = (
            max(Fraction(0), a * (p - delta), 1 - delta - (1 - p) / a)
            for p, a in ((low, alpha.lower), (high, alpha.upper))
        )
        low, high = Fraction(int(low * unit), unit), Fraction(int(high * unit) + 1, unit)
        yield Enclosure(low, high)


def within(counts: Counts, rows: int) -> Iterator[Counts]:
    """All tables of counts that at most so many added or removed rows make of one; the table itself first."""
    if not counts:
        yield ()
        return
    for moved in sorted(range(-min(rows, counts[0]), rows + 1), key=abs):
        yield from ((counts[0] + moved, *rest) for rest in within(counts[1:], rows - abs(moved)))


@lru_cache(maxsize=4096)
def drawn(counts: tuple[int, int], epsilon: Fraction) -> tuple[Enclosure, Enclosure]:
    """The law of the label that permute-and-flip draws on two class counts, with the base e^{−ε}."""
    first, second = permute_and_flip_pmf(counts, epsilon, monotone=True)
    return _enclosure(first), _enclosure(second)


def _enclosure(value: Fraction | Enclosure) -> Enclosure:
    return value if isinstance(value, Enclosure) else Enclosure.exactly(value)


# --- the difference of the noises of two counts ---------------------------------------------------------------------


@lru_cache(maxsize=4096)
def gap_mass(epsilon: Fraction, k: int) -> Enclosure:
    """Pr[Z = k] = ((1−α)/(1+α))²·α^k·(k + (1+α²)/(1−α²)): the sum over both noises, for k or −k."""
    alpha, power = exp_enclosure(-epsilon, 60), exp_enclosure(-abs(k) * epsilon, 60)
    once = (1 - alpha) / (1 + alpha)
    return once * once * power * ((1 + alpha * alpha) / (1 - alpha * alpha) + abs(k))


@lru_cache(maxsize=4096)
def beyond(epsilon: Fraction, u: int) -> Enclosure:
    """Pr[Z > u], for any integer u: one half of what is not 0, less the masses up to u."""
    if u < 0:
        return 1 - beyond(epsilon, -u - 1)
    half = (1 - gap_mass(epsilon, 0)) * Fraction(1, 2)
    return half + Enclosure.sum(-gap_mass(epsilon, k) for k in range(1, u + 1)) if u else half


def ahead(epsilon: Fraction, lead: int, first: bool) -> Enclosure:
    """The probability that a class so far ahead has the larger noisy count, or as large a one, and is the first."""
    return beyond(epsilon, -lead - 1 if first else -lead)


def reach(epsilon: Fraction, miss: Fraction) -> int:
    """The least u ≥ 0 that Z exceeds with no more than this probability."""
    u = 0
    while beyond(epsilon, u).upper > miss:
        u += 1
    return u


# --- trees of two classes with public splits ------------------------------------------------------------------------


def label_law(kind: str, counts: tuple[int, int], epsilon: Fraction) -> tuple[Enclosure, Enclosure]:
    """The law of a leaf's label, by its true class counts."""
    if kind == "labels":
        return drawn(counts, epsilon)
    lead = counts[0] - counts[1]
    return ahead(epsilon, lead, True), ahead(epsilon, -lead, False)


def joint_accuracy(kind: str, train: Pairs, tests: Pairs, epsilon: Fraction) -> Enclosure:
    """The mean accuracy on test rows, over the joint law of the labels of all leaves."""
    n, total = sum(map(sum, tests)), Enclosure.exactly(Fraction(0))
    laws = [label_law(kind, counts, epsilon) for counts in train]
    for labels in product((0, 1), repeat=len(train)):
        chance = Enclosure.exactly(Fraction(sum(test[label] for test, label in zip(tests, labels, strict=True)), n))
        for law, label in zip(laws, labels, strict=True):
            chance = chance * law[label]
        total = total + chance
    return total


def worst_accuracy(kind: str, train: Pairs, tests: Pairs, epsilon: Fraction, rows: int) -> Enclosure:
    """The least mean accuracy over all training data within so many added or removed rows."""
    flat = tuple(n for counts in train for n in counts)
    found = [joint_accuracy(kind, paired(there), tests, epsilon) for there in within(flat, rows)]
    return Enclosure(min(some.lower for some in found), min(some.upper for some in found))


def paired(flat: Sequence[int]) -> Pairs:
    """Two class counts for each leaf."""
    return tuple(zip(flat[::2], flat[1::2], strict=True))
