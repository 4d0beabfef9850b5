"""The collector of a round by itself: with tools of its own, asked out of turn, given false shares; and who is told."""

import numpy as np
import pytest

from fdpedu.secure_sum import Identity, KeyPair, verify_announcements
from fdpedu.secure_sum.collector import Collector, seat
from fdpedu.secure_sum.rules import RoundLost, Rules
from fdpedu.secure_sum.shamir import Share

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


def test_a_collector_that_is_asked_out_of_turn_has_nobody():
    _, collector = seat(RULES, 2)
    with pytest.raises(RoundLost):
        collector.boxes([])
    with pytest.raises(ValueError, match="one answer of 2 numbers is due from each sharer, got one of 0"):
        collector.survivors([(0, np.zeros(2, dtype=np.uint64))])


@pytest.mark.parametrize(("secret", "fits"), [(0, True), (2**256 - 1, True), (2**256, False), (2**256 + 7, False)])
def test_a_secret_has_32_bytes(secret, fits):
    """Shares that are all the same are those of a constant."""
    _, collector = seat(RULES, 2)
    shares = [Share(x, secret) for x in range(1, RULES.threshold + 1)]
    if fits:
        assert collector._recovered(3, shares) == secret.to_bytes(32, "big")
        return
    with pytest.raises(ValueError) as caught:
        collector._recovered(3, shares)
    assert str(caught.value) == "the secret of party 3 has more than 32 bytes: a share of it is false"


@pytest.mark.parametrize("number", [1, 7])
def test_a_round_that_is_lost_is_told_by_its_number(number):
    """The others' signatures have not come: nobody opens anything."""
    members, collector = seat(RULES, 2, number=number)
    hellos = collector.hellos(member.announce() for member in members)
    boxes = collector.boxes(box for member in members for box in member.share(hellos))
    listed = collector.survivors([member.mask(np.zeros(2, dtype=np.int64), boxes[member.index]) for member in members])
    consents = [member.agree(listed) for member in members]
    with pytest.raises(RoundLost) as caught:
        members[3].unmask(consents[3:])
    told = f"{RULES.threshold} of 5 parties are needed, 2 are there; not there: 0, 1, 2"
    assert str(caught.value).startswith(f"round {number} is lost while ") and str(caught.value).endswith(told)


@pytest.mark.parametrize("place", [0, 1, 3])
def test_an_announcement_is_refused_by_its_place(place):
    """Counted from 1."""
    identities = [Identity.create() for _ in range(4)]
    members = [identity.public for identity in identities]
    announced = [identity.announce(bytes(32), KeyPair().public, members) for identity in identities]
    pinned = [member for k, member in enumerate(members) if k != place]
    with pytest.raises(ValueError) as caught:
        verify_announcements(announced, pinned, announced[2])
    assert str(caught.value).startswith(f"announcement {place + 1} of 4 is refused: its identity is not pinned")
