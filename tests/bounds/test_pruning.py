"""How often noise removes the better feature: the anchor, ends, and both signs."""

import math
from fractions import Fraction

from fdpedu.bounds import pruning_probability
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Enclosure, Rate
from fdpedu.federation import NodeBounds


def test_the_anchor():
    """ε = 1, leaf share 1/2, five levels, a quarter for the bounds, ten features: scale 400; 60 units: .43."""
    epsilon_bounds = Fraction(1) * Fraction(1, 2) / 5 * Fraction(1, 4)
    found = pruning_probability(60, epsilon_bounds, 10)
    assert isinstance(found, Enclosure) and f"{float(found):.3f}" == "0.430"
    alpha = math.exp(-1 / 400)
    assert math.isclose(float(found), alpha**61 / (1 + alpha), rel_tol=1e-12)
    assert float(pruning_probability(60, epsilon_bounds, 50)) > 0.48


def test_by_hand():
    """α = e^{−ε/(pm)}: from the first step above the gap; a draw does not remove."""
    alpha = math.exp(-1 / 6)
    for gap, k in ((0, 1), ("1/3", 2), ("2/5", 2), ("2/3", 3), (5, 16)):
        assert math.isclose(float(pruning_probability(gap, 1, 2, 3)), alpha**k / (1 + alpha), rel_tol=1e-12)
    for gap, k in (("-1/100", 1), ("-1/3", 1), ("-2/5", 2), (-1, 3)):
        assert math.isclose(float(pruning_probability(gap, 1, 2, 3)), 1 - alpha**k / (1 + alpha), rel_tol=1e-12)


def test_its_noise_is_that_of_the_query():
    """Ten features, steps of a quarter: what a federation adds to each bound has the rate that is meant here."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 1, bins=3) for j in range(10)], ("well", "ill"))
    rate = NodeBounds(domain.everything, "1/40", 4).rate.rate
    alpha = math.exp(-float(rate))
    found = pruning_probability(7, "1/40", domain.n_features, 4)
    assert rate == Fraction(1, 1600) and math.isclose(float(found), alpha**29 / (1 + alpha), rel_tol=1e-12)


def test_only_the_share_of_a_bound_matters():
    """ε_bounds/p, and steps: no other combination; one feature and a lattice of 1 by default."""
    rate = Rate(rate=Fraction(1, 10))
    assert pruning_probability(0, "1/2", 5) == rate.power(1) / (1 + rate.power(1))
    one = pruning_probability(7, "1/2", 5)
    assert one == pruning_probability(7, "1/10", 1, 1) and one == pruning_probability("7/4", 2, 5, 4)


def test_large_and_small_numbers():
    """Enclosures hold where floats end."""
    far = pruning_probability(2**62, 1, 1)
    assert far.lower >= 0 and float(far) < 1e-300
    assert pruning_probability(-(2**62), 1, 1).upper == 1
    assert abs(float(pruning_probability(1, "1/1000000000000", 2**62)) - 0.5) < 1e-12
    assert abs(float(pruning_probability(0, 1, 1, 2**62)) - 0.5) < 1e-12
