"""Sums that survive parties that fall silent: the stages, what is refused, and what a lying aggregator gets."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.checking import Refuted, exhaust
from fdpedu.claims.secure_sum import laws_dropouts as law
from fdpedu.claims.secure_sum import laws_lies as lies
from fdpedu.claims.secure_sum.laws_ideal import IdealPrimitives
from fdpedu.secure_sum import STAGES, WORD, Box, Masked, Member, RoundLost, Rules, seat, sum_with_dropouts

FOUR = Rules.for_missing(4, 1)


@st.composite
def rounds(draw):
    """Rules, a pattern of drop-outs, numbers and a modulus that has room for them."""
    n = draw(st.integers(2, 6))
    rules = draw(st.sampled_from(list(law.all_rules(n))))
    completes = draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))
    values = draw(st.lists(st.lists(st.integers(-50, 50), min_size=2, max_size=2), min_size=n, max_size=n))
    return rules, completes, values, draw(st.sampled_from([WORD, 2**62, 1009]))


@pytest.mark.claim("thm-dropout-sum")
@settings(deadline=None, max_examples=60)
@given(rounds())
def test_the_sum_of_those_who_sent_or_an_error(case):
    rules, completes, values, modulus = case
    sent = [row for row, done in zip(values, completes, strict=True) if done > 2]
    try:
        result = sum_with_dropouts(values, rules, completes, modulus, primitives=IdealPrimitives())
    except RoundLost as lost:
        assert str(lost).startswith("round 1 is lost while ")
        return
    assert result.tolist() == np.sum(sent, axis=0).tolist() and len(sent) >= rules.least_survivors


@pytest.mark.claim("thm-dropout-sum")
@pytest.mark.parametrize("stage", range(6))
def test_real_keys(stage):
    law.real_keys(FOUR, (5, 5, 5, stage))


@pytest.mark.claim("thm-dropout-sum")
@pytest.mark.parametrize(("stage", "words"), [*enumerate(STAGES.values())])
def test_a_lost_round_says_when_and_who_is_missing(stage, words):
    with pytest.raises(RoundLost) as lost:
        sum_with_dropouts([[1]] * 4, FOUR, [5, stage, 5, stage], primitives=IdealPrimitives())
    assert str(lost.value) == (
        f"round 1 is lost while {words}: 3 of 4 parties are needed, 2 are there; not there: 1, 3"
    )


@pytest.mark.claim("thm-dropout-sum")
@pytest.mark.parametrize("kind", ["seed", "key"])
def test_a_false_share_is_noticed(kind):
    lies.false_shares_noticed(FOUR, 3, 1, kind)


@pytest.mark.claim("thm-dropout-view")
def test_views_of_three_parties():
    """All patterns of who is silent from the third stage on, with a colluder and without."""
    for rules in (Rules(3, 2, 1, 2, False), Rules(3, 2, 0, 1)):
        for completes in [(2, 5, 5), (5, 2, 5), (5, 5, 5), (5, 3, 5), (5, 4, 5), (3, 3, 3), (2, 2, 5)]:
            law.only_the_sum(rules, completes, 2)


@pytest.mark.claim("thm-dropout-view")
def test_few_shares_give_nothing():
    lies.too_few_shares(Rules(4, 3))


@pytest.mark.claim("thm-one-list")
def test_no_lie_about_survivors_is_of_use():
    for rules in (Rules(3, 2, 0, 1), Rules(4, 3, 0, 1), Rules(4, 3, 1, 2)):
        exhaust(lies.one_list_is_opened, lies.lies(rules))


@pytest.mark.claim("thm-one-list")
def test_a_liar_is_of_use_where_the_rules_do_not_provide_for_one():
    """The attack is there, so that the check could see one; with rules against a liar there is none."""
    lies.lists_can_be_mixed(Rules(4, 2, 0, 2, False))
    with pytest.raises(Refuted, match="no lie is of any use"):
        lies.lists_can_be_mixed(Rules(4, 3, 0, 1, False))


@pytest.mark.claim("thm-one-list")
def test_withheld_shares_are_of_no_use():
    exhaust(lies.shares_withheld, lies.withheld_shares(3))
    lies.forged_keys_left_out(FOUR, 2)


def test_what_withheld_boxes_leave():
    """Two that mask for each other only are learnt on their own; one whose mask is not returned hides all."""
    seeds = law.Opened(dict.fromkeys(range(4), b""), {})
    assert lies.learnt(((0, 1), (0, 1), (2, 3), (2, 3)), seeds) == [{0, 1}, {2, 3}]
    assert lies.learnt(((0, 1), (0, 1, 2), (2, 3), (2, 3)), seeds) == []
    assert lies.learnt(((0, 1, 2), (0, 1, 2), (0, 1, 2)), law.Opened(dict.fromkeys((0, 1), b""), {2: b""})) == [{0, 1}]


@pytest.mark.claim("lem-survivor-lists")
def test_rules_of_small_federations():
    """What MATH says of K = 2, 3 and 5; and that each bound is refused by name."""
    assert [Rules.for_missing(5, m, c).threshold for m, c in ((0, 4), (1, 2), (2, 0))] == [5, 4, 3]
    for n, missing, colluders in ((2, 1, 0), (3, 1, 1), (4, 2, 0), (5, 1, 3), (5, 2, 1)):
        with pytest.raises(ValueError, match="against a lying aggregator twice the threshold"):
            Rules.for_missing(n, missing, colluders)
    exhaust(lies.lists_are_impossible, lies.all_thresholds(6))


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((1, 1), "n_parties must be"),
        ((3, 0), "threshold must be an integer"),
        ((3, 4), "threshold must be above the colluders and at most n_parties, got 4"),
        ((3, 2, 2, 2, False), "above the colluders"),
        ((3, 3, -1), "colluders must be"),
        ((3, 3, 1, 0), "tolerate must be at least the colluders"),
        ((3, 3, 0, 3), "less than n_parties, got 3"),
        ((3, 3, 0, -1), "tolerate must be"),
        ((4, 2, 0, 2), r"got 2·2 and 4 \+ 0"),
    ],
)
def test_rules_that_cannot_hold_are_refused(arguments, why):
    with pytest.raises(ValueError, match=why):
        Rules(*arguments)


def test_how_many_are_enough():
    assert Rules(5, 3, 0, 2).least_survivors == 3 and Rules(5, 3, 0, 1).least_survivors == 4
    assert Rules(5, 4, 1, 3).least_survivors == 4 and Rules(5, 3, 0, 4).least_survivors == 3


def begun(rules=FOUR, size=1):
    """Members that have shared their secrets, their collector, and the boxes for each."""
    members, collector = seat(rules, size, primitives=IdealPrimitives())
    hellos = collector.hellos([member.announce() for member in members])
    return members, collector, collector.boxes([box for member in members for box in member.share(hellos)])


def test_each_stage_comes_once_and_in_order():
    members, _ = seat(FOUR, 1, primitives=IdealPrimitives())
    one = members[0]
    assert repr(one) == "Member(0, round 1, to come: announce, share, mask, agree, unmask)"
    early = {"share": lambda: one.share([]), "agree": lambda: one.agree((0,)), "unmask": lambda: one.unmask([])}
    for name, act in early.items():
        with pytest.raises(ValueError, match=f"round 1: each stage .* asked for {name}, next is announce"):
            act()
    one.announce()
    with pytest.raises(ValueError, match="asked for announce, next is share"):
        one.announce()
    with pytest.raises(ValueError, match="asked for mask, next is share"):
        one.mask(np.zeros(1, dtype=np.int64), [])


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_member_is_not_copied(how):
    with pytest.raises(TypeError, match="could sign another list"):
        how(begun()[0][0])


@pytest.mark.parametrize("survivors", [(0, 1, 1, 2), (1, 0, 2), (1, 2, 3), (0, 1, 2, 7), (0, 1, 9)])
def test_lists_that_no_party_signs(survivors):
    members, _, boxes = begun()
    members[0].mask(np.zeros(1, dtype=np.int64), boxes[0])
    with pytest.raises(ValueError, match="survivors must be in order, this party among them"):
        members[0].agree(survivors)


def test_a_list_that_is_too_short_is_not_signed():
    members, _, boxes = begun()
    members[0].mask(np.zeros(1, dtype=np.int64), boxes[0])
    with pytest.raises(RoundLost, match="3 of 4 parties are needed, 2 are there; not there: 2, 3"):
        members[0].agree((0, 1))


FALSE_BOXES = {
    "is not for party 0": lambda one, two: [one._replace(receiver=2)],
    "or comes twice": lambda one, two: [one, one],
    "a box from 7 for 0": lambda one, two: [one._replace(sender=7)],
    "a box from 0 for 0": lambda one, two: [Box(0, 0, one.sealed)],
    "from party 2 was not sealed": lambda one, two: [one, two._replace(sealed=one.sealed)],
    "from party 1 was not sealed": lambda one, two: [
        one._replace(sealed=one.sealed[:-1] + bytes([one.sealed[-1] ^ 1]))
    ],
}


@pytest.mark.parametrize("why", FALSE_BOXES)
def test_boxes_that_are_refused(why):
    """For another receiver, twice, from a stranger or oneself, another's, altered."""
    members, _, boxes = begun()
    with pytest.raises(ValueError, match=why):
        members[0].mask(np.zeros(1, dtype=np.int64), FALSE_BOXES[why](*boxes[0][:2]))


