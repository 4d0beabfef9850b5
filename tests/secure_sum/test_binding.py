"""Canonical forms: one for each value, read back as it was written; and what an answer is bound to."""

import hashlib
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.secure_sum import binding as topic
from fdpedu.secure_sum import (
    Asked,
    Binding,
    canonical,
    hashed,
)
from fdpedu.secure_sum.binding import VERSION, read_canonical

LEAVES = st.one_of(
    st.integers(), st.text(st.characters(exclude_categories=())), st.binary(), st.fractions(), st.just("\ud800")
)

VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(tuple), st.dictionaries(st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)


def of(letter, content):
    """A form, made by hand."""
    return letter + len(content).to_bytes(8, "big") + content


def types(value):
    """The types of a value and of all that is in it."""
    if type(value) is dict:
        return dict, [(types(key), types(part)) for key, part in sorted(value.items())]
    return type(value), [types(part) for part in value] if type(value) is tuple else []


@given(VALUES)
def test_a_form_is_read_as_the_value_that_it_was_made_of(value):
    found = read_canonical(canonical(value))
    assert found == value and types(found) == types(value)


@settings(max_examples=60)
@given(VALUES, st.data())
def test_bytes_that_are_read_are_the_form_of_what_they_are_read_as(value, data):
    """One byte changed, one left out, one put in, or one at the end."""
    form = canonical(value)
    at, byte = data.draw(st.integers(0, len(form) - 1)), data.draw(st.binary(min_size=1, max_size=1))
    before, here, after = form[:at], form[at : at + 1], form[at + 1 :]
    for changed in (before + byte + after, before + after, before + byte + here + after, form + byte, form[:-1]):
        if changed == form:
            continue
        try:
            found = read_canonical(changed)
        except ValueError as error:
            assert f" {len(changed)} bytes " in str(error)
        else:
            assert canonical(found) == changed and found != value


ONE, TWO, A, B = (canonical(value) for value in (1, 2, "a", "b"))

NO_FORMS = [
    b"",
    b"I",
    b"I" + bytes(8),
    *[of(b"I", digits) for digits in (b"01", b"+1", b" 1", b"1 ", b"1_0", b"-0", b"A", b"0x1", b"g", "١".encode())],
    *[of(letter, b"1") for letter in (b"i", b"X", b"\0", b"T", b"Q", b"M")],
    of(b"S", b"\xff"),
    of(b"Q", ONE),
    of(b"Q", ONE + TWO + TWO),
    of(b"Q", canonical(2) + canonical(4)),
    of(b"Q", canonical(1) + canonical(-2)),
    of(b"Q", canonical(1) + canonical(0)),
    of(b"Q", A + TWO),
    of(b"M", A),
    of(b"M", ONE + TWO),
    of(b"M", A + ONE + B),
    of(b"M", B + ONE + A + TWO),
    of(b"M", A + ONE + A + TWO),
    of(b"M", canonical(("a",)) + ONE),
    of(b"M", of(b"M", b"") + ONE),
    of(b"T", ONE[:-1]),
    of(b"T", ONE + b"I"),
    b"I" + (2**63).to_bytes(8, "big") + b"1",
    ONE + TWO,
    *[of(letter, ONE + TWO) for letter in (b"t", b"q", b"m")],
]


@pytest.mark.parametrize("form", [*NO_FORMS, "I", None, bytearray(ONE), 7])
def test_what_is_no_form_is_refused(form):
    """Another spelling, another order, too little, too much, a letter that stands for nothing, or no bytes."""
    named = f" {len(form)} bytes " if type(form) is bytes else f"form .*{type(form).__name__}"
    with pytest.raises(ValueError, match=named):
        read_canonical(form)


@pytest.mark.parametrize(
    ("value", "depth", "wrapped"),
    [
        (7, 16, lambda value: (value,)),
        (7, 16, lambda value: {"": value}),
        (7, 16, lambda value: (1, value, 2)),
        ((), 16, lambda value: (value,)),
        (Fraction(1, 2), 15, lambda value: (value,)),
    ],
)
def test_values_in_values_are_read_sixteen_deep(value, depth, wrapped):
    """A tuple without values has none in it, and a fraction's parts are values in it."""
    for _ in range(depth):
        value = wrapped(value)
    assert read_canonical(canonical(value)) == value
    with pytest.raises(ValueError, match="form"):
        read_canonical(canonical(wrapped(value)))


BINDING = Binding(b"session", ((b"a", b"key a"), (b"b", b"key b")))


@pytest.mark.claim("thm-equivocation")
def test_a_false_digest_is_refused_and_a_true_one_is_one_s_own():
    request = ("count", Fraction(1, 2))
    own = BINDING.digest(3, request)
    assert BINDING.accept(Asked(3, request, own)) == own and len(own) == 32
    with pytest.raises(ValueError, match="round 3"):
        BINDING.accept(Asked(3, request, BINDING.digest(4, request)))


@pytest.mark.claim("lem-canonical")
@given(VALUES, VALUES)
def test_forms_are_equal_only_for_equal_values(one, other):
    assert (canonical(one) == canonical(other)) == (topic._with_types(one) == topic._with_types(other))


@pytest.mark.claim("lem-canonical")
@pytest.mark.parametrize("value", [0.1, True, None, [1], {1: 2}, ("a", 1.0), {"a": [1]}, np.int64(1)])
def test_what_has_no_canonical_form_is_refused(value):
    with pytest.raises(ValueError, match=r"got (float|bool|NoneType|list|dict|int64)$"):
        canonical(value)


@pytest.mark.claim("lem-canonical")
def test_forms_to_the_byte():
    """A letter, eight bytes of length, the greatest first, and the content; keys in their order.

    Known answers: other bytes would be another version's digests and keys.
    """
    assert canonical(("a", -17)) == b"T" + (22).to_bytes(8, "big") + of(b"S", b"a") + of(b"I", b"-11")
    assert canonical({"b": (), "a": 1}) == (
        b"M\0\0\0\0\0\0\0\x27" + b"S\0\0\0\0\0\0\0\1a" + b"I\0\0\0\0\0\0\0\0011"
        b"S\0\0\0\0\0\0\0\1b" + b"T\0\0\0\0\0\0\0\0"
    )
    assert canonical(Fraction(1, 2)) == of(b"Q", of(b"I", b"1") + of(b"I", b"2"))
    assert canonical({"b": b"x", "a": ()}) == of(b"M", of(b"S", b"a") + of(b"T", b"") + of(b"S", b"b") + of(b"B", b"x"))
    assert canonical({}) == of(b"M", b"") and canonical(b"") == of(b"B", b"")
    assert canonical("ü") == of(b"S", b"\xc3\xbc") and canonical("\udc80") == of(b"S", b"\xed\xb2\x80")
    assert read_canonical(of(b"M", b"")) == {} and read_canonical(of(b"T", b"")) == ()
    assert canonical({"b": b"", "a": b"x"}) == canonical({"a": b"x", "b": b""})


def test_hashes_are_sha_256_of_forms():
    """And of nothing else: what a round is bound to is written down here, field by field."""
    assert hashed("a") == hashlib.sha256(of(b"S", b"a")).digest()
    members = hashed((VERSION, "members", BINDING.members))
    assert BINDING.digest(1, 2) == hashed((VERSION, "request", b"session", 1, 2, members))


def test_no_other_kind_of_tuple_is_written():
    for kind in (type("Other", (tuple,), {}), type("Another", (tuple,), {})):
        with pytest.raises(ValueError, match=f"got {kind.__name__}$"):
            canonical(kind((1,)))
