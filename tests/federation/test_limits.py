"""What a party's owner may demand, and that the party keeps it, whoever asks."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.claims.secure_sum import messages
from fdpedu.claims.secure_sum import party_ledger as topic
from fdpedu.claims.secure_sum.messages import AGE, ALL
from fdpedu.federation import (
    ClassCounts,
    ClassHistogram,
    ConfusionCounts,
    DesignedSplit,
    Federation,
    GradientSums,
    GroupCounts,
    InterceptSums,
    Limits,
    NodeBounds,
    NodeHistograms,
    OutcomeCounts,
    Party,
    PullVectors,
    ResidualSums,
    SplitVote,
    SquareSums,
    StructureVote,
    TargetCounts,
)
from fdpedu.federation.messages import Answer, Refused
from fdpedu.randomness import Rehearsal, SystemSource, ZeroWords
from fdpedu.secure_sum import Identity, RoundLost
from tests.support.desks import Desk, refusal
from tests.support.federations import BELIEVING, federation, parties

KEYS = [bytes([k]) * 32 for k in range(4)]
SEEDED = Rehearsal(1)
ALL_KINDS = (
    *(NodeHistograms, ClassHistogram, ClassCounts, NodeBounds, OutcomeCounts, DesignedSplit),
    *(SplitVote, StructureVote, GroupCounts, GradientSums, InterceptSums, PullVectors),
    *(TargetCounts, ResidualSums, SquareSums, ConfusionCounts),
)


def test_limits_that_are_left_out_allow_everything_but_whom_to_believe():
    limits = BELIEVING
    for missing in ({}, {"members": "anybody"}, {"tolerate": 0}):
        with pytest.raises(TypeError, match="required"):
            Limits(**missing)
    assert (limits.queries, limits.members, limits.minimum, limits.maximum) == (ALL_KINDS, "anybody", 2, 1000)
    assert (limits.tolerate, limits.least_epsilon) == (0, 0)
    kinds = "node-histograms, class-histogram, class-counts, node-bounds, outcome-counts, designed-split"
    kinds += ", split-vote, structure-vote, group-counts, gradient-sums, intercept-sums, pull-vectors"
    kinds += ", target-counts, residual-sums, square-sums, confusion-counts"
    assert repr(limits) == f"Limits({kinds}; members: any 2 or more; tolerate ≥ 0; ε ≥ 0)"


def test_limits_are_what_was_given():
    limits = Limits(
        members=KEYS[:2],
        tolerate=3,
        queries=[ClassCounts, NodeHistograms],
        minimum=4,
        maximum=4,
        least_epsilon="0.25",
    )
    assert (limits.queries, limits.members) == ((ClassCounts, NodeHistograms), frozenset(KEYS[:2]))
    assert (limits.minimum, limits.maximum, limits.tolerate) == (4, 4, 3)
    assert limits.least_epsilon == Fraction(1, 4) and type(limits.least_epsilon) is Fraction
    shown = "class-counts, node-histograms; members: 2 pinned, 4 or more; tolerate ≥ 3; ε ≥ 1/4"
    assert repr(limits) == f"Limits({shown})"
    assert (
        Limits(members="anybody", minimum=2, maximum=2, tolerate=0).minimum == 2
        and Limits(tolerate=0, members=set()).members == frozenset()
    )


def test_numbers_of_other_types_are_kept_as_integers():
    """What is shown and compared is Python's, whatever was given."""
    limits = Limits(members="anybody", minimum=np.int64(3), maximum=np.uint8(7), tolerate=np.int16(1))
    fields = (limits.minimum, limits.maximum, limits.tolerate)
    assert fields == (3, 7, 1) and [type(field) for field in fields] == [int] * 3


def allowed(check, *arguments):
    """Whether it is; what is not bears this name."""
    try:
        return check(*arguments) is None
    except Refused as refused:
        return refused.name != "not allowed"


@pytest.mark.parametrize(
    ("given", "members", "colluders", "expected"),
    [
        ({"minimum": 3}, KEYS[:3], 0, True),
        ({"minimum": 3}, KEYS[:2], 0, False),
        ({"maximum": 3}, KEYS[:3], 0, True),
        ({"maximum": 3}, KEYS, 0, False),
        ({"members": KEYS[:3]}, KEYS[:3], 0, True),
        ({"members": KEYS[:3]}, KEYS[:2], 0, True),
        ({"members": KEYS[:2]}, KEYS[1:3], 0, False),
        ({"members": KEYS[:2]}, KEYS[:3], 0, False),
        ({"tolerate": 2}, KEYS, 2, True),
        ({"tolerate": 2}, KEYS, 1, False),
    ],
)
def test_members_and_colluders_at_the_bounds(given, members, colluders, expected):
    assert allowed(replace(BELIEVING, **given).check_members, members, colluders) is expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (ClassCounts(ALL, Fraction(1, 3)), True),
        (ClassHistogram(ALL, 1, 0), True),
        (ClassCounts(ALL, Fraction(1, 4)), False),
        (NodeHistograms(ALL, 1), False),
    ],
)
def test_queries_at_the_bounds(query, expected):
    limits = Limits(members="anybody", tolerate=0, queries=[ClassCounts, ClassHistogram], least_epsilon=Fraction(1, 3))
    assert allowed(limits.check_query, query) is expected


