"""Exact laws of trees that are grown by choices, by listing: candidates, splits, blocks, and labels of leaves.

Shares: mechanisms.permute_and_flip_pmf: which has exact tests of its own, and none of what is drawn here calls it.
"""

import math
from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from fdpedu.mechanisms import permute_and_flip_pmf
from tests.support.simulated import every_record

M = 1024


def partitions(domain, codes):
    """The ways to divide a region, given as the codes of each feature: pairs of a feature and its sides."""
    found = {}
    for j, (feature, present) in enumerate(zip(domain.features, codes, strict=True)):
        lefts = [{code} for code in range(feature.n_codes)]
        if feature.ordered:
            lefts = [set(order[: i + 1]) for order in feature.orders for i in range(len(order))]
        for left in lefts:
            sides = frozenset({frozenset(present & left), frozenset(present - left)})
            if all(sides) and len(sides) == 2:
                found.setdefault((j, sides))
    return list(found)


def mixed(labels, n_classes):
    """¾ of the errors of a leaf and ¼ of its n·h, with h = ½(1 − Σp²)."""
    counts = np.bincount(np.asarray(labels, dtype=int), minlength=n_classes).tolist()
    n = sum(counts)
    half_gini = (n - Fraction(sum(count**2 for count in counts), max(1, n))) / 2
    return Fraction(3 * (n - max(counts)), 4) + half_gini / 4


def parts(codes, labels, split):
    """The labels on each side of a split, in the order of the sorted sides."""
    j, sides = split
    return [[y for row, y in zip(codes, labels, strict=True) if row[j] in side] for side in sorted(map(sorted, sides))]


def loss(domain, codes, labels, split):
    """⌊m·loss⌋ of both sides together."""
    return math.floor(M * sum(mixed(side, domain.n_classes) for side in parts(codes, labels, split)))


def flips_law(domain, region, codes, labels, epsilon):
    """The law of one split by permute-and-flip; {None: 1} where nothing divides the region."""
    splits = partitions(domain, region)
    if not splits:
        return {None: 1.0}
    losses = [-loss(domain, codes, labels, split) for split in splits]
    masses = permute_and_flip_pmf(losses, str(epsilon), sensitivity=M, monotone=True)
    return {split: float(mass) for split, mass in zip(splits, masses, strict=True)}


def sides_of(region, codes, labels, split):
    """Region, codes and labels of each side of a split."""
    j, sides = split
    for side in sorted(map(sorted, sides)):
        own = [i for i, row in enumerate(codes) if row[j] in side]
        inside = [frozenset(side) if f == j else present for f, present in enumerate(region)]
        yield inside, [codes[i] for i in own], [labels[i] for i in own]


def blocks_law(domain, region, codes, labels, epsilon):
    """The law of a block: a root, and a split of each side or None; Pr ∝ e^{−ε·loss/m}."""
    weights = {}
    for root in partitions(domain, region):
        options = []
        for inside, own, classes in sides_of(region, codes, labels, root):
            listed = {split: loss(domain, own, classes, split) for split in partitions(domain, inside)}
            options.append(listed or {None: math.floor(M * mixed(classes, domain.n_classes))})
        for (left, a), (right, b) in product(options[0].items(), options[1].items()):
            weights[root, left, right] = math.exp(-float(epsilon) * (a + b) / M)
    whole = sum(weights.values())
    return {block: weight / whole for block, weight in weights.items()} or {None: 1.0}


@cache
def label_law(counts, rate):
    """The probability that each class has the largest noisy count, ties to the first; discrete Laplace noise."""
    alpha, reach = math.exp(-float(rate)), math.ceil(40 / float(rate))
    noise = np.array([(1 - alpha) / (1 + alpha) * alpha ** abs(k) for k in range(-reach, reach + 1)])
    first, second = (np.arange(-reach, reach + 1) + count for count in counts)
    below = np.cumsum(noise)[np.clip(first - second[0], -1, len(noise) - 1)] * (first >= second[0])
    one = float((noise * below).sum())  # the second is at most the first
    return one, 1 - one


def tree_law(domain, rows, leaf, depth, decide):
    """The joint law of what a tree of two classes says of every record.

    Parameters
    ----------
    domain, rows : codes and labels of all rows
    leaf : the rate of the noise of leaves
    depth : of the tree
    decide : of level, region, and what was decided above, the laws of a split, each with what its sides are told
    """
    records = [tuple(record) for record in every_record(domain).tolist()]

    def grow(level, region, codes, labels, told):
        inside = [record for record in records if all(c in r for c, r in zip(record, region, strict=True))]
        law = defaultdict(float)
        choices = decide(level, region, told) if level < depth else {(None, None): 1.0}
        for (split, below), mass in choices.items():
            if split is None:
                counts = tuple(np.bincount(np.array(labels, dtype=int), minlength=2).tolist())
                for label, chance in enumerate(label_law(counts, leaf)):
                    law[tuple((record, label) for record in inside)] += mass * chance
                continue
            below = below or (None, None)
            laws = [grow(level + 1, *side, own)
                    for side, own in zip(sides_of(region, codes, labels, split), below, strict=True)]  # fmt: skip
            for (a, p), (b, q) in product(laws[0].items(), laws[1].items()):
                law[tuple(sorted(a + b))] += mass * p * q
        return law

    whole = [frozenset(range(feature.n_codes)) for feature in domain.features]
    found = defaultdict(float)
    for labels, mass in grow(0, whole, *rows, None).items():
        found[tuple(label for _, label in sorted(labels))] += mass
    return found
