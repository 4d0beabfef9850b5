"""Pólya shares: exact laws of one share and of the sum, and what an insider gains."""

from collections import defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import enumerate_law

from fdpedu.dlpa import insider_epsilon, negative_binomial, noise_carriers, polya_share, polya_shares
from fdpedu.exact import Rate
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.randomness import ReplayedWords, ZeroWords


def coefficient(k, shape):
    """Γ(k+shape)/(k!·Γ(shape)), a product of fractions."""
    value = Fraction(1)
    for i in range(1, k + 1):
        value *= (i - 1 + shape) / i
    return value


@pytest.mark.parametrize("m", [1, 2, 3, 5])
def test_coloured_cycles_are_the_polya_urn(m):
    """Given g, the coloured cycles of a random permutation of g things number k with the Beta-binomial law of
    shapes 1/m, 1−1/m.

    The shipped loop as an exact recursion: the first cycle is uniform on 1..g and ours with probability 1/m.
    """
    most = 12
    law = [[Fraction(1)]]
    for g in range(1, most):
        row = [Fraction(0)] * (g + 1)
        for cycle in range(1, g + 1):
            for k, mass in enumerate(law[g - cycle]):
                row[k + cycle] += mass * Fraction(1, g) * Fraction(1, m)
                row[k] += mass * Fraction(1, g) * (1 - Fraction(1, m))
        law.append(row)
    shape = Fraction(1, m)
    for g, row in enumerate(law):
        assert row == [coefficient(k, shape) * coefficient(g - k, 1 - shape) for k in range(g + 1)]


@pytest.mark.parametrize("m", [2, 3, 4])
def test_m_negative_binomials_make_a_geometric(m):
    """The m-fold convolution of the NB(1/m) coefficients is 1 for every k: the sum of m shares is geometric, for every
    α.
    """
    most, shape = 15, Fraction(1, m)
    total = [Fraction(1)] + [Fraction(0)] * most
    for _ in range(m):
        total = [sum(total[i] * coefficient(k - i, shape) for i in range(k + 1)) for k in range(most + 1)]
    assert total == [1] * (most + 1)


@settings(max_examples=4, deadline=None)
@given(st.fractions(Fraction(1, 10), Fraction(1, 3), max_denominator=10), st.integers(2, 4))
def test_one_share_from_replayed_bits(alpha, m):
    """All tapes through the shipped sampler: the ratio Pr[k]/Pr[0] is the NB coefficient times α^k, within what is
    undecided.
    """
    decided, undecided = enumerate_law(lambda tape: int(negative_binomial(Rate.of(alpha=alpha), m, 1, tape)[0]), 4, 4)
    assert undecided < Fraction(1, 10)
    zero = decided[0]
    for k, mass in decided.items():
        weight = coefficient(k, Fraction(1, m)) * alpha**k
        assert zero * weight <= mass + undecided and mass <= (zero + undecided) * weight


@pytest.mark.parametrize(("n", "tolerate"), [(2, 0), (3, 1), (4, 1), (5, 3)])
def test_the_sum_of_shares_from_replayed_bits(n, tolerate):
    """The enumerated law of one share, convolved over the n − tolerate carriers (they draw separately), is discrete
    Laplace.
    """
    alpha, carriers = Fraction(1, 8), noise_carriers(n, tolerate)
    one, undecided = enumerate_law(
        lambda tape: int(negative_binomial(Rate.of(alpha=alpha), carriers, 1, tape)[0]), 4, 5
    )
    total = {0: Fraction(1)}
    for sign in (1, -1) * carriers:
        following = defaultdict(Fraction)
        for (k, mass), (step, weight) in product(total.items(), one.items()):
            following[k + sign * step] += mass * weight
        total = following
    rest = 1 - (1 - undecided) ** (2 * carriers)
    assert rest < Fraction(1, 15) and sum(total.values()) == 1 - rest
    for k, mass in total.items():
        assert mass <= discrete_laplace_pmf(k, alpha=alpha) <= mass + rest


def test_every_party_draws_a_share_of_its_own():
    """``polya_shares`` is one ``polya_share`` a party, each from its own stretch of words."""
    rate, words = (
        Rate.of(epsilon="1/2"),
        [int(w) for w in np.random.default_rng(5).integers(0, 2**64, 400, dtype=np.uint64)],
    )
    tape = ReplayedWords(words)
    expected = [polya_share(rate, 3, 6, tape).tolist() for _ in range(4)]
    assert polya_shares(4, "1/2", 6, ReplayedWords(words), tolerate=1).tolist() == expected
    assert len({tuple(row) for row in expected}) == 4


def difference_pmf(shape, alpha, terms=400):
    """Pr[0..3] of NB(shape, α) − NB(shape, α), up to the constant factor, by a long exact sum."""
    w = [1.0]
    for k in range(terms):
        w.append(w[-1] * float(alpha) * (float(shape) + k) / (k + 1))
    return [sum(w[i] * w[i + d] for i in range(terms - d)) for d in range(4)]


@pytest.mark.parametrize(
    ("epsilon", "n", "c", "anchor"),
    [(1, 5, 1, 1.212), ("1/10", 5, 1, 0.212), (1, 2, 1, 1.675), (2, 3, 1, None), ("1/2", 4, 3, None)],
)
def test_an_insiders_epsilon(epsilon, n, c, anchor):
    """Against the closed form with ₂F₁, the known values, and the largest loss over several distances."""
    import math

    from scipy.special import hyp2f1

    enclosure = insider_epsilon(epsilon, n, c)
    alpha, tau = math.exp(-Fraction(epsilon)), (n - c) / n
    closed = math.log(hyp2f1(tau, tau, 1, alpha**2) / (alpha * tau * hyp2f1(tau, tau + 1, 2, alpha**2)))
    assert float(enclosure) == pytest.approx(closed, rel=1e-12) and enclosure.upper - enclosure.lower < Fraction(
        1, 10**25
    )
    if anchor is not None:
        assert round(float(enclosure), 3) == anchor
    pmf = difference_pmf(tau, alpha)
    losses = [math.log(pmf[d] / pmf[d + 1]) for d in range(3)]
    assert max(losses) == losses[0] == pytest.approx(closed, rel=1e-9)


@given(st.fractions(Fraction(1, 50), 5, max_denominator=50), st.integers(2, 8), st.data())
def test_tolerated_colluders_gain_nothing(epsilon, n, data):
    """With shares for K − c carriers, c colluders face exactly ε; one more gains."""
    c = data.draw(st.integers(0, n - 2))
    assert insider_epsilon(epsilon, n, c, tolerate=c).upper == epsilon
    assert insider_epsilon(epsilon, n, c + 1, tolerate=c).lower > epsilon


def test_zero_words_are_zero_shares():
    assert not polya_shares(4, "1/3", 5, ZeroWords()).any()


@pytest.mark.parametrize(
    "call",
    [
        lambda: polya_shares(0, 1),
        lambda: polya_shares(3, 1, tolerate=3),
        lambda: polya_shares(3, 1, tolerate=-1),
        lambda: polya_shares(3),
        lambda: polya_shares(3, -1),
        lambda: insider_epsilon(1, 3, 3),
        lambda: insider_epsilon(1, 3, 1, sensitivity=2),
        lambda: insider_epsilon("1/1000000", 3, 1),
        lambda: noise_carriers(2, 2),
    ],
)
def test_bad_parameters_are_refused(call):
    with pytest.raises(ValueError):
        call()
