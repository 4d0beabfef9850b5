"""An enclosure against a value that is computed another way: neither end is lost, and neither is moved.

The independent value is a decimal of 130 or 300 digits by a formula of its own (`tests.support.truths`): sums term by
term, a search for the minimum, a power series. Its error is far below the width of the enclosure. So one that has lost
an end, or moved it, does not pass: the last step of every check tries that on the case itself.
"""

import decimal
from fractions import Fraction

import pytest

from fdpedu.exact import Enclosure
from tests.support.truths import CONTEXT, precision


def require_tight(found, truth, digits, error):
    """lower ≤ truth ≤ upper, and not wider than 10^(−digits) relative to the truth; exact only where the truth is."""
    middle = Fraction(truth)
    assert found.lower <= middle + error and middle - error <= found.upper, "the truth lies outside"
    assert found.upper - found.lower <= abs(middle) / Fraction(10) ** digits, "too wide"


def both_ends(enclosure, value, digits):
    """The enclosure holds; and none does that has lost an end, or that has the ends on one side of the truth.

    What the independent value may be off by is 10⁻²⁵ of the width.
    """
    with decimal.localcontext(CONTEXT) as context:
        context.prec = precision(digits)
        found, truth = enclosure(), value()
    assert type(found.lower) is Fraction and type(found.upper) is Fraction
    width = found.upper - found.lower
    error = width / 10**25
    require_tight(found, truth, digits, error)
    if width == 0:
        assert Fraction(truth) == found.lower
        return
    space = 2 * abs(Fraction(truth)) / Fraction(10) ** digits
    moved = [
        (found.lower, found.lower),
        (found.upper, found.upper),
        (found.lower - space, found.upper),
        (found.lower, found.upper + space),
        (found.upper, found.upper + width),
        (found.lower - width, found.lower),
        (2 * found.upper - found.lower, 2 * found.upper - found.lower),
    ]
    for ends in moved:
        with pytest.raises(AssertionError, match=r"outside|wide"):
            require_tight(Enclosure(*ends), truth, digits, error)
