"""Algorithm 6, mended and as printed: what a leaf in the midst of a tree has, defaults, and what refusals name."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.bounds import cost_as_printed, fit_saving_tree, fit_saving_tree_as_printed
from fdpedu.claims.bounds import laws_saving as laws
from fdpedu.claims.federations import federate
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, ClassHistogram, NodeBounds
from fdpedu.randomness import Rehearsal, ZeroWords

AB = Domain([Numeric.grid(name, 0, 4, bins=4) for name in ("x", "y")], ("a", "b"))
ROWS = [[x, y, "ab"[x > 2]] for x in (1, 2, 3, 4) for y in (1, 2, 3, 4)]
GIVEN = {"max_depth": 2, "min_samples_split": 2, "leaf_share": "1/2", "bounds_share": "1/4", "lattice": 4}


def test_what_was_saved_at_a_node_that_becomes_a_leaf_goes_to_its_counts():
    """One feature is removed, and then there are too few rows: 1/2 of the leaf's own, and 3/16 that were saved."""
    federation = federate([ROWS, []], AB, 1, ZeroWords())
    tree = fit_saving_tree(federation, **{**GIVEN, "max_depth": 1, "min_samples_split": 17})
    (node,) = tree.savings.nodes
    assert tree.depth == 0 and node.removed == (1,) and node.saved == Fraction(3, 16)
    assert [release.epsilon for release in tree.leaf_releases] == [Fraction(11, 16)] and federation.ledger.spent == 1


# --- as printed ---


THREE = Domain([Numeric.grid(name, 0, 2, bins=2) for name in "xyz"], ("a", "b"))


def as_printed(bounds, tables, **options):
    """The tree that it grows of given answers: bounds in halves, tables, and leaves of ones."""

    class Given(laws.GivenAnswers):
        def given(self, query, shape):
            if isinstance(query, NodeBounds):
                return np.array(bounds)
            return np.array(tables[query.feature]) if isinstance(query, ClassHistogram) else np.full(shape, 1)

    federation = federate([[], []], THREE, 100, ZeroWords())
    federation.__class__, federation.asked = Given, laws.Asked()
    options = {"max_depth": 1, "min_samples_split": 0, "lattice": 2, "epsilon": 1, **options}
    return fit_saving_tree_as_printed(federation, **options), federation


def test_a_feature_without_rows_removes_nothing_after_one_with_rows():
    """0 rows times the least G so far would be 0, and below the third bound."""
    tree, _ = as_printed([0, 1, 2], ([[3, 1], [1, 3]], [[0, 0], [0, 0]], [[2, 2], [2, 2]]))
    (node,) = tree.savings.nodes
    assert node.region == THREE.everything and [j for j, _ in node.asked] == [0, 1, 2] and node.saved == 0


def test_without_levels_it_is_a_leaf_and_costs_what_it_is_said_to():
    tree, federation = as_printed([], [], max_depth=0)
    assert federation.asked.queries == [ClassCounts(THREE.everything, Fraction(1))] and tree.depth == 0
    assert federation.ledger.spent == 1 == cost_as_printed(1, 3, 0)


def test_what_is_not_given_is_as_for_the_mended_one():
    stated = {"max_depth": 3, "min_samples_split": 10, "leaf_share": "1/2", "bounds_share": "1/4", "lattice": 4}
    trees = [
        fit_saving_tree_as_printed(federate([ROWS, ROWS], AB, 9, Rehearsal(1)), epsilon=1, **how)
        for how in ({}, stated, {"max_depth": 4}, {"min_samples_split": 11}, {"lattice": 5})
    ]
    told = [tree.derivation.content for tree in trees]
    assert told[0] == told[1] and trees[0].root == trees[1].root
    assert told[0] not in (told[2], told[4])
    rows = [[x, 1, "ab"[x > 2]] for x in (1, 4)] * 5
    for least, depth in ((None, 1), (10, 1), (11, 0)):
        how = {} if least is None else {"min_samples_split": least}
        grown = fit_saving_tree_as_printed(federate([rows, []], AB, 9, ZeroWords()), max_depth=1, epsilon=1, **how)
        assert grown.depth == depth


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"removed": 1.5}, "removed must be a list, got 1.5"),
        ({"noise_for": None}, "noise_for must be a finite number"),
    ],
)
def test_refusals_name_what_was_given(change, message):
    with pytest.raises(ValueError) as refused:
        cost_as_printed(1, 3, 2, **change)
    assert str(refused.value).startswith(message)
