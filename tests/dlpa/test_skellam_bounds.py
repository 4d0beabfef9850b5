"""Skellam noise: which of two bounds on its divergence is the smaller one, and how many releases and how large."""

from fractions import Fraction

import pytest

from fdpedu.dlpa import skellam_rdp


@pytest.mark.parametrize("order", [2, 16, 500])
@pytest.mark.parametrize("variance", [1, 10, 1000, 10**6])
@pytest.mark.parametrize("sensitivity", [1, 7, 61])
def test_a_divergence_is_that_of_a_gaussian_and_the_smaller_of_two_rests(order, variance, sensitivity):
    """α·Δ²/2σ² + min(((2α − 1)·Δ² + 6Δ)/4σ⁴, 3Δ/2σ²), and so often as there are releases."""
    d, x = sensitivity, Fraction(variance)
    rest = min(((2 * order - 1) * d * d + 6 * d) / (4 * x * x), 3 * d / (2 * x))
    for times in (1, 61):
        found = skellam_rdp(order, variance, sensitivity=sensitivity, times=times)
        assert found.lower == found.upper == times * (order * d * d / (2 * x) + rest)
