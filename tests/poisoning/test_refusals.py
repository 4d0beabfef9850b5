"""What is refused, in whole sentences: numbers outside their domain, and trees that certify nothing."""

from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import pytest

from fdpedu.accounting import Cost
from fdpedu.cart import Node
from fdpedu.domain import Domain
from fdpedu.robust import (
    attack_success,
    attack_success_bound,
    best_attack,
    certified_rows,
    certify,
    fit_partition_ensemble,
    plant_backdoor,
    poisoning_curve,
    structured_bound,
    triggered,
    worst_case,
)
from fdpedu.robust.ensemble import certified_rows_of_votes
from fdpedu.robust.knapsack import least_value
from fdpedu.sources.vos import attack_success_bound_as_printed, poisoning_bound_as_printed
from fdpedu.trees import LeafRelease
from tests.support.forged_trees import CLEAN, DOMAIN, grown, released, table
from tests.support.private_trees import grown as grown_federated
from tests.support.sentences import said_in_full

X, Y = table(((2, 1), (1, 3)))
TRUE = table(((3, 1), (1, 3)))
DRAWN = grown(((3, 1), (1, 3)), leaves="labels")
PRIVATE = grown(((3, 1), (1, 3)), splits="choice")
PRUNED = replace(grown(((9, 0), (9, 0)), epsilon=50), root=Node((18, 0)))
DEEP = grown(((9, 0), (0, 9)), splits="random", max_depth=2, seed=3)
HALF_PRUNED = replace(DEEP, root=replace(DEEP.root, left=Node((9, 0))))
THREE, _ = grown_federated()
OTHER = replace(CLEAN, root=replace(CLEAN.root, left=Node((1, 3))))
IN_RHO = replace(CLEAN, leaf_releases=tuple(replace(r, cost=Cost("gaussian", "1/2")) for r in CLEAN.leaf_releases))
OF_THREE = replace(CLEAN, classes=("a", "b", "c"))
LEAVES = [(9, 1, "0.9")]


def cart_of(rows, labels, parts=2, domain=DOMAIN, **options):
    return fit_partition_ensemble(rows, labels, domain, parts, **options)


