"""How long a row's pair is, and what one sample costs for many queries; in fractions and by a fine sum."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.sources.maddock import hessian_is_free, largest_integer_pair, largest_pair, pair_norm_squared, poisson_rdp2
from fdpedu.sources.maddock.paying import KAPPA

KAPPAS = st.fractions(0, 5, max_denominator=10**6) | st.fractions("3.3301", "3.3303", max_denominator=10**12)
FIBONACCI = [1, 1]
while len(FIBONACCI) < 120:
    FIBONACCI.append(FIBONACCI[-1] + FIBONACCI[-2])
GOLDEN = Fraction(FIBONACCI[-2], FIBONACCI[-1])  # 1/φ to 48 digits


@given(KAPPAS, st.fractions(0, 1))
def test_the_hessian_is_free_up_to_where_the_curve_touches(kappa, p):
    """Free: no pair is longer than 1. Not free: the one at 1/φ is."""
    if hessian_is_free(kappa):
        assert pair_norm_squared(p, kappa) <= 1
        assert largest_pair(kappa).lower == largest_pair(kappa).upper == 1
    else:
        assert pair_norm_squared(GOLDEN, kappa) > 1
        found = largest_pair(kappa)
        assert pair_norm_squared(p, kappa) <= found.upper
        nearest = (3 - math.sqrt(1 - 8 / float(kappa) ** 2)) / 4
        assert float(found.lower) == pytest.approx(float(pair_norm_squared(Fraction(nearest), kappa)))
        assert found.upper - found.lower < Fraction(1, 10**50)


def test_in_whole_steps_the_hessian_is_free_too():
    """Exhaustively for m ≤ 64; with κ = 17/5 some pair is longer."""
    for m in range(1, 65):
        for kappa in (1, KAPPA, Fraction(333, 100)):
            assert largest_integer_pair(m, kappa) == m * m
    assert max(largest_integer_pair(m, "17/5") - m * m for m in range(1, 65)) > 0
    assert hessian_is_free(KAPPA) and not hessian_is_free("10/3")


# --- One sample ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("q", "sigma", "k"), [(0.1, 5, 90), (0.5, 2, 3), (1, 3, 4), (0.01, 1, 1)])
def test_one_sample_for_many_queries(q, sigma, k):
    """ln ∫ P²/Q over the sum of the k answers, which says all; in floats by a fine sum."""
    shift, x = math.sqrt(k) / sigma, np.linspace(-40, 60, 400_001)
    # k answers of noise σ are one with the shift √k/σ and noise 1; ratio P/Q = 1 − q + q·e^{x·s − s²/2}
    density = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    expected = math.log(np.sum(density * (1 - q + q * np.exp(x * shift - shift**2 / 2)) ** 2) * 100 / 400_000)
    assert float(poisson_rdp2(q, sigma, k, once=True)) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    alone = poisson_rdp2(q, sigma, 1, once=True)
    booked = poisson_rdp2(q, sigma, k, once=False)
    assert booked.lower == k * alone.lower and booked.upper == k * alone.upper
    assert booked.lower <= poisson_rdp2(q, sigma, k, once=True).upper


def test_the_numbers_of_the_erratum():
    """Booked .037, true .305."""
    numbers = [round(float(poisson_rdp2("1/10", 5, 90, once=once)), 3) for once in (False, True)]
    assert numbers == [0.037, 0.305]
    assert 999.9 < float(poisson_rdp2(1, 1, 1000, once=True)) < 1000.1
