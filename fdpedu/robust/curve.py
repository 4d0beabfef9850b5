"""How much x forged rows can take from any ε-DP learner: the curve of iterates of one step.

Whoever forges rows adds or removes up to x rows before training. The algorithm is known to them, its coins are not. So
what they can change is an expectation over the coins: of the accuracy on given test rows, say, or of any number between
0 and 1 that depends on the released model only. One row more or less takes an expectation p at worst to

    f(p) = max(e^{−ε}·p, 1 − e^ε·(1 − p)):

the first because p is at most e^ε times what it was before, the second because 1 − p is, too. f rises, so x rows take A
to f^{∘x}(A) at worst. From p = 1 on, the steep side 1 − e^ε·(1 − p) is the larger one until p = 1/(1 + e^{−ε}), the
flat side e^{−ε}·p from there on. With k steep steps first,

    f^{∘x}(A) = max over 0 ≤ k ≤ x of e^{−(x−k)ε}·(1 − e^{kε}·(1 − A)),

and each k gives a lower bound. With δ > 0 a step is max(0, e^{−ε}·(p − δ), 1 − δ − e^ε·(1 − p)). In the coordinate
p' = (p + c)/(1 + 2c), c = δ/(e^ε − 1), it is the step f again; so nothing new is to be computed.

**A row that is changed counts 2**: one is removed and one is added. Nothing here counts a change as 1.

Neighbours differ by one row added or removed. Arithmetic: enclosures; what is returned is rounded to the safe side, and
lies within 2⁻⁶⁰ of the exact value. Not guaranteed: the accuracy of the one model that was drawn, as these are bounds
of expectations; anything at all where A was only estimated (f^{∘x} is convex, so a mean of bounds is too high); and
anything on test rows that whoever forges may change.

Claims: thm-poisoning-curve
"""

from __future__ import annotations

import math
from fractions import Fraction

from fdpedu.exact import (
    Enclosure,
    Rate,
    Rational,
    as_fraction,
    as_integer,
    as_positive_fraction,
    ceil_div,
    exp_enclosure,
    log_enclosure,
    quoted,
)

BITS = 64
"""Results are rounded to multiples of 2^−64."""
_WIDTH = Fraction(1, 1 << 62)
_UNKNOWN = Enclosure(Fraction(0), Fraction(1))
_ZERO, _ONE = Fraction(0), Fraction(1)


def poisoning_curve(level: Rational, epsilon: Rational, rows: int, *, delta: Rational = 0) -> Fraction:
    """f^{∘x}(A): at least so large stays the expectation of a number in [0, 1] when x rows are added or removed.

    Rounded down, and within 2⁻⁶⁰ of the exact value. No ε-DP learner is guaranteed more: the bound is attained.

    Claims: thm-poisoning-curve

    Parameters
    ----------
    level : A, the expectation without forged rows, 0 ≤ A ≤ 1: known, and not estimated
    epsilon : ε ≥ 0 of the learner; at 0, with δ = 0, the rows change nothing
    rows : x ≥ 0, added or removed; a row that is changed counts 2
    delta : 0 ≤ δ ≤ 1 of the learner

    Examples
    --------
    >>> [round(float(poisoning_curve("0.9", 1, rows)), 3) for rows in (0, 1, 2, 10)]
    [0.9, 0.728, 0.268, 0.0]
    >>> float(poisoning_curve("0.9", "0.01", 91)) > 0.75 > float(poisoning_curve("0.9", "0.01", 92))
    True
    """
    expected, rate = as_share(level, "level"), as_epsilon(epsilon)
    x, allowed = as_integer(rows, "rows", minimum=0), as_share(delta, "delta")
    if x == 0:
        return expected
    if not rate:
        return max(_ZERO, expected - x * allowed)
    found = curve_enclosure(expected, Rate(rate=rate), x, delta=allowed)
    return found.lower if found.lower == found.upper else Fraction(math.floor(found.lower * 2**BITS), 2**BITS)


def attack_success_bound(clean_rate: Rational, epsilon: Rational, rows: int, *, delta: Rational = 0) -> Fraction:
    """1 − f^{∘x}(1 − s): at most so large gets the expected success rate of an attack by x rows. Rounded up.

    Success is the share of triggered test rows that the model gives the label which the forger wants.

    Claims: cor-attack-success

    Parameters
    ----------
    clean_rate : s, the expected rate without forged rows, 0 ≤ s ≤ 1: the trigger alone has some success, too
    epsilon, rows, delta : as for :func:`poisoning_curve`

    Examples
    --------
    >>> [round(float(attack_success_bound("0.06", 1, rows)), 3) for rows in (0, 1, 2, 24)]
    [0.06, 0.163, 0.443, 1.0]
    """
    return 1 - poisoning_curve(1 - as_share(clean_rate, "clean_rate"), epsilon, rows, delta=delta)


