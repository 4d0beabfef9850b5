"""Geometric numbers in digits: their laws, how many values a table holds, and where rates end."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.claims.frequencies import require_frequencies
from fdpedu.claims.mechanisms import sampling as laws_sampling
from fdpedu.exact import Rate
from fdpedu.randomness import Rehearsal, SystemSource, ZeroWords
from fdpedu.sampling import geometric, geometric_law
from fdpedu.sampling import two_sided_geometric as two_sided
from fdpedu.sampling.digits import _powers, low_digits, two_sided_law


def proper_fractions():
    """Fractions strictly between 0 and 1."""
    return st.tuples(st.integers(1, 40), st.integers(1, 40)).map(lambda pair: Fraction(pair[0], sum(pair)))


@given(proper_fractions(), st.integers(1, 3), st.integers(1, 12), st.integers(1, 70))
def test_powers_are_enclosed(alpha, stride, n, bits):
    """2^scale·β^k lies between the two integers for every k, and they are not far apart."""
    low, high, scale = _powers(Rate(alpha=alpha), stride, n, bits)
    for k, (a, b) in enumerate(zip(low, high, strict=True), 1):
        assert a <= 2**scale * alpha ** (stride * k) <= b <= a + 4 * n


@pytest.mark.parametrize(("alpha", "base"), [("2/3", 3), ("1/3", 4)])
def test_digits_from_replayed_bits(alpha, base):
    """Written in digits of base 3 or 4, the two-sided and the one-sided law are unchanged: sign, digits and all."""
    laws_sampling.in_digits(Fraction(alpha), base, words=3)


@pytest.mark.claim("thm-alias-table")
@pytest.mark.parametrize("epsilon", ["3", "1/2", "1/90", "1/1000", "1/1000000"])
def test_frequencies(epsilon):
    """200,000 draws, in cells of about equal mass, by a two-sided chi-square test; α = 10⁻⁹ each (seeded)."""
    draws = two_sided(Rate.of(epsilon=epsilon), 200_000, Rehearsal(11))
    rate = float(Fraction(epsilon))
    edges = np.unique(np.floor(np.array([-2.0, -1, -0.6, -0.3, 0.0, 0.3, 0.6, 1, 2]) / rate).astype(int))

    def at_most(k):
        a = np.exp(-rate)
        return np.where(
            k < 0, a ** (-np.minimum(k, 0).astype(float)) / (1 + a), 1 - a ** (np.maximum(k, 0) + 1.0) / (1 + a)
        )

    pmf = np.diff([0.0, *at_most(edges), 1.0])
    require_frequencies(np.bincount(np.searchsorted(edges, draws, side="left"), minlength=pmf.size), pmf, alpha=1e-9)


@pytest.mark.parametrize("epsilon", ["1/1000", "1/100000", "1/1000000000", "1/1000000000000"])
def test_slow_decay_is_written_in_digits(epsilon):
    """Mean and spread of 20,000 draws: with probability 1 − 10⁻⁹ within 6.2 standard errors (normal approximation)."""
    rate = Rate.of(epsilon=epsilon)
    drawn = geometric(rate, 20_000, Rehearsal(7))
    assert drawn.dtype == np.int64
    draws = drawn * float(rate)
    assert abs(draws.mean() - 1) < 6.2 / 20_000**0.5  # an exponential has mean 1, sd 1; its square mean 2, sd √20
    assert abs((draws**2).mean() - 2) < 6.2 * (20 / 20_000) ** 0.5
    for digit in (1021, 1023):
        assert len(np.unique(drawn % digit)) > 1000 * (float(rate) < 1e-4), "the digits are stuck"


def test_zeros_are_no_noise_and_tiny_rates_are_refused():
    for draw in (geometric, two_sided):
        assert draw(Rate.of(epsilon="1/1000000"), 3, ZeroWords()).tolist() == [0, 0, 0]
        with pytest.raises(ValueError, match="epsilon/sensitivity"):
            draw(Rate.of(epsilon=Fraction(1, 2**41)), 1, SystemSource())


@given(st.fractions(Fraction(1, 100), 30))
def test_a_table_holds_all_but_one_value_in_2_to_the_24(epsilon):
    """As many values as that takes and no more, up to 4,095; of both signs for the two-sided law, and two at least."""
    reach = 24 * np.log(2) / float(epsilon)
    for law, sides in ((geometric_law(Rate.of(epsilon=epsilon)), 1), (two_sided_law(Rate.of(epsilon=epsilon)), 2)):
        assert law.last is None
        if law.terms not in (2, 4095):
            assert sides * reach - 1e-6 <= law.terms <= sides * (1.002 * reach + 1)
        else:
            assert sides * reach <= 2 or sides * (1.002 * reach + 1) >= 4095


def test_the_slowest_rate_and_the_slowest_without_digits():
    """2⁻⁴⁰ is drawn, and 2⁻⁷ without digits; a little less has digits of base 1,023, until what is left is as fast."""
    assert geometric(Rate.of(epsilon=Fraction(1, 2**40)), 2, ZeroWords()).tolist() == [0, 0]
    for epsilon, stride in (("1/128", 1), ("1/129", 1023), (Fraction(1, 128 * 1023), 1023), ("1/130945", 1023**2)):
        low, found = low_digits(Rate.of(epsilon=epsilon), 3, ZeroWords())
        assert found == stride and (low is None) == (stride == 1)


@given(st.integers(0, 2**62))
def test_the_values_of_a_two_sided_law_are_integers_of_both_signs(g):
    """0, −1, 1, −2, 2, …, however far one goes."""
    value = two_sided_law(Rate.of(alpha="1/3")).value
    found = [value(2 * g), value(2 * g + 1)]
    assert found == [g, -1 - g] and {type(x) for x in found} == {int}
