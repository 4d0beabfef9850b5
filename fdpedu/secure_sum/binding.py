"""What was asked, as bytes and as a digest: what masks are bound to.

An aggregator that can ask the parties different things in one round, and still read the sum, takes away the noise: a
party that is asked at ε = 1/10, beside others that are asked at a large ε, is hidden by its own share alone. This is
*equivocation*. It is useless when the masks of two parties cancel only if both were asked the same. So masks are bound
to a digest of the request, and three conditions make it worth something.

(a) The party computes the digest itself, over what it will execute: :meth:`Binding.digest` takes the fields in
    :func:`canonical` form, which different fields never share, and hashes session, number, request, and the ordered
    list of members. A digest that the aggregator sends is compared, and never used.
(b) The list is one that the party accepts: pinned identities only, and enough of them (:mod:`fdpedu.secure_sum.keys`).
    A digest that binds a list of one party and its many doubles would bind a lie.
(c) A party answers at most once for a session, a number and a digest. :meth:`fdpedu.secure_sum.Masks.draw` sees to it.

Threat model: the aggregator may ask whatever it likes, and collude with other parties; the masks are as good as ideal
ones, and SHA-256 has no known collisions. Then parties that were asked differently are hidden even from one another:
not even the sum over those that were asked alike is learnt. Not guaranteed: that a round has a result.

Claims: lem-canonical, thm-equivocation
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

VERSION = "fdpedu secure sums, version 1"
_HEAD = struct.Struct(">cQ").pack  # the letter of a type, and the length of the content
_MAX_NESTING = 16  # values in values; what is read has no more

Canonical = int | str | bytes | Fraction | tuple["Canonical", ...] | Mapping[str, "Canonical"]


def canonical(value: Canonical) -> bytes:
    """The one form in bytes of a value; two different values never have the same.

    A letter for the type, the length in 8 bytes, and the content: so no value's form is the beginning of another's,
    and a tuple's content can be cut in one way only.

    Claims: lem-canonical

    Parameters
    ----------
    value : an integer, a text, bytes, a fraction, a tuple of such values, or a mapping from texts to them

    Raises
    ------
    ValueError
        For anything else: a float has many spellings, a bool is taken for a number, a list can change.

    Examples
    --------
    >>> canonical(("ab", 1)) == canonical(("a", "b1"))
    False
    """
    if type(value) is tuple:
        return _with_head(b"T", _one_after_another(value))
    if type(value) is int:
        return _with_head(b"I", b"%x" % value)
    if type(value) is str:
        return _with_head(b"S", value.encode("utf8", "surrogatepass"))
    if type(value) is bytes:
        return _with_head(b"B", value)
    if type(value) is Fraction:
        return _with_head(b"Q", _one_after_another((value.numerator, value.denominator)))
    if isinstance(value, Mapping) and all(type(key) is str for key in value):
        return _with_head(b"M", b"".join(canonical(key) + canonical(value[key]) for key in sorted(value)))
    raise ValueError(
        f"only integers, texts, bytes, fractions, tuples and mappings from texts have a canonical form, "
        f"got {type(value).__name__}"
    )


def _with_head(letter: bytes, content: bytes) -> bytes:
    return _HEAD(letter, len(content)) + content


def _one_after_another(values: tuple[Canonical, ...]) -> bytes:
    """The forms of some values; most values of a request are integers, which are written at once."""
    parts: list[bytes] = []
    for value in values:
        if type(value) is int:
            content = b"%x" % value
            parts += _HEAD(b"I", len(content)), content
        else:
            parts.append(canonical(value))
    return b"".join(parts)


def read_canonical(form: bytes) -> Canonical:
    """The value of a canonical form; bytes that are none are refused, so no value can be written in two ways.

    Claims: lem-canonical

    Parameters
    ----------
    form : what :func:`canonical` gives

    Raises
    ------
    ValueError
        If no value has this form.

    Examples
    --------
    >>> read_canonical(canonical(("count", Fraction(1, 10))))
    ('count', Fraction(1, 10))
    """
    if type(form) is not bytes:
        raise ValueError(f"form must be bytes, got {type(form).__name__}")
    try:
        values = _read(form, 0, len(form), _MAX_NESTING)
        # lem-canonical: a value has one form, so bytes that would be written otherwise are refused
        if len(values) == 1 and canonical(values[0]) == form:  # no other spelling: of a number, or in another order
            return values[0]
    except (TypeError, ValueError, ZeroDivisionError):  # no number, no text, no key
        pass
    raise ValueError(f"these {len(form)} bytes are no canonical form of a value")


def _read(form: bytes, at: int, end: int, deepest: int) -> list[Canonical]:
    """The values that stand one after the other from ``at`` to ``end``."""
    if deepest < 0 and at < end:
        raise ValueError
    values: list[Canonical] = []
    while at < end:
        kind, begin = form[at : at + 1], at + 9
        at = begin + int.from_bytes(form[at + 1 : begin], "big")
        if at > end:
            raise ValueError
        if kind == b"I":
            values.append(int(form[begin:at], 16))
        elif kind == b"B":
            values.append(form[begin:at])
        elif kind == b"S":
            values.append(form[begin:at].decode("utf8", "surrogatepass"))
        else:
            values.append(_made_of(kind, _read(form, begin, at, deepest - 1)))
    return values


def _made_of(kind: bytes, parts: list[Canonical]) -> Canonical:
    """What has parts: a tuple, a mapping, or a fraction."""
    if kind == b"T":
        return tuple(parts)
    if kind == b"M":
        return dict(zip(parts[::2], parts[1::2], strict=True))  # type: ignore[arg-type]
    if kind == b"Q" and len(parts) == 2:
        return Fraction(*parts)  # type: ignore[arg-type]
    raise ValueError


def hashed(value: Canonical) -> bytes:
    """SHA-256 of the canonical form: 32 bytes."""
    return hashlib.sha256(canonical(value)).digest()


class Asked(NamedTuple):
    """What arrives at a party: the number of the round, the request, and the digest that the aggregator says it has."""

    number: int
    request: Canonical
    digest: bytes


@dataclass(frozen=True)
class Binding:
    """What a party binds every answer of a session to.

    Parameters
    ----------
    session : the session's nonce
    members : in order, each with its identity and its key of this session
    """

    session: bytes
    members: tuple[tuple[bytes, bytes], ...]

    def digest(self, number: int, request: Canonical) -> bytes:
        """The digest of a request, as this party understands it.

        Claims: thm-equivocation

        >>> binding = Binding(b"monday", ((b"a", b"key a"), (b"b", b"key b")))
        >>> binding.digest(1, ("count", Fraction(1, 10))) == binding.digest(1, ("count", Fraction(100)))
        False
        """
        return hashed((VERSION, "request", self.session, number, request, self._listed))

    @cached_property
    def _listed(self) -> bytes:
        """The list of members, as its own hash."""
        return hashed((VERSION, "members", self.members))

    def accept(self, asked: Asked) -> bytes:
        """The digest to answer for; refuses a request whose digest is another than the aggregator says.

        Claims: thm-equivocation
        """
        # thm-equivocation (a): the party computes the digest itself; what came with the request is only compared
        own = self.digest(asked.number, asked.request)
        if asked.digest != own:
            raise ValueError(
                f"round {asked.number}: the request and the digest that came with it do not belong together"
            )
        return own
