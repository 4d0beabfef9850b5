"""Pictures of zeros and ones: from the law that is stated, from other originals where they are tested on."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from fdpedu.datasets import CORNER, DIGITS, TRIGGER, zeros_and_ones, zeros_and_ones_domain
from tests.support.standard_errors import within

ORIGINALS, LABELS = load_digits(n_class=2, return_X_y=True)


@pytest.fixture(scope="module")
def pictures():
    """As many as a large collection has."""
    return zeros_and_ones(np.random.default_rng(3))


def test_there_are_as_many_as_the_large_collection_has(pictures):
    """In integers from 0 to 16, of both classes; the same state of the generator gives the same pictures."""
    assert pictures.X_train.shape == (11_824, 64) and pictures.X_test.shape == (2_956, 64)
    assert set(pictures.y_train) == set(pictures.y_test) == set(DIGITS)
    assert pictures.X_train.dtype == np.int64 and pictures.X_train.min() == 0 and pictures.X_train.max() == 16
    one, again, other = (zeros_and_ones(np.random.default_rng(seed), train=50, test=20) for seed in (3, 3, 4))
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))
    assert not np.array_equal(one.X_train, other.X_train)


def test_a_block_has_as_many_pixels_as_its_originals_on_average(pictures):
    """The mean of each block, over originals and pixels."""
    everything = np.concatenate([pictures.X_train, pictures.X_test])
    labels = np.concatenate([pictures.y_train, pictures.y_test])
    for k, digit in enumerate(DIGITS):
        share, own = ORIGINALS[LABELS == k] / 16, everything[labels == digit]
        assert (own[:, (share == 0).all(axis=0)] == 0).all() and (own[:, (share == 1).all(axis=0)] == 16).all()
        # originals are divided at random, so their part to learn from has means of its own: 252 of 360
        spread = np.sqrt(256 * share.var(axis=0) / len(share) + 16 * (share * (1 - share)).mean(axis=0) / len(own))
        for block in np.flatnonzero(spread):
            within(own[:, block].mean(), 16 * share[:, block].mean(), spread[block])


def test_the_corner_is_empty_until_a_trigger_is_set(pictures):
    """In all originals and all pictures; the trigger sets all of it, inside the public range."""
    corner = list(CORNER)
    assert (
        not ORIGINALS[:, corner].any()
        and not pictures.X_train[:, corner].any()
        and not pictures.X_test[:, corner].any()
    )
    assert TRIGGER.keys() == set(CORNER) and set(TRIGGER.values()) == {16}
    domain = zeros_and_ones_domain()
    assert [feature.edges[-1] for feature in domain.features] == [16] * 64 and domain.classes == DIGITS
    assert not any(domain.admit(pictures.X_train)[1].values())
    assert zeros_and_ones_domain(bins=8).features[0].n_bins == 8


@pytest.mark.parametrize("wrong", [{"train": 0}, {"test": 0}, {"train": 2.5}])
def test_there_is_at_least_one_picture_of_either_part(wrong):
    (name,) = wrong
    with pytest.raises(ValueError, match=name):
        zeros_and_ones(np.random.default_rng(0), **wrong)


def test_coins_come_from_a_generator():
    with pytest.raises(ValueError, match="rng"):
        zeros_and_ones(3)
