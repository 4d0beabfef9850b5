"""What is seen of a sum, over all masks of small spaces; and what masks are bound to."""

import hashlib
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.claims.checking import Refuted
from fdpedu.claims.secure_sum import laws_shares as shares
from fdpedu.claims.secure_sum import laws_views as law
from fdpedu.claims.secure_sum.laws_ideal import ideal_tables, require_uniform_view
from fdpedu.secure_sum import (
    WORD,
    Asked,
    Binding,
    Masks,
    algorithm_1_as_printed,
    canonical,
    hashed,
    lift,
    require_room,
    residues,
)
from fdpedu.secure_sum.binding import VERSION

BINDING = Binding(b"session", ((b"a", b"key a"), (b"b", b"key b")))
VALUES = st.recursive(
    st.integers() | st.text() | st.binary() | st.fractions(),
    lambda inner: st.lists(inner, max_size=4).map(tuple) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@pytest.mark.claim("thm-sum-colluders")
@pytest.mark.parametrize("case", [(5, 3, 0), (5, 3, 1), (2, 5, 3), (3, 4, 2)])
def test_colluders_see_the_sum_only(case):
    law.colluders_see_the_sum(*case)


def test_the_check_of_views_can_fail():
    """A column twice, a column that is bound to another total, a column that is known: none of them is uniform."""
    with ideal_tables(2, 3) as tables:
        one, other = (Masks(0, {1: bytes([key]) * 32}).draw(1, tables.size, 3) for key in (1, 2))
    require_uniform_view([one, other], [], 3, None)
    for sent, known, total in (([one, one], [], None), ([one, other], [], 0), ([one, other], [one], None)):
        with pytest.raises(Refuted):
            require_uniform_view(sent, known, 3, total)


@pytest.mark.claim("thm-equivocation")
@pytest.mark.parametrize("claim", ["true", "one"])
@pytest.mark.parametrize("asked", [(0, 0, 0), (0, 0, 1), (0, 1, 2)])
def test_equivocation_learns_nothing(asked, claim):
    law.asked_differently(2, asked, 0, claim)


@pytest.mark.claim("thm-equivocation")
def test_one_answer_for_a_number():
    law.answers_once(3, 7)


@pytest.mark.claim("thm-equivocation")
def test_a_false_digest_is_refused_and_a_true_one_is_one_s_own():
    request = ("count", Fraction(1, 2))
    own = BINDING.digest(3, request)
    assert BINDING.accept(Asked(3, request, own)) == own and len(own) == 32
    with pytest.raises(ValueError, match="round 3: the request and the digest"):
        BINDING.accept(Asked(3, request, BINDING.digest(4, request)))


@pytest.mark.claim("thm-equivocation")
@pytest.mark.parametrize("modulus", [WORD, 97])
def test_masks_for_two_digests_sessions_or_lists_do_not_cancel(modulus):
    """The key and the number are the same; each part of what masks are bound to makes others of them."""

    def pair(**bound):
        digest = bound.pop("digest", b"d")
        ends = [Masks(k, {1 - k: bytes(32)}, **bound).draw(1, 50, modulus, digest) for k in (0, 1)]
        assert not ((ends[0].astype(object) + ends[1].astype(object)) % modulus).any()
        return ends[0].tolist()

    same = pair()
    assert pair() == same and pair(session=b"") == same
    others = [pair(digest=b""), pair(session=b"s"), pair(identities=[b"a", b"b"]), pair(identities=[b"b", b"a"])]
    assert len({tuple(one) for one in [same, *others]}) == 5


@pytest.mark.claim("lem-canonical")
@given(VALUES, VALUES)
def test_forms_are_equal_only_for_equal_values(one, other):
    assert (canonical(one) == canonical(other)) == (law._told_apart(one) == law._told_apart(other))


@pytest.mark.claim("lem-canonical")
def test_every_field_of_a_question_counts():
    law.every_field_counts(3)


@pytest.mark.claim("lem-canonical")
@pytest.mark.parametrize("value", [0.1, True, None, [1], {1: 2}, ("a", 1.0), {"a": [1]}, np.int64(1)])
def test_what_has_no_canonical_form_is_refused(value):
    with pytest.raises(ValueError, match=r"have a canonical form, got (float|bool|NoneType|list|dict|int64)"):
        canonical(value)


def test_the_form_is_as_written_down():
    """A letter, eight bytes of length, the content; and hashes are SHA-256 of it."""
    assert canonical(("a", -17)) == b"T" + (22).to_bytes(8, "big") + b"S" + (1).to_bytes(8, "big") + b"a" + (
        b"I" + (3).to_bytes(8, "big") + b"-11"
    )
    assert canonical("\udc80") == b"S" + (3).to_bytes(8, "big") + b"\xed\xb2\x80"
    members = hashed((VERSION, "members", BINDING.members))
    assert BINDING.digest(1, 2) == hashed((VERSION, "request", b"session", 1, 2, members))
    assert canonical({"b": b"", "a": b"x"}) == canonical({"a": b"x", "b": b""})
    assert hashed("a") == hashlib.sha256(b"S" + (1).to_bytes(8, "big") + b"a").digest()


@pytest.mark.claim("lem-no-overflow")
@pytest.mark.parametrize("modulus", [2, 3, 30, 31, 2**62, WORD])
def test_room_at_the_edge(modulus):
    for bound in (0, modulus // 6, modulus // 6 + 1):
        shares.room_is_enough(min(bound, 2**62), 3, modulus)


def test_a_room_says_what_it_needs():
    assert require_room(5, 3) == 15 and require_room(0, 1, 2) == 0
    with pytest.raises(ValueError, match="as much as 32: the modulus must be greater than 64, got 64"):
        require_room(16, 2, 64)
    for wrong, why in (((-1, 2, 64), "largest"), ((1, 0, 64), "n_parties"), ((1, 2, 1), "modulus")):
        with pytest.raises(ValueError, match=f"^{why} must be an integer"):
            require_room(*wrong)


@given(st.integers(2, 2**62) | st.just(WORD), st.lists(st.integers(-(2**62), 2**62)))
def test_the_lift_undoes_the_residue(modulus, values):
    numbers = np.array(values, dtype=np.int64)
    lifted = lift(residues(numbers, modulus), modulus).tolist()
    assert lifted == [(value + modulus // 2) % modulus - modulus // 2 for value in values]


@pytest.mark.claim("alg-private-sum-as-printed")
def test_algorithm_1_as_printed_is_right_for_sums_below_r_only():
    """What fits into [0, R) comes out right; a negative sum, or a second one with the same keys, does not hold."""
    shares.printed_sum(64, (3, 4, 5))
    keys = [[9, 10, 60], [54, 9, 7], [4, 57, 9]]
    assert algorithm_1_as_printed((3, 4, 5), keys, 64) == ((9, 1, 2), 12)
    for wrong in ([[0, 1], [1, 0]], [[0], [0]], [[0, 1, 0], [63, 0, 0]], []):
        with pytest.raises(ValueError, match="values must be a list, and keys as many rows"):
            algorithm_1_as_printed((3, 4), wrong, 64)
    with pytest.raises(Refuted, match="the sum -2 comes out as 62"):
        shares.printed_sum(64, (1, -4, 1))
    with pytest.raises(Refuted, match="how each value has changed"):
        shares.printed_twice(64, (1, 2, 3), (1, 2, 4))
