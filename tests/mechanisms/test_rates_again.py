"""A rate that was used before: whatever is kept of it (tables, lattices, blocks), the noise is drawn anew.

Of a random sequence of calls of one source, in which rates come again, no half of a word reaches two numbers, and every
number is made of some. Where one number may take the words of the next, as after a rejection, noise in units of its
scale is compared instead: of slow rates no two are equal, to seven digits.
"""

import random
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import fdpedu.mechanisms as m
from fdpedu.accounting import Ledger
from fdpedu.claims.dependence import require_own_words
from fdpedu.dlpa import discrete_gaussian_shares, gamma_shares, polya_shares, skellam_shares
from fdpedu.domain import Categorical, Domain
from fdpedu.exact import Rate
from fdpedu.federation import ClassCounts, Federation, Party
from fdpedu.randomness import Rehearsal
from fdpedu.sampling import geometric

ZEROS = np.zeros(2, dtype=np.int64)
WARDS = Domain([Categorical("ward", ("A", "B"))], (0, 1))
FIXED = {  # how many words a number takes does not depend on them
    "discrete Laplace": lambda rate, source: m.discrete_laplace(ZEROS, rate, source),
    "Laplace": lambda rate, source: m.laplace(ZEROS, rate, source),
    "Gaussian": lambda rate, source: m.gaussian(ZEROS, 1 / rate, source),
    "geometric": lambda rate, source: geometric(Rate(rate=rate), 2, source),
    "randomised response": lambda rate, source: m.randomised_response(ZEROS, rate, source, categories=50),
    "exponential": lambda rate, source: m.exponential([0] * 60, rate, source, size=2),
    "permute and flip": lambda rate, source: m.permute_and_flip([0] * 60, rate, source, size=2),
    "report noisy max": lambda rate, source: m.report_noisy_max([0] * 60, rate, source, size=2),
    "Pólya shares": lambda rate, source: polya_shares(2, rate, 2, source),
    "gamma shares": lambda rate, source: gamma_shares(2, rate, 2, source),
    "Skellam shares": lambda rate, source: skellam_shares(2, 1 / rate**2, 2, source),
}
SLOW = {
    "discrete Laplace": FIXED["discrete Laplace"],
    "discrete Gaussian": lambda rate, source: m.discrete_gaussian(ZEROS, rate * rate, source),
    "snapped Laplace": lambda rate, source: [m.snapped_laplace(0, rate, source, grid=1) for _ in range(2)],
    "Gaussian shares": lambda rate, source: discrete_gaussian_shares(2, 1 / rate**2, 2, source),
    "Pólya shares": FIXED["Pólya shares"],
}


def rates_of(name, rates):
    """Two rates, the first again, and one of both."""
    choose = random.Random(name)
    first, second = choose.sample(rates, 2)
    return [first, second, first, choose.choice((first, second))]


@pytest.mark.parametrize("name", FIXED)
def test_noise_at_a_rate_that_comes_again_is_made_of_new_words(name):
    rates = rates_of(name, (Fraction(1, 20), Fraction(1, 30), Fraction(1, 50)))
    require_own_words(lambda source: np.concatenate([np.ravel(FIXED[name](rate, source)) for rate in rates]), 1)


def require_new(rates, noise):
    """In units of its scale all of it is different."""
    units = [
        abs(float(number * rate)) for rate, numbers in zip(rates, noise, strict=True) for number in np.ravel(numbers)
    ]
    found = sorted(units)
    assert len(units) > 6 and min(b / a for a, b in pairwise(found)) > 1 + 1e-7, units


@pytest.mark.parametrize("name", SLOW)
def test_noise_at_a_rate_that_comes_again_is_another(name):
    rates, source = rates_of(name, (Fraction(1, 10**5), Fraction(1, 10**5 + 1), Fraction(1, 2 * 10**5))), Rehearsal(1)
    require_new(rates, [SLOW[name](rate, source) for rate in rates])


def test_rounds_at_a_rate_that_comes_again_have_other_noise():
    """Of a federation of empty parties; two queries of one rate in a round, too."""
    rates = rates_of("federation", (Fraction(1, 10**6), Fraction(1, 10**6 + 1), Fraction(1, 2 * 10**6)))
    federation = Federation([Party([], WARDS), Party([], WARDS)], WARDS, Ledger(1), rng=Rehearsal(1))
    rounds = [federation.release([ClassCounts(WARDS.everything, rate)] * 2) for rate in rates]
    require_new(rates, rounds)