def test_a_box_of_another_round_is_refused():
    """Seals are bound to the session, the round and the digest, whoever holds the same keys."""
    members, _, boxes = begun()
    for change in ({"number": 2}, {"session": b""}, {"digest": b""}):
        other = Member(1, FOUR, replace(members[1].occasion, **change), members[1]._identity, members[1]._channels)
        sealed = other._seal(0).encrypt(bytes(12), bytes(132), None)
        with pytest.raises(ValueError, match="not sealed by it for this round"):
            members[0]._open(boxes[0][0]._replace(sealed=sealed))
    sealed = members[1]._seal(0).encrypt(bytes(12), bytes(132), None)
    assert members[0]._open(boxes[0][0]._replace(sealed=sealed)) == (bytes(66), bytes(66))


def test_too_few_boxes_and_wrong_shapes():
    members, _, boxes = begun()
    with pytest.raises(ValueError, match=r"values must have shape \(1,\), got \(2,\)"):
        members[0].mask(np.zeros(2, dtype=np.int64), boxes[0])
    with pytest.raises(
        RoundLost, match="secrets are shared out: 3 of 4 parties are needed, 2 are there; not there: 2, 3"
    ):
        members[0].mask(np.zeros(1, dtype=np.int64), boxes[0][:1])


def test_a_party_without_its_own_announcement_takes_no_part():
    members, _ = seat(FOUR, 1, primitives=IdealPrimitives())
    hellos = [member.announce() for member in members]
    with pytest.raises(ValueError, match="do not hold that of party 0 itself"):
        members[0].share(hellos[1:])
    with pytest.raises(RoundLost, match="keys are announced"):
        members[1].share(hellos[:2])


