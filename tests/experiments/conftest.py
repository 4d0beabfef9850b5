"""What notes the rows and the streams of noise that are taken, in the place of what grows trees."""

import numpy as np
import pytest

import fdpedu.simulation
from fdpedu.experiments import tasks as tasks_module
from fdpedu.sources.gubler.growing import Outcome
from fdpedu.sources.gubler.sample import Sample


@pytest.fixture
def noted(monkeypatch):
    """What a study draws rows and grows trees with: the first numbers of each stream, and what it was for."""
    rows, noise = [], []

    def draw(setting, faults, rng):
        rows.append((setting, faults, rng.integers(2**60)))
        return Sample(np.zeros((1, 1)), np.zeros(1, int), np.zeros(1, int), np.zeros((1, 1)), np.zeros(1, int))

    def grow(samples, setting, variant, *, saving, epsilon, rng):
        noise.append((setting, variant, saving, epsilon, rng.integers(2**60)))
        correct = np.arange(len(samples)) + int(1000 * epsilon)
        return Outcome(correct, ((1,),) * len(samples), np.zeros((len(samples), 2), dtype=np.int64))

    monkeypatch.setattr(tasks_module, "draw_sample", draw)
    monkeypatch.setattr(tasks_module, "grow_runs", grow)
    return rows, noise


@pytest.fixture
def simulated(monkeypatch):
    """What is simulated: methods, rows, options and the first number of each stream."""
    calls = []

    def simulate(method, rows, *, rng, **options):
        calls.append((method, rows, options, int(rng.integers(2**60))))
        return np.arange(rows.n_runs) % (rows.n_test + 1)

    monkeypatch.setattr(fdpedu.simulation, "simulate", simulate)
    return calls