def certified_rows(level: Rational, epsilon: Rational, target: Rational) -> int:
    """The most rows x with f^{∘x}(A) ≥ t, exactly: ⌊ln((1 − t)/(1 − A))/ε⌋ for t ≥ ½, else read off the curve.

    How many rows the learner had does not matter. A level of 1 and ε = 0 certify every number of rows: refused.

    Claims: lem-certified-rows

    Parameters
    ----------
    level : A, the expectation without forged rows, 0 < A < 1
    epsilon : ε > 0 of the learner
    target : t, what is to be left, 0 < t ≤ A

    Raises
    ------
    ValueError
        If a number is outside its domain: above the level nothing is certified, with no row either.

    Examples
    --------
    >>> certified_rows("0.9", "0.01", "0.75"), certified_rows("0.9", "0.01", "0.25")
    (91, 230)
    """
    expected, rate, least = (
        as_share(level, "level"),
        as_positive_fraction(epsilon, "epsilon"),
        as_share(target, "target"),
    )
    if not 0 < expected < 1:
        raise ValueError(
            f"level must lie strictly between 0 and 1, got {quoted(expected)}: at 1 every number of rows is certified, "
            "at 0 there is nothing to certify"
        )
    if not 0 < least <= expected:
        raise ValueError(
            f"target must be greater than 0 and at most the level {quoted(expected)}, got {quoted(least)}: more than "
            "the level is not there without any forged row"
        )
    if 2 * least >= 1:
        return _whole_quotient((1 - least) / (1 - expected), rate)
    return _rows_on_the_flat_side(expected, rate, least)


def curve_enclosure(level: Fraction, rate: Rate, rows: int, *, delta: Fraction = _ZERO) -> Enclosure:
    """f^{∘x}(A), enclosed to 2⁻⁶²: the closed form, for e^{−ε} of a rational ε or a rational e^{−ε}.

    Claims: thm-poisoning-curve

    >>> curve_enclosure(Fraction(9, 10), Rate.of(alpha="1/2"), 2)
    0.6 (±1e-39)
    """
    digits = 40
    while True:
        found = _enclosed(level, rate, rows, delta, digits)
        if found.upper - found.lower <= _WIDTH:
            return found
        digits *= 2


def curve_table(level: Fraction, epsilon: Fraction, rows: int, bits: int = BITS) -> list[int]:
    """2^bits·f^{∘x}(A) for x = 0, …, rows, in integers and rounded down: by steps, with digits to spare.

    A step rounds p down, and as f rises every later step stays below the exact one.

    Claims: thm-poisoning-curve

    >>> [entry / 2**20 for entry in curve_table(Fraction(9, 10), Fraction(0), 2, bits=20)]
    [0.8999996185302734, 0.8999996185302734, 0.8999996185302734]
    """
    if not epsilon:
        return [math.floor(level * 2**bits)] * (rows + 1)
    amplified = min(4096, (1 / (1 - level)).__ceil__().bit_length()) if level < 1 else 0
    digits = bits + amplified + rows.bit_length() + 16
    unit, alpha = 1 << digits, exp_at_most_one(Enclosure.exactly(-epsilon), digits)
    shrink = math.floor(alpha.lower * unit)
    grow = math.ceil(unit / alpha.lower) if alpha.lower else None  # None: more than anything that is left
    p, table = math.floor(level * unit), list[int]()
    for _ in range(rows + 1):
        table.append(p >> digits - bits)
        steep = unit - ceil_div((unit - p) * grow, unit) if grow is not None else (unit if p == unit else 0)
        p = max(p * shrink >> digits, steep)
    return table


def as_share(value: object, name: str) -> Fraction:
    """A number from 0 to 1, both included, read exactly."""
    number = as_fraction(value, name)
    if not 0 <= number <= 1:
        raise ValueError(f"{name} must lie between 0 and 1, got {quoted(number)}")
    return number


def as_epsilon(value: object, name: str = "epsilon") -> Fraction:
    """A cost that may be 0, read exactly."""
    number = as_fraction(value, name)
    if number < 0:
        raise ValueError(f"{name} must be at least 0, got {quoted(number)}")
    return number


def exp_at_most_one(exponent: Enclosure, digits: int) -> Enclosure:
    """e^exponent for exponents ≤ 0 (what is above counts as 0), to about so many digits after the point."""
    low, high = min(_ZERO, exponent.lower), min(_ZERO, exponent.upper)
    least = Fraction(-21 * digits, 10)  # e^{−2.1·digits} < 2^{−3·digits}
    if high < least:
        return Enclosure(_ZERO, Fraction(1, 1 << 3 * digits))
    above = exp_enclosure(high, digits)
    below = above if low == high else exp_enclosure(low, digits) if low >= least else _UNKNOWN
    return Enclosure(below.lower, min(_ONE, above.upper))


# --- the closed form, enclosed -----------------------------------------------------------------------------------


