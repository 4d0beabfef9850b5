"""Masks with a few neighbours: the sums are right, the graph is everybody's, and how often it falls apart is exact."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.claims.checking import Refuted
from fdpedu.claims.secure_sum import laws_neighbours as law
from fdpedu.claims.secure_sum import laws_splits as splits
from fdpedu.secure_sum import (
    Edges,
    Identity,
    KeyPair,
    Ring,
    commit_coins,
    components,
    decode_sum,
    encode,
    failure_probability,
    joint_coins,
    neighbour_masks,
    neighbours_needed,
    sharing_risk,
    verify_announcements,
)
from fdpedu.secure_sum.splits import connected

COINS = bytes(range(32))


def summed(graph, values, there=None, **bound):
    """The sum of what the parties send with masks of this graph, over those that are there."""
    pairs = [KeyPair() for _ in values]
    publics = [pair.public for pair in pairs]
    sent = [
        encode(np.array([x]), neighbour_masks(k, pairs[k], publics, graph, **bound).draw(1, 1))
        for k, x in enumerate(values)
    ]
    return decode_sum([sent[k] for k in (range(len(values)) if there is None else there)]).item()


@pytest.mark.claim("thm-neighbours")
@pytest.mark.parametrize("model", [Ring(2), Ring(4), Ring(12), Edges("1/2"), Edges(0), Edges(1)])
def test_masks_of_neighbours_cancel_over_every_component(model):
    """The total is right; so is the sum over each component; and over half of a connected one it is not."""
    graph = model.draw(COINS, 9)
    values = [(-3) ** k for k in range(9)]
    assert summed(graph, values) == sum(values)
    groups = components(graph, range(9))
    assert sorted(k for group in groups for k in group) == list(range(9))
    for group in groups:
        assert summed(graph, values, group) == sum(values[k] for k in group)
        if len(group) > 1:
            assert summed(graph, values, group[:-1]) != sum(values[k] for k in group[:-1])


@pytest.mark.claim("thm-neighbours")
def test_masks_of_neighbours_are_bound_as_others_are():
    """With names and a session they cancel, too; and parties of two sessions do not."""
    graph = Ring(2).draw(COINS, 3)
    assert summed(graph, [5, -9, 1], session=b"monday", identities=[b"a", b"b", b"c"]) == -3
    pairs = [KeyPair(), KeyPair()]
    both = Edges(1).draw(COINS, 2)
    publics = [pair.public for pair in pairs]
    drawn = [
        neighbour_masks(k, pairs[k], publics, both, session=session).draw(1, 1)
        for k, session in enumerate((b"monday", b"tuesday"))
    ]
    assert decode_sum(drawn).item() != 0


@pytest.mark.claim("thm-neighbours")
@pytest.mark.parametrize(
    "case", [(3, 3, ((0, 1), (1, 2)), 0), (2, 4, ((0, 3), (1, 2)), 1), (3, 4, ((0, 1), (2, 3)), 0)]
)
def test_the_view_holds_the_sum_of_each_component(case):
    law.component_sums(*case)


@pytest.mark.claim("thm-neighbours")
def test_the_check_of_components_can_fail(monkeypatch):
    """If the components are taken for one, or for single parties, the check finds it."""
    case = (2, 3, ((0, 1),), 0)
    for wrong in (((0, 1, 2),), ((0,), (1,), (2,))):
        monkeypatch.setattr(law, "components", lambda graph, among, said=wrong: said)
        with pytest.raises(Refuted):
            law.component_sums(*case)


@pytest.mark.claim("thm-neighbours")
def test_the_probability_of_a_bad_graph_is_added_to_delta():
    law.delta_is_added((4, 2, 1), Fraction(1, 7))


@pytest.mark.claim("thm-neighbours")
def test_coins_are_a_session_s_nonce():
    """Who holds other coins has another session, and is refused with the announcements."""
    people = [Identity.create() for _ in range(3)]
    members = [person.public for person in people]
    own = [bytes([k]) * 32 for k in range(3)]
    coins = joint_coins(own, [commit_coins(one, members) for one in own], members)
    assert len(coins) == 32 and Ring(2).draw(coins, 3) == Ring(2).draw(coins, 3)
    told = [*own[:2], bytes([9]) * 32]
    others = joint_coins(told, [commit_coins(one, members) for one in told], members)
    announced = [
        person.announce(session, KeyPair().public, members)
        for person, session in zip(people, (coins, coins, others), strict=True)
    ]
    with pytest.raises(ValueError, match="session"):
        verify_announcements(announced, members, announced[0])


def test_what_is_no_toss_is_refused():
    members = [b"a", b"b"]
    own = [bytes([k]) * 32 for k in range(2)]
    promised = [commit_coins(one, members) for one in own]
    for coins, words in ((bytes(31), "at least 32"), ("x" * 32, "at least 32"), (bytearray(32), "at least 32")):
        with pytest.raises(ValueError, match=words):
            commit_coins(coins, members)
    for listed in ([b"a", b"a"], ["a", "b"], 3):
        with pytest.raises(ValueError, match="members"):
            commit_coins(bytes(32), listed)
    with pytest.raises(ValueError, match="all 2 members are needed, got 1 and 2"):
        joint_coins(own[:1], promised, members)
    with pytest.raises(ValueError, match="all 2 members are needed, got 2 and 1"):
        joint_coins(own, promised[:1], members)
    with pytest.raises(ValueError, match="the coins of member 1 are not"):
        joint_coins(own[::-1][:1] + own[:1], promised[::-1][:1] + promised[1:], members)
    for coins in (bytes(31), bytes(33), "x" * 32):
        with pytest.raises(ValueError, match="32 bytes that joint_coins gives"):
            Ring(2).draw(coins, 3)
    with pytest.raises(ValueError, match="must have the 2 parties that have keys, got 3"):
        neighbour_masks(0, KeyPair(), [bytes(32)] * 2, Ring(2).draw(COINS, 3))


def test_graphs_are_those_of_their_coins():
    """Known answers: a graph that came out otherwise would no longer be that of parties with an older version."""
    assert [sorted(near) for near in Ring(2).draw(COINS, 7)] == RING_OF_7
    assert [sorted(near) for near in Edges("1/2").draw(COINS, 5)] == EDGES_OF_5
    other = bytes(31) + b"\1"
    assert Ring(2).draw(other, 50) != Ring(2).draw(COINS, 50) and Edges("1/2").draw(other, 9) != Edges("1/2").draw(
        COINS, 9
    )


RING_OF_7 = [[1, 4], [0, 6], [3, 5], [2, 4], [0, 3], [2, 6], [1, 5]]
EDGES_OF_5 = [[1, 2], [0, 4], [0], [], [1]]


@pytest.mark.claim("lem-ring-splits")
@given(st.integers(1, 12), st.integers(1, 8), st.randoms(use_true_random=False))
def test_a_ring_s_neighbours_are_mutual_and_as_many_as_it_says(n, half, dice):
    order = dice.sample(range(n), n)
    graph = Ring(2 * half).around(order)
    assert all(k in graph[j] and k != j for k in range(n) for j in graph[k])
    assert {len(near) for near in graph} == {min(2 * half, n - 1)}
    for i, party in enumerate(order):
        assert graph[party] == {order[(i + d) % n] for d in range(-half, half + 1)} - {party}


@pytest.mark.claim("lem-ring-splits")
@pytest.mark.parametrize("case", [(7, 2, 3), (8, 4, 5), (9, 4, 4), (6, 6, 3), (10, 4, 6)])
def test_a_ring_splits_as_often_as_is_said(case):
    splits.ring_splits(*case)
    splits.ring_shares(case[0] - 2, case[1], 1, 1)
    splits.ring_is_split(case[0] - 1, case[1], 2, 1)


@pytest.mark.claim("lem-ring-splits")
@pytest.mark.parametrize("parties", [3, 4, 5])
def test_every_order_of_a_ring_is_equally_likely(parties):
    splits.every_order(parties)


@pytest.mark.claim("lem-ring-splits")
@pytest.mark.parametrize(
    "case", [(20, 4, 0, Fraction(1, 2**20)), (50, 5, 5, Fraction(1, 32)), (9, 0, 0, Fraction(1, 9))]
)
def test_the_ring_that_is_needed_is_the_least(case):
    splits.least_ring(*case)


def test_how_many_neighbours_are_needed():
    """Known answers; more colluders, more missing ones and less failure need more neighbours."""
    assert [neighbours_needed(n, n // 5) for n in (20, 100, 500, 1000)] == NEEDED
    assert neighbours_needed(100) == 2 and neighbours_needed(100, 20, 10) == 32
    assert neighbours_needed(100, 20, failure="1/1000") < neighbours_needed(100, 20) < neighbours_needed(100, 60)
    with pytest.raises(ValueError, match="with 2 colluders and 2 missing of 5 parties no threshold is safe"):
        neighbours_needed(5, 2, 2)
    assert neighbours_needed(5, 1, 2) == 4
    for failure in (0, -1, "x"):
        with pytest.raises(ValueError, match="failure"):
            neighbours_needed(5, failure=failure)


NEEDED = [6, 18, 24, 26]


@pytest.mark.claim("lem-edges-split")
@pytest.mark.parametrize("parties", [1, 2, 3, 4])
def test_independent_edges_split_and_are_drawn_as_often_as_is_said(parties):
    splits.edges_split(parties, Fraction(2, 5))
    splits.edge_shares(parties, Fraction(2, 5))
    if 1 < parties < 4:
        splits.edges_drawn(parties, Fraction(2, 5))


@pytest.mark.claim("lem-edges-split")
def test_the_recursion_counts_connected_graphs():
    """With q = 1/2 the probability times 2^(n(n−1)/2) is the number of connected graphs (OEIS A001187)."""
    known = [1, 1, 4, 38, 728, 26704, 1866256, 251548592]
    assert [connected(n, Fraction(1, 2)) * 2 ** comb(n, 2) for n in range(1, 9)] == known


@pytest.mark.claim("lem-neighbour-shares")
def test_shares_among_all_are_too_many_only_from_the_threshold_on():
    """With everybody a neighbour nothing is left to chance."""
    for t in range(1, 7):
        risk = sharing_risk(Ring(6), 7, t, colluders=2, missing=1)
        assert risk.opened == (t <= 2) and risk.lost == (t > 5)
        assert sharing_risk(Edges(1), 7, t, 2, 1) == risk
        assert sharing_risk(Ring(6), 7, t, 2).lost == 0


@pytest.mark.parametrize("model", [Ring(4), Edges("1/3")])
def test_odd_numbers_of_parties_are_refused(model):
    for numbers, words in (
        ((0,), "n_parties"),
        ((5, -1), "colluders"),
        ((5, 0, -1), "missing"),
        ((5, 3, 2), "of 5 parties at least one must be honest and there, got 3 colluders and 2 missing"),
        ((5, 5), "at least one"),
        ((2.5,), "n_parties"),
    ):
        with pytest.raises(ValueError, match=words):
            failure_probability(model, *numbers)
        with pytest.raises(ValueError, match=words):
            sharing_risk(model, numbers[0], 1, *numbers[1:])
    assert failure_probability(model, 1) == 0 and failure_probability(model, 5, 4) == 0
    with pytest.raises(ValueError, match="model must be a Ring or Edges, got str"):
        failure_probability("Ring", 3)
    with pytest.raises(ValueError, match="threshold"):
        sharing_risk(model, 5, 0)


def test_models_have_a_range():
    for k in (0, 1, 3, -2, 2.0, "2"):
        with pytest.raises(ValueError, match="neighbours"):
            Ring(k)
    for p in (-1, "3/2", "x", None, Fraction(1, 10**6 + 1)):
        with pytest.raises(ValueError, match="probability"):
            Edges(p)
    assert Edges("0.25").probability == Fraction(1, 4) and Edges("0.25").absent == Fraction(3, 4)
    assert failure_probability(Ring(2), 10_000, 1) == 0
    with pytest.raises(ValueError, match="n_parties must be at most 100"):
        failure_probability(Edges("1/2"), 101)
    with pytest.raises(ValueError, match="n_parties"):
        Ring(2).draw(COINS, 10_001)


def test_who_chooses_the_missing_does_better_than_chance():
    """The bound is above the probability for missing ones by chance, and at most 1; without missing it is the same."""
    for model in (Ring(2), Ring(4), Edges("3/4")):
        by_chance = failure_probability(model, 20, 2, 2)
        assert by_chance < failure_probability(model, 20, 2, 2, chosen=True) <= 1
        assert failure_probability(model, 20, 4, chosen=True) == failure_probability(model, 20, 4)
    assert failure_probability(Ring(2), 20, 2, 9, chosen=True) == 1
    assert failure_probability(Ring(20), 20, 2, 9, chosen=True) == 0


@pytest.mark.claim("lem-ring-splits")
def test_components_of_a_path():
    """A path without its middle is two; the whole is one; nobody is none."""
    path = tuple(frozenset(j for j in (k - 1, k + 1) if 0 <= j < 5) for k in range(5))
    assert components(path, range(5)) == ((0, 1, 2, 3, 4),)
    assert components(path, [4, 3, 1, 0]) == ((0, 1), (3, 4))
    assert components(path, []) == ()
    assert sum(len(components(path, left)) == 1 for left in combinations(range(5), 3)) == 3
