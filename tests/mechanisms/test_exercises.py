"""The mathematics that the exercises of chapter 3 rely on, and what counts as an answer."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from fdpedu import mechanisms, privacy
from fdpedu.claims.small_zoo import SMALL_ZOO
from fdpedu.exercises.catalogue import find
from fdpedu.exercises.mechanisms.selection import compare_utilities
from fdpedu.sampling.alias import fill_columns
from tests.support.exercises import check


def test_the_laws_of_chapter_3_are_the_library_s():
    """Randomised response, its estimate, intervals, permute-and-flip and the noisy maximum: on all cases."""
    for truth, k, alpha in find("mech-response").cases():
        law = [mechanisms.randomised_response_pmf(j, truth, categories=k, alpha=alpha) for j in range(k)]
        assert find("mech-response").reference(truth, k, alpha) == law
    for reported, n, alpha in find("mech-unbiased").cases():
        yes = mechanisms.estimate_counts([n - reported, reported], alpha=alpha)[1]
        assert find("mech-unbiased").reference(reported, n, alpha) == yes
    for alpha, miss in find("mech-interval").cases():
        interval = mechanisms.count_interval(0, alpha=alpha, confidence=1 - miss)
        assert find("mech-interval").reference(alpha, miss) == interval.half_width
    for (coins,) in find("mech-permute-flip").cases():
        utilities = [-[1, Fraction(1, 2), Fraction(1, 4)].index(coin) for coin in coins]
        assert find("mech-permute-flip").reference(coins) == mechanisms.permute_and_flip_pmf(utilities, alpha="1/2")


def test_digits_and_sign_have_the_two_sided_law():
    """Every integer is reached by exactly one draw, and that has the probability of the law."""
    alpha = Fraction(2, 3)
    for base in (2, 3, 4):
        draws = itertools.product((False, True), range(base), range(4))
        law = {}
        for negative, low, high in draws:
            digit = alpha**low * (1 - alpha) / (1 - alpha**base)
            mass = digit * alpha ** (base * high) * (1 - alpha**base) * (alpha if negative else 1) / (1 + alpha)
            assert law.setdefault(find("mech-digits").reference(negative, low, high, base), mass) is mass
        assert law == {k: mechanisms.discrete_laplace_pmf(k, alpha=alpha) for k in range(-4 * base, 4 * base)}


def test_the_columns_are_the_library_s_and_any_others_that_fit():
    """The reference is the shipped one; a table from the largest to the smallest passes too."""
    for weights, height in find("mech-alias").cases():
        assert find("mech-alias").reference(weights, height) == fill_columns(weights, height)

    def eager(weights, height):
        left, thresholds, alias, open_ = list(weights), [0] * len(weights), [0] * len(weights), set(range(len(weights)))
        while open_:
            c, donor = (pick(open_, key=lambda k: (left[k], k)) for pick in (min, max))
            thresholds[c], alias[c] = min(left[c], height), donor
            left[donor] -= height - thresholds[c]
            open_.remove(c)
        return np.array(thresholds), tuple(alias)

    assert check("mech-alias", eager).passed


def test_the_toy_machine_keeps_three_bits():
    """Its sums are those of NumPy's half precision, cut to three bits by a division that is exact."""
    from fdpedu.exercises.mechanisms.noise import _kept

    for total in range(-200, 200):
        size = max(abs(total).bit_length() - 3, 0)
        assert _kept(total) == 2**size * round(total / 2**size) and abs(total - _kept(total)) <= 2**size / 2


def test_what_breaks_the_exponential_mechanism_without_two():
    """All pairs of utilities of two candidates: right iff neighbours and a ratio above 3; never if all move one way."""
    vectors = list(itertools.product(range(-2, 3), repeat=2))
    for one, other in itertools.product(vectors, repeat=2):
        near = all(abs(u - v) <= 1 for u, v in zip(one, other, strict=True))
        p, q = (mechanisms.exponential_pmf(u, alpha="1/2") for u in (one, other))
        worst = max(privacy.max_ratio(p, q), privacy.max_ratio(q, p))
        breaks = near and worst > 3
        assert (compare_utilities(list(one), list(other))[0] == "broken") is breaks
        assert worst < 4 or not near
        if near and worst > 2:
            assert {v - u for u, v in zip(one, other, strict=True)} == {1, -1}


def test_the_budget_of_the_leaves_holds():
    """Permute-and-flip with coins e^(−ε·gap/2), or e^(−ε·gap) for monotone counts, loses at most what was allowed."""
    constant = Fraction(7, 19)
    assert constant > mechanisms.leaf_error_constant(2).upper
    for depth, monotone, gap in itertools.product(range(4), (False, True), (1, 3, 10, 30)):
        epsilon = find("mech-leaf").reference(depth, 100, Fraction(1, 10), constant, monotone)
        law = mechanisms.permute_and_flip_pmf([0, gap], epsilon, monotone=monotone)
        assert mechanisms.expected_error(law, [0, gap]).upper * 2**depth <= 10


def test_the_exercise_and_the_small_zoo_tell_of_the_same_bug():
    """What the broken variant releases without data, it never releases with a record of the winner."""
    both = SMALL_ZOO["the winner's count too"]
    noisy = next(wrong for wrong in find("mech-noisy-max").wrong if wrong.name == "releases the winning noisy count")
    assert noisy.answer([0, 0], [0, 0, 5]) == (0, 0)
    assert ("a", 0) in both.broken(()) and ("a", 0) not in both.broken(("a",))


@pytest.mark.parametrize(
    ("id", "answer", "said"),
    [
        ("mech-monotone", ([0, 0], [1]), "the same length"),
        ("mech-monotone", ([0, 0], [99, 0]), "are enough"),
        ("mech-monotone", ([0.5, 0], [1, 0]), "whole number"),
        ("mech-monotone", ([], []), "1 to 20"),
        ("mech-monotone", ([0, 0], [1, 1]), "stays below 2"),
        ("mech-monotone", ([0, 3], [1, 2]), "More than 3 is asked for"),
        ("mech-alias", lambda weights, height: weights, "a pair (thresholds, alias)"),
        ("mech-alias", lambda weights, height: (weights, [7] * len(weights)), "an alias is a column"),
        ("mech-alias", lambda weights, height: ([-1] * len(weights), weights), "a threshold lies between"),
        ("mech-alias", lambda weights, height: ([], []), "need 1 entries"),
        ("mech-interval", lambda alpha, miss: 0.5, "whole number"),
        ("mech-noisy-max", lambda utilities, noise: 0, "2 values"),
        ("mech-response", lambda truth, categories, alpha: Fraction(1), "a list was expected"),
    ],
)
def test_odd_answers_about_mechanisms(id, answer, said):
    reply = check(id, answer)
    assert reply.verdict == "FAIL" and said.lower() in " ".join(str(reply).lower().split())


@pytest.mark.parametrize("pair", [([0, 5], [1, 4]), ((1, -4), (0, -3)), (np.array([0, 3, 3]), np.array([1, 2, 2]))])
def test_any_utilities_that_break_it_are_right(pair):
    assert check("mech-monotone", pair).passed
