"""Clipped counts: by how much their mean rises, and by how far no count is taken away."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from fdpedu.claims.histograms import impurity as topic
from fdpedu.histograms import clip, clipping_bias


@pytest.mark.claim("lem-clipping")
def test_clipping_takes_no_count_farther_away():
    for count, noisy in product((0, 5), (-7, -1, 0, 3, 9)):
        topic.clipping_is_no_farther(count, noisy)
    assert clip(np.array([[-2, 0], [3, -1]])).tolist() == [[0, 0], [3, 0]]


def test_the_bias_in_numbers():
    """By hand; enclosed with ε; and close to (b/2)·e^(−c/b) where b is large."""
    assert clipping_bias(0, alpha="1/2") == Fraction(2, 3) and clipping_bias(3, alpha="1/2") == Fraction(1, 12)
    enclosed = clipping_bias(0, "1/10")
    assert abs(float(enclosed) - 1 / (2 * math.sinh(0.1))) < 1e-12 and enclosed.upper - enclosed.lower < 1e-30
    b, c = 1000, 700
    assert float(clipping_bias(c, f"1/{b}")) == pytest.approx(b / 2 * math.exp(-c / b), rel=1e-5)
    assert float(clipping_bias(2**53, alpha=None, epsilon=1)) < 1e-30
