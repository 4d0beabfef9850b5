"""Small hospitals for FedGA-Tree, and its trees once more: by trying every threshold, in fractions."""

from fractions import Fraction
from itertools import pairwise

import numpy as np

from fdpedu.cart.structures import Structure
from fdpedu.domain import Categorical, Domain, Numeric

FEATURES = (Numeric.grid("x", 0, 8, bins=4), Categorical("w", ("A", "B", "C")), Numeric.grid("z", 0, 8, bins=8))
CLASSES = Domain(FEATURES, ("a", "b", "c"))
NUMBERS = Domain(FEATURES, target=Numeric.grid("y", 0, 16, bins=16))
DOMAINS = {"classification": CLASSES, "regression": NUMBERS}


def hospitals(task, n_parties=4, n=25, seed=0):
    """Raw rows of parties that are alike: what is predicted depends on all three features."""
    rng = np.random.default_rng([seed, 16])
    found = []
    for _ in range(n_parties):
        x, w, z = rng.uniform(0, 8, n).round(2), rng.integers(0, 3, n), rng.integers(0, 9, n)
        level = (x > 4) + (w == 1) * (z > 3) + (rng.random(n) < 0.1)
        y = (
            ["abc"[k] for k in np.minimum(level, 2)]
            if task == "classification"
            else (4 * level + rng.normal(4, 0.5, n)).round(3).tolist()
        )
        found.append(([[a, "ABC"[b], c] for a, b, c in zip(x.tolist(), w, z.tolist(), strict=True)], y))
    return found


def loss(targets, task):
    """n times the Gini impurity, or the sum of squared distances from the mean."""
    n = len(targets)
    if task == "classification":
        return n - sum(Fraction(targets.count(one)) ** 2 for one in set(targets)) / n
    return sum(Fraction(y) ** 2 for y in targets) - sum(map(Fraction, targets)) ** 2 / n


def label(targets, task):
    if task == "classification":
        return max(sorted(set(targets)), key=targets.count)
    return sum(map(Fraction, targets)) / len(targets)


def cuts(rows, feature, task):
    """Loss left, threshold and both sides for every cut halfway between values."""
    for a, b in pairwise(sorted({row[feature] for row, _ in rows})):
        sides = [[one for one in rows if (one[0][feature] > (a + b) / 2) == bool(side)] for side in (0, 1)]
        yield sum(loss([y for _, y in side], task) for side in sides), (a + b) / 2, sides


def fitted(rows, structure, task):
    """Nested: a label, or a feature, a threshold and two sides. Of equals the smallest threshold."""
    targets = [y for _, y in rows]
    found = [] if structure.feature is None or len(set(targets)) == 1 else [*cuts(rows, structure.feature, task)]
    if not found:
        return label(targets, task)
    _, threshold, sides = min(found, key=lambda one: one[:2])
    below = (structure.left, structure.right)
    return structure.feature, threshold, *(fitted(s, b, task) for s, b in zip(sides, below, strict=True))


def grown(rows, depth, task, n_features=3):
    """The structure of CART, of equals the first feature and the smallest threshold."""
    targets = [y for _, y in rows]
    features = range(n_features if depth and len(set(targets)) > 1 else 0)
    found = [(left, j, threshold, sides) for j in features for left, threshold, sides in cuts(rows, j, task)]
    if not found:
        return Structure()
    _, feature, _, sides = min(found, key=lambda one: one[:3])
    return Structure(feature, *(grown(side, depth - 1, task, n_features) for side in sides))


def nested(tree, at=0):
    """A tree of the package in the form of :func:`fitted`."""
    node = tree.nodes[at]
    if node.feature is None:
        return tree.domain.classes[int(node.label)] if tree.task == "classification" else node.label
    return node.feature, node.threshold, *(nested(tree, side) for side in node.sides)
