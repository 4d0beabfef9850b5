"""Both ends of series whose sum is known as a fraction to more digits than an enclosure has."""

from fractions import Fraction
from math import factorial

import pytest

from fdpedu.dlpa import insider_delta, insider_epsilon
from fdpedu.dlpa.series import hypergeometric, power_enclosure
from fdpedu.exact import Enclosure

TINY = [Fraction(1, 2**270), Fraction(1, 10**80), Fraction(3, 7 * 10**79), Fraction(1, 10**60), Fraction(1, 2**150)]


def rising(a, k):
    product = Fraction(1)
    for i in range(k):
        product *= a + i
    return product


@pytest.mark.parametrize("z", TINY)
@pytest.mark.parametrize(
    ("above", "below"),
    [((), ()), ((1,), ()), ((Fraction(3, 2),), ()), ((Fraction(1, 2), 2), (1,)), ((), (Fraction(1, 3),))],
)
def test_the_truth_is_between_the_ends_of_a_series(above, below, z):
    """It is more than eight terms add up to, and by 2z times the last at most; the ends are close."""
    terms = []
    for k in range(8):
        term = z**k / factorial(k)
        for a in above:
            term *= rising(Fraction(a), k)
        for c in below:
            term /= rising(Fraction(c), k)
        terms.append(term)
    found = hypergeometric([Fraction(a) for a in above], [Fraction(c) for c in below], Enclosure.exactly(z))
    assert found.lower <= sum(terms) + 2 * z * terms[-1] and sum(terms) <= found.upper
    assert found.upper - found.lower < Fraction(1, 2**240)


def test_a_power_holds_those_of_both_ends():
    found = power_enclosure(Enclosure(Fraction(2), Fraction(3)), Fraction(2))
    assert found.lower <= 4 and 9 <= found.upper and found.upper - found.lower < Fraction(501, 100)


def test_the_largest_and_the_smallest_epsilon_are_accepted_and_nothing_beyond():
    for epsilon in (Fraction(10**300), Fraction(1, 10**300)):
        assert insider_epsilon(epsilon, 5, 1).upper > epsilon
        for beyond in (epsilon * 3 / 2, epsilon / 2):
            if not Fraction(1, 10**300) <= beyond <= 10**300:
                with pytest.raises(ValueError, match=r"epsilon must be from 10\^-300 to 10\^300"):
                    insider_epsilon(beyond, 5, 1)


def test_no_gain_is_left_where_more_is_allowed_than_is_ever_lost():
    for colluders in (0, 1, 3):
        assert insider_delta(1, 5, colluders, 10**4).upper < Fraction(1, 10**9)
