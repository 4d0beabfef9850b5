"""Series whose sum is known otherwise: both ends, in floats and as fractions to more digits than an enclosure has."""

import math
from fractions import Fraction
from math import factorial

import pytest
from scipy.special import gammaln, hyp2f1

from fdpedu.claims.dlpa import insiders as topic
from fdpedu.dlpa.remainder import HALF
from fdpedu.dlpa.series import gamma_function, hypergeometric, log_of, power_enclosure, rising_ratio
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


def middle(enclosure):
    return float((enclosure.lower + enclosure.upper) / 2)


def test_series_and_powers():
    one = Enclosure.exactly(Fraction(1))
    assert middle(hypergeometric([], [], one)) == pytest.approx(math.e)
    for x in ("1/1000000000", "1/7", "1", "3/2", "2"):
        found = gamma_function(Fraction(x))
        assert middle(found) == pytest.approx(math.gamma(Fraction(x)), rel=1e-12)
        assert (found.upper - found.lower) * 10**70 < found.lower
    half = gamma_function(HALF)
    assert 0 < (half * half - Fraction(math.pi)).upper < Fraction(1, 10**15)
    a, b = (gamma_function(Fraction(k, 5)) for k in (2, 3))
    sine = Fraction(math.sin(2 * math.pi / 5))
    assert abs(middle(a * b * sine) - math.pi) < 1e-12
    for a, b, c, z in ((0.8, 0.8, 1.6, 0.5), (0.2, 7.2, 8.0, 0.99), (0.1, 3.1, 0.2, 0.4), (5.5, 2.5, 1.5, 0.9)):
        exact = [Fraction(str(v)) for v in (a, b, c, z)]
        found = hypergeometric(exact[:2], exact[2:3], Enclosure.exactly(exact[3]))
        assert middle(found) == pytest.approx(hyp2f1(a, b, c, z), rel=1e-10)
        assert (found.upper - found.lower) * 10**60 < found.lower and found.lower < found.upper
    for z in (Fraction(1, 2), Fraction(99, 100)):  # Σ z^k, of which the end that is cut off is known
        found = hypergeometric([Fraction(1)], [], Enclosure.exactly(z))
        assert found.lower <= 1 / (1 - z) <= found.upper and (found.upper - found.lower) * 10**70 < 1
    assert rising_ratio(Fraction(1, 3), Fraction(1), 3).lower <= Fraction(14, 81) <= rising_ratio(
        Fraction(1, 3), Fraction(1), 3
    ).upper  # fmt: skip
    assert rising_ratio(Fraction(1, 3), Fraction(2, 3), 0) == one
    seam = rising_ratio(Fraction(1, 5), Fraction(4, 5), 500)
    for k in (500, 501, 20_000):
        stated = gammaln(k + 0.2) - gammaln(k + 0.8) + gammaln(0.8) - gammaln(0.2)
        found = rising_ratio(Fraction(1, 5), Fraction(4, 5), k)
        assert math.log(middle(found)) == pytest.approx(stated, abs=1e-9)
        assert 0 < (found.upper - found.lower) * 10**65 < found.lower
    topic.require_one(rising_ratio(Fraction(1, 5), Fraction(4, 5), 501), seam * Fraction(2501, 2504), "one factor more")
    assert middle(power_enclosure(Enclosure.exactly(Fraction(2)), Fraction(-3, 2))) == pytest.approx(2**-1.5)
    wide = log_of(Enclosure(Fraction(2), Fraction(3)))
    assert middle(wide) == pytest.approx(math.log(6) / 2) and wide.upper - wide.lower > Fraction(2, 5)
