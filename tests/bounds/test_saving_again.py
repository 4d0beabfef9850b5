"""Algorithm 6, mended and as printed: what a leaf in the midst of a tree has, defaults, and what refusals name."""

import re
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


THREE = Domain([Numeric.grid(name, 0, 2, bins=2) for name in "xyz"], ("a", "b"))


def of_answers(bounds, tables, leaf=(1, 1), fit=fit_saving_tree_as_printed, **options):
    """The tree that is grown of given answers: bounds in halves, tables, and the counts of leaves."""

    class Given(laws.GivenAnswers):
        def given(self, query, shape):
            if isinstance(query, NodeBounds):
                return np.array(bounds)
            return np.array(tables[query.feature]) if isinstance(query, ClassHistogram) else np.array(leaf)

    federation = federate([[], []], THREE, 100, ZeroWords())
    federation.__class__, federation.asked = Given, laws.Asked()
    options = {"max_depth": 1, "min_samples_split": 0, "lattice": 2, "epsilon": 1, **options}
    return fit(federation, **options), federation


@pytest.mark.parametrize("fit", [fit_saving_tree, fit_saving_tree_as_printed])
def test_counts_below_zero_are_kept_as_an_estimate(fit):
    """What is shown is clipped; what was released stays beside it, and only where it is another."""
    tables = [[[4, 0], [0, 4]]] * 3
    for leaf, counts, estimate in (((3, -2), (3, 0), (3, -2)), ((0, 2), (0, 2), None)):
        tree, _ = of_answers([0, 3, 3], tables, leaf, fit)
        assert [(node.counts, node.estimate) for node in tree.leaves()] == [(counts, estimate)] * 2
        assert [release.counts for release in tree.leaf_releases] == [leaf] * 2


# --- as printed ---


def test_a_feature_without_rows_removes_nothing_after_one_with_rows():
    """0 rows times the least G so far would be 0, and below the third bound."""
    tree, _ = of_answers([0, 1, 2], ([[3, 1], [1, 3]], [[0, 0], [0, 0]], [[2, 2], [2, 2]]))
    (node,) = tree.savings.nodes
    assert node.region == THREE.everything and [j for j, _ in node.asked] == [0, 1, 2] and node.saved == 0


def test_without_levels_it_is_a_leaf_and_costs_what_it_is_said_to():
    tree, federation = of_answers([], [], max_depth=0)
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


@pytest.mark.parametrize("fit", [fit_saving_tree, fit_saving_tree_as_printed])
@pytest.mark.parametrize(("how", "depth"), [({}, 1), ({"min_samples_split": 10}, 1), ({"min_samples_split": 11}, 0)])
def test_ten_rows_are_enough_unless_told(fit, how, depth):
    rows = [[x, 1, "ab"[x > 2]] for x in (1, 4)] * 5
    assert fit(federate([rows, []], AB, 9, ZeroWords()), max_depth=1, epsilon=1, **how).depth == depth


# --- refusals and tables ---


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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"unspent_to_leaf": None}, "unspent_to_leaf must be"),
        ({"min_samples_split": -1}, "min_samples_split must be"),
        ({"lattice": 0}, "lattice must be"),
        ({"bounds_share": None}, "bounds_share must be"),
    ],
)
def test_refusals_of_a_tree_name_what_was_given(change, message):
    with pytest.raises(ValueError) as refused:
        fit_saving_tree(federate([ROWS, []], AB, 1, ZeroWords()), **change)
    assert str(refused.value).startswith(message)


def test_costs_over_ten_to_the_fortieth_are_refused_and_over_less_are_not():
    """Nodes and leaves over 10⁴, twelve levels that divide by 2·500: 10⁴⁰, which has 41 digits."""
    how = {"max_depth": 12, "min_samples_split": 2**62, "bounds_share": "1/500"}
    with pytest.raises(ValueError, match="more than 40 digits"):
        fit_saving_tree(federate([[], []], AB, 1, ZeroWords()), epsilon="24/10000", **how)
    assert fit_saving_tree(federate([[], []], AB, 1, ZeroWords()), epsilon="24/1000", **how).depth == 0


def test_a_table_has_nothing_between_its_cells():
    shown = fit_saving_tree(federate([ROWS, ROWS], AB, 1, ZeroWords()), **GIVEN).savings._repr_html_()
    assert re.fullmatch(
        r"(<table[^>]*>)(<caption>[^<]*</caption>)<thead><tr>(<th scope=\"col\">[^<]*</th>)+</tr></thead>"
        r"<tbody>(<tr>(<td>[^<]*</td>)+</tr>)+</tbody></table>",
        shown,
    )
