"""Models with a score for each class: what they may hold, at its ends, and how it stands in a request."""

import numpy as np
import pytest

from fdpedu.domain import Domain, Numeric
from fdpedu.gradients import VectorModel
from fdpedu.gradients.additive import MAX_WEIGHT
from fdpedu.gradients.vectors import MAX_LEAF, MAX_SCORES, curvatures_of, weights_of

STUMP = ((0, 0b01),)


def domain(n_classes):
    return Domain([Numeric.grid("x", 0, 2, bins=2)], tuple(f"c{k}" for k in range(n_classes)))


@pytest.mark.parametrize("k", [2, 3, 31, 32])
def test_the_largest_weights_are_written_and_read_and_one_more_is_refused(k):
    leaves = (MAX_LEAF, -MAX_LEAF, *[0] * (2 * k - 2))
    model = VectorModel(((STUMP, leaves),), (MAX_WEIGHT, -MAX_WEIGHT, *[0] * (k - 2)))
    model.check(domain(k))
    assert VectorModel.from_wire(model.to_wire()) == model
    for more in (MAX_LEAF + 1, -MAX_LEAF - 1):
        with pytest.raises(ValueError, match="a weight of each class"):
            VectorModel(((STUMP, (more, *leaves[1:])),), model.intercepts).check(domain(k))
    for more in (MAX_WEIGHT + 1, -MAX_WEIGHT - 1):
        with pytest.raises(ValueError, match="intercepts must be"):
            VectorModel((), (more, *model.intercepts[1:])).check(domain(k))
    with pytest.raises(ValueError, match="intercepts must be"):
        model.check(domain(k + 1 if k < MAX_SCORES else 31))


@pytest.mark.parametrize("k", [3, 5, 32])
def test_a_curvature_is_the_mean_of_p_times_its_rest_and_has_a_floor(k):
    """In 1/4096, to the nearest; at least 8/25 of what it is where all classes are alike."""
    scores = np.random.default_rng(k).integers(-(2**15), 2**15, (50, k))
    weights = weights_of(scores)
    p = weights / weights.sum(axis=1, keepdims=True)
    floor = 0.32 * (k - 1) / k**2
    for found, expected in zip(curvatures_of(scores), (p * (1 - p)).mean(axis=0), strict=True):
        assert abs(found / 4096 - max(floor, expected)) <= 2 / 4096
    certain = np.where(np.arange(k) == 0, 2**17, 0) * np.ones((5, 1), dtype=np.int64)
    assert curvatures_of(certain) == (round(4096 * floor),) * k
