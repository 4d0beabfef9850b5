"""Canonical forms are read back as they were written, and no other bytes are read."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.secure_sum.binding import Written, canonical, read_canonical

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


@given(st.lists(VALUES, max_size=4).map(tuple))
def test_what_is_written_once_has_the_form_of_its_tuple(values):
    """By itself and in other values, each time that it is asked for."""
    once = Written(values)
    for _ in range(2):
        assert once.form == canonical(once) == canonical(values)
        assert canonical((1, once, {"a": once})) == canonical((1, values, {"a": values}))


def test_it_is_written_once_and_no_other_kind_of_tuple_is_written():
    class Counted(dict):
        reads = 0

        def __getitem__(self, key):
            self.reads += 1
            return super().__getitem__(key)

    inside = Counted(a=1)
    once = Written((inside,))
    assert canonical((once, once)) == canonical(((inside,), (inside,))) and inside.reads == 3
    for kind in (type("Other", (Written,), {}), type("Another", (tuple,), {})):
        with pytest.raises(ValueError, match=f"canonical form, got {kind.__name__}"):
            canonical(kind((1,)))


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
            assert str(error) == f"these {len(changed)} bytes are no canonical form of a value"
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


@pytest.mark.parametrize("form", NO_FORMS)
def test_what_is_no_form_is_refused(form):
    """Another spelling, another order, too little, too much, or a letter that stands for nothing."""
    with pytest.raises(ValueError) as caught:
        read_canonical(form)
    assert str(caught.value) == f"these {len(form)} bytes are no canonical form of a value"


@pytest.mark.parametrize("form", ["I", None, bytearray(ONE), 7])
def test_what_is_no_bytes_is_no_form(form):
    with pytest.raises(ValueError) as caught:
        read_canonical(form)
    assert str(caught.value) == f"form must be bytes, got {type(form).__name__}"


def test_forms_to_the_byte():
    """A letter, eight bytes of length, the greatest first, and the content; keys in their order."""
    assert canonical(Fraction(1, 2)) == of(b"Q", of(b"I", b"1") + of(b"I", b"2"))
    assert canonical({"b": b"x", "a": ()}) == of(b"M", of(b"S", b"a") + of(b"T", b"") + of(b"S", b"b") + of(b"B", b"x"))
    assert (
        canonical({}) == of(b"M", b"") and canonical(b"") == of(b"B", b"") and canonical("ü") == of(b"S", b"\xc3\xbc")
    )
    assert read_canonical(of(b"M", b"")) == {} and read_canonical(of(b"T", b"")) == ()
    with pytest.raises(ValueError) as caught:
        canonical({1: 2})
    assert str(caught.value).endswith("and mappings from texts have a canonical form, got dict")


@pytest.mark.parametrize("wrapped", [lambda value: (value,), lambda value: {"": value}, lambda value: (1, value, 2)])
def test_values_in_values_are_read_sixteen_deep(wrapped):
    value = 7
    for _ in range(16):
        value = wrapped(value)
    assert read_canonical(canonical(value)) == value
    with pytest.raises(ValueError, match="no canonical form"):
        read_canonical(canonical(wrapped(value)))


def test_a_tuple_without_values_is_one_deep():
    value = ()
    for _ in range(16):
        value = (value,)
    assert read_canonical(canonical(value)) == value
    with pytest.raises(ValueError, match="no canonical form"):
        read_canonical(canonical((value,)))


def test_a_half_is_two_deep():
    """A fraction's parts are values in it."""
    value = Fraction(1, 2)
    for _ in range(15):
        value = (value,)
    assert read_canonical(canonical(value)) == value
    with pytest.raises(ValueError, match="no canonical form"):
        read_canonical(canonical((value,)))
