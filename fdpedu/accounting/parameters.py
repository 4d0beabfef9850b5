"""How the accounting functions read their parameters: exactly, and refused where an answer would not come in time."""

from __future__ import annotations

from fractions import Fraction

from fdpedu.derivation_checker import MAX_INTEGER, TOO_LONG
from fdpedu.exact import as_fraction, as_integer, quoted, shown
from fdpedu.printable import require_printable

MAX_COST = 1000
"""An ε or ρ beyond this promises nothing: e^1000 is the odds of a certainty."""
MAX_RELEASES = 10**6
_MIN_COST = Fraction(1, 10**300)


def as_epsilon(value: object, name: str, *, zero: bool = False) -> Fraction:
    """An ε, a ρ or a scale: 0 < value ≤ 1000, and not below 10⁻³⁰⁰ (``zero``: 0 is allowed)."""
    number = as_fraction(value, name)
    if zero and number == 0:
        return number
    if not _MIN_COST <= number <= MAX_COST:
        least = "0 or from 10^-300" if zero else "from 10^-300"
        raise ValueError(f"{name} must be {least} to {MAX_COST}, got {shown(number)}")
    return number


def as_delta(value: object, name: str = "delta", *, zero: bool = False) -> Fraction:
    """A δ: strictly between 0 and 1, and not below 10⁻³⁰⁰ (``zero``: 0 is allowed)."""
    number = as_fraction(value, name)
    if zero and number == 0:
        return number
    if not _MIN_COST <= number < 1:
        least = "0 or from 10^-300" if zero else "from 10^-300"
        raise ValueError(f"{name} must be {least} to less than 1, got {shown(number)}")
    return number


def as_count(value: object, name: str = "k") -> int:
    """A number of releases: 1 to a million."""
    number = as_integer(value, name, minimum=1)
    if number > MAX_RELEASES:
        raise ValueError(f"{name} must be at most {MAX_RELEASES}, got {shown(Fraction(number))}")
    return number


def as_stated_integer(value: object, name: str, least: int) -> int:
    """An integer that a derivation states: ``least`` to 10¹⁸."""
    number = as_integer(value, name, minimum=least)
    if number > MAX_INTEGER:
        raise ValueError(f"{name} must be at most 10^18, got {shown(Fraction(number))}")
    return number


def require_short(number: Fraction, name: str) -> None:
    """Refuse a fraction that the checker does not read."""
    if max(number.as_integer_ratio()) >= TOO_LONG:
        raise ValueError(f"{name} must be a fraction of at most 400 digits above and below, got {shown(number)}")


def require_text(value: object, name: str) -> None:
    """Refuse what is no text, says nothing, or is no one line of visible characters."""
    if not isinstance(value, str) or not value:
        raise ValueError(f"{name} must be text that says something, got {quoted(value)}")
    require_printable(value, name)
