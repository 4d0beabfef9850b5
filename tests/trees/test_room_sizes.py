"""How many nodes a tree may have: against the derivations of trees that were grown, and by hand."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu import derivation_checker
from fdpedu.claims.federations import federate
from fdpedu.domain import Domain
from fdpedu.federation import ClassCounts
from fdpedu.federation.messages import MAX_FIELDS
from fdpedu.federation.queries import to_wire
from fdpedu.randomness import Rehearsal
from fdpedu.secure_sum import canonical
from fdpedu.trees import Design, fit_federated_tree, stopping
from fdpedu.trees.costs import Costs
from fdpedu.trees.growing import Growing
from fdpedu.trees.room import Room

DOMAIN = Domain.from_spec({"features": {"x": [0, 4, 4], "w": ["A", "B", "C"]}, "classes": ["a", "b", "c"]})
ROWS = [[x % 4 + 0.5, "ABC"[x % 3], "abc"[(x * x + x // 5) % 3]] for x in range(60)]
LONG = Fraction(123456789012345678901, 10**21)  # a share of the budget whose digits are most of what is written
SIZES = {
    "MAX_CHARACTERS": len,
    "MAX_BRACKETS": lambda t: t.count("[") + t.count("{"),
    "MAX_QUOTES": lambda t: t.count('"'),
}


def made(budget=50, domain=DOMAIN, rows=ROWS):
    return federate([rows[::2], rows[1::2]], domain, budget, Rehearsal(1))


def costs_of(design, budget=50, depth=3, share="1/2"):
    to_leaf, fresh = design.unspent_to_leaf, design.fresh_leaves
    return Costs.within(Fraction(budget), None, share, depth, unspent_to_leaf=to_leaf, fresh_leaves=fresh)


def never(level, least):
    return np.zeros(len(level.inside), dtype=bool)


def from_four_on(level, least):
    """Leaves that were nodes first have all that a node can be asked for: histograms, and counts of their own."""
    return np.full(len(level.inside), len(level.inside) > 3)


def n_nodes(node):
    return 1 if node.left is None else 1 + n_nodes(node.left) + n_nodes(node.right)


def n_room(federation, costs, drawn=2):
    """The nodes that there is room for; 0 if a tree is refused."""
    try:
        return Room.of(federation, costs, drawn).nodes
    except ValueError:
        return 0


def least(monkeypatch, limit, nodes, federation, costs, drawn=2):
    """The least value of the limit with room for so many nodes."""
    low, high = 0, 40_000
    while high - low > 1:
        middle = (low + high) // 2
        monkeypatch.setattr(derivation_checker, limit, middle)
        low, high = (low, middle) if n_room(federation, costs, drawn) >= nodes else (middle, high)
    monkeypatch.setattr(derivation_checker, limit, high)
    assert n_room(federation, costs, drawn) == nodes
    return high


# --- what is written of a tree ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", ["1/2", LONG])
@pytest.mark.parametrize(
    "design",
    [
        Design(stop=never),
        Design(stop=from_four_on),
        Design(stop=never, fresh_leaves=False),
        Design(stop=from_four_on, features_per_node=1),
    ],
)
def test_as_many_nodes_as_are_written_but_not_less_than_a_third(monkeypatch, design, share):
    """A limit that the derivation of a tree just meets has room for no more nodes than it has: others are as large."""
    federation = made()
    tree = fit_federated_tree(
        federation, design=design, max_depth=4, min_samples_split=2, leaf_share=share, rng=Rehearsal(2)
    )
    text, nodes = federation.ledger.derivation().to_json(), n_nodes(tree.root)
    costs = costs_of(design, depth=4, share=share)
    for limit, size in SIZES.items():
        with monkeypatch.context() as patch:
            patch.setattr(derivation_checker, limit, size(text))
            assert nodes / 3 < n_room(made(), costs, design.histograms_per_node(2)) <= nodes > 6


def test_brackets_and_quotes_of_a_node_by_hand(monkeypatch):
    """Two rules, the region, and two releases: 3 + 3 + 1 + 2 + 2 brackets, and quotes around keys and texts."""
    federation, costs = made(), costs_of(Design())
    asked = {limit: [least(monkeypatch, limit, n, federation, costs) for n in (1, 2, 3)] for limit in SIZES}
    by_hand = {"MAX_BRACKETS": 3 + 3 + 1 + 2 + 2, "MAX_QUOTES": 12 + 12 + 2 + (30 + 6) + (30 + 6)}
    for limit, each in by_hand.items():
        first, second, third = asked[limit]
        assert second - first == third - second == each


def written(number):
    """Characters of a fraction: each part has a third of its bits and two more."""
    return sum(part.bit_length() // 3 + 2 for part in Fraction(number).as_integer_ratio())


@pytest.mark.parametrize(("share", "leaf", "over"), [("1/2", Fraction(25), 3), (LONG, 50 * LONG, 3 * 10**20 // 25)])
def test_characters_of_a_node_by_hand(monkeypatch, share, leaf, over):
    """Of a budget of 50 in three levels: histograms cost a third of what is not the leaf's, counts all but one to three
    of these. A region costs at most 50, over the common denominator of all costs.
    """
    costs, third = costs_of(Design(), share=share), (50 - leaf) / 3
    first, second = (least(monkeypatch, "MAX_CHARACTERS", n, made(), costs) for n in (1, 2))
    region, rules, totals = 12 + 4 * 4, 2 * 62, 2 * (written(over) + written(50 * over))
    texts = (
        '"class × bin histograms of all features""discrete Laplace in Pólya shares""thm-node-histograms"'
        '"class counts of a leaf""discrete Laplace in Pólya shares""thm-histogram"'
    )
    small = 3 * (2 + 2)  # sensitivity, releases, colluders: 1, 1 or 2, 1
    numbers = written(third) + written(third / 2) + 2 * max(written(50 - k * third) for k in range(4))
    assert second - first == region + rules + totals + 2 * (164 + small) + len(texts) + numbers


@pytest.mark.parametrize("limit", SIZES)
def test_what_is_written_already_is_counted_as_it_is(monkeypatch, limit):
    """Besides it there is only room for the rules around both trees: three, as before the first one."""
    costs, federation = costs_of(Design(), 20), made()
    each = least(monkeypatch, limit, 2, federation, costs) - (first := least(monkeypatch, limit, 1, federation, costs))
    monkeypatch.undo()
    fit_federated_tree(federation, epsilon=20, min_samples_split=2)
    text = federation.ledger.derivation().to_json()
    rules = 3 * {"MAX_CHARACTERS": 62, "MAX_BRACKETS": 3, "MAX_QUOTES": 12}[limit]
    assert least(monkeypatch, limit, 1, federation, costs) == SIZES[limit](text) + rules + each > first


def test_a_tree_of_one_node_is_grown_where_there_is_room_for_one(monkeypatch):
    federation = made()
    for limit in SIZES:
        least(monkeypatch, limit, 1, federation, costs_of(Design(), 50))
    tree = fit_federated_tree(federation, min_samples_split=2)
    assert tree.root.is_leaf and federation.ledger.spent == 50


# --- what is asked ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("drawn", [1, 2])
def test_a_query_is_as_long_as_the_longest_that_is_asked(drawn):
    """And a node asks as many as it is said to: one for all features, or one for each that is drawn."""
    costs = costs_of(Design(), Fraction(3, 255), 3)
    room, whole = Room.of(made(1), costs, drawn), DOMAIN.everything
    root = Growing(whole, None if drawn == 2 else (1,))
    queries = root.queries(costs.node)
    counts = [ClassCounts(whole, costs.of_leaf(paid)) for paid in range(4)]
    assert room.histograms == len(queries) == 1
    assert room.query == max(len(canonical(to_wire(query, DOMAIN))) for query in [*queries, *counts])


def test_a_drawn_feature_has_its_part_of_the_cost():
    """Two of three features are asked for at half of the cost each, whose fraction is longer."""
    three = Domain.from_spec({"features": {name: [0, 2, 2] for name in "xyz"}, "classes": ["a", "b"]})
    costs = costs_of(Design(fresh_leaves=False), Fraction(1, 255 * 255), 1)
    federation = made(1, three, [[0.5, 1.5, 0.5, "a"], [1.5, 0.5, 0.5, "b"]])
    room = Room.of(federation, costs, 2)
    queries = Growing(three.everything, (0, 2)).queries(costs.node)
    assert room.histograms == len(queries) == 2
    assert room.query == max(len(canonical(to_wire(query, three))) for query in queries)


def test_numbers_of_nodes_are_integers_and_sixteen_queries_stay_free():
    """However the limits are divided by what a node takes."""
    room = Room.of(made(), costs_of(Design()), 2)
    assert type(room.nodes) is int and room.below(1, 1, 1) > 4096
    for widest, query in ((9, 100), (9, 5000)):
        tight = Room(10**9, 1, (1, 1), query, widest, 2)
        assert all(type(tight.below(1, 1, depth)) is int for depth in (1, 2))
    assert Room(10**9, 1, (1, 1), 100, 8, 2).below(1, 3, 1) == MAX_FIELDS // 11 - 16 - 3


def test_what_stands_for_a_rule_that_was_not_kept_says_so():
    with pytest.raises(ValueError, match="give the rule again"):
        stopping.not_kept(None, 2)
