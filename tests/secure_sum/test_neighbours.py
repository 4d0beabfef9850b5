"""Masks with a few neighbours: the sums are right, and the graph is everybody's."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.claims.checking import Refuted
from fdpedu.claims.secure_sum import neighbours as topic
from fdpedu.secure_sum import (
    Edges,
    Identity,
    KeyPair,
    Ring,
    commit_coins,
    components,
    decode_sum,
    encode,
    joint_coins,
    neighbour_masks,
    verify_announcements,
)
from fdpedu.secure_sum.neighbours import _MAX_STEPS, _CoinWords

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
    assert summed(Ring(2).draw(COINS, 3), [5, -9, 1], session=b"monday", identities=[b"a", b"b", b"c"]) == -3
    pairs = [KeyPair(), KeyPair()]
    publics, both = [pair.public for pair in pairs], Edges(1).draw(COINS, 2)

    def drawn(k, **bound):
        return neighbour_masks(k, pairs[k], publics, both, **bound).draw(1, 20)

    assert decode_sum([drawn(0, session=b"monday"), drawn(1, session=b"tuesday")]).any()
    for k in (0, 1):  # the same keys, graph and number: other names, other masks
        named = [drawn(k, identities=names).tolist() for names in ([b"a", b"b"], [b"a", b"c"], [b"b", b"a"])]
        assert len({tuple(one) for one in [drawn(k).tolist(), drawn(k, session=b"s").tolist(), *named]}) == 5
        assert drawn(k, identities=[b"a", b"b"]).tolist() == named[0]
        assert drawn(k).tolist() == drawn(k, session=b"").tolist()


@pytest.mark.claim("thm-neighbours")
def test_the_check_of_components_can_fail(monkeypatch):
    """If the components are taken for one, or for single parties, the check finds it."""
    case = (2, 3, ((0, 1),), 0)
    for wrong in (((0, 1, 2),), ((0,), (1,), (2,))):
        monkeypatch.setattr(topic, "components", lambda graph, among, said=wrong: said)
        with pytest.raises(Refuted):
            topic.component_sums(*case)


@pytest.mark.claim("thm-neighbours")
def test_coins_are_a_session_s_nonce():
    """Who holds other coins has another session, and is refused with the announcements."""
    people = [Identity.create() for _ in range(3)]
    members = [person.public for person in people]
    own = [bytes([k]) * 32 for k in range(3)]
    coins = joint_coins(own, [commit_coins(one, members) for one in own], members)
    assert len(coins) == 32 and Ring(2).draw(coins, 3) == Ring(2).draw(coins, 3)
    changed = [*own[:2], bytes([9]) * 32]
    others = joint_coins(changed, [commit_coins(one, members) for one in changed], members)
    announced = [
        person.announce(session, KeyPair().public, members)
        for person, session in zip(people, (coins, coins, others), strict=True)
    ]
    with pytest.raises(ValueError, match="session"):
        verify_announcements(announced, members, announced[0])


def test_graphs_are_those_of_their_coins():
    """Known answers: a graph that came out otherwise would no longer be that of parties with an older version."""
    ring, half, other = Ring(2), Edges("1/2"), bytes(31) + b"\1"
    assert [sorted(near) for near in ring.draw(COINS, 7)] == [[1, 4], [0, 6], [3, 5], [2, 4], [0, 3], [2, 6], [1, 5]]
    assert [sorted(near) for near in half.draw(COINS, 5)] == [[1, 2], [0, 4], [0], [], [1]]
    assert ring.draw(other, 50) != ring.draw(COINS, 50) and half.draw(other, 9) != half.draw(COINS, 9)


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
def test_components_of_a_path():
    """A path without its middle is two; the whole is one; nobody is none."""
    path = tuple(frozenset(j for j in (k - 1, k + 1) if 0 <= j < 5) for k in range(5))
    assert components(path, range(5)) == ((0, 1, 2, 3, 4),)
    assert components(path, [4, 3, 1, 0]) == ((0, 1), (3, 4))
    assert components(path, []) == ()
    assert sum(len(components(path, left)) == 1 for left in combinations(range(5), 3)) == 3


@pytest.mark.claim("lem-ring-splits")
def test_words_of_coins_do_not_come_again():
    """A number that was refused is drawn from new words; and the same coins give the same words."""
    source, again = _CoinWords(bytes(32)), _CoinWords(bytes(32))
    drawn = [source.words(4).tolist() for _ in range(3)]
    assert len({word for words in drawn for word in words}) == 12
    assert [again.words(4).tolist() for _ in range(3)] == drawn


def test_a_probability_may_be_none_or_certain_or_of_many_parts():
    assert Edges(0).draw(bytes(32), 3) == (frozenset(),) * 3 and Edges("0").absent == 1
    assert Edges(1).draw(bytes(32), 3) == tuple(frozenset(range(3)) - {k} for k in range(3))
    assert Edges("0.25").probability == Fraction(1, 4) and Edges("0.25").absent == Fraction(3, 4)
    assert Edges(Fraction(1, _MAX_STEPS)).absent == 1 - Fraction(1, _MAX_STEPS)
    with pytest.raises(ValueError, match=f"probability .* {_MAX_STEPS}"):
        Edges(Fraction(1, _MAX_STEPS + 1))
