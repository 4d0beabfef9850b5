"""What the tests of mechanisms share."""

from fractions import Fraction

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

import fdpedu.mechanisms as m

slow = settings(max_examples=4, deadline=None)
halves = st.fractions(Fraction(1, 10), Fraction(1, 2), max_denominator=20)
MECHANISMS = (m.exponential, m.permute_and_flip, m.report_noisy_max)
LAWS = (m.exponential_pmf, m.permute_and_flip_pmf, m.report_noisy_max_pmf)
numbers = st.one_of(
    st.integers(-(2**66), 2**66),
    st.integers(-5, 5),
    st.floats(-1e9, 1e9),
    st.floats(allow_nan=False, allow_infinity=False),
    st.fractions(max_denominator=50),
    st.sampled_from([0.1, 0.3, 0.1 + 0.2, 1e16, Fraction(1, 10), Fraction(3, 10), 2**53 + 1, 2.0**53, 5e-324]),
)
lists = st.one_of(
    st.lists(numbers, min_size=1, max_size=6),
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=6),
    st.lists(st.integers(0, 3), min_size=1, max_size=6),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=6),
)


def exact_ends(low, high):
    """Pairs of floats as fractions; None for an end that is infinite."""
    return [
        (Fraction(a), Fraction(b) if b < np.inf else None) for a, b in zip(low.tolist(), high.tolist(), strict=True)
    ]
