"""The mechanisms that chapter 17 puts on trial, each beside its right version, with an event that gives it away.

A mechanism takes data and n, and returns n outputs. Its event says of each output: 1 "this is D′", −1 "this is D",
0 "no guess". Where the law of an output can be written down, `shares` is how probable the guesses 1 and −1 are on D and
on D′; so the number of runs that a bet needs is computed before anything is drawn.
The names in brackets are those of StatDP and DP-Sniper. Noise is drawn in floats: these are mechanisms to be audited,
and none to be used.
"""

# Longer than 400 lines because twenty mechanisms, each with its right version, event and law, are one table.

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import comb, exp, prod
from typing import Any

import numpy as np

Data = Sequence[Any]
Mechanism = Callable[[Data, int, np.random.Generator], Any]
Shares = tuple[float, float, float, float]  # Pr[guess 1 | D], Pr[guess −1 | D], Pr[guess 1 | D′], Pr[guess −1 | D′]


@dataclass(frozen=True)
class Trial:
    """A broken mechanism and its right version.

    Attributes
    ----------
    name : what is wrong, in words
    known : its name in StatDP or DP-Sniper, or where it is from
    pair : D and D′
    broken, right : the mechanism with the fault, and without
    guess : outputs → 1, −1 or 0 for each
    shares : of the broken one; None where the event is learnt and nothing is computed
    epsilon, delta : what is claimed of both
    one_by_one : whether outputs come one at a time, because some of them are exceptions
    found : whether an audit can find the fault at all
    """

    name: str
    pair: tuple[Data, Data]
    broken: Mechanism
    right: Mechanism
    guess: Callable[[Any], Any] | None
    shares: Shares | None
    known: str = ""
    epsilon: float = 1
    delta: float = 0
    one_by_one: bool = False
    found: bool = True


# --- Noise and its law ---


def noise(rng: np.random.Generator, epsilon: float, size: Any) -> Any:
    """Discrete Laplace noise with α = e^−ε."""
    q = 1 - exp(-epsilon)
    return rng.geometric(q, size) - rng.geometric(q, size)


def at_least(k: int, epsilon: float) -> float:
    """How probable it is that this noise is k or more."""
    a = exp(-epsilon)
    return a**k / (1 + a) if k >= 1 else 1 - a ** (1 - k) / (1 + a)


def among(k: int, n: int, p: float) -> float:
    """How probable k or more of n independent coins of probability p are."""
    return sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1))


# --- Counts ---


def counted(data: Data, n: int, rng: np.random.Generator, *, rate: float) -> Any:
    """The number of rows, with noise of a rate."""
    return len(data) + noise(rng, rate, n)


def above(outputs: Any) -> Any:
    """Guess by one number: 1 or more is D′."""
    return np.where(np.asarray(outputs) >= 1, 1, -1)


def count_trial(name: str, rate: float) -> Trial:
    high, low = at_least(0, rate), at_least(1, rate)
    right = partial(counted, rate=1)
    return Trial(name, ((), (1,)), partial(counted, rate=rate), right, above, (low, high, high, low))


def labels(data: Data, n: int, rng: np.random.Generator, *, rate: float) -> Any:
    """The counts of two labels, with noise."""
    return np.bincount(data, minlength=2) + noise(rng, rate, (n, 2))


def swapped(outputs: Any) -> Any:
    """One count up and the other down."""
    y = np.asarray(outputs)
    return np.where((y[:, 1] >= 1) & (y[:, 0] <= 0), 1, np.where((y[:, 0] >= 1) & (y[:, 1] <= 0), -1, 0))


def cells(data: Data, n: int, rng: np.random.Generator, *, rate: float, many: int) -> Any:
    """So many counts of the same rows, each with noise of a rate."""
    return len(data) + noise(rng, rate, (n, many))


def most(outputs: Any, *, enough: int) -> Any:
    """Guess where enough of the numbers are on one side."""
    up = np.sum(np.asarray(outputs) >= 1, axis=1)
    many = np.shape(outputs)[1]
    return np.where(up >= enough, 1, np.where(up <= many - enough, -1, 0))


def cells_trial(name: str, many: int, rate: float, enough: int, known: str = "") -> Trial:
    high, low = (among(enough, many, at_least(k, rate)) for k in (0, 1))
    broken, right = (partial(cells, rate=r, many=many) for r in (rate, 1 / many))
    return Trial(name, ((), (1,)), broken, right, partial(most, enough=enough), (low, high, high, low), known)


# --- Trees ---


