"""How many nodes a tree may have: against the derivations of trees that were grown, and by hand."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fdpedu import derivation_checker
from fdpedu.claims.federations import federate
from fdpedu.domain import Domain
from fdpedu.federation import ClassCounts, messages
from fdpedu.federation import federation as rounds
from fdpedu.federation.messages import MAX_FIELDS
from fdpedu.federation.queries import write_queries
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Design, Tree, fit_federated_tree, room
from fdpedu.trees.costs import Costs
from fdpedu.trees.growing import Growing
from fdpedu.trees.room import Room
from tests.support.private_trees import DOMAIN, ROWS, THIRDS, never, of_three

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
    """Two rules, the region, and two releases: 3 + 3 + 1 + 3 + 3 brackets, and quotes around keys and texts."""
    federation, costs = made(), costs_of(Design())
    asked = {limit: [least(monkeypatch, limit, n, federation, costs) for n in (1, 2, 3)] for limit in SIZES}
    by_hand = {"MAX_BRACKETS": 3 + 3 + 1 + 3 + 3, "MAX_QUOTES": 12 + 12 + 2 + (34 + 8) + (34 + 8)}
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
        '"node-histograms"'
        '"class counts of a leaf""discrete Laplace in Pólya shares""thm-histogram""class-counts"'
    )
    small = 3 * (2 + 2)  # sensitivity, releases, colluders: 1, 1 or 2, 1
    numbers = written(third) + written(third / 2) + 2 * max(written(50 - k * third) for k in range(4))
    assert second - first == region + rules + totals + 2 * (186 + 2 + small) + len(texts) + numbers


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


def test_costs_of_a_tree_without_histograms_leave_room():
    federation = federate(THIRDS, DOMAIN, 1, Rehearsal(1))
    costs = Costs.within(Fraction(1), None, "1/2", 0, unspent_to_leaf=True)
    found = room.Room.of(federation, costs, 2)
    assert found.numbers == (0, 3) and found.nodes > 5000 and found.below(1, 1, 1) > 4096


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
    assert room.query == max(len(write_queries([query], DOMAIN)) for query in [*queries, *counts])


def test_a_drawn_feature_has_its_part_of_the_cost():
    """Two of three features are asked for at half of the cost each, whose fraction is longer."""
    three = Domain.from_spec({"features": {name: [0, 2, 2] for name in "xyz"}, "classes": ["a", "b"]})
    costs = costs_of(Design(fresh_leaves=False), Fraction(1, 255 * 255), 1)
    federation = made(1, three, [[0.5, 1.5, 0.5, "a"], [1.5, 0.5, 0.5, "b"]])
    room = Room.of(federation, costs, 2)
    queries = Growing(three.everything, (0, 2)).queries(costs.node)
    assert room.histograms == len(queries) == 2
    assert room.query == max(len(write_queries([query], three)) for query in queries)


def test_numbers_of_nodes_are_integers_and_sixteen_queries_stay_free():
    """However the limits are divided by what a node takes."""
    room = Room.of(made(), costs_of(Design()), 2)
    assert type(room.nodes) is int and room.below(1, 1, 1) > 4096
    for widest, query in ((9, 100), (9, 5000)):
        tight = Room(10**9, 1, (1, 1), query, widest, 2)
        assert all(type(tight.below(1, 1, depth)) is int for depth in (1, 2))
    assert Room(10**9, 1, (1, 1), 100, 8, 2).below(1, 3, 1) == MAX_FIELDS // 11 - 16 - 3


# --- a tree that is paid for is returned ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "limit", "value"),
    [
        (derivation_checker, "MAX_BRACKETS", 90),
        (derivation_checker, "MAX_QUOTES", 650),
        (derivation_checker, "MAX_CHARACTERS", 6000),
        (derivation_checker, "MAX_COMPARISONS", 9),
        (room, "MAX_NUMBERS", 70),
        (room, "MAX_FIELDS", 340),
        (room, "MAX_REQUEST_BYTES", 2**14 + 4000),
    ],
)
@pytest.mark.parametrize("design", [Design(stop=never), Design(stop=never, features_per_node=1, fresh_leaves=False)])
def test_a_tree_keeps_within_each_limit(monkeypatch, module, limit, value, design):
    """Levels are cut where the next one would be refused, with all that was paid lost."""
    whole, _ = of_three(budget=50, design=design, rng=Rehearsal(2))
    for place in (module, messages, rounds):
        monkeypatch.setattr(place, limit, value, raising=place is module)
    tree, federation = of_three(budget=50, design=design, rng=Rehearsal(2))
    assert len(tree.leaves()) < len(whole.leaves()) and federation.ledger.spent == 50
    assert Tree.from_json(tree.to_json()) == tree


def test_what_a_ledger_holds_already_counts(monkeypatch):
    federation = federate(THIRDS, DOMAIN, 50, Rehearsal(1))
    first, _ = of_three(federation=federation, epsilon=10)
    size = len(federation.ledger.derivation().to_json())
    monkeypatch.setattr(derivation_checker, "MAX_CHARACTERS", size + 4000)
    second, _ = of_three(federation=federation, epsilon=10, design=Design(stop=never))
    assert 1 < len(second.leaves()) < len(first.leaves()) and federation.ledger.spent == 20
    rounds = federation.ledger.rounds
    monkeypatch.setattr(derivation_checker, "MAX_CHARACTERS", size + 100)
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
        ("MAX_BRACKETS", (60, 80, 100), 1),
        ("MAX_QUOTES", (500, 750, 1000), 1),
        ("MAX_CHARACTERS", (3000, 4500, 6000), 1),
        ("MAX_COMPARISONS", (20, 30, 60), 2),
        ("MAX_NUMBERS", (16, 37, 40, 43, 70), 1),
        ("MAX_FIELDS", (300, 360, 480), 1),
        ("MAX_REQUEST_BYTES", (2**14 + 3800, 2**14 + 4500, 2**14 + 7000), 1),
    ],
)
def test_no_limit_is_met_in_the_midst_of_a_tree(monkeypatch, limit, values, trees):
    """Whatever the limit is: the tree is whole, or nothing was charged for it."""
    leaves = set()
    for value in values:
        for place in (derivation_checker, room, messages, rounds):
            monkeypatch.setattr(place, limit, value, raising=False)
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


def test_the_room_below_a_level():
    wide = room.Room(nodes=10**9, histograms=3, numbers=(1, 1), query=100, widest=8, features=2)
    assert [wide.below(1, 815, depth) for depth in (1, 2, 3)] == [7666, 5964, 5964]  # by the fields of a message
    long = replace(wide, query=300, widest=256)
    assert long.below(1, 325, 1) == 3333  # by its bytes
    assert replace(wide, nodes=50).below(20, 8, 1) == 30
    assert replace(wide, numbers=(2**20, 2**10)).below(1, 2**10, 1) == 30  # 2^25 less a part are in an answer


def test_the_room_is_asked_with_what_there_is(monkeypatch):
    asked = []
    monkeypatch.setattr(room.Room, "below", lambda self, *given: asked.append(given) or 10**6)
    of_three(design=Design(stop=never), budget=50)
    assert asked[:3] == [(1, 1, 1), (3, 2, 2), (7, 4, 3)]


def test_comparisons_of_earlier_trees_are_counted(monkeypatch):
    federation = federate(THIRDS, DOMAIN, 50, Rehearsal(1))
    costs = Costs.within(Fraction(1), None, "1/2", 2, unspent_to_leaf=True)
    assert room._used(federation)[1] == 0 and room.Room.of(federation, costs, 1).histograms == 1
    tree, _ = of_three(federation=federation, epsilon=10)
    splits = room._used(federation)[1]
    assert splits == len(tree.leaves()) - 1 > 2
    monkeypatch.setattr(derivation_checker, "MAX_COMPARISONS", 90)
    assert room.Room.of(federation, costs, 1).nodes == 2 * (30 - splits)
