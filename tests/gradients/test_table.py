"""Tables of probabilities, pulls and curvatures."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.gradients import curvatures, intercept_shifts, positions, probabilities, pulls
from fdpedu.gradients.table import as_steps, pulls_by_rule, table_by_rule

SCORES = np.arange(-512, 513) / 64


@pytest.mark.parametrize("steps", [2, 4, 64, 100, 1000, 4096])
def test_a_probability_is_the_logistic_of_its_score_to_the_nearest_step(steps):
    """Held against floats, wherever these are not within 10⁻⁹ of half a step."""
    exact = steps / (1 + np.exp(-SCORES))
    clear = np.abs(exact % 1 - 0.5) > 1e-9
    assert (probabilities(steps) == np.floor(exact + 0.5))[clear].all() and clear.sum() > 1000


def test_a_table_is_kept_and_nobody_writes_to_it():
    for table in (probabilities(8), pulls(8, 3), pulls(8, 3, 100, 7), curvatures(8)):
        assert table.dtype == np.int64 and not table.flags.writeable
        with pytest.raises(ValueError):
            table.flat[0] = 1
    assert probabilities(8) is probabilities(8) and pulls(8, 3) is pulls(8, 3)
    assert probabilities(8).tolist() == table_by_rule(8)
    assert pulls(8, 3, 100, 7).tolist() == [pulls_by_rule(8, 3, y, w).tolist() for y, w in ((0, 100), (1, 7))]


@given(st.integers(-(2**40), 2**40))
def test_a_score_is_looked_up_to_the_nearest_64th_halves_up_and_clipped(score):
    (found,) = positions(np.array([score])).tolist()
    assert found == 512 + max(-512, min(512, math.floor(score / 64 + 0.5)))


def test_weights_belong_to_their_class_and_round_towards_0():
    plain, light = pulls(64, 32), pulls(64, 32, 100, 256)
    assert (light[1] == plain[1]).all() and (light[0] == plain[0] * 100 // 256).all()
    heavy = pulls(64, 32, 256, 100)
    assert (heavy[0] == plain[0]).all() and (heavy[1] == -(-plain[1] * 100 // 256)).all()
    assert set(np.unique(pulls(64, 32, 1, 1))) == {0} and pulls(2, 1).tolist()[0][512] == 1


@pytest.mark.parametrize("steps", [2, 6, 64, 4096])
def test_curvatures_are_largest_at_the_score_0(steps):
    found, p = curvatures(steps), probabilities(steps)
    assert found[512] == found.max() == steps // 4 and (found == found[::-1]).all()
    assert (found == [a * (steps - a) // steps for a in p.tolist()]).all()


@pytest.mark.parametrize("steps", [2, 10, 64])
def test_shifts_are_what_some_row_moves_in_order_and_once(steps):
    found = intercept_shifts(steps)
    assert found == tuple(sorted(set(found))) and found[-1] == (steps // 2, steps // 4)
    everywhere = {(abs(int(g)), int(h)) for row in pulls(steps, steps // 2) for g, h in
                  zip(row, curvatures(steps), strict=True)}  # fmt: skip
    assert everywhere <= set(found) and (0, 0) in found


@pytest.mark.parametrize("steps", [0, 1, 3, -2, 4098, 2.5, "2", True, None])
def test_other_numbers_of_steps_are_refused(steps):
    for asked in (as_steps, probabilities, curvatures, intercept_shifts, lambda m: pulls(m, 1)):
        with pytest.raises(ValueError, match="steps"):
            asked(steps)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [((8, 0), "clip"), ((8, 9), "clip"), ((8, 1.5), "clip"), ((8, 4, 0), "first"), ((8, 4, 257), "first"),
     ((8, 4, 1, 0), "second"), ((8, 4, 1, 257), "second"), ((8, 4, 1, "1"), "second")],
)  # fmt: skip
def test_other_clips_and_weights_are_refused(arguments, name):
    with pytest.raises(ValueError, match=name):
        pulls(*arguments)


def test_the_limits_themselves_are_allowed():
    assert as_steps(2) == 2 and as_steps(np.int64(4096)) == 4096
    assert pulls(8, 8, 1, 256).shape == (2, 1025) and np.abs(pulls(8, 8)).max() == 8
