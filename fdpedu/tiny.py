"""The whole idea in one file: parties grow one private decision tree together. Read it from top to bottom.

ε-DP: with or without one row, the probability of any outcome changes by a factor of at most e^ε. One row changes a
count by 1, and the noise below changes probabilities for that by 1/α < e^ε. Costs of questions about the same row add
up; of questions about different rows the dearest counts; what is computed from noisy numbers alone costs nothing. A
party knows its own share of the noise: against it less is promised than against outsiders and the aggregator.

``python -m fdpedu.tiny`` grows a tree and prints what it cost. It is for reading: a hash of a secret that two parties
share stands in for key agreement, and hardly any bad input is refused. :func:`fdpedu.trees.fit_federated_tree` is for
releases, and withstands parties that subtract their shares; else tests hold both to the same tree, noise and cost.
"""

from __future__ import annotations

import hashlib
import math
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Coin = Callable[[Fraction], bool]
Counts = NDArray[np.int64]
Party = tuple[Counts, Counts]  # an owner's rows: the bin of each feature, shape (n, p), and the class, shape (n,)
Box = tuple[range, ...]  # of each feature the bins that lie in a node


# 1. Noise: every party adds a share of it, and the sum of all shares is discrete Laplace, exactly.
def biased(p: Fraction) -> bool:
    """Heads with probability p, exactly."""
    return secrets.randbelow(p.denominator) < p.numerator


def alpha_of(epsilon: Fraction) -> Fraction:
    """A fraction α with e^(−ε) < α < 1: a little more noise than ε asks for, because e^(−ε) is irrational."""
    if epsilon < Fraction(1, 1000):
        raise ValueError(f"epsilon of one number must be at least 1/1000 here, got {epsilon}")
    return Fraction(math.ceil(math.exp(-epsilon) * 2**20) + 1, 2**20)


def half_share(alpha: Fraction, n_parties: int, coin: Coin) -> int:
    """A number of the distribution NB(1/K, α), negative binomial: K of them add up to a geometric one.

    A geometric k, P(k) = (1−α)·α^k, is kept with probability ∏_{i≤k} (1 − d/i), d = 1 − 1/K, and else drawn again.
    """
    while True:
        k = 0
        while coin(alpha):
            k += 1
        if all(coin(1 - Fraction(n_parties - 1, n_parties * i)) for i in range(1, k + 1)):
            return k


def share(alpha: Fraction, n_parties: int, coin: Coin) -> int:
    """One party's share: K of them add up to z with P(z) = (1−α)/(1+α)·α^|z|, the discrete Laplace distribution."""
    return half_share(alpha, n_parties, coin) - half_share(alpha, n_parties, coin)


# 2. A secure sum: every party hides its noisy counts under masks that cancel in the sum.
def mask(me: int, keys: dict[tuple[int, int], bytes], number: int, size: int) -> NDArray[np.uint64]:
    """A sum over the pairs that a party is in: one of the two adds the pair's words, the other subtracts them."""
    total = np.zeros(size, dtype=np.uint64)
    for pair, key in keys.items():
        if me in pair:
            stream = np.frombuffer(hashlib.shake_256(key + number.to_bytes(8, "big")).digest(8 * size), dtype="<u8")
            total = total + stream if me == pair[0] else total - stream
    return total


# 3. A ledger: what each level of the tree has cost, as fractions.
@dataclass
class Ledger:
    """What one tree costs. Nodes of one level hold different rows: together they cost what the dearest of them does."""

    limit: Fraction
    levels: dict[str, Fraction] = field(default_factory=dict)

    def charge(self, level: str, epsilon: Fraction) -> None:
        """Book before anything is counted; refuse what is too much."""
        booked = {**self.levels, level: max(epsilon, self.levels.get(level, Fraction(0)))}
        if sum(booked.values()) > self.limit:
            raise ValueError(f"{level} would cost more than is left of {self.limit}")
        self.levels = booked


