"""What the tests of mechanisms share."""

from fractions import Fraction

from hypothesis import settings
from hypothesis import strategies as st

from fdpedu.claims.replay import enumerate_law
from fdpedu.exact import Enclosure

slow = settings(max_examples=4, deadline=None)
halves = st.fractions(Fraction(1, 10), Fraction(1, 2), max_denominator=20)


def ends(p):
    return (p.lower, p.upper) if isinstance(p, Enclosure) else (p, p)


def has_law(draw, pmf, words=3, most=Fraction(1, 10)):
    """Over all tapes of 4-bit words the sampler gives each output a mass that agrees with the stated one."""
    decided, undecided = enumerate_law(draw, 4, words)
    assert undecided < most
    for output, mass in decided.items():
        low, high = ends(pmf(output))
        assert mass <= high and low <= mass + undecided, output