def test_consents_that_do_not_count():
    """Unsigned ones, those of another list and those of parties that are not listed; then nothing is revealed."""
    members, _, boxes = begun()
    for member in members:
        member.mask(np.zeros(1, dtype=np.int64), boxes[member.index])
    consents = [member.agree((0, 1, 2)) for member in members[:3]]
    other = members[3].agree((1, 2, 3))
    false = [
        consents[0],
        consents[1],
        consents[2]._replace(signature=consents[1].signature),
        other,
        other._replace(party=2),
    ]
    with pytest.raises(RoundLost, match="3 of 4 parties are needed, 2 are there; not there: 2, 3"):
        members[0].unmask(false)
    assert members[1].unmask(consents).party == 1


def test_what_a_collector_refuses():
    """An answer of a party that has not shared, a second one, and one of another length."""
    words = np.zeros(1, dtype=np.uint64)
    for wrong in ([Masked(7, words)], [Masked(0, words)] * 2, [Masked(0, words), Masked(1, words[:0])]):
        _, collector, _ = begun()
        with pytest.raises(ValueError, match="one answer of 1 numbers is due from each sharer"):
            collector.survivors(wrong)


def test_a_round_of_another_shape_is_refused():
    for values in ([1, 2, 3, 4], [[1], [2], [3]]):
        with pytest.raises(ValueError, match=r"values must have shape .* for 4 parties"):
            sum_with_dropouts(values, FOUR)


def test_every_message_is_watched():
    """Who says what at which stage: one message each, and a box for each other party."""
    seen = []
    sum_with_dropouts([[1]] * 4, FOUR, [5, 5, 5, 2], primitives=IdealPrimitives(), watch=lambda *one: seen.append(one))
    counted = {stage: [sender for at, sender, _ in seen if at == stage] for stage in STAGES}
    assert counted["announce"] == [0, 1, 2, 3] and counted["share"] == sorted([0, 1, 2, 3] * 3)
    assert counted["mask"] == counted["agree"] == counted["unmask"] == [0, 1, 2]
    assert {type(message).__name__ for _, _, message in seen} == {"Hello", "Box", "Masked", "Consent", "Reveal"}


def test_rounds_have_nothing_in_common():
    """The same parties in another round have other keys, seeds, seals and masks."""
    members = [seat(FOUR, 1, number=number)[0][0] for number in (1, 2)]
    assert isinstance(members[0], Member)
    assert len({member.occasion.binding for member in members}) == len({member.announce() for member in members}) == 2
