"""Dividing rows among parties."""

import numpy as np

from fdpedu.datasets import divide


def test_dividing_loses_and_doubles_nobody():
    """As many rows to test on as asked; the others each to a party, which may be left without; a seed divides again."""
    for n, parties, test in ((569, 5, 169), (3, 40, 1), (1, 1, 0)):
        rows, held = divide(n, parties, test, np.random.default_rng(0))
        again, _ = divide(n, parties, test, np.random.default_rng(0))
        assert sorted(np.concatenate([*rows, held]).tolist()) == list(range(n)) and len(held) == test
        assert [r.tolist() for r in rows] == [r.tolist() for r in again] and len(rows) == parties


def test_each_row_has_its_own_draw():
    """Four rows of two parties lie in all 16 ways, each as often; equal parts have six of them."""
    rng, found = np.random.default_rng(1), np.zeros(16)
    for _ in range(3200):
        (one, _), _ = divide(4, 2, 0, rng)
        found[int((2**one).sum())] += 1
    assert ((found - 200) ** 2 / 200).sum() < 75  # χ² with 15 degrees of freedom: once in 10⁹
