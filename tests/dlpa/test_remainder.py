"""What is left of the noise for one who knows some: where two series meet, and around a half."""

from fractions import Fraction

import pytest

from fdpedu.claims.dlpa import insiders as topic
from fdpedu.dlpa.remainder import HALF, Remainder, around
from fdpedu.exact import Enclosure


@pytest.mark.claim("lem-remainder")
def test_both_series_meet():
    """Where one takes over from the other they say the same: at the rate 1/3, and where rate times k is 12."""
    for tau in (Fraction(4, 5), Fraction(1, 7)):
        for rate, k in ((Fraction(1, 3), 0), (Fraction(1, 3), 20), (Fraction(1, 4), 48), (Fraction(1, 50), 30)):
            left = Remainder(tau, rate)
            topic.require_one(left._by_complement(k), left._by_square(k), f"{tau}, {rate}, {k}")


def test_around_a_half():
    """A function that falls from 2 to 1 at 1/2 is enclosed by both; elsewhere it is taken as it is."""
    asked = []

    def falling(tau):
        asked.append(tau)
        return Enclosure.exactly(Fraction(1 if tau > HALF else 2))

    assert around(HALF, falling) == Enclosure(Fraction(1), Fraction(2)) and HALF not in asked
    assert around(Fraction(1, 3), falling) == Enclosure.exactly(Fraction(2))
