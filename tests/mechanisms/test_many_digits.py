"""Choices are settled by as many digits as are asked for, also where a weight has a large exponent."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.exact import exp_enclosure
from fdpedu.mechanisms import weights as weighing
from fdpedu.mechanisms.weights import Weights
from fdpedu.randomness import Rehearsal

RATES = [{"alpha": Fraction(9, 10)}, {"epsilon": Fraction(1, 5)}]


def weigh(utilities, alpha=None, epsilon=None):
    return Weights(utilities, epsilon, alpha, 1, False)


def power(gap, bits, alpha=None, epsilon=None):
    return alpha**gap if alpha else exp_enclosure(-epsilon / 2 * gap, bits).lower


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("gap", [1, 64, 65, 200])
@pytest.mark.parametrize("bits", [64, 300, 900])
def test_the_law_of_two_candidates_is_known_to_the_last_bit(rate, gap, bits):
    lower, upper = weigh([gap, 0], **rate).law.bounds(2, bits)
    truth = 2**bits / (1 + power(gap, bits, **rate))
    assert lower[0] - 1 <= truth <= upper[0] + 1 and upper[0] - lower[0] <= 2 and lower[1] == upper[1] == 2**bits


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("gap", [1, 64, 65, 200])
def test_the_coins_of_candidates_are_known_to_the_last_bit(rate, gap, monkeypatch):
    """Tails has 1 less the weight; the best candidates have no coin, and floats enclose those that there are."""
    seen = []

    def caught(low, high, tails, source):
        seen.append((low, high, tails))
        return np.zeros(low.size, dtype=bool)

    monkeypatch.setattr(weighing, "enclosed_coins", caught)
    heads = weigh([gap, 0, gap, 1], **rate).flip(3, Rehearsal(1))
    assert heads.dtype == bool and heads.shape == (3, 4) and heads.all()
    ((low, high, tails),) = seen
    for i, each in enumerate([gap, gap - 1] * 3 if gap > 1 else [1] * 3):
        for bits in (64, 300, 900):
            truth = (1 - power(each, bits, **rate)) * 2**bits
            (first, last), (top, end) = tails(i).bounds(2, bits)
            assert first - 1 <= truth <= top + 1 and top - first <= 2 and last == end == 2**bits
        assert low[i] < truth / 2**bits < high[i] < low[i] + 1e-9
