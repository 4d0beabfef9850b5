"""The first phase: each party's best depth by cross-validation, and the mean by a secret sum."""

from itertools import product

import numpy as np
import pytest

from fdpedu.domain import Domain, Numeric
from fdpedu.randomness import Rehearsal
from fdpedu.sources.elzein import Message, fit_local_tree, fit_shared_tree
from fdpedu.sources.elzein.counting import COORDINATOR, Report, Sum
from fdpedu.sources.elzein.fit import mean_depth
from fdpedu.sources.elzein.local import FOLDS, MAX_BY_VALIDATION, own_depth, read_rows
from fdpedu.trees.subset import shuffled

SQUARE = Domain([Numeric.grid(name, 0, 16, bins=16) for name in "xy"], ("a", "b"))


def table(n, seed, noise=0.1):
    """Two numbers, and a class that needs two questions or three, sometimes another one."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(0, 16, (n, 2))
    return X, ["ab"[int(x // 4 + y // 8 + (rng.random() < noise)) % 2] for x, y in X]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 23])
def test_ones_own_depth_is_the_least_of_most_right_predictions_in_five_folds(n, seed):
    """Against trees that are grown to each depth, and asked about the fold that was left out."""
    X, y = table(n, seed)
    fold = np.empty(n, dtype=int)
    for place, row in enumerate(shuffled(range(n), Rehearsal(seed))):
        fold[row] = place % min(n, 5)
    right, y = np.zeros(12), np.array(y)
    for k, levels in product(range(min(n, 5)), range(1, 13)):
        tree = fit_local_tree(X[fold != k], y[fold != k], SQUARE, max_depth=levels, rng=Rehearsal(0))
        right[levels - 1] += (tree.predict(X[fold == k]) == y[fold == k]).sum()
    found = own_depth(read_rows(X, y, SQUARE, "here"), "entropy", Rehearsal(seed))
    assert found == 1 + right.argmax()


def test_depths_from_one_to_the_source_s_23_are_tried():
    """A line of classes in turn needs as many questions as it has bits; whoever has one row says 1."""
    assert own_depth(read_rows([[1, 1]], ["a"], SQUARE, "here"), "gini", Rehearsal(1)) == 1
    X = np.repeat([[k, 0] for k in range(9)], 12, axis=0)
    rows = read_rows(X, ["ab"[k % 2] for k, _ in X], SQUARE, "here")
    assert own_depth(rows, "entropy", Rehearsal(1)) > 2
    assert own_depth(read_rows(X, ["a"] * len(X), SQUARE, "here"), "entropy", Rehearsal(1)) == 1
    long = Domain([Numeric.grid("x", 0, 40, bins=40)], ("a", "b"))
    line = np.arange(40)[:, None].repeat(10, axis=0)
    lone = read_rows(line, ["ab"[int(k) % 2] for k in line[:, 0]], long, "here")
    assert own_depth(lone, "entropy", Rehearsal(1)) <= MAX_BY_VALIDATION == 23 and FOLDS == 5


@pytest.mark.parametrize("n", [2, 3])
def test_the_mean_is_rounded_half_up(n):
    for depths in product((1, 2, 3, 7, 12), repeat=n):
        found = mean_depth(depths, Rehearsal(1))
        assert found == int(np.floor(sum(depths) / n + 0.5)) and type(found) is int
    assert mean_depth([12] * 9, Rehearsal(2)) == 12


def test_the_phase_of_depths_is_a_sum_and_a_report_before_the_first_node():
    """One byte of six bits for three parties: 12·3 + 1 values."""
    parts = [table(30, seed) for seed in (1, 2, 3)]
    tree = fit_shared_tree(parts, SQUARE, criterion="gini", rng=Rehearsal(5))
    source = Rehearsal(5)
    own = [own_depth(read_rows(*part, SQUARE, "here"), "gini", source) for part in parts]
    assert tree.depths == tuple(own) and tree.max_depth == mean_depth(own, Rehearsal(0)) >= tree.depth
    assert tree.before == (Sum("depths", 1), Report("mean depth"))
    first = tree.messages[:13]
    assert [one.kind for one in first] == ["shares of depths"] * 6 + ["sums of depths"] * 6 + ["mean depth"]
    assert first[-1] == Message(0, COORDINATOR, "mean depth", 4)
    given = fit_shared_tree(parts, SQUARE, max_depth=tree.max_depth, criterion="gini", rng=Rehearsal(5))
    assert given.depths == () == given.before and len(given.messages) == len(tree.messages) - 13
    many = fit_shared_tree([table(6, seed) for seed in range(22)], SQUARE, rng=Rehearsal(5))
    assert many.before[0] == Sum("depths", 2)  # 265 values


def test_a_party_alone_finds_its_own_depth():
    part = table(40, 4)
    tree = fit_local_tree(*part, SQUARE, rng=Rehearsal(3))
    assert tree.max_depth == own_depth(read_rows(*part, SQUARE, "here"), "entropy", Rehearsal(3))
    assert (tree.rule, tree.n_parties, tree.depths, tree.before, tree.after) == ("alone", 1, (), (), ())