def stump(data: Data, n: int, rng: np.random.Generator, *, rate: float) -> Any:
    """A tree of one split on one of two features of two values: which feature, and a label on either side.

    Its two histograms have noise of a rate; the feature of the least Gini impurity is split, and each side has the
    label of its larger count. An output is a number from 0 to 7.
    """
    exact = np.zeros((2, 2, 2), int)  # feature, value, class
    for *x, y in data:
        for feature, value in enumerate(x):
            exact[feature, value, y] += 1
    counts = np.maximum(exact + noise(rng, rate, (n, 2, 2, 2)), 0)
    sides = counts.sum(axis=3)
    impurity = np.where(sides > 0, 2 * counts[..., 0] * counts[..., 1] / np.maximum(sides, 1), 0).sum(axis=2)
    feature = np.argmin(impurity, axis=1)
    chosen = counts[np.arange(n), feature]
    label = (chosen[..., 1] > chosen[..., 0]).astype(int)
    return 4 * feature + 2 * label[:, 0] + label[:, 1]


# --- Insiders and the Gaussian ---


def shared(data: Data, n: int, rng: np.random.Generator, *, shape: float) -> Any:
    """A count with the noise that is left when an insider subtracts its own share."""
    q = 1 - exp(-1)
    return len(data) + rng.negative_binomial(shape, q, n) - rng.negative_binomial(shape, q, n)


def shared_at(k: int, shape: float) -> float:
    """How probable this noise is k."""
    a, masses = exp(-1), [(1 - exp(-1)) ** shape]
    for j in range(400):
        masses.append(masses[-1] * a * (shape + j) / (j + 1))
    return sum(masses[j] * masses[j + k] for j in range(400 - k))


def zero_or_one(outputs: Any) -> Any:
    y = np.asarray(outputs)
    return np.where(y == 1, 1, np.where(y == 0, -1, 0))


def insider_trial(parties: int) -> Trial:
    zero, one = (shared_at(k, (parties - 1) / parties) for k in (0, 1))
    broken, right = partial(shared, shape=(parties - 1) / parties), partial(shared, shape=1)
    name = f"one insider among {parties} subtracts its share"
    return Trial(name, ((), (1,)), broken, right, zero_or_one, (one, zero, zero, one))


GAUSS = np.exp(-(np.arange(-60, 61) ** 2) / 2)
GAUSS /= GAUSS.sum()  # the discrete Gaussian with σ = 1


def gaussian(data: Data, n: int, rng: np.random.Generator) -> Any:
    """A count with Gaussian noise, σ = 1."""
    return len(data) + np.searchsorted(np.cumsum(GAUSS), rng.random(n)) - 60


def far_out(outputs: Any) -> Any:
    y = np.asarray(outputs)
    return np.where(y >= 3, 1, np.where(y <= -2, -1, 0))


# --- The sparse vector technique, and the noisy maximum ---

TOP, BOTTOM, SILENT, BELOW = 1, 0, -999, -998


def sparse(
    data: Data, n: int, rng: np.random.Generator, *, threshold: float, query: float | None, most: int | None
) -> Any:
    """Lyu, Su and Li's figure 1: which of the answers are above a threshold of 0, both with noise of these rates.

    ``query`` None is no noise on the answers, ``most`` None is no end.
    """
    rho = noise(rng, threshold, (n, 1))
    nu = 0 if query is None else noise(rng, query, (n, len(data)))
    above_it = np.asarray(data) + nu >= rho
    if most is None:
        return above_it.astype(int)
    before = np.cumsum(above_it, axis=1) - above_it
    return np.where(before >= most, SILENT, above_it.astype(int))


def sparse_with_numbers(data: Data, n: int, rng: np.random.Generator) -> Any:
    """Algorithm 3 with ε = 1, c = 1: the first answer above the threshold is given with its noise."""
    rho, noisy = noise(rng, 0.5, (n, 1)), np.asarray(data) + noise(rng, 0.5, (n, len(data)))
    above_it = noisy >= rho
    before = np.cumsum(above_it, axis=1) - above_it
    return np.where(before >= 1, SILENT, np.where(above_it, noisy, BELOW))


def pattern(outputs: Any, *, one: Sequence[int] | None, other: Sequence[int]) -> Any:
    """Guess D′ where the output is the one list, D where it is the other."""
    y = np.asarray(outputs)
    hit = np.zeros(len(y), bool) if one is None else np.all(y == one, axis=1)
    return np.where(hit, 1, np.where(np.all(y == other, axis=1), -1, 0))


def pattern_share(data: Data, shown: Sequence[int], threshold: float, query: float | None) -> float:
    """How probable it is that a sparse vector shows this list."""
    a, total = exp(-threshold), 0.0
    for rho in range(-80, 81):
        p = (1 - a) / (1 + a) * a ** abs(rho)
        for answer, which in zip(data, shown, strict=True):
            top = float(answer >= rho) if query is None else at_least(rho - answer, query)
            p *= {TOP: top, BOTTOM: 1 - top, SILENT: 1.0}[which]
        total += p
    return total