def _enclosed(level: Fraction, rate: Rate, rows: int, delta: Fraction, digits: int) -> Enclosure:
    epsilon = Enclosure.exactly(rate.rate) if rate.rate is not None else -log_enclosure(rate.alpha or _ONE, digits)
    if not delta:
        return _pure(1 - level, epsilon, rows, digits)
    alpha = exp_at_most_one(-epsilon, digits) if rate.alpha is None else Enclosure.exactly(rate.alpha)
    if alpha.upper >= 1:
        return _UNKNOWN
    # c = δ/(e^ε − 1); everything times 1 − e^{−ε}: u' = ((1−α)·u + δα)/((1−α) + 2δα)
    rest, spread = 1 - alpha, Enclosure(delta * alpha.lower, delta * alpha.upper)
    low = ((1 - level) * rest.lower + spread.lower) / (rest.upper + 2 * spread.upper)
    high = ((1 - level) * rest.upper + spread.upper) / (rest.lower + 2 * spread.lower)
    ends = _pure(high, epsilon, rows, digits).lower, _pure(low, epsilon, rows, digits).upper
    lower = (ends[0] * (rest.lower + 2 * spread.lower) - spread.upper) / rest.upper
    upper = (ends[1] * (rest.upper + 2 * spread.upper) - spread.lower) / rest.lower
    return Enclosure(max(_ZERO, lower), max(_ZERO, upper))


def _pure(error: Fraction, epsilon: Enclosure, rows: int, digits: int) -> Enclosure:
    """max over k of e^{−(x−k)ε}·(1 − e^{kε}·error), the largest k·ε being that where the steep side ends."""
    if error <= 0 or error >= 1:
        return Enclosure.exactly(_ONE if error <= 0 else _ZERO)
    log_error = log_enclosure(error, digits)
    first, last = (min(rows, k) for k in _steep_steps(log_error, epsilon, digits))
    if last - first > 2:
        return _UNKNOWN
    values = [_steep_then_flat(error, log_error, epsilon, k, rows - k, digits) for k in range(first, last + 1)]
    return Enclosure(max(value.lower for value in values), max(value.upper for value in values))


def _steep_steps(log_error: Enclosure, epsilon: Enclosure, digits: int) -> tuple[int, int]:
    """Two bounds for the least k with e^{kε}·error ≥ 1/(1 + e^ε): after so many steps the flat side begins."""
    alpha = exp_at_most_one(-epsilon, digits)
    # thm-poisoning-curve: k·ε ≥ −ln(error) − ε − ln(1 + e^{−ε})
    log_sum = Enclosure(log_enclosure(1 + alpha.lower, digits).lower, log_enclosure(1 + alpha.upper, digits).upper)
    left = -log_error - epsilon - log_sum
    low = left.lower / (epsilon.upper if left.lower > 0 else epsilon.lower)
    return max(0, math.ceil(low)), max(0, math.ceil(left.upper / epsilon.lower))


def _steep_then_flat(
    error: Fraction, log_error: Enclosure, epsilon: Enclosure, steep: int, flat: int, digits: int
) -> Enclosure:
    grown = exp_at_most_one(_multiple(epsilon, steep) + log_error, digits) if steep else Enclosure.exactly(error)
    decay = exp_at_most_one(-_multiple(epsilon, flat), digits)
    return Enclosure(decay.lower * max(_ZERO, 1 - grown.upper), decay.upper * max(_ZERO, 1 - grown.lower))


def _multiple(epsilon: Enclosure, times: int) -> Enclosure:
    return Enclosure(epsilon.lower * times, epsilon.upper * times)


# --- the most rows -----------------------------------------------------------------------------------------------
# Each loop ends: for a rational ε > 0, no two of the numbers that are compared are equal (Lindemann and Weierstraß).


def _whole_quotient(ratio: Fraction, epsilon: Fraction) -> int:
    """⌊ln(ratio)/ε⌋ for a rational ratio ≥ 1."""
    digits = 40
    while True:
        log = log_enclosure(ratio, digits)
        low, high = math.floor(log.lower / epsilon), math.floor(log.upper / epsilon)
        if low == high:
            return low
        digits *= 2


def _rows_on_the_flat_side(level: Fraction, rate: Fraction, target: Fraction) -> int:
    """The last x with f^{∘x}(A) ≥ t, for t < ½: after k steep steps p is left, and ⌊ln(p/t)/ε⌋ flat ones may follow."""
    epsilon, digits = Enclosure.exactly(rate), 20
    while True:
        digits *= 2
        log_error = log_enclosure(1 - level, digits)
        steep, last = _steep_steps(log_error, epsilon, digits)
        left = _steep_then_flat(1 - level, log_error, epsilon, steep, 0, digits)
        if steep != last or left.lower < target <= left.upper:
            continue
        if left.upper < target:
            return steep - 1
        low, high = (
            math.floor(end / rate)
            for end in (
                log_enclosure(left.lower / target, digits).lower,
                log_enclosure(left.upper / target, digits).upper,
            )
        )
        if low == high:
            return steep + low
