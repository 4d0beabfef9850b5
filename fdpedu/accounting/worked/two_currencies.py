"""One path of releases in ρ: converted once at the end, or each release by itself.

The ε of one normal number grows, at a small δ, like the square root of its ρ. If all releases are converted together,
ρ is added, and the root taken once. If each is converted by itself, the roots are added, and the δ of all of them, too.

Guarantee: for records added or removed; releases whose costs in ρ were fixed beforehand.

Claims: thm-gaussian-root
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from fdpedu.accounting.budget import gaussian_epsilon
from fdpedu.accounting.cost import Amount, sum_of
from fdpedu.accounting.parameters import as_delta
from fdpedu.exact import Enclosure, Rational


def converted_once(parts: Sequence[Amount], delta: Rational) -> Enclosure:
    """The ε of all releases together at δ: their ρ and ξ are added, and the sum is converted.

    Claims: thm-gaussian-root

    >>> release = Amount(Fraction(1, 1000))
    >>> round(float(converted_once([release] * 16, 1e-6)), 3)
    0.74
    """
    total = sum_of(parts)
    return gaussian_epsilon(total.value, total.xi, delta)


def converted_each(parts: Sequence[Amount], delta: Rational) -> tuple[Enclosure, Fraction]:
    """The ε and the δ of all releases together, if each is converted at δ by itself: both add up.

    Claims: thm-gaussian-root

    >>> release = Amount(Fraction(1, 1000))
    >>> epsilon, total = converted_each([release] * 16, 1e-6)
    >>> round(float(epsilon), 2), str(total)
    (2.69, '1/62500')
    """
    allowed = as_delta(delta)
    each = {part: gaussian_epsilon(*part, allowed) for part in set(parts)}
    return Enclosure.sum(each[part] for part in parts), len(parts) * allowed
