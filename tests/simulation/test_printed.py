"""The printed search for many nodes at once takes the splits of `splits_as_printed`."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.simulation.printed import best_as_printed
from fdpedu.trees.printed import splits_as_printed
from tests.support.simulated import domains, expected, listed, shaped


@settings(max_examples=60)
@given(domain=domains(), seed=st.integers(0, 10**6), relative=st.booleans(), low=st.sampled_from([-1, -4]))
def test_the_same_splits_as_printed(domain, seed, relative, low):
    """Raw counts, totals of 0 and infinite impurities among them; some codes lie outside of the nodes."""
    rng = np.random.default_rng(seed)
    tables = rng.integers(low, 4, size=(20, domain.n_codes, domain.n_classes))
    inside = rng.random((20, domain.n_codes)) < 0.8
    tables *= inside[:, :, None]
    grid, cells, there = shaped(domain, tables)
    within = shaped(domain, np.repeat(inside[:, :, None], domain.n_classes, axis=2))[1][0] > 0
    own = splits_as_printed(tables, inside, domain, relative=relative)
    assert listed(grid, best_as_printed(grid, cells, within & there, relative=relative)) == expected(own)


@pytest.mark.parametrize("relative", [False, True])
def test_printed_splits_of_many_classes_and_large_counts(relative):
    """Raw counts up to ±10⁹, totals of 0, features whose codes lie outside of the node."""
    features = [
        Numeric.grid("x", 0, 4, 4),
        Categorical("w", list("abc")),
        Numeric.grid("y", 0, 2, 2),
        Categorical("v", list("ab")),
    ]
    for classes in (2, 3, 5):
        domain, rng = Domain(features, range(classes)), np.random.default_rng(classes)
        for most in (1, 3, 10**9):
            tables = rng.integers(-most, most + 1, size=(150, domain.n_codes, classes))
            inside = rng.random((150, domain.n_codes)) < 0.7
            tables *= inside[:, :, None]
            grid, cells, there = shaped(domain, tables)
            within = shaped(domain, np.repeat(inside[:, :, None], classes, axis=2))[1][0] > 0
            own = splits_as_printed(tables, inside, domain, relative=relative)
            assert listed(grid, best_as_printed(grid, cells, within & there, relative=relative)) == expected(own)


FIVE = Domain([Numeric.grid(f"x{j}", 0, 2, 2) for j in range(5)], (0, 1))


def test_printed_splits_are_compared_by_g_unless_it_is_asked_otherwise():
    """As the report prints it."""
    tables = np.random.default_rng(5).integers(-2, 9, (50, FIVE.n_codes, 2))
    grid, cells, there = shaped(FIVE, tables)
    default, relative, scaled = (
        listed(grid, best_as_printed(grid, cells, there, **options))
        for options in ({}, {"relative": True}, {"relative": False})
    )
    assert default == relative != scaled
