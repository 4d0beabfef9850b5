"""What the pages of chapter 6 prove by a formula, against sums and integrals that are made here."""

import math
from fractions import Fraction
from itertools import product

import pytest
from scipy.integrate import quad

from fdpedu.dlpa import insider_epsilon, rounded_sum_loss


def weight(k, shape):
    """w_k = Γ(k+shape)/(k!·Γ(shape))."""
    return math.prod(((i + shape) / (i + 1) for i in range(k)), start=Fraction(1))


@pytest.mark.claim("thm-polya-shares")
@pytest.mark.parametrize(("m", "most"), [(1, 4), (2, 6), (3, 5), (4, 4)])
def test_the_urn_s_parts_are_a_product_of_weights(m, most):
    """Drawn ball by ball: given g the law of the parts is the product of their weights, so no constant is left."""
    law = {(0,) * m: Fraction(1)}
    for g in range(most):
        following = dict.fromkeys((p for p in product(range(g + 2), repeat=m) if sum(p) == g + 1), Fraction(0))
        for parts, owner in product(law, range(m)):
            gained = tuple(k + (i == owner) for i, k in enumerate(parts))
            following[gained] += law[parts] * (parts[owner] + Fraction(1, m)) / (g + 1)
        law = following
        assert law == {parts: math.prod(weight(k, Fraction(1, m)) for k in parts) for parts in law}


@pytest.mark.claim("thm-insider-polya")
def test_half_of_the_noise_loses_two_over_the_logarithm():
    """At τ = ½ the loss is near 2/ln(1/ε), and comes nearer as ε falls."""
    off = [abs(float(insider_epsilon(Fraction(1, 10**i), 2, 1)) * i * math.log(10) / 2 - 1) for i in (10, 40, 160)]
    assert off == sorted(off, reverse=True) and off[-1] < 0.01


@pytest.mark.claim("rounding-after-the-noise")
@pytest.mark.parametrize(
    ("total", "one", "other"),
    [(-1, ("0", "0"), ("1", "0")), (-1, ("0", "0.4"), ("1", "0.4")), (0, ("0.42", "0.42"), ("1.42", "0.42"))],
)
def test_the_page_s_integral_gives_the_loss_of_rounding(total, one, other):
    """T(x) by quadrature, summed over what the first party may send: the library's enclosure, to nine digits."""

    def above(x):
        tail = quad(lambda t: math.exp(-abs(x) * math.cosh(t)) / math.cosh(t), 0, 30, epsabs=1e-14)[0] / math.pi
        return tail if x >= 0 else 1 - tail

    def sends(j, value):
        return above(j - 0.5 - float(value)) - above(j + 0.5 - float(value))

    def mass(values):
        return sum(sends(j, values[0]) * sends(total - j, values[1]) for j in range(-25, 26))

    assert (
        abs(math.log(mass(one) / mass(other)) - float(rounded_sum_loss(total, list(one), list(other), epsilon=1)))
        < 1e-9
    )
