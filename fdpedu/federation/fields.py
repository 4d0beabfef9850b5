"""The shapes of fields in a message: what a strict reader asks of each, before anything is made of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from typing import Any

from fdpedu.secure_sum.modular import MAX_PARTIES

Field = Callable[[Any], bool]
_MAX_TEXT = 4000  # characters of a text


def is_bytes(field: Any) -> bool:
    return type(field) is bytes


def is_hash(field: Any) -> bool:
    """32 bytes: a hash, a nonce, an identity, a public key."""
    return type(field) is bytes and len(field) == 32


def is_signature(field: Any) -> bool:
    return type(field) is bytes and len(field) == 64


def is_number(field: Any) -> bool:
    """The number of a round, of parties, or of one party."""
    return type(field) is int and 0 <= field < 2**64


def is_text(field: Any) -> bool:
    return type(field) is str and len(field) <= _MAX_TEXT


def is_positive(field: Any) -> bool:
    return type(field) is Fraction and field > 0


def is_budget(field: Any) -> bool:
    """ε; or behind their measure ρ and ξ, alone or with the ε and δ of their conversion, which its reader checks.

    Without a measure they are of the older one, and their conversion has an order.
    """
    if type(field) is not tuple:
        return is_positive(field)
    named = field[:1] == ("gaussian",)
    if len(field) == named:
        return False
    *fractions, order = field[1:] if named else field
    if named or len(field) == 2:
        fractions, order = [*fractions, order], 2
    sound = all(type(part) is Fraction and part >= 0 for part in fractions)
    return len(fractions) in (2, 4) and sound and fractions[0] > 0 and is_number(order)


def is_tuple(field: Any) -> bool:
    """A tuple, whose content its reader checks."""
    return type(field) is tuple


def is_one_of(values: Collection[str]) -> Field:
    return lambda field: type(field) is str and field in values


def all_are(kind: Field) -> Field:
    """A tuple of fields of one kind, one for each party at most."""
    return lambda field: type(field) is tuple and len(field) <= MAX_PARTIES and all(map(kind, field))


def each_is(*shape: Field) -> Field:
    """A tuple of tuples of this shape, one for each party at most."""
    return all_are(lambda one: has_shape(shape, one))


def has_shape(shape: Sequence[Field], fields: Any) -> bool:
    """Whether a value is a tuple with one field for each check, and passes all of them."""
    if type(fields) is not tuple or len(fields) != len(shape):
        return False
    return all(is_right(field) for is_right, field in zip(shape, fields, strict=True))
