"""Messages and bytes: the formulas by hand, and every message one by one."""

from itertools import permutations

import pytest

from fdpedu.sources.elzein import KINDS, Message, Traffic, node_messages
from fdpedu.sources.elzein.counting import COORDINATOR, Order, Report, Sum, traffic_of, wire_bytes


@pytest.mark.claim("lem-shared-messages")
@pytest.mark.parametrize("n", [2, 3, 4, 7, 2**16])
def test_the_numbers_of_messages(n):
    both, one = 4 * n * (n - 1) + 2 * n + 1, 2 * n * (n - 1)
    assert {kind: node_messages(n, kind) for kind in KINDS} == {
        **{"continuous": both, "leaf": both, "categorical": one + 2 * n + 1, "histograms": one + 2 * n + 1},
        "deepest": one + 2 * n,
        **{"tie": one, "coin": one, "depth": one + 1, "stop": n},
    }


def test_the_numbers_of_messages_of_four_parties():
    kinds = ("continuous", "leaf", "categorical", "tie", "coin", "histograms", "depth", "stop")
    assert [node_messages(4, kind) for kind in kinds] == [57, 57, 33, 24, 24, 33, 25, 4]


@pytest.mark.parametrize(
    ("modulus", "numbers", "size"),
    [(2, 8, 1), (2, 9, 2), (4, 4, 1), (5, 4, 2), (5, 31, 12), (5, 0, 0), (1, 8, 1), (2**62, 4, 31), (256, 1, 1)],
)
def test_residues_have_whole_bits_and_messages_whole_bytes(modulus, numbers, size):
    assert wire_bytes(modulus, numbers) == size


def test_traffic_adds_up():
    assert Traffic(2, 10) + Traffic(1, 4) == Traffic(3, 14)
    assert Traffic.of_sum(3, 5) == Traffic(12, 60)


@pytest.mark.claim("lem-shared-messages")
@pytest.mark.parametrize("n", [2, 3])
def test_who_sends_what_to_whom(n):
    """Shares to each other party and then sums; orders to all parties; a report by the first."""
    pairs = list(permutations(range(n), 2))
    found = [list(step.travel(n)) for step in (Sum("votes", 3), Order("node"), Order("stop", 1), Report("winner"))]
    assert found[0] == [Message(a, b, f"{what} of votes", 3) for what in ("shares", "sums") for a, b in pairs]
    assert found[1] == [Message(COORDINATOR, k, "node", 4) for k in range(n)]
    assert found[2] == [Message("coordinator", k, "stop", 1) for k in range(n)]
    assert found[3] == [Message(0, COORDINATOR, "winner", 4)]


@pytest.mark.claim("lem-shared-messages")
@pytest.mark.parametrize("n", [2, 5])
def test_the_traffic_of_steps_is_that_of_their_messages(n):
    steps = [Sum("a", 3), Order("b"), Report("c", 9), Sum("d", 1), Order("e", 2)]
    for some in ([], steps[:1], steps[1:3], steps):
        messages = [message for step in some for message in step.travel(n)]
        assert traffic_of(some, n) == Traffic(len(messages), sum(one.bytes for one in messages))
