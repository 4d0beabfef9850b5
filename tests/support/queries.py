"""An example of each type of queries, and what it is: one row for all tests of what a type can be asked and answers."""

import hashlib
from fractions import Fraction

import numpy as np

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClassCounts, ClassHistogram, GroupCounts, NodeBounds, NodeHistograms
from fdpedu.federation.queries import Model, OutcomeCounts
from fdpedu.secure_sum import canonical

DOMAIN = Domain([Numeric.grid("x", 0, 3, bins=3), Categorical("w", ("A", "B"))], ("a", "b", "c"))
WHOLE = DOMAIN.everything
PART = WHOLE.restrict(0, [1, 2]).restrict_class([0, 2])
THIRD = Fraction(1, 3)
ROWS = [(0.5, "A", "a"), (1.5, "A", "a"), (2.5, "A", "c"), (1.2, "B", "b"), (1.7, "A", "a"), (0.1, "A", "b")]


# of ward A: a up to 1, c above; of ward B: b
MODEL = Model(((1, 0b01), (0, 0b001), (0,), (2,), (1,)))

# query; shape, words, claim, releases, sensitivity; form; what it counts
QUERIES = {
    "nodes": (
        NodeHistograms(PART, THIRD),
        ((5, 3), "class × bin histograms of all features", "thm-node-histograms", 2, 1),
        ("node-histograms", ((0, 6), (2, 5)), THIRD),
        [0, 0, 0, 2, 0, 0, 0, 0, 1, 2, 0, 1, 0, 0, 0],
    ),
    "groups": (
        GroupCounts(WHOLE, THIRD, 2),
        ((4,), "counts of all features in 2 groups", "lem-group-counts", 2, 1),
        ("group-counts", (), THIRD, 2),
        [5, 1, 5, 1],
    ),
    "groups of a part": (
        GroupCounts(PART, THIRD, np.int64(256)),
        ((5,), "counts of all features in 256 groups", "lem-group-counts", 2, 1),
        ("group-counts", ((0, 6), (2, 5)), THIRD, 256),
        [0, 2, 1, 3, 0],
    ),
    "histogram": (
        ClassHistogram(PART, THIRD, 0),
        ((3, 3), "class × bin histogram of x", "thm-histogram", 1, 1),
        ("class-histogram", ((0, 6), (2, 5)), THIRD, 0),
        [0, 0, 0, 2, 0, 0, 0, 0, 1],
    ),
    "second histogram": (
        ClassHistogram(WHOLE, THIRD, 1),
        ((2, 3), "class × bin histogram of w", "thm-histogram", 1, 1),
        ("class-histogram", (), THIRD, 1),
        [3, 1, 1, 0, 1, 0],
    ),
    "counts": (
        ClassCounts(WHOLE.restrict(1, [0]), THIRD),
        ((3,), "class counts of a leaf", "thm-histogram", 1, 1),
        ("class-counts", ((1, 1),), THIRD),
        [3, 1, 1],
    ),
    "counts of one class": (
        ClassCounts(WHOLE.restrict_class([0]), "1/3"),
        ((3,), "class counts of a leaf", "thm-histogram", 1, 1),
        ("class-counts", ((2, 1),), THIRD),
        [3, 0, 0],
    ),
    "bounds": (
        NodeBounds(WHOLE, "1/3", np.int64(1)),
        ((2,), "impurity lower bounds of all features, in steps of 1/1", "thm-node-bounds", 2, 1),
        ("node-bounds", (), THIRD, 1),
        [1, 1],
    ),
    "finer bounds": (
        NodeBounds(WHOLE, THIRD, 60),
        ((2,), "impurity lower bounds of all features, in steps of 1/60", "thm-node-bounds", 2, 60),
        ("node-bounds", (), THIRD, 60),
        [72, 84],
    ),
    "bounds of a part": (
        NodeBounds(PART, THIRD, 12),
        ((2,), "impurity lower bounds of all features, in steps of 1/12", "thm-node-bounds", 2, 12),
        ("node-bounds", ((0, 6), (2, 5)), THIRD, 12),
        [0, 8],
    ),
    "bounds of a pure part": (
        NodeBounds(WHOLE.restrict(0, [2]), THIRD, 7),
        ((2,), "impurity lower bounds of all features, in steps of 1/7", "thm-node-bounds", 2, 7),
        ("node-bounds", ((0, 4),), THIRD, 7),
        [0, 0],
    ),
    "outcomes": (
        OutcomeCounts(WHOLE, THIRD, MODEL),
        ((3, 2), "right and wrong predictions of a model, by predicted class", "lem-noisy-score", 1, 1),
        ("outcome-counts", (), THIRD, MODEL.nodes),
        [1, 1, 1, 0, 1, 2],
    ),
    "outcomes of a part": (
        OutcomeCounts(PART, THIRD, Model(((2,),))),
        ((3, 2), "right and wrong predictions of a model, by predicted class", "lem-noisy-score", 1, 1),
        ("outcome-counts", ((0, 6), (2, 5)), THIRD, ((2,),)),
        [0, 0, 0, 0, 1, 2],
    ),
}
PARAMETERS = {
    "groups": {"groups": 2},
    "groups of a part": {"groups": 256},
    "histogram": {"feature": 0},
    "second histogram": {"feature": 1},
    "bounds": {"lattice": 1},
    "finer bounds": {"lattice": 60},
    "bounds of a part": {"lattice": 12},
    "bounds of a pure part": {"lattice": 7},
    "outcomes": {"model": hashlib.sha256(canonical(MODEL.nodes)).hexdigest()},
    "outcomes of a part": {"model": hashlib.sha256(canonical(((2,),))).hexdigest()},
}
