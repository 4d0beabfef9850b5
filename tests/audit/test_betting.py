"""The bet: fair to nobody if the claim is true, exactly; in floats and in integers the same."""

from fractions import Fraction
from itertools import product

import pytest

from fdpedu.audit import Bet


def mean_after(bet, chances, runs):
    """The mean wealth after so many runs, each with the chances of a right guess, a wrong one and none."""
    total = Fraction(0)
    for marks in product(range(3), repeat=runs):
        chance = Fraction(1)
        for mark in marks:
            chance *= chances[mark]
        total += chance * bet.wealth(*(marks.count(i) for i in range(3)))
    return total


@pytest.mark.parametrize("factor", [Fraction(1), Fraction(3, 2), Fraction(3)])
@pytest.mark.parametrize("guess", [Fraction(1), Fraction(1, 3)])
def test_the_mean_is_one_at_the_border_of_the_claim(factor, guess):
    """A guess is right with a probability of e^ε/(1 + e^ε) at most; then nothing is gained on average, or lost."""
    chances = (guess * factor / (1 + factor), guess / (1 + factor), 1 - guess)
    assert mean_after(Bet(1 / factor), chances, 4) == 1
