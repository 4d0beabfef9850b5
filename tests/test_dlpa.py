"""Pólya shares: exact laws of one share and of the sum, and what an insider gains."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.checks import dlpa as law
from fdpedu.dlpa import insider_epsilon, noise_carriers, polya_shares
from fdpedu.randomness import ZeroWords


@pytest.mark.claim("lem-cycles")
@pytest.mark.parametrize("m", [1, 2, 3, 5])
def test_coloured_cycles_are_the_polya_urn(m):
    """Given g, the coloured cycles number k with the Beta-binomial law of shapes 1/m, 1−1/m."""
    law.cycles_are_an_urn(m, 12)


@pytest.mark.claim("thm-polya-shares")
@pytest.mark.parametrize("m", [2, 3, 4])
def test_m_negative_binomials_make_a_geometric(m):
    """The m-fold convolution of the NB(1/m) coefficients is 1 for every k: m shares are geometric, for every α."""
    law.shares_make_a_geometric(m, 15)


@pytest.mark.claim("lem-cycles")
@settings(max_examples=4, deadline=None)
@given(st.fractions(Fraction(1, 10), Fraction(1, 3), max_denominator=10), st.integers(2, 4))
def test_one_share_from_replayed_bits(alpha, m):
    """All tapes through the shipped sampler: Pr[k]/Pr[0] is the NB coefficient times α^k, within what is undecided."""
    law.replayed_share(alpha, m, 4)


@pytest.mark.claim("thm-tolerate")
@pytest.mark.parametrize(("n", "tolerate"), [(2, 0), (3, 1), (4, 1), (5, 3)])
def test_the_sum_of_shares_from_replayed_bits(n, tolerate):
    """The enumerated law of one share, convolved over the n − tolerate carriers, is discrete Laplace."""
    law.replayed_sum(n, tolerate, 5)


@pytest.mark.claim("thm-polya-shares")
def test_every_party_draws_a_share_of_its_own():
    """``polya_shares`` is one ``polya_share`` a party, each from its own stretch of words."""
    law.own_shares(4, 1, 6, seed=5)


def difference_pmf(shape, alpha, terms=400):
    """Pr[0..3] of NB(shape, α) − NB(shape, α), up to the constant factor, by a long exact sum."""
    w = [1.0]
    for k in range(terms):
        w.append(w[-1] * float(alpha) * (float(shape) + k) / (k + 1))
    return [sum(w[i] * w[i + d] for i in range(terms - d)) for d in range(4)]


@pytest.mark.claim("thm-insider-polya")
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


@pytest.mark.claim("thm-tolerate")
@given(st.fractions(Fraction(1, 50), 5, max_denominator=50), st.integers(2, 8), st.data())
def test_tolerated_colluders_gain_nothing(epsilon, n, data):
    """With shares for K − c carriers, c colluders face exactly ε; one more gains."""
    law.tolerated(epsilon, n, data.draw(st.integers(0, n - 2)))


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
