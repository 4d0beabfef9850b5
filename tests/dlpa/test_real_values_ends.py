"""Where probabilities are too small to be told from 0, and scales that no float holds."""

import pytest

from fdpedu.dlpa import gamma_shares, rounded_sum_loss
from fdpedu.exact import Enclosure


def test_a_scale_that_is_no_float_is_refused_by_its_name():
    for scale in (10**400, "1e400"):
        with pytest.raises(ValueError, match="scale is too large"):
            gamma_shares(2, scale)


@pytest.mark.parametrize("k", [44, 45, 46, 47, 48, 200])
def test_far_from_the_values_a_loss_is_enclosed_or_refused_by_the_output_s_name(k):
    """From some output on one of the two probabilities, or both, cannot be told from 0."""
    for values, neighbour in (([0, 0], [1, 0]), ([1, 0], [0, 0])):
        try:
            found = rounded_sum_loss(k, values, neighbour)
        except ValueError as refused:
            assert f"the probability of {k} is too small" in str(refused)
        else:
            assert type(found) is Enclosure and found.lower <= 1.01 and found.upper >= -1.01


def test_the_farthest_outputs_are_refused():
    with pytest.raises(ValueError, match="k must be nearer"):
        rounded_sum_loss(400, [0, 0], [1, 0])
