"""The order of the data sets, and the first run after which a wealth is what it has to be."""

import math
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.audit import Bet
from fdpedu.audit.running import as_wealth, first_reaching, order, running


def test_the_order_is_the_same_however_runs_are_divided():
    whole = order(5, 0, 1000)
    assert np.array_equal(np.concatenate([order(5, 0, 1), order(5, 1, 300), order(5, 301, 699)]), whole)
    assert not np.array_equal(order(6, 0, 1000), whole) and whole.dtype == bool


def test_the_coins_are_fair_and_each_its_own():
    """Of 10⁵ coins half are heads, and half of all neighbours are equal: each within six standard deviations."""
    coins = order(1, 0, 10**5)
    assert abs(coins.mean() - 0.5) < 6 * 0.5 / math.sqrt(10**5)
    assert abs((coins[1:] == coins[:-1]).mean() - 0.5) < 6 * 0.5 / math.sqrt(10**5)


def test_a_mechanism_with_the_same_seed_draws_other_coins():
    """Its generator, or a child of it, tells nothing of the order."""
    coins = order(3, 0, 4000)
    for generator in (np.random.default_rng(3), *np.random.default_rng(3).spawn(3)):
        assert abs(((generator.random(4000) < 0.5) == coins).mean() - 0.5) < 6 * 0.5 / math.sqrt(4000)


def first_by_the_definition(bet, level, before, marks):
    """After each run the wealth, exactly."""
    counts = list(before)
    for i, mark in enumerate(marks):
        counts[{1: 0, -1: 1, 0: 2}[mark]] += 1
        if bet.wealth(*counts) >= level:
            return i + 1
    return None


@pytest.mark.parametrize("seed", range(6))
def test_the_first_run_is_found(seed):
    """With other runs before, whatever the level; and none where there is none."""
    draws = np.random.default_rng(seed)
    bet, level = Bet(Fraction(1, 2), Fraction(seed % 2, 50)), [3, 20, 1000][seed % 3]
    before = np.array([seed, seed // 3, seed % 4])
    marks = draws.choice([1, -1, 0], size=90, p=[[0.8, 0.1, 0.1], [0.5, 0.3, 0.2]][seed % 2]).astype(np.int8)
    found = first_reaching(bet, Fraction(level), before, marks)
    assert found == first_by_the_definition(bet, level, before, marks.tolist())


@pytest.mark.parametrize("at", [0, 1, 31, 32, 33, 63, 64, 65])
def test_no_run_is_left_out_between_two_blocks(at):
    """The wealth reaches the level with the right guess after so many runs, and falls again."""
    bet = Bet(Fraction(1))
    marks = np.array([0] * at + [1, -1, -1] + [0] * 40, dtype=np.int8)
    level = bet.wealth(1, 0)
    assert first_reaching(bet, level, np.zeros(3, dtype=np.int64), marks) == at + 1
    assert first_reaching(bet, level + Fraction(1, 10**30), np.zeros(3, dtype=np.int64), marks) is None


def test_it_is_decided_without_floats():
    """Levels that no float tells apart."""
    bet, marks = Bet(Fraction(1, 3)), np.ones(40, dtype=np.int8)
    level = bet.wealth(30, 0)
    below, above = level * (1 - Fraction(1, 10**30)), level * (1 + Fraction(1, 10**30))
    nothing = np.zeros(3, dtype=np.int64)
    assert [first_reaching(bet, x, nothing, marks) for x in (below, above)] == [30, 31]


def test_counts_are_running():
    right, wrong, none = running(np.array([1, 1, 0, -1, 1], dtype=np.int8))
    assert (right.tolist(), wrong.tolist(), none.tolist()) == ([1, 2, 2, 2, 3], [0, 0, 0, 1, 1], [0, 0, 1, 1, 1])


def test_a_wealth_beyond_floats_is_the_largest_float():
    assert as_wealth(np.array([0.0, 2000.0, -2000.0])).tolist()[::2] == [1.0, 0.0]
    assert 1e308 < as_wealth(np.array([2000.0]))[0] < math.inf