LOOKED = (
    "tree has splits that looked at rows, so it may be a lucky draw and certifies nothing: take splits that are "
    "public, from a tree on public rows or from public coins"
)
LABELS = "tree has labels only, which do not say how firm they are: fit it with leaves='counts'"
ONE = "rows and target: give one of them, how many rows are forged, or what is to be left"
PAID = "tree must have leaves that were each paid for in ε, and all cost the same"
CALLS = {
    "level must lie between 0 and 1, got 3/2": [
        lambda: poisoning_curve("3/2", 1, 1),
        lambda: poisoning_bound_as_printed("3/2", 1, 1),
        lambda: certified_rows("3/2", 1, "1/2"),
    ],
    "level must be a finite number (an int, a Fraction, a decimal, or text like '1/3'), got nan": [
        lambda: poisoning_curve(float("nan"), 1, 1)
    ],
    "epsilon must be at least 0, got -1": [
        lambda: poisoning_curve("1/2", -1, 1),
        lambda: poisoning_bound_as_printed("1/2", -1, 1),
        lambda: attack_success_bound("1/2", -1, 1),
    ],
    "epsilon must be greater than 0, got 0": [lambda: certified_rows("0.9", 0, "0.8")],
    "rows must be an integer ≥ 0, got -1": [
        lambda: poisoning_curve("1/2", 1, -1),
        lambda: structured_bound(LEAVES, 1, -1),
        lambda: certify(CLEAN, X, Y, rows=-1),
        lambda: worst_case(CLEAN, X, Y, *TRUE, -1),
        lambda: best_attack(CLEAN, X, Y, *TRUE, -1),
        lambda: plant_backdoor(X, Y, {0: 1}, source="no", target="yes", rows=-1),
        lambda: cart_of(X, Y).certified_accuracy(X, Y, -1),
    ],
    "rows must be an integer ≥ 0, got 1.5": [lambda: poisoning_curve("1/2", 1, 1.5)],
    "rows must be an integer ≥ 0, got True": [lambda: certify(CLEAN, X, Y, rows=True)],
    "rows must be at most 10000, got 10001": [
        lambda: structured_bound(LEAVES, 1, 10_001),
        lambda: certify(CLEAN, X, Y, rows=10_001),
        lambda: worst_case(CLEAN, X, Y, *TRUE, 10_001),
    ],
    "delta must lie between 0 and 1, got -1/2": [lambda: poisoning_curve("1/2", 1, 1, delta="-1/2")],
    "clean_rate must lie between 0 and 1, got 2": [
        lambda: attack_success_bound(2, 1, 1),
        lambda: attack_success_bound_as_printed(2, 1, 1),
    ],
    "level must lie strictly between 0 and 1, got 1: at 1 every number of rows is certified, at 0 there is nothing to "
    "certify": [lambda: certified_rows(1, 1, "1/2")],
    "level must lie strictly between 0 and 1, got 0: at 1 every number of rows is certified, at 0 there is nothing to "
    "certify": [lambda: certified_rows(0, 1, 0)],
    "target must be greater than 0 and at most the level 4/5, got 9/10: more than the level is not there without any "
    "forged row": [lambda: certified_rows("0.8", 1, "0.9")],
    "target must be greater than 0 and at most the level 4/5, got 0: more than the level is not there without any "
    "forged row": [lambda: certified_rows("0.8", 1, 0)],
    "epsilon_leaf must be at least 0, got -1": [lambda: structured_bound(LEAVES, -1, 1)],
    "epsilon_structure must be at least 0, got -1": [lambda: structured_bound(LEAVES, 1, 1, epsilon_structure=-1)],
    "leaves must have a test row at least, and two million at most": [
        lambda: structured_bound([], 1, 1),
        lambda: structured_bound([(0, 0, 1)], 1, 1),
        lambda: structured_bound([(2**20, 2**20, 1)] * 2, 1, 1),
    ],
    "leaves must be triples (a, b, q): test rows of either class, and a probability": [
        lambda: structured_bound([(1, 2)], 1, 1),
        lambda: structured_bound(["abc"], 1, 1),
    ],
    "leaves must lie between 0 and 1, got 2": [lambda: structured_bound([(1, 2, 2)], 1, 1)],
    "leaves must be an integer ≥ 0, got -1": [lambda: structured_bound([(1, -1, 1)], 1, 1)],
    LOOKED: [
        lambda: certify(PRIVATE, X, Y, rows=1),
        lambda: certify(replace(CLEAN, design=None), X, Y, rows=1),
        lambda: certify(THREE, X, Y, rows=1),
    ],
    "tree must have public splits: forged rows move the others, too": [
        lambda: worst_case(PRIVATE, X, Y, *TRUE, 1),
        lambda: best_attack(PRIVATE, X, Y, *TRUE, 1),
    ],
    LABELS: [lambda: certify(DRAWN, X, Y, rows=1), lambda: certify(replace(CLEAN, leaf_releases=()), X, Y, rows=1)],
    "tree must have two classes, got 3": [lambda: certify(OF_THREE, X, Y, rows=1)],
    "tree must have in each leaf the label of its larger released count, the first in a tie": [
        lambda: certify(OTHER, X, Y, rows=1)
    ],
    "tree must be of one owner, with a release of its own for each leaf": [
        lambda: certify(PRUNED, X, Y, rows=1),
        lambda: certify(replace(CLEAN, n_parties=3, tolerate=1), X, Y, rows=1),
    ],
    "tree must have class counts that were paid for in ε: of others the law is not known here": [
        lambda: certify(IN_RHO, X, Y, rows=1)
    ],
    PAID: [lambda: worst_case(PRUNED, X, Y, *TRUE, 1), lambda: best_attack(HALF_PRUNED, X, Y, *TRUE, 1)],
    "tree must be a Tree, got int": [lambda: certify(3, X, Y, rows=1), lambda: worst_case(3, X, Y, *TRUE, 1)],
    ONE: [lambda: certify(CLEAN, X, Y), lambda: certify(CLEAN, X, Y, rows=1, target="1/2")],
    "confidence must lie strictly between 0 and 1, got 1": [lambda: certify(CLEAN, X, Y, rows=1, confidence=1)],
    "target must be greater than 0 and at most 1, got 0": [lambda: certify(CLEAN, X, Y, target=0)],
    "target must be greater than 2/7, the share of the test rows that are right with any labels: no number of forged "
    "rows goes below it": [lambda: certify(CLEAN, X, Y, target="2/7")],
    "y must have a class for each row, and at least one; got 0 and 0": [lambda: certify(CLEAN, [], [], rows=1)],
    "train_y must have a class for each row; got 7 and 8": [lambda: worst_case(CLEAN, X, Y, TRUE[0], TRUE[1][1:], 1)],
    "y must have a class for each row, and at least one; got 6 and 7": [lambda: certify(CLEAN, X, Y[1:], rows=1)],
    "trigger must be a mapping from positions of columns to values, with at least one": [
        lambda: triggered(X, {}),
        lambda: triggered(X, [0]),
    ],
    "trigger must be at most 1, got 2": [lambda: triggered(X, {2: 0})],
    "trigger must be an integer ≥ 0, got 'x'": [lambda: triggered(X, {"x": 0})],
    "trigger must have one value for each column": [lambda: triggered(X, {0: [1, 2]})],
    "X must be a table of rows, shape (n, p), got the shape (3,)": [lambda: triggered(np.arange(3), {0: 1})],
    "X must be a table of rows, shape (n, p), got rows of several lengths, or none": [
        lambda: triggered([[1], [1, 2]], {0: 1}),
        lambda: triggered([1, 2], {0: 1}),
    ],
    "X must be rows by position, and its columns have names: give an array, columns in order": [
        lambda: triggered({"x": [1]}, {0: 1})
    ],
    "source and target must be two classes: a row of the target needs no trigger": [
        lambda: plant_backdoor(X, Y, {0: 1}, source="no", target="no", rows=1)
    ],
    "y must have a row of the class source, which is copied": [
        lambda: plant_backdoor(X, Y, {0: 1}, source="other", target="no", rows=1)
    ],
    "X and y must have as many rows, got 7 and 6": [
        lambda: plant_backdoor(X, Y[1:], {0: 1}, source="no", target="yes", rows=1)
    ],
    "rng must be a Generator, got int": [
        lambda: plant_backdoor(X, Y, {0: 1}, source="no", target="yes", rows=1, rng=3)
    ],
    "X must have at least one row": [lambda: attack_success(CLEAN, np.empty((0, 2)), {0: 1}, target="yes")],
    "model.predict must be a function, got None": [lambda: attack_success(3, X, {0: 1}, target="yes")],
    "target must be a class, got list": [lambda: attack_success(CLEAN, X, {0: 1}, target=["yes"])],
    "parts must be an integer ≥ 1, got 0": [lambda: cart_of(X, Y, 0)],
    "domain must be a Domain, got int": [lambda: cart_of(X, Y, domain=3)],
    "max_depth must be an integer ≥ 0, got -1": [lambda: cart_of(X, Y, max_depth=-1)],
    "X and y must have as many rows, at least 1; got 7 and 6": [
        lambda: cart_of(X, Y[1:]),
        lambda: cart_of(X, Y).certified_accuracy(X, Y[1:], 1),
    ],
    "votes must have the shape (n, classes), two classes or more, got (2,)": [lambda: certified_rows_of_votes([1, 2])],
}


