"""What nodes, bounds and leaves have of a budget, and the noise that it buys."""

import numpy as np
import pytest

from fdpedu.sources.gubler import Faults, Setting
from fdpedu.sources.gubler.budget import Budget


def test_budgets_and_noise():
    """Shares of what a node has with what was handed down; the scale of a bound paid for, and as printed."""
    setting = Setting(3, 250, 10, 5, "0.3")
    budget = Budget(2.0, setting, True, Faults(), np.random.default_rng(1))
    assert (budget.leaf, budget.node) == (1.0, pytest.approx(0.2))
    for_bounds, for_hists = budget.divided(np.array([0.0, 0.6]))
    assert for_bounds == pytest.approx([0.05, 0.2]) and for_hists == pytest.approx([0.15, 0.6])
    assert budget.scale_of_bounds(np.array([0.05])) == pytest.approx([250])
    printed = Budget(2.0, setting, True, Faults(undivided_bounds=True), None)
    assert printed.scale_of_bounds(np.array([0.05])) == pytest.approx([25])
    assert Budget(2.0, setting, False, Faults(), None).divided(np.zeros(1))[1] == pytest.approx([0.2])
    noise = budget.noise(np.array([1.0, 5.0]), (2, 20_000))
    assert abs(noise).mean(axis=1) == pytest.approx([1, 5], rel=0.05) and abs(noise.mean(axis=1)).max() < 0.2
    assert (
        noise.std(axis=1) == pytest.approx([2**0.5, 5 * 2**0.5], rel=0.06)
        and not printed.noise(noise[:, 0], (2, 3)).any()
    )
