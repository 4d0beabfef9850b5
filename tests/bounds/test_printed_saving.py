"""Algorithm 6 as printed: what it costs, that the ledger refuses it beforehand, and that it is what is printed."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from fdpedu.accounting import BudgetExceeded
from fdpedu.bounds import fit_saving_tree
from fdpedu.claims.bounds import printed_saving as topic
from fdpedu.claims.bounds import saving as laws
from fdpedu.claims.checking import Refuted
from fdpedu.claims.federations import federate
from fdpedu.claims.laws.askers import Kept
from fdpedu.datasets import mixture_domain
from fdpedu.domain import Domain, Numeric
from fdpedu.experiments import VARIANTS
from fdpedu.federation import ClassCounts, ClassHistogram, InProcess, NodeBounds
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.sources.gubler import (
    PRINTED,
    Setting,
    choosing,
    cost_as_printed,
    draw_sample,
    fit_saving_tree_as_printed,
    grow_runs,
)

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
TWO_BINS = Domain([Numeric.grid(name, 0, 2, bins=2) for name in ("x", "y")], ("a", "b"))


def how(depth, share=HALF, bounds=QUARTER):
    return laws.Options(share, bounds, depth, 2, False, 0)


@pytest.mark.claim("algorithm-6-as-printed")
def test_epsilon_does_not_pay_for_it():
    """With one feature it does; with two the ledger and a single record both say otherwise."""
    topic.costs_epsilon(1)
    topic.one_record(1, 3)
    topic.one_record(2, 1)
    with pytest.raises(Refuted, match="a record pays 9/8"):
        topic.costs_epsilon(2)
    with pytest.raises(Refuted, match=r"2 features and 2 rows a run is e\^\(121/120·ε\)"):
        topic.one_record(2, 2)


def test_costs_by_hand():
    """p = 2, λ = ½, b = ¼, d = 2: a node of ¼ pays ½·¼ for bounds, 3/16 for two histograms; or saves half of that."""
    both = 2 * (Fraction(1, 8) + Fraction(3, 16)) + HALF
    assert cost_as_printed(1, 2, 2) == both == Fraction(9, 8)
    second = QUARTER + Fraction(3, 32)
    one_removed = Fraction(1, 8) + Fraction(3, 32) + second * (HALF + Fraction(3, 4)) + HALF
    assert cost_as_printed(1, 2, 2, removed=[1, 0]) == one_removed > both
    assert (
        cost_as_printed(1, 2, 2, removed=(1, 1)) == cost_as_printed(1, 2, 2, removed=1) == one_removed - second * 3 / 8
    )
    assert cost_as_printed(3, 2, 2) == 3 * both and cost_as_printed("1/2", 4096, 0) == HALF
    assert cost_as_printed(1, 5, 12, "1/3", "1/2") == Fraction(2, 3) * 3 + Fraction(1, 3)
    assert cost_as_printed(1, 10, 5, noise_for=10) == 1


def test_it_is_refused_before_anything_is_released_and_by_how_much():
    ten = Domain([Numeric.grid(f"x{j}", 0, 2, bins=2) for j in range(10)], ("a", "b"))
    for depth, also in ((1, ""), (2, f", and up to {cost_as_printed(1, 10, 2, removed=[9, 0])} where some are")):
        transport = InProcess()
        federation = federate([[], []], ten, 1, ZeroWords(), transport=transport)
        sent = len(list(transport.manifest))
        with pytest.raises(BudgetExceeded) as refused:
            fit_saving_tree_as_printed(federation, max_depth=depth)
        lacking = {1: "9/8", 2: cost_as_printed(1, 10, 2, removed=[9, 0]) - 1}[depth]
        assert str(refused.value) == (
            f"as printed, a tree with ε = 1 costs a record ε = 17/8 where no feature is removed{also}: each of the 10 "
            f"bounds of a node is released with all of ε_bounds. The ledger has 1 left, {lacking} too little; nothing "
            "was charged. fit_saving_tree divides ε_bounds among the bounds"
        )
        assert federation.ledger.spent == 0 and federation.rounds == 0 and len(list(transport.manifest)) == sent


def grown(answers, fit=fit_saving_tree_as_printed, domain=TWO_BINS, **options):
    """The queries and the tree of a function's answers."""

    asker = Kept(federate([[], []], domain, 100, ZeroWords()), lambda query, exact: answers(query, exact.shape))
    options = {"max_depth": 1, "min_samples_split": 0, "lattice": 2, **options}
    return asker.queries, fit(asker, epsilon=1, **options), asker


def cells_of(*tables):
    """A function that answers bounds of 0 and 3 (in steps of 1/2: 0 and 3/2), these tables in turn, and leaves of 1."""

    def answers(query, shape):
        if isinstance(query, NodeBounds):
            return np.array([0, 3])
        return np.array(tables[query.feature]) if isinstance(query, ClassHistogram) else np.full(shape, 1)

    return answers


