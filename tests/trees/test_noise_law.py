"""Lower bounds of the noise's law, wherever their list begins."""

import math
from fractions import Fraction

import pytest

from fdpedu.exact import Enclosure
from fdpedu.trees.noise_law import negative_binomial_below


class Around:
    """A rate of which only two ends of α are known, and a float that is of another α."""

    def __init__(self, low, high, near):
        self.alpha, self.near = Enclosure(low, high), near

    def power(self, exponent, digits):
        return self.alpha if exponent == 1 else None

    def __float__(self):
        return -math.log(self.near)


@pytest.mark.parametrize("near", [0.2, 0.45, 0.6])
@pytest.mark.parametrize("shape", [3, 9])
def test_a_list_may_begin_beside_the_mode(near, shape):
    """The float only says where the weights begin to be written down, upwards and downwards."""
    low, high = Fraction(2, 5), Fraction(1, 2)
    masses = negative_binomial_below(Around(low, high, near), Fraction(shape), 40)
    for alpha in (low, high):
        for k, mass in enumerate(masses):
            assert mass <= math.comb(k + shape - 1, k) * alpha**k * (1 - alpha) ** shape * 2**40
    exact = negative_binomial_below(Around(low, low, near), Fraction(shape), 40)
    assert 0 <= 2**40 - sum(exact) < len(exact) + 9
