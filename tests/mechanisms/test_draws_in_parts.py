"""Many draws are made in parts, each as wide as its candidates allow: the same as so many calls, one after another."""

import numpy as np
import pytest

import fdpedu.mechanisms as m
from fdpedu.claims.replay import patched
from fdpedu.randomness import Rehearsal


@pytest.mark.parametrize("choose", [m.permute_and_flip, m.report_noisy_max])
@pytest.mark.parametrize(("candidates", "at_a_time"), [(3, 4), (4, 3), (5, 2), (7, 1), (12, 1), (41, 1)])
def test_parts_of_many_draws_are_calls_of_their_own(choose, candidates, at_a_time):
    """With room for twelve numbers: so many draws at a time that their candidates fit, and one at least."""
    utilities = np.arange(candidates) * 5 % 7
    with patched("fdpedu.mechanisms.weights", _TILE=12):
        together = choose(utilities, "1/3", Rehearsal(6), size=9 * at_a_time + 1)
        source = Rehearsal(6)
        parts = [choose(utilities, "1/3", source, size=at_a_time) for _ in range(9)]
        parts.append(choose(utilities, "1/3", source, size=1))
    assert together.tolist() == np.concatenate(parts).tolist() and together.dtype == np.int64
