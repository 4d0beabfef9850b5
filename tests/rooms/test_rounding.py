"""Recurrences in fixed point: the lower ends never exceed the exact value, the upper ends never fall below it."""

import math
from fractions import Fraction
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.accounting.composition import _weights
from fdpedu.accounting.lattice import LossLattice, _walk
from fdpedu.accounting.normal import _BITS, _series
from fdpedu.exact import Rate, exp_enclosure
from fdpedu.sampling.digits import _powers
from fdpedu.sampling.polya_weights import multiplied_out


def proper_fractions():
    """Fractions strictly between 0 and 1."""
    return st.tuples(st.integers(1, 40), st.integers(1, 40)).map(lambda pair: Fraction(pair[0], sum(pair)))


@given(proper_fractions(), st.integers(1, 3), st.integers(1, 12), st.integers(1, 70))
def test_powers_are_enclosed(alpha, stride, n, bits):
    """2^scale·β^k lies between the two integers for every k, and they are not far apart."""
    low, high, scale = _powers(Rate(alpha=alpha), stride, n, bits)
    for k, (a, b) in enumerate(zip(low, high, strict=True), 1):
        assert a <= 2**scale * alpha ** (stride * k) <= b <= a + 4 * n


@given(proper_fractions(), st.lists(st.integers(0, 9), min_size=2, max_size=8))
def test_the_walk_encloses_the_sums(step, masses):
    """A_j is exact for exact masses, and B_j = Σ m_i·e^{x_j − x_i} lies between its ends."""
    walk = _walk(LossLattice(Fraction(1), step, 1, [(mass, mass) for mass in masses]))
    for j, piece in enumerate(walk):
        decays = [exp_enclosure(-step * (j - i), 150) for i in range(j + 1)]
        assert piece.a_low == piece.a_high == sum(masses[: j + 1])
        assert piece.b_low <= sum(m * decay.upper for m, decay in zip(masses, decays, strict=False))
        assert piece.b_high >= sum(m * decay.lower for m, decay in zip(masses, decays, strict=False))


@given(st.integers(2, 30), st.integers(0, 5), st.integers(1, 200))
def test_binomial_weights_are_enclosed(k, start, numerator):
    """C(k, i)/C(k, start)·r^{i−start}, which r itself is between its ends."""
    precision, first = 8, min(start, k)
    ratio = (numerator, numerator + 1)
    for i, (low, high) in enumerate(_weights(k, first, k, ratio, precision), first):
        times = Fraction(math.comb(k, i), math.comb(k, first)) * 2**precision
        assert low <= times * Fraction(ratio[0], 2**precision) ** (i - first)
        assert high >= times * Fraction(ratio[1], 2**precision) ** (i - first)


@pytest.mark.parametrize("z", [Fraction(1, 7), Fraction(1), Fraction(22, 7)])
def test_the_normal_series_is_enclosed(z):
    """z + z³/3 + z⁵/(3·5) + …, whose first two hundred terms leave out less than a unit."""
    terms = [z]
    for odd in range(3, 401, 2):
        terms.append(terms[-1] * z * z / odd)
    low, high = _series(z)
    assert low <= sum(terms) * 2**_BITS <= high


@given(st.integers(0, 40), st.integers(1, 9), st.integers(1, 6))
def test_weights_are_enclosed(k, n_noise_shares, digits):
    """c(k) = Π (1 + (i−1)m)/(im), with so few digits that every step rounds."""
    exact = math.prod(
        (Fraction(1 + (i - 1) * n_noise_shares, i * n_noise_shares) for i in range(1, k + 1)), start=Fraction(1)
    )
    assert exact in multiplied_out(k, n_noise_shares, digits)


def test_the_walk_is_read_once():
    """It asks for no more masses than it has answered for, so that a long law need not be held."""
    asked = []
    lattice = LossLattice(Fraction(1), Fraction(1, 2), 1, (asked.append(i) or (1, 1) for i in range(9)))
    assert len(list(islice(_walk(lattice), 3))) == 3 == len(asked)
