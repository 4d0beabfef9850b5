"""Cells of codes, and cuts that move to equal mass."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.domain import Categorical, Numeric
from fdpedu.sources.maddock.candidates import Cells, uniform_cells


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
