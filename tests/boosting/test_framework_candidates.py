"""Cells of codes, and cuts that move to equal mass."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import ZeroWords
from fdpedu.sources.maddock import Choices, counted, fit_framework
from fdpedu.sources.maddock.candidates import Cells, log_cells, quantile_cells, uniform_cells


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 12), st.integers(1, 12), st.booleans(), st.data())
def test_moved_cuts_are_as_many_and_increase(bins, wanted, missing, data):
    """Whatever was released, also in several rounds; and each code is in the cell of its cuts."""
    cells = uniform_cells(Numeric.grid("x", 0, 1, bins=bins, missing=missing), wanted)
    for _ in range(3):
        masses = data.draw(st.lists(st.integers(-5, 30), min_size=cells.n_cells, max_size=cells.n_cells))
        cells = cells.moved(np.array(masses, dtype=float))
        assert len(cells.cuts) == min(wanted, bins - 1)
        assert list(cells.cuts) == sorted(set(cells.cuts)) and 0 <= cells.cuts[0] and cells.cuts[-1] < bins - 1
        codes = cells.of_codes
        assert all((codes[code] <= i) == (code <= cut) for i, cut in enumerate(cells.cuts) for code in range(bins))
        assert not missing or codes[bins] == cells.n_cells - 1
        assert len(cells.left) == len(cells.cuts) * (1 + missing)


def test_cuts_move_to_equal_mass():
    """Sixteen bins, all mass in the first four: three cuts go there, in one round or by and by."""
    cells, true = uniform_cells(Numeric.grid("x", 0, 16, bins=16), 3), np.array([1.0] * 4 + [0.0] * 12)
    assert cells.cuts == (3, 7, 11)
    for _ in range(2):
        cells = cells.moved(np.bincount(cells.of_codes, true, cells.n_cells))
    assert cells.cuts == (0, 1, 2)
    assert Cells(cells.feature, (3, 7, 11)).moved(np.ones(4)).cuts == (3, 7, 11)


def test_categories_are_compared_one_with_all_others():
    cells = uniform_cells(Categorical("ward", ("A", "B", "C")), 16)
    assert cells.cuts == () and cells.of_codes.tolist() == [0, 1, 2]
    assert cells.left.tolist() == [[False, True, True], [True, False, True], [True, True, False]]


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 12), st.integers(1, 12), st.booleans(), st.data())
def test_log_and_quantile_cuts_are_as_many_as_uniform_ones_and_increase(bins, wanted, missing, data):
    feature = Numeric.grid("x", -3, 5, bins=bins, missing=missing)
    codes = np.array(data.draw(st.lists(st.integers(0, feature.n_codes - 1), max_size=30)), dtype=np.int64)
    for cells in (log_cells(feature, wanted), quantile_cells(feature, wanted, codes)):
        assert len(cells.cuts) == len(uniform_cells(feature, wanted).cuts)
        assert list(cells.cuts) == sorted(set(cells.cuts)) and 0 <= cells.cuts[0] and cells.cuts[-1] < bins - 1


def test_distances_of_log_cuts_grow_by_equal_factors():
    """Of a range that begins elsewhere than at 0, and of bins that are not of equal width."""
    assert log_cells(Numeric.grid("x", -8, 24, bins=32), 5).cuts == (0, 1, 3, 7, 15)
    assert log_cells(Numeric("x", (0, 1, 10, 20, 30, 100, 1000)), 3).cuts == (0, 1, 4)
    assert log_cells(Categorical("ward", ("A", "B", "C")), 3).cuts == ()


def test_quantiles_divide_the_rows_and_leave_missing_values_out():
    feature = Numeric.grid("x", 0, 8, bins=8, missing=True)
    codes = np.array([0, 0, 1, 1, 2, 2, 7, 7, 8, 8, 8, 8, 8])
    assert quantile_cells(feature, 3, codes).cuts == (0, 1, 2)
    assert quantile_cells(feature, 3, np.array([8, 8])).cuts == uniform_cells(feature, 3).cuts
    assert quantile_cells(Categorical("ward", ("A", "B")), 3, np.array([0, 1])).cuts == ()


def test_a_model_uses_the_candidates_that_it_names():
    """One cut: in the middle, at the first border, or in the middle of the rows, which only an unpaid run may see."""
    domain = Domain([Numeric.grid("x", 0, 16, bins=16)], ("a", "b"))
    rows, labels = [[4], [4], [5], [5]], [0, 0, 1, 1]
    for candidates, paid, cut in (("uniform", "mended", 7), ("log", "mended", 0), ("quantiles", "not private", 4)):
        choices = Choices(1, 1, candidates=candidates, n_candidates=1)
        model = fit_framework(
            rows, labels, domain, choices, paid=paid, epsilon=1, delta=1e-6, rng=ZeroWords(), coins=ZeroWords()
        )
        (level,) = model.trees[0].levels
        assert np.flatnonzero(~level.right[0]).tolist() == list(range(cut + 1)), candidates
    assert counted(Choices(1, 1, candidates="log"), domain) == counted(Choices(1, 1), domain)
