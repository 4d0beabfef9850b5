"""Our enclosures against dp-accounting and OpenDP, on a grid of points: closed forms to 10⁻⁹, numerical ones overlap.

dp-accounting's tables drop masses below 10⁻¹⁵, so its composed pure releases are compared at δ ≥ 10⁻⁶, and its
intervals are widened by 10⁻⁶ of their size.
"""

import itertools
from fractions import Fraction

import pytest

from fdpedu.accounting import (
    LossDistribution,
    compose_optimal,
    gaussian_to_zcdp,
    optimal_delta,
    pure_to_zcdp,
    rdp_laplace,
    rdp_to_epsilon,
    zcdp_to_epsilon,
)
from fdpedu.accounting.normal import gaussian_delta
from fdpedu.derivation_checker import is_converted
from fdpedu.exact import Enclosure
from tests.support.peers import ask_peers

DELTAS = (1e-3, 1e-6, 1e-9)


def closed_forms():
    """(question to the peers, our answer): points at which both compute a formula."""
    for epsilon, k, delta in itertools.product((0.01, 0.1, 0.25, 1.0), (1, 2, 16, 70, 300), (1e-2, 1e-3, 1e-6)):
        yield ("optimal", epsilon, k, delta), compose_optimal(epsilon, k, delta)
    for epsilon, k in itertools.product((0.1, 0.25, 1.0), (2, 16, 70)):
        for part in (0.1, 0.33):
            target = round(epsilon * k * part, 6)
            yield ("optimal_delta", epsilon, k, target), optimal_delta(epsilon, k, target)
    for order, epsilon in itertools.product((1.5, 2, 4, 16, 64), (0.1, 0.5, 1.0, 3.0)):
        yield ("rdp_laplace", order, epsilon), rdp_laplace(order, epsilon)
    for order, value, delta in itertools.product((1.5, 4, 32), (0.1, 1.0, 5.0), DELTAS):
        yield ("rdp_to_epsilon", order, value, delta), rdp_to_epsilon({order: value}, delta)
    for scale, delta in itertools.product((0.5, 1.0, 2.0, 5.0, 20.0, 100.0), DELTAS):
        yield ("zcdp_to_epsilon", scale, delta), zcdp_to_epsilon(gaussian_to_zcdp(scale), delta)
    for value in (0.01, 0.1, 0.5, 1.0, 3.0):
        yield ("pure_to_zcdp", value), Enclosure.exactly(pure_to_zcdp(value))
        yield ("gaussian_to_zcdp", value), Enclosure.exactly(gaussian_to_zcdp(value))


def numerical():
    """Points at which both enclose the truth."""
    step = 0.005
    for epsilon, k in itertools.product((0.1, 0.37, 1.0), (1, 5, 70)):
        ours = LossDistribution.laplace(epsilon, step=step).compose(k)
        for delta in DELTAS:
            yield ("laplace", epsilon, k, delta, step), ours.epsilon(delta)
    for epsilon, sensitivity, k in itertools.product((0.3, 1.1), (1, 3), (1, 12)):
        ours = LossDistribution.discrete_laplace(epsilon, sensitivity, step=step).compose(k)
        for delta in DELTAS:
            yield ("discrete_laplace", epsilon, sensitivity, k, delta, step), ours.epsilon(delta)
    for sigma, k in itertools.product((1, 4), (1, 9)):
        ours = LossDistribution.gaussian(sigma, step="1/64").compose(k)
        for delta in DELTAS:
            yield ("gaussian", sigma, k, delta, 1 / 64), ours.epsilon(delta)


def with_answers(points):
    """The question, our answer and the peers', of each point."""
    questions, ours = zip(*points, strict=True)
    return zip(questions, ours, ask_peers("accounting", questions), strict=True)


def test_closed_forms_agree():
    for question, ours, theirs in with_answers(closed_forms()):
        assert float(ours) == pytest.approx(theirs, rel=1e-9, abs=1e-12), question


def test_enclosures_overlap():
    for question, ours, (low, high) in with_answers(numerical()):
        slack = Fraction(1, 10**6) * (1 + abs(Fraction(high)))
        assert ours.lower <= Fraction(high) + slack and Fraction(low) - slack <= ours.upper, question


@pytest.mark.claim("thm-gaussian-root")
def test_the_checker_takes_no_less_than_the_delta_of_one_normal_number():
    """Against 45 digits: what is a little more is taken, what is a little less is not; and so for two ξ."""
    points = list(itertools.product(("0.1", "0.5", "1", "2.5", "8", "20"), ("0.0004", "0.0077", "0.028", "0.1", "0.7")))
    truths = [Fraction(text) for text in ask_peers("accounting", [("gaussian_delta", *point) for point in points])]
    for (epsilon, rho), truth in zip(points, truths, strict=True):
        e, r = Fraction(epsilon), Fraction(rho)
        if truth < Fraction(1, 10**15) or 8 * (e - r) ** 2 < r or e < r:
            continue  # digits are lost there, or the checker refuses
        for xi, little in itertools.product((Fraction(0), Fraction(1, 1000)), (Fraction(1, 10**20),)):
            delta = truth / (1 - xi)
            assert is_converted(e + 2 * xi, delta * (1 + little), r, xi), (epsilon, rho)
            assert not is_converted(e + 2 * xi, delta * (1 - little), r, xi), (epsilon, rho)
        assert gaussian_delta(e, r).lower <= truth * (1 + Fraction(1, 10**12)) and gaussian_delta(
            e, r
        ).upper >= truth * (1 - Fraction(1, 10**12))
