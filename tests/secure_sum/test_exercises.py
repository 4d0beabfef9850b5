"""The mathematics that the exercises of chapter 5 rely on, and what counts as an answer."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from fdpedu.claims.secure_sum.messages import ALL, Setup, answer_of, request
from fdpedu.exercises.catalogue import find
from fdpedu.exercises.secure_sum.glue import glued
from fdpedu.exercises.secure_sum.two_lists import COLLUDER, N_PARTIES, THRESHOLD
from fdpedu.exercises.secure_sum.votes import known_votes
from fdpedu.federation import ClassCounts, messages
from fdpedu.secure_sum import (
    Binding,
    Rules,
    Share,
    decode_sum,
    encode,
    pairwise_keys,
    recover_secret,
    require_no_overflow,
    toy_public,
    toy_shared,
)
from fdpedu.secure_sum.rules import two_lists_impossible
from fdpedu.sources.gubler import algorithm_1_as_printed
from tests.support.exercises import cases_of, check


def test_the_least_modulus_is_the_library_s():
    exercise = find("secure-room")
    ((parties, largest),) = exercise.cases()
    assert require_no_overflow(largest, parties, exercise.reference) == parties * largest
    with pytest.raises(ValueError, match="must be greater"):
        require_no_overflow(largest, parties, exercise.reference - 1)


def test_who_listens_has_what_the_two_have():
    """For all secrets of the two, in every group of the exercise."""
    reference = find("secure-listen").reference
    for p, g in {case[:2] for case, _ in cases_of("secure-listen")}:
        for a, b in product(range(1, p), repeat=2):
            one, other = toy_public(a, p, g), toy_public(b, p, g)
            assert reference(p, g, one, other) == toy_shared(a, other, p)


def test_sums_and_secrets_are_the_library_s():
    for (encodings, modulus), expected in cases_of("secure-decode"):
        assert decode_sum([np.array([e], dtype=np.uint64) for e in encodings], modulus).tolist() == [expected]
    for (shares, prime), expected in cases_of("secure-recover"):
        assert recover_secret([Share(*share) for share in shares], len(shares), prime) == expected


def test_most_missing_is_what_the_rules_accept():
    """With so many missing the rules are accepted, and with one more they are refused."""
    for (parties, colluders), most in cases_of("secure-missing"):
        Rules.for_missing(parties, most, colluders)
        with pytest.raises(ValueError):
            Rules.for_missing(parties, most + 1, colluders)


@pytest.mark.parametrize("values", [(3, -4, 1), (0, 0, -2)])
def test_a_late_number_is_read(values):
    """In the report's algorithm itself, whoever of the three is late."""
    masks, modulus = [[0, 10, 60], [54, 0, 7], [4, 57, 0]], 64
    encodings, _ = algorithm_1_as_printed(values, masks, modulus)
    for late, value in enumerate(values):
        revealed = [masks[j][late] for j in range(3) if j != late]
        assert find("secure-late").reference(encodings[late], revealed, modulus) == value


def test_the_sum_that_is_learnt_is_that_of_the_shipped_masks():
    """The encodings of those who answered add up to their numbers exactly where the exercise says so."""
    for (digests,), learnt in cases_of("secure-equivocation"):
        numbers = [10**k for k in range(len(digests))]
        sent = [
            encode(np.array([number]), masks.draw(1, 1, digest=digest.encode()))
            for number, masks, digest in zip(numbers, pairwise_keys(len(digests)), digests, strict=True)
            if digest is not None
        ]
        answered = sum(number for number, digest in zip(numbers, digests, strict=True) if digest is not None)
        right = bool(sent) and decode_sum(sent).tolist() == [answered]
        assert right == bool(learnt) and learnt in ([], list(range(len(digests))))


def test_glued_requests_have_digests_of_their_own_in_the_library():
    one, other = find("secure-glue").reference
    binding = Binding(b"monday", ((b"a", b"key a"), (b"b", b"key b")))
    assert glued(one) == glued(other) and binding.digest(1, one) != binding.digest(1, other)


@pytest.mark.parametrize(
    "requests", [[(1, 1), (1, 1), (2, 4), (3, 2)], [(3, 2), (2, 1), (4, 1)], [(2, 4), (1, 2), (2, 2)]]
)
def test_a_party_answers_what_the_exercise_says(requests):
    """The shipped endpoint, asked the same."""
    setup = Setup(budget=3)
    session = setup.begin()
    replies = []
    for number, epsilon in requests:
        message = messages.write(request(session, number, ClassCounts(ALL, Fraction(epsilon))))
        replies.append(type(answer_of(setup.endpoints[0], message)) is messages.Answer)
    assert replies == find("secure-own-ledger").reference(3, requests)


def test_votes_are_known_exactly_when_the_others_are_alike():
    for n in (3, 4):
        for votes in product((0, 1), repeat=n):
            others = {vote for k, vote in enumerate(votes) if k}
            assert known_votes(votes, 0) == (list(range(1, n)) if len(others) == 1 else [])


def test_every_even_division_of_the_honest_breaks_the_lists():
    """And there is none with one signature more."""
    honest = [k for k in range(N_PARTIES) if k != COLLUDER]
    passed = 0
    for sent in product((0, 1), repeat=len(honest)):
        lists = [[*(k for k, which in zip(honest, sent, strict=True) if which == side), COLLUDER] for side in (0, 1)]
        passed += check("secure-two-lists", tuple(lists)).passed
        assert min(map(len, lists)) <= THRESHOLD
    assert passed == 6 and two_lists_impossible(N_PARTIES, THRESHOLD + 1, 1)
    assert not two_lists_impossible(N_PARTIES, THRESHOLD, 1)


@pytest.mark.parametrize(
    ("id", "answer", "said"),
    [
        ("secure-votes", ([1, 2, 0], 0), "0 or 1"),
        ("secure-votes", ([1, 0], 0), "3 to 9 votes"),
        ("secure-votes", ([1, 0, 0], 3), "curious party is one of"),
        ("secure-glue", (("a", 1), ("a", "1")), "field is a text"),
        ("secure-glue", (("a",), ("a", "b")), "two fields"),
        ("secure-two-lists", ([0, 1, 5], [2, 3, 4]), "numbered from 0 to 4"),
        ("secure-room", 10001.0, "whole number"),
    ],
)
def test_odd_answers(id, answer, said):
    reply = check(id, answer)
    assert not reply.passed and said in " ".join(str(reply).split())


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("secure-two-lists", ({0, 1, 4}, {2, 3, 4})),
        ("secure-votes", (np.array([0, 1, 1]), 0)),
        ("secure-votes", ([0, 0, 0, 1], 3)),
        ("secure-glue", [["a|b", "c"], ["a", "b|c"]]),
    ],
)
def test_other_right_answers(id, answer):
    assert check(id, answer).passed
