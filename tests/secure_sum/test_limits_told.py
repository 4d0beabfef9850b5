"""What a party's owner may demand, and how it is told: every field, its least value, and the words of each refusal."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.claims.secure_sum.laws_federation import ALL
from fdpedu.federation import ClassCounts, ClassHistogram, Limits, NodeBounds, NodeHistograms
from fdpedu.federation.messages import Refused
from fdpedu.federation.stages import rules_of
from fdpedu.secure_sum import RoundLost, Rules

KEYS = [bytes([k]) * 32 for k in range(4)]
ALL_KINDS = (NodeHistograms, ClassHistogram, ClassCounts, NodeBounds)


def test_limits_that_are_left_out_allow_everything():
    limits = Limits()
    assert (limits.queries, limits.members, limits.minimum, limits.maximum) == (ALL_KINDS, None, 2, 1000)
    assert (limits.tolerate, limits.least_epsilon) == (0, 0)
    told = "node-histograms, class-histogram, class-counts, node-bounds; members: any 2 or more; tolerate ≥ 0; ε ≥ 0"
    assert repr(limits) == f"Limits({told})"


def test_limits_are_what_was_given():
    limits = Limits([ClassCounts, NodeHistograms], KEYS[:2], 4, 4, 3, "0.25")
    assert (limits.queries, limits.members) == ((ClassCounts, NodeHistograms), frozenset(KEYS[:2]))
    assert (limits.minimum, limits.maximum, limits.tolerate) == (4, 4, 3)
    assert limits.least_epsilon == Fraction(1, 4) and type(limits.least_epsilon) is Fraction
    told = "class-counts, node-histograms; members: 2 pinned, 4 or more; tolerate ≥ 3; ε ≥ 1/4"
    assert repr(limits) == f"Limits({told})"
    assert Limits(minimum=2, maximum=2, tolerate=0).minimum == 2 and Limits(members=set()).members == frozenset()


def test_numbers_of_other_types_are_kept_as_integers():
    """What is shown and compared is Python's, whatever was given."""
    limits = Limits(minimum=np.int64(3), maximum=np.uint8(7), tolerate=np.int16(1))
    fields = (limits.minimum, limits.maximum, limits.tolerate)
    assert fields == (3, 7, 1) and [type(field) for field in fields] == [int] * 3


NUMBER = "least_epsilon must be a finite number (an int, a Fraction, a decimal, or text like '1/3'), got 'little'"
KINDS = "queries must be types of the closed set, NodeHistograms, ClassHistogram, ClassCounts, NodeBounds"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"queries": []}, KINDS),
        ({"queries": [ClassCounts, int]}, KINDS),
        ({"queries": [ClassCounts(ALL, 1)]}, KINDS),
        ({"queries": 7}, "queries must be a list, got 7"),
        ({"queries": "class-counts"}, "queries must be a list, got 'class-counts'"),
        ({"members": [KEYS[0], bytes(31)]}, "members must be a set or a list of identities, 32 bytes each"),
        ({"members": [bytes(33)]}, "members must be a set or a list of identities, 32 bytes each"),
        ({"members": 7}, "pinned must be a set or a list of identities, 32 bytes each"),
        ({"minimum": 1}, "minimum must be an integer ≥ 2, got 1"),
        ({"minimum": True}, "minimum must be an integer ≥ 2, got True"),
        ({"minimum": 5, "maximum": 4}, "maximum must be an integer ≥ 5, got 4"),
        ({"maximum": "many"}, "maximum must be an integer ≥ 2, got 'many'"),
        ({"tolerate": -1}, "tolerate must be an integer ≥ 0, got -1"),
        ({"tolerate": 0.5}, "tolerate must be an integer ≥ 0, got 0.5"),
        ({"least_epsilon": "little"}, NUMBER),
    ],
)
def test_limits_that_are_none_are_refused_in_these_words(given, told):
    with pytest.raises(ValueError) as refused:
        Limits(**given)
    assert str(refused.value) == told


def refusals(check, *arguments):
    try:
        return check(*arguments)
    except Refused as refused:
        return refused.name, refused.reason


@pytest.mark.parametrize(
    ("given", "members", "colluders", "told"),
    [
        ({"minimum": 3}, KEYS[:3], 0, None),
        ({"minimum": 3}, KEYS[:2], 0, "2 members are too few: this party wants 3"),
        ({"maximum": 3}, KEYS[:3], 0, None),
        ({"maximum": 3}, KEYS, 0, "4 members are too many: this party wants 3 at most"),
        ({"members": KEYS[:3]}, KEYS[:3], 0, None),
        ({"members": KEYS[:3]}, KEYS[:2], 0, None),
        ({"members": KEYS[:2]}, KEYS[1:3], 0, "somebody is on the list whom this party's owner has not pinned"),
        ({"members": KEYS[:2]}, KEYS[:3], 0, "somebody is on the list whom this party's owner has not pinned"),
        ({"tolerate": 2}, KEYS, 2, None),
        ({"tolerate": 2}, KEYS, 1, "the noise withstands 1 colluders: this party wants 2 or more"),
    ],
)
def test_members_and_colluders_at_the_bounds(given, members, colluders, told):
    expected = told if told is None else ("not allowed", told)
    assert refusals(Limits(**given).check_members, members, colluders) == expected


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (ClassCounts(ALL, Fraction(1, 3)), None),
        (ClassHistogram(ALL, 1, 0), None),
        (ClassCounts(ALL, Fraction(1, 4)), "this party answers at 1/3 or more for a query"),
        (NodeHistograms(ALL, 1), "this party does not answer node-histograms"),
    ],
)
def test_queries_at_the_bounds(query, told):
    limits = Limits([ClassCounts, ClassHistogram], least_epsilon=Fraction(1, 3))
    assert refusals(limits.check_query, query) == (told if told is None else ("not allowed", told))


@pytest.mark.parametrize(
    ("n", "tolerate", "missing", "rules"),
    [(2, 1, 0, Rules(2, 2, 1, 1)), (5, 3, 1, Rules(5, 4, 2, 3)), (5, 2, 2, Rules(5, 3, 0, 2)), (2, 0, 0, Rules(2, 2))],
)
def test_the_rules_of_a_session(n, tolerate, missing, rules):
    assert rules_of(n, tolerate, missing) == rules


@pytest.mark.parametrize(
    ("n", "tolerate", "missing", "told"),
    [
        (3, 3, 0, "tolerate must be less than the number of parties (3), got 3"),
        (3, -1, 0, "tolerate must be an integer ≥ 0, got -1"),
        (4, 1, 2, "the noise of a missing party is missing: tolerate must be at least missing, got 1 and 2"),
        (3, 1, -1, "missing must be an integer ≥ 0, got -1"),
    ],
)
def test_rules_that_cannot_be_kept_are_refused_in_these_words(n, tolerate, missing, told):
    with pytest.raises(ValueError) as refused:
        rules_of(n, tolerate, missing)
    assert str(refused.value) == told and not isinstance(refused.value, RoundLost)