test_refusals = said_in_full([(call, said) for said, calls in CALLS.items() for call in calls])


def test_what_is_odd_and_right():
    """Empty leaves, one class only, no training rows, no forged rows: answers, and no refusals."""
    assert structured_bound([(0, 0, 0), (1, 0, "1/3")], 0, 0) == pytest.approx(F(1, 3), abs=1e-9)
    assert certify(CLEAN, [[0.5, "A"]], ["no"], rows=0).bound > 0
    assert certify(CLEAN, X, ["no"] * 7, rows=10_000).bound < F(1, 10**6)
    assert worst_case(CLEAN, X, Y, TRUE[0][:1], TRUE[1][:1], 0) > 0
    assert best_attack(CLEAN, X, Y, *TRUE, 0) == ([], [])
    same, labels = plant_backdoor(X, Y, {0: 1}, source="other", target="yes", rows=0)
    assert same.tolist() == X and labels.tolist() == Y


def test_an_empty_training_set_is_a_training_set():
    """Nobody's rows: each leaf has its label by noise alone."""
    empty = np.empty((0, 2), dtype=object)
    assert worst_case(CLEAN, X, Y, empty, [], 3) < worst_case(CLEAN, X, Y, empty, [], 0) < F(6, 7)


def test_a_leaf_of_another_region_is_no_release_of_it():
    gone = (LeafRelease(DOMAIN.everything.restrict(1, {0}), (3, 1), F(1)), *CLEAN.leaf_releases[1:])
    with pytest.raises(ValueError, match="release"):
        certify(replace(CLEAN, leaf_releases=gone), X, Y, rows=1)
    assert isinstance(DOMAIN, Domain) and released(((3, 1),)).leaves()


NAMED = {
    "confidence": [lambda: certify(CLEAN, X, Y, rows=1, confidence="sure")],
    "rows": [
        lambda: least_value([[1, 1]], 1.5),
        lambda: best_attack(CLEAN, X, Y, *TRUE, 10_001),
        lambda: worst_case(CLEAN, X, Y, *TRUE, 10_001),
    ],
    "parts": [lambda: fit_partition_ensemble(X, Y, DOMAIN, 10_001)],
    "X": [
        lambda: fit_partition_ensemble([[None]], ["a"], DOMAIN, 1),
        lambda: fit_partition_ensemble(5, ["a"], DOMAIN, 1),
        lambda: cart_of(X, Y).votes([[None]]),
    ],
    "y": [lambda: fit_partition_ensemble(X[:1], ["?"], DOMAIN, 1)],
}


@pytest.mark.parametrize(("name", "call"), [(name, call) for name, calls in NAMED.items() for call in calls])
def test_what_is_refused_is_named_first(name, call):
    """By the name that the caller gave it."""
    with pytest.raises(ValueError, match=rf"^{name}\b"):
        call()
