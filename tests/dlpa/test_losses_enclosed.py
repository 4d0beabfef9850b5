"""Enclosures of δ and of losses against sums of their own, as wide as they may be; and what guarantees say."""

from fractions import Fraction

import pytest

from fdpedu.accounting import Ledger
from fdpedu.claims.federations import AGE
from fdpedu.dlpa import insider_delta, skellam_delta, skellam_loss, skellam_shares, tree_guarantee
from fdpedu.dlpa.guarantee import promised
from fdpedu.exact import Rate, exp_enclosure
from fdpedu.federation import ClassCounts, Federation, Party
from fdpedu.randomness import ZeroWords


def delta_of_discrete_laplace(epsilon, steps, allowed):
    """Σ_k max(0, f(k) − e^{ε'}·f(k+n)) term by term, from enclosures of α and of e^{ε'}: a lower and an upper sum."""
    alpha = Rate.of(epsilon=Fraction(epsilon) / steps).power(1, 60)
    factor = exp_enclosure(Fraction(allowed), 60)
    sums = []
    for a, f in ((alpha.lower, factor.upper), (alpha.upper, factor.lower)):
        a, f, total = Fraction(a).limit_denominator(10**40), Fraction(f).limit_denominator(10**40), Fraction(0)
        for k in range(-60 * steps, 60 * steps):
            total += max(Fraction(0), a ** abs(k) - f * a ** abs(k + steps)) * (1 - a) / (1 + a)
        sums.append(float(total))
    return min(sums), max(sums)


@pytest.mark.claim("thm-insider-delta")
@pytest.mark.parametrize(("steps", "allowed"), [(1, "1/4"), (2, "1/3"), (3, 0), (5, "9/10"), (4, "1/2")])
def test_the_delta_of_the_full_noise(steps, allowed):
    """Nobody colludes, so the noise is discrete Laplace, at ε = 1 over so many steps of a lattice."""
    found = insider_delta(1, 3, 0, allowed, lattice=steps)
    low, high = delta_of_discrete_laplace(1, steps, allowed)
    assert float(found.lower) == pytest.approx(low, abs=1e-12) and float(found.upper) == pytest.approx(high, abs=1e-12)
    assert found.upper - found.lower < Fraction(1, 10**60)


def test_borders_of_the_delta():
    assert insider_delta(1, 3, 0, "1/2", lattice=1000).upper > 0
    with pytest.raises(ValueError, match="at most 1000 for δ, got 1001"):
        insider_delta(1, 3, 0, "1/2", lattice=1001)


@pytest.mark.claim("thm-skellam")
@pytest.mark.parametrize(("variance", "sensitivity"), [(5, 1), (20, 1), (20, 2)])
def test_the_table_of_losses_gives_the_delta(variance, sensitivity):
    """Both ends, on a fine grid: what the law gives term by term lies between them, and they are near."""
    losses = skellam_loss(variance, sensitivity=sensitivity, step="1/1000")
    for epsilon in ("1/4", "1/2", 1):
        truth, found = skellam_delta(epsilon, variance, sensitivity=sensitivity), losses.delta(Fraction(epsilon))
        assert found.lower <= truth.upper and truth.lower <= found.upper
        assert found.upper - found.lower < truth.upper / 20 + Fraction(1, 10**12)


def test_what_skellam_shares_are_refused_for():
    assert skellam_shares(2, 5, 0, ZeroWords()).shape == (2, 0)
    with pytest.raises(ValueError, match=f"for one share, got {2**26}"):
        skellam_shares(1, 2**26, 1, ZeroWords())


@pytest.mark.parametrize(("tolerate", "who"), [(0, "one curious"), (1, "one curious"), (2, "up to 2"), (3, "up to 3")])
def test_whom_a_derivation_speaks_of(tolerate, who):
    f = Federation([Party([], AGE) for _ in range(4)], AGE, Ledger(1), tolerate=tolerate)
    f.release([ClassCounts(AGE.everything, 1)])
    text = promised(f.ledger.derivation().guarantee)
    assert who in text and ("ε > 1" in text) == (tolerate == 0)


def test_what_a_guarantee_shows():
    one, two = (tree_guarantee(1, n_features=3, max_depth=d, n_parties=3, colluders=1, tolerate=0) for d in (1, 2))
    assert "1 level of 3 × " in one.path and "2 levels of 3 × " in two.path
    assert "</tr><tr>" in two._repr_html_() and two._repr_html_().count("<tr>") == 2
    assert all(two.levels[two.worst].upper >= loss.upper for loss in two.levels.values())
    with pytest.raises(ValueError, match=r"^delta must"):
        tree_guarantee(1, n_features=3, max_depth=1, n_parties=3, colluders=1, delta="no", unspent_to_leaf=False)