def test_each_bound_is_paid_in_full_and_a_leaf_has_its_share():
    queries, tree, federation = grown(cells_of([[4, 0], [0, 4]], [[4, 0], [0, 4]]))
    everything = TWO_BINS.everything
    sides = [everything.restrict(0, [code]) for code in (0, 1)]
    assert queries == [
        NodeBounds(everything, 2 * QUARTER * HALF, 2),
        ClassHistogram(everything, Fraction(3, 16), 0),
        *(ClassCounts(side, HALF) for side in sides),
    ]
    assert tree.savings.nodes[0].saved == Fraction(3, 16) and tree.savings.nodes[0].removed == (1,)
    assert (
        federation.ledger.spent
        == cost_as_printed(1, 2, 1, removed=1)
        == tree.savings.nodes[0].budget * 5 / 4 + HALF - Fraction(3, 16)
    )


THREE = Domain([Numeric.grid(name, 0, 2, bins=2) for name in "xyz"], ("a", "b"))


def asked_of_three(bounds, tables, fit=fit_saving_tree_as_printed):
    """Of three features those that were asked for, with what their best splits leave."""

    def answers(query, shape):
        if isinstance(query, NodeBounds):
            return np.array(bounds)
        return np.array(tables[query.feature]) if isinstance(query, ClassHistogram) else np.full(shape, 1)

    return grown(answers, fit, domain=THREE)[1].savings.nodes[0].asked


def test_the_threshold_is_the_least_g_times_the_latest_total():
    """The first has 8 rows and G = 3/16; of the second's 2 rows that is 3/8, less than the third bound of 1."""
    bounds, tables = [0, 0, 2], ([[3, 1], [1, 3]], [[1, 1], [0, 0]], [[9, 9], [9, 9]])
    assert asked_of_three(bounds, tables) == ((0, Fraction(3, 2)), (1, None))
    assert asked_of_three(bounds, tables, fit_saving_tree) == ((0, Fraction(3, 2)), (1, None), (2, 9))


def test_a_bound_that_is_attained_removes_nothing():
    """8 rows and G = 3/16 make 3/2: a bound of 3/2 is not above it, and one of 2 is."""
    tables = [[[3, 1], [1, 3]]] * 3
    assert [j for j, _ in asked_of_three([0, 3, 4], tables)] == [0, 1]


def test_a_feature_that_was_removed_stays_so():
    """The first removes the third; the second has so many rows that it would not."""
    tables = [[4, 0], [0, 4]], [[40, 10], [10, 40]], [[1, 0], [0, 1]]
    assert asked_of_three([0, 0, 1], tables) == ((0, Fraction(0)), (1, Fraction(16)))


def test_nothing_counted_removes_nothing():
    nothing = [[0, 0], [0, 0]]
    assert asked_of_three([-4, 9, 9], [nothing] * 3) == ((0, None), (1, None), (2, None))
    assert asked_of_three([0, 1, 9], [[[3, 1], [1, 3]], nothing, nothing]) == ((0, Fraction(3, 2)), (1, None))


def test_equal_splits_go_to_the_first_that_was_asked_for():
    """The second feature has the lower bound and the same split; the mended tree takes the first."""

    def answers(query, shape):
        if isinstance(query, NodeBounds):
            return np.array([2, -1])
        return np.array([[3, 1], [1, 3]]) if isinstance(query, ClassHistogram) else np.full(shape, 1)

    assert grown(answers)[1].root.split.feature == 1
    assert grown(answers, fit_saving_tree)[1].root.split.feature == 0


def test_g_is_compared_and_not_n_times_g():
    """The first feature counts 8 rows with n·G = 3/2, the second 80 with 19/5: as printed the second is better."""
    tables = [[3, 1], [1, 3]], [[38, 2], [2, 38]]
    assert grown(cells_of(*tables))[1].root.split.feature == 1
    assert grown(cells_of(*tables), fit_saving_tree)[1].root.split.feature == 0


@pytest.mark.parametrize(("depth", "removed"), [*product((1, 2), (0, 1))])
def test_its_derivation_is_accepted(depth, removed):
    dearest = cost_as_printed(1, 2, depth, removed=[1] * (depth - 1) + [0])
    tree, federation = topic.printed(2, how(depth), removed, dearest)
    guarantee = tree.derivation.guarantee
    assert guarantee.value == dearest and guarantee.spent == federation.ledger.spent == cost_as_printed(
        1, 2, depth, removed=removed
    )


def of_answers(bounds, tables, leaf=(1, 1), fit=fit_saving_tree_as_printed, **options):
    """The tree that is grown of given answers: bounds in halves, tables, and the counts of leaves."""

    def answers(query, exact):
        if isinstance(query, NodeBounds):
            return np.array(bounds)
        return np.array(tables[query.feature]) if isinstance(query, ClassHistogram) else np.array(leaf)

    asker = Kept(federate([[], []], THREE, 100, ZeroWords()), answers)
    options = {"max_depth": 1, "min_samples_split": 0, "lattice": 2, "epsilon": 1, **options}
    return fit(asker, **options), asker


