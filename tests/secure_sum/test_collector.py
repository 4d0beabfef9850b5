"""Sums that survive parties that fall silent: the whole round, and what a lying aggregator gets."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.checking import Refuted
from fdpedu.claims.secure_sum import one_list as lies
from fdpedu.claims.secure_sum import survivors
from fdpedu.claims.secure_sum import survivors as topic
from fdpedu.claims.secure_sum.ideal import IdealPrimitives
from fdpedu.secure_sum import (
    STAGES,
    WORD,
    Collector,
    Masked,
    RoundLost,
    Rules,
    key_for,
    seat,
    share_secret,
    sum_with_dropouts,
)

FOUR = Rules.for_missing(4, 1)


@st.composite
def rounds(draw):
    """Rules, a pattern of drop-outs, numbers and a modulus in which their sum fits."""
    n = draw(st.integers(2, 6))
    rules = draw(st.sampled_from(list(topic.all_rules(n))))
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
        assert str(lost).startswith("round 1 ")
        return
    assert result.tolist() == np.sum(sent, axis=0).tolist() and len(sent) >= rules.least_survivors


@pytest.mark.claim("thm-dropout-sum")
@pytest.mark.parametrize(("stage", "words"), [*enumerate(STAGES.values())])
def test_a_lost_round_says_when_and_who_is_missing(stage, words):
    with pytest.raises(RoundLost, match=rf"^round 1 .* {words}: 3 of 4 .* 2 .*: 1, 3$"):
        sum_with_dropouts([[1]] * 4, FOUR, [5, stage, 5, stage], primitives=IdealPrimitives())


@pytest.mark.claim("thm-one-list")
def test_a_liar_is_of_use_where_the_rules_do_not_provide_for_one():
    """The attack is there, so that the check could see one; with rules against a liar there is none."""
    survivors.lists_can_be_mixed(Rules(4, 2, 0, 2, False))
    with pytest.raises(Refuted, match="no lie is of any use"):
        survivors.lists_can_be_mixed(Rules(4, 3, 0, 1, False))


def test_what_withheld_boxes_leave():
    """Two that mask for each other only are learnt on their own; one whose mask is not returned hides all."""
    seeds = topic.Opened(dict.fromkeys(range(4), b""), {})
    assert lies.learnt(((0, 1), (0, 1), (2, 3), (2, 3)), seeds) == [{0, 1}, {2, 3}]
    assert lies.learnt(((0, 1), (0, 1, 2), (2, 3), (2, 3)), seeds) == []
    assert lies.learnt(((0, 1, 2), (0, 1, 2), (0, 1, 2)), topic.Opened(dict.fromkeys((0, 1), b""), {2: b""})) == [
        {0, 1}
    ]


def test_every_message_is_watched():
    """Who says what at which stage: one message each, and a box for each other party."""
    seen = []
    sum_with_dropouts([[1]] * 4, FOUR, [5, 5, 5, 2], primitives=IdealPrimitives(), watch=lambda *one: seen.append(one))
    counted = {stage: [sender for at, sender, _ in seen if at == stage] for stage in STAGES}
    assert counted["announce"] == [0, 1, 2, 3] and counted["share"] == sorted([0, 1, 2, 3] * 3)
    assert counted["mask"] == counted["agree"] == counted["unmask"] == [0, 1, 2]
    assert {type(message).__name__ for _, _, message in seen} == {"Hello", "Box", "Masked", "Consent", "Reveal"}


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


RULES = Rules.for_missing(5, 2)


def test_a_collector_needs_no_tools_that_others_have():
    """One party falls silent before its numbers come, and one after: both secrets are recovered."""
    members, other = seat(RULES, 2, 97)
    collector = Collector(RULES, other.occasion)
    hellos = collector.hellos(member.announce() for member in members)
    boxes = collector.boxes(box for member in members for box in member.share(hellos))
    masked = [
        member.mask(np.array([10**member.index, -1]) % 97, boxes[member.index]) for member in members if member.index
    ]
    listed = collector.survivors(masked)
    consents = collector.consents(member.agree(listed) for member in members[1:4])
    total = collector.total(member.unmask(consents) for member in members[1:4])
    assert listed == (1, 2, 3, 4) and (total % 97).tolist() == [11110 % 97, -4 % 97]


def test_a_collector_takes_one_answer_of_each_sharer():
    """None of a party that has not shared, no second one, and none of another length."""
    words = np.zeros(2, dtype=np.uint64)
    for wrong in ([Masked(7, words)], [Masked(0, words)] * 2, [Masked(0, words), Masked(1, words[:1])]):
        members, collector = seat(RULES, 2, primitives=IdealPrimitives())
        hellos = collector.hellos([member.announce() for member in members])
        collector.boxes([box for member in members for box in member.share(hellos)])
        with pytest.raises(ValueError, match=f"got one of {wrong[-1].party}$"):
            collector.survivors(wrong)


@pytest.mark.claim("thm-dropout-sum")
@pytest.mark.parametrize("secret", [0, 2**256 - 1, 2**256, 2**256 + 7, 2**521 - 2])
def test_a_secret_has_32_bytes(secret):
    """One that has more is made of a false share, and refused as that."""
    _, collector = seat(RULES, 2)
    shares = share_secret(secret, RULES.threshold, 5)
    if secret < 2**256:
        assert collector._recovered(3, shares) == secret.to_bytes(32, "big")
    else:
        with pytest.raises(ValueError, match="party 3"):
            collector._recovered(3, shares)


@pytest.mark.parametrize("number", [1, 7])
def test_a_round_that_is_lost_is_named_by_its_number(number):
    """The others' signatures have not come: nobody opens anything."""
    members, collector = seat(RULES, 2, number=number)
    hellos = collector.hellos(member.announce() for member in members)
    boxes = collector.boxes(box for member in members for box in member.share(hellos))
    listed = collector.survivors([member.mask(np.zeros(2, dtype=np.int64), boxes[member.index]) for member in members])
    consents = [member.agree(listed) for member in members]
    with pytest.raises(RoundLost, match=rf"^round {number} .* {RULES.threshold} of 5 .* 2 .*: 0, 1, 2$"):
        members[3].unmask(consents[3:])


@pytest.mark.claim("thm-dropout-view")
def test_keys_of_a_session_are_for_channels(monkeypatch):
    """What parties seal boxes with is derived for this purpose only: it is never a key of masks."""
    asked = []

    def noted(key, purpose, *fields):
        asked.append((purpose, *fields))
        return key_for(key, purpose, *fields)

    monkeypatch.setattr("fdpedu.secure_sum.collector.key_for", noted)
    members, _ = seat(Rules.for_missing(3, 1), 1)
    assert asked == [("channel", members[0].occasion.session)] * 3
