"""Sums that survive parties that fall silent: the stages, what is refused, and what a lying aggregator gets."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.checking import Refuted, exhaust
from fdpedu.claims.secure_sum import laws_dropouts as law
from fdpedu.claims.secure_sum import laws_lies as lies
from fdpedu.claims.secure_sum.laws_ideal import IdealPrimitives
from fdpedu.randomness import ReplayedWords, TapeExhausted
from fdpedu.secure_sum import (
    STAGES,
    WORD,
    Masks,
    Member,
    Occasion,
    RoundLost,
    Rules,
    hashed,
    key_for,
    seat,
    sum_with_dropouts,
)
from fdpedu.secure_sum.binding import VERSION
from fdpedu.secure_sum.masks import one_mask

FOUR = Rules.for_missing(4, 1)


@st.composite
def rounds(draw):
    """Rules, a pattern of drop-outs, numbers and a modulus that has room for them."""
    n = draw(st.integers(2, 6))
    rules = draw(st.sampled_from(list(law.all_rules(n))))
    completes = draw(st.lists(st.sampled_from([5] * 12 + [4, 3, 2, 1, 0]), min_size=n, max_size=n))
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
@pytest.mark.parametrize("byte", [0, 30, 65])
@pytest.mark.parametrize("kind", ["seed", "key"])
def test_a_false_share_is_noticed(kind, byte):
    lies.false_shares_noticed(FOUR, 3, 1, kind, byte)


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
    assert Rules.for_missing(4, 2, 1, liar=False) == Rules(4, 2, 1, 3, False) and Rules.for_missing(4, 1).liar
    assert Rules(5, 3, 0, 2).least_survivors == 3 and Rules(5, 3, 0, 1).least_survivors == 4
    assert Rules(5, 4, 1, 3).least_survivors == 4 and Rules(5, 3, 0, 4).least_survivors == 3


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


def test_every_key_of_a_round_has_one_use():
    """Seals in each direction, masks of each pair and of one's own: no key serves two; both ends have the same."""
    used = []
    with pytest.MonkeyPatch.context() as patch:

        def seen(key, purpose, *fields):
            used.append((key, purpose, fields))
            return key_for(key, purpose, *fields)

        for module in ("dropouts", "messages", "masks"):
            patch.setattr(f"fdpedu.secure_sum.{module}.key_for", seen)
        sum_with_dropouts([[1]] * 4, FOUR, primitives=IdealPrimitives())
    made = {purpose: {one for one in used if one[1] == purpose} for purpose in ("box", "masks", "self-mask")}
    assert {purpose: len(of_use) for purpose, of_use in made.items()} == {"box": 12, "masks": 6, "self-mask": 4}
    assert len({key_for(*one[:2], *one[2]) for of_use in made.values() for one in of_use}) == 22
    (session,) = {fields[0] for _, _, fields in made["masks"]}
    names = {name for _, _, fields in made["masks"] for name in fields[1:3]}
    assert {fields[3:] for _, _, fields in made["masks"]} == {(1, hashed(("a demonstration", 1, tuple(sorted(names)))))}
    assert len(session) == 32 and len(names) == 4 and {type(name) for name in names} == {bytes}
    assert {fields[1:] for _, _, fields in made["box"]} == {(k, j) for k in range(4) for j in range(4) if k != j}


def test_what_a_round_is_bound_to():
    """Each part of the occasion counts."""
    own = Occasion(b"s", 1, b"d", (b"a", b"b"), 3, 97)
    others = [
        replace(own, **change)
        for change in ({"session": b""}, {"number": 2}, {"digest": b""}, {"identities": (b"ab",)})
    ]
    assert len({one.binding for one in (own, *others)}) == 5 and own.binding == replace(own, size=4).binding
    assert own.binding == hashed((VERSION, "occasion", b"s", 1, b"d", (b"a", b"b")))
    assert own.self_mask(bytes(32)).tolist() == one_mask(key_for(bytes(32), "self-mask", own.binding), 3, 97).tolist()


@pytest.mark.claim("thm-dropout-sum")
@pytest.mark.parametrize("modulus", [WORD, 1009])
def test_long_sums_and_their_modulus(modulus):
    """Five blocks of key stream and a bit; negative sums are lifted; what is sent is below R."""
    size, primitives, sent = 5 * 8192 + 3, IdealPrimitives(), []
    values = [np.arange(size) % 7 - 5, np.full(size, -2), np.zeros(size, dtype=int), np.ones(size, dtype=int)]

    def watch(stage, sender, message):
        if stage == "mask":
            sent.append(message.words)

    result = sum_with_dropouts(values, FOUR, [5, 5, 2, 5], modulus, primitives=primitives, watch=watch)
    assert np.array_equal(result, values[0] - 1) and primitives._count > 8
    assert len(sent) == 3 and all(len(np.unique(words)) > min(size, modulus) * 0.9 for words in sent)
    assert modulus == WORD or max(int(words.max()) for words in sent) < modulus


def test_one_mask_is_the_stream_of_its_key():
    """The same words as in a pair's mask, whatever the blocks."""
    for size in (0, 1, 8192, 3 * 8192 + 5):
        own = key_for(bytes(32), "masks", b"", 0, 1, 1, b"")
        assert one_mask(own, size, 97).tolist() == Masks(0, {1: bytes(32)}).draw(1, size, 97).tolist()
        assert one_mask(own, size).tolist() == Masks(0, {1: bytes(32)}).draw(1, size).tolist()


def test_a_member_shares_from_its_own_source():
    """An empty tape ends when secrets are shared out, and not before."""
    (one, *others), _ = seat(FOUR, 1, primitives=IdealPrimitives())
    own = Member(0, FOUR, one.occasion, one._identity, one._channels, primitives=one._primitives, rng=ReplayedWords([]))
    hellos = [own.announce(), *(other.announce() for other in others)]
    with pytest.raises(TapeExhausted):
        own.share(hellos)
