"""What the tests of mechanisms share."""

from fractions import Fraction

from hypothesis import settings
from hypothesis import strategies as st

slow = settings(max_examples=4, deadline=None)
halves = st.fractions(Fraction(1, 10), Fraction(1, 2), max_denominator=20)