@pytest.mark.claim("thm-party-ledger")
def test_a_party_that_believes_nobody_draws_its_own_words():
    """Also among others who draw theirs; an owner's own source is used, and said of the whole federation."""
    keys = [Identity.create() for _ in range(2)]
    pinned = Limits(members=[key.public for key in keys], tolerate=0)
    members = [
        Party([], AGE, limits=pinned, identity=key, rng=rng) for key, rng in zip(keys, (None, SEEDED), strict=True)
    ]
    assert [member.randomness for member in members] == [SystemSource.kind, SEEDED.kind]
    assert members[1].endpoint(SystemSource())._source is SEEDED
    joined = Federation(members, AGE, Ledger(1), tolerate=0)
    joined.release(COUNTS)
    assert joined.ledger.derivation().guarantee.randomness == (SEEDED.kind,)


def test_the_system_s_source_takes_no_attribute():
    """So its words cannot be replaced in an instance."""
    with pytest.raises(AttributeError):
        SystemSource().words = None


COUNTS = [ClassCounts(ALL, Fraction(1, 4))]


def test_members_take_part_where_their_owners_allow_it():
    """Pinned ones, as many as are wanted, with noise that withstands as many as is wanted beside those missing."""
    keys = [Identity.create() for _ in range(3)]
    limits = Limits(members=[key.public for key in keys], minimum=3, tolerate=1)
    members = [Party(messages.ROWS[k], AGE, identity=key, limits=limits, rng=ZeroWords()) for k, key in enumerate(keys)]
    counts = [ClassCounts(ALL, Fraction(1, 4))]
    assert federation(members=members).release(counts)[0].tolist() == topic.counted(range(3)).tolist()
    few, one = (
        Party([], AGE, limits=Limits(members="anybody", tolerate=0, maximum=2)),
        Party([], AGE, limits=Limits(members="anybody", tolerate=1)),
    )
    for wrong, options in (
        ([*members, *parties(1)], {}),
        (members[:2], {}),
        ([members[0], members[1], Party([], AGE, identity=keys[1], limits=limits)], {}),
        (members, {"tolerate": 0}),
        ([few, *parties(2)], {}),
        ([one, *parties(3)], {"missing": 1}),
    ):
        ledger = Ledger(1)
        with pytest.raises(RoundLost, match=r"^'party 1' .*not allowed"):
            Federation(wrong, AGE, ledger, **options)
        assert ledger.domain is None and ledger.spent == 0


@pytest.mark.parametrize(("name", "kind"), [("ledger", Ledger), ("limits", Limits), ("identity", Identity)])
def test_a_subclass_of_what_protects_a_party_is_refused(name, kind):
    """It could charge nothing, allow everything, or show its key."""
    mine = type("Mine", (kind,), {})
    given = {
        "ledger": lambda: mine(1),
        "limits": lambda: mine(members="anybody", tolerate=0),
        "identity": mine.create if kind is Identity else None,
    }[name]()
    with pytest.raises(ValueError, match=f"^{name} must be"):
        Party([], AGE, **{name: given})


def test_an_owner_may_refuse_bounds_and_may_allow_nothing_else():
    desk = Desk(3, limits=Limits(members="anybody", tolerate=0, queries=[NodeHistograms, ClassCounts])).begin()
    said = desk.ask(1, ClassCounts(ALL, 1), NodeBounds(ALL, 1, 4))
    assert refusal(desk, said)[0] == "not allowed" and refusal(desk, said)[1].endswith("node-bounds")
    assert desk.endpoint.ledger.rounds == 0 and type(desk.ask(1, ClassCounts(ALL, 1))) is Answer
    only = Desk(3, limits=Limits(members="anybody", tolerate=0, queries=[NodeBounds], least_epsilon="1/2")).begin()
    for query in (ClassCounts(ALL, 1), NodeBounds(ALL, "1/3", 4)):
        assert refusal(only, only.ask(1, query))[0] == "not allowed"
    assert type(only.ask(1, NodeBounds(ALL, "1/2", 4))) is Answer and only.endpoint.ledger.spent == Fraction(1, 2)
