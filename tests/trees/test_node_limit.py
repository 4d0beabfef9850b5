"""How many nodes a tree may have: against the derivations of trees that were grown, and by hand."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fdpedu import derivation_checker as checker
from fdpedu.accounting.limits import left
from fdpedu.claims.federations import federate
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, messages
from fdpedu.federation import federation as rounds
from fdpedu.federation.queries import write_queries
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Design, Tree, fit_federated_tree, node_limit, shape
from fdpedu.trees.costs import Costs
from fdpedu.trees.growing import Growing
from fdpedu.trees.node_limit import NodeLimit
from tests.support.private_trees import DOMAIN, ROWS, THIRDS, never, of_three


def made(budget=50, domain=DOMAIN, rows=ROWS):
    return federate([rows[::2], rows[1::2]], domain, budget, Rehearsal(1))


def costs_of(design, budget=50, depth=3, share="1/2"):
    to_leaf, fresh = design.unspent_to_leaf, design.fresh_leaves
    return Costs.within(Fraction(budget), None, share, depth, unspent_to_leaf=to_leaf, fresh_leaves=fresh)


def from_four_on(level, least):
    """Leaves that were nodes first have all that a node can be asked for: histograms, and counts of their own."""
    return np.full(len(level.inside), len(level.inside) > 3)


def n_nodes(node):
    return 1 if node.left is None else 1 + n_nodes(node.left) + n_nodes(node.right)


def n_allowed(federation, costs, drawn=2):
    """The nodes that the ledger allows."""
    return left(federation.ledger.counts, NodeLimit.of(federation, costs, drawn).node)


# --- what a derivation holds of a tree --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "design",
    [
        Design(stop=never),
        Design(stop=from_four_on),
        Design(stop=never, fresh_leaves=False),
        Design(stop=from_four_on, features_per_node=1),
        Design(stop=never, features_per_node=2),
    ],
)
def test_a_node_needs_no_more_than_it_is_said_to(design):
    """A tree holds no more than its nodes may need together, and not less than a quarter of it."""
    federation, none = made(), made().ledger.counts
    tree = fit_federated_tree(federation, design=design, max_depth=4, min_samples_split=2, rng=Rehearsal(2))
    limit = NodeLimit.of(made(), costs_of(design, depth=4), design.histograms_per_node(2))
    for name, need in limit.node.items():
        used = getattr(federation.ledger.counts, name) - getattr(none, name)
        assert need * n_nodes(tree.root) / 4 < used <= need * n_nodes(tree.root) > 6


def test_a_node_by_hand():
    """Of a budget of 50 in three levels: histograms cost 25/3, counts of a leaf 50, 125/3, 100/3 or 25."""
    three, drawn = (NodeLimit.of(made(), costs_of(Design()), q) for q in (2, 1))
    assert three.node["steps"] == 3 and drawn.node["steps"] == 3 and three.still["steps"] == 2
    query = "node-histograms", "class × bin histograms of all features", "thm-node-histograms", "25/6", "25/3", 2
    count = "class-counts", "class counts of a leaf", "thm-histogram", "125/3", "125/3", 1
    how = '"discrete Laplace in Pólya shares"'
    letters = [
        len(f'"release",36000,36000,"{kind}",{{}},"{words}",{how},{n},1,"{rate}","{cost}",1,"{claim}"')
        for kind, words, claim, rate, cost, n in (query, count)
    ]
    side = (2 * len('"2":[]') + len("0,1,2,3")) // 2 + 1
    assert (three.still["letters"], three.still["names"]) == (letters[1], 0)
    assert (three.node["letters"], three.node["names"]) == (sum(letters) + side, 1)


@pytest.mark.parametrize(
    ("features", "bins", "drawn", "today"),
    [(2, 4, 2, 10_203), (30, 32, 2, 7_461), (30, 256, 30, 5_799), (2, 4, 1, 10_000)],
)
@pytest.mark.parametrize("depth", [3, 64])
def test_a_ledger_allows_trees_of_thousands_of_nodes(features, bins, drawn, today, depth):
    """As many as before limits were counts, and 64 levels of them."""
    domain = Domain([Numeric.grid(f"feature {j}", 0, 9, bins=bins) for j in range(features)], ("a", "b"))
    federation = made(1, domain, [])
    assert n_allowed(federation, costs_of(Design(), 1, depth), drawn) >= today
    assert 2 * (shape.MAX_DEPTH + 1) + 1 <= checker.MAX_COUNTS["levels"]  # in sequence, in parallel, accounts


def test_what_is_charged_already_is_left_out():
    costs, federation = costs_of(Design(), 20), made()
    before, limit = n_allowed(federation, costs), NodeLimit.of(federation, costs, 2)
    fit_federated_tree(federation, epsilon=20, min_samples_split=2)
    steps = federation.ledger.counts.steps
    assert n_allowed(federation, costs) == (checker.MAX_COUNTS["steps"] - steps) // limit.node["steps"] < before


@pytest.mark.parametrize("name", ["steps", "letters", "names"])
def test_a_tree_of_one_node_is_grown_where_only_one_is_allowed(monkeypatch, name):
    federation = made()
    limit = NodeLimit.of(federation, costs_of(Design()), 2)
    most = getattr(federation.ledger.counts, name) + limit.node[name] + (name == "steps")
    monkeypatch.setitem(checker.MAX_COUNTS, name, most - 1)
    with pytest.raises(ValueError, match="nothing was charged: the derivation of this ledger is nearly as long"):
        fit_federated_tree(federation, min_samples_split=2)
    assert federation.ledger.spent == 0
    monkeypatch.setitem(checker.MAX_COUNTS, name, most)
    tree = fit_federated_tree(federation, min_samples_split=2)
    assert tree.root.is_leaf and federation.ledger.spent == 50


def test_costs_without_a_short_common_denominator_are_refused_before_anything_is_charged():
    """Those of the leaves are charged last."""
    federation = made(3)
    federation.release([ClassCounts(DOMAIN.everything, Fraction(10**38, 10**39 + 1))])
    with pytest.raises(ValueError, match=r"nothing was charged: .* no common denominator of at most 75 digits"):
        fit_federated_tree(federation, epsilon=1, leaf_share=Fraction(10**36, 10**37 + 1), min_samples_split=2)
    assert federation.ledger.rounds == 1
    assert fit_federated_tree(federation, epsilon=1, min_samples_split=2).rounds > 1


def test_a_tree_without_histograms_has_a_limit():
    federation = federate(THIRDS, DOMAIN, 1, Rehearsal(1))
    costs = Costs.within(Fraction(1), None, "1/2", 0, unspent_to_leaf=True)
    found = NodeLimit.of(federation, costs, 2)
    assert found.numbers == (0, 3) and found.below(1, 1) > 4096


# --- what is asked ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("drawn", [1, 2])
def test_a_query_is_as_long_as_the_longest_that_is_asked(drawn):
    """And a node asks as many as it is said to: one for all features, or one for each that is drawn."""
    costs = costs_of(Design(), Fraction(3, 255), 3)
    limit, whole = NodeLimit.of(made(1), costs, drawn), DOMAIN.everything
    root = Growing(whole, None if drawn == 2 else (1,))
    queries = root.queries(costs.node)
    counts = [ClassCounts(whole, costs.of_leaf(paid)) for paid in range(4)]
    assert limit.histograms == len(queries) == 1
    assert limit.query == max(len(write_queries([query], DOMAIN)) for query in [*queries, *counts])


def test_a_drawn_feature_has_its_part_of_the_cost():
    """Two of three features are asked for at half of the cost each, whose fraction is longer."""
    three = Domain.from_spec({"features": {name: [0, 2, 2] for name in "xyz"}, "classes": ["a", "b"]})
    costs = costs_of(Design(fresh_leaves=False), Fraction(1, 255 * 255), 1)
    federation = made(1, three, [[0.5, 1.5, 0.5, "a"], [1.5, 0.5, 0.5, "b"]])
    limit = NodeLimit.of(federation, costs, 2)
    queries = Growing(three.everything, (0, 2)).queries(costs.node)
    assert limit.histograms == len(queries) == 2
    assert limit.query == max(len(write_queries([query], three)) for query in queries)


def lower(monkeypatch, limit, value):
    """A limit of derivations, or one of messages wherever it is imported."""
    if limit in checker.MAX_COUNTS:
        monkeypatch.setitem(checker.MAX_COUNTS, limit, value)
    else:
        for place in (node_limit, messages, rounds):
            monkeypatch.setattr(place, limit, value, raising=False)


# --- a tree that is paid for is returned ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "value"),
    [
        ("steps", 20),
        ("letters", 1500),
        ("names", 10),
        ("comparisons", 4),
        ("MAX_NUMBERS", 70),
        ("MAX_FIELDS", 340),
        ("MAX_REQUEST_BYTES", 2**14 + 4000),
    ],
)
@pytest.mark.parametrize("design", [Design(stop=never), Design(stop=never, features_per_node=1, fresh_leaves=False)])
def test_a_tree_keeps_within_each_limit(monkeypatch, limit, value, design):
    """Levels are cut where the next one would be refused, with all that was paid lost."""
    whole, _ = of_three(budget=50, design=design, rng=Rehearsal(2))
    lower(monkeypatch, limit, value)
    tree, federation = of_three(budget=50, design=design, rng=Rehearsal(2))
    assert len(tree.leaves()) < len(whole.leaves()) and federation.ledger.spent == 50
    assert Tree.from_json(tree.to_json()) == tree


def test_what_a_ledger_holds_already_counts(monkeypatch):
    federation = federate(THIRDS, DOMAIN, 50, Rehearsal(1))
    first, _ = of_three(federation=federation, epsilon=10)
    steps = federation.ledger.counts.steps
    monkeypatch.setitem(checker.MAX_COUNTS, "steps", steps + 13)
    second, _ = of_three(federation=federation, epsilon=10, design=Design(stop=never))
    assert 1 < len(second.leaves()) < len(first.leaves()) and federation.ledger.spent == 20
    rounds = federation.ledger.rounds
    monkeypatch.setitem(checker.MAX_COUNTS, "steps", federation.ledger.counts.steps + 3)
    with pytest.raises(ValueError, match="nothing was charged"):
        of_three(federation=federation, epsilon=10)
    assert (federation.ledger.spent, federation.ledger.rounds) == (20, rounds)


THREE = Domain.from_spec({"features": {"x": [0, 3, 3], "y": [0, 2, 2], "w": ["A", "B", "C"]}, "classes": ["a", "b"]})
RECORDS = [[x % 3 + 0.5, x // 3 % 2 + 0.5, "ABC"[x // 6 % 3], "ab"[x * x % 5 % 2]] for x in range(36)]
CELLS = [RECORDS[::2], RECORDS[1::2]]


def mixed(level, least):
    """Every fourth node becomes a leaf, and waits while the others go on."""
    return np.arange(len(level.inside)) % 4 == 3


@pytest.mark.parametrize(
    ("limit", "values", "trees"),
    [
        ("steps", (3, 12, 15, 18, 21, 30), 2),
        ("letters", (1000, 1500, 2000, 3000), 1),
        ("names", (1, 4, 6), 1),
        ("comparisons", (2, 3, 5), 2),
        ("MAX_NUMBERS", (16, 37, 40, 43, 70), 1),
        ("MAX_FIELDS", (300, 360, 480), 1),
        ("MAX_REQUEST_BYTES", (2**14 + 3800, 2**14 + 4500, 2**14 + 7000), 1),
    ],
)
def test_no_limit_is_met_in_the_midst_of_a_tree(monkeypatch, limit, values, trees):
    """Whatever the limit is: the tree is whole, or nothing was charged for it."""
    leaves = set()
    for value in values:
        lower(monkeypatch, limit, value)
        for design in (Design(stop=mixed), Design(stop=mixed, features_per_node=2)):
            federation = federate(CELLS, THREE, 20 * trees, Rehearsal(1))
            for number in range(trees):
                try:
                    tree, _ = of_three(federation=federation, epsilon=20, max_depth=4, design=design, rng=Rehearsal(2))
                except ValueError:
                    assert federation.ledger.spent == 20 * number
                    break
                leaves.add(len(tree.leaves()))
    assert max(leaves) > min(leaves)


def test_nodes_below_a_level():
    """Whatever is tightest: fields of a message, its bytes, numbers of an answer, or what the derivation holds."""
    domain = Domain.from_spec({"features": {"x": [0, 8, 8], "y": [0, 2, 2]}, "classes": ["a", "b"]})
    federation, free = made(1, domain, []), Counter(steps=0, names=0)
    wide = NodeLimit(federation, 3, (1, 1), 100, free + Counter(steps=1), free)
    assert [wide.below(815, depth) for depth in (1, 2, 3)] == [7666, 5964, 5964]
    assert replace(wide, query=300).below(325, 1) == (min(2**18 // 11, (2**22 - 2**14) // 342) - 16 - 325) // 3
    assert replace(wide, numbers=(2**20, 2**10)).below(2**10, 1) == 30  # 2^25 less a part are in an answer
    used = federation.ledger.counts.steps
    some = replace(wide, node=Counter(steps=30), still=Counter(steps=1000))
    assert some.below(8, 1) == (36_000 - used - 8000) // 30 and some.below(36, 1) < 0


def test_the_limit_is_asked_with_what_there_is(monkeypatch):
    asked = []
    monkeypatch.setattr(NodeLimit, "below", lambda self, *given: asked.append(given) or 10**6)
    of_three(design=Design(stop=never), budget=50)
    assert asked[:3] == [(1, 1), (2, 2), (4, 3)]


def test_comparisons_of_earlier_trees_are_counted(monkeypatch):
    federation = federate(THIRDS, DOMAIN, 50, Rehearsal(1))
    costs = Costs.within(Fraction(1), None, "1/2", 2, unspent_to_leaf=True)
    tree, _ = of_three(federation=federation, epsilon=10)
    splits = federation.ledger.counts.comparisons
    assert splits == len(tree.leaves()) - 1 > 2
    monkeypatch.setitem(checker.MAX_COUNTS, "comparisons", 90)
    assert n_allowed(federation, costs, 1) == 90 - splits
