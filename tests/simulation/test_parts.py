"""Runs that are gone through in parts: each once, in order, with noise of its own."""

import numpy as np
import pytest

from fdpedu.domain import Domain, Numeric
from fdpedu.randomness import ZeroWords
from fdpedu.simulation import Rows, runs, simulate

GRID = Domain([Numeric.grid("x", 0, 4, 4), Numeric.grid("y", 0, 4, 4)], (0, 1))


def random_rows(number):
    rng = np.random.default_rng(number)
    codes, tests = (rng.integers(0, 4, (number, n, 2)) for n in (30, 30))
    labels = ((codes.sum(axis=2) + np.arange(number)[:, None]) % 4 < 2).astype(int)
    return Rows(GRID, codes, labels, labels * 0, tests, (tests[..., 0] < 2).astype(int), 1)


def at_a_time(monkeypatch, number):
    monkeypatch.setattr(runs, "runs_at_a_time", lambda plan, rows: number)


@pytest.mark.parametrize("number", [1, 2, 3, 4, 7, 8, 100])
def test_each_run_once_in_order(number, monkeypatch):
    """Without noise, seven runs of their own rows in parts of any size."""
    rows = random_rows(7)
    together = simulate("central", rows, rng=ZeroWords()).tolist()
    at_a_time(monkeypatch, number)
    assert simulate("central", rows, rng=ZeroWords()).tolist() == together and len(set(together)) > 3


@pytest.mark.parametrize("method", ["algorithm-5", "algorithm-6", "default", "exponential"])
def test_no_part_repeats_the_noise_of_another(method, monkeypatch):
    """The same rows forty times, in parts of ten: no two parts agree, and the generator goes on."""
    rows, rng = random_rows(1).repeated(40), np.random.default_rng(1)
    at_a_time(monkeypatch, 10)
    found = simulate(method, rows, epsilon=1, rng=rng)
    again = simulate(method, rows, epsilon=1, rng=rng)
    parts = [tuple(part) for part in np.concatenate([found, again]).reshape(8, 10).tolist()]
    assert len(set(parts)) == 8