# 4. Counts: how many rows of each class lie in each bin of each feature.
@dataclass
class Federation:
    """Parties that answer together; nobody sees anything but noisy sums. Each party has the keys of its own pairs."""

    parties: Sequence[Party]
    n_bins: int
    n_classes: int
    ledger: Ledger
    coin: Coin = biased

    def __post_init__(self) -> None:
        self.rounds = 0
        self.keys = {pair: secrets.token_bytes(32) for pair in combinations(range(len(self.parties)), 2)}

    def histograms(self, party: Party, box: Box) -> Counts:
        """How many rows of a party lie in each cell of a box, [feature, bin, class]."""
        codes, labels = party
        inside = np.all([np.isin(codes[:, j], bins) for j, bins in enumerate(box)], axis=0)
        table = np.zeros((len(box), self.n_bins, self.n_classes), dtype=np.int64)
        for j in range(len(box)):
            np.add.at(table[j], (codes[inside, j], labels[inside]), 1)
        return table

    def noisy_sum(self, exact: Sequence[Counts], epsilon: Fraction) -> Counts:
        """The sum of the parties' counts, with discrete Laplace noise of rate ε in each cell."""
        alpha, n_parties, size = alpha_of(epsilon), len(self.parties), exact[0].size
        self.rounds, total = self.rounds + 1, np.zeros(size, dtype=np.uint64)  # no mask is used twice
        for me, own in enumerate(exact):  # counts, noise and mask are made at party `me`
            noise = np.array([share(alpha, n_parties, self.coin) for _ in range(size)], dtype=np.int64)
            total = total + (own.ravel() + noise).astype(np.uint64) + mask(me, self.keys, self.rounds, size)
        return total.astype(np.int64).reshape(exact[0].shape)  # the aggregator's sum, in which the masks have cancelled

    def ask(self, box: Box, level: str, epsilon: Fraction) -> Counts:
        """Noisy histograms, clipped at 0. One row stands in p of them, so each has ε/p."""
        self.ledger.charge(level, epsilon)
        noisy = self.noisy_sum([self.histograms(party, box) for party in self.parties], epsilon / len(box))
        for table, bins in zip(noisy, box, strict=True):
            table[: bins.start], table[bins.stop :] = 0, 0  # no row is there: that is public
        return np.maximum(noisy, 0)

    def leaf(self, box: Box, epsilon: Fraction) -> int:
        """The class that the noisy counts of a leaf say."""
        self.ledger.charge("leaves", epsilon)
        exact = [self.histograms(party, box)[0].sum(axis=0) for party in self.parties]
        return int(self.noisy_sum(exact, epsilon).argmax())


# 5. The tree, Algorithm 5 of the report: ask, clip, find the best split, go on with both sides.
class Split(NamedTuple):
    """Codes up to ``last`` go left; a side is a split, or the class of a leaf."""

    feature: int
    last: int
    left: Split | int
    right: Split | int


def impurity(side: Counts) -> Fraction:
    """n times Gini's 1 − Σ p̂², of the n rows of one side."""
    n = int(side.sum())
    return n - Fraction(sum(int(count) ** 2 for count in side), n)


def best_split(tables: Counts, box: Box) -> tuple[int, int] | None:
    """The feature, and the code after which to cut: the least impurity a row, the first of equal ones."""
    scores = dict[tuple[int, int], Fraction]()
    for j, bins in enumerate(box):
        for last in bins[:-1]:
            left, right = tables[j, : last + 1].sum(axis=0), tables[j, last + 1 :].sum(axis=0)
            if left.sum() and right.sum():
                scores[j, last] = (impurity(left) + impurity(right)) / int(tables[j].sum())
    return min(scores, key=lambda cut: scores[cut], default=None)


def fit(federation: Federation, epsilon: Fraction, depth: int, least: int = 10) -> Split | int:
    """Algorithm 5: half of ε is for the leaves, the other half in equal parts for the levels."""
    if federation.ledger.levels:
        raise ValueError("a second tree asks about the same rows: it needs a ledger of its own, and its cost is added")
    of_leaf, of_level = (epsilon / 2, epsilon / 2 / depth) if depth else (epsilon, Fraction(0))

    def grow(box: Box, level: int) -> Split | int:
        if level == depth:
            return federation.leaf(box, of_leaf)
        tables = federation.ask(box, f"level {level}", of_level)
        one_class = (tables.sum(axis=1) > 0).any(axis=0).sum() <= 1
        cut = None if one_class or all(table.sum() < least for table in tables) else best_split(tables, box)
        if cut is None:
            return federation.leaf(box, of_leaf)
        j, last = cut
        sides = range(box[j].start, last + 1), range(last + 1, box[j].stop)
        return Split(j, last, *(grow((*box[:j], side, *box[j + 1 :]), level + 1) for side in sides))

    return grow((range(federation.n_bins),) * federation.parties[0][0].shape[1], 0)


def predict(tree: Split | int, row: Sequence[int]) -> int:
    """The class of the leaf that a row of codes ends in."""
    return tree if isinstance(tree, int) else predict(tree.left if row[tree.feature] <= tree.last else tree.right, row)


if __name__ == "__main__":
    draw = np.random.default_rng(1)  # of the rows, not of the noise
    codes, dealt = draw.integers(8, size=(600, 2)), draw.integers(5, size=600)
    labels = ((codes[:, 0] > 4) ^ (draw.random(600) < 0.1)).astype(np.int64)
    practices = [(codes[dealt == k], labels[dealt == k]) for k in range(5)]
    together = Federation(practices, n_bins=8, n_classes=2, ledger=Ledger(Fraction(1)))
    print(fit(together, Fraction(1), depth=2))
    paid = together.ledger.levels
    print(*(f"{level}: ε = {cost}" for level, cost in paid.items()), f"together: ε = {sum(paid.values())}", sep="\n")
