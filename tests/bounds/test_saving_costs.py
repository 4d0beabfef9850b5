"""What a tree with lower bounds may spend, and how many nodes its derivation may have, as numbers."""

from fractions import Fraction

import pytest

from fdpedu import derivation_checker as checker
from fdpedu.bounds import fit_saving_tree
from fdpedu.bounds.saving_costs import Plan, as_share, common_denominator, queries_of
from fdpedu.claims.bounds.saving import MIXED
from fdpedu.claims.federations import federate
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, ClassHistogram, NodeBounds
from fdpedu.randomness import ZeroWords
from fdpedu.trees.costs import Costs

AB = Domain([Numeric.grid(name, 0, 4, bins=4) for name in ("x", "y")], ("a", "b"))
PLANNED = {"max_depth": 2, "min_samples_split": 5, "leaf_share": "1/2", "bounds_share": "1/4", "lattice": 4}
REST = {"epsilon": None, "unspent_to_leaf": True}


def plan_of(domain=AB, budget=1, federation=None, **options):
    federation = federation or federate([[], []], domain, budget, ZeroWords())
    return Plan.of(federation, **{**PLANNED, **REST, **options})


def test_a_plan_is_what_was_asked_for():
    plan = plan_of(epsilon="2/3", unspent_to_leaf=False)
    assert plan.costs == Costs(Fraction(2, 3), Fraction(1, 6), Fraction(1, 3), 2, False)
    assert (plan.bounds_share, plan.lattice, plan.min_samples) == (Fraction(1, 4), 4, 5)
    assert plan_of().costs == Costs(Fraction(1), Fraction(1, 4), Fraction(1, 2), 2, True)


def test_one_query_of_each_kind_at_its_least_cost():
    costs, everything = plan_of().costs, AB.everything
    assert queries_of(AB, costs, Fraction(1, 4), 3) == [
        NodeBounds(everything, Fraction(1, 16), 3),
        ClassHistogram(everything, Fraction(3, 32), 0),
        ClassHistogram(everything, Fraction(3, 32), 1),
        ClassCounts(everything, Fraction(1, 2)),
    ]
    assert queries_of(AB, plan_of(max_depth=0).costs, Fraction(1, 4), 3) == [ClassCounts(everything, Fraction(1))]


@pytest.mark.parametrize(("share", "depth", "expected"), [("1/4", 2, 4 * 8**2), ("2/5", 3, 6 * 10**3), ("1/4", 0, 2)])
def test_a_common_denominator_of_all_costs(share, depth, expected):
    costs = Costs.within(Fraction(1), None, "1/2", depth, unspent_to_leaf=True)
    assert common_denominator(2, costs, Fraction(share)) == expected


def test_costs_of_forty_digits_are_the_longest():
    """2·12 for a node, and 2·d for the share's denominator d, twelve times: below 10⁴⁰, or not."""
    assert 24 * (2 * 823) ** 12 < 10**40 < 24 * (2 * 827) ** 12
    assert plan_of(max_depth=12, bounds_share="400/823").costs.depth == 12
    with pytest.raises(ValueError, match="digits"):
        plan_of(max_depth=12, bounds_share="400/827")
    with pytest.raises(ValueError, match="digits"):
        plan_of(budget=7, max_depth=12, bounds_share="400/823")  # the budget's digits count as well


@pytest.mark.parametrize("share", [0, 1, "-1/2", "3/2"])
def test_a_share_lies_between_0_and_1(share):
    assert as_share("1/3", "this") == Fraction(1, 3)
    with pytest.raises(ValueError, match="this"):
        as_share(share, "this")


@pytest.mark.parametrize(
    ("domain", "depth", "spent", "nodes"),
    [(AB, 2, 0, 5999), (AB, 12, 0, 5999), (MIXED, 3, 0, 5142), (AB, 0, 0, 11998), (AB, 2, 9, 5997)],
)
def test_how_many_nodes_a_derivation_holds(domain, depth, spent, nodes):
    """By its steps; `test_nodes_are_those_of_the_derivation` says that they are right."""
    federation = federate([[], []], domain, 10, ZeroWords())
    if spent:
        federation.release([NodeBounds(domain.everything, Fraction(1), 1)] * spent)
    assert plan_of(federation=federation, max_depth=depth, epsilon="1/2").most_nodes == nodes


def test_steps_of_a_node_by_hand(monkeypatch):
    """Bounds, a histogram of each feature, a sequence, two parts in parallel, a leaf; beside the adaptive step, a leaf
    more in a sequence, and the account in a sequence with others."""
    federation = federate([[], []], AB, 10, ZeroWords())
    for nodes in (1, 2, 7):
        for more, expected in ((0, nodes), (6, nodes + 1), (5, nodes)):
            monkeypatch.setitem(checker.MAX_COUNTS, "steps", 1 + 3 + (1 + 2 + 2 + 1) * nodes + more)
            assert plan_of(federation=federation).most_nodes == expected


def test_comparisons_limit_nodes_too(monkeypatch):
    federation = federate([[], []], AB, 1, ZeroWords())
    monkeypatch.setitem(checker.MAX_COUNTS, "comparisons", 10)
    assert plan_of(federation=federation).most_nodes == 5
    sides = [AB.everything.restrict(0, codes) for codes in ([0, 1], [2, 3])]
    federation.release([ClassCounts(side, Fraction(1, 4)) for side in sides])
    assert plan_of(federation=federation, epsilon="1/4").most_nodes == 4


def test_one_node_is_allowed_or_nothing_is_charged(monkeypatch):
    """As the limit falls, so does the number of nodes, down to one; then the plan is refused."""
    federation, found = federate([[], []], AB, 1, ZeroWords()), []
    for limit in range(50, 0, -1):
        monkeypatch.setitem(checker.MAX_COUNTS, "steps", limit)
        try:
            found.append(plan_of(federation=federation).most_nodes)
        except ValueError as refused:
            assert "nothing was charged: the derivation of this ledger is nearly as long" in str(refused)
            found.append(0)
    assert found == sorted(found, reverse=True) and set(found) >= set(range(7)) and found[-1] == 0


def test_costs_over_ten_to_the_fortieth_are_refused_and_over_less_are_not():
    """Nodes and leaves over 10⁴, twelve levels that divide by 2·500: 10⁴⁰, which has 41 digits."""
    how = {"max_depth": 12, "min_samples_split": 2**62, "bounds_share": "1/500"}
    with pytest.raises(ValueError, match="digits"):
        fit_saving_tree(federate([[], []], AB, 1, ZeroWords()), epsilon="24/10000", **how)
    assert fit_saving_tree(federate([[], []], AB, 1, ZeroWords()), epsilon="24/1000", **how).depth == 0
