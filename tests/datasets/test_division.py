"""Dividing rows among parties."""

import numpy as np

from fdpedu.datasets import divide


def test_dividing_loses_and_doubles_nobody():
    rows, test = divide(569, 5, 169, np.random.default_rng(0))
    assert sorted(np.concatenate([*rows, test]).tolist()) == list(range(569)) and {len(r) for r in rows} == {80}