def sparse_trial(name: str, known: str, pair: tuple[Data, Data], one: Data | None, **rates: Any) -> Trial:
    """The list that makes one guess D′, and D's own list; the right version is Algorithm 1 with as many positives."""
    of, other = partial(pattern_share, threshold=rates["threshold"], query=rates["query"]), pair[0]
    shares = (*(of(data, one) if one else 0.0 for data in pair), *(of(data, other) for data in pair))
    c = sum(k == TOP for k in other)
    right = partial(sparse, threshold=0.5, query=0.5 / (2 * c), most=c)
    guess = partial(pattern, one=one, other=other)
    return Trial(
        name, pair, partial(sparse, **rates), right, guess, (shares[0], shares[2], shares[1], shares[3]), known
    )


def numbered(outputs: Any) -> Any:
    """Algorithm 3: guess D where all answers but the last are below, and the last one is shown as 2 or less."""
    y = np.asarray(outputs)
    return np.where(np.all(y[:, :-1] == BELOW, axis=1) & (y[:, -1] > BELOW) & (y[:, -1] <= 2), -1, 0)


def numbered_share(data: Data) -> float:
    """How probable that guess is."""
    a = exp(-0.5)
    law = {k: (1 - a) / (1 + a) * a ** abs(k) for k in range(-120, 121)}
    below = {rho: prod(1 - at_least(rho - answer, 0.5) for answer in data[:-1]) for rho in law}
    last = {rho: sum(q for k, q in law.items() if rho <= data[-1] + k <= 2) for rho in law}
    return sum(law[rho] * below[rho] * last[rho] for rho in law)


def largest(data: Data, n: int, rng: np.random.Generator, *, value: bool) -> Any:
    """The largest of noisy counts at ε/2 each: its value, or its place."""
    noisy = np.asarray(data) + noise(rng, 0.5, (n, len(data)))
    return noisy.max(axis=1) if value else np.argmax(noisy, axis=1)


def small_maximum(outputs: Any) -> Any:
    """Guess D where the largest is 0 or less."""
    return np.where(np.asarray(outputs) <= 0, -1, 0)


# --- What a single output gives away ---


def shortened(data: Data, n: int, rng: np.random.Generator, *, classes: int = 0) -> Any:
    """Noisy counts of a leaf's labels; without a least length there are as many as the largest label needs."""
    exact = np.bincount(np.asarray(data, int), minlength=classes)
    return [tuple((exact + noise(rng, 1, len(exact))).tolist()) for _ in range(n)]


def edges(data: Data, n: int, rng: np.random.Generator, *, public: bool) -> Any:
    """A noisy histogram with its first and last edge."""
    ends = (0, 9) if public else (min(data), max(data))
    return [(*ends, int(len(data) + noise(rng, 1, ()))) for _ in range(n)]


def share(data: Data, n: int, rng: np.random.Generator, *, empty: bool) -> Any:
    """The share of label 1 in a leaf, from noisy counts; of an empty leaf there is an exception, or one half."""
    exact = np.bincount(np.asarray(data, int), minlength=2)
    if not empty and not exact.sum():
        raise ZeroDivisionError("an empty leaf has no share")
    noisy = np.maximum(exact + noise(rng, 1, (n, 2)), 0)
    total = noisy.sum(axis=1)
    return np.where(total > 0, noisy[:, 1] / np.maximum(total, 1), 0.5)


def same_seed(data: Data, n: int, rng: np.random.Generator) -> Any:
    """A count with noise of the right scale whose seed is used again for each run: one noise for all of them."""
    again = np.random.default_rng(rng.bit_generator.seed_seq)
    return np.full(n, len(data) + noise(again, 1, ()))


def real(data: Data, n: int, rng: np.random.Generator) -> Any:
    """The textbook's Laplace noise in floats."""
    return len(data) + rng.laplace(0, 1, n)


def snapped(data: Data, n: int, rng: np.random.Generator) -> Any:
    """A number that is not whole, with noise in public steps of 1/8 (drawn as that of whole numbers of steps)."""
    return (8 * len(data) + noise(rng, 1 / 8, n)) / 8


def low_bits(outputs: Any) -> Any:
    """Guess by the last bits: near 0, what is no multiple of 2⁻⁵³ cannot be 1 plus a float."""
    y = np.asarray(outputs, float)
    return np.where((np.abs(y) < 0.5) & (y * 2.0**53 % 1 != 0), -1, 0)


def of_length(k: int) -> Callable[[Any], Any]:
    return lambda outputs: np.array([1 if len(y) == k else -1 for y in outputs])