@pytest.mark.parametrize("fit", [fit_saving_tree, fit_saving_tree_as_printed])
def test_counts_below_zero_are_kept_as_an_estimate(fit):
    """What is shown is clipped; what was released stays beside it, and only where it is another."""
    tables = [[[4, 0], [0, 4]]] * 3
    for leaf, counts, estimate in (((3, -2), (3, 0), (3, -2)), ((0, 2), (0, 2), None)):
        tree, _ = of_answers([0, 3, 3], tables, leaf, fit)
        assert [(node.counts, node.estimate) for node in tree.leaves()] == [(counts, estimate)] * 2
        assert [release.counts for release in tree.leaf_releases] == [leaf] * 2


def test_a_feature_without_rows_removes_nothing_after_one_with_rows():
    """0 rows times the least G so far would be 0, and below the third bound."""
    tree, _ = of_answers([0, 1, 2], ([[3, 1], [1, 3]], [[0, 0], [0, 0]], [[2, 2], [2, 2]]))
    (node,) = tree.savings.nodes
    assert node.region == THREE.everything and [j for j, _ in node.asked] == [0, 1, 2] and node.saved == 0


def test_without_levels_it_is_a_leaf_and_costs_what_it_is_said_to():
    tree, federation = of_answers([], [], max_depth=0)
    assert federation.queries == [ClassCounts(THREE.everything, Fraction(1))] and tree.depth == 0
    assert federation.ledger.spent == 1 == cost_as_printed(1, 3, 0)


AB = Domain([Numeric.grid(name, 0, 4, bins=4) for name in ("x", "y")], ("a", "b"))
ROWS = [[x, y, "ab"[x > 2]] for x in (1, 2, 3, 4) for y in (1, 2, 3, 4)]


def test_what_is_not_given_is_as_for_the_mended_one():
    stated = {"max_depth": 3, "min_samples_split": 10, "leaf_share": "1/2", "bounds_share": "1/4", "lattice": 4}
    trees = [
        fit_saving_tree_as_printed(federate([ROWS, ROWS], AB, 9, Rehearsal(1)), epsilon=1, **how)
        for how in ({}, stated, {"max_depth": 4}, {"min_samples_split": 11}, {"lattice": 5})
    ]
    derived = [tree.derivation.content for tree in trees]
    assert derived[0] == derived[1] and trees[0].root == trees[1].root
    assert derived[0] not in (derived[2], derived[4])


@pytest.mark.parametrize("fit", [fit_saving_tree, fit_saving_tree_as_printed])
@pytest.mark.parametrize(("how", "depth"), [({}, 1), ({"min_samples_split": 10}, 1), ({"min_samples_split": 11}, 0)])
def test_ten_rows_are_enough_unless_said(fit, how, depth):
    rows = [[x, 1, "ab"[x > 2]] for x in (1, 4)] * 5
    assert fit(federate([rows, []], AB, 9, ZeroWords()), max_depth=1, epsilon=1, **how).depth == depth


# --- the same for many runs at once, in the figures -------------------------------------------------------------------


def test_a_node_of_the_figures_asks_and_chooses_the_same():
    """Random tables of three features, whose bounds equal no n·G; where two G are equal, floats need not see it."""
    rng, compared = np.random.default_rng(3), 0
    for _ in range(300):
        tables, steps = rng.integers([1, 0], 9, (3, 2, 2)), rng.integers(-97, 900, 3)
        if (steps % 97 == 0).any():
            continue

        def answers(query, shape, tables=tables, steps=steps):
            if isinstance(query, NodeBounds):
                return steps
            return tables[query.feature] if isinstance(query, ClassHistogram) else np.full(shape, 1)

        tree = grown(answers, domain=THREE, lattice=97)[1]
        asked = tree.savings.nodes[0].asked
        relative = [left / int(tables[j].sum()) for j, left in asked if left is not None]
        if len(set(relative)) < len(relative):
            continue
        found = choosing.choose_and_remove(tables.transpose(0, 2, 1)[None].astype(float), steps[None] / 97, PRINTED)
        assert sorted(j for j, _ in asked) == np.flatnonzero(found.visited[0]).tolist()
        if tree.root.split is not None:
            assert tree.root.split.feature == found.feature[0]
            compared += 1
    assert compared > 200


@pytest.mark.parametrize("case", range(6))
def test_trees_of_the_figures_are_the_same_without_noise(case):
    """On the report's rows, bounds in steps so fine that none changes its place: the root's split and all test rows."""
    p, domain = (2, 5)[case % 2], mixture_domain((2, 5)[case % 2])
    setting, rng = Setting(3, (60, 200, 400)[case % 3], p, 3, "0.3"), np.random.default_rng(case)
    one = draw_sample(setting, PRINTED, rng)
    rows = [[[*x, y] for x, y in zip(*map(np.ndarray.tolist, one.of_party(k)), strict=True)] for k in range(5)]
    tree = fit_saving_tree_as_printed(federate(rows, domain, 100, ZeroWords()), epsilon=1, lattice=2**16)
    found = grow_runs([one], setting, VARIANTS["printed"], saving=True, epsilon=1, rng=None)
    split = tree.root.split
    assert found.roots.tolist() == [[split.feature, len(split.left) - 1]]
    assert found.correct.tolist() == [int((np.array(tree.predict(one.X_test)) == one.y_test).sum())]
