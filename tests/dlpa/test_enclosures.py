"""Every function of the room that returns an enclosure is held to independent values, at both of its ends."""

import decimal
import inspect
from fractions import Fraction
from pathlib import Path

import pytest

from fdpedu import dlpa
from fdpedu.dlpa import gaussian_sum_distance
from fdpedu.exact import Enclosure

ENDS = (".lower", ".upper")
PI = "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803"


def enclosing():
    """The public functions that return an enclosure, by what their signature says."""
    return {name for name in dlpa.__all__ if Enclosure.__name__ in str(annotations(name).get("return", ""))}


def annotations(name):
    return getattr(getattr(dlpa, name), "__annotations__", {})


def test_both_ends_of_each_are_tested():
    """Somewhere among the room's tests there is one that calls it, and looks at its lower and its upper end."""
    files = [file.read_text("utf8") for file in Path(__file__).parent.glob("test_*.py")]
    tests = [text for file in files for text in file.split("\ndef ")]
    unseen = {name for name in enclosing() if not any(f"{name}(" in t and all(e in t for e in ENDS) for t in tests)}
    assert not unseen and len(enclosing()) >= 7
    assert all(inspect.getdoc(getattr(dlpa, name)) for name in dlpa.__all__)


@pytest.mark.parametrize(("m", "variance"), [(2, 2), (5, 10), (9, 3), (40, 10)])
def test_the_distance_of_a_sum_of_gaussian_shares(m, variance):
    """In decimals of 80 digits: both ends of θ, within 10⁻⁸ of each other, and much less for shares of variance 2."""
    with decimal.localcontext(decimal.Context(prec=80)):
        pi = decimal.Decimal(PI)
        theta = decimal.Decimal(0)
        for k in range(1, m):
            s = decimal.Decimal(variance * k) / decimal.Decimal(m * (k + 1))
            q = 2 * sum((-2 * pi * pi * s * n * n).exp() for n in range(1, 40))
            theta += ((1 + q) / (1 - q)).ln()
        truth = Fraction(theta)
    found = gaussian_sum_distance(m, variance)
    assert found.lower <= truth <= found.upper and found.upper - found.lower < Fraction(
        1, 10 ** (60 if variance >= 2 * m else 8)
    )
