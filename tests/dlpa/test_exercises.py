"""The mathematics that the exercises of chapter 6 rely on."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from fdpedu.cart import exact_scaled_half_gini
from fdpedu.dlpa import insider_epsilon, on_lattice, polya_shares, tree_guarantee
from fdpedu.exact import Rate
from fdpedu.exercises.catalogue import find
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.randomness import Rehearsal
from tests.support.exercises import cases_of, check


def test_parameters_make_the_noise():
    """The shape is such that K − c of them are 1, and the scale that of Laplace noise."""
    for (n, c, e, delta), (shape, scale) in cases_of("dlpa-scale"):
        assert (n - c) * shape == 1 and scale * e == delta


def test_the_shape_that_is_left_says_what_an_insider_gains():
    """The library's loss is ε itself exactly where the shape is at least 1."""
    for (n, tolerate, colluders, missing), shape in cases_of("dlpa-left"):
        if n <= 4:
            found = insider_epsilon(1, n, colluders + missing, tolerate=tolerate)
            assert (found.upper == 1) == (shape >= 1)


def test_the_price_is_the_largest():
    """The variance of shares, measured on 100,000 sums (seeded), is K/(K − c) times that without tolerance."""
    exercise = find("dlpa-price")
    ((n, most),) = exercise.cases()
    assert exercise.reference == max(c for c in range(n) if Fraction(n, n - c) <= most)
    sums = (polya_shares(n, 1, 100_000, Rehearsal(3), tolerate=c).sum(axis=0) for c in (exercise.reference, 0))
    one, other = (float((s.astype(float) ** 2).mean()) for s in sums)
    assert abs(one / other - 1.5) < 0.05


def test_impurities_on_the_lattice_are_the_library_s():
    for (a, b, lattice), z in cases_of("dlpa-lattice"):
        assert on_lattice([exact_scaled_half_gini([a, b])], lattice).tolist() == [z]


@pytest.mark.parametrize(("n", "colluders"), [(2, 1), (5, 2), (3, 0)])
def test_the_insider_can_be_so_sure(n, colluders):
    """By the remaining noise's law, summed numerically: the posterior at the best sum is the answer; at no sum more."""
    from scipy.stats import nbinom

    tau, epsilon, prior = (n - colluders) / n, 1, 0.1
    one = nbinom(tau, 1 - np.exp(-epsilon)).pmf(np.arange(60))
    law = np.convolve(one, one[::-1])[30:-30]
    there, absent = law[:-1], law[1:]  # the sums around the count with and without the record
    posterior = prior * there / (prior * there + (1 - prior) * absent)
    expected = find("dlpa-insider").reference(Fraction(1), n, colluders, Fraction(1, 10))
    assert abs(posterior.max() - expected) < 1e-9


def test_many_releases_cost_more_than_one():
    """As the text says: ten features, five parties, one curious; and no colluder makes it ε."""
    reference = find("dlpa-releases").reference
    assert round(reference(10, 1, 5, 1), 2) == 2.12 and round(reference(1, 1, 5, 1), 2) == 1.21
    assert abs(reference(10, 1, 5, 0) - 1) < 1e-12


def test_the_paths_costs_are_the_library_s_levels():
    """Ten features, depth 5, five parties: at most 3.068; for all small trees the levels of the guarantee, in order."""
    reference = find("dlpa-tree").reference
    assert round(max(reference(10, 5, Fraction(1), 5, 1)), 3) == 3.068
    for (p, d, e, n, c), costs in cases_of("dlpa-tree")[::3]:
        found = tree_guarantee(e, n_features=p, max_depth=d, n_parties=n, colluders=c, tolerate=0)
        assert list(found.levels) == list(range(1, d + 1)) and found.outsider.upper == e
        assert np.allclose(costs, [float(loss) for loss in found.levels.values()], atol=1e-9, rtol=0)
        assert abs(float(found.insider) - max(costs)) < 1e-9


@pytest.mark.parametrize(
    ("exercise", "name", "answer"),
    [
        ("dlpa-tree", "takes the longest path for every leaf", lambda p, d, e, n, c: [_longest(p, d, e, n, c)] * d),
        ("dlpa-tree", None, lambda p, d, e, n, c: _longest(p, d, e, n, c)),
        ("dlpa-releases", "counts one release of sensitivity p",
         lambda p, e, n, c: float(insider_epsilon(e, n, c, sensitivity=p))),
        ("dlpa-left", "takes the missing from the divisor too",
         lambda n, t, c, m: Fraction(n - c - m, n - t - m) if n > t + m else n - c - m),
        ("dlpa-lattice", "rounds an exact fraction",
         lambda a, b, lattice: round(lattice * Fraction(a * b, a + b)) if a + b else 0),
        ("dlpa-zeros", "rounds the estimate",
         lambda zeros, a, m: round(m * sum(z * z for z in zeros) * (1 - a) ** 2 / (2 * a) / len(zeros))),
    ],
)  # fmt: skip
def test_a_trap_of_the_text_has_a_reply_of_its_own(exercise, name, answer):
    """The answers that the chapter warns of fail, and are named; one number where a list is due is unreadable."""
    reply = check(exercise, answer)
    assert not reply.passed and reply.misconception == name


def _longest(p, d, e, n, c):
    return d * p * float(insider_epsilon(e / (2 * d * p), n, c)) + float(insider_epsilon(e / 2, n, c))


def test_the_estimate_of_shares_is_unbiased():
    """Its mean over the law of the noise of m shares is m, up to what lies beyond 25."""
    reference = find("dlpa-zeros").reference
    alpha = Fraction(1, 2)
    for m, size in product((1, 3), (1, 2)):
        law = {k: discrete_laplace_pmf(k, alpha=alpha) for k in range(-25, 26)}
        mean = sum(
            np.prod([law[z] for z in zeros]) * reference(list(zeros), alpha, m) for zeros in product(law, repeat=size)
        )
        assert abs(mean - m) < Fraction(m, 1000)
    drawn = polya_shares(4, 1, 50_000, Rehearsal(9), tolerate=1).sum(axis=0).tolist()
    assert abs(reference(drawn, float(Rate.of(1).power(1).upper), 3) - 4) < 0.2
