"""The hockey stick of a privacy loss that takes equally spaced values, and its inverse; both enclosed.

Let the privacy loss L = ln(P/Q), drawn under P, take the values x₀ > x₁ > … with step h, with masses m₀, m₁, …, and +∞
with mass m_∞. Then for every ε, writing A_j = m₀ + … + m_j and B_j = Σ_{i≤j} m_i·e^{x_j − x_i},

    δ(ε) = E[(1 − e^{ε−L})₊] = m_∞ + max(0, max_j (A_j − e^{ε−x_j}·B_j)),

because the j-th term is the excess P(S) − e^ε·Q(S) of the event S = {L ≥ x_j}, and the best event is one of these. On
x_{j+1} ≤ ε ≤ x_j the maximum is at j. So the curve is found in one walk from the largest loss down, by the recurrence
B_j = m_j + e^{−h}·B_{j−1}, and its inverse is a logarithm. Every term of the maximum is a lower bound.

The walk is on integers, rounded down for lower ends and up for upper ends. No float takes part.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from fdpedu.exact import Enclosure, ceil_shift, exp_enclosure, log_enclosure

_BITS = 384  # of the decay e^{−h}
_DIGITS = 90  # of the one exponential or logarithm at the end of a walk


@dataclass(frozen=True)
class LossLattice:
    """A privacy loss on top, top − step, …: the i-th mass is between the two integers ``masses[i]``, over ``scale``.

    ``beyond`` encloses the mass of losses that are larger than ``top``, or infinite. ``masses`` is read once.
    """

    top: Fraction
    step: Fraction
    scale: int
    masses: Iterable[tuple[int, int]]
    beyond: tuple[int, int] = (0, 0)


class _Piece(NamedTuple):
    """The event {L ≥ loss}: its mass A (``beyond`` not included), and B = Q(event)·e^loss; lower and upper ends."""

    loss: Fraction
    a_low: int
    a_high: int
    b_low: int
    b_high: int


def outward(number: Enclosure, scale: int) -> tuple[int, int]:
    """An enclosure as two integers over ``scale``."""
    low, high = number.lower * scale, number.upper * scale
    return math.floor(low), math.ceil(high)


def logarithm(x: Fraction, digits: int = _DIGITS) -> Enclosure:
    """ln x for x > 0; very close to 1 by 1 − 1/x ≤ ln x ≤ x − 1, which is then as good as any number of digits."""
    if 0 < abs(x - 1) < Fraction(1, 10**40):
        return Enclosure(1 - 1 / x, x - 1)
    return log_enclosure(x, digits)


def decay(x: Fraction, digits: int = _DIGITS) -> Enclosure:
    """e^{−x} for x ≥ 0; beyond 5000 only the bounds 0 and e^{−5000}, because more digits are never needed."""
    if x > 5000:
        return Enclosure(Fraction(0), exp_enclosure(Fraction(-5000), digits).upper)
    return exp_enclosure(-x, digits)


def _walk(lattice: LossLattice) -> Iterator[_Piece]:
    decay_low, decay_high = outward(decay(lattice.step), 1 << _BITS)
    at, a_low, a_high, b_low, b_high = lattice.top, 0, 0, 0, 0
    for low, high in lattice.masses:
        a_low, a_high = a_low + low, a_high + high
        b_low = low + (b_low * decay_low >> _BITS)
        b_high = high + ceil_shift(b_high * decay_high, _BITS)
        yield _Piece(at, a_low, a_high, b_low, b_high)
        at -= lattice.step


def delta_at(lattice: LossLattice, epsilon: Fraction) -> Enclosure:
    """δ(ε), enclosed."""
    last = None
    for piece in _walk(lattice):
        if piece.loss <= epsilon:
            break
        last = piece
    low, high = (Fraction(end, lattice.scale) for end in lattice.beyond)
    if last is not None:
        factor = decay(last.loss - epsilon)
        low += max(Fraction(0), last.a_low - factor.upper * last.b_high) / lattice.scale
        high += max(Fraction(0), last.a_high - factor.lower * last.b_low) / lattice.scale
    return Enclosure(min(low, Fraction(1)), min(high, Fraction(1)))


def epsilon_at(lattice: LossLattice, delta: Fraction) -> Enclosure | None:
    """The least ε ≥ 0 with δ(ε) ≤ δ, enclosed; None if the mass ``beyond`` may be more than δ, so that ε may be ∞."""
    allowed = delta * lattice.scale
    if lattice.beyond[1] > allowed:
        return None
    last, below = None, Fraction(0)  # the last piece at whose loss δ suffices, and the end of its interval
    for piece in _walk(lattice):
        excess_at_loss = lattice.beyond[1] + piece.a_high - piece.b_low
        if piece.loss < 0 or excess_at_loss > allowed:
            below = max(Fraction(0), piece.loss)
            break
        last = piece
    if last is None:
        return Enclosure(Fraction(0), below)
    upper = _root(last.loss, lattice.beyond[1] + last.a_high - allowed, last.b_low)
    lower = _root(last.loss, lattice.beyond[0] + last.a_low - allowed, last.b_high)
    high = max(below, min(last.loss, upper.upper) if upper else Fraction(0)) if last.b_low else last.loss
    low = max(Fraction(0), lower.lower) if lower else Fraction(0)
    return Enclosure(min(low, high), high)


def _root(loss: Fraction, excess: Fraction, b: int) -> Enclosure | None:
    """The ε at which excess = e^{ε−loss}·b; None where there is none."""
    if excess <= 0 or b <= 0:
        return None
    log = logarithm(excess / b)
    return Enclosure(loss + log.lower, loss + log.upper)
