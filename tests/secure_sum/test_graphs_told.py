"""Graphs of neighbours: what masks are bound to, what nobody states, and the ends that are answered."""

from fractions import Fraction

import pytest

from fdpedu.secure_sum import Edges, KeyPair, Ring, neighbour_masks, neighbours_needed, sharing_risk
from fdpedu.secure_sum.neighbours import _MAX_STEPS


@pytest.mark.parametrize("k", [0, 1])
def test_masks_of_neighbours_are_bound_to_identities(k):
    """The same keys, graph and number: other names, other masks."""
    pairs = [KeyPair(), KeyPair()]
    publics, graph = [pair.public for pair in pairs], (frozenset({1}), frozenset({0}))

    def drawn(**bound):
        return neighbour_masks(k, pairs[k], publics, graph, **bound).draw(1, 20).tolist()

    named = [drawn(identities=names) for names in ([b"a", b"b"], [b"a", b"c"], [b"b", b"a"])]
    assert len({tuple(one) for one in [drawn(), drawn(session=b"s"), *named]}) == 5
    assert drawn(identities=[b"a", b"b"]) == named[0] and drawn() == drawn(session=b"")


def test_a_probability_may_be_none_or_certain_or_of_many_parts():
    assert Edges(0).draw(bytes(32), 3) == (frozenset(),) * 3 and Edges("0").absent == 1
    assert Edges(1).draw(bytes(32), 3) == tuple(frozenset(range(3)) - {k} for k in range(3))
    assert Edges(Fraction(1, _MAX_STEPS)).absent == 1 - Fraction(1, _MAX_STEPS)
    with pytest.raises(ValueError, match=f"a fraction of at most {_MAX_STEPS} parts"):
        Edges(Fraction(1, _MAX_STEPS + 1))


def test_nobody_colludes_and_nobody_is_missing_unless_it_is_said():
    for model in (Ring(4), Edges("1/2")):
        assert sharing_risk(model, 9, 1) == sharing_risk(model, 9, 1, 0, 0) != sharing_risk(model, 9, 1, 1, 0)
    for failure in (Fraction(1, 2**10), Fraction(1, 2**40)):
        assert neighbours_needed(60, failure=failure) == neighbours_needed(60, 0, 0, failure)
    assert neighbours_needed(60, 3) == neighbours_needed(60, 3, 0) < neighbours_needed(60, 3, 1)


def test_a_risk_of_no_share_at_all_is_none():
    """A threshold of one is met by a ring, and is read by whoever is a neighbour."""
    assert sharing_risk(Ring(2), 5, 1).lost == 0 and sharing_risk(Ring(2), 5, 1, 0, 4).lost == 1
    assert sharing_risk(Edges("1/2"), 3, 1).lost == Fraction(3, 4)