# --- All of them ---

WITHOUT = ((0, 0, 0), (0, 1, 1), (1, 0, 1))  # rows of two features and a label
WITH = (*WITHOUT, (0, 0, 1))
CERTAIN: Shares = (0.0, 1.0, 1.0, 0.0)


def counts() -> tuple[Trial, ...]:
    """Noise that is too small, and counts that are charged once."""
    high, low = at_least(0, 1), at_least(1, 1)
    gauss = [float(GAUSS[60 + 3 - d :].sum()) for d in (0, 1)]
    return (
        count_trial("half of the noise", 2),
        count_trial("a fifth of the noise is missing", 1.25),
        Trial(
            "substitution claimed, noise for add/remove",
            ((0,), (1,)),
            partial(labels, rate=1),
            partial(labels, rate=0.5),
            swapped,
            (low**2, high**2, high**2, low**2),
        ),
        cells_trial("5 features in parallel: the transcript", 5, 1, 4),
        _stump_trial(),
        cells_trial("Algorithm 6: 10 bounds charged once", 10, 0.8, 7),
        cells_trial("4 levels charged as 3", 4, 1 / 3, 4),
        insider_trial(2),
        insider_trial(5),
        Trial(
            "Gaussian noise sold as pure ε",
            ((), (1,)),
            gaussian,
            partial(counted, rate=1),
            far_out,
            (gauss[0], gauss[1], gauss[1], gauss[0]),
        ),
    )


def _stump_trial() -> Trial:
    """An output of 8, so each is a guess of its own; the law says that none is telling."""
    name = "2 features in parallel: the tree"
    return Trial(name, (WITHOUT, WITH), partial(stump, rate=1), partial(stump, rate=0.5), None, None, found=False)


def choices() -> tuple[Trial, ...]:
    """What chooses among answers. D and D′ stand here as the answers to the queries."""
    three = (0, 0, 0, 0), (1, 1, 1, -1)
    small = tuple((1 - at_least(1 - answer, 0.5)) ** 5 for answer in (0, 1))
    return (
        Trial(
            "sparse vector that shows its number",
            three,
            sparse_with_numbers,
            partial(sparse, threshold=0.5, query=0.25, most=1),
            numbered,
            (0.0, numbered_share(three[0]), 0.0, numbered_share(three[1])),
            "SVT3",
        ),
        sparse_trial(
            "sparse vector, noise without the number of positives",
            "SVT4",
            ((0, 0, 1, 1), (1, 1, 0, 0)),
            None,
            threshold=0.25,
            query=0.75,
            most=2,
        ),
        sparse_trial(
            "sparse vector without noise on the answers",
            "SVT5",
            ((0, 1), (1, 0)),
            (1, 0),
            threshold=0.5,
            query=None,
            most=None,
        ),
        sparse_trial(
            "sparse vector without an end",
            "SVT6",
            ((0, 0, 0, 1, 1, 1), (1, 1, 1, 0, 0, 0)),
            (1, 1, 1, 0, 0, 0),
            threshold=0.5,
            query=0.5,
            most=None,
        ),
        Trial(
            "noisy maximum that returns its noisy value",
            ((0,) * 5, (1,) * 5),
            partial(largest, value=True),
            partial(largest, value=False),
            small_maximum,
            (0.0, small[0], 0.0, small[1]),
            "NoisyMax3",
        ),
    )


def certain() -> tuple[Trial, ...]:
    """Where single outputs are impossible on one side, or nearly so; and noise that is not drawn anew."""
    near = float(np.mean(low_bits(np.random.default_rng(17).laplace(0, 1, 400_000)) == -1))
    return (
        Trial(
            "leaf counts without a least length",
            ((0,), (0, 1)),
            shortened,
            partial(shortened, classes=2),
            of_length(2),
            CERTAIN,
        ),
        Trial(
            "edges from the data",
            ((3, 5), (3, 5, 7)),
            partial(edges, public=False),
            partial(edges, public=True),
            lambda outputs: np.array([1 if y[1] == 7 else -1 for y in outputs]),
            CERTAIN,
        ),
        Trial(
            "an exception on an empty leaf",
            ((), (1,)),
            partial(share, empty=False),
            partial(share, empty=True),
            None,
            None,
            one_by_one=True,
        ),
        Trial("one noise for all runs", ((), (1,)), same_seed, partial(counted, rate=1), None, None),
        Trial("textbook Laplace noise in floats", ((), (1,)), real, snapped, low_bits, (0.0, near, 0.0, 0.0)),
    )


def trials() -> tuple[Trial, ...]:
    """Every one, in the order of the chapter's table."""
    return (*counts(), *choices(), *certain())
