"""Parties that add no noise or what they like, and what known zeros tell."""

import numpy as np
import pytest

from fdpedu.dlpa import ZeroCellsTest, insider_epsilon, polya_shares, zero_cells_test
from fdpedu.randomness import Rehearsal
from fdpedu.secure_sum import pairwise_keys, private_sum


@pytest.mark.claim("thm-cheats")
def test_the_power_is_that_of_simulated_rounds():
    """20,000 rounds of 30 known zeros, with all of five shares and without one, within 7 standard errors (seeded)."""
    found = zero_cells_test("1/2", n_parties=5, silent=2, cells=30, tolerate=1, level="1/20")
    shares = polya_shares(5, "1/2", 30 * 20_000, Rehearsal(12), tolerate=1).reshape(5, 20_000, 30)
    for rows, stated in ((shares, found.false_alarm), (shares[2:], found.power)):
        alarms = float(((rows.sum(axis=0) ** 2).sum(axis=1) <= found.threshold).mean())
        assert abs(alarms - stated) < 7 * (stated * (1 - stated) / 20_000) ** 0.5
    assert 0.04 < found.false_alarm <= 0.05 < found.power


def test_more_cells_and_more_silent_parties_are_noticed_more_often():
    """And who adds nothing at all is noticed for certain once an alarm is possible."""
    by_cells = [zero_cells_test(1, n_parties=5, silent=1, cells=cells).power for cells in (20, 100, 400, 1000)]
    by_silent = [zero_cells_test(1, n_parties=5, silent=s, cells=100).power for s in (1, 2, 3, 4, 5)]
    assert by_cells == sorted(by_cells) and by_silent == sorted(by_silent)
    assert by_silent[-1] == 1.0 and by_cells[0] < 0.05 < 0.7 < by_cells[-1]


def test_no_alarm_is_possible_where_even_zeros_are_too_likely():
    """One cell of large ε is 0 nearly always: the threshold is −1."""
    found = zero_cells_test(20, n_parties=3, silent=1, cells=1)
    assert found == ZeroCellsTest(1, -1, 0.0, 0.0) and "power 0" in str(found)


def test_zeros_only_are_an_alarm():
    """Where ε is large: the threshold is 0, and the alarm is that all cells are; Pr[0] = (1 − α)/(1 + α) in each."""
    found, alpha = zero_cells_test(5, n_parties=5, silent=1, cells=400), np.exp(-5)
    assert found.threshold == 0 and abs(found.false_alarm - ((1 - alpha) / (1 + alpha)) ** 400) < 1e-12
    assert found.power > found.false_alarm


def test_for_small_rates_only_the_shapes_matter():
    """Noise that is twice as large has squares four times as large, and is noticed as often."""
    one, other = (zero_cells_test(e, n_parties=5, silent=2, cells=60) for e in ("1/10", "1/20"))
    assert abs(one.power - other.power) < 0.002 and abs(4 * one.threshold / other.threshold - 1) < 0.01


def test_a_constant_is_other_data():
    """A cheat that adds 7 gives the very sum of a party that has 7 more, word by word; the sum tells nothing else."""
    shares, data = polya_shares(3, 1, 4, Rehearsal(3)), np.array([[2, 0, 1, 5]] * 3)
    keys = [pairwise_keys(3) for _ in range(2)]
    cheated, honest = data + shares, data.copy()
    cheated[1] += 7
    honest[1] += 7
    sums = [
        private_sum(list(rows), modulus=97, keys=pair).tolist()
        for rows, pair in zip((cheated, honest + shares), keys, strict=True)
    ]
    assert sums[0] == sums[1]


def test_silent_parties_cost_what_colluders_cost():
    """The exact loss for the shape that is left: ε itself up to the tolerated number, more beyond."""
    losses = [float(insider_epsilon(1, 5, silent, tolerate=2)) for silent in range(5)]
    assert losses[:3] == [1.0, 1.0, 1.0] and 1 < losses[3] < losses[4]
