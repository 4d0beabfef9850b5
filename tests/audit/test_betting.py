"""The bet: fair to nobody if the claim is true, exactly; in floats and in integers the same."""

import math
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from fdpedu.audit import STAKES, Bet, predicted_runs
from fdpedu.audit.betting import MAX_EPSILON
from fdpedu.exact import exp_enclosure

COUNTS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (7, 2, 0), (40, 3, 9), (2, 30, 2)]
BETS = [Bet(Fraction(1, 3)), Bet(Fraction(1), Fraction(1, 100)), Bet.against(1), Bet.against("1/10", "1e-3", 1)]


def by_the_definition(bet, right, wrong, none):
    """The mean of what 64 gamblers have, of whom each goes through the runs one by one."""
    total = Fraction(0)
    for j in range(1, 65):
        stake, own = Fraction(2 * j - 1, 128) ** 2, Fraction(1)
        for _ in range(right):
            own += bet.odds * stake * own
        for _ in range(wrong):
            own -= stake * own
        for _ in range(none):
            own -= bet.fee * stake * own
        total += own
    return total / 64


def mean_after(bet, chances, runs):
    """The mean wealth after so many runs, each with the chances of a right guess, a wrong one and none."""
    total = Fraction(0)
    for marks in product(range(3), repeat=runs):
        chance = math.prod((chances[mark] for mark in marks), start=Fraction(1))
        total += chance * bet.wealth(*(marks.count(i) for i in range(3)))
    return total


@pytest.mark.parametrize("factor", [Fraction(1), Fraction(3, 2), Fraction(3)])
@pytest.mark.parametrize("guess", [Fraction(1), Fraction(1, 3)])
def test_the_mean_is_one_at_the_border_of_the_claim(factor, guess):
    """A guess is right with a probability of e^ε/(1 + e^ε) at most; then nothing is gained on average, or lost."""
    chances = (guess * factor / (1 + factor), guess / (1 + factor), 1 - guess)
    assert mean_after(Bet(1 / factor), chances, 4) == 1
    less = (guess / 2, guess / 2, 1 - guess)
    assert (mean_after(Bet(1 / factor), less, 4) < 1) == (factor > 1)


@pytest.mark.parametrize("sides", [1, 2])
def test_the_mean_is_one_at_the_border_of_a_claim_with_delta(sides):
    """What D′ has beyond e^ε times D is δ, in one direction or in each of both."""
    factor, delta, rest = Fraction(2), Fraction(1, 10), Fraction(1, 5)
    right, wrong = (factor * rest + delta) / 2 * sides, rest / 2 * sides
    bet = Bet((2 - sides * delta) / (2 * factor + sides * delta), sides * delta / (2 * factor + sides * delta))
    assert mean_after(bet, (right, wrong, 1 - right - wrong), 3) == 1


@pytest.mark.parametrize("epsilon", [0, "1/3", 1, 7, MAX_EPSILON])
@pytest.mark.parametrize(("delta", "sides"), [(0, 2), ("1e-5", 1), ("1e-5", 2), ("0.4", 2)])
def test_odds_are_rounded_down_and_fees_up(epsilon, delta, sides):
    """Both are those of the formula, or a little worse for the gambler, by a part of 2⁻⁶⁰ at most."""
    bet, slack, e = Bet.against(epsilon, delta, sides), sides * Fraction(delta), exp_enclosure(Fraction(epsilon), 60)
    assert bet.odds * (2 * e.upper + slack) <= 2 - slack <= bet.odds * (2 * e.upper + slack) * (1 + Fraction(1, 2**60))
    assert bet.fee * (2 * e.lower + slack) >= slack >= bet.fee * (2 * e.lower + slack) * (1 - Fraction(1, 2**60))
    if not epsilon and not slack:
        assert bet == Bet(Fraction(1), Fraction(0))


def test_a_bet_against_all_claims_between_two_is_no_better_than_any():
    """The odds of the last one, the fee of the first."""
    low, high = Bet.against(1, "1e-3"), Bet.against("1.5", "1e-3")
    assert Bet.against_any((1, "1.5"), "1e-3") == Bet(high.odds, low.fee)
    assert high.odds < low.odds and high.fee < low.fee


@pytest.mark.parametrize("bet", BETS)
@pytest.mark.parametrize("counts", COUNTS)
def test_the_wealth_is_that_of_sixty_four_gamblers(bet, counts):
    """Exactly as run by run; the floats agree; the integers are below it, by next to nothing."""
    exact = by_the_definition(bet, *counts)
    assert bet.wealth(*counts) == exact
    assert math.isclose(float(bet.log_wealth(*counts)), math.log(exact), rel_tol=1e-9, abs_tol=1e-12)
    assert bet.reaches(exact * (1 - Fraction(1, 2**120)), *counts)
    assert not bet.reaches(exact * (1 + Fraction(1, 2**120)), *counts)


def test_in_integers_nothing_is_rounded_up():
    """After many runs, too: the powers are found by squaring, each rounded down."""
    bet = Bet(Fraction(1, 3), Fraction(1, 7))
    exact = bet.wealth(900, 200, 300)
    assert not bet.reaches(exact * (1 + Fraction(1, 2**140)), 900, 200, 300)
    assert bet.reaches(exact * (1 - Fraction(1, 2**130)), 900, 200, 300)
    assert not Bet(Fraction(0)).reaches(1, 0, 10**9) and Bet(Fraction(0)).reaches(1, 10**9, 0)


def test_stakes_are_dense_near_nothing():
    """((2j − 1)/128)², rising, all between 0 and 1."""
    assert STAKES[0] == Fraction(1, 128**2) and STAKES[63] == Fraction(127**2, 128**2) and len(STAKES) == 64
    assert all(a < b for a, b in pairwise(STAKES))


def test_logarithms_of_arrays_keep_their_shape():
    """Many at once, more than are computed at a time, each as by itself."""
    right = np.arange(10_000).reshape(100, 100)
    found = BETS[0].log_wealth(right, 5)
    assert found.shape == right.shape and found[41, 7] == BETS[0].log_wealth(4107, 5)
    assert found[99, 99] == BETS[0].log_wealth(9999, 5) and BETS[0].log_wealth([], []).shape == (0,)


@pytest.mark.parametrize(
    ("chances", "claim"),
    [
        ((0.88, 0.12), {}),
        ((0.3, 0.05), {"epsilon": "1/2", "alpha": "1e-3"}),
        ((0.5, 0.02), {"delta": "1e-2"}),
        ((0.5, 0.02), {"delta": "1e-2", "directions": 1}),
    ],
)
def test_predicted_runs_are_the_first_that_suffice(chances, claim):
    """At the expected counts the wealth is 1/α then, and not one run before."""
    n = predicted_runs(*chances, **claim)
    bet = Bet.against(claim.get("epsilon", 1), claim.get("delta", 0), claim.get("directions", 2))
    level, rest = -math.log(float(Fraction(claim.get("alpha", "1e-6")))), 1 - sum(chances)
    after = [float(bet.log_wealth(k * chances[0], k * chances[1], k * rest)) for k in (n - 1, n)]
    assert after[0] < level <= after[1]


def test_what_can_never_be_found_is_never_predicted():
    assert predicted_runs(0.7, 0.3) is None and predicted_runs(0, 0) is None and predicted_runs(1, 0) < 60
