"""What k releases cost together: its upper end suffices by the definition, summed to three times as many digits.

The masses of the losses are known here, or those of tosses of coins. So no width of the masses hides the last digit of
a decay, of a logarithm or of a walk, each of which is taken at few digits in turn.
"""

from contextlib import contextmanager
from decimal import Context, Decimal
from fractions import Fraction
from math import comb
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import compose_optimal, lattice, optimal_delta
from fdpedu.accounting.composition import _losses
from fdpedu.accounting.lattice import LossLattice, delta_at, epsilon_at

MANY = Context(prec=280, Emin=-10000, Emax=10000)
NOTHING = Fraction(1, 10**260)  # what the sums below are good to
ODD = st.fractions(Fraction(1, 97), Fraction(61, 17), max_denominator=97)  # hardly ever a short decimal
DELTAS = st.one_of(ODD.map(lambda x: x / 10**9), st.fractions(Fraction(1, 97), Fraction(96, 97), max_denominator=997))
MASSES = st.lists(st.integers(0, 997), min_size=1, max_size=6).filter(any)
DIGITS = st.sampled_from([{}, {"digits": 8}, {"bits": 10}, {"digits": 9, "bits": 12}])


@contextmanager
def at(digits=90, bits=384):
    """Few digits of the exponential or logarithm that ends a walk, or few bits of the decay in each of its steps."""
    functions = (mock.patch.object(f, "__defaults__", (digits,)) for f in (lattice.logarithm, lattice.decay))
    with mock.patch.object(lattice, "_BITS", bits), next(functions), next(functions):
        yield


def exp(x):
    return Fraction(MANY.exp(MANY.divide(Decimal(x.numerator), Decimal(x.denominator))))


def by_definition(losses, infinite, epsilon):
    """m_∞ + Σ m·(1 − e^{ε−L}) over the losses L > ε."""
    return infinite + sum(mass * (1 - exp(epsilon - loss)) for loss, mass in losses if loss > epsilon)


def of_masses(masses, infinite, top, step):
    scale = sum(masses) + infinite
    losses = [(top - i * step, Fraction(mass, scale)) for i, mass in enumerate(masses)]
    found = LossLattice(top, step, scale, [(mass, mass) for mass in masses], (infinite, infinite))
    return found, (losses, Fraction(infinite, scale))


@given(MASSES, st.integers(0, 3), ODD, ODD, st.integers(0, 5), ODD, DIGITS)
def test_a_delta_of_known_masses(masses, infinite, step, start, above, epsilon, digits):
    known, losses = of_masses(masses, infinite, start + above * step, step)
    with at(**digits):
        found = delta_at(known, epsilon)
    assert found.lower - NOTHING <= by_definition(*losses, epsilon) <= found.upper + NOTHING


@given(MASSES, st.integers(0, 3), ODD, ODD, st.integers(0, 5), DELTAS, DIGITS)
def test_an_epsilon_of_known_masses(masses, infinite, step, start, above, delta, digits):
    """At the upper end δ suffices; and at the lower end, above 0, it is needed."""
    known, losses = of_masses(masses, infinite, start + above * step, step)
    with at(**digits):
        found = epsilon_at(known, delta)
    if found is None:
        assert losses[1] > delta
        return
    assert by_definition(*losses, found.upper) <= delta + NOTHING
    assert found.lower == 0 or by_definition(*losses, found.lower) >= delta - NOTHING


def of_tosses(epsilon, k):
    """The privacy loss of k tosses of the coin (e^ε, 1)/(1 + e^ε): loss and mass of each number of wrong tosses."""
    r = MANY.exp(MANY.divide(Decimal(-epsilon.numerator), Decimal(epsilon.denominator)))
    weights = [MANY.multiply(Decimal(comb(k, i)), MANY.power(r, i)) for i in range(k + 1)]
    whole = MANY.power(MANY.add(Decimal(1), r), k)
    return [((k - 2 * i) * epsilon, Fraction(MANY.divide(w, whole))) for i, w in enumerate(weights)], Fraction(0)


@settings(max_examples=30)
@given(ODD, st.integers(1, 12), DELTAS)
def test_what_tosses_cost_together(epsilon, k, delta):
    found, tosses = compose_optimal(epsilon, k, delta), of_tosses(epsilon, k)
    assert by_definition(*tosses, found.upper) <= delta + NOTHING
    assert found.lower == 0 or by_definition(*tosses, found.lower) >= delta - NOTHING


@settings(max_examples=30)
@given(ODD, st.integers(1, 12), st.fractions(0, Fraction(96, 97), max_denominator=97))
def test_the_delta_of_tosses(epsilon, k, share):
    allowed = share * k * epsilon
    found = optimal_delta(epsilon, k, allowed)
    assert found.lower - NOTHING <= by_definition(*of_tosses(epsilon, k), allowed) <= found.upper + NOTHING


@settings(max_examples=30)
@given(st.fractions(Fraction(1, 97), Fraction(3, 7)), st.integers(2, 40), st.integers(1, 12), DELTAS)
def test_tosses_in_a_narrow_window(epsilon, k, bits, delta):
    """What lies outside of a window of few bits is bounded: the ends are far apart, and on their sides."""
    tosses, allowed = of_tosses(epsilon, k), k * epsilon / 3
    found = delta_at(_losses(epsilon, k, bits), allowed)
    assert found.lower - NOTHING <= by_definition(*tosses, allowed) <= found.upper + NOTHING
    found = epsilon_at(_losses(epsilon, k, bits), delta)
    assert found is None or by_definition(*tosses, found.upper) <= delta + NOTHING
