"""An end at few digits is on its side of the same enclosure at more than twice as many: no last digit is lost.

The outer end at few digits is compared with the far end at many, which is as good as the truth. So the width at many
digits hides nothing, and what is rounded the wrong way at few shows as soon as it is wrong.
"""

from contextlib import contextmanager
from fractions import Fraction
from unittest import mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fdpedu.dlpa import insider_delta, insider_epsilon, insiders, remainder, series
from fdpedu.dlpa.remainder import HALF, Remainder
from fdpedu.dlpa.series import gamma_function, hypergeometric, log_of, power_enclosure, rising_ratio
from fdpedu.exact import Enclosure, exp_enclosure

FEW = 30
ODD = st.fractions(Fraction(1, 97), Fraction(61, 7), max_denominator=97)  # hardly ever a short decimal
SHAPES = st.fractions(Fraction(1, 97), Fraction(96, 97), max_denominator=97).filter(lambda x: abs(x - HALF) > 0.05)


@contextmanager
def few_digits(digits=FEW):
    gamma_function.cache_clear()
    own = mock.patch.multiple(series, DIGITS=digits, BITS=4 * digits, _ENOUGH=1 << 10)
    with own, mock.patch.object(remainder, "DIGITS", digits), mock.patch.object(insiders, "DIGITS", digits):
        try:
            yield
        finally:
            gamma_function.cache_clear()


def require_both_ends(ask):
    """The truth is in both enclosures, and known from the one at many digits."""
    many = ask()
    with few_digits():
        few = ask()
    assert few.lower <= many.upper and many.lower <= few.upper
    assert few.lower == few.upper or many.upper - many.lower < (few.upper - few.lower) / 10**6


@given(st.lists(ODD, max_size=2), st.lists(ODD, min_size=1, max_size=2), st.fractions(Fraction(1, 97), Fraction(4, 5)))
def test_series(above, below, z):
    require_both_ends(lambda: hypergeometric(above, below, Enclosure.exactly(z)))


@given(st.fractions(Fraction(1, 97), Fraction(9, 10), max_denominator=97))
def test_a_geometric_series_whose_sum_is_known(z):
    with few_digits():
        found = hypergeometric([Fraction(1)], [], Enclosure.exactly(z))
    assert found.lower <= 1 / (1 - z) <= found.upper


@settings(max_examples=40)
@given(ODD, st.fractions(-3, 3, max_denominator=97))
def test_powers_and_logarithms(x, exponent):
    require_both_ends(lambda: power_enclosure(Enclosure.exactly(x), exponent))
    with few_digits():
        found = log_of(Enclosure.exactly(x), series.DIGITS)
    truth = log_of(Enclosure.exactly(x))
    assert found.lower <= truth.upper and truth.lower <= found.upper


@settings(max_examples=20)
@given(SHAPES, SHAPES, st.one_of(st.integers(1, 500), st.integers(501, 10**6)))
def test_ratios_and_gamma(a, c, k):
    require_both_ends(lambda: rising_ratio(a, c, k))
    require_both_ends(lambda: gamma_function(2 * a))


@settings(max_examples=25)
@given(SHAPES, st.fractions(Fraction(1, 97), 3, max_denominator=97), st.integers(-40, 40))
def test_what_is_left_of_the_noise(tau, rate, k):
    """Both of the series, and on both sides of where one takes over."""
    require_both_ends(lambda: Remainder(tau, rate).pmf(k))
    require_both_ends(lambda: Remainder(tau, rate / 10).weight(k))


PARTIES = st.sampled_from([(5, 1, 0), (5, 4, 1), (7, 6, 0), (9, 2, 1), (3, 2, 0)])  # none of them leaves a half


@settings(max_examples=20)
@given(ODD, PARTIES, st.integers(1, 4), st.booleans())
def test_what_insiders_learn(epsilon, people, steps, far):
    n, colluders, tolerate = people
    require_both_ends(lambda: insider_epsilon(epsilon, n, colluders, tolerate=tolerate, lattice=steps))
    shape = Fraction(n - colluders, n - tolerate)
    if shape > HALF:
        larger = 60 + epsilon if far else epsilon
        require_both_ends(lambda: insider_epsilon(larger, n, colluders, tolerate=tolerate, noise="gamma"))


def gains(shape, rate, steps, allowed, last):
    """At most Σ max(0, f(k) − e^{ε'}·f(k+n)), outcome by outcome, as far as ``last``."""
    factor, left = exp_enclosure(allowed, 78).upper, Remainder(shape, rate)
    law = [left.pmf(k) for k in range(last + steps + 1)]
    total = Fraction(0)
    for k in range(-steps, last + 1):
        total += max(Fraction(0), law[abs(k)].lower - factor * law[abs(k + steps)].upper)
    return total


@settings(max_examples=10)
@example(Fraction(1), (5, 1, 0), 1, Fraction(11, 10))  # ε' > ε, and still a gain at 0: only those up to some k
@example(Fraction(2, 3), (7, 6, 0), 2, Fraction(12, 11))
@given(
    st.fractions(Fraction(1, 3), 4, max_denominator=97),
    PARTIES,
    st.integers(1, 3),
    st.fractions(Fraction(1, 97), Fraction(5, 4), max_denominator=97),
)
def test_a_delta_for_insiders_is_all_their_gains(epsilon, people, steps, share):
    """At most digits, and at few: at least the gains of all outcomes that were tried, so none of them is skipped."""
    n, colluders, tolerate = people
    shape, allowed = Fraction(n - colluders, n - tolerate), share * epsilon

    def ask():
        return insider_delta(epsilon, n, colluders, allowed, tolerate=tolerate, lattice=steps)

    least, many = gains(shape, epsilon / steps, steps, allowed, 24), ask()
    with few_digits():
        few = ask()
    assert least <= many.upper and least <= few.upper
    assert few.lower <= many.upper and many.lower <= few.upper


@settings(max_examples=30)
@given(ODD, st.integers(1, 4), st.fractions(0, Fraction(96, 97), max_denominator=97))
def test_delta_of_all_the_noise(epsilon, steps, share):
    require_both_ends(lambda: insider_delta(epsilon, 5, 1, share * epsilon, tolerate=1, lattice=steps))


@pytest.mark.parametrize("steps", [1, 3])
@pytest.mark.parametrize("epsilon", [Fraction(1, 7), Fraction(13, 11)])
def test_at_a_half_both_neighbours_are_enclosed(epsilon, steps):
    """What insiders learn falls as more noise is left: at a half it is between what it is next to it on either side."""
    near = Fraction(1, 10**30)  # farther away than what the ends are taken from
    found = insider_epsilon(epsilon, 2, 1, lattice=steps)
    above, below = (insiders._polya_loss(HALF + side, epsilon, steps) for side in (near, -near))
    assert above.lower <= found.lower <= found.upper <= below.upper
    close = Fraction(1, 10**39)
    above, below = (insiders._polya_loss(HALF + side, epsilon, steps) for side in (close, -close))
    assert above.lower <= found.upper and found.lower <= below.upper
